package app

import (
	"context"
	"errors"
	"math"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/jonboulle/clockwork"
	"golang.org/x/time/rate"

	"github.com/colony-app/colony/app/issues"
)

// Colony stays below the budgets that GitHub documents for each installation, rather than being told off. What is over a
// budget is not sent: nobody sleeps, the look is put off like one that GitHub limits. The budgets and the points are those of
// https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits.
const (
	pointsOfRead  = 1
	pointsOfWrite = 5
	// pointsOfLook is about what a look costs that refuses something: three reads and three writes. Looks that wait for
	// points are spaced by it.
	pointsOfLook = 18
)

// PaceConfig holds what each installation may use in any minute or hour; 0 is no bound.
type PaceConfig struct {
	Points        int `yaml:"points"`
	ContentMinute int `yaml:"content_minute"`
	ContentHour   int `yaml:"content_hour"`
}

// smallestPace is the least that a budget may be: half of it at once must still hold a write.
const smallestPace = 10

// problems tells what is wrong with each setting.
func (c PaceConfig) problems(wrong complaint) {
	for _, s := range []struct {
		name  string
		value int
	}{{"points", c.Points}, {"content_minute", c.ContentMinute}, {"content_hour", c.ContentHour}} {
		if s.value != 0 && s.value < smallestPace {
			wrong("github.pace."+s.name, "%d is neither 0 nor %d or more", s.value, smallestPace)
		}
	}
}

// content matches what creates content: comments. GitHub's page of that endpoint says that creating content with it too quickly
// may be limited (https://docs.github.com/rest/issues/comments#create-an-issue-comment). Its pages of labels and of reactions
// (https://docs.github.com/rest/reactions/reactions) do not: these notify nobody and cost points only.
var content = regexp.MustCompile(`/repos/([^/]+/[^/]+)/issues/(\d+)/comments$`)

// pace counts what each installation uses. It is safe for concurrent use.
type pace struct {
	settings PaceConfig
	clock    clockwork.Clock

	mu sync.Mutex
	of map[int64]*budget
}

func newPace(settings PaceConfig, clock clockwork.Clock) *pace {
	return &pace{settings: settings, clock: clock, of: map[int64]*budget{}}
}

// budget is what is left of one installation.
type budget struct {
	points  *rate.Limiter   // nil: no bound
	content []*rate.Limiter // each must have room
	looks   time.Time       // until when looks wait for points
	talks   time.Time       // until when comments wait
	asks    time.Time       // until when GitHub answers no questions by GraphQL
	sweeps  time.Time       // until when steps of sweeps wait for points
	// promised are the issues on which a comment waits, and since when it may be written: it is paid for. Forgetting one is
	// harmless: then it pays again.
	promised *lru.Cache[string, time.Time]
	primary  primary
}

// promisesKept bounds the memory of an installation to some megabytes.
const promisesKept = 20_000

// promiseHolds is how long after its time a comment may still be written for what it paid: so that promises nobody came back
// for cannot be called in all at once.
const promiseHolds = 15 * time.Minute

// primary is what GitHub told last about the calls of the hour.
type primary struct {
	limit, remaining int
	reset            time.Time
}

// half lets half of a budget be used at once and gives it back at the rate of the other half, so that no window of that length
// sees more than all of it.
func half(budget int, window time.Duration) *rate.Limiter {
	if budget == 0 {
		return nil
	}
	burst := budget / 2
	return rate.NewLimiter(rate.Limit(float64(burst)/window.Seconds()), burst)
}

// budget returns what is left of an installation; the caller holds the lock.
func (p *pace) budget(installation int64) *budget {
	b := p.of[installation]
	if b == nil {
		b = &budget{points: half(p.settings.Points, time.Minute), promised: memory[string, time.Time](promisesKept)}
		for _, l := range []*rate.Limiter{half(p.settings.ContentMinute, time.Minute), half(p.settings.ContentHour, time.Hour)} {
			if l != nil {
				b.content = append(b.content, l)
			}
		}
		p.of[installation] = b
	}
	return b
}

// turn is for whom a look is, and whether it has waited for points: then it goes before those that come after it.
type turn struct {
	installation int64
	waited       bool
	sweeps       bool // it is a step of a sweep, which others do not queue behind
}

type turnKey struct{}

// withTurn gives the calls of a look to an installation. Calls without a turn are the App's own, which are not paced.
func withTurn(ctx context.Context, t turn) context.Context {
	return context.WithValue(ctx, turnKey{}, t)
}

func turnOf(ctx context.Context) (turn, bool) {
	t, ok := ctx.Value(turnKey{}).(turn)
	return t, ok
}

// begin returns how long a look has to wait for points before it begins, 0 if it need not.
func (p *pace) begin(t turn) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	b, now := p.budget(t.installation), p.clock.Now()
	if t.waited || !now.Before(b.looks) {
		return 0
	}
	return b.queue(now, now)
}

// queue puts a look behind those that wait for points, and returns for how long.
func (b *budget) queue(now, ready time.Time) time.Duration {
	spacing := time.Duration(float64(pointsOfLook) / float64(b.points.Limit()) * float64(time.Second))
	b.looks = latest(ready, b.looks.Add(spacing))
	return b.looks.Sub(now)
}

// reservedFor keeps the sweeps off the last tenth of the calls of an hour, which are for what people wait for. It returns how
// long until there are more.
func (p *pace) reservedFor(installation int64) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	known := p.budget(installation).primary
	if left := known.reset.Sub(p.clock.Now()); left > 0 && known.remaining < known.limit/10 {
		return left
	}
	return 0
}

// middleware refuses calls for which there is no room now.
func (p *pace) middleware(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(request *http.Request) (*http.Response, error) {
		t, ok := turnOf(request.Context())
		if !ok {
			return next.RoundTrip(request)
		}
		if err := p.admit(t, request); err != nil {
			return nil, err
		}
		response, err := next.RoundTrip(request)
		if limit := (*LimitedError)(nil); errors.As(err, &limit) && limit.Budget == BudgetGraphQL {
			p.mu.Lock()
			b := p.budget(t.installation)
			b.asks = latest(b.asks, p.clock.Now().Add(limit.Wait))
			p.mu.Unlock()
		}
		return response, err //nolint:wrapcheck // a round tripper returns what it got
	})
}

func (p *pace) admit(t turn, request *http.Request) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	b, now := p.budget(t.installation), p.clock.Now()
	question := asksGraphQL(request)
	if question && now.Before(b.asks) {
		return &LimitedError{Wait: b.asks.Sub(now), Budget: BudgetGraphQL}
	}
	read := request.Method == http.MethodGet || question // Colony mutates nothing by GraphQL
	if wait := b.room(now, read, t.sweeps); wait > 0 {
		return &LimitedError{Wait: wait, Budget: BudgetPoints}
	}
	if about := content.FindStringSubmatch(request.URL.Path); about != nil && request.Method == http.MethodPost {
		if wait := b.talk(now, about[1], about[2]); wait > 0 {
			return &LimitedError{Wait: wait, Budget: BudgetContent}
		}
	}
	b.spend(now, read)
	return nil
}

// room returns how long to wait for the points of a call, 0 if they are there. Reads leave half of what can be used at once to
// the writes: looks that have read must be able to write, or all of them would read again and again and none would get
// anything done.
func (b *budget) room(now time.Time, read, sweeps bool) time.Duration {
	if b.points == nil {
		return 0
	}
	need := float64(pointsOfWrite)
	if read {
		need = pointsOfRead + float64(b.points.Burst())/2
	}
	missing := need - b.points.TokensAt(now)
	if missing <= 0 {
		return 0
	}
	milliseconds := math.Ceil(missing / float64(b.points.Limit()) * 1000)
	wait := time.Duration(milliseconds) * time.Millisecond
	if sweeps {
		return wait
	}
	return b.queue(now, now.Add(wait))
}

func (b *budget) spend(now time.Time, read bool) {
	switch {
	case b.points == nil:
	case read:
		b.points.AllowN(now, pointsOfRead)
	default:
		b.points.AllowN(now, pointsOfWrite)
	}
}

// talk takes a comment on an issue out of the budget. If that is for later, it returns how long to wait, and the comment is paid
// for; a second one on the same issue waits with it, because most likely it is the same.
func (b *budget) talk(now time.Time, repository, number string) time.Duration {
	key := talkKey(repository, number)
	if at, ok := b.promised.Get(key); ok {
		if now.Before(at) {
			return at.Sub(now)
		}
		b.promised.Remove(key)
		if now.Sub(at) < promiseHolds {
			return 0
		}
	}
	var wait time.Duration
	for _, l := range b.content {
		wait = max(wait, l.ReserveN(now, 1).DelayFrom(now))
	}
	if wait > 0 {
		b.talks = latest(b.talks, now.Add(wait))
		b.promised.Add(key, now.Add(wait))
	}
	return wait
}

func talkKey(repository, number string) string { return strings.ToLower(repository) + "/" + number }

// talksLater reports whether a look that has something to say on an issue is put off until it may.
func (p *pace) talksLater(ref issues.Ref) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	at, ok := p.budget(ref.Installation).promised.Peek(talkKey(ref.Repository.String(), strconv.Itoa(ref.Number)))
	return ok && p.clock.Now().Before(at)
}

// observe keeps what GitHub tells about the calls of the hour:
// https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#checking-the-status-of-your-rate-limit.
func (p *pace) observe(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(request *http.Request) (*http.Response, error) {
		response, err := next.RoundTrip(request)
		if t, ok := turnOf(request.Context()); ok && err == nil {
			if known, ok := primaryOf(response.Header); ok {
				p.mu.Lock()
				p.budget(t.installation).primary = known
				p.mu.Unlock()
			}
		}
		return response, err //nolint:wrapcheck // a round tripper returns what it got
	})
}

func primaryOf(header http.Header) (primary, bool) {
	if header.Get("X-RateLimit-Resource") != "core" {
		return primary{}, false
	}
	limit, limitErr := strconv.Atoi(header.Get("X-RateLimit-Limit"))
	remaining, remainingErr := strconv.Atoi(header.Get("X-RateLimit-Remaining"))
	reset, resetErr := strconv.ParseInt(header.Get("X-RateLimit-Reset"), 10, 64)
	if limitErr != nil || remainingErr != nil || resetErr != nil {
		return primary{}, false
	}
	return primary{limit, remaining, time.Unix(reset, 0)}, true
}

// paced tells until when the looks and the comments of installations wait for Colony's own budgets, and those looks that have to ask
// something by GraphQL for GitHub's budget of that.
type paced struct {
	Looks    map[int64]time.Time `json:"looks,omitempty"`
	Comments map[int64]time.Time `json:"comments,omitempty"`
	GraphQL  map[int64]time.Time `json:"graphql,omitempty"`
}

func (p *pace) list() paced {
	p.mu.Lock()
	defer p.mu.Unlock()
	now, waiting := p.clock.Now(), paced{Looks: map[int64]time.Time{}, Comments: map[int64]time.Time{}, GraphQL: map[int64]time.Time{}}
	for installation, b := range p.of {
		if now.Before(b.looks) {
			waiting.Looks[installation] = b.looks
		}
		if now.Before(b.talks) {
			waiting.Comments[installation] = b.talks
		}
		if now.Before(b.asks) {
			waiting.GraphQL[installation] = b.asks
		}
	}
	return waiting
}
