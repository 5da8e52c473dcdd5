package statemachine

import (
	"slices"
	"time"

	"github.com/colony-app/colony/lifecycle"
)

// What a guard says depends on facts that change, and the fold must not: it decides about an old move as was decided then. So what Colony did
// about a move that depended on what it read is the record of its verdict, and it is in the log. Colony finishes a move that it grants by taking
// the label of the state before off. It undoes one that it refuses by putting that label back, or by taking the new one off. Where the one who
// asked has done both halves there is nothing to finish; then Colony puts the mark Checked on and off. If the log has neither for a move, the move
// is decided by the facts as Colony reads them. The verdict is written before anything else. Where a refusal leaves no label to write, the comment
// that explains it is the record; one that is undone before Colony looked needs none.

// verdicts are what the log and the reading of facts say of requests that guards concern.
type verdicts struct {
	// pending lists the requests whose verdict is unknown, and granted the events of granted requests without a record.
	pending []lifecycle.Asking
	granted []int64
	// frozen says that the fold ignores the rest of the log until someone has asked about what is pending.
	frozen bool
	// rest is the log after the present change, and used lists Colony's marks in it that recorded a verdict.
	rest []Change
	used []int64
}

// wait keeps a request whose verdict is unknown.
func (v *verdicts) wait(e *edit, from string) {
	a := e.ask.Asking(from)
	a.AsksPerson = e.ruling.Guards.NeedsHuman
	v.pending = append(v.pending, a)
}

// holds reports whether something pending keeps the issue where it is.
func (f *folder) holds() bool { return len(f.verdicts.pending) > 0 && !f.history.Stands }

// record is what the log tells of Colony's verdict about a change that asks for another state. It is looked for once it is needed.
type record struct {
	folder   *folder
	edit     *edit
	searched bool
	found    lifecycle.Answer
	// called says that the mark NeedsHuman was there before the verdict was recorded: a refusal that asks for a person puts it there first.
	called bool
	// canBeBack says that the label of the state before is there, so that taking off the new one takes the change back.
	canBeBack bool
}

// takenBack is in the place of a verdict if someone undid the change before there was one.
const takenBack lifecycle.Answer = "taken-back"

// guarding returns what the guards said of the change, by what they say of it now. It is withdrawn if someone took it back before Colony
// had looked.
func (r *record) guarding(g Guarding) Guarding {
	f, e := r.folder, r.edit
	switch verdict := r.verdict(); {
	case verdict == takenBack:
		g.Answer, e.withdrawn = lifecycle.Yes, true
	case verdict != "":
		reading := f.life.Guards.Reading(e.ask.Asking(f.course.state))
		g.NeedsHuman = r.called && slices.ContainsFunc(slices.Concat(g.Refusing, reading), func(g lifecycle.Guard) bool { return g.NeedsHuman })
		if g.Refusing = slices.DeleteFunc(g.Refusing, lifecycle.Guard.Reads); len(g.Refusing) == 0 { // else it is known which refuse by the log alone
			g.Refusing = reading
		}
		g.Answer = verdict
	case f.history.isSettled(e.Change):
		g.Answer = lifecycle.Yes
	case g.Answer == lifecycle.Yes:
		f.verdicts.granted = append(f.verdicts.granted, e.ID)
	}
	return g
}

// verdict returns Yes, No or takenBack; empty if the log tells none.
func (r *record) verdict() lifecycle.Answer {
	if !r.searched {
		r.searched = true
		r.found = r.recorded()
		if r.isExplained() {
			r.found = lifecycle.No
		}
	}
	return r.found
}

// isExplained reports whether Colony has said that it refused the change. What it says of a move that represents a reason is no refusal.
func (r *record) isExplained() bool {
	pair, _ := r.folder.life.Pair(r.folder.course.state, r.edit.name)
	explained := r.folder.history.Explained
	return explained != nil && pair.Reason != lifecycle.Required && explained(r.edit.ID)
}

// answer is Answers as far as no verdict is recorded. Where one is, or where the change is too old, the answer is of no interest.
func (r *record) answer(a lifecycle.Asking, c lifecycle.Condition) lifecycle.Answer {
	switch h := &r.folder.history; {
	case r.verdict() != "" || h.isSettled(r.edit.Change):
		return lifecycle.Yes
	case h.Answers == nil:
		return lifecycle.Unasked
	default:
		return h.Answers(a, c)
	}
}

// isSettled reports whether a change is too old to be checked, or was made before the issue arrived.
func (h History) isSettled(c Change) bool { return h.isTooOld(c.Moment) || h.Arrived.brings(c) }

func (h History) isTooOld(m Moment) bool { return m.before(h.JudgedSince) || m.before(h.Begun) }

// recordedWithin bounds how long after a change before the horizon the record of its verdict is looked for. What Colony writes later is about
// other changes.
const recordedWithin = time.Hour

// recorded returns what became of the change before the rest, which asks for a state. The first thing that Colony did about it tells its verdict.
// Of what it takes off for a refusal, the label of the state that was asked for goes first. It is empty without a verdict.
func (r *record) recorded() lifecycle.Answer {
	f := r.folder
	_, isDue := f.due[f.course.state]
	r.canBeBack = isDue || f.life.Label(f.course.state) == "" || f.board.has(f.course.state)
	r.called = f.board.present.has(lifecycle.NeedsHuman)
	settled := f.history.isSettled(r.edit.Change)
	for _, later := range f.verdicts.rest {
		if f.history.Arrived.brings(r.edit.Change) && !f.history.Arrived.brings(later) {
			break // what Colony did here is no verdict about what was made elsewhere
		}
		if settled && !f.history.isSettled(later) && !within(recordedWithin, r.edit.At, later.At) {
			break
		}
		r.called = r.called || later.Added && lifecycle.SameLabel(later.Label, lifecycle.NeedsHuman)
		state, _ := f.life.StateOf(later.Label)
		of := r.byOthers
		if later.By.Kind == lifecycle.Colony {
			of = r.byColony
		}
		if says := of(later, state.Name); says != "" {
			return says
		}
	}
	return ""
}

// byColony is what Colony says with a later change about the request: by its mark, or with the label of one of the two states.
func (r *record) byColony(later Change, state string) lifecycle.Answer {
	here, used := r.folder.course.state, &r.folder.verdicts.used
	switch {
	case later.Added && lifecycle.SameLabel(later.Label, lifecycle.Checked) && !slices.Contains(*used, later.ID) && !r.isExplained():
		*used = append(*used, later.ID)
		return lifecycle.Yes
	case here == r.edit.name:
		return ""
	case state == here && !later.Added:
		return lifecycle.Yes
	case state == here, state == r.edit.name && !later.Added:
		return lifecycle.No
	}
	return ""
}

// byOthers is whether someone else takes the request back with a later change.
func (r *record) byOthers(later Change, state string) lifecycle.Answer {
	here := r.folder.course.state
	switch {
	case state == r.edit.name && state != here && !later.Added && r.canBeBack:
		return takenBack
	case state == here:
		r.canBeBack = later.Added
	}
	return ""
}

// GuardedByLog returns a copy of the lifecycle without the guards that need more than the log.
func (t *Table) GuardedByLog() *Table {
	if !t.Guards.Read() {
		return t
	}
	byLog := *t
	byLog.Guards = slices.DeleteFunc(slices.Clone(t.Guards), lifecycle.Guard.Reads)
	return &byLog
}
