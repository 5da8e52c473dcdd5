package ratelimit

import (
	"math"
	"time"
)

// Sweeps leave room for people: they begin nothing else unless three quarters of the points that can be used at once are there, so that
// whatever a sweep is in the middle of, an edit finds enough to be read, and those who have read find enough to write.

// sweepLeaves is the part of what can be used at once that a sweep does not begin to use.
const sweepLeaves = 3.0 / 4

// MaySweepOn reports whether a sweep may begin to read another issue.
func (l *Limiter) MaySweepOn(installation int64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.budget(installation)
	return b.points == nil || b.points.TokensAt(l.clock.Now()) >= float64(b.points.Burst())*sweepLeaves
}

// WaitForSweep returns how long the next step of a sweep has to wait, 0 if it need not. A step needs the points of a reconciliation, doubled so many times. Steps that wait are spaced, and do not hold up
// requests.
func (l *Limiter) WaitForSweep(installation int64, doubled int) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	b, now := l.budget(installation), l.clock.Now()
	if b.points == nil {
		return 0
	}
	burst := float64(b.points.Burst())
	missing := min(burst, burst*sweepLeaves+math.Ldexp(PointsOfReconciliation, doubled)) - b.points.TokensAt(now)
	if missing <= 0 {
		return 0
	}
	wait := time.Duration(math.Ceil(missing/float64(b.points.Limit())*1000)) * time.Millisecond
	spacing := time.Duration(float64(PointsOfReconciliation) / 2 / float64(b.points.Limit()) * float64(time.Second)) // most steps read little
	b.sweepsUntil = later(now.Add(wait), b.sweepsUntil.Add(spacing))
	return b.sweepsUntil.Sub(now)
}
