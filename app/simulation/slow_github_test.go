package simulation

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/jonboulle/clockwork"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/worker"
	"github.com/colony-app/colony/bench/apptest"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/playground"
)

// slowGitHub is a GitHub whose calls take time, and a Colony without a process: what is in the queue is done one after the other, each
// task within the time that a task has, and all of that by a clock that moves with the calls.
type slowGitHub struct {
	testing.TB
	clock   *clockwork.FakeClock
	github  *playground.Playground
	config  config.Config
	parts   *app.Parts
	worker  *worker.Worker
	queue   *memoryQueue
	repo    issues.Repository
	took    time.Duration // by each call
	calls   int
	failing string // the path whose calls fail
	slow    string // the path whose calls take longer than a task may
	down    bool   // all calls fail
	task    *taskContext
	answers map[string]answered // that are given again, once it is not nil
}

// taskTime is how long a task may take: see the lease of package queue.
const taskTime = 30 * time.Second * 3 / 4

func newSlowGitHub(t testing.TB, change ...func(*config.Config)) *slowGitHub {
	t.Helper()
	w := &slowGitHub{TB: t, clock: clockwork.NewFakeClockAt(time.Date(2025, 3, 3, 9, 0, 0, 0, time.UTC))}
	w.github = playground.New(playground.Options{Clock: w.clock, AuthClock: clockwork.NewRealClock(), BaseURL: "http://github.test"})
	w.github.SetRateLimit(1 << 30)
	w.github.AddOrganization("acme")
	w.repo = issues.Repository{Owner: "acme", Name: "widgets", ID: w.github.AddRepository("acme", "widgets")}
	for _, login := range []string{"olivia", "mona"} {
		w.github.AddUser(login)
		w.github.SetPermission("acme", "widgets", login, "write")
	}
	w.must(w.github.RegisterApp(apptest.App(apptest.ShortKey())))
	c := apptest.ConfigAt("http://github.test", apptest.ShortKey())
	for _, f := range change {
		f(&c)
	}
	w.config, w.queue = c, newMemoryQueue(w.clock)
	w.start()
	w.repo.Installation = w.github.Install(apptest.ID, "acme")
	w.sweep(time.Hour) // provisions the labels, and judges from now on
	w.clock.Advance(time.Minute)
	return w
}

// start replaces the Colony by another replica, which knows nothing.
func (w *slowGitHub) start() {
	w.Helper()
	log := zerolog.New(zerolog.NewTestWriter(w)).Level(zerolog.ErrorLevel)
	parts, err := app.NewParts(w.config, app.Options{Clock: w.clock, Transport: w, Log: log}, prometheus.NewRegistry())
	w.must(err)
	parts.Actors.SetSelf(apptest.Login)
	ready := make(chan struct{})
	close(ready)
	w.parts, w.worker = parts, parts.NewWorker(w.queue, ready)
}

func (w *slowGitHub) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// RoundTrip implements http.RoundTripper.
func (w *slowGitHub) RoundTrip(request *http.Request) (*http.Response, error) {
	w.clock.Advance(w.took)
	if w.slow != "" && request.URL.Path == w.slow {
		w.clock.Advance(taskTime)
	}
	if err := w.task.Err(); err != nil {
		return nil, err
	}
	w.calls++
	if response, there := w.again(request); there {
		return response, nil
	}
	recorder := httptest.NewRecorder()
	if w.down || w.failing != "" && request.URL.Path == w.failing {
		recorder.WriteHeader(http.StatusBadGateway)
	} else {
		served := request.Clone(request.Context())
		if served.Body == nil {
			served.Body = http.NoBody
		}
		w.github.Handler().ServeHTTP(recorder, served)
	}
	response := recorder.Result()
	response.Request = request
	if w.answers != nil {
		w.keep(request, response)
	}
	return response, nil
}

// call calls GitHub's API as a person.
func (w *slowGitHub) call(login, method, path string, body, into any) {
	w.Helper()
	text, err := json.Marshal(body)
	w.must(err)
	request := httptest.NewRequest(method, "http://github.test/api/v3"+path, bytes.NewReader(text))
	request.Header.Set("Authorization", "Bearer "+w.github.Token(login))
	request.Header.Set("User-Agent", "a person")
	recorder := httptest.NewRecorder()
	w.github.Handler().ServeHTTP(recorder, request)
	if recorder.Code >= 300 {
		w.Fatalf("%s %s: %s", method, path, recorder.Body)
	}
	w.must(json.Unmarshal(recorder.Body.Bytes(), into))
}

// inReview opens issues that wait for what becomes of their pull requests, and returns their numbers.
func (w *slowGitHub) inReview(n int) (numbers []int) {
	w.Helper()
	for range n {
		var opened struct{ Number int }
		w.call("olivia", http.MethodPost, "/repos/acme/widgets/issues", map[string]any{"title": "A widget that works", "labels": []string{"colony:in-review"}}, &opened)
		numbers = append(numbers, opened.Number)
		_, err := w.github.OpenPullRequest(playground.PullRequest{
			Owner: "acme", Name: "widgets", By: "olivia", Branch: fmt.Sprintf("work-on-%d", opened.Number), Body: fmt.Sprintf("Fixes #%d", opened.Number),
		})
		w.must(err)
	}
	w.clock.Advance(10 * time.Minute)
	return numbers
}

// sweep sweeps, and does everything that there is to do, as time goes on. It returns how many calls that took, and how long.
func (w *slowGitHub) sweep(most time.Duration) (calls int, took time.Duration) {
	w.Helper()
	begun := w.clock.Now()
	w.calls = 0
	w.must(w.worker.Sweeper.Sweep(context.Background()))
	w.rest(most)
	return w.calls, w.clock.Since(begun)
}

// rest does everything that there is to do.
func (w *slowGitHub) rest(most time.Duration) {
	w.Helper()
	for begun := w.clock.Now(); w.step(); {
		if w.clock.Since(begun) > most {
			w.Fatalf("there is no end to it after %s and %d calls", most, w.calls)
		}
	}
}

// step does one task, or waits for the next; it reports whether there was one.
func (w *slowGitHub) step() bool {
	w.Helper()
	ready := w.queue.ready()
	if len(ready) == 0 {
		due, ok := w.queue.next()
		if ok {
			w.clock.Advance(due.Sub(w.clock.Now()))
		}
		return ok
	}
	w.queue.take(ready[0])
	w.task = &taskContext{Context: context.Background(), clock: w.clock, until: w.clock.Now().Add(taskTime)}
	whole, with := w.queue.join(ready[0])
	requeue, err := w.worker.Take(w.task, whole)
	w.queue.settle(ready[0], whole, with, requeue, err, false)
	return true
}

// taskContext ends when the time of a task is up, by a clock that moves with the calls.
type taskContext struct {
	context.Context
	clock clockwork.Clock
	until time.Time
}

// Err implements context.Context.
func (c *taskContext) Err() error {
	if c.clock.Now().Before(c.until) {
		return nil
	}
	return context.DeadlineExceeded
}
