package queue

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/jonboulle/clockwork"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"
)

// DedupeWindow is how long the ID of a task is remembered. GitHub redelivers a webhook for three days
// (https://docs.github.com/webhooks/testing-and-troubleshooting-webhooks/redelivering-webhooks); the hour more is for clocks
// that differ. A task that no one worked on for as long is dropped: the sweep checks its issue anyway.
const DedupeWindow = 73 * time.Hour

// DefaultConcurrency is how many tasks are worked on at a time: below the 100 requests at a time that GitHub takes from an installation
// (https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits).
const DefaultConcurrency = 85

// Drain is how long work under way can take once the process is asked to stop.
const Drain = 20 * time.Second

// Options configures a Queue. A zero field means the default that is named with it.
type Options struct {
	Dir string // folder of the embedded server's files; used when URL is empty
	URL string // comma-separated addresses of an external NATS with JetStream; empty: embedded

	MaxBytes int64 // room for the tasks of one DedupeWindow, done or not; a quarter of it each for delayed ones and dead letters, an eighth for notes; 1 GiB

	Concurrency int             // tasks that this process works on at a time; 85
	Join        Join            // how tasks of an issue become one; nil: each runs alone
	Background  func(Task) bool // whether no one waits for a task: half of Concurrency is never used for such; nil: someone waits for each
	Drain       time.Duration   // running work can take this long to end when Run is stopped; 20 s

	// Clock measures delays, backoff and Drain; the real one. Leases are counted by the server, in real time.
	Clock      clockwork.Clock
	Log        zerolog.Logger
	Registerer prometheus.Registerer // nil: nothing is measured

	InMemory bool // for tests: the streams end with the process; Dir gets only what the server needs to start

	fixed
}

// fixed is what only tests give other values.
type fixed struct {
	prefix      string                     // starts the names of streams and subjects; "colony"
	partitions  int                        // tasks of this many issues can be worked on at a time over all replicas; 85, and 1 with the embedded server
	openTimeout time.Duration              // how long Open waits, in real time, for an external server that is not there yet or has no leader; a minute
	lease       time.Duration              // silence of a worker after which its task is given to another (JetStream's AckWait); 30 s
	window      int                        // tasks of a partition that are delivered at a time: 1, so that replicas keep off each other's issues; 1024 with the embedded server, see sequencer
	attempts    int                        // failures in a row after which a task is dead-lettered; 10
	backoff     backoff.ExponentialBackOff // waits between failures; 1 s, doubling up to 5 min, each ± 50 %
}

// withDefaults returns the options with every zero field replaced by its default.
func (o Options) withDefaults() Options {
	o.prefix = cmp.Or(o.prefix, "colony")
	if o.URL == "" {
		o.partitions = cmp.Or(o.partitions, 1)
		o.window = cmp.Or(o.window, window)
		o.Concurrency = cmp.Or(o.Concurrency, DefaultConcurrency)
	}
	o.partitions = cmp.Or(o.partitions, DefaultConcurrency)
	o.window = cmp.Or(o.window, 1)
	o.Concurrency = cmp.Or(o.Concurrency, min(DefaultConcurrency, o.partitions))
	o.MaxBytes = cmp.Or(o.MaxBytes, 1<<30)
	o.lease = cmp.Or(o.lease, 30*time.Second)
	o.attempts = cmp.Or(o.attempts, 10)
	o.openTimeout = cmp.Or(o.openTimeout, time.Minute)
	o.Drain = cmp.Or(o.Drain, Drain)
	o.Clock = cmp.Or(o.Clock, clockwork.NewRealClock())
	o.backoff = cmp.Or(o.backoff, backoff.ExponentialBackOff{
		InitialInterval: time.Second, RandomizationFactor: 0.5, Multiplier: 2, MaxInterval: 5 * time.Minute,
	})
	return o
}

const minBytes = 64 << 10

// validate returns an error that names every setting with an impossible value; nil if all are possible.
// It expects the defaults to be filled in.
func (o Options) validate() error {
	var errs []error
	require := func(ok bool, setting, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf("%s: %s", setting, fmt.Sprintf(format, args...)))
		}
	}
	require(o.Dir != "" || o.URL != "", "queue.dir", "a folder is needed where tasks are kept (or queue.url, the address of a NATS cluster)")
	require(o.MaxBytes >= minBytes, "queue.max_bytes", "%d is less than %d", o.MaxBytes, minBytes)
	require(o.Concurrency >= 1, "queue.concurrency", "%d is less than 1", o.Concurrency)
	require(o.URL == "" || o.Concurrency <= o.partitions, "queue.concurrency", "%d is more than the %d issues that all processes on queue.url work on at a time", o.Concurrency, o.partitions)
	require(o.Drain > 0, "drain", "%v is not positive", o.Drain)
	return errors.Join(errs...)
}

// workTime is how long one run of the Handler can take. It ends before the lease, so that a worker cut off from the server has
// stopped when another one starts.
func (o Options) workTime() time.Duration { return o.lease * 3 / 4 }

// wait returns the time between the n-th failure in a row (n ≥ 1) and the next attempt.
func (o Options) wait(n int) time.Duration {
	b := o.backoff
	b.Reset()
	var d time.Duration
	for range n {
		d = b.NextBackOff()
	}
	return d
}
