package statemachine

import (
	"slices"

	"github.com/colony-app/colony/lifecycle"
)

// course is the state of an issue by all that counts of its log, and how the issue came there. Nothing else decides the state.
type course struct {
	state     string
	trail     []Move
	withdrawn []Withdrawal
	// off is the move that follows from the removal of the state's label where Colony undoes nothing: the issue leaves by it unless the
	// label comes back. Unlike a rejection it outlives the horizon.
	off *Move
	// offBy is who took the state's label off last, since the issue is there; empty if it was not taken off.
	offBy lifecycle.ActorKind
	// reached is Standing.Reached.
	reached bool
}

func (c *course) follow(m Move) {
	c.trail = append(c.trail, m)
	c.state, c.off, c.offBy = m.To, nil, ""
}

// takeBack returns to the state before the last move, which it returns.
func (c *course) takeBack() Move {
	before, last := c.trail[:len(c.trail)-1], c.trail[len(c.trail)-1]
	c.withdrawn = append(c.withdrawn, Withdrawal{Move: last, Before: slices.Clone(before)})
	c.state, c.trail, c.off, c.offBy = last.From, before, nil, ""
	return last
}

// move moves the issue by a change. It remembers if it is not known who ordered that: before it was installed, Colony ran no command.
func (f *folder) move(e *edit, to string, kind MoveKind) {
	if e.ask.Unordered && !e.before(f.history.Installed) && (f.unordered.IsZero() || e.before(f.unordered)) {
		f.unordered = e.At
	}
	m := Move{From: f.course.state, To: to, Kind: kind, By: e.By, Moment: e.Moment, Ordered: e.ask.For, Closed: closedAt(f.history.Closures, e.Moment)}
	if kind == Moved && e.By.Kind == lifecycle.Executor {
		m.Reason = f.life.StandsFor(e.By, m.From, to)
	}
	if !f.history.Stands {
		f.verdicts.pending = nil
	}
	if len(f.due) > 0 {
		f.due.leave(m.From, e.At)
	}
	f.course.follow(m)
	if len(f.refusals.all) > 0 {
		f.refusals.overtake()
	}
}

// beforeIsPresent reports whether the label of the state before is still there: then the move was withdrawn.
func (f *folder) beforeIsPresent() bool {
	last, known := f.now().Since()
	if !known {
		return false
	}
	// A label that came after the move, which it committed, is another request and not what was left of the state before. One that no event
	// put there can have come after the move too.
	label := f.life.Label(last.From)
	before, put := f.board.put[last.From]
	return put && last.Kind != Settled && label != "" && f.board.present.has(label) && last.follows(before.Moment)
}
