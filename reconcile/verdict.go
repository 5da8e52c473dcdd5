package reconcile

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// VerdictKind says what Colony found about a move, a command or an issue.
type VerdictKind string

// The kinds of verdicts.
const (
	VerdictFinished VerdictKind = "finished"        // an allowed move
	VerdictRefused  VerdictKind = "refused"         // a change that is not allowed
	VerdictMoved    VerdictKind = "moved"           // a move that Colony makes on its own
	VerdictBlocked  VerdictKind = "blocked"         // one that it withholds, as it would block the issue
	VerdictAsked    VerdictKind = "asked"           // a question to a person
	VerdictClosed   VerdictKind = "closed"          // an issue that came to its end
	VerdictHalted   VerdictKind = "halted"          // the breaker tripped
	VerdictCommand  VerdictKind = "command"         // commands that someone wrote
	VerdictDeclined VerdictKind = "command-refused" // commands that are refused, not permitted, or not run
	VerdictForced   VerdictKind = "forced"          // a command that overrides the workflow
)

// VerdictKindSpec describes a kind of verdict.
type VerdictKindSpec struct {
	Kind    VerdictKind
	Meaning string
}

// VerdictKinds is the table of the kinds.
func VerdictKinds() []VerdictKindSpec {
	return []VerdictKindSpec{
		{VerdictFinished, "Someone made a legal move."},
		{VerdictRefused, "Someone made a change that the lifecycle does not allow; Colony undoes it."},
		{VerdictMoved, "Colony moves the issue by a trigger, a limit, a time-out, the intake or a capacity."},
		{VerdictBlocked, "Colony would block the issue and leaves that where it does not enforce."},
		{VerdictAsked, "Colony asks a person something on an issue that stays where it is."},
		{VerdictClosed, "Colony closes an issue that came to its end."},
		{VerdictHalted, "Colony stops on the issue, because it had to undo or move too much there."},
		{VerdictCommand, "Colony carries out the commands of a comment."},
		{VerdictDeclined, "Colony refuses a comment's commands, or does not run them."},
		{VerdictForced, "Colony moves an issue around the table for someone's `/colony:force`."},
	}
}

// Triggers of a verdict that are neither a webhook's event nor one of the causes of a request.
const (
	TriggerCommand = "command" // a comment of someone
	TriggerFact    = "fact"    // something other than labels and commands: a trigger of the lifecycle, a limit, a timeout, a capacity
)

// Verdict is what Colony found about one thing that someone did to an issue, or that Colony does.
type Verdict struct {
	Kind VerdictKind
	// ID tells it from others of the kind on the issue: an event of the log, or a comment. Round tells apart what begins at the same event.
	ID, Round int64
	// From is the state before. To is the state that was asked for, or moved to. It is the label if that names no state, and empty without a
	// target.
	From, To string
	// LedTo is the state that a refused change led to; empty if the issue stays where it is.
	LedTo  string
	By     lifecycle.Actor
	Reason string
	// About is what a move of Colony's was made for.
	About string
	// At is when someone did what it is about; zero for what Colony does on its own.
	At time.Time

	// Trigger is what it came through: the event of a webhook, the cause of a request, TriggerCommand or TriggerFact.
	Trigger string
	Occasion
}

// Occasion is where a verdict was found: on which issue, through which delivery, and how many writes on the issue it takes.
type Occasion struct {
	Ref      issues.Ref
	Delivery string
	Writes   int
}

// Key is the same whenever the same is found, by any process, and not the same as that of anything else. A comment has one key: a process that
// goes on with its commands finds the issue where they have brought it.
func (v Verdict) Key() string {
	if v.Trigger == TriggerCommand {
		v.Kind, v.From, v.To = VerdictCommand, "", ""
	}
	of := fmt.Sprintf("%d/%d/%s/%d/%d/%s/%s", v.Ref.ID, v.Ref.Number, v.Kind, v.ID, v.Round, v.From, v.To)
	sum := sha256.Sum256([]byte(of))
	return hex.EncodeToString(sum[:16])
}

// verdictsIn lists what a decision comes to. It includes the allowed moves since a time that need nothing to be written: what was before, Colony
// has seen before.
func verdictsIn(life *statemachine.Table, s statemachine.Standing, d statemachine.Decision, since time.Time) []Verdict {
	entered, _ := s.Since()
	all := finishedIn(life, s, d, since)
	for _, r := range d.Explain {
		all = append(all, Verdict{Kind: VerdictRefused, ID: slices.Min(r.IDs), From: r.From, To: r.To, LedTo: r.LedTo, By: r.By, At: r.At, Reason: refusalReason(r)})
	}
	if a := d.Withheld; a != nil {
		all = append(all, ownVerdict(VerdictBlocked, s, *a))
	}
	if h := d.Halted; h != nil && (d.HaltUnsaid || s.Stands) {
		all = append(all, Verdict{Kind: VerdictHalted, ID: h.ID, From: h.From, To: h.To, By: h.By, Reason: string(h.Verdict)})
	}
	if a := d.Automatic; a != nil {
		all = append(all, ownVerdict(VerdictMoved, s, *a))
	}
	for _, a := range d.Ask {
		all = append(all, Verdict{Kind: VerdictAsked, ID: slices.Max(a.IDs), From: a.State, By: itself, Reason: a.Why, Trigger: TriggerFact})
	}
	if d.Close != "" {
		all = append(all, Verdict{Kind: VerdictClosed, ID: entered.ID, From: d.State, By: itself, Reason: string(d.Close)})
	}
	return all
}

var itself = lifecycle.Actor{Kind: lifecycle.Colony}

// ownVerdict is a verdict on a move of Colony's. A move that is undone leaves the issue at the event where it was: that is another round.
func ownVerdict(kind VerdictKind, s statemachine.Standing, a statemachine.Automatic) Verdict {
	entered, _ := s.Since()
	v := Verdict{Kind: kind, ID: entered.ID, From: a.From, To: a.To, By: itself, Reason: a.Why, About: a.About, Trigger: TriggerFact}
	for _, w := range s.Withdrawn {
		v.Round = max(v.Round, w.ID)
	}
	return v
}

// finishedIn lists the allowed moves of others than Colony: the moves since a time, and the last one if its old label goes now. Moves of Colony's
// are reported when it decides on them.
func finishedIn(life *statemachine.Table, s statemachine.Standing, d statemachine.Decision, since time.Time) []Verdict {
	var all []Verdict
	for i, m := range s.Trail {
		goes := i == len(s.Trail)-1 && commits(life, s, d, m)
		if m.Kind != statemachine.Moved || m.By.Kind == lifecycle.Colony || !goes && m.At.Before(since) {
			continue
		}
		all = append(all, Verdict{Kind: VerdictFinished, ID: m.ID, From: m.From, To: m.To, By: m.By, At: m.At, Reason: m.Reason})
	}
	return all
}

// commits reports whether the label that an issue's last move left behind goes now. A label that someone restored without being allowed to goes
// because of that.
func commits(life *statemachine.Table, s statemachine.Standing, d statemachine.Decision, last statemachine.Move) bool {
	isBack := func(r statemachine.Rejection) bool { return r.To == last.From && r.ID > last.ID }
	return len(life.OnIssue(d.Remove, last.From)) > 0 && !slices.ContainsFunc(s.Rejections, isBack)
}

// refusalReason says in a few words that programs understand why a change is refused.
func refusalReason(r statemachine.Rejection) string {
	if len(r.Guards.Refusing) > 0 {
		return string(r.Verdict) + ": " + strings.Join(r.Guards.Names(), ", ")
	}
	return string(r.Verdict)
}

// verdictOn is what the commands of a comment come to. What strangers write is not in it.
func verdictOn(life *statemachine.Table, o commandComment, by lifecycle.Actor, from string, r commands.Result) Verdict {
	v := Verdict{Kind: VerdictCommand, ID: o.comment.ID, From: from, To: r.Standing.State, By: by, At: o.comment.Created, Trigger: TriggerCommand}
	switch {
	case r.Answer != commands.Accepted:
		v.Kind = VerdictDeclined
	case slices.ContainsFunc(r.Moves, func(m commands.Move) bool { return m.Forced }):
		v.Kind = VerdictForced
	}
	v.Reason = verbsOf(life, o) + ": " + answers[r.Answer]
	return v
}

// verbsOf lists the commands of a comment, as far as they exist.
func verbsOf(life *statemachine.Table, o commandComment) string {
	var verbs []string
	for _, i := range o.invocations {
		verbs = append(verbs, verbOf(life, i))
	}
	return strings.Join(verbs, ", ")
}

// verbOf is the verb of a command; "unknown" if there is no such command.
func verbOf(life *statemachine.Table, i commands.Invocation) string {
	if _, known := commands.Find(life, i.Verb); known {
		return i.Verb
	}
	return "unknown"
}
