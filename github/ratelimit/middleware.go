package ratelimit

import (
	"errors"
	"net/http"
	"strconv"
	"time"
)

// Middleware refuses calls for which the budget does not suffice now.
func (l *Limiter) Middleware(next http.RoundTripper) http.RoundTripper {
	return RoundTripperFunc(func(request *http.Request) (*http.Response, error) {
		t, ok := callerOf(request.Context())
		if !ok {
			return next.RoundTrip(request)
		}
		if err := l.admit(t, request); err != nil {
			return nil, err
		}
		response, err := next.RoundTrip(request)
		if limit := (*Error)(nil); errors.As(err, &limit) && limit.Budget == BudgetGraphQL {
			l.mu.Lock()
			b := l.budget(t.Installation)
			b.graphqlUntil = later(b.graphqlUntil, l.clock.Now().Add(limit.Wait))
			l.mu.Unlock()
		}
		return response, err //nolint:wrapcheck // a round tripper returns what it got
	})
}

func (l *Limiter) admit(t Caller, request *http.Request) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	b, now := l.budget(t.Installation), l.clock.Now()
	question := asksGraphQL(request)
	if question && now.Before(b.graphqlUntil) {
		return &Error{Wait: b.graphqlUntil.Sub(now), Budget: BudgetGraphQL}
	}
	read := request.Method == http.MethodGet || question // Colony mutates nothing by GraphQL
	if wait := b.waitForPoints(now, read, t); wait > 0 {
		return &Error{Wait: wait, Budget: t.pointsOf()}
	}
	if request.Method == http.MethodPost {
		if about := content.FindStringSubmatch(request.URL.Path); about != nil {
			if wait := b.waitForComments(now); t.Background && wait > 0 {
				return &Error{Wait: wait, Budget: BudgetBackground}
			}
			if wait := b.reserveComment(now, about[1], about[2]); wait > 0 {
				return &Error{Wait: wait, Budget: BudgetContent}
			}
		}
	}
	b.spend(now, read, t)
	return nil
}

// Observe keeps what GitHub tells about the calls of the hour:
// https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#checking-the-status-of-your-rate-limit.
func (l *Limiter) Observe(next http.RoundTripper) http.RoundTripper {
	return RoundTripperFunc(func(request *http.Request) (*http.Response, error) {
		response, err := next.RoundTrip(request)
		if t, ok := callerOf(request.Context()); ok && err == nil {
			if known, ok := primaryOf(response.Header); ok {
				l.mu.Lock()
				l.budget(t.Installation).primary = known
				l.mu.Unlock()
			}
		}
		return response, err //nolint:wrapcheck // a round tripper returns what it got
	})
}

func primaryOf(header http.Header) (primary, bool) {
	if header.Get(headerResource) != "core" {
		return primary{}, false
	}
	limit, limitErr := strconv.Atoi(header.Get(headerLimit))
	remaining, remainingErr := strconv.Atoi(header.Get(headerRemaining))
	reset, resetErr := strconv.ParseInt(header.Get(headerReset), 10, 64)
	if limitErr != nil || remainingErr != nil || resetErr != nil {
		return primary{}, false
	}
	return primary{limit, remaining, time.Unix(reset, 0)}, true
}

// RoundTripperFunc is a round tripper that is a function.
type RoundTripperFunc func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (f RoundTripperFunc) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }
