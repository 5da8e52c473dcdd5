package app

import (
	"math"
	"time"
)

// Sweeps leave room for people: they begin nothing else unless three quarters of the points that can be used at once are there, so that
// whatever a sweep is in the middle of, an edit finds enough to be read, and those who have read find enough to write.

// sweepLeaves is the part of what can be used at once that a sweep does not begin to use.
const sweepLeaves = 3.0 / 4

// maySweepOn reports whether a sweep may begin to read another issue.
func (p *pace) maySweepOn(installation int64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	b := p.budget(installation)
	return b.points == nil || b.points.TokensAt(p.clock.Now()) >= float64(b.points.Burst())*sweepLeaves
}

// needs tells how much more than what sweeps leave has to be there for a step, each time twice as much. An issue that was cut for want
// of points needs more of them. A step that asks for more repositories needs so many that it waits until those that were begun have
// ended: a repository that is swept in one go is cheaper than one whose settings have to be read again and again meanwhile.
func (e *entry) needs() (doubled int) {
	switch {
	case e.Sweep == nil:
		return 0
	case e.RepositoryID == 0 && e.Sweep.Page+e.Sweep.Next > 0:
		return sweepTries - 1
	}
	return e.Sweep.Cut
}

// roomToSweep returns how long the next step of a sweep has to wait, 0 if it need not. Steps that wait are spaced, and do not hold up
// looks.
func (p *pace) roomToSweep(installation int64, doubled int) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	b, now := p.budget(installation), p.clock.Now()
	if b.points == nil {
		return 0
	}
	burst := float64(b.points.Burst())
	missing := min(burst, burst*sweepLeaves+math.Ldexp(pointsOfLook, min(doubled, sweepTries))) - b.points.TokensAt(now)
	if missing <= 0 {
		return 0
	}
	wait := time.Duration(math.Ceil(missing/float64(b.points.Limit())*1000)) * time.Millisecond
	spacing := time.Duration(float64(pointsOfLook) / 2 / float64(b.points.Limit()) * float64(time.Second)) // most steps read little
	b.sweeps = latest(now.Add(wait), b.sweeps.Add(spacing))
	return b.sweeps.Sub(now)
}
