package queue

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/rs/zerolog"
)

// patience bounds a wait for something that is sure to come; it is no assertion on time.
const patience = 3 * time.Minute

// open opens a queue that is closed with the test.
func open(t testing.TB, o Options) *Queue {
	t.Helper()
	if o.Dir == "" && o.URL == "" {
		o.Dir = t.TempDir()
	}
	q, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closed(t, q) })
	return q
}

func closed(t testing.TB, q *Queue) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := q.Close(ctx); err != nil {
		t.Error(err)
	}
}

// start runs work until the returned function is called, which returns what Run returned.
func start(t testing.TB, q *Queue, work Handler) (stop func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- q.Run(ctx, work) }()
	stop = func() error {
		cancel()
		err := <-done
		done <- err
		return err
	}
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Errorf("Run: %v", err)
		}
	})
	return stop
}

func publish(t testing.TB, q *Queue, tasks ...Task) {
	t.Helper()
	for _, task := range tasks {
		if dup, err := q.Publish(t.Context(), task); err != nil || dup {
			t.Fatalf("publish %s: duplicate %v, error %v", task.ID, dup, err)
		}
	}
}

// running begins a run; stopped gets what it ended with.
func running(t testing.TB, q *Queue, work Handler) (stop context.CancelFunc, stopped <-chan error) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- q.Run(ctx, work) }()
	return stop, ended
}

// idle waits until there is nothing to do; a test that would wait for ever fails.
func idle(t testing.TB, q *Queue) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := q.Idle(ctx); err != nil {
		c, _ := q.Pending(t.Context())
		t.Fatalf("%v (%+v)", err, c)
	}
}

func receive[T any](t testing.TB, ch <-chan T) T {
	t.Helper()
	select {
	case v := <-ch:
		return v
	case <-time.After(patience):
		t.Fatal("waited in vain")
		panic("unreachable")
	}
}

// external starts a NATS server on a loopback port, as an operator would run one beside Colony.
func external(t testing.TB) (url string) {
	t.Helper()
	s, err := server.NewServer(&server.Options{
		ServerName: "external", Host: "127.0.0.1", Port: -1, NoSigs: true, NoLog: true,
		JetStream: true, StoreDir: t.TempDir(), SyncAlways: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	if !s.ReadyForConnections(patience) {
		t.Fatal("the server does not start")
	}
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	return s.ClientURL()
}

func plainBackoff() backoff.ExponentialBackOff {
	return backoff.ExponentialBackOff{InitialInterval: time.Second, Multiplier: 2, MaxInterval: 4 * time.Second}
}

func testLog(t testing.TB) zerolog.Logger {
	t.Helper()
	return zerolog.New(zerolog.NewTestWriter(t))
}

func TestOptionsAreChecked(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		o    Options
		want string
	}{
		{"nowhere", Options{}, "queue.dir: a folder is needed"},
		{"a file in the folder's place", Options{Dir: file}, "queue.dir: create the folder"},
		{"a folder below a file", Options{Dir: filepath.Join(file, "below")}, "queue.dir: create the folder"},
		{"nobody listens", Options{URL: "nats://somebody:secret@127.0.0.1:1", fixed: fixed{openTimeout: 1}}, "queue.url: connect to nats://xxxxx@127.0.0.1:1"},
		{"bytes", Options{Dir: "d", MaxBytes: 1}, "queue.max_bytes"},
		{"concurrency", Options{Dir: "d", Concurrency: -1}, "queue.concurrency"},
		{"more at once than partitions", Options{URL: "nats://n", Concurrency: 86}, "queue.concurrency: 86 is more than the 85 issues that all processes on queue.url work on at a time"},
		{"drain", Options{Dir: "d", Drain: -1}, "drain: "},
	} {
		t.Run(test.name, func(t *testing.T) {
			q, err := Open(t.Context(), test.o)
			if err == nil {
				closed(t, q)
				t.Fatal("opened")
			}
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %q does not say %q", err, test.want)
			}
			if strings.Contains(err.Error(), "secret") {
				t.Errorf("error %q shows the password", err)
			}
		})
	}
}

func TestTaskIsChecked(t *testing.T) {
	q := open(t, Options{})
	for _, task := range []Task{{}, {ID: "a b"}, {ID: "a\r\nNats-Rollup: all"}, {ID: strings.Repeat("x", 257)}, {ID: "x", Repository: -1}, {ID: "x", Issue: -1}} {
		if _, err := q.Publish(t.Context(), task); err == nil {
			t.Errorf("%+v was accepted", task)
		}
	}
}

func TestFolderIsLocked(t *testing.T) {
	dir := t.TempDir()
	first := open(t, Options{Dir: dir})
	_, err := Open(t.Context(), Options{Dir: dir})
	want := fmt.Sprintf("is in use by another process (pid %d)", os.Getpid())
	if err == nil || !strings.Contains(err.Error(), "queue.dir") || !strings.Contains(err.Error(), want) {
		t.Fatalf("second queue on the folder: %v", err)
	}
	closed(t, first)
	open(t, Options{Dir: dir})
}

func TestClosedQueueRefuses(t *testing.T) {
	q := open(t, Options{})
	closed(t, q)
	if _, err := q.Publish(t.Context(), Task{ID: "x"}); !errors.Is(err, ErrClosed) {
		t.Errorf("Publish: %v", err)
	}
	if err := q.Run(t.Context(), nil); !errors.Is(err, ErrClosed) {
		t.Errorf("Run: %v", err)
	}
}
