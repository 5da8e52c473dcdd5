package statemachine

import (
	"slices"
	"time"

	"github.com/colony-app/colony/lifecycle"
)

// A label that gets the name of a state's label in the repository is that label on each issue that carries it, and no log has an event of
// that. The log has the event under the earlier name, of a label that has gone although no event took it off. Where such an
// event is younger than the table, a state's label without an event came by its name: it is no baseline, and no move. Colony takes it off, and then
// explains that; where it undoes nothing, the label stays. Older ones are the baseline: a team can have renamed its labels before Colony came.

// vanished are the changes that put labels on an issue which have gone although no event took them off, oldest first. They do not tell a label
// that was renamed from one that was deleted.
type vanished struct {
	// changes is the log, until puts was looked for.
	changes []Change
	since   time.Time
	puts    []Change
}

// find looks for what vanished, once.
func (v *vanished) find(b *board) []Change {
	if len(v.changes) == 0 {
		return v.puts
	}
	put := map[string][]Change{}
	for _, c := range v.changes {
		name := lifecycle.FoldCase(b.life.PresentLabel(c.Label))
		if on := put[name]; c.Added {
			put[name] = append(on, c)
		} else if len(on) > 0 {
			put[name] = on[:len(on)-1]
		}
	}
	for name, on := range put {
		if len(on) > 0 && b.there.has(name) {
			on = on[:len(on)-1]
		}
		v.puts = append(v.puts, on...)
	}
	v.changes, v.puts = nil, sorted(slices.DeleteFunc(v.puts, func(c Change) bool { return c.before(v.since) }))
	return v.puts
}

// cameByName reports whether a state's label that no event put on the issue, and that was there right before a change, came by its name.
// Without a change: whether one did that is there in the end.
func (b *board) cameByName(change *Change) bool {
	puts := b.vanished.find(b)
	return len(puts) > 0 && (change == nil || change.follows(puts[0].Moment))
}

// wasPut reports whether an event put the label there under the very name that a change takes off. The log has a state's label under one name
// only: of two that go, the second is gone with the first.
func (f *folder) wasPut(e *edit) (put bool) {
	for _, c := range f.history.Changes {
		if c.ID == e.ID {
			break
		}
		if lifecycle.SameLabel(c.Label, e.Label) {
			put = c.Added
		}
	}
	return put
}

// isLeft reports whether a change takes off the label of the state that the issue just left: the move there needed no event where a label had
// come by its name before.
func (f *folder) isLeft(e *edit) bool {
	last, known := f.now().Since()
	return known && last.From == e.name
}

func (f *folder) refuseName(e *edit) {
	f.refusals.add(Rejection{
		IDs: []int64{e.ID}, By: lifecycle.Actor{Kind: lifecycle.Operator}, Moment: e.Moment,
		From: f.course.state, To: e.name, Ruling: Ruling{Verdict: lifecycle.NoEvent, AsksPerson: true},
	}, false)
}
