// Package lifecycle knows the files that say which states issues have and who moves them: their shape, their parser and linter, the
// files that come with Colony, and what documents draw of them. What becomes of an issue is decided by package statemachine.
package lifecycle

import (
	"cmp"
	"slices"
)

// Kind groups the allowed moves as the source documents do.
type Kind string

// The kinds of allowed moves.
const (
	Forward  Kind = "forward"
	Backward Kind = "backward"
	Pause    Kind = "pause"
	Resume   Kind = "resume"
	Again    Kind = "again" // into the state that the issue is in: one more round
	Abandon  Kind = "abandon"
	Enter    Kind = "enter" // into the lifecycle, see Outside
)

// Kinds returns the kinds of allowed moves in the order in which documents list them.
func Kinds() []Kind {
	return []Kind{Enter, Forward, Backward, Again, Pause, Resume, Abandon}
}

// LaterState is the reason of each move of a forward order.
const LaterState = "A later state of the forward order"

// Pair is one allowed ordered pair of states.
type Pair struct {
	From string `json:"from"`
	To   string `json:"to"`
	Kind Kind   `json:"kind"`
	// Why says when this move is made.
	Why string `json:"why"`
	// Source names the section of the lifecycle's source document that the pair comes from.
	Source string `json:"source"`
	// OnlyPrevious says that the move is allowed only back to the state that the issue came from.
	OnlyPrevious bool `json:"only_previous,omitempty"`
	// Reason is Required if the move needs a written reason, so that a label alone cannot make it.
	Reason Demand `json:"reason,omitempty"`
	// FreshStart says that the move closes the open pull requests of the issue, like a command with FreshStart.
	FreshStart bool `json:"fresh_start,omitempty"`
}

// Demand says whether a command takes, or insists on, something after its verb.
type Demand string

// The demands a command can make.
const (
	NotTaken Demand = ""
	Optional Demand = "optional"
	Required Demand = "required"
)

// Previous as the target of a command means the state before the present one; see Standing.Previous.
const Previous = "previous"

// Command is a slash command of a lifecycle that moves an issue.
type Command struct {
	Verb       string            `yaml:"verb" json:"verb" is:"slug" twice:"verb %q is listed twice" means:"What people write after /colony:, in kebab-case."`
	From       Words             `yaml:"from" json:"from,omitempty" is:"name" means:"The states in which it works; without it, wherever the table has the move."`
	To         string            `yaml:"to" json:"to" is:"name,needed" means:"The state that it moves the issue to; previous is the state before the present one."`
	Instead    map[string]string `yaml:"instead" json:"instead,omitempty" means:"By previous state: another state to go to."`
	Otherwise  string            `yaml:"otherwise" json:"otherwise,omitempty" is:"name" means:"The state to go to if the previous one is not known, or the table has no way back to it."`
	FreshStart bool              `yaml:"fresh-start" json:"fresh_start,omitempty" means:"The work starts again: Colony closes the issue's open pull requests, with a comment that links back."`
	Target     Demand            `yaml:"target" json:"target,omitempty" is:"word" as:"%q" means:"Whether a state after the verb replaces to."`
	Reason     Demand            `yaml:"reason" json:"reason,omitempty" is:"word" as:"%q" means:"Whether a reason follows."`
	Help       string            `yaml:"help" json:"help" is:"plain,needed" missing:"command %q has no help" means:"One sentence in /colony:help."`
}

// Reflection asks for a written reflection on issues that came to an end: a comment by the account that ended it, which begins with Words, or
// the reason that was given with the command. What lacks it is reported as an orphan.
type Reflection struct {
	In     Words    `yaml:"in" json:"in" is:"states,needed" means:"The terminal states that require one."`
	Words  string   `yaml:"words" json:"words" is:"words,needed" longest:"60" means:"What the comment begins with: \"Reflection:\"."`
	Within Duration `yaml:"within" json:"within" is:"needed" means:"How long after the end Colony waits for it before it reports an orphan: 1h."`
}

// Lifecycle is one lifecycle, checked and ready. It is immutable and safe for concurrent use.
type Lifecycle struct {
	Document
	// Dispatch lists the moves that Colony makes when there is capacity. They are a repository's, and in no lifecycle file.
	Dispatch []Dispatch
	// Pairs lists the allowed moves in the order of States, by From and then by To.
	Pairs []Pair

	byName  map[string]*State
	byLabel map[string]*State
	adopts  bool // some state's label had other names
	legal   map[[2]string]*Pair
}

// State returns the state of that name.
func (l *Lifecycle) State(name string) (State, bool) {
	return found(l.byName[name])
}

// StateOf returns the state that a label stores, or stored under a name that it had. Labels compare as on GitHub, without regard to case.
func (l *Lifecycle) StateOf(label string) (State, bool) {
	return found(l.byLabel[FoldCase(label)])
}

// found returns what a pointer leads to; ok is false for nil.
func found[T any](to *T) (value T, ok bool) {
	if to == nil {
		return value, false
	}
	return *to, true
}

// first returns the first of some rows for which something holds; ok is false without one.
func first[T any](rows []T, is func(T) bool) (row T, ok bool) {
	if i := slices.IndexFunc(rows, is); i >= 0 {
		return rows[i], true
	}
	return row, false
}

// Uses reports whether a label means anything to the lifecycle: a state, a level of a scale, or a mark.
func (l *Lifecycle) Uses(label string) bool {
	if _, isState := l.StateOf(label); isState || IsMark(label) {
		return true
	}
	return slices.ContainsFunc(l.Scales, func(s Scale) bool {
		if !LabelBegins(label, s.prefix+s.Name+"/") {
			return false
		}
		for level := range s.Levels {
			if SameLabel(label, s.Label(level)) {
				return true
			}
		}
		return false
	})
}

// Adoption is a name that the label of a state had, and the one that it has.
type Adoption struct{ From, To string }

// Adopts lists the names that the lifecycle takes over from labels that were there before it.
func (l *Lifecycle) Adopts() []Adoption {
	var all []Adoption
	for _, s := range l.States {
		for _, name := range s.Previously {
			all = append(all, Adoption{From: name, To: s.Label})
		}
	}
	return all
}

// HasOtherNames reports whether the label of some state had other names.
func (l *Lifecycle) HasOtherNames() bool { return l.adopts }

// LabelsOf lists the names of labels that mean a state, the present one first; none for a state without one.
func (l *Lifecycle) LabelsOf(state string) []string {
	s := l.byName[state]
	if s.Label == "" {
		return nil
	}
	return append([]string{s.Label}, s.Previously...)
}

// OnIssue lists those labels of an issue that mean a state.
func (l *Lifecycle) OnIssue(labels []string, state string) []string {
	return slices.DeleteFunc(slices.Clone(labels), func(label string) bool {
		s, is := l.StateOf(label)
		return !is || s.Name != state
	})
}

// Leaving lists the labels that have to go from an issue that leaves a state: its label, and the other names of it that are there.
func (l *Lifecycle) Leaving(labels []string, state string) []string {
	s := l.byName[state]
	if s.Label == "" {
		return nil
	}
	leaving := []string{s.Label}
	for _, name := range s.Previously {
		if HasLabel(labels, name) {
			leaving = append(leaving, name)
		}
	}
	return leaving
}

// PresentLabel returns the label that means the same as another one: the present name of a state's. Every other label stays as it is.
func (l *Lifecycle) PresentLabel(label string) string {
	if s, is := l.byLabel[FoldCase(label)]; is {
		return s.Label
	}
	return label
}

// Label returns the label of a state, or "" for a state without one.
func (l *Lifecycle) Label(state string) string { return l.byName[state].Label }

// everywhere lists all places of an issue, the one outside of the lifecycle first.
func (l *Lifecycle) everywhere() []State {
	if l.Initial != Outside {
		return l.States
	}
	return append([]State{*l.byName[Outside]}, l.States...)
}

// StateNames returns the names of all states in the order of the file.
func (l *Lifecycle) StateNames() []string {
	names := make([]string, len(l.States))
	for i, s := range l.States {
		names[i] = s.Name
	}
	return names
}

// Labels returns every label that Colony provisions for this lifecycle: the states' and the marks. Checked is among them if guards read what
// concerns people too: bots leave the old label to Colony, so that GitHub makes the mark in the rare case that they do not.
func (l *Lifecycle) Labels() []Mark {
	var out []Mark
	for _, s := range l.States {
		if s.Label != "" {
			out = append(out, Mark{Label: s.Label, Color: s.Color, Description: s.Description})
		}
	}
	for _, s := range l.Scales {
		for level := range s.Levels {
			out = append(out, Mark{Label: s.Label(level), Color: s.Color, Description: s.description(level)})
		}
	}
	marked := slices.ContainsFunc(l.Guards, func(g Guard) bool { return g.Reads() && g.Of != Bots })
	return append(out, slices.DeleteFunc(Marks(), func(m Mark) bool { return m.Label == Checked && !marked })...)
}

// LabelPrefix returns what the labels of the lifecycle's scales begin with, and mostly those of its states. The prefix is not the set: a state can
// have any label. Marks, and labels that mean nothing to Colony, can begin with it as well.
func (l *Lifecycle) LabelPrefix() string { return cmp.Or(l.Prefix, DefaultLabelPrefix) }
