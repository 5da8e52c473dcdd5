// Package demo shows Colony to people who have no GitHub at hand: a world in which the playground and Colony run in one
// process, over HTTP and with signed webhooks, and a story that is played in it.
package demo

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"sync"

	"github.com/jonboulle/clockwork"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/board"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/permissions"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/playground"
)

// AppID is the id of Colony's App on the demo's playground; its slug is "colony".
const AppID = 7

// Options configures a World.
type Options struct {
	Production Production
	Address    string          // where the playground listens; "127.0.0.1:0" picks a port
	Hosts      []string        // further names by which it is called
	Clock      clockwork.Clock // of the playground and of Colony; nil means the real one
	Log        zerolog.Logger  // of Colony
	// SweepOnce lets Colony sweep only at its start: later sweeps come at times that nobody can foretell.
	SweepOnce bool
}

// World is a playground with Colony running on it. Close ends it.
type World struct {
	Playground *playground.Playground
	GitHubURL  string // the playground: its page, and its REST API below /api/v3
	ColonyURL  string // Colony: its board, the JSON API, /readyz, /metrics, and the webhook at /api/github/hook

	colony  *app.Server
	clock   clockwork.Clock
	key     *rsa.PrivateKey
	folder  string
	stop    context.CancelFunc
	ended   chan struct{} // closed when Colony does not run any more
	endedOf error
	closing sync.Once
	closed  error
}

// appKey is the App's key, one for all worlds of a process, because making one takes long.
var appKey = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

// Open makes a world with people and issues in it and starts Colony there, but does not install it yet. It ends when
// ctx does, or with Close.
func Open(ctx context.Context, o Options) (w *World, err error) {
	if o.Clock == nil {
		o.Clock = clockwork.NewRealClock()
	}
	w = &World{clock: o.Clock, ended: make(chan struct{})}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.Close())
			w = nil
		}
	}()
	w.Playground = playground.New(playground.Options{Clock: o.Clock, AuthClock: clockwork.NewRealClock(), Hosts: o.Hosts})
	if w.GitHubURL, err = w.Playground.Start(o.Address); err != nil {
		return w, err
	}
	if err := o.Production.Seed(ctx, w.Playground); err != nil {
		return w, err
	}
	if w.key, err = appKey(); err != nil {
		return w, fmt.Errorf("make the App's key: %w", err)
	}
	if w.folder, err = os.MkdirTemp("", "colony-demo-"); err != nil {
		return w, fmt.Errorf("make a folder for the queue: %w", err)
	}
	err = w.startColony(ctx, o)
	return w, err
}

func (w *World) startColony(ctx context.Context, o Options) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen for webhooks: %w", err)
	}
	w.ColonyURL = "http://" + listener.Addr().String()
	secret := rand.Text()
	err = w.Playground.RegisterApp(playground.App{
		ID: AppID, Slug: "colony", Name: "Colony", PublicKey: &w.key.PublicKey,
		WebhookURL: w.ColonyURL + "/api/github/hook", WebhookSecret: secret, Permissions: o.Production.permissions(), Events: permissions.Subscriptions(),
	})
	if err == nil {
		config := w.config(secret, o.Production)
		if o.SweepOnce {
			config.Sweep.Interval = 0
		}
		w.colony, err = app.New(ctx, config, app.Options{
			Clock: w.clock, Log: o.Log, Board: board.Open{}, // only this machine reaches it, whoever reaches the GitHub
			Guard: func(next http.Handler) http.Handler { return playground.OnlyHosts(next, o.Hosts...) },
		})
	}
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	ctx, w.stop = context.WithCancel(ctx)
	go func() {
		defer close(w.ended)
		w.endedOf = w.colony.Run(ctx, listener)
	}()
	return nil
}

// permissions are those that the App has: to read teams only where guards ask about them.
func (d Production) permissions() map[string]string {
	if len(d.Teams) > 0 {
		return permissions.All(permissions.Teams)
	}
	return permissions.All()
}

// queueRoom is plenty for a demo, in bytes.
const queueRoom = 64 << 20

func (w *World) config(secret string, d Production) config.Config {
	c := config.Default()
	c.Mode = lifecycle.ModeEnforce
	c.Adopt = true // the issues of the story were there before
	c.API.Enabled = true
	c.GitHub.WebURL = w.GitHubURL
	c.GitHub.V3APIURL = w.GitHubURL + "/api/v3/"
	c.GitHub.Budget = ratelimit.Share(0) // the playground has no limits
	c.GitHub.App.IntegrationID = AppID
	c.GitHub.App.WebhookSecret = secret
	c.GitHub.App.PrivateKey = string(playground.PrivateKeyPEM(w.key))
	c.Queue.Dir, c.Queue.MaxBytes = w.folder, queueRoom
	if d.File == "" {
		c.Lifecycle = d.Lifecycle
	}
	c.Follow = d.Follow
	c.Executors.Logins = bindings(d.People)
	return c
}

// Install installs Colony on the organization.
func (w *World) Install() { w.Playground.Install(AppID, Owner) }

// Rest returns once nothing is under way: every webhook is answered and every task that is due is done. Tasks
// that wait for a later time do not count.
func (w *World) Rest(ctx context.Context) error {
	ctx, stop := w.whileRunning(ctx)
	defer stop()
	for {
		sent := len(w.Playground.Deliveries())
		if err := w.Playground.Quiet(ctx); err != nil {
			return errors.Join(err, context.Cause(ctx))
		}
		if err := w.colony.Idle(ctx); err != nil {
			return errors.Join(err, context.Cause(ctx))
		}
		if len(w.Playground.Deliveries()) == sent { // what Colony wrote would have been told by another
			return nil
		}
	}
}

// errColonyEnded says that Colony ended while somebody waited for it.
var errColonyEnded = errors.New("nobody is there: Colony has ended")

// whileRunning is a context that ends when Colony does.
func (w *World) whileRunning(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	ended := func() { cancel(errors.Join(errColonyEnded, w.endedOf)) }
	select {
	case <-w.ended:
		ended()
	default:
	}
	go func() {
		select {
		case <-w.ended:
			ended()
		case <-ctx.Done():
		}
	}()
	return ctx, func() { cancel(nil) }
}

// Ended is closed when Colony does not run any more.
func (w *World) Ended() <-chan struct{} { return w.ended }

// putOff asks Colony how many tasks wait for a later time, and how many it gave up.
func (w *World) putOff(ctx context.Context) (delayed, dead int, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, w.ColonyURL+"/readyz", http.NoBody)
	if err != nil {
		return 0, 0, fmt.Errorf("ask Colony which tasks wait: %w", err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, 0, fmt.Errorf("ask Colony which tasks wait: %w", err)
	}
	defer response.Body.Close()
	var answer struct {
		Ready bool
		Queue struct{ Delayed, Dead int }
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil || !answer.Ready {
		return 0, 0, fmt.Errorf("ask Colony which tasks wait: it is not ready: %s: %w", response.Status, err)
	}
	return answer.Queue.Delayed, answer.Queue.Dead, nil
}

// Close ends Colony, then the playground, and removes the queue. It returns what Colony ended with, each time.
func (w *World) Close() error {
	w.closing.Do(func() {
		if w.stop != nil {
			w.stop()
			<-w.ended
			w.closed = w.endedOf
		}
		w.closed = errors.Join(w.closed, w.Playground.Close())
		if w.folder != "" {
			w.closed = errors.Join(w.closed, os.RemoveAll(w.folder))
		}
	})
	return w.closed
}
