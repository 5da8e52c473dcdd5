package queue

import (
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/jonboulle/clockwork"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"
)

// DedupeWindow is how long the ID of a task is remembered. GitHub redelivers a webhook for three days
// (https://docs.github.com/webhooks/testing-and-troubleshooting-webhooks/redelivering-webhooks); the hour more is for clocks
// that differ. A task that nobody worked on for as long is dropped: the sweep checks its issue anyway.
const DedupeWindow = 73 * time.Hour

// Options configures a Queue. A zero field means the default that is named with it.
type Options struct {
	Dir string // folder of the embedded server's files; used when URL is empty
	URL string // comma-separated addresses of an external NATS with JetStream; empty: embedded

	Prefix     string // starts the names of streams and subjects, so that several Colonies can share a cluster; "colony"
	Partitions int    // tasks of this many issues can be worked on at once over all replicas; 64
	Replicas   int    // copies that a cluster keeps of each stream; 3 in a cluster, else 1
	MaxBytes   int64  // room for the tasks of one DedupeWindow, done or not; a quarter of it each for delayed ones and dead letters, an eighth for notes; 1 GiB

	// OpenTimeout is how long Open waits for an external server that is not there yet, or has no leader; a minute. In real time.
	OpenTimeout time.Duration

	Concurrency int                        // tasks that this process works on at once; Partitions
	Lease       time.Duration              // silence of a worker after which its task is given to another (JetStream's AckWait); 30 s
	Attempts    int                        // failures in a row after which a task is dead-lettered; 10
	Backoff     backoff.ExponentialBackOff // waits between failures; 1 s, doubling up to 5 min, each ± 50 %
	Join        Join                       // how tasks of an issue become one; nil: each runs alone
	Drain       time.Duration              // running work may take this long to end when Run is stopped; 20 s

	// Clock measures delays, backoff and Drain; the real one. Leases are counted by the server, in real time.
	Clock      clockwork.Clock
	Log        zerolog.Logger
	Registerer prometheus.Registerer // nil: nothing is measured
}

// WithDefaults returns the options with every zero field replaced by its default.
func (o Options) WithDefaults() Options {
	setDefault(&o.Prefix, "colony")
	setDefault(&o.Partitions, 64)
	setDefault(&o.MaxBytes, 1<<30)
	setDefault(&o.Concurrency, o.Partitions)
	setDefault(&o.Lease, 30*time.Second)
	setDefault(&o.Attempts, 10)
	setDefault(&o.OpenTimeout, time.Minute)
	setDefault(&o.Drain, 20*time.Second)
	if o.Backoff == (backoff.ExponentialBackOff{}) {
		o.Backoff = backoff.ExponentialBackOff{
			InitialInterval:     time.Second,
			RandomizationFactor: 0.5,
			Multiplier:          2,
			MaxInterval:         5 * time.Minute,
		}
	}
	if o.Clock == nil {
		o.Clock = clockwork.NewRealClock()
	}
	return o
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// prefixPattern: what may stand in a stream's name and in one token of a subject.
var prefixPattern = regexp.MustCompile(`^[A-Za-z0-9_-]{1,32}$`)

const (
	minLease      = 100 * time.Millisecond // below it, heartbeats would come too late
	minBytes      = 64 << 10
	maxPartitions = 1024
)

// Validate returns an error that names every setting with an impossible value; nil if there is none.
// It expects the defaults to be filled in.
func (o Options) Validate() error {
	var errs []error
	require := func(ok bool, setting, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf("%s: %s", setting, fmt.Sprintf(format, args...)))
		}
	}
	require(o.Dir != "" || o.URL != "", "queue.dir", "a folder is needed where tasks are kept (or queue.url, the address of a NATS cluster)")
	require(prefixPattern.MatchString(o.Prefix), "queue.prefix", "%q is not 1 to 32 letters, digits, hyphens and underscores", o.Prefix)
	require(o.Partitions >= 1 && o.Partitions <= maxPartitions, "queue.partitions", "%d is not between 1 and %d", o.Partitions, maxPartitions)
	require(o.Replicas >= 0 && o.Replicas <= 5, "queue.replicas", "%d is not between 1 and 5", o.Replicas)
	require(o.URL != "" || o.Replicas <= 1, "queue.replicas", "%d copies need a cluster (queue.url)", o.Replicas)
	require(o.MaxBytes >= minBytes, "queue.max_bytes", "%d is less than %d", o.MaxBytes, minBytes)
	require(o.Concurrency >= 1, "queue.concurrency", "%d is less than 1", o.Concurrency)
	require(o.Concurrency <= o.Partitions, "queue.concurrency", "%d is more than can be worked on at once; raise queue.partitions, which is %d", o.Concurrency, o.Partitions)
	require(o.Lease >= minLease, "queue.lease", "%v is less than %v", o.Lease, minLease)
	require(o.Attempts >= 1, "queue.attempts", "%d is less than 1", o.Attempts)
	require(o.Drain > 0, "queue.drain", "%v is not positive", o.Drain)
	b := o.Backoff
	require(b.InitialInterval > 0 && b.MaxInterval >= b.InitialInterval && b.Multiplier >= 1 &&
		b.RandomizationFactor >= 0 && b.RandomizationFactor < 1, "queue.backoff",
		"needs 0 < initial ≤ max, a multiplier of at least 1 and a jitter from 0 to below 1 (initial %v, max %v, multiplier %v, jitter %v)",
		b.InitialInterval, b.MaxInterval, b.Multiplier, b.RandomizationFactor)
	return errors.Join(errs...)
}

// workTime is how long one run of the Handler may take. It ends before the lease, so that a worker cut off from the server has
// stopped when another one starts.
func (o Options) workTime() time.Duration { return o.Lease * 3 / 4 }

// wait returns the time between the n-th failure in a row (n ≥ 1) and the next attempt.
func (o Options) wait(n int) time.Duration {
	b := o.Backoff
	b.Reset()
	var d time.Duration
	for range n {
		d = b.NextBackOff()
	}
	return d
}
