package statemachine

import (
	"maps"
	"slices"
	"time"

	"github.com/colony-app/colony/lifecycle"
)

// board is which labels are on an issue at a point of its log, and how they came there. It decides nothing.
type board struct {
	life *Table
	// present has what the log says: the present names of the states' labels, the marks, and labels that name no state. there has the labels
	// that are on the issue in the end, under their present names.
	present, there labelSet
	// names are, by state whose label had other names, the names under which its label is there.
	names map[string]labelSet
	// labelled lists the states whose labels were added, the latest last.
	labelled []string
	// put is, by state or by label that names none, how its label came there last.
	put         map[string]placing
	unexplained []string
	vanished    vanished
	lastChange  time.Time
}

// placing is the event that added a label last, and whether one did since Colony is installed.
type placing struct {
	Moment
	since bool
}

// begin finds the state labels that were on the issue before the log starts, and returns the state by them. The log takes such a label off
// first, or never speaks of it (labels that were renamed into states before Colony came, imported issues). Of
// several, the last in the order of the lifecycle counts.
func (b *board) begin(changes []Change, labels []string) (state string) {
	seen := labelSet{}
	for i, c := range changes {
		s, isState := b.life.StateOf(c.Label)
		if !isState || seen.has(s.Label) {
			continue
		}
		seen.add(s.Label)
		if !c.Added && !b.cameByName(&changes[i]) {
			b.present.add(s.Label)
			b.named(&s, c.Label)
		}
	}
	if b.life.HasOtherNames() {
		for _, old := range b.untold(changes, labels) {
			s, _ := b.life.StateOf(old)
			b.present.add(s.Label)
			b.named(&s, old)
		}
	}
	state = b.life.Initial
	for i := range b.life.States {
		s := &b.life.States[i]
		if s.Label != "" && !seen.has(s.Label) && b.there.has(s.Label) {
			b.unexplained = append(b.unexplained, s.Name)
			b.wasThere(s, labels)
		}
		if s.Label != "" && b.present.has(s.Label) {
			b.labelled = append(b.labelled, s.Name)
			state = s.Name
		}
	}
	return state
}

// wasThere adds a state's label that the log never mentions, unless it came by its name.
func (b *board) wasThere(s *lifecycle.State, labels []string) {
	if b.cameByName(nil) {
		return
	}
	b.present.add(s.Label)
	for _, label := range b.life.OnIssue(labels, s.Name) {
		b.named(s, label)
	}
}

// keep adds or removes a label. Since says that Colony is installed.
func (b *board) keep(e *edit, since bool) {
	if !e.Added {
		b.present.remove(e.label)
		return
	}
	b.present.add(e.label)
	if e.isMark {
		return
	}
	b.put[e.name] = placing{Moment: e.Moment, since: since || b.put[e.name].since}
	if e.isState {
		b.labelled = append(slices.DeleteFunc(b.labelled, func(state string) bool { return state == e.name }), e.name)
	}
}

func (b *board) has(state string) bool { return b.present.has(b.life.Label(state)) }

// latest returns the state whose label was added last of some, or the initial one.
func (b *board) latest(of func(state string) bool) string {
	for _, state := range slices.Backward(b.labelled) {
		if of(state) {
			return state
		}
	}
	return b.life.Initial
}

// isAsked reports whether the label is there by which a state was asked for, also one that there is not.
func (b *board) isAsked(to string) bool {
	_, known := b.life.State(to)
	return known && b.has(to) || !known && b.present.has(to)
}

// logged compares what the log has on the issue with what is there.
func (b *board) logged() Logged {
	l := Logged{Present: slices.Sorted(maps.Values(b.present)), Unexplained: b.unexplained, LastChange: b.lastChange}
	for _, label := range l.Present {
		if !b.there.has(label) {
			l.Missing = append(l.Missing, label)
		}
	}
	return l
}
