package inspect

import (
	"fmt"
	"slices"
	"time"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// Simulated is what would become of labels that somebody puts on an issue, one after the other.
type Simulated struct {
	Lifecycle string `json:"lifecycle"`
	From      string `json:"from"`
	// To is where the issue stands at the end.
	To       string    `json:"to"`
	Verdicts []Verdict `json:"verdicts"`
}

// Verdict is what would become of one label.
type Verdict struct {
	Label string `json:"label"`
	// Verdict is what the lifecycle says; "not-known" if a guard needs to know more of the issue, and "none" if the label is none of
	// Colony's concern.
	Verdict string `json:"verdict" jsonschema:"enum=legal,enum=same,enum=not-in-table,enum=not-for-role,enum=not-a-state,enum=not-previous,enum=needs-reason,enum=limit-reached,enum=guarded,enum=not-known,enum=none"`
	// From is where the issue stands before, and To the state that is asked for; left out if the label names none.
	From string `json:"from"`
	To   string `json:"to,omitempty"`
	// LedTo is where the issue goes instead; left out if it stays.
	LedTo string `json:"led_to,omitempty"`
	// Why says why, in words for people.
	Why string `json:"why"`
	// Guards are those that refuse it, or of which nothing is known without the issue.
	Guards []Guard `json:"guards"`
	// Next are the moves that whoever asks may make from where the issue stands then.
	Next []Next `json:"next"`
}

// The verdicts of a simulation beside those of the lifecycle.
const (
	verdictUnknown = "not-known"
	verdictNone    = "none"
)

// simulatedAt is when a simulated issue came to the state that it is in; what follows comes a minute each later. A simulation has no clock.
var simulatedAt = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// Simulate folds an issue that stands in a state, has never moved, and gets labels from somebody. It reads nothing. The error is an
// UnknownError if there is no such state.
func Simulate(life *statemachine.Table, from string, who lifecycle.Actor, labels []string) (*Simulated, error) {
	state, err := stateOf(life, from)
	if err != nil {
		return nil, err
	}
	at := simulatedAt
	history := statemachine.History{Terms: statemachine.Terms{JudgedSince: simulatedAt.Add(time.Second)}}
	put := func(label string, by lifecycle.Actor) {
		history.Labels = append(history.Labels, label)
		history.Changes = append(history.Changes, statemachine.Change{Moment: statemachine.Moment{At: at, ID: int64(len(history.Changes) + 1)}, Added: true, Label: label, By: by})
		at = at.Add(time.Minute)
	}
	if label := life.Label(state); label != "" {
		put(label, lifecycle.Actor{Kind: lifecycle.Colony})
	}
	at = simulatedAt.Add(time.Minute)
	out := &Simulated{Lifecycle: life.Name, From: state, Verdicts: []Verdict{}}
	before := life.Fold(history)
	for _, label := range labels {
		put(label, who)
		after := life.Fold(history)
		out.Verdicts = append(out.Verdicts, verdictOf(life, who, history.Changes[len(history.Changes)-1], before, after))
		before = after
	}
	out.To = before.State
	return out, nil
}

// verdictOf reads from two standings what became of the label between them.
func verdictOf(life *statemachine.Table, who lifecycle.Actor, c statemachine.Change, before, after statemachine.Standing) Verdict {
	v := Verdict{Label: c.Label, From: before.State, Guards: []Guard{}, Next: nextOf(life, who, life.NextAt(after, who))}
	if state, is := life.StateOf(c.Label); is {
		v.To = state.Name
	}
	for _, a := range after.Pending {
		if a.EventID == c.ID {
			g := life.Guarded(before, a, statemachine.NothingRead)
			v.Verdict, v.Guards, v.Why = verdictUnknown, guardsOf(g.Open), "A guard needs to know more of the issue."
			return v
		}
	}
	for _, r := range after.Rejections {
		if slices.Contains(r.IDs, c.ID) {
			v.Verdict, v.LedTo, v.Guards = string(r.Verdict), r.LedTo, guardsOf(life.Guards.Named(r.Guards))
			v.Why = whyNot(life, who, r.Verdict, before.State, v.To, r.Before)
			if r.Verdict == lifecycle.NotAState {
				v.Why = fmt.Sprintf("Lifecycle %s has no state with this label.", life.Name)
			}
			return v
		}
	}
	if len(after.Pending) > 0 {
		v.Verdict, v.Why = verdictUnknown, "It depends on what was asked for before."
		return v
	}
	last, moved := after.Since()
	switch {
	case moved && last.ID == c.ID:
		pair, _ := life.Pair(before.State, v.To)
		v.Verdict, v.Why = string(lifecycle.Legal), sentence(pair.Why)
	case v.To != "":
		v.Verdict, v.Why = string(lifecycle.Same), "The issue is there already."
	default:
		v.Verdict, v.Why = verdictNone, "The label moves nothing."
	}
	return v
}
