package statemachine

import "github.com/colony-app/colony/lifecycle"

// A label that a lifecycle lists as what a state's label was called means that state, wherever the log speaks of it. Under which names the label
// of a state is on an issue cannot be determined from the log for certain. GitHub keeps the names as they were, and says nothing of a label that
// was renamed, or was deleted from the repository (https://github.com/aws-actions/stale-issue-cleanup/issues/20). So names decide nothing but
// whether the label of the state that an issue is in has gone, or only one name of it.

// onlyName reports whether a change is about another name of the label of the state in which the issue is, which is there as before. That moves
// nothing, no matter who did it. It keeps under which names the label is there.
func (b *board) onlyName(e *edit, state string) bool {
	x, _ := b.life.State(e.name)
	there := b.names[x.Name]
	here := x.Name == state && b.present.has(x.Label)
	if e.Added {
		again := there.has(e.Label) && !lifecycle.SameLabel(e.Label, x.Label)
		other := len(there) > 0 && !there.has(e.Label)
		b.named(&x, e.Label)
		if again { // it was renamed since it was put on, and someone made the old one again
			b.named(&x, x.Label)
		}
		return here && (again || other)
	}
	switch {
	case !here:
		clear(there) // what is left need not be taken into account
		return false
	case there.has(e.Label):
		there.remove(e.Label)
	case len(there) > 0: // it was renamed since it was put on
		there.remove(oldest(&x, there))
	}
	return len(there) > 0
}

// untold lists the old names of states' labels that were on the issue before the log begins. What the log tells first is nevertheless that someone
// put the present name there, as Colony does. They are the names that are taken off, or are there, without ever having been put on. Names that
// might be another old name, renamed, are not among them.
func (b *board) untold(changes []Change, labels []string) []string {
	var all []string
	told, other := labelSet{}, map[string]bool{} // other: an old name of the state was put on
	untold := func(label string, s lifecycle.State) bool {
		return !told.has(label) && told.has(s.Label) && !other[s.Name]
	}
	for i, c := range changes {
		s, is := b.life.StateOf(c.Label)
		if !is || lifecycle.SameLabel(s.Label, c.Label) {
			told.add(c.Label)
			continue
		}
		if !c.Added && untold(c.Label, s) && !b.cameByName(&changes[i]) {
			all = append(all, c.Label)
		}
		told.add(c.Label)
		other[s.Name] = other[s.Name] || c.Added
	}
	for _, label := range labels {
		s, is := b.life.StateOf(label)
		if is && !lifecycle.SameLabel(s.Label, label) && untold(label, s) && !b.cameByName(nil) {
			all = append(all, label)
		}
	}
	return all
}

// named keeps that the label of a state is there under a name.
func (b *board) named(x *lifecycle.State, label string) {
	if len(x.Previously) == 0 {
		return
	}
	if b.names == nil {
		b.names = map[string]labelSet{}
	}
	if b.names[x.Name] == nil {
		b.names[x.Name] = labelSet{}
	}
	b.names[x.Name].add(label)
}

// oldest returns the name among some that most likely was renamed.
func oldest(s *lifecycle.State, names labelSet) string {
	for _, name := range s.Previously {
		if names.has(name) {
			return name
		}
	}
	return s.Label
}
