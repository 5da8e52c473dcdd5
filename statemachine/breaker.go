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
		d.out.Halted = d.loop()
	}
	return false
}

// breaker returns the rejection that tripped the breaker, or nil if it is not tripped, and the ids of all rejections
// that it silences: a person who starts again does not bring up what went on meanwhile.
//
// What was withdrawn before anything was said does not count. What was answered does, whatever became of it: taking
// a label off again must not make room for the next.
func (in *input) breaker() (tripped *Rejection, silenced []int64) {
	var window []time.Time     // of those that count
	moves := in.Standing.Trail // what is earlier is older than every rejection
	for _, r := range in.Standing.Rejections {
		for len(moves) > 0 && r.follows(moves[0].Moment) {
			if in.life.intervened(moves[0]) {
				window, tripped = nil, nil
			}
			moves = moves[1:]
		}
		if r.Withdrawn && in.Answered != nil && !in.answered(r) {
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

// loop returns the latest of Colony's own moves by what lasts if there were more of them within the breaker's window than
// rejections are allowed, none of them undone by a person: two rows that move an issue to and fro must not do so for ever.
func (in *input) loop() *Rejection {
	var last Move
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
		newest = latest(newest, m.At)
		if own > in.p.BreakerRejections {
			return &Rejection{IDs: []int64{last.ID}, By: last.By, Moment: last.Moment, From: last.From, To: last.To, Ruling: Ruling{Verdict: lifecycle.Legal, AsksPerson: true}}
		}
	}
	return nil
}
