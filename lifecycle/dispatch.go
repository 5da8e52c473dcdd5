package lifecycle

import (
	"fmt"
	"slices"
)

// Dispatch is one row of a repository's capacity: while fewer than AtMost open issues are in a state, the next issue that waits for it is moved
// there. It is the same in a repository and in the configuration of the server.
type Dispatch struct {
	From   []string `yaml:"from" is:"name,once,needed" means:"The states in which issues wait."`
	To     string   `yaml:"to" is:"name,needed" means:"The state that Colony moves the next one to."`
	AtMost int      `yaml:"at-most" json:"capacity" is:"needed" from:"1" to:"1000" means:"How many open issues may be in it."`
}

// maxCapacity bounds AtMost: each reconciliation counts as many issues.
const maxCapacity = 1000

// Misfit is what is wrong with a setting, by its path of keys and indexes.
type Misfit struct {
	Path    []any
	Message string
}

// FitDispatch returns the rows that fit the lifecycle, and what is wrong with the others.
func (l *Lifecycle) FitDispatch(rows []Dispatch) (fitting []Dispatch, misfits []Misfit) {
	for i, row := range rows {
		wrong := row.misfits(l)
		if slices.ContainsFunc(fitting, func(d Dispatch) bool { return d.To == row.To }) {
			wrong = append(wrong, Misfit{[]any{"to"}, fmt.Sprintf("an earlier row leads to %q already", row.To)})
		}
		if len(wrong) == 0 {
			fitting = append(fitting, row)
		}
		for _, m := range wrong {
			misfits = append(misfits, Misfit{append([]any{i}, m.Path...), m.Message})
		}
	}
	return fitting, misfits
}

func (row Dispatch) misfits(l *Lifecycle) []Misfit {
	var wrong []Misfit
	say := func(path []any, format string, args ...any) {
		wrong = append(wrong, Misfit{path, fmt.Sprintf(format, args...)})
	}
	if row.AtMost < 1 || row.AtMost > maxCapacity {
		say([]any{"at-most"}, "at-most %d is not from 1 to %d", row.AtMost, maxCapacity)
	}
	if len(row.From) == 0 {
		say(nil, "from is missing: the states in which issues wait")
	}
	to, known := l.State(row.To)
	switch {
	case !known || row.To == Outside:
		say([]any{"to"}, "%q is no state of lifecycle %s", row.To, l.Name)
		return wrong
	case to.Type == Terminal:
		say([]any{"to"}, "%q is terminal, so there is never room again", row.To)
	}
	for i, from := range row.From {
		state, known := l.State(from)
		pair, legal := l.Pair(from, row.To)
		path := []any{"from", i}
		switch {
		case !known:
			say(path, "%q is no state of lifecycle %s", from, l.Name)
		case slices.Contains(row.From[:i], from):
			say(path, "%q is listed twice", from)
		case state.Label == "":
			say(path, "%q has no label, so the issues in it cannot be listed", from)
		case from == row.To || !legal:
			say(path, "%s -> %s is not in the table of lifecycle %s", from, row.To, l.Name)
		case pair.OnlyPrevious:
			say(path, "%s -> %s is legal only back to the state before, which no row can promise", from, row.To)
		}
	}
	return wrong
}

// dispatchedFrom reports whether the next issues in a state are moved on when there is capacity.
func (l *Lifecycle) dispatchedFrom(state string) bool {
	return slices.ContainsFunc(l.Dispatch, func(d Dispatch) bool { return slices.Contains(d.From, state) })
}

// Hold reports whether one of some facts keeps issues in a state although there is capacity where they would be moved.
func (all Triggers) Hold(state string, by ...Fact) bool {
	return slices.ContainsFunc(all, func(t Trigger) bool { return t.Holds && slices.Contains(by, t.On) && slices.Contains(t.In, state) })
}

// Held reports whether an issue depends on open ones, and that keeps it in its state.
func (all Triggers) Held(c Candidate) bool {
	return c.Blocked > 0 && all.Hold(c.State, "dependency-open", "dependency-early")
}

// Alone returns the only state that has a label among some. The result ok is false if no state has one, or more than one state has.
func (l *Lifecycle) Alone(labels []string) (state string, ok bool) {
	for _, label := range labels {
		s, is := l.StateOf(label)
		if is && state != "" && state != s.Name {
			return "", false
		}
		if is {
			state = s.Name
		}
	}
	return state, state != ""
}
