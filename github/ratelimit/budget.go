package ratelimit

import (
	"context"
	"sync"
	"time"

	"github.com/jonboulle/clockwork"
)

// Colony stays below the budgets that GitHub documents for each installation, rather than being reprimanded. What is over a budget is not sent:
// nothing sleeps, the request is requeued like one that GitHub limits. The budgets and the points are those of
// https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits.
const (
	pointsOfRead  = 1
	PointsOfWrite = 5
	// PointsOfReconciliation is about what a reconciliation costs that refuses something: three reads and three writes.
	PointsOfReconciliation = 18
	// PointsOfProvisioning is about what it costs at most to make the labels of a repository that has none: some reads of its settings and
	// labels, and as many writes as a lifecycle has states, where not one makes all labels.
	PointsOfProvisioning = 90
)

// GitHubPoints is how many points GitHub allows an installation in any minute.
const GitHubPoints = 900

// Settings holds what each installation is allowed to use in any minute or hour; 0 is no bound.
type Settings struct {
	Points        int `yaml:"points"`
	ContentMinute int `yaml:"-"`
	ContentHour   int `yaml:"-"`
}

// Share returns the budgets that belong to a number of points: the same share of the comments that GitHub allows as of its points. Without
// points nothing has a bound.
func Share(points int) Settings {
	of := func(comments int) int {
		if points == 0 {
			return 0
		}
		return max(comments*points/GitHubPoints, SmallestBudget)
	}
	return Settings{Points: points, ContentMinute: of(80), ContentHour: of(500)}
}

// SmallestBudget is the least that a budget can be: the half of it that questions can use must still hold a write.
const SmallestBudget = 10

// Class is for whom a request is.
type Class int

// The classes.
const (
	People     Class = iota // what someone wrote or labelled, and what webhooks tell of
	Background              // labels, settings and sweeps: no one waits for it
	Questions               // answers to programs, and programs next to the server
	Board                   // what the board shows, after a start
)

// times is how many times the points that it leaves a flow of each class can use: alone 9 of 10 points, 6 of 7, a half and a third. So
// each flow leaves some to others, which go on while they have used less; flows that want more than there is get the same.
// This is the rule of A. Choudhury and E. Hahne, Dynamic Queue Length Thresholds for Shared-Memory Packet Switches (IEEE/ACM Transactions on
// Networking 6, 1998), whose buffer is here a minute's points.
var times = map[Class]float64{People: 9, Background: 6, Questions: 1, Board: 0.5}

// timesOfRepository is the same of all that people ask for in one repository: 12 of 13 points. What one of them leaves is there for others.
const timesOfRepository = 12

// Limiter counts what each installation uses. It is safe for concurrent use.
type Limiter struct {
	settings Settings
	clock    clockwork.Clock
	patient  bool      // for a program next to a server; see Patiently
	replicas *replicas // that share the budgets; nil: this process has all of them

	mu sync.Mutex
	of map[int64]*budget
}

// NewLimiter returns a limiter that has counted nothing yet.
func NewLimiter(settings Settings, clock clockwork.Clock) *Limiter {
	return &Limiter{settings: settings, clock: clock, of: map[int64]*budget{}}
}

type budget struct {
	points       *window            // of a minute; nil: no bound
	waits        map[flow]time.Time // until when the requests of a flow wait for points
	crowded      time.Time          // until when people waited for points, as far as is known
	comments     comments
	graphqlUntil time.Time // until when GitHub answers no questions by GraphQL
	hour         hour      // of REST
	graphqlHour  hour
	underWay     int    // calls
	lease        *lease // nil: the budgets are not shared
}

// budget returns what is left of an installation; the caller holds the lock.
func (l *Limiter) budget(installation int64) *budget {
	b := l.of[installation]
	if b == nil {
		b = &budget{waits: map[flow]time.Time{}, comments: newComments(l.settings)}
		if l.settings.Points > 0 {
			b.points = &window{budget: l.settings.Points, atOnce: atOnce, free: l.settings.Points, flows: map[flow]*usage{}}
			if l.patient {
				b.points.atOnce = atOnceByOne
			}
		}
		if l.replicas != nil {
			b.lease = &lease{}
			b.share(amounts{}, l.settings.amounts())
		}
		l.of[installation] = b
	}
	if b.lease != nil && b.has() != (amounts{}) && !l.clock.Now().Before(b.lease.until) {
		b.share(amounts{}, l.settings.amounts())
	}
	return b
}

// Points returns how many points an installation has left now.
func (l *Limiter) Points(installation int64) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	w := l.budget(installation).points
	w.forget(l.clock.Now())
	return w.free
}

// Wait returns how long a caller has to wait until so many points are there for it, 0 if they are. It holds none of them.
func (l *Limiter) Wait(caller Caller, needs int) time.Duration {
	if l.replicas != nil {
		l.needShare(context.Background(), caller.Installation)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.budget(caller.Installation).wait(l.clock.Now(), caller.flow(), needs)
}

// wait returns how long a flow has to wait for so many points, or for all that it can have, and notes that it waits.
func (b *budget) wait(now time.Time, of flow, needs int) time.Duration {
	if b.points == nil {
		return 0
	}
	wait := b.points.untilFree(now, of, needs, times[of.class])
	if wait > 0 {
		b.waitsUntil(of, now.Add(wait))
	} else {
		delete(b.waits, of)
	}
	return wait
}

// waitsUntil notes that a flow waits.
func (b *budget) waitsUntil(of flow, until time.Time) {
	b.waits[of] = until
	if of.class == People {
		b.crowded = later(b.crowded, until)
	}
}

// lull is for how long a line of people that ended can go on: each of them notes for itself until when it waits.
const lull = 5 * time.Second

// Crowded reports whether people wait for the points of an installation, or did a moment ago.
func (l *Limiter) Crowded(installation int64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.clock.Since(l.budget(installation).crowded) < lull
}

// Waiting tells until when the requests and the comments of installations wait for Colony's own budgets, requests that need GraphQL
// for GitHub's budget of that, and background work for the points that it leaves to people.
type Waiting struct {
	Requests   map[int64]time.Time `json:"looks,omitempty"`
	Comments   map[int64]time.Time `json:"comments,omitempty"`
	GraphQL    map[int64]time.Time `json:"graphql,omitempty"`
	Background map[int64]time.Time `json:"background,omitempty"`
}

// List tells who waits now, and until when.
func (l *Limiter) List() Waiting {
	l.mu.Lock()
	defer l.mu.Unlock()
	now, waiting := l.clock.Now(), Waiting{Requests: map[int64]time.Time{}, Comments: map[int64]time.Time{}, GraphQL: map[int64]time.Time{}, Background: map[int64]time.Time{}}
	for installation, b := range l.of {
		if until := b.comments.until(); now.Before(until) {
			waiting.Comments[installation] = until
		}
		if now.Before(b.graphqlUntil) {
			waiting.GraphQL[installation] = b.graphqlUntil
		}
		for of, until := range b.waits {
			list := waiting.Background
			if of.class == People {
				list = waiting.Requests
			}
			if now.Before(until) {
				list[installation] = later(list[installation], until)
			}
		}
	}
	return waiting
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
