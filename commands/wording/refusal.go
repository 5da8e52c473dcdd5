package wording

import (
	"slices"
	"strings"
	"time"

	"github.com/colony-app/colony/statemachine"
)

// Refusal is what there is to say about a move that was not granted: by label, or by command.
type Refusal struct {
	Who statemachine.Actor
	// From is the state the issue was in, To the state that was asked for; To is empty if a label was only taken off.
	From, To string
	Verdict  statemachine.Verdict
	// LedTo is the state a bad request led to, Now the state the issue is in after Colony acted.
	LedTo, Now string
	// Times is how often it was asked for since a person last decided about the work, if it is a bad request.
	Times int
	// Before is the only state that the issue can go back to.
	Before string

	// What follows is filled from the lifecycle.
	Limit    statemachine.Limit // the limit that was reached
	Source   statemachine.State
	target   statemachine.State
	Roles    []string            // the roles that whoever asked acts in
	Next     []statemachine.Pair // what whoever asked may ask for from Now
	Operator []statemachine.Pair // what an operator may do from Now
	// Typed is a command that works for an operator.
	Typed string
	// ForGood says that not even a forced move leads out of Now.
	ForGood bool
	// Command is what gives a reason for the move that needs one.
	Command string
}

// Rejections explains label changes that Colony did not grant, in one comment with its markers.
func Rejections(l *statemachine.Lifecycle, standing statemachine.Standing, rejections []statemachine.Rejection) string {
	var blocks []string
	var ids []int64
	for _, r := range rejections {
		ids = append(ids, r.IDs...)
		form := "rejection"
		if r.By.Kind == statemachine.Author {
			form = "request"
		}
		blocks = append(blocks, render(form, explain(l, standing, Refusal{
			Who: r.By, From: r.From, To: r.To, Verdict: r.Verdict, LedTo: r.LedTo, Now: standing.State, Before: r.Before,
			Times: l.Repeated(standing, r),
		})))
	}
	return strings.Join(blocks, "\n\n---\n\n") + "\n\n" + Marker(Explains, ids...)
}

// Refused explains why a command did not move an issue. It is one block of a reply.
func Refused(l *statemachine.Lifecycle, standing statemachine.Standing, who statemachine.Actor, to string, verdict statemachine.Verdict) string {
	return render("refused", refusedAt(l, standing, who, to, verdict))
}

// RefusedToo explains one more refusal in a reply that has told already what is legal from there.
func RefusedToo(l *statemachine.Lifecycle, standing statemachine.Standing, who statemachine.Actor, to string, verdict statemachine.Verdict) string {
	return render("refused_too", refusedAt(l, standing, who, to, verdict))
}

func refusedAt(l *statemachine.Lifecycle, standing statemachine.Standing, who statemachine.Actor, to string, verdict statemachine.Verdict) Refusal {
	before, _ := l.Before(standing)
	return explain(l, standing, Refusal{
		Who: who, From: standing.State, To: to, Verdict: verdict, Now: standing.State, Before: before,
	})
}

// Told tells of moves that Colony made by itself, in one comment with its markers.
func Told(moves []statemachine.Told) string {
	var blocks []string
	var ids []int64
	for _, m := range moves {
		ids = append(ids, m.EventID)
		blocks = append(blocks, render("told", m))
	}
	return strings.Join(blocks, "\n\n---\n\n") + "\n\n" + Marker(Explains, ids...)
}

// RenderAsked asks a person about what leads nowhere, in one comment with its markers.
func RenderAsked(asked []statemachine.Asked) string {
	var blocks []string
	var ids []int64
	for _, a := range asked {
		ids = append(ids, a.ID)
		blocks = append(blocks, render("asked", a))
	}
	return strings.Join(blocks, "\n\n---\n\n") + "\n\n" + Marker(Asks, ids...)
}

// OnPullRequest tells a pull request that its issue reached a limit, with the marker of the event by which it did.
func OnPullRequest(issue int, to, why string, event int64) string {
	return render("on_pull_request", map[string]any{"OfIssue": issue, "To": to, "Why": why}) + "\n\n" + Marker(Explains, event)
}

// InCircles says that Colony stops moving an issue by itself. See the breaker in docs/design.md.
func InCircles(count int, window time.Duration, id int64) string {
	return render("circles", map[string]any{"Count": count, "Minutes": int(window.Minutes())}) + "\n\n" + Marker(Halts, id)
}

// Halted says that Colony stops reverting on an issue. See the breaker in docs/design.md.
func Halted(count int, window time.Duration, id int64) string {
	return render("halted", map[string]any{"Count": count, "Minutes": int(window.Minutes())}) + "\n\n" + Marker(Halts, id)
}

func explain(l *statemachine.Lifecycle, standing statemachine.Standing, r Refusal) Refusal {
	r.Source, _ = l.State(r.From)
	r.target, _ = l.State(r.To)
	r.Roles = r.Who.Roles
	if len(r.Roles) == 0 {
		r.Roles = l.RolesIn(r.From)
	}
	r.Next = l.NextAt(standing, r.Who)
	r.Operator = l.NextAt(standing, statemachine.Actor{Kind: statemachine.Operator})
	if bounds := l.Bounds(r.From, r.To); r.Verdict == statemachine.LimitReached && len(bounds) > 0 {
		r.Limit = bounds[len(bounds)-1]
	}
	for _, c := range l.Commands {
		if c.To == statemachine.Previous && len(c.From) > 0 && slices.Contains(c.From, r.Now) {
			r.Typed = "/colony:" + c.Verb
		}
	}
	if next, ok := onward(r.Operator); ok && r.Typed == "" {
		r.Typed = "/colony:move " + next.To
		if next.Reason == statemachine.Required {
			r.Typed += " <reason>"
		}
	}
	r.ForGood = l.ForGood(r.Now)
	r.Command = reasoned(l, r.From, r.To)
	return r
}

// reasoned returns how to type a move with its reason: by the command that the lifecycle has for it, or by `move`.
func reasoned(l *statemachine.Lifecycle, from, to string) string {
	for _, c := range l.Commands {
		if c.To == to && c.Reason != statemachine.NotTaken && (len(c.From) == 0 || slices.Contains(c.From, from)) {
			return "/colony:" + c.Verb + " <reason>"
		}
	}
	return "/colony:move " + to + " <reason>"
}

// onward picks the move to show as an example: rather the next step of the work than a way back.
func onward(pairs []statemachine.Pair) (statemachine.Pair, bool) {
	for _, p := range pairs {
		if p.Kind == statemachine.Forward || p.Kind == statemachine.Enter {
			return p, true
		}
	}
	if len(pairs) == 0 {
		return statemachine.Pair{}, false
	}
	return pairs[0], true
}

// Label is the label of the state that was asked for.
func (r Refusal) Label() string { return r.target.Label }

// IsExecutor is for the templates.
func (r Refusal) IsExecutor() bool { return r.Who.Kind == statemachine.Executor }

// Final reports whether nothing leads out of the state the issue was in.
func (r Refusal) Final() bool { return r.Source.Type == statemachine.Terminal }

// RoleNames lists the roles of an executor that asked.
func (r Refusal) RoleNames() string {
	names := make([]string, len(r.Roles))
	for i, n := range r.Roles {
		names[i] = "`" + n + "`"
	}
	return strings.Join(names, " or ")
}
