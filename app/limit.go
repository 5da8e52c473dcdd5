package app

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jonboulle/clockwork"
)

// limitWait is how long GitHub asks to wait at least where it says nothing else. The rules of this file are those of
// https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit.
const limitWait = time.Minute

// Budget is what a call was too much for.
type Budget string

// The budgets. GitHub's own is told by its answer, the others are Colony's: see PaceConfig.
const (
	BudgetGitHub  Budget = "github"
	BudgetPoints  Budget = "points"
	BudgetContent Budget = "content"
)

// LimitedError says that a call was refused because of a rate limit, by GitHub or by Colony itself, and how long to wait.
type LimitedError struct {
	Budget Budget
	Status int // of GitHub's answer
	Wait   time.Duration
}

func (e *LimitedError) Error() string {
	if e.Budget != BudgetGitHub {
		return fmt.Sprintf("the budget of %s is used up, wait %s", e.Budget, e.Wait)
	}
	return fmt.Sprintf("GitHub limits the rate of calls (%d), wait %s", e.Status, e.Wait)
}

// refuseLimits makes every rate limit of GitHub's, primary or secondary, 403 or 429, one kind of error. The headers that
// count calls are taken out, because go-github, which does not know 429, would hold back calls by a clock of its own.
func refuseLimits(clock clockwork.Clock) func(http.RoundTripper) http.RoundTripper {
	return func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(request *http.Request) (*http.Response, error) {
			response, err := next.RoundTrip(request)
			if err != nil {
				return nil, err //nolint:wrapcheck // a round tripper returns what it got
			}
			limited, err := isLimit(response)
			if err == nil && limited {
				err = &LimitedError{Budget: BudgetGitHub, Status: response.StatusCode, Wait: waitOf(response.Header, clock.Now())}
			}
			if err != nil {
				_ = response.Body.Close() // nothing of it is used
				return nil, err
			}
			for _, name := range []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"} {
				response.Header.Del(name)
			}
			return response, nil
		})
	}
}

// isLimit reports whether an answer is a rate limit. A 403 is one if no calls are left, if it asks to come back later, or if
// it says so.
func isLimit(response *http.Response) (bool, error) {
	switch {
	case response.StatusCode == http.StatusTooManyRequests:
		return true, nil
	case response.StatusCode != http.StatusForbidden:
		return false, nil
	case response.Header.Get("X-RateLimit-Remaining") == "0", response.Header.Get("Retry-After") != "":
		return true, nil
	}
	const enough = 64 << 10
	body, err := io.ReadAll(io.LimitReader(response.Body, enough))
	if err != nil {
		return false, fmt.Errorf("read why GitHub forbids a call: %w", err)
	}
	response.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(body), response.Body), response.Body}
	return strings.Contains(strings.ToLower(string(body)), "secondary rate limit"), nil
}

// waitOf reads how long to wait from the headers of an answer.
func waitOf(header http.Header, now time.Time) time.Duration {
	if seconds, err := strconv.Atoi(header.Get("Retry-After")); err == nil && seconds > 0 {
		return time.Duration(seconds) * time.Second
	}
	if reset, err := strconv.ParseInt(header.Get("X-RateLimit-Reset"), 10, 64); err == nil && header.Get("X-RateLimit-Remaining") == "0" {
		if wait := time.Unix(reset, 0).Sub(now); wait > 0 {
			return wait
		}
	}
	return limitWait
}

// limits remembers which installations GitHub limits, and until when: as long as that lasts, nothing is asked for them. It
// is safe for concurrent use.
type limits struct {
	mu    sync.Mutex
	until map[int64]time.Time
}

func newLimits() *limits { return &limits{until: map[int64]time.Time{}} }

// left returns how long an installation is still limited, 0 if it is not.
func (l *limits) left(installation int64, now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	until, ok := l.until[installation]
	if !ok {
		return 0
	}
	if !now.Before(until) {
		delete(l.until, installation)
		return 0
	}
	return until.Sub(now)
}

func (l *limits) set(installation int64, until time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if until.After(l.until[installation]) {
		l.until[installation] = until
	}
}

// list returns the installations that are limited and until when.
func (l *limits) list(now time.Time) map[int64]time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	limited := map[int64]time.Time{}
	for installation, until := range l.until {
		if now.Before(until) {
			limited[installation] = until
		}
	}
	return limited
}
