package statemachine

import (
	"maps"
	"slices"

	"github.com/colony-app/colony/lifecycle"
	"pgregory.net/rapid"
)

// renaming reports whether labels had other names before, which people still use.
func (w *world) renaming() bool { return w.life.HasOtherNames() }

// nameOf returns a name of a state's label.
func (w *world) nameOf(state string) string {
	s, _ := w.life.State(state)
	if len(s.Previously) > 0 && rapid.IntRange(0, 3).Draw(w.t, "old name") == 0 {
		return s.Previously[0]
	}
	return s.Label
}

// renames renames the old label of a state in the repository, which leaves no event on the issue.
func (w *world) renames() {
	if !w.renaming() {
		return
	}
	s := rapid.SampledFrom(w.labelled()).Draw(w.t, "renamed")
	if old := s.Previously[0]; w.labels.has(old) && !w.labels.has(s.Label) {
		w.labels.remove(old)
		w.labels.add(s.Label)
		w.seen[len(w.log)] = slices.Sorted(maps.Values(w.labels))
	}
}

// renamesForeign gives a foreign label of the issue the name of a state's label that is not there, which leaves no event.
func (w *world) renamesForeign() {
	s := rapid.SampledFrom(w.labelled()).Draw(w.t, "name of")
	if !w.labels.has("bug") || slices.ContainsFunc(append([]string{s.Label}, s.Previously...), w.labels.has) {
		return
	}
	w.labels.remove("bug")
	w.labels.add(s.Label)
	w.seen[len(w.log)] = slices.Sorted(maps.Values(w.labels))
	w.named[s.Name] = true
}

// underBothNames reports whether a state was asked for by both names of its label: one request cannot be told from the other then.
func (w *world) underBothNames(state string) bool {
	names := map[string]bool{}
	for _, c := range w.log {
		if s, is := w.life.StateOf(c.Label); is && c.Added && s.Name == state {
			names[lifecycle.FoldCase(c.Label)] = true
		}
	}
	return len(names) > 1
}
