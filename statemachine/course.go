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

// follow appends a move to the trail.
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

// move moves the issue by a change.
func (f *folder) move(c Change, to string, kind MoveKind) {
	f.needsOrderer(c)
	m := f.made(c, to, kind)
	m.Reason = f.life.givenReason(c.By, m.From, to, kind)
	if f.holds() {
		f.verdicts.pending = nil
	}
	f.due.leave(m.From, c.At)
	f.course.follow(m)
	f.refusals.overtake()
}

// made is the move that a change makes.
func (f *folder) made(c Change, to string, kind MoveKind) Move {
	by, _ := f.orderer(c)
	return Move{From: f.course.state, To: to, Kind: kind, By: c.By, Moment: c.Moment, Ordered: by}
}

// orderer returns who wrote the command that Colony made a change for.
func (f *folder) orderer(c Change) (by lifecycle.Actor, known bool) {
	if c.By.Kind != lifecycle.Colony || f.history.Ordered == nil {
		return lifecycle.Actor{}, c.By.Kind != lifecycle.Colony
	}
	return f.history.Ordered(c.ID)
}

// needsOrderer remembers a move of which it is not known who ordered it. Before it was installed, Colony ran no command.
func (f *folder) needsOrderer(c Change) {
	if _, known := f.orderer(c); known || c.before(f.history.Installed) {
		return
	}
	if f.unordered.IsZero() || c.before(f.unordered) {
		f.unordered = c.At
	}
}

// beforeIsPresent reports whether the label of the state before is still there: then the move was withdrawn.
func (f *folder) beforeIsPresent() bool {
	last, known := f.now().Since()
	if !known {
		return false
	}
	// A label that came after the move, which it committed, is another request and not what was left of the state before.
	label := f.life.Label(last.From)
	return last.Kind != Settled && label != "" && f.board.present.has(label) && last.follows(f.board.put[last.From].Moment)
}
