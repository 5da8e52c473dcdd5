package lifecycle

import (
	"slices"
	"time"
)

// Limit counts how often an issue moves to a state, since a person last intervened, and bounds it.
type Limit struct {
	// Name says what is counted, for people: "fix attempts".
	Name string
	// To is the state whose entries are counted; From, if it is not empty, lists the states they have to come from.
	To   string
	From []string
	// AtMost is how many are allowed; 0 only counts.
	AtMost int
	// Instead is where the issue goes rather than there for once more.
	Instead string
	Why     string
	// OnPullRequest says that Colony also says on the open pull requests that the limit is reached.
	OnPullRequest bool
}

// TimeOut moves an issue that has been in a state for too long.
type TimeOut struct {
	In    []string
	After time.Duration
	To    string
	Why   string
}

// Trigger moves an issue because of a fact outside its labels.
type Trigger struct {
	On Fact
	In []string
	// Unless lists facts during which the row does nothing.
	Unless []Fact
	// To is where it leads. A row that leads nowhere says in a comment why the issue stays, and may ask for a person.
	To  string
	Why string
	// AsksPerson says that the move is explained in a comment, and that a person is asked for.
	AsksPerson bool
	// Holds says that the issue is not moved when another state has capacity (Dispatch), as long as the fact holds. Nothing is
	// said then, and nobody else's move is judged by it.
	Holds bool
	// Since is from when on the fact counts; empty: as the table of facts says. See Trigger.since.
	Since Since
}

// MakesItself reports whether Colony makes a move on its own.
func (l *Lifecycle) MakesItself(from, to string) bool {
	return slices.ContainsFunc(l.Triggers, func(t Trigger) bool { return t.Moves(from, to) }) ||
		slices.ContainsFunc(l.TimeOuts, func(t TimeOut) bool { return t.Moves(from, to) }) ||
		slices.ContainsFunc(l.Dispatch, func(d Dispatch) bool { return d.To == to && slices.Contains(d.From, from) }) ||
		slices.ContainsFunc(l.Limits, func(limit Limit) bool { return limit.Instead == to && limit.AtMost > 0 && limit.CountsFrom(from) })
}

// Moves reports whether the row leads from one state to another.
func (t Trigger) Moves(from, to string) bool { return t.To == to && slices.Contains(t.In, from) }

// Moves reports whether the row leads from one state to another.
func (t TimeOut) Moves(from, to string) bool { return t.To == to && slices.Contains(t.In, from) }

// CountsFrom reports whether the limit counts entries from a state.
func (limit Limit) CountsFrom(state string) bool {
	return len(limit.From) == 0 || slices.Contains(limit.From, state)
}

// Bounds reports whether a move is limited, and not only counted.
func (limit Limit) Bounds(from, to string) bool {
	return limit.AtMost > 0 && limit.To == to && limit.CountsFrom(from)
}

// TimeOuts are the time-outs of a lifecycle, in the order of the file.
type TimeOuts []TimeOut

// In returns how long an issue may be in a state, and ok if that is limited.
func (all TimeOuts) In(state string) (t TimeOut, ok bool) {
	for _, t := range all {
		if slices.Contains(t.In, state) {
			return t, true
		}
	}
	return TimeOut{}, false
}

// Triggers are the triggers of a lifecycle, in the order of the file.
type Triggers []Trigger

// OutOf returns the rows by which Colony moves issues out of a state, or into another round of it.
func (all Triggers) OutOf(state string) []Trigger {
	return slices.DeleteFunc(slices.Clone(all), func(t Trigger) bool { return t.To == "" || !slices.Contains(t.In, state) })
}

// Readings returns what has to be read to know whether Colony moves an open, or a closed, issue in a state on its own.
func (l *Lifecycle) Readings(state string, closed bool) []Reading {
	var needs []Reading
	for _, t := range l.Triggers {
		spec, _ := SpecOf(t.On)
		if !slices.Contains(t.In, state) || closed && !spec.OnClosed || t.Holds && !l.dispatchedFrom(state) {
			continue
		}
		for _, f := range append([]Fact{t.On}, t.Unless...) {
			if spec, _ := SpecOf(f); !slices.Contains(needs, spec.Needs) {
				needs = append(needs, spec.Needs)
			}
		}
	}
	return needs
}

// CountsSince returns from when on the fact of a row counts; empty for a standing fact.
func (t Trigger) CountsSince() Since {
	spec, _ := SpecOf(t.On)
	if spec.Once() && t.Since != "" {
		return t.Since
	}
	return spec.Since
}
