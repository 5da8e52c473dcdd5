package statemachine

import (
	"slices"
	"time"
)

// What a guard says depends on facts that change, and the fold must not: it judges an old move as it was judged then. So what Colony did
// about a move that depended on what it read is the record of its verdict, and it is in the log: Colony finishes a move that it grants by
// taking the label of the state before off, and undoes one that it refuses by putting that label back, or by taking the new one off.
// Where the one who asked has done both halves there is nothing to finish; then Colony puts the mark Checked on and off. A move of which
// the log has neither is judged by the facts as Colony reads them, and the verdict is written before anything else. Where a refusal leaves
// no label to write, the comment that explains it is the record; one that is taken back before Colony looked needs none.

// guard says what the guards say about a change that the table allows. counts is false if it does not count, since somebody took it back
// before Colony had looked.
func (f *folder) guard(c Change, x string) (g Guarding, counts bool) {
	if len(f.life.Guards) == 0 || c.By.Kind == Colony {
		return Guarding{Answer: Yes}, true
	}
	a := Asking{EventID: c.ID, By: c.By, From: f.state, To: x, At: c.At}
	r := record{folder: f, change: c, to: x}
	g = f.life.Guarded(f.now(), f.author, a, r.answer)
	if !g.Read {
		return g, true
	}
	switch verdict := r.verdict(); {
	case verdict == takenBack && !f.stands:
		return g, false
	case verdict == takenBack:
		g.Answer = Yes
	case verdict != "":
		g.Answer, g.Refusing = verdict, f.life.ReadingGuards(a)
		g.NeedsHuman = r.called && slices.ContainsFunc(g.Refusing, func(g Guard) bool { return g.NeedsHuman })
	case f.isSettled(c):
		g.Answer = Yes
	case g.Answer == Yes:
		f.granted = append(f.granted, c.ID)
	}
	return g, true
}

// record is what the log tells of Colony's verdict about a change that asks for another state. It is looked for once it is needed.
type record struct {
	*folder
	change   Change
	to       string
	searched bool
	found    Answer
	// called says that the mark NeedsHuman was there before the verdict was recorded: a refusal that asks for a person puts it there first.
	called bool
}

// takenBack is in the place of a verdict if somebody took the change back before there was one.
const takenBack Answer = "taken-back"

// verdict returns Yes, No or takenBack; empty if the log tells none.
func (r *record) verdict() Answer {
	if !r.searched {
		r.searched = true
		r.found = r.recorded()
		if r.isExplained() {
			r.found = No
		}
	}
	return r.found
}

// isExplained reports whether Colony has said that it refused the change. What it says of a move that stands for a reason is no refusal.
func (r *record) isExplained() bool {
	pair, _ := r.life.Pair(r.state, r.to)
	return r.explained != nil && pair.Reason != Required && r.explained(r.change.ID)
}

// answer is Answers as far as no verdict is recorded. Where one is, or where the change is too old, the answer is of no interest.
func (r *record) answer(a Asking, c Condition) Answer {
	switch {
	case r.verdict() != "" || r.isSettled(r.change):
		return Yes
	case r.answers == nil:
		return Unasked
	}
	return r.answers(a, c)
}

// isSettled reports whether a change is too old to be judged.
func (f *folder) isSettled(c Change) bool { return c.At.Before(f.since) || c.At.Before(f.begun) }

// recordedWithin bounds how long after a change before the horizon the record of its verdict is looked for. What Colony writes later is about
// other changes.
const recordedWithin = time.Hour

// recorded returns what became of the change before the rest, which asks for a state. The first thing that Colony did about it tells its
// verdict: of what it takes off for a refusal, the label of the state that was asked for goes first. It is empty if there is none.
func (r *record) recorded() Answer {
	f, x, settled := r.folder, r.to, r.isSettled(r.change)
	before := f.life.Label(f.state)
	_, owed := f.owed[f.state]
	mayBeBack := before == "" || owed || f.present.has(before)
	r.called = f.present.has(NeedsHuman)
	for _, later := range f.rest {
		if settled && !f.isSettled(later) && later.At.Sub(r.change.At) > recordedWithin {
			break
		}
		r.called = r.called || later.Added && SameLabel(later.Label, NeedsHuman)
		state, isState := f.life.StateOf(later.Label)
		switch {
		case later.By.Kind == Colony:
		case isState && !later.Added && state.Name == x && mayBeBack && f.state != x:
			return takenBack
		case isState && state.Name == f.state:
			mayBeBack = later.Added
			continue
		default:
			continue
		}
		switch {
		case later.Added && SameLabel(later.Label, Checked) && !f.usedMarks[later.ID] && !r.isExplained():
			f.usedMarks[later.ID] = true
			return Yes
		case !isState || f.state == x:
		case !later.Added && state.Name == f.state:
			return Yes
		case later.Added && state.Name == f.state, !later.Added && state.Name == x:
			return No
		}
	}
	return ""
}

// refusedBy keeps which guards refuse what a rejection asked for.
func (f *folder) refusedBy(g Guarding) {
	r := &f.rejections[len(f.rejections)-1]
	r.AsksPerson = g.NeedsHuman && !r.Stood
	r.Guards = nil
	for _, guard := range g.Refusing {
		r.Guards = append(r.Guards, guard.Name)
	}
}

// wait keeps a change of which nobody knows yet whether it is granted: the issue stays where it is, and nothing of it is undone. A state's
// label that went before it was the first half of its swap.
func (f *folder) wait(c Change, from, x string, g Guarding) {
	f.takenBack()
	f.frozen = f.frozen || g.Unasked && !f.stands
	f.pending = append(f.pending, Asking{EventID: c.ID, By: c.By, From: from, To: x, At: c.At, AsksPerson: g.NeedsHuman})
}

// GuardedByLog returns a copy of the lifecycle without the guards that need more than the log.
func (l *Lifecycle) GuardedByLog() *Lifecycle {
	if !l.ReadsConditions() {
		return l
	}
	byLog := *l
	byLog.Guards = slices.DeleteFunc(slices.Clone(l.Guards), Guard.Reads)
	return &byLog
}
