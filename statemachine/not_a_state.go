package statemachine

import (
	"slices"
	"strings"

	"github.com/colony-app/colony/lifecycle"
)

// A label that begins as Colony's own do, and that nothing uses, asks for a state that there is not. It is mostly a word that someone mistyped.
// The document of the lifecycle colony calls that an invalid state, and treats it as a bad request ("Invalid Transitions"). Such a label is
// Colony's only where the labels of states begin with DefaultLabelPrefix. Where they have names of a team's own, labels that look like them might
// be that team's too, and mean nothing.

// NamesNoState reports whether a label asks for a state that there is not. One with a slash names a level of a scale, be it one of another
// lifecycle.
func (t *Table) NamesNoState(label string) bool {
	return lifecycle.LabelBegins(label, lifecycle.DefaultLabelPrefix) && !strings.Contains(label, "/") && !t.Uses(label) && !lifecycle.HasLabel(t.options.Requests, label) &&
		slices.ContainsFunc(t.States, func(s lifecycle.State) bool { return lifecycle.LabelBegins(s.Label, lifecycle.DefaultLabelPrefix) })
}

// forgetRenamed withdraws what asked for a state that there is not with a label that has gone without an event: it was renamed or deleted
// in the repository.
func (s *refusals) forgetRenamed(present, there labelSet) {
	for i := range s.all {
		r := &s.all[i]
		if r.Verdict == lifecycle.NotAState && r.LedTo == "" && present.has(r.To) && !there.has(r.To) {
			r.Withdrawn = true
		}
	}
}

// refusedLabels returns the labels on an issue that asked for a state that there is not, and were refused.
func (in *input) refusedLabels() []string {
	return slices.DeleteFunc(slices.Clone(in.Labels), func(label string) bool {
		return !slices.ContainsFunc(in.Standing.Rejections, func(r Rejection) bool { return r.Verdict == lifecycle.NotAState && lifecycle.SameLabel(r.To, label) })
	})
}
