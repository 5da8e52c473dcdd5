package lifecycle

import "slices"

// Limit counts how often an issue moves to a state, and bounds it: over its life, or since a person last intervened. A pause is no intervention.
type Limit struct {
	Name          string `yaml:"count" json:"count" is:"plain,needed" missing:"this limit has no count: what is counted, for people" means:"What Colony counts, for people: fix attempts."`
	To            string `yaml:"to" json:"to" is:"name,needed" means:"Colony counts the moves into this state."`
	From          Words  `yaml:"from" json:"from,omitempty" is:"states" means:"The states that they come from; without it, any."`
	AtMost        int    `yaml:"at-most" json:"at_most" means:"How many Colony allows. Without it Colony only counts them."`
	Instead       string `yaml:"instead" json:"instead,omitempty" is:"name" means:"The state to which the issue goes in place of one move more."`
	BackTo        string `yaml:"back-to" json:"back_to,omitempty" is:"name" means:"The state to which the issue returns from there; without it, the one that it came from."`
	Why           string `yaml:"why" json:"why,omitempty" is:"plain" means:"What Colony tells people then."`
	ForLife       bool   `yaml:"for-life" json:"for_life,omitempty" means:"Colony counts over the whole life of the issue. Without it, the count starts again when a person moves the issue."`
	OnPullRequest bool   `yaml:"on-pull-request" json:"on_pull_request,omitempty" means:"Colony also says so on the issue's open pull requests."`
}

// TimeOut moves an issue that has been in a state for too long.
type TimeOut struct {
	In    Words    `yaml:"in" json:"in" is:"states,needed" means:"The states that have a time limit."`
	After Duration `yaml:"after" json:"after" is:"needed" means:"How long an issue may stay: 30m, 72h."`
	To    string   `yaml:"to" json:"to" is:"name,needed" means:"Where it goes then."`
	Why   string   `yaml:"why" json:"why" is:"plain,needed" missing:"this row has no why" means:"What Colony tells people then."`
}

// Trigger moves an issue because of a fact outside its labels.
type Trigger struct {
	On         Fact            `yaml:"on" json:"on" is:"fact,needed" means:"The fact that moves the issue."`
	In         Words           `yaml:"in" json:"in" is:"states,needed" means:"The states in which it does."`
	Unless     OneOrMore[Fact] `yaml:"unless" json:"unless,omitempty" is:"once" means:"While one of these facts holds, the row does nothing."`
	To         string          `yaml:"to" json:"to,omitempty" is:"name" means:"The state to which Colony moves the issue. Without it the issue stays, and a comment says why, unless the row has holds."`
	AsksPerson bool            `yaml:"asks-person" json:"asks_person" means:"Colony explains the move in a comment and asks for a person."`
	Holds      bool            `yaml:"holds" json:"holds,omitempty" means:"While the fact holds, Colony does not move the issue on even if there is capacity (dispatch). It says nothing, and people and bots may still move the issue."`
	After      Duration        `yaml:"after" json:"after,omitempty" means:"Without to: how long the fact has to hold in the state before Colony says so: 1m."`
	Guarded    bool            `yaml:"guarded" json:"guarded,omitempty" means:"The guards that bots have on the move count for the row, too. If they refuse it, the issue stays, and Colony asks a person."`
	PlannedIn  Words           `yaml:"planned-in" json:"planned_in,omitempty" means:"Sections of the issue's text, or else of an executor's comment, that name the files which the issue is going to change. They count until it has an open pull request."`
	Why        string          `yaml:"why" json:"why" is:"plain,needed" missing:"this row has no why" means:"Why Colony moves the issue, for people."`
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

// Since says for people from when on it counts.
func (limit Limit) Since() string {
	if limit.ForLife {
		return "in the life of the issue"
	}
	return "since a person last moved the issue"
}

// Bounds reports whether a move is limited, and not only counted.
func (limit Limit) Bounds(from, to string) bool {
	return limit.AtMost > 0 && limit.To == to && limit.CountsFrom(from)
}

// TimeOuts are the timeouts of a lifecycle, in the order of the file.
type TimeOuts []TimeOut

// In returns how long an issue is allowed to be in a state, and ok if that is limited.
func (all TimeOuts) In(state string) (t TimeOut, ok bool) {
	return first(all, func(t TimeOut) bool { return slices.Contains(t.In, state) })
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
		if !slices.Contains(t.In, state) || !spec.On.Has(closed) || t.Holds && !l.dispatchedFrom(state) {
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

// PlannedIn lists the sections that name the files of an issue in a state before it has a pull request; see Trigger.PlannedIn.
func (all Triggers) PlannedIn(state string) []string {
	var sections []string
	for _, t := range all {
		if slices.Contains(t.In, state) {
			sections = append(sections, t.PlannedIn...)
		}
	}
	return sections
}

// CountsSince returns from when on the fact of a row counts; empty for a standing fact.
func (t Trigger) CountsSince() Since { return facts[t.On].Since }

// IsRestless reports whether Colony might make a move again and again, because what makes it lasts. A fact that comes once, such as a reply, moves an
// issue once and feeds no circle, however often one comes; but what was approved can be changed again and again.
func (l *Lifecycle) IsRestless(from, to string) bool {
	once := slices.ContainsFunc(l.Triggers, func(t Trigger) bool { return t.Moves(from, to) && !stands(t.On) && !t.Sealed() })
	lasting := slices.ContainsFunc(l.Triggers, func(t Trigger) bool { return t.Moves(from, to) && (stands(t.On) || t.Sealed()) })
	dispatched := slices.ContainsFunc(l.Dispatch, func(d Dispatch) bool { return d.To == to && slices.Contains(d.From, from) })
	return lasting || dispatched || !once || slices.ContainsFunc(l.TimeOuts, func(t TimeOut) bool { return t.Moves(from, to) })
}
