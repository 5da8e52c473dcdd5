// Package ratelimit keeps Colony below GitHub's rate limits: response.go understands what GitHub's answers say about them, budget.go
// counts what Colony allows itself, ledger.go and share.go share that between replicas. It imports nothing else of Colony's.
package ratelimit

import (
	"bytes"
	"encoding/json"
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

// The headers that count calls, as Go writes them: https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api.
const (
	headerLimit     = "X-Ratelimit-Limit"
	headerRemaining = "X-Ratelimit-Remaining"
	headerReset     = "X-Ratelimit-Reset"
	headerResource  = "X-Ratelimit-Resource"
)

// Budget is what a call was too much for.
type Budget string

// The budgets. GitHub's own are known from its answers, that of questions by GraphQL apart from all others; the other three are Colony's: see
// Settings. Background is what the points and comments allow to work that no one waits for.
const (
	BudgetGitHub     Budget = "github"
	BudgetGraphQL    Budget = "graphql"
	BudgetPoints     Budget = "points"
	BudgetContent    Budget = "content"
	BudgetBackground Budget = "background"
)

// Error says that a call was refused because of a rate limit, by GitHub or by Colony itself, and how long to wait.
type Error struct {
	Budget Budget
	Status int // of GitHub's answer
	Wait   time.Duration
}

func (e *Error) Error() string {
	switch e.Budget {
	case BudgetGitHub:
		return fmt.Sprintf("GitHub limits the rate of calls (%d), wait %s", e.Status, e.Wait)
	case BudgetGraphQL:
		return fmt.Sprintf("GitHub answers no more questions by GraphQL for now, wait %s", e.Wait)
	case BudgetBackground:
		return fmt.Sprintf("the rest of the budget is for what people wait for, wait %s", e.Wait)
	case BudgetPoints, BudgetContent:
	}
	return fmt.Sprintf("the budget of %s is used up, wait %s", e.Budget, e.Wait)
}

// Refuse makes every rate limit of GitHub's, primary or secondary, 403, 429 or in an answer by GraphQL, one kind of error. The headers that
// count calls are taken out, because go-github, which does not know 429, would hold back calls by a clock of its own.
func Refuse(clock clockwork.Clock) func(http.RoundTripper) http.RoundTripper {
	return func(next http.RoundTripper) http.RoundTripper {
		return RoundTripperFunc(func(request *http.Request) (*http.Response, error) {
			response, err := next.RoundTrip(request)
			if err != nil {
				return nil, err //nolint:wrapcheck // a round tripper returns what it got
			}
			limited, err := isLimit(response)
			if err == nil && limited {
				err = &Error{Budget: BudgetGitHub, Status: response.StatusCode, Wait: waitOf(response.Header, clock.Now())}
			}
			if err == nil && asksGraphQL(request) {
				err = graphqlLimit(response, clock.Now())
			}
			if err != nil {
				_ = response.Body.Close() // nothing of it is used
				return nil, err
			}
			for _, name := range [...]string{headerLimit, headerRemaining, headerReset} {
				delete(response.Header, name)
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
	case response.Header.Get(headerRemaining) == "0", response.Header.Get("Retry-After") != "":
		return true, nil
	}
	body, err := peek(response)
	if err != nil {
		return false, fmt.Errorf("read why GitHub forbids a call: %w", err)
	}
	return isSecondary(string(body)), nil
}

func isSecondary(message string) bool {
	return strings.Contains(strings.ToLower(message), "secondary rate limit")
}

// peek reads the beginning of an answer, and leaves all of it to be read.
func peek(response *http.Response) ([]byte, error) {
	const enough = 64 << 10
	body, err := io.ReadAll(io.LimitReader(response.Body, enough))
	if err != nil {
		return nil, err //nolint:wrapcheck // the caller names the attempt
	}
	response.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(body), response.Body), response.Body}
	return body, nil
}

// asksGraphQL reports whether a call is a question by GraphQL, which is for each server at one path.
func asksGraphQL(request *http.Request) bool { return strings.HasSuffix(request.URL.Path, "/graphql") }

// mutation begins the body of a call by GraphQL that changes something, as issues.GraphQLRequest writes it.
const mutation = `{"query":"mutation`

// mutates reports whether a call by GraphQL changes something, which costs as much as a write
// (https://docs.github.com/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api#secondary-rate-limits).
func mutates(request *http.Request) bool {
	if request.GetBody == nil {
		return false
	}
	body, err := request.GetBody()
	if err != nil {
		return false
	}
	defer body.Close()
	begins := make([]byte, len(mutation))
	_, err = io.ReadFull(body, begins)
	return err == nil && string(begins) == mutation
}

// graphqlLimit returns the error of an answer by GraphQL that is a rate limit; GitHub gives it the status 200
// (https://docs.github.com/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api#exceeding-the-rate-limit). The primary
// limit counts the points of questions by GraphQL alone, so that calls of other kinds go on; a secondary one is for all calls.
func graphqlLimit(response *http.Response, now time.Time) error {
	if response.StatusCode != http.StatusOK {
		return nil
	}
	body, err := peek(response)
	if err != nil {
		return fmt.Errorf("read an answer by GraphQL: %w", err)
	}
	var answer struct {
		Errors []struct{ Type, Message string }
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil //nolint:nilerr // the caller is going to say what is wrong with it
	}
	for _, e := range answer.Errors {
		switch {
		case isSecondary(e.Message):
			return &Error{Budget: BudgetGitHub, Status: response.StatusCode, Wait: waitOf(response.Header, now)}
		case e.Type == "RATE_LIMITED", e.Type == "RATE_LIMIT":
			// The header that counts what is left has been seen above 0 with this error; when the hour ends holds all the same.
			response.Header.Set(headerRemaining, "0")
			return &Error{Budget: BudgetGraphQL, Status: response.StatusCode, Wait: waitOf(response.Header, now)}
		}
	}
	return nil
}

// waitOf reads how long to wait from the headers of an answer.
func waitOf(header http.Header, now time.Time) time.Duration {
	if seconds, err := strconv.Atoi(header.Get("Retry-After")); err == nil && seconds > 0 {
		return time.Duration(seconds) * time.Second
	}
	if reset, err := strconv.ParseInt(header.Get(headerReset), 10, 64); err == nil && header.Get(headerRemaining) == "0" {
		if wait := time.Unix(reset, 0).Sub(now); wait > 0 {
			return wait
		}
	}
	return limitWait
}

// Limits remembers which installations GitHub limits, and until when: while that lasts, nothing is asked for them. It is safe for concurrent use.
type Limits struct {
	mu    sync.Mutex
	until map[int64]time.Time
}

// NewLimits knows of no limited installation.
func NewLimits() *Limits { return &Limits{until: map[int64]time.Time{}} }

// Left returns how long an installation is still limited, 0 if it is not.
func (l *Limits) Left(installation int64, now time.Time) time.Duration {
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

// Set remembers that GitHub limits an installation until a time. The later time counts.
func (l *Limits) Set(installation int64, until time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if until.After(l.until[installation]) {
		l.until[installation] = until
	}
}

// List returns the installations that are limited and until when.
func (l *Limits) List(now time.Time) map[int64]time.Time {
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
