package blackbox_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/lifecycle"
)

// colony is the Colony under test.
type colony struct {
	url string
	// idle returns when nothing is waiting or under way; nil for a Colony that is not in this process.
	idle func(context.Context) error
	log  *recordedLog // nil for a Colony that is not in this process
	// rested says that a Colony that is not in this process had nothing to do when it was last asked.
	rested bool
}

// startColony runs a Colony for a target until the test ends.
func startColony(t *testing.T, tg *target) *colony {
	t.Helper()
	c := config.Default()
	c.Mode = lifecycle.ModeEnforce
	c.GitHub.Budget = ratelimit.Settings{} // all scenarios share one installation and are in a hurry
	c.GitHub.V3APIURL, c.GitHub.WebURL = tg.apiURL, tg.webURL
	c.GitHub.App.IntegrationID, c.GitHub.App.WebhookSecret, c.GitHub.App.PrivateKey = tg.app.id, tg.app.secret, tg.app.key
	c.Executors.Logins = tg.executors
	c.Follow = nil // the scenarios are about labels and commands
	c.Queue.Dir = t.TempDir()
	c.Sweep.Interval = 0 // once, at the start: what no webhook reports is not to be found by chance
	c.Judging.Settle = tg.settle
	c.Judging.LagWait = min(c.Judging.LagWait, tg.settle/2)

	log := &recordedLog{}
	server, err := app.New(context.Background(), c, app.Options{Log: log.logger()})
	if err != nil {
		t.Fatal(err)
	}
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- server.Run(ctx, listener) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Errorf("Colony ended: %v", err)
		}
	})
	return &colony{url: "http://" + listener.Addr().String(), idle: server.Idle, log: log}
}

// readiness is what /readyz shows.
type readiness struct {
	Ready bool `json:"ready"`
	Queue struct{ Waiting, Running, Delayed, Dead int }
}

func (c *colony) ready(ctx context.Context) (readiness, error) {
	var r readiness
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url+"/readyz", http.NoBody)
	if err != nil {
		return r, fmt.Errorf("ask whether Colony is ready: %w", err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return r, fmt.Errorf("ask whether Colony is ready: %w", err)
	}
	defer answer.Body.Close()
	err = json.NewDecoder(answer.Body).Decode(&r)
	return r, err
}

// atRest reports whether Colony has nothing left to do, delayed requests included.
//
// A delayed request that falls due is for a moment counted neither among the delayed nor among the waiting ones, so
// atRest asks Colony twice: the second time it waited for such a request, or a tick has passed.
func (c *colony) atRest(ctx context.Context) (bool, string) {
	for range 2 {
		if rest, missing := c.hasNothingToDo(ctx); !rest {
			c.rested = false
			return false, missing
		}
		if c.idle == nil && !c.rested {
			c.rested = true
			return false, "a second look at a Colony that seems to have nothing to do"
		}
	}
	c.rested = false
	return true, ""
}

func (c *colony) hasNothingToDo(ctx context.Context) (bool, string) {
	if c.idle != nil {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		if err := c.idle(ctx); err != nil {
			return false, err.Error()
		}
	}
	r, err := c.ready(ctx)
	switch {
	case err != nil:
		return false, err.Error()
	case r.Queue.Waiting+r.Queue.Running+r.Queue.Delayed > 0:
		return false, fmt.Sprintf("Colony's work: %+v", r.Queue)
	}
	return true, ""
}

// patience bounds a wait for something that is sure to come; it is no assertion on time.
const patience = 3 * time.Minute

// recordedLog keeps the warnings and errors of a log, and shows all of it if COLONY_TEST_LOG is set. It is safe for concurrent use.
type recordedLog struct {
	mu   sync.Mutex
	loud []string
}

func (b *recordedLog) logger() zerolog.Logger {
	if os.Getenv("COLONY_TEST_LOG") != "" {
		return zerolog.New(zerolog.MultiLevelWriter(b, zerolog.ConsoleWriter{Out: os.Stderr, NoColor: true}))
	}
	return zerolog.New(b)
}

// Write implements io.Writer.
func (b *recordedLog) Write(line []byte) (int, error) { return len(line), nil }

// WriteLevel implements zerolog.LevelWriter.
func (b *recordedLog) WriteLevel(level zerolog.Level, line []byte) (int, error) {
	if level >= zerolog.ErrorLevel {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.loud = append(b.loud, string(bytes.TrimSpace(line)))
	}
	return len(line), nil
}

// errors returns the lines of level error and above since it was last called.
func (b *recordedLog) errors() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	loud := b.loud
	b.loud = nil
	return loud
}
