package queue

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/palantir/go-githubapp/githubapp"
	"github.com/rs/zerolog"
)

type handler func(ctx context.Context) error

func (handler) Handles() []string { return []string{"ping"} }

func (h handler) Handle(ctx context.Context, _, _ string, _ []byte) error { return h(ctx) }

func TestSchedulerAnswers(t *testing.T) {
	for _, test := range []struct {
		name   string
		handle handler
		status int
		logged string
	}{
		{"done", func(context.Context) error { return nil }, http.StatusOK, ""},
		{"full", func(context.Context) error { return fmt.Errorf("publish: %w", ErrFull) }, http.StatusServiceUnavailable, "the queue is full"},
		{"failed", func(context.Context) error { return errors.New("no") }, http.StatusInternalServerError, ""},
		{"panic", func(context.Context) error { panicking(); return nil }, http.StatusInternalServerError, "queue.panicking"},
		{"too slow", func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }, http.StatusInternalServerError, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			var log bytes.Buffer
			s := NewScheduler(SchedulerOptions{Timeout: 50 * time.Millisecond, Log: zerolog.New(&log)})
			d := githubapp.NewEventDispatcher([]githubapp.EventHandler{test.handle}, "", githubapp.WithScheduler(s))
			r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(`{}`))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("X-GitHub-Event", "ping")
			r.Header.Set("X-GitHub-Delivery", "d")
			w := httptest.NewRecorder()
			d.ServeHTTP(w, r)
			if w.Code != test.status {
				t.Errorf("answer %d, want %d", w.Code, test.status)
			}
			if !strings.Contains(log.String(), test.logged) || (test.logged == "") != (log.Len() == 0) {
				t.Errorf("log %q, want %q", &log, test.logged)
			}
		})
	}
}
