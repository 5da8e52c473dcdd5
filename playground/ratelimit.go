package playground

import (
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"time"
)

const (
	// defaultRateLimit is the calls an hour of a user or an installation
	// (https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api).
	defaultRateLimit   = 5000
	anonymousRateLimit = 60
)

// rateWindow counts the calls of one identity within an hour.
type rateWindow struct {
	of    string // the resource: core, or graphql
	limit int
	used  int
	reset time.Time
}

// SetRateLimit changes how many calls an hour each user, App and installation has. The count begins again now.
func (p *Playground) SetRateLimit(calls int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rateLimit = calls
	p.windows = map[string]*rateWindow{}
}

func (p *Playground) window(by actor) *rateWindow { return p.windowOf(by, "core") }

// windowOf is the window of an identity for one of the APIs: each counts for itself.
func (p *Playground) windowOf(by actor, resource string) *rateWindow {
	now, key := p.clock.Now(), resource+" of "+by.key()
	w := p.windows[key]
	if w == nil || !now.Before(w.reset) {
		w = &rateWindow{of: resource, limit: p.rateLimit, reset: now.Add(time.Hour).Truncate(time.Second)}
		if by.account == nil && !by.jwt {
			w.limit = anonymousRateLimit
		}
		p.windows[key] = w
	}
	return w
}

// What GitHub says of a secondary rate limit.
const (
	secondaryLimit     = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
	secondaryLimitDocs = docsRoot + "/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits"
)

// pointsOver is the time in which points count.
const pointsOver = time.Minute

// spending is what one identity used within a minute, call by call, the oldest first.
type spending struct {
	calls []spent
	sum   int
}

type spent struct {
	at     time.Time
	points int
}

// SetPointLimit changes how many points each user, App and installation has in any minute, which GitHub calls a secondary rate limit; 0: no bound. A
// read is 1 point, a write 5 (https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits).
func (p *Playground) SetPointLimit(points int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pointLimit, p.spendings = points, map[string]*spending{}
}

// spend counts the points of a call. If they are more than the identity has, the call does not count and can be repeated after the wait.
func (p *Playground) spend(by actor, points int) (wait time.Duration) {
	if p.pointLimit == 0 {
		return 0
	}
	now, key := p.clock.Now(), by.key()
	s := p.spendings[key]
	if s == nil {
		s = &spending{}
		p.spendings[key] = s
	}
	for len(s.calls) > 0 && now.Sub(s.calls[0].at) >= pointsOver {
		s.sum -= s.calls[0].points
		s.calls = s.calls[1:]
	}
	if s.sum+points > p.pointLimit {
		return s.calls[0].at.Add(pointsOver).Sub(now)
	}
	s.calls, s.sum = append(s.calls, spent{now, points}), s.sum+points
	return 0
}

// points is what a call counts.
func (c *call) points() int {
	if c.request.Method == http.MethodGet || c.request.Method == http.MethodHead || c.route == &graphqlRoute && !mutation.Match(c.body) {
		return 1
	}
	return 5
}

// mutation finds a mutation in a request by GraphQL.
var mutation = regexp.MustCompile(`"query"\s*:\s*"\s*mutation\b`)

func (w *rateWindow) setHeaders(h http.Header) {
	h.Set("X-RateLimit-Limit", strconv.Itoa(w.limit))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(w.limit-w.used))
	h.Set("X-RateLimit-Used", strconv.Itoa(w.used))
	h.Set("X-RateLimit-Reset", strconv.FormatInt(w.reset.Unix(), 10))
	h.Set("X-RateLimit-Resource", w.of)
}

func limitMessage(by actor) string {
	switch {
	case by.installation != nil:
		return fmt.Sprintf("API rate limit exceeded for installation ID %d.", by.installation.id)
	case by.account != nil:
		return fmt.Sprintf("API rate limit exceeded for user ID %d.", by.account.id)
	default:
		return "API rate limit exceeded."
	}
}

// GET /rate_limit: free of charge.
func getRateLimit(c *call) (any, error) {
	w := c.p.window(c.actor)
	core := object{"limit": w.limit, "used": w.used, "remaining": w.limit - w.used, "reset": w.reset.Unix()}
	search := object{"limit": 30, "used": 0, "remaining": 30, "reset": w.reset.Unix()}
	g := c.p.windowOf(c.actor, "graphql")
	graphql := object{"limit": g.limit, "used": g.used, "remaining": g.limit - g.used, "reset": g.reset.Unix()}
	return object{"resources": object{"core": core, "search": search, "graphql": graphql}, "rate": core}, nil
}
