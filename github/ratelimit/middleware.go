package ratelimit

import (
	"errors"
	"net/http"
)

// Middleware refuses calls for which the budget does not suffice now.
func (l *Limiter) Middleware(next http.RoundTripper) http.RoundTripper {
	return RoundTripperFunc(func(request *http.Request) (*http.Response, error) {
		g, ok := grantOf(request.Context())
		if !ok {
			return next.RoundTrip(request)
		}
		cost, err := l.admit(g, request)
		if err != nil {
			return nil, err
		}
		response, err := next.RoundTrip(request)
		l.ended(g, cost, err)
		return response, err //nolint:wrapcheck // a round tripper returns what it got
	})
}

// admit takes what a call costs out of the budgets.
func (l *Limiter) admit(g *Grant, request *http.Request) (cost int, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	b, now := l.budget(g.caller.Installation), l.clock.Now()
	question := asksGraphQL(request)
	if question && now.Before(b.graphqlUntil) {
		return 0, &Error{Wait: b.graphqlUntil.Sub(now), Budget: BudgetGraphQL}
	}
	ours := BudgetPoints
	if g.caller.Class != People {
		ours = BudgetBackground
	}
	cost = PointsOfWrite
	if request.Method == http.MethodGet || question && !mutates(request) {
		cost = pointsOfRead
	}
	if wait := g.pay(b, now, cost); wait > 0 {
		return 0, &Error{Wait: wait, Budget: ours}
	}
	if about := content.FindStringSubmatch(request.URL.Path); about != nil && request.Method == http.MethodPost {
		if err := b.comments.admit(now, about[1], about[2], ours); err != nil {
			g.refund(b, cost)
			return 0, err
		}
	}
	return cost, nil
}

// ended counts the points of a call from now on: GitHub has counted it by now.
func (l *Limiter) ended(g *Grant, cost int, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	b, now := l.budget(g.caller.Installation), l.clock.Now()
	if g.caller.Class == People {
		b.hour.call(now)
	}
	if b.points != nil {
		b.points.end(now, g.caller.flow(), cost)
	}
	if limit := (*Error)(nil); errors.As(err, &limit) && limit.Budget == BudgetGraphQL {
		b.graphqlUntil = later(b.graphqlUntil, now.Add(limit.Wait))
	}
}

// RoundTripperFunc is a round tripper that is a function.
type RoundTripperFunc func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (f RoundTripperFunc) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }
