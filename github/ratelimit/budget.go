package ratelimit

import (
	"context"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/jonboulle/clockwork"
	"golang.org/x/time/rate"

	"github.com/colony-app/colony/bounded"
)

// Colony stays below the budgets that GitHub documents for each installation, rather than being told off. What is over a
// budget is not sent: nobody sleeps, the request is requeued like one that GitHub limits. The budgets and the points are those of
// https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits.
const (
	pointsOfRead  = 1
	PointsOfWrite = 5
	// PointsOfReconciliation is about what a reconciliation costs that refuses something: three reads and three writes.
	// Requests that wait for points are spaced by it.
	PointsOfReconciliation = 18
)

// GitHubPoints is how many points GitHub allows an installation in any minute.
const GitHubPoints = 900

// Settings holds what each installation may use in any minute or hour; 0 is no bound.
type Settings struct {
	Points        int `yaml:"points" means:"points that an installation may use in any minute: a read is 1, a write 5. Comments get the same share of the 80 a minute and 500 an hour that GitHub allows; 0: no bound"`
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

// SmallestBudget is the least that a budget may be: half of it at once must still hold a write.
const SmallestBudget = 10

// content matches what creates content: comments. GitHub's page of that endpoint says that creating content with it too quickly
// may be limited (https://docs.github.com/rest/issues/comments#create-an-issue-comment). Its pages of labels and of reactions
// (https://docs.github.com/rest/reactions/reactions) do not: these notify nobody and cost points only.
var content = regexp.MustCompile(`/repos/([^/]+/[^/]+)/issues/(\d+)/comments$`)

// Limiter counts what each installation uses. It is safe for concurrent use.
type Limiter struct {
	settings Settings
	clock    clockwork.Clock

	mu sync.Mutex
	of map[int64]*budget
}

// NewLimiter returns a limiter that has counted nothing yet.
func NewLimiter(settings Settings, clock clockwork.Clock) *Limiter {
	return &Limiter{settings: settings, clock: clock, of: map[int64]*budget{}}
}

// budget is what is left of one installation.
type budget struct {
	points        *rate.Limiter   // nil: no bound
	share         *rate.Limiter   // what questions and the board may have while other background work waits; nil like points
	content       []*rate.Limiter // none may be used up
	requestsUntil time.Time       // until when requests wait for points
	commentsUntil time.Time       // until when comments wait
	graphqlUntil  time.Time       // until when GitHub answers no questions by GraphQL
	// backgroundUntil is until when each kind of background work waits for points.
	backgroundUntil [backgroundKinds]time.Time
	// reserved are the issues on which a comment waits, and since when it may be written: it is paid for. Forgetting one is
	// harmless: then it pays again.
	reserved *lru.Cache[string, time.Time]
	primary  primary
}

// reservationsKept bounds the memory of an installation to some megabytes.
const reservationsKept = 20_000

// reservationHolds is how long after its time a comment may still be written for what it paid: so that promises nobody came back
// for cannot be called in all at once.
const reservationHolds = 15 * time.Minute

// primary is what GitHub told last about the calls of the hour.
type primary struct {
	limit, remaining int
	reset            time.Time
}

// newSmoothedLimiter allows a burst of half the budget and refills the rest evenly, so that no window exceeds it.
func newSmoothedLimiter(budget int, window time.Duration) *rate.Limiter {
	if budget == 0 {
		return nil
	}
	burst := budget / 2
	return rate.NewLimiter(rate.Limit(float64(burst)/window.Seconds()), burst)
}

// budget returns what is left of an installation; the caller holds the lock.
func (l *Limiter) budget(installation int64) *budget {
	b := l.of[installation]
	if b == nil {
		b = &budget{points: newSmoothedLimiter(l.settings.Points, time.Minute), reserved: bounded.New[string, time.Time](reservationsKept)}
		if b.points != nil {
			b.share = rate.NewLimiter(b.points.Limit()/2, max(pointsOfQuestion, b.points.Burst()/8))
		}
		for _, l := range []*rate.Limiter{newSmoothedLimiter(l.settings.ContentMinute, time.Minute), newSmoothedLimiter(l.settings.ContentHour, time.Hour)} {
			if l != nil {
				b.content = append(b.content, l)
			}
		}
		l.of[installation] = b
	}
	return b
}

// Caller says for which installation a request is, and whether it has waited for points: then it goes before later ones.
type Caller struct {
	Installation int64
	Waited       bool
	// Background says that nobody waits for it: it leaves points to those who do, and they do not queue behind it.
	Background bool
	// spent counts the points of its calls so far.
	spent *float64
}

type callerKey struct{}

// WithCaller counts the calls of a request for its installation. Calls without a caller are the App's own, which have no budget.
func WithCaller(ctx context.Context, caller Caller) context.Context {
	caller.spent = new(float64)
	return context.WithValue(ctx, callerKey{}, caller)
}

func callerOf(ctx context.Context) (Caller, bool) {
	caller, ok := ctx.Value(callerKey{}).(Caller)
	return caller, ok
}

// InstallationOf returns for which installation the calls of a request count; 0 is none.
func InstallationOf(ctx context.Context) int64 {
	caller, _ := callerOf(ctx)
	return caller.Installation
}

// Points returns how many points an installation has left now, and how many it can use at once.
func (l *Limiter) Points(installation int64) (left, atOnce float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.budget(installation)
	return b.points.TokensAt(l.clock.Now()), float64(b.points.Burst())
}

// Begin returns how long a request has to wait for points before its reconciliation begins, 0 if it need not.
func (l *Limiter) Begin(caller Caller) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	b, now := l.budget(caller.Installation), l.clock.Now()
	if caller.Waited || !now.Before(b.requestsUntil) {
		return 0
	}
	return b.queue(now, now, PointsOfReconciliation)
}

// queue puts a request that needs so many points behind those that wait for points, and returns for how long.
func (b *budget) queue(now, ready time.Time, needs float64) time.Duration {
	spacing := time.Duration(needs / float64(b.points.Limit()) * float64(time.Second))
	b.requestsUntil = later(ready, b.requestsUntil.Add(spacing))
	return b.requestsUntil.Sub(now)
}

// ReservedFor keeps background work off the last tenth of the calls of an hour, which are for what people wait for. It returns how
// long until there are more.
func (l *Limiter) ReservedFor(installation int64) time.Duration { return l.reserved(installation, 10) }

// SparedFor keeps what can as well be done in the next hour off the second half of the calls of an hour. It returns how long until there
// are more.
func (l *Limiter) SparedFor(installation int64) time.Duration { return l.reserved(installation, 2) }

// reserved returns how long it is until more than one part of so many is left of the calls of an hour.
func (l *Limiter) reserved(installation int64, parts int) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	known := l.budget(installation).primary
	if left := known.reset.Sub(l.clock.Now()); left > 0 && known.remaining < known.limit/parts {
		return left
	}
	return 0
}

// waitForPoints returns how long to wait for the points of a call, 0 if they are there. Reads leave half of what can be used at once to
// the writes: requests that have read must be able to write, or all of them would read again and again and none would get
// anything done. For the same reason a request that did not get through with what it has spent waits until there is more than that.
func (b *budget) waitForPoints(now time.Time, read bool, caller Caller) time.Duration {
	if b.points == nil {
		return 0
	}
	cost, leaves := float64(PointsOfWrite), 0.0
	if read {
		cost, leaves = pointsOfRead, float64(b.points.Burst())/2
	}
	if caller.Background {
		leaves = max(leaves, b.leftByBackground(read))
	}
	wait := b.until(now, cost+leaves)
	if wait == 0 || caller.Background {
		return wait
	}
	if *caller.spent == 0 {
		return b.queue(now, now.Add(wait), PointsOfReconciliation)
	}
	needs := min(PointsOfReconciliation+*caller.spent, float64(b.points.Burst())/2)
	return b.queue(now, now.Add(max(wait, b.until(now, needs+leaves))), needs)
}

// until returns how long it takes until there are so many points.
func (b *budget) until(now time.Time, points float64) time.Duration {
	missing := points - b.points.TokensAt(now)
	if missing <= 0 {
		return 0
	}
	return time.Duration(math.Ceil(missing/float64(b.points.Limit())*1000)) * time.Millisecond
}

func (b *budget) spend(now time.Time, read bool, caller Caller) {
	if b.points == nil {
		return
	}
	cost := PointsOfWrite
	if read {
		cost = pointsOfRead
	}
	b.points.AllowN(now, cost)
	*caller.spent += float64(cost)
}

// reserveComment takes a comment on an issue out of the budget. If that is for later, it returns how long to wait, and the comment is paid
// for; a second one on the same issue waits with it, because most likely it is the same.
func (b *budget) reserveComment(now time.Time, repository, number string) time.Duration {
	key := commentKey(repository, number)
	if at, ok := b.reserved.Get(key); ok {
		if now.Before(at) {
			return at.Sub(now)
		}
		b.reserved.Remove(key)
		if now.Sub(at) < reservationHolds {
			return 0
		}
	}
	var wait time.Duration
	for _, l := range b.content {
		wait = max(wait, l.ReserveN(now, 1).DelayFrom(now))
	}
	if wait > 0 {
		b.commentsUntil = later(b.commentsUntil, now.Add(wait))
		b.reserved.Add(key, now.Add(wait))
	}
	return wait
}

func commentKey(repository, number string) string { return strings.ToLower(repository) + "/" + number }

// CommentReserved reports whether a comment on an issue waits until its reserved time.
func (l *Limiter) CommentReserved(installation int64, repository string, issue int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	at, ok := l.budget(installation).reserved.Peek(commentKey(repository, strconv.Itoa(issue)))
	return ok && l.clock.Now().Before(at)
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
		if now.Before(b.requestsUntil) {
			waiting.Requests[installation] = b.requestsUntil
		}
		if now.Before(b.commentsUntil) {
			waiting.Comments[installation] = b.commentsUntil
		}
		if now.Before(b.graphqlUntil) {
			waiting.GraphQL[installation] = b.graphqlUntil
		}
		for _, until := range b.backgroundUntil {
			if now.Before(until) {
				waiting.Background[installation] = later(waiting.Background[installation], until)
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
