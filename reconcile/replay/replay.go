// Package replay says what Colony would have done about an issue that it did not keep. It goes through what people and bots did, event by event.
// The fold and the decision of the engine check each event on a simulated issue. It is pure.
//
// The simulated issue begins with the labels that the real one had when the replay begins. Then each event means what it would have meant
// on GitHub with Colony there:
//
//   - A change of a label is checked from the state that the simulated issue is in. A label that is there already, or is gone already, gives
//     no event, as on GitHub.
//   - Colony reconciles the simulated issue after each second in which something happened, and when a wait of its own ends. What it writes
//     becomes an event of the simulated log: it removes what an allowed move left behind, reverts what it refuses, and moves on its own.
//   - So an event after a refusal is checked from the state that was restored, not from the one that the real issue was in.
//   - What Colony itself did in the real log is left out: the simulated one decides again. Only its moves by facts that a log does not keep
//     represent these facts, where the lifecycle still has a row for them.
//
// No one would have done exactly the same had Colony been there. A replay counts what it would have met, not what people would have done then.
package replay

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/reconcile"
	"github.com/colony-app/colony/statemachine"
)

// Rules are what a replay applies, and from when until when.
type Rules struct {
	Settings reconcile.Settings
	// Since is when Colony is taken to be installed. What was done before remains.
	Since, Until time.Time
	Web          string // the address of GitHub's pages
}

// Issue is what happened to one issue.
type Issue struct {
	// View is the issue as it is now, without its log. AuthorOnlyAsks says that its author is not allowed to set states.
	View issues.View
	// Log is its log from the beginning, and Comments are those since the replay begins. The opening text is among them if it has commands.
	Log      []issues.Recorded
	Comments []Comment
	// Own are the events of Log by which Colony moved the issue on its own; see OwnMoves.
	Own map[int64]bool
}

// Comment is a comment as far as it matters.
type Comment struct {
	ID int64 // 0 is the opening text
	At time.Time
	// Requester is who wrote it. Where its right was not found out, Unknown says so.
	Requester   commands.Requester
	Unknown     bool
	Invocations []commands.Invocation
	// Says reports that it says more than commands. Reflects reports that it is a reflection by the lifecycle's words. Edited reports that it
	// might not say now what it said then.
	Says, Reflects, Edited bool
}

// Run replays an issue.
func Run(rules Rules, issue Issue) Outcome {
	r := &run{
		Rules: rules, issue: issue, life: rules.Settings.Lifecycle.GuardedByLog(), view: issue.View, real: map[int64]int64{},
		said: said{
			explained: map[int64]bool{}, attributions: map[int64]commands.MoveAttribution{}, asked: map[int64]bool{}, reflectedOn: map[int64]bool{},
		},
		counted: counted{told: map[int64]bool{}, withheld: map[int64]bool{}}, out: Outcome{Ref: issue.View.Ref, LeftOut: map[LeftOut]int{}},
	}
	happened := r.begin()
	for len(happened) > 0 {
		now := happened[0].at
		r.passUntil(now)
		r.now = now
		concerns := false
		for len(happened) > 0 && happened[0].at.Equal(now) {
			concerns = happened[0].happens() || concerns
			happened = happened[1:]
		}
		if concerns {
			r.reconcile()
		}
	}
	r.passUntil(rules.Until.Add(rules.Settings.Thresholds.Settle + time.Second)) // what happened a moment ago is decided first
	r.out.Labels, r.out.State = r.view.Labels, r.fold().State
	return r.out
}

// happening is one event or one comment, in the second of its time. It reports whether Colony reconciles the simulated issue for it.
type happening struct {
	at      time.Time
	happens func() (concerns bool)
}

type run struct {
	Rules
	issue Issue
	life  *statemachine.Table
	now   time.Time
	out   Outcome

	// view is what the simulated GitHub shows: the issue, and its log with ids of its own. real are the real ids by these.
	view issues.View
	real map[int64]int64
	said

	counted

	wake    time.Time
	entered string
	wrote   bool
}

// counted is what was counted already.
type counted struct {
	seen int64 // the latest event whose move was counted
	told map[int64]bool
	// withheld are the entries into states from which a move was withheld.
	withheld map[int64]bool
	// readAll says that the comments were, in this reconciliation.
	readAll bool
}

// said is what Colony's comments and reactions would say, and what others wrote.
type said struct {
	explained    map[int64]bool
	attributions map[int64]commands.MoveAttribution
	asked        map[int64]bool
	reflectedOn  map[int64]bool // or asked for, by the event of the end
	lastAsked    int64
	refusedAt    []time.Time // commands
	pending      []Comment
	replies      []Comment
	replyWaits   bool // for the commands of its comment, in this reconciliation
	reflections  []Comment
}

// begin takes the issue back to when the replay begins, and returns what happened since, in order.
func (r *run) begin() []happening {
	v := &r.view
	v.Labels, v.Changes, v.Arrived, v.Begun, v.Installed = slices.Clone(v.Labels), nil, statemachine.Arrival{}, r.Since, time.Time{}
	if !r.Settings.Adopt {
		v.Installed = r.Since
	}
	record := slices.Clone(r.issue.Log)
	slices.SortStableFunc(record, func(a, b issues.Recorded) int { return cmp.Compare(a.ID, b.ID) })
	first := len(record)
	for first > 0 && !record[first-1].At.Before(r.Since) {
		first--
		r.undo(record[first])
	}
	v.Assignments, v.Closures = nil, nil
	for _, e := range record[:first] {
		switch e.Kind {
		case issues.RecordedLabeled, issues.RecordedUnlabeled:
			r.logs(e.Kind == issues.RecordedLabeled, e.Name, e.By, e.At, e.ID)
		case issues.RecordedReopened:
			r.shut(false, e.At)
		case issues.RecordedAssigned, issues.RecordedUnassigned:
			r.assigned(e)
		case issues.RecordedClosed:
			r.shut(true, e.At)
		}
	}
	r.seen = int64(len(v.Changes))
	var happened []happening
	add := func(at time.Time, happens func() bool) {
		happened = append(happened, happening{at.Truncate(time.Second), happens})
	}
	if !v.Created.Before(r.Since) {
		v.Closed = false
		add(v.Created, func() bool { return r.Settings.Intake.Wants("", "") })
	}
	for _, e := range record[first:] {
		if !e.At.After(r.Until) {
			add(e.At, func() bool { return r.happens(e) })
		}
	}
	for _, c := range r.issue.Comments {
		if !c.At.Before(r.Since) && !c.At.After(r.Until) {
			add(c.At, func() bool { return r.commented(c) })
		}
	}
	slices.SortStableFunc(happened, func(a, b happening) int { return a.at.Compare(b.at) })
	return happened
}

func (r *run) undo(e issues.Recorded) {
	switch e.Kind {
	case issues.RecordedLabeled:
		r.view.Labels = without(r.view.Labels, e.Name)
	case issues.RecordedUnlabeled:
		if !lifecycle.HasLabel(r.view.Labels, e.Name) {
			r.view.Labels = append(slices.Clone(r.view.Labels), e.Name)
		}
	case issues.RecordedClosed:
		r.view.Closed = false
	case issues.RecordedReopened:
		r.view.Closed = true
	case issues.RecordedAssigned:
		r.view.Assignees = slices.DeleteFunc(slices.Clone(r.view.Assignees), func(a string) bool { return strings.EqualFold(a, e.Name) })
	case issues.RecordedUnassigned:
		r.view.Assignees = append(slices.Clone(r.view.Assignees), e.Name)
	}
}

// happens lets an event happen to the simulated issue, and reports whether Colony reconciles it for that.
func (r *run) happens(e issues.Recorded) bool {
	own := e.By.Kind == lifecycle.Colony
	switch e.Kind {
	case issues.RecordedLabeled:
		if own {
			r.ownMove(e)
			return false
		}
		return r.adds(e.Name, e.By, e.ID)
	case issues.RecordedUnlabeled:
		return !own && r.removes(e.Name, e.By, e.ID)
	case issues.RecordedClosed:
		changed := !own && !r.view.Closed
		if changed {
			r.shut(true, e.At)
		}
		return changed
	case issues.RecordedReopened:
		changed := r.view.Closed
		if changed {
			r.shut(false, e.At)
		}
		return changed
	case issues.RecordedAssigned, issues.RecordedUnassigned:
		return r.assigned(e)
	}
	return false
}

func (r *run) assigned(e issues.Recorded) bool {
	added := e.Kind == issues.RecordedAssigned
	r.view.Assignments = append(r.view.Assignments, issues.Assignment{ID: e.ID, Added: added, To: e.Name, At: e.At})
	if !e.At.Before(r.Since) {
		r.view.Assignees = slices.DeleteFunc(slices.Clone(r.view.Assignees), func(a string) bool { return strings.EqualFold(a, e.Name) })
		if added {
			r.view.Assignees = append(r.view.Assignees, e.Name)
		}
	}
	return added && r.Settings.Intake.Wants("", e.Name)
}

func (r *run) commented(c Comment) bool {
	if c.Requester.Actor.Kind == lifecycle.Colony {
		return false
	}
	if c.ID != 0 && c.Says {
		r.replies = append(r.replies, c)
	}
	if c.Reflects {
		r.reflections = append(r.reflections, c)
	}
	orders := len(c.Invocations) > 0
	switch {
	case orders && c.Edited:
		r.out.LeftOut[LeftEdited]++
	case orders && c.Unknown:
		r.out.LeftOut[LeftUnknown]++
	case orders:
		r.pending = append(r.pending, c)
		return true
	}
	return c.Says && slices.Contains(r.life.Readings(r.fold().State, false), lifecycle.ReadComments)
}

// concerns reports whether Colony reconciles an issue for a change of a label.
func (r *run) concerns(label string) bool {
	_, isState := r.life.StateOf(label)
	return isState || r.life.NamesNoState(label) || lifecycle.SameLabel(label, lifecycle.NeedsHuman) || lifecycle.SameLabel(label, lifecycle.Forced) || r.Settings.Intake.Wants(label, "")
}

// adds puts a label on the simulated issue; one that is there already gives no event.
func (r *run) adds(label string, by lifecycle.Actor, id int64) bool {
	if lifecycle.HasLabel(r.view.Labels, label) {
		return false
	}
	r.view.Labels = append(slices.Clone(r.view.Labels), label)
	r.logs(true, label, by, r.now, id)
	return r.concerns(label)
}

// removes takes a label off the simulated issue; one that is not there gives no event.
func (r *run) removes(label string, by lifecycle.Actor, id int64) bool {
	if state, isState := r.life.StateOf(label); isState && id != 0 && !lifecycle.HasLabel(r.view.Labels, label) {
		if names := r.life.OnIssue(r.view.Labels, state.Name); len(names) > 0 {
			label = names[0] // the label was renamed in between, which no log tells
		}
	}
	if !lifecycle.HasLabel(r.view.Labels, label) {
		return false
	}
	r.view.Labels = without(r.view.Labels, label)
	r.logs(false, label, by, r.now, id)
	return r.concerns(label)
}

// logs appends to the simulated log. id is the one of the real event, 0 without a real event.
func (r *run) logs(added bool, label string, by lifecycle.Actor, at time.Time, id int64) {
	if s, isState := r.life.StateOf(label); added && id != 0 && isState && by.Kind != lifecycle.Colony && r.Settings.Lifecycle.Guards.Read() {
		if len(r.Settings.Lifecycle.Guards.Reading(lifecycle.Asking{By: by, From: r.fold().State, To: s.Name})) > 0 {
			r.out.LeftOut[LeftGuards]++
		}
	}
	next := int64(len(r.view.Changes) + 1)
	r.view.Changes = append(r.view.Changes, statemachine.Change{Moment: statemachine.Moment{At: at, ID: next}, Added: added, Label: label, By: by})
	if id != 0 {
		r.real[next] = id
	}
}

// shut closes the simulated issue, or opens it again: after what its log has so far.
func (r *run) shut(closed bool, at time.Time) {
	r.view.Closed = closed
	r.view.Closures = append(r.view.Closures, statemachine.Closure{Moment: statemachine.Moment{At: at, ID: int64(len(r.view.Changes))}, Closed: closed})
}

// ownMove is a move that Colony made in the real log on its own. It represents the fact that Colony knew then: where a row of the lifecycle leads
// there, the simulated Colony makes it too.
func (r *run) ownMove(e issues.Recorded) {
	to, isState := r.life.StateOf(e.Name)
	if !r.issue.Own[e.ID] || !isState {
		return
	}
	standing := r.fold()
	if standing.State == to.Name {
		return
	}
	row := slices.IndexFunc(r.life.Triggers.OutOf(standing.State), func(t lifecycle.Trigger) bool { return t.To == to.Name })
	if row < 0 || standing.Untouched() || r.view.Closed {
		r.out.LeftOut[LeftOwnMove]++
		return
	}
	why := r.life.Triggers.OutOf(standing.State)[row].Why
	r.out.find(Finding{Kind: Moves, At: r.now, From: standing.State, To: to.Name, Reason: why, EventID: e.ID, By: lifecycle.Actor{Kind: lifecycle.Colony}})
	r.write([]issues.Write{{Add: []string{to.Label}}}, commands.MoveAttribution{})
	if from := r.life.Label(standing.State); from != "" {
		r.write([]issues.Write{{Remove: from}}, commands.MoveAttribution{})
	}
	r.reconcile()
}

func without(labels []string, label string) []string {
	return slices.DeleteFunc(slices.Clone(labels), func(l string) bool { return lifecycle.SameLabel(l, label) })
}

// passUntil lets the time pass until something happens, and reconciles the issue when one of Colony's own waits ends before.
func (r *run) passUntil(then time.Time) {
	for range mostRounds {
		if r.wake.IsZero() || !r.wake.Before(then) {
			return
		}
		r.now, r.wake = r.wake, time.Time{}
		r.reconcile()
	}
	r.out.LeftOut[LeftRestless]++
}

// mostRounds bounds what Colony does between two events: nothing that ends takes so many.
const mostRounds = 1000

// OwnMoves returns the events by which Colony moved an issue on its own, by a fact: of the log of a repository in which it was installed
// under a lifecycle. Moves by commands are not among them.
func OwnMoves(life *statemachine.Table, v issues.View, record []issues.Recorded, comments []Comment) map[int64]bool {
	h := statemachine.History{Labels: v.Labels, Opening: statemachine.Opening{By: v.Author.Login, At: v.Created}}
	byColony := false
	for _, e := range record {
		if e.Kind == issues.RecordedLabeled || e.Kind == issues.RecordedUnlabeled {
			h.Changes = append(h.Changes, statemachine.Change{Moment: statemachine.Moment{At: e.At, ID: e.ID}, Added: e.Kind == issues.RecordedLabeled, Label: e.Name, By: e.By})
			byColony = byColony || e.By.Kind == lifecycle.Colony
		}
	}
	if !byColony {
		return nil
	}
	var written []commands.CommandComment
	for _, c := range comments {
		if len(c.Invocations) > 0 && c.Requester.Actor.Kind != lifecycle.Colony {
			written = append(written, commands.CommandComment{CommentID: c.ID, Requester: c.Requester, Invocations: c.Invocations, At: c.At})
		}
	}
	standing := life.Fold(h)
	ordered, _ := commands.AttributeMoves(life, standing, written)
	own := map[int64]bool{}
	for _, m := range standing.Made() {
		if _, byCommand := ordered[m.ID]; m.By.Kind == lifecycle.Colony && m.Kind == statemachine.Moved && !byCommand {
			own[m.ID] = true
		}
	}
	return own
}
