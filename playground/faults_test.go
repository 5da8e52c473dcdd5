package playground_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/playground"
)

// label adds a label as alice and returns the error.
func (w *world) label(number int, name string) error {
	_, _, err := w.as("alice").Issues.AddLabelsToIssue(context.Background(), "acme", "shop", number, []string{name})
	return err
}

func (w *world) has(number int, name string) bool {
	w.t.Helper()
	for _, l := range must[*github.Issue](w.t)(w.as("bob").Issues.Get(context.Background(), "acme", "shop", number)).Labels {
		if l.GetName() == name {
			return true
		}
	}
	return false
}

func TestFaults(t *testing.T) {
	labels := regexp.MustCompile(`/labels$`)
	for name, test := range map[string]struct {
		fault   playground.Fault
		applied bool
		check   func(error) bool
	}{
		"status before": {playground.Fault{Kind: playground.FaultStatus, Status: 502}, false, func(err error) bool {
			var e *github.ErrorResponse
			return errors.As(err, &e) && e.Response.StatusCode == 502
		}},
		"status after": {playground.Fault{Kind: playground.FaultStatus, Status: 502, After: true}, true, func(err error) bool {
			var e *github.ErrorResponse
			return errors.As(err, &e) && e.Response.StatusCode == 502
		}},
		"cut before": {playground.Fault{Kind: playground.FaultCut}, false, func(err error) bool { return errors.Is(err, io.EOF) }},
		"cut after":  {playground.Fault{Kind: playground.FaultCut, After: true}, true, func(err error) bool { return errors.Is(err, io.EOF) }},
		"primary 403": {playground.Fault{Kind: playground.FaultPrimaryLimit}, false, func(err error) bool {
			var e *github.RateLimitError
			return errors.As(err, &e)
		}},
		"primary 429": {playground.Fault{Kind: playground.FaultPrimaryLimit, Status: 429}, false, func(err error) bool {
			var e *github.ErrorResponse
			return errors.As(err, &e) && e.Response.StatusCode == 429 && e.Response.Header.Get("X-RateLimit-Remaining") == "0"
		}},
		"secondary 403": {playground.Fault{Kind: playground.FaultSecondaryLimit, RetryAfter: 30 * time.Second}, false, func(err error) bool {
			var e *github.AbuseRateLimitError
			return errors.As(err, &e) && e.GetRetryAfter() == 30*time.Second
		}},
		"secondary 429 without retry-after": {playground.Fault{Kind: playground.FaultSecondaryLimit, Status: 429}, false, func(err error) bool {
			var e *github.ErrorResponse
			return errors.As(err, &e) && e.Response.StatusCode == 429 && e.Response.Header.Get("Retry-After") == ""
		}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			n := w.open("alice", "Broken").GetNumber()
			test.fault.Method, test.fault.Path, test.fault.Actor, test.fault.Times = http.MethodPost, labels, "alice", 1
			w.Fault(test.fault)
			if err := w.label(n, "bug"); !test.check(err) {
				t.Errorf("the fault is %v", err)
			}
			if w.has(n, "bug") != test.applied {
				t.Errorf("in effect: %v, want %v", !test.applied, test.applied)
			}
			if err := w.label(n, "question"); err != nil {
				t.Errorf("the fault was to happen once: %v", err)
			}
		})
	}
}

func TestFaultsHitOnlyWhomTheyAreFor(t *testing.T) {
	w := newWorld(t)
	n := w.open("alice", "Broken").GetNumber()
	cancel := w.Fault(playground.Fault{Kind: playground.FaultStatus, Status: 500, Installation: w.installation})
	if err := w.label(n, "bug"); err != nil {
		t.Error(err)
	}
	client := w.installed()
	if _, r, err := client.Issues.Get(context.Background(), "acme", "shop", n); status(t, r, err) != 500 {
		t.Errorf("the installation: %v", err)
	}
	cancel()
	must[*github.Issue](t)(client.Issues.Get(context.Background(), "acme", "shop", n))
}

func TestDelayLastsByTheClock(t *testing.T) {
	w := newWorld(t)
	n := w.open("alice", "Broken").GetNumber()
	w.Fault(playground.Fault{Kind: playground.FaultDelay, Delay: time.Hour, Times: 1})
	done := make(chan error)
	go func() { done <- w.label(n, "bug") }()
	if err := w.clock.BlockUntilContext(context.Background(), 1); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-done:
		t.Fatalf("it did not wait: %v", err)
	default:
	}
	w.clock.Advance(time.Hour)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestEventsThatLagBehindWebhooks(t *testing.T) {
	w := newWorld(t)
	n := w.open("alice", "Broken").GetNumber()
	w.LagEvents(2 * time.Second)
	if err := w.label(n, "bug"); err != nil {
		t.Fatal(err)
	}
	if got := w.events(n); len(got) != 0 || !w.has(n, "bug") {
		t.Errorf("the log shows %v already", got)
	}
	w.clock.Advance(2 * time.Second)
	if got := w.events(n); len(got) != 1 {
		t.Errorf("the log shows %v", got)
	}
}

func TestJournalOfCalls(t *testing.T) {
	w := newWorld(t)
	n := w.open("alice", "Broken").GetNumber()
	w.ResetCalls()
	if err := w.label(n, "bug"); err != nil {
		t.Fatal(err)
	}
	calls := w.Calls()
	if len(calls) != 1 || calls[0].Method != "POST" || calls[0].Path != "/repos/acme/shop/issues/1/labels" || calls[0].Actor != "alice" || calls[0].Status != 200 {
		t.Errorf("journal: %v", calls)
	}
}
