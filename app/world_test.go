package app_test

import (
	"context"
	"net"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/jonboulle/clockwork"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/board"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/queue"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/bench/apptest"
	"github.com/colony-app/colony/playground"
)

// patience bounds a wait for something that is sure to come; it is no assertion on time.
const patience = 3 * time.Minute

const (
	appID         = apptest.ID
	webhookSecret = apptest.Secret
)

// world is a world with a Colony as it is served.
type world struct {
	*acme.World

	t      testing.TB
	clock  *clockwork.FakeClock
	people *acme.GitHub
	github *playground.Playground
	config config.Config
	colony *colony
	url    string
	// journal takes Colony's log; nil: nobody reads it.
	journal *journal
	// transport carries Colony's calls to GitHub; nil: none of them crosses a network, which takes time. Those that
	// fail or crash do, like each webhook.
	transport http.RoundTripper
	// listening changes the listener of the next Colony; nil: nothing does.
	listening func(net.Listener) net.Listener
	// board says who may look at the board; nil: there is none.
	board board.Gate
	// inMemory says that a Colony with a queue in memory was started: what it has is gone with it.
	inMemory bool
}

// colony is one running process of Colony.
type colony struct {
	server *app.Server
	stop   context.CancelFunc
	done   chan error
	// address is where it listens.
	address string
}

// newWorld starts a GitHub with the repository acme/widgets and its people, and Colony installed on it.
func newWorld(t testing.TB, change ...func(*config.Config)) *world {
	t.Helper()
	w := newWorldWithoutColony(t, change...)
	w.makeLabels()
	w.start()
	w.install()
	return w
}

// makeLabels makes the labels of the lifecycle in acme/widgets.
func (w *world) makeLabels() {
	w.people.Config = w.config
	w.people.MakeLabels()
}

func newWorldWithoutColony(t testing.TB, change ...func(*config.Config)) *world {
	t.Helper()
	w := newWorldAt(t, acme.Today(), change...)
	w.clock = w.Clock
	t.Cleanup(w.Silence)
	return w
}

// newWorldAt is a GitHub with people, at a clock that nobody may move.
func newWorldAt(t testing.TB, clock clockwork.Clock, change ...func(*config.Config)) *world {
	t.Helper()
	people := acme.At(t, clock)
	w := &world{World: acme.NewWorld(people), t: t, people: people, github: people.Playground, url: people.URL}
	w.Colony = w
	t.Cleanup(func() { *w = world{t: t} }) // package testing keeps what a cleanup refers to until all tests have ended

	c := people.Config
	c.Queue.Dir = "" // in memory; see onDisk
	c.Queue.Concurrency = 4
	c.Sweep.Interval = 0 // but the one at the start: those by the timer come when their goroutine gets round to it; see sweep
	for _, f := range change {
		f(&c)
	}
	w.config = c
	return w
}

// onDisk keeps the queue on the disk, for tests that restart, crash, lose or replicate. Every other test has its streams in memory.
func onDisk(t testing.TB) func(*config.Config) {
	t.Helper()
	return func(c *config.Config) { c.Queue.Dir = t.TempDir() }
}

// start runs a Colony; the App's webhooks go to it.
func (w *world) start() {
	w.t.Helper()
	log := zerolog.Nop()
	if w.journal != nil {
		log = zerolog.New(w.journal)
	}
	if os.Getenv("COLONY_TEST_LOG") != "" {
		log = zerolog.New(zerolog.ConsoleWriter{Out: os.Stderr, NoColor: true})
	}
	transport := w.transport
	if transport == nil {
		transport = w.people.Wire
	}
	server, err := app.New(context.Background(), w.config, app.Options{Clock: w.clock, Log: log, Transport: transport, Board: w.board, OpenQueue: w.openQueue()})
	w.Must(err)
	w.run(server)
}

// openQueue says how the next Colony opens its queue.
func (w *world) openQueue() func(context.Context, queue.Options) (app.Queue, error) {
	if w.config.Queue.Dir != "" || w.config.Queue.URL != "" {
		return nil
	}
	if w.inMemory {
		w.t.Fatal("a Colony that starts again needs a queue that outlives it: newWorld(t, onDisk(t))")
	}
	w.inMemory = true
	return func(ctx context.Context, o queue.Options) (app.Queue, error) {
		o.Dir, o.InMemory = w.t.TempDir(), true
		return queue.Open(ctx, o)
	}
}

// run runs a server; the App's webhooks go to it, at the address that it returns.
func (w *world) run(server *app.Server) (address string) {
	w.t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	w.Must(err)
	if w.listening != nil {
		listener = w.listening(listener)
	}
	ctx, stop := context.WithCancel(context.Background())
	c := &colony{server: server, stop: stop, done: make(chan error, 1)}
	go func() {
		c.done <- server.Run(ctx, listener)
		close(c.done)
	}()
	w.colony = c
	address = listener.Addr().String()
	c.address = "http://" + address
	w.github.SetWebhookURL(appID, "http://"+address+"/api/github/hook")
	w.t.Cleanup(w.stopColony)
	return address
}

func (w *world) stopColony() {
	w.t.Helper()
	if w.colony == nil {
		return
	}
	w.colony.stop()
	w.Must(<-w.colony.done)
	w.colony = nil
}

func (w *world) install() {
	w.t.Helper()
	w.Install("acme")
	w.Settle()
}

// Idle implements acme.Colony: of the Colony that w.colony is by now.
func (w *world) Idle(ctx context.Context) error {
	if w.colony == nil {
		return nil
	}
	return w.colony.server.Idle(ctx)
}

// Delayed implements acme.Colony, as /readyz shows.
func (w *world) Delayed() int {
	if w.colony == nil {
		return 0
	}
	return w.colony.ready().Queue.Delayed
}

// Paced implements acme.Colony.
func (w *world) Paced() map[int64]time.Time { return w.colony.ready().Paced.Looks }

// issue is one issue of acme/widgets as the people of a test see it.
type issue struct {
	*acme.Issue
	*world
}

// open opens an issue, with labels.
func (w *world) open(by, body string, labels ...string) *issue {
	w.t.Helper()
	return &issue{w.NewIssue(by, body, labels...), w}
}

// heed lets what Colony says on an issue have to be read.
func (w *world) heed(number int) *issue { return &issue{w.Heed(number), w} }

// stateful opens an issue that is settled in a state.
func (w *world) stateful(label string) *issue {
	w.t.Helper()
	i := &issue{w.OpenIn(label, ""), w}
	w.Settle()
	return i
}
