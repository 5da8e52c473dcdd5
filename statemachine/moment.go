package statemachine

import (
	"cmp"
	"time"
)

// Moment is when something happened on an issue. Nothing else in this package compares times.
type Moment struct {
	// At is the time by GitHub, in whole seconds.
	At time.Time
	// ID is the event's in the log; 0 without an event. The ids of one issue increase in the order of the log, also within a second.
	ID int64
}

// ClocksDiffer bounds by how much the clock of GitHub can be ahead of or behind ours.
const ClocksDiffer = 5 * time.Second

// before and after compare with a time. Within its second, neither holds.
func (m Moment) before(t time.Time) bool { return m.At.Before(t) }
func (m Moment) after(t time.Time) bool  { return m.At.After(t) }

// follows reports whether an event is later in the log than another.
func (m Moment) follows(other Moment) bool { return m.ID > other.ID }

// compare orders events as the log does.
func (m Moment) compare(other Moment) int { return cmp.Compare(m.ID, other.ID) }

// since reports whether a fact came to be so after a time, and not within its second.
func (o Observation) since(t time.Time) bool { return o.At.After(t) }

// readBefore reports whether the issue was read before a time.
func (in *Case) readBefore(t time.Time) bool { return in.Now.Before(t) }

// changedWithin reports whether less than a duration passed from the last change of the issue to its reading.
func (in *Case) changedWithin(d time.Duration) bool { return !lasted(d, in.Updated, in.Now) }

// lasted reports whether at least a duration passed between two times, and within whether at most that.
func lasted(d time.Duration, from, to time.Time) bool { return to.Sub(from) >= d }
func within(d time.Duration, from, to time.Time) bool { return to.Sub(from) <= d }

// Earliest returns the earlier of two times; either is zero where there is no such time.
func Earliest(a, b time.Time) time.Time {
	if !a.IsZero() && (b.IsZero() || a.Before(b)) {
		return a
	}
	return b
}

// latest returns the later of two times.
func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
