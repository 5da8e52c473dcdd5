package statemachine

import (
	"maps"
	"slices"
	"time"
)

// Summary is the beginning of a log, folded: where a log goes on after it, only what came since has to be folded. It holds for the
// lifecycle that made it, and is never changed.
//
// Everything in it is older than the horizon of those that use it, so nothing of it is judged: what was refused there needs no answer.
type Summary struct {
	folder    *folder
	installed time.Time
	begun     time.Time
	opening   openingLabels
	// asks says that the labels of the opening were folded as the author's requests.
	asks bool
	by   string
	at   time.Time
	// spoken are the labels of states that the log speaks of, under their present names.
	spoken labelSet
	last   int64 // the id of the latest change
	until  time.Time
}

// Moves returns how many moves it holds, also as what was there before one that was withdrawn.
func (s *Summary) Moves() int {
	n := len(s.folder.trail) + len(s.folder.withdrawn)
	for _, w := range s.folder.withdrawn {
		n += w.Earlier.len() + len(w.Before)
	}
	return n
}

// Summarize folds the beginning of a log, for FoldOn to go on after it. Changes of the history are what came after another summary, or
// all of it if that is nil. Labels and the horizon are none of its concern. It is nil where the beginning cannot be summed up: because
// its changes are not in the order of time.
//
// The lifecycle, Installed, Begun, who may have opened the issue, and what Ordered tells of these changes have to be the same for all that
// goes on after the summary: FoldOn finds out only some of that.
func (l *Lifecycle) Summarize(from *Summary, h History) *Summary {
	s, changes, ok := l.goOn(from, h)
	if !ok {
		return nil
	}
	if s.asks = h.Opening.OnlyAsks && len(s.opening.with) > 0 || s.opening.refused(); from != nil && s.asks != from.asks {
		return nil
	}
	if s.asks {
		changes = slices.Clone(changes)
		for i, c := range changes {
			if s.opening.has(c) {
				changes[i].By.Kind, changes[i].By.Roles = Author, nil
			}
		}
	}
	f := s.folder
	f.begun, f.installed, f.ordered, f.stands = h.Begun, h.Installed, h.Ordered, h.Stands
	f.author, f.opened, f.unrecorded = h.Opening.By, h.Opening.At, false
	if from != nil {
		f.earlier = &Earlier{Trail: from.folder.trail, Withdrawn: from.folder.withdrawn, until: from.until}
	}
	switch {
	case from == nil:
		f.begin(changes, nil)
	case len(l.notYet(s.spoken, changes))+len(l.untold(s.spoken, changes, nil)) > 0: // it was there before the log begins
		return nil
	}
	for i, c := range changes {
		f.rest = changes[i+1:]
		s.until, s.last = c.At, c.ID
		if state, isState := l.StateOf(c.Label); isState {
			s.spoken.add(state.Label)
			s.spoken.add(c.Label)
		}
		if l.concerns(c) {
			f.begins(c)
			f.change(c)
		}
	}
	if f.reachesBack || f.unrecorded || len(f.pending) > 0 { // what comes later may record a verdict
		return nil
	}
	if from != nil {
		f.trail, f.withdrawn = slices.Concat(from.folder.trail, f.trail), slices.Concat(from.folder.withdrawn, f.withdrawn)
	}
	f.rejections, f.removal, f.ordered, f.earlier = nil, 0, nil, nil
	f.trail, f.withdrawn = slices.Clip(f.trail), byEvent(f.withdrawn)
	return s
}

// FoldOn is Fold for a log that goes on after a summary: changes of the history are those that came since. ok is false if the summary
// does not serve, so that the whole log has to be folded.
func (l *Lifecycle) FoldOn(from *Summary, h History) (standing Standing, ok bool) {
	s, changes, ok := l.goOn(from, h)
	if !ok || !s.until.Before(h.JudgedSince) || len(s.opening.with) > len(from.opening.with) {
		return Standing{}, false
	}
	if asks := h.Opening.OnlyAsks && len(s.opening.with) > 0 || s.opening.refused(); asks != from.asks {
		return Standing{}, false
	}
	for i := range l.States { // what was there before the log begins is known by now
		if state := &l.States[i]; state.Label != "" && !s.spoken.has(state.Label) && state.isOn(h.Labels) && !l.speaks(changes, state.Name) {
			return Standing{}, false
		}
	}
	if len(l.notYet(s.spoken, changes))+len(l.untold(s.spoken, changes, h.Labels)) > 0 {
		return Standing{}, false
	}
	f := s.folder
	f.earlier = &Earlier{Trail: from.folder.trail, Withdrawn: from.folder.withdrawn, until: from.until}
	f.since, f.begun, f.installed, f.ordered, f.stands = h.JudgedSince, h.Begun, h.Installed, h.Ordered, h.Stands
	f.answers, f.author, f.opened, f.explained, f.rest = h.Answers, h.Opening.By, h.Opening.At, h.Explained, nil
	f.fold(changes)
	f.end(h.Labels)
	return f.standing(), !f.reachesBack
}

// goOn returns a copy of a summary to go on with, which knows of the opening what comes then, and the changes in their order. ok is false
// if they do not go on after it.
func (l *Lifecycle) goOn(from *Summary, h History) (s *Summary, changes []Change, ok bool) {
	s = &Summary{folder: l.newFolder(), installed: h.Installed, begun: h.Begun, by: h.Opening.By, at: h.Opening.At, spoken: labelSet{}}
	if from != nil {
		same := from.installed.Equal(h.Installed) && from.begun.Equal(h.Begun) && from.by == h.Opening.By && from.at.Equal(h.Opening.At)
		if !same {
			return nil, nil, false
		}
		*s = *from
		s.folder, s.spoken, s.opening = from.folder.goOn(), maps.Clone(from.spoken), from.opening.goOn()
		s.folder.life = l
	}
	changes = sorted(h.Changes)
	with := len(s.opening.with)
	s.opening.add(l, h, changes)
	if from != nil && len(s.opening.with) > with {
		return nil, nil, false
	}
	at, id := s.until, s.last
	for _, c := range changes {
		if c.At.Before(at) || c.ID <= id {
			return nil, nil, false
		}
		at, id = c.At, c.ID
	}
	for _, c := range changes {
		s.opening.next(l, c)
	}
	return s, changes, true
}

// notYet returns the labels of states that changes take off although nothing has spoken of them before.
func (l *Lifecycle) notYet(spoken labelSet, changes []Change) []string {
	var labels []string
	seen := labelSet{}
	for _, c := range changes {
		state, isState := l.StateOf(c.Label)
		if !isState || spoken.has(state.Label) || seen.has(state.Label) {
			continue
		}
		seen.add(state.Label)
		if !c.Added {
			labels = append(labels, state.Label)
		}
	}
	return labels
}

// speaks reports whether changes are about the label of a state.
func (l *Lifecycle) speaks(changes []Change, state string) bool {
	return slices.ContainsFunc(changes, func(c Change) bool { s, is := l.StateOf(c.Label); return is && s.Name == state })
}
