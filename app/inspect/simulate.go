package inspect

import (
	"cmp"
	"time"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// Simulated is what would become of labels that someone puts on an issue, one after the other.
type Simulated struct {
	Lifecycle string `json:"lifecycle"`
	From      string `json:"from"`
	// To is where the issue is at the end.
	To       string    `json:"to"`
	Verdicts []Verdict `json:"verdicts"`
}

// Verdict is what would become of one label.
type Verdict struct {
	Label string `json:"label"`
	// Verdict is what the lifecycle says; "not-known" if a guard needs to know more of the issue, and "none" if the label does not concern
	// Colony.
	Verdict string `json:"verdict"`
	// From is where the issue is before, and To the state that is asked for; left out if the label names none.
	From string `json:"from"`
	To   string `json:"to,omitempty"`
	// LedTo is where the issue goes instead; left out if it stays.
	LedTo string `json:"led_to,omitempty"`
	// Why says why, in words for people.
	Why string `json:"why"`
	// Guards are the guards that refuse it, or whose answer is not known without the issue.
	Guards []Guard `json:"guards"`
	// Next are the moves that the actor can make from where the issue is then.
	Next []Next `json:"next"`
}

// The verdicts of a simulation in addition to those of the lifecycle.
const (
	verdictUnknown = "not-known"
	verdictNone    = "none"
)

// simulatedAt is when a simulated issue came to the state that it is in; what follows comes a minute each later. A simulation has no clock.
var simulatedAt = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// Simulate folds an issue that is in a state, has never moved, and gets labels from someone. It reads nothing. The error is an
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

// verdictOf says what becomes of a label between two standings.
func verdictOf(life *statemachine.Table, who lifecycle.Actor, c statemachine.Change, before, after statemachine.Standing) Verdict {
	v := Verdict{Label: c.Label, From: before.State, Guards: []Guard{}, Next: NextOf(life, who, life.NextAt(after, who))}
	if state, is := life.StateOf(c.Label); is {
		v.To = state.Name
	}
	r := life.Rule(before, statemachine.Ask{By: who, To: cmp.Or(v.To, c.Label), EventID: c.ID, At: c.At}, statemachine.NothingRead)
	switch {
	case len(before.Pending) > 0:
		v.Verdict, v.Why = verdictUnknown, "It depends on what was asked for before."
	case v.To == "" && !life.NamesNoState(c.Label):
		v.Verdict, v.Why = verdictNone, "The label moves nothing."
	case r.Granted():
		pair, _ := life.Pair(before.State, v.To)
		v.Verdict, v.Why = string(r.Verdict), sentence(pair.Why)
	case r.Verdict == lifecycle.Legal:
		v.Verdict, v.Guards, v.Why = verdictUnknown, guardsOf(r.Guards.Open), "A guard needs to know more of the issue."
	case v.To == before.State && !r.InTable():
		v.Verdict, v.Why = string(lifecycle.Same), "The issue is there already."
	default:
		v.Verdict, v.LedTo, v.Guards = string(r.Verdict), r.LedTo, guardsOf(r.Guards.Refusing)
		v.Why = WhyNot(life, statemachine.Rejection{By: who, Ruling: statemachine.Ruling{Verdict: r.Verdict, Before: r.Before}, From: before.State, To: cmp.Or(v.To, c.Label)})
	}
	return v
}
