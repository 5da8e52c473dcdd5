package statemachine

import (
	"slices"
	"strings"
)

// A label that begins as Colony's own do, and that nothing uses, asks for a state that there is not: mostly a word that somebody mistyped.
// The document of the lifecycle colony calls that an invalid state, and treats it as a bad request ("Invalid Transitions"). Such a label is
// Colony's only where the labels of states begin with DefaultLabelPrefix; where they have names of a team's own, labels that look like
// them may be that team's too, and mean nothing.

// NamesNoState reports whether a label asks for a state that there is not. One with a slash names a level of a scale, be it one of another
// lifecycle.
func (l *Lifecycle) NamesNoState(label string) bool {
	return LabelBegins(label, DefaultLabelPrefix) && !strings.Contains(label, "/") && !l.Uses(label) && !HasLabel(l.options.Requests, label) && l.hasDefaultLabels()
}

// hasDefaultLabels reports whether labels of states begin with DefaultLabelPrefix.
func (l *Lifecycle) hasDefaultLabels() bool {
	return slices.ContainsFunc(l.States, func(s State) bool { return LabelBegins(s.Label, DefaultLabelPrefix) })
}

// NearestTo returns the label of the state that a label most likely was to name; empty if none is near.
func (l *Lifecycle) NearestTo(label string) string {
	name, begins := strings.CutPrefix(FoldCase(label), DefaultLabelPrefix)
	if !begins {
		return ""
	}
	var names []string
	for _, s := range l.States {
		if s.Label != "" {
			names = append(names, s.Name)
		}
	}
	near, ok := Closest(name, names)
	if !ok {
		return ""
	}
	return l.Label(near)
}

// labelOf returns the label by which a state is asked for, also one that there is not.
func (l *Lifecycle) labelOf(to string) string {
	if _, known := l.State(to); known {
		return l.Label(to)
	}
	return to
}

// notAState judges a change of a label that asks for a state that there is not. What came with the opening was brought by a form, which
// nobody can mend on the issue, and Colony's own is none.
func (f *folder) notAState(c Change) {
	if !c.Added {
		f.present.remove(c.Label)
		if !f.frozen {
			f.withdraw(c, c.Label)
		}
		return
	}
	f.present.add(c.Label)
	f.put[c.Label] = c.ID
	opening := c.By.Kind == Operator && strings.EqualFold(c.By.Login, f.author) && c.At.Sub(f.opened) <= openingTakes
	if f.frozen || opening || c.By.Kind == Colony {
		return
	}
	f.reject(c, c.Label, NotAState)
}

// forgetRenamed withdraws what asked for a state that there is not with a label that has gone without an event: it was renamed or deleted
// in the repository.
func (f *folder) forgetRenamed(there labelSet) {
	for i := range f.rejections {
		r := &f.rejections[i]
		if r.Verdict == NotAState && r.LedTo == "" && f.present.has(r.To) && !there.has(r.To) {
			r.Withdrawn = true
		}
	}
}

// refusedLabels returns the labels on an issue that asked for a state that there is not, and were refused.
func (l *Lifecycle) refusedLabels(in *Case) []string {
	return slices.DeleteFunc(slices.Clone(in.Labels), func(label string) bool {
		return !slices.ContainsFunc(in.Standing.Rejections, func(r Rejection) bool { return r.Verdict == NotAState && SameLabel(r.To, label) })
	})
}
