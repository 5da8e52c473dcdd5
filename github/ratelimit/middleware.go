package ratelimit

import (
	"errors"
	"net/http"
	"time"
)

// Middleware refuses calls for which the budget does not suffice now.
func (l *Limiter) Middleware(next http.RoundTripper) http.RoundTripper {
	return RoundTripperFunc(func(request *http.Request) (*http.Response, error) {
		g, ok := grantOf(request.Context())
		if !ok {
			return next.RoundTrip(request)
		}
		if l.replicas != nil {
			l.needShare(request.Context(), g.caller.Installation)
		}
		c, err := l.admit(g, request)
		if err != nil {
			return nil, err
		}
		response, err := next.RoundTrip(request)
		l.ended(g, c, err)
		return response, err //nolint:wrapcheck // a round tripper returns what it got
	})
}

type call struct {
	points  int
	comment bool
}

func (l *Limiter) admit(g *Grant, request *http.Request) (c call, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	b, now := l.budget(g.caller.Installation), l.clock.Now()
	question := asksGraphQL(request)
	ours := BudgetPoints
	if g.caller.Class != People {
		ours = BudgetBackground
	}
	if question {
		if wait := b.untilGraphQL(now, ours); wait > 0 {
			return c, &Error{Wait: wait, Budget: BudgetGraphQL}
		}
	}
	c.points = PointsOfWrite
	if request.Method == http.MethodGet || question && !mutates(request) {
		c.points = pointsOfRead
	}
	if wait := g.pay(b, now, c.points); wait > 0 {
		return c, &Error{Wait: wait, Budget: ours}
	}
	about := content.FindStringSubmatch(request.URL.Path)
	if c.comment = about != nil && request.Method == http.MethodPost; !c.comment {
		return c, nil
	}
	if err = b.comments.admit(now, issueOf(about[1], about[2]), ours); err != nil { // the call is not made, and gives back its points
		g.spent -= c.points
		if b.points != nil {
			b.points.giveBack(g.caller.flow(), c.points)
		}
	}
	return c, err
}

// untilGraphQL returns how long questions by GraphQL wait. What no person waits for leaves the last tenth of an hour.
func (b *budget) untilGraphQL(now time.Time, ours Budget) time.Duration {
	wait := b.graphqlUntil.Sub(now)
	if ours == BudgetBackground {
		wait = max(wait, b.graphqlHour.scarce(now, reservedParts))
	}
	return wait
}

// ended counts a call from now on: GitHub has counted it by now.
func (l *Limiter) ended(g *Grant, c call, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	b, now := l.budget(g.caller.Installation), l.clock.Now()
	if g.caller.Class == People {
		b.hour.call(now)
	}
	if b.points != nil {
		b.points.end(now, g.caller.flow(), c.points)
	}
	if c.comment {
		b.comments.ended(now)
	}
	if limit := (*Error)(nil); errors.As(err, &limit) && limit.Budget == BudgetGraphQL {
		b.graphqlUntil = later(b.graphqlUntil, now.Add(limit.Wait))
	}
}

// RoundTripperFunc is a round tripper that is a function.
type RoundTripperFunc func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (f RoundTripperFunc) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }
