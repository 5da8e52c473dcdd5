package reconcile

import (
	"context"
	"slices"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

type feature struct {
	name string
	// applies reports whether there might be something to write. Nothing else of the feature runs where there is not.
	applies func(p planning) bool
	// writes plans by the decision alone, plan reads more; a feature has one of them.
	writes func(p planning) []issues.Write
	plan   func(ctx context.Context, p planning) ([]issues.Write, error)
}

// planning is what features plan by: a decision about an issue, or what the commands of a comment came to.
type planning struct {
	statemachine.Decision
	answer   *answering // nil for a decision
	settings Settings
	standing statemachine.Standing
	issue    *inquiry // nil where nothing can be read
}

// features lists all of them in the order in which they are written, which survives a crash between any two writes. Labels are added before others
// are removed, so that the issue never looks like a new one. What is left out the next reconciliation finds in the log and among the markers.
// Labels come before comments for another reason too: a state that is restored late could undo a move. The reply to a command comes before its
// moves, since its receipt is the last of all.
var features = []feature{
	trailFeature,
	{
		name: "round", applies: func(p planning) bool { return p.Repeat != "" },
		writes: func(p planning) []issues.Write { return []issues.Write{{Remove: p.Repeat}, {Add: []string{p.Repeat}}} },
	},
	{
		name: "labels on", applies: func(p planning) bool { return len(p.Add) > 0 },
		writes: func(p planning) []issues.Write { return []issues.Write{{Add: p.Add}} },
	},
	// The mark that asks for a person goes after what asked for it is hidden: so these labels go in two parts.
	{
		name: "labels off", applies: func(p planning) bool { return len(p.Remove) > 0 },
		writes: func(p planning) []issues.Write { return removals(p.Remove[:p.mark()]) },
	},
	hideAnsweredFeature,
	{name: "mark off", applies: planning.unmarks, writes: func(p planning) []issues.Write { return removals(p.Remove[p.mark():]) }},
	noticeFeature,
	hideOutdatedFeature,
	refusalFeature,
	announcementFeature,
	questionFeature,
	haltFeature,
	{
		name: "close", applies: func(p planning) bool { return p.Close != "" },
		writes: func(p planning) []issues.Write { return []issues.Write{{Close: p.Close}} },
	},
	replyFeature,
	unforceFeature,
	movesFeature,
	putBackFeature,
	linksFeature,
	markFeature,
	hideForCommandFeature,
	unmarkFeature,
	receiptFeature,
	assignFeature,
	hideReminderFeature,
	reminderFeature,
}

func (q *inquiry) planning(d statemachine.Decision) planning {
	return planning{Decision: d, settings: q.settings, standing: q.standing, issue: q}
}

func planAll(ctx context.Context, p planning) ([]issues.Write, error) {
	return planRows(ctx, features, p)
}

// planRows plans those of the rows that apply. Features that read are left out where nothing can be read.
func planRows(ctx context.Context, rows []feature, p planning) ([]issues.Write, error) {
	var writes []issues.Write
	for _, f := range rows {
		switch {
		case f.plan != nil && p.issue == nil, !f.applies(p):
		case f.writes != nil:
			writes = append(writes, f.writes(p)...)
		default:
			planned, err := f.plan(ctx, p)
			if err != nil {
				return nil, err
			}
			writes = append(writes, planned...)
		}
	}
	return writes, nil
}

// WritesOf turns a decision into the writes for which nothing else is read.
func WritesOf(by Settings, standing statemachine.Standing, d statemachine.Decision) []issues.Write {
	return pureWrites(planning{Decision: d, settings: by, standing: standing})
}

// pureWrites are those of the features that read nothing.
func pureWrites(p planning) []issues.Write {
	writes, err := planAll(context.Background(), p)
	if err != nil {
		panic(err) // only reading fails
	}
	return writes
}

// rests reports whether the decision leaves the issue where it is.
func (p planning) rests() bool {
	goesOn := []statemachine.WaitReason{statemachine.Held, statemachine.Late, statemachine.Quiet}
	return p.answer == nil && p.Automatic == nil && !slices.Contains(goesOn, p.Wait.Why) && p.settings.Mode.Writes()
}

// mark is where the mark is among the labels that go; behind them if it stays.
func (p planning) mark() int {
	if i := slices.IndexFunc(p.Remove, isMark); i >= 0 {
		return i
	}
	return len(p.Remove)
}

func (p planning) unmarks() bool { return p.mark() < len(p.Remove) }

func isMark(label string) bool { return lifecycle.SameLabel(label, lifecycle.NeedsHuman) }
