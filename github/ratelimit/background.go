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

const (
	// pointsOfQuestion is about what it costs to answer a program: the issue, its log, its comments, and who asks.
	pointsOfQuestion = 5
	// pointsOfFilling is at least what a call costs that fills the board.
	pointsOfFilling = 4
)

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
	return l.budget(installation).untilThere(l.clock.Now(), leftAtBegin, 0) == 0
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
	return l.budget(installation).waitInBackground(l.clock.Now(), kind, needs, uses)
}

func (b *budget) waitInBackground(now time.Time, kind Background, needs, uses float64) time.Duration {
	wait := b.untilThere(now, leftAtBegin, needs)
	if wait == 0 {
		return 0
	}
	spacing := time.Duration(uses / float64(b.points.Limit()) * float64(time.Second))
	b.backgroundUntil[kind] = later(now.Add(wait), b.backgroundUntil[kind].Add(spacing))
	return b.backgroundUntil[kind].Sub(now)
}

// WaitToAnswer returns how long a question has to wait, 0 if it need not. Somebody waits for the answer: it begins also where what nobody waits
// for has to pause, or a long onboarding would leave it nothing.
func (l *Limiter) WaitToAnswer(installation int64) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	b, now := l.budget(installation), l.clock.Now()
	wait := b.untilThere(now, leftByRead, PointsOfReconciliation)
	if wait == 0 && (b.isShared(now) || b.untilThere(now, leftAtBegin, PointsOfReconciliation) > 0) {
		wait = b.takeShare(now, pointsOfQuestion)
	}
	b.backgroundUntil[Asking] = later(now.Add(wait), b.backgroundUntil[Asking])
	return wait
}

// WaitToFill returns how long the next call that fills the board has to wait, 0 if it need not.
func (l *Limiter) WaitToFill(installation int64) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	b, now := l.budget(installation), l.clock.Now()
	wait := b.waitInBackground(now, Filling, pointsOfFilling, 0)
	if wait == 0 && b.isShared(now) {
		wait = b.takeShare(now, pointsOfFilling)
	}
	return wait
}

// untilThere returns how long it takes until so many points are there beside a part of those that can be used at once.
func (b *budget) untilThere(now time.Time, part, needs float64) time.Duration {
	if b.points == nil {
		return 0
	}
	burst := float64(b.points.Burst())
	return b.until(now, min(burst, burst*part+needs))
}

// comesBack is how long after its time work that waited has begun, or waits again.
const comesBack = 2 * time.Second

// isShared reports whether background work waits that needs more points at once than questions and the board do: these would take what comes
// back before there is enough.
func (b *budget) isShared(now time.Time) bool {
	for _, kind := range []Background{Onboarding, Provisioning, Sweeping} {
		if now.Before(b.backgroundUntil[kind].Add(comesBack)) {
			return true
		}
	}
	return false
}

// takeShare takes points out of the half of what comes back that questions and the board may have, or returns how long that takes.
func (b *budget) takeShare(now time.Time, points int) time.Duration {
	reserved := b.share.ReserveN(now, points)
	wait := reserved.DelayFrom(now)
	if wait > 0 {
		reserved.CancelAt(now)
	}
	return wait
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
