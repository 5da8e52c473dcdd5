package ratelimit

import (
	"math"
	"time"
)

// Work that nobody waits for leaves room for people: it begins nothing unless three quarters of the points that can be used at once are
// there and what it needs besides, and its calls stop before an edit would find too little to be read. So it can use all that people
// leave, however long it goes on, and they find the same whatever it is in the middle of. What is cut short keeps what it has written.

// The parts of what can be used at once that background work does not use: to begin something, to read, and to write what it read for.
// They are more than the half that reads leave to writes; see waitForPoints.
const (
	leftAtBegin = 3.0 / 4
	leftByRead  = 5.0 / 8
	leftByWrite = 3.0 / 5
)

// PointsOfProvisioning is about what it costs to make the labels of a repository that has none: some reads of its settings and labels,
// and as many writes as a lifecycle has states.
const PointsOfProvisioning = 90

// Background is a kind of background work. Work of one kind that waits is spaced, and does not hold up that of another.
type Background int

// The kinds of background work.
const (
	Onboarding   Background = iota // labels of all repositories of an installation
	Provisioning                   // labels and settings of a repository
	Sweeping
	Asking  // answers to programs, which somebody waits for
	Filling // what the board shows, after a start
	backgroundKinds
)

// leaves is the part of what can be used at once that has to be there beside what work of a kind needs to begin. Somebody waits for an answer:
// questions begin where what nobody waits for has to pause, or a long onboarding would leave them nothing.
func (k Background) leaves() float64 {
	if k == Asking {
		return leftByRead
	}
	return leftAtBegin
}

// pointsOf is the budget of points that a call is counted against.
func (c Caller) pointsOf() Budget {
	if c.Background {
		return BudgetBackground
	}
	return BudgetPoints
}

// leftByBackground returns how many points a call of background work leaves. A budget that hardly holds one reconciliation has nothing
// to leave, or nothing would ever be provisioned.
func (b *budget) leftByBackground(read bool) float64 {
	burst, leaves := float64(b.points.Burst()), leftByWrite
	if read {
		leaves = leftByRead
	}
	return max(0, min(burst*leaves, burst-PointsOfReconciliation))
}

// MaySweepOn reports whether a sweep may begin to read another issue.
func (l *Limiter) MaySweepOn(installation int64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.budget(installation)
	return b.points == nil || b.points.TokensAt(l.clock.Now()) >= float64(b.points.Burst())*leftAtBegin
}

// WaitForSweep returns how long the next step of a sweep has to wait, 0 if it need not. A step needs the points of a reconciliation, doubled so many times.
func (l *Limiter) WaitForSweep(installation int64, doubled int) time.Duration {
	return l.WaitInBackground(installation, Sweeping, math.Ldexp(PointsOfReconciliation, doubled), PointsOfReconciliation/2) // most steps read little
}

// WaitInBackground returns how long background work that needs so many points has to wait, 0 if it need not. Those that wait are spaced
// by what they are likely to use.
func (l *Limiter) WaitInBackground(installation int64, kind Background, needs, uses float64) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	b, now := l.budget(installation), l.clock.Now()
	if b.points == nil {
		return 0
	}
	burst := float64(b.points.Burst())
	wait := b.until(now, min(burst, burst*kind.leaves()+needs))
	if wait == 0 {
		return 0
	}
	spacing := time.Duration(uses / float64(b.points.Limit()) * float64(time.Second))
	b.backgroundUntil[kind] = later(now.Add(wait), b.backgroundUntil[kind].Add(spacing))
	return b.backgroundUntil[kind].Sub(now)
}

// waitForComments returns how long background work has to wait before it may write a comment: half of those that can be written at once
// are for what people wait for.
func (b *budget) waitForComments(now time.Time) (wait time.Duration) {
	for _, l := range b.content {
		if missing := 1 + float64(l.Burst())/2 - l.TokensAt(now); missing > 0 {
			wait = max(wait, time.Duration(math.Ceil(missing/float64(l.Limit())*1000))*time.Millisecond)
		}
	}
	return wait
}
