package statemachine

import (
	"slices"
	"time"

	"github.com/colony-app/colony/lifecycle"
)

// halt finds out whether the breaker is tripped: then Colony undoes nothing on the issue until a person makes an allowed move.
func (d *decider) halt() (ends bool) {
	if len(d.Standing.Rejections) > 0 {
		d.out.Halted, d.silenced = d.breaker()
	}
	if d.out.Halted == nil && len(d.Standing.Trail) > d.p.BreakerRejections {
		return d.haltLoop()
	}
	return false
}

// haltLoop is halt for Colony's own moves. It needs the facts by which they were made: once none of them holds, the loop is over.
func (d *decider) haltLoop() (ends bool) {
	stop := d.loop()
	if stop == nil {
		return false
	}
	rows := loopRows(d.life, *stop)
	if d.needs(Needs{Facts: d.Facts.Unread(lifecycle.ReadingsOf(factsOf(rows)))}) {
		return true
	}
	if len(rows) == 0 || d.Facts.Assumed || len(d.Facts.named(factsOf(rows)...)) > 0 {
		d.out.Halted = stop
	}
	return false
}

// LoopCause says why Colony last made the move that a stop is about, as far as that was read; it has no Why if no fact made the move.
func (f Facts) LoopCause(t *Table, stop Rejection) Automatic {
	rows := loopRows(t, stop)
	var whys []string
	for _, row := range rows {
		whys = append(whys, row.Why)
	}
	return Automatic{From: stop.From, To: stop.To, Why: eitherOf(whys), About: listed(f.named(factsOf(rows)...))}
}

// loopRows lists the rows on lasting facts that make the move of a stop.
func loopRows(t *Table, stop Rejection) []lifecycle.Trigger {
	return slices.DeleteFunc(slices.Clone(t.Triggers), func(row lifecycle.Trigger) bool { return !row.Moves(stop.From, stop.To) || row.CountsSince() != "" })
}

func factsOf(rows []lifecycle.Trigger) []string {
	var names []string
	for _, row := range rows {
		names = append(names, string(row.On))
	}
	return names
}

// breaker returns the rejection that tripped the breaker, or nil if it is not tripped, and the ids of all rejections that it silences. A person
// who starts again does not bring up what went on in between. What a bot has to wait for does not count; the same again is silenced.
//
// What was withdrawn before anything was said does not count. What was answered does, no matter what became of it: taking a label off again must
// not make room for the next.
func (in *input) breaker() (tripped *Rejection, silenced []int64) {
	var window []time.Time     // of the rejections that count
	moves := in.Standing.Trail // what is earlier is older than every rejection
	var early repeated         // what bots asked for too early since the last move
	for _, r := range in.Standing.Rejections {
		for len(moves) > 0 && r.follows(moves[0].Moment) {
			if in.life.intervened(moves[0]) {
				window, tripped = nil, nil
			}
			moves, early = moves[1:], nil
		}
		if r.Withdrawn && in.Answered != nil && !in.answered(r) {
			continue
		}
		if r.comesTooEarly() {
			if early.has(r) || tripped != nil {
				silenced = append(silenced, r.ID)
			}
			continue
		}
		window = append(slices.DeleteFunc(window, func(old time.Time) bool { return !within(in.p.BreakerWindow, old, r.At) }), r.At)
		if tripped == nil && len(window) > in.p.BreakerRejections {
			first := r
			tripped = &first
		}
		if tripped != nil {
			silenced = append(silenced, r.ID)
		}
	}
	if slices.ContainsFunc(moves, in.life.intervened) {
		tripped = nil
	}
	return tripped, silenced
}

// comesTooEarly reports whether a bot asked for what has to wait for something: a fact that a guard forbids. It asks again until that is
// over, and nothing fights.
func (r Rejection) comesTooEarly() bool {
	return r.By.Kind == lifecycle.Executor && r.Verdict == lifecycle.Guarded && slices.ContainsFunc(r.Guards.Refusing, waits)
}

// repeated lists rejections without repetitions.
type repeated []Rejection

// has reports whether the same was rejected before, and notes it. What was withdrawn does not count.
func (all *repeated) has(r Rejection) bool {
	same := func(e Rejection) bool {
		return e.By.Login == r.By.Login && e.From == r.From && e.To == r.To && slices.Equal(e.Guards.Names(), r.Guards.Names())
	}
	if slices.ContainsFunc(*all, same) {
		return true
	}
	if !r.Withdrawn {
		*all = append(*all, r)
	}
	return false
}

// loop returns a stop if Colony made more moves of its own by what lasts within the breaker's window than rejections are allowed, and a person
// undid none. Two rows that move an issue back and forth must not do so permanently. Its ids and its time are those of the latest of them, its
// states those of the latest that a trigger made, if one did.
func (in *input) loop() *Rejection {
	var last, caused Move
	own, newest := 0, time.Time{}
	for _, m := range slices.Backward(in.Standing.Trail) {
		if m.Kind == Settled || m.before(in.Standing.Installed) || in.life.intervened(m) {
			break
		}
		if m.Kind != Moved || in.life.maker(m) != lifecycle.Colony || !in.life.IsRestless(m.From, m.To) || own > 0 && !within(in.p.BreakerWindow, m.At, newest) {
			continue
		}
		own++
		if own == 1 {
			last = m
		}
		if caused.ID == 0 && slices.ContainsFunc(in.life.Triggers, func(t lifecycle.Trigger) bool { return t.Moves(m.From, m.To) }) {
			caused = m
		}
		newest = latest(newest, m.At)
		if own > in.p.BreakerRejections {
			if caused.ID == 0 {
				caused = last
			}
			return &Rejection{IDs: []int64{last.ID}, By: last.By, Moment: last.Moment, From: caused.From, To: caused.To, Ruling: Ruling{Verdict: lifecycle.Legal, AsksPerson: true}}
		}
	}
	return nil
}
