package ratelimit

import (
	"math"
	"slices"
	"time"
)

// window counts what an installation uses in any minute, call by call. A call counts from when it is sent until a minute after its answer:
// wherever in between GitHub has counted it, no window of GitHub's has more calls than this one.
type window struct {
	budget int
	growth int             // how much larger the budget could be in a moment
	beyond int             // how much smaller it becomes when points come back
	atOnce float64         // the part of the budget that a flow can use immediately
	free   int             // what can be used now
	held   int             // what requests under way can still use: it is not free
	flows  map[flow]*usage // which use or hold some
	ended  []consumption   // by when they ended, the oldest first
}

// flow is what uses an installation's points: what one person asks for in a repository, all of the repository, or all work of another class.
type flow struct {
	class      Class
	repository int64  // its id; 0 but for People
	person     string // a login; empty: all of the repository
}

// whole is the flow that this one belongs to: itself, if it is no part of another.
func (f flow) whole() flow { return flow{class: f.class, repository: f.repository} }

// has reports whether another flow is this one, or a part of it.
func (f flow) has(other flow) bool { return f == other || f == other.whole() }

// usage is what a flow uses and holds, and when it last took some.
type usage struct {
	points int
	last   time.Time
}

type consumption struct {
	at     time.Time // its end
	points int
	of     flow
}

// take makes points of a flow not free, until giveBack.
func (w *window) take(now time.Time, of flow, points int) {
	w.free -= points
	w.add(of, points).last = now
	if whole := of.whole(); whole != of {
		w.add(whole, points).last = now
	}
}

func (w *window) giveBack(of flow, points int) {
	w.free += points
	w.add(of, -points)
	if whole := of.whole(); whole != of {
		w.add(whole, -points)
	}
}

// add adds points to what a flow uses, and forgets a flow that uses none.
func (w *window) add(of flow, points int) *usage {
	u := w.flows[of]
	if u == nil {
		u = &usage{}
		w.flows[of] = u
	}
	if u.points += points; u.points == 0 {
		delete(w.flows, of)
	}
	return u
}

// used returns what a flow uses and holds.
func (w *window) used(of flow) int {
	if u := w.flows[of]; u != nil {
		return u.points
	}
	return 0
}

// bound is what a flow uses, and how many times what it leaves it can use.
type bound struct {
	of    flow
	used  int
	times float64
}

// allows reports whether a flow can use more points, if so many are free.
func (b bound) allows(points, free int) bool {
	return float64(b.used+points)/b.times <= float64(free-points)
}

// bounds returns the bounds of a flow: its own, and that of the whole.
func (w *window) bounds(of flow, times float64) [2]bound {
	whole := times
	if of.class == People {
		whole = max(times, timesOfRepository)
	}
	both := [2]bound{{of: of, times: times}, {of: of.whole(), times: whole}}
	for i := range both {
		both[i].used = w.used(both[i].of)
	}
	if of == of.whole() {
		both[0] = both[1]
	}
	return both
}

// end notes that calls which took points have ended.
func (w *window) end(now time.Time, of flow, points int) {
	w.ended = append(w.ended, consumption{now, points, of})
}

// forget gives back what ended long enough ago.
func (w *window) forget(now time.Time) {
	for len(w.ended) > 0 && !now.Before(w.ended[0].at.Add(time.Minute)) {
		w.giveBack(w.ended[0].of, w.ended[0].points)
		less := min(w.beyond, w.ended[0].points)
		w.beyond, w.budget, w.free = w.beyond-less, w.budget-less, w.free-less
		w.ended = w.ended[1:]
	}
}

// atMost returns how many of so many points a flow of a class can have that is alone.
func (w *window) atMost(needs int, class Class) int {
	return min(needs, max(1, int(float64(w.budget+w.growth)*times[class]/(times[class]+1))))
}

// untilFree returns how long it takes until a flow can use so many points, and uses at most so many times what it leaves; 0 if it can
// now.
func (w *window) untilFree(now time.Time, of flow, points int, times float64) time.Duration {
	w.forget(now)
	free, bounds := w.free, w.bounds(of, times)
	fits := func() bool { return points <= free && bounds[0].allows(points, free) && bounds[1].allows(points, free) }
	if fits() {
		wait := w.untilEven(now, bounds[0], points, w.atOnce)
		if even := w.untilEven(now, bounds[1], points, atOnceOfWhole); even > wait && 2*bounds[0].used*w.parts(bounds[1].of) >= bounds[1].used {
			wait = even
		}
		return w.unlessGrows(wait)
	}
	wait := time.Minute
	for _, c := range w.ended {
		free += c.points
		for i := range bounds {
			if bounds[i].of.has(c.of) {
				bounds[i].used -= c.points
			}
		}
		if fits() {
			wait = c.at.Add(time.Minute).Sub(now)
			break
		}
	}
	if w.held > 0 { // most give back some when they end
		wait = min(wait, looksAgain)
	}
	return w.unlessGrows(wait)
}

// unlessGrows bounds a wait while the budget could grow.
func (w *window) unlessGrows(wait time.Duration) time.Duration {
	if w.growth > 0 {
		return min(wait, looksAgain)
	}
	return wait
}

// Lasts returns about when requests of a caller's class alone have used so many points, if they begin at a time.
func (l *Limiter) Lasts(caller Caller, from time.Time, points int) time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	if w := l.budget(caller.Installation).points; w != nil && points > 0 {
		w.forget(l.clock.Now())
		return w.lasts(from, points, w.atMost(w.budget+w.growth, caller.Class))
	}
	return from
}

// lasts returns about when so many points have been used, at most so many of them at a time: in the middle between the earliest time, since they
// come back in the order in which they were used, and an even use from now on.
func (w *window) lasts(from time.Time, points, most int) time.Time {
	rounds := (points - 1) / most
	lacking, at := points-rounds*most-(most-w.budget+w.free), from
	for _, c := range w.ended {
		if lacking <= 0 {
			break
		}
		lacking -= c.points
		at = later(at, c.at.Add(time.Minute))
	}
	earliest := at.Sub(from) + time.Duration(rounds)*time.Minute
	return from.Add((earliest + time.Minute*time.Duration(points)/time.Duration(most)) / 2)
}

// parts returns into how many parts a flow is split. A part that uses less than a half of its share does not wait for what the others use.
func (w *window) parts(whole flow) (n int) {
	for of := range w.flows {
		if of != whole && whole.has(of) {
			n++
		}
	}
	return n
}

// untilEven returns how long a flow waits that uses much, although there are points. Beyond a part of the budget it spreads what it can
// have over the time until its first points come back. Otherwise nothing would come back for most of a minute after a burst, and what
// the burst left to others would have to last until then.
func (w *window) untilEven(now time.Time, b bound, points int, atOnce float64) time.Duration {
	if float64(b.used) <= float64(w.budget+w.growth-w.used(flow{class: others}))*atOnce || math.IsInf(b.times, 1) {
		return 0
	}
	first := slices.IndexFunc(w.ended, func(c consumption) bool { return b.of.has(c.of) })
	if first < 0 {
		return looksAgain
	}
	room := (b.times*float64(w.free) - float64(b.used)) / (b.times + 1)
	apart := time.Duration(float64(w.ended[first].at.Add(time.Minute).Sub(now)) * spread * float64(points) / room)
	return max(0, w.flows[b.of].last.Add(apart).Sub(now))
}

const (
	atOnce        = 1.0 / 3 // the part of a budget that a flow can use immediately
	atOnceOfWhole = 1.0 / 2 // the same of a whole flow, all parts together
	atOnceByOne   = 1.0 / 9 // the same of a flow of a program next to a server, whose requests come when they come
	spread        = 7.0 / 8 // the part of the time until its first points come back over which it spreads the others
)

// looksAgain is how long a request waits for points that others hold: about the time that one takes.
const looksAgain = 500 * time.Millisecond
