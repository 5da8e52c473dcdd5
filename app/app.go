// Package app wires Colony together: configuration, GitHub's clients, the queue, the reconciler, and the HTTP server.
package app

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/jonboulle/clockwork"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app/board"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/queue"
	"github.com/colony-app/colony/app/worker"
	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/handlers"
)

// Options are what a process gives to Colony besides its configuration; tests give others. The zero value is right for
// a process of its own.
type Options struct {
	Clock     clockwork.Clock
	Transport http.RoundTripper // to GitHub
	Log       zerolog.Logger
	Guard     func(http.Handler) http.Handler // around Handler; nil: every request is answered, as behind a proxy
	Login     string                          // of the App's bot; empty: Run asks GitHub for it before anything else
	Token     string                          // acts with it, and not for the App's installations; empty for a server
	Board     board.Gate                      // says who can look at the board; nil: the configuration decides
	Fork      func(do func()) (join func())   // reads from GitHub at the same time as others; nil: in a goroutine
	Waits     func(time.Duration)             // is called before each wait for a rate limit; nil: a call that one refuses fails

	// Reads returns the permissions, by name, that the tokens of a process have which changes nothing on GitHub; granted is what the
	// installation grants on the repository that was named, nil if none was. nil: the process can change something.
	Reads func(granted map[string]string) map[string]string

	OpenQueue func(context.Context, queue.Options) (Queue, error) // nil: on JetStream
}

// WithDefaults returns the options with what every process needs.
func (o Options) WithDefaults() Options {
	if o.Clock == nil {
		o.Clock = clockwork.NewRealClock()
	}
	if o.Transport == nil {
		o.Transport = client.NewTransport()
	}
	if o.Fork == nil {
		o.Fork = issues.InParallel
	}
	return o
}

// Queue keeps the tasks that Colony has accepted until they are done; see package queue.
type Queue interface {
	worker.Queue
	Run(ctx context.Context, work queue.Handler) error
	Subscribe(heard func(word []byte)) error // to what other replicas broadcast
	Pending(ctx context.Context) (queue.Counts, error)
	Delays() []queue.Delay
	Ledger() queue.Ledger // of the replicas
	Idle(ctx context.Context) error
	Close(ctx context.Context) error
}

// Server is one running Colony.
type Server struct {
	config   config.Config
	clock    clockwork.Clock
	log      zerolog.Logger
	parts    *Parts
	queue    Queue
	worker   *worker.Worker
	board    *board.Pages // nil: the server has no board
	digester *digester    // nil: no one wants a digest
	filler   *board.Filler
	news     handlers.News
	handler  http.Handler
	identity chan struct{} // closed once Colony knows who it is
	begun    chan struct{} // closed once the first sweep was asked for
}

// New opens the queue and makes everything ready; Run starts it. It fails with an error that names the setting if
// Colony cannot run with the configuration.
func New(ctx context.Context, c config.Config, o Options) (*Server, error) {
	o = o.WithDefaults()
	metrics := prometheus.NewRegistry()
	parts, err := NewParts(c, o, metrics)
	if err != nil {
		return nil, err
	}
	s := &Server{config: c, clock: o.Clock, log: o.Log, parts: parts, identity: make(chan struct{}), begun: make(chan struct{})}
	if s.queue, err = openQueue(ctx, c, o, metrics); err != nil {
		return nil, fmt.Errorf("open the queue: %w", err)
	}
	if c.Queue.URL != "" {
		parts.Limiter.ShareBy(s.queue.Ledger())
		if err := s.queue.Ledger().Watch(parts.Limiter.ShareChanged); err != nil {
			return nil, errors.Join(err, s.Close(ctx))
		}
	}
	s.worker = parts.NewWorker(s.queue, s.identity)
	s.news.Gone = parts.Reconciler.Gone
	if o.Login != "" {
		parts.Actors.SetSelf(o.Login)
		close(s.identity)
	}
	metrics.MustRegister(newDepths(s))
	if err := s.openBoard(o); err != nil {
		return nil, errors.Join(err, s.Close(ctx))
	}
	if err := s.queue.Subscribe(s.worker.OnBroadcast); err != nil {
		return nil, errors.Join(err, s.Close(ctx))
	}
	s.handler = s.routes(metrics)
	if o.Guard != nil {
		s.handler = o.Guard(s.handler)
	}
	return s, nil
}

func openQueue(ctx context.Context, c config.Config, o Options, metrics prometheus.Registerer) (Queue, error) {
	options := queue.Options{
		Dir: c.Queue.Dir, URL: c.Queue.URL, Concurrency: c.Queue.Concurrency, MaxBytes: c.Queue.MaxBytes,
		Join: worker.Join, Background: worker.Background, Clock: o.Clock, Log: o.Log, Registerer: metrics,
	}
	if o.OpenQueue != nil {
		return o.OpenQueue(ctx, options)
	}
	return queue.Open(ctx, options)
}
