package statemachine

import (
	"slices"
	"strings"
	"time"

	"github.com/colony-app/colony/lifecycle"
)

// An issue form or template puts labels on an issue when it is opened. GitHub's log names the author for them, who might have no right to edit
// labels (https://docs.github.com/communities/using-templates-to-encourage-useful-issues-and-pull-requests/syntax-for-issue-forms). Such a label
// is what the author asks for: no one decided it.

const (
	// openingTakes is how long after the opening GitHub can date the labels that came with it.
	openingTakes = 10 * time.Second
	// openingYoung is how long Colony asks for the author's right although a bot has taken the work up in between. Later than that the bot's move
	// remains, so that an author who loses the right does not undo work.
	openingYoung = 10 * time.Minute
)

// Opening is how an issue was opened.
type Opening struct {
	By string // the author's login; empty if GitHub does not tell
	At time.Time
	// OnlyAsks says that the author is not allowed to set states: the labels of states that came with the opening are requests.
	OnlyAsks bool
}

// OpenedWith returns the changes by which the author, a person, put the labels of states on the issue while opening it.
func (t *Table) OpenedWith(h History) []Change {
	if h.Opening.By == "" {
		return nil
	}
	var with []Change
	for _, c := range sorted(h.Changes) {
		if _, isState := t.StateOf(c.Label); isState && c.Added && h.inOpening(c) {
			with = append(with, c)
		}
	}
	return with
}

// inOpening reports whether a change can have come with the opening.
func (h History) inOpening(c Change) bool {
	return within(openingTakes, h.Opening.At, c.At) && h.byAuthor(c)
}

func (h History) byAuthor(c Change) bool {
	return c.By.Kind == lifecycle.Operator && strings.EqualFold(c.By.Login, h.Opening.By)
}

// AsksForAuthorsRight reports whether the state of an issue depends on whether its author is allowed to set states. That is so if a state's label
// came with the opening, is not older than the horizon, and nothing that happened since gives the answer.
func (t *Table) AsksForAuthorsRight(h History, now time.Time) bool {
	with := t.OpenedWith(h)
	if len(with) == 0 || with[0].before(h.JudgedSince) || h.openingRefused(t, with) {
		return false
	}
	for _, c := range h.Changes {
		_, isState := t.StateOf(c.Label)
		switch {
		case h.inOpening(c):
		case h.byAuthor(c): // who edits labels later has the right to
			return false
		case !isState || !c.Added:
		case c.By.Kind == lifecycle.Executor && !lasted(openingYoung, h.Opening.At, now):
		default: // the state is someone else's doing
			return false
		}
	}
	return true
}

// openingRefused reports whether Colony has refused the labels of the opening, as the log tells: it took the last of them off before
// anybody put a state's label there, and did not put it back, as it does for one more round in the same state.
func (h History) openingRefused(t *Table, with []Change) bool {
	o := openingLabels{with: with, there: labelSet{}, put: labelSet{}}
	for _, c := range with {
		o.there.add(c.Label)
	}
	for _, c := range sorted(h.Changes) {
		o.next(t, c)
	}
	return o.off
}

// openingLabels finds out, change by change, what became of the labels of the opening.
type openingLabels struct {
	with  []Change
	there labelSet // including the labels that are still to come
	put   labelSet // without them
	off   bool     // Colony took the last of them off
	over  bool     // what comes tells no more
}

func (o *openingLabels) has(c Change) bool {
	return slices.ContainsFunc(o.with, func(w Change) bool { return w.ID == c.ID })
}

func (o *openingLabels) next(l *Table, c Change) {
	if o.over || len(o.with) == 0 {
		return
	}
	_, isState := l.StateOf(c.Label)
	switch {
	case !isState:
	case o.has(c): // after a move of the author's within seconds, Colony takes off only what the move left behind
		o.there.add(c.Label)
		o.put.add(c.Label)
	case o.off: // what comes next
		back := c.Added && c.By.Kind == lifecycle.Colony && slices.ContainsFunc(o.with, func(w Change) bool { return lifecycle.SameLabel(l.PresentLabel(w.Label), l.PresentLabel(c.Label)) })
		o.off, o.over = !back, true
	case c.Added:
		o.over = true
	default:
		o.gone(l, c.Label)
		o.off = len(o.there) == 0 && c.By.Kind == lifecycle.Colony
		o.over = len(o.there) == 0 && !o.off
	}
}

// gone notes that a label was taken off: under the name that it was put on with, or the one that it got since.
func (o *openingLabels) gone(l *Table, label string) {
	name := label
	for _, w := range o.with {
		if !o.put.has(label) && o.put.has(w.Label) && lifecycle.SameLabel(l.PresentLabel(w.Label), l.PresentLabel(label)) {
			name = w.Label
			break
		}
	}
	o.there.remove(label)
	o.there.remove(name)
	o.put.remove(name)
}

// attributed returns the changes with those of the opening as the author's requests, if they are no more than that.
func (h History) attributed(t *Table) []Change {
	with := t.OpenedWith(h)
	if len(with) == 0 || !h.Opening.OnlyAsks && !h.openingRefused(t, with) {
		return h.Changes
	}
	changes := slices.Clone(h.Changes)
	for i, c := range changes {
		if slices.ContainsFunc(with, func(o Change) bool { return o.ID == c.ID }) {
			changes[i].By = lifecycle.Actor{Login: c.By.Login, Kind: lifecycle.Author}
		}
	}
	return changes
}
