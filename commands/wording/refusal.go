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

	// What follows is filled from the lifecycle.
	Source   statemachine.State
	Roles    []string            // the roles that who asked in
	Next     []statemachine.Pair // what who may ask for from Now
	Operator []statemachine.Pair // what an operator may do from Now
	// Typed is a command that works for an operator.
	Typed string
}

// Rejections explains label changes that Colony did not grant, in one comment with its markers.
func Rejections(l *statemachine.Lifecycle, now string, rejections []statemachine.Rejection) string {
	var blocks []string
	var ids []int64
	for _, r := range rejections {
		ids = append(ids, r.IDs...)
		blocks = append(blocks, render("rejection", explain(l, Refusal{
			Who: r.By, From: r.From, To: r.To, Verdict: r.Verdict, LedTo: r.LedTo, Now: now,
		})))
	}
	return strings.Join(blocks, "\n\n---\n\n") + "\n\n" + Marker(Explains, ids...)
}

// Refused explains why a command did not move an issue. It is one block of a reply.
func Refused(l *statemachine.Lifecycle, who statemachine.Actor, from, to string, verdict statemachine.Verdict) string {
	return render("refused", explain(l, Refusal{Who: who, From: from, To: to, Verdict: verdict, Now: from}))
}

// RefusedToo explains one more refusal in a reply that has told already what is legal from there.
func RefusedToo(l *statemachine.Lifecycle, who statemachine.Actor, from, to string, verdict statemachine.Verdict) string {
	return render("refused_too", explain(l, Refusal{Who: who, From: from, To: to, Verdict: verdict, Now: from}))
}

// Halted says that Colony stops to revert on an issue. See the breaker in docs/design.md.
func Halted(count int, window time.Duration, id int64) string {
	return render("halted", map[string]any{"Count": count, "Minutes": int(window.Minutes())}) + "\n\n" + Marker(Halts, id)
}

func explain(l *statemachine.Lifecycle, r Refusal) Refusal {
	r.Source, _ = l.State(r.From)
	r.Roles = r.Who.Roles
	if len(r.Roles) == 0 {
		r.Roles = l.RolesIn(r.From)
	}
	r.Next = l.Next(r.Who, r.Now)
	r.Operator = l.Next(statemachine.Actor{Kind: statemachine.Operator}, r.Now)
	for _, c := range l.Commands {
		if c.To == statemachine.Previous && len(c.From) > 0 && slices.Contains(c.From, r.Now) {
			r.Typed = "/colony:" + c.Verb
		}
	}
	if r.Typed == "" && len(r.Operator) > 0 {
		r.Typed = "/colony:move " + onward(r.Operator).To
	}
	return r
}

// onward picks the move to show as an example: rather the next step of the work than a way back.
func onward(pairs []statemachine.Pair) statemachine.Pair {
	for _, p := range pairs {
		if p.Kind == statemachine.Forward {
			return p
		}
	}
	return pairs[0]
}

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
