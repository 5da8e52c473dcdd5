package budget

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"time"

	"github.com/jonboulle/clockwork"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/permissions"
	"github.com/colony-app/colony/app/queue"
	"github.com/colony-app/colony/bench/organisation"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/policy"
)

// What there is on the GitHub of a measurement.
const (
	owner = "acme"
	appID = 7
	login = "colony[bot]"
	base  = "http://github.test"

	latency = 50 * time.Millisecond // of each call of the App
)

// world is an organisation on a playground with GitHub's limits, and a Colony with its defaults, in one process and at a simulated time. Webhooks
// and calls go from one to the other without a network.
type world struct {
	clock  *clock
	github *playground.Playground
	names  []string // of the repositories
	config config.Config
	calls  *calls
	colony *app.Server
	folder string
	stop   context.CancelFunc
	ended  chan error
	crowd  stock // of the first repository
	others stock // of all others
}

// newWorld makes an organisation with repositories. Colony does not run yet, and is not installed.
func newWorld(repositories int, people []string) (w *world, err error) {
	w = &world{clock: newClock(), ended: make(chan error, 1)}
	w.github = playground.New(playground.Options{
		Clock: w.clock, AuthClock: clockwork.NewRealClock(), BaseURL: base,
		Webhooks: ratelimit.RoundTripperFunc(func(r *http.Request) (*http.Response, error) { return direct(w.colony.Handler(), r), nil }),
	})
	w.github.AddOrganization(owner)
	for _, person := range people {
		w.github.AddUser(person)
	}
	for n := range repositories {
		w.names = append(w.names, fmt.Sprintf("part-%03d", n))
		w.github.AddRepository(owner, w.names[n])
		for _, person := range people {
			w.github.SetPermission(owner, w.names[n], person, "write")
		}
	}
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, fmt.Errorf("make the App's key: %w", err)
	}
	const secret = "only for measurements" // of webhooks
	if err := w.github.RegisterApp(playground.App{
		ID: appID, Slug: "colony", Name: "Colony", PublicKey: &key.PublicKey, WebhookURL: "http://colony.test/api/github/hook", WebhookSecret: secret,
		Permissions: permissions.All(), Events: permissions.Subscriptions(),
	}); err != nil {
		return nil, fmt.Errorf("register the App: %w", err)
	}
	w.config = config.Default()
	w.config.GitHub.WebURL, w.config.GitHub.V3APIURL = base, base+"/api/v3/"
	w.config.GitHub.App.IntegrationID, w.config.GitHub.App.WebhookSecret = appID, secret
	w.config.GitHub.App.PrivateKey = string(playground.PrivateKeyPEM(key))
	w.calls = &calls{world: w, moves: map[string]*move{}}
	return w, nil
}

// start turns GitHub's limits on, and starts Colony, with its queue in memory: a disk would take real time.
func (w *world) start(ctx context.Context) (err error) {
	w.github.SetRateLimit(organisation.CallsPerHour(Organisation.Repositories))
	w.github.SetPointLimit(ratelimit.GitHubPoints)
	if w.folder, err = os.MkdirTemp("", "colony-bench-budget-"); err != nil {
		return fmt.Errorf("make a folder for the queue: %w", err)
	}
	w.colony, err = app.New(ctx, w.config, app.Options{
		Clock: w.clock, Transport: w.calls, Log: zerolog.Nop(), OpenQueue: func(ctx context.Context, o queue.Options) (app.Queue, error) {
			o.Dir, o.InMemory = w.folder, true
			return queue.Open(ctx, o)
		},
	})
	if err != nil {
		return fmt.Errorf("start Colony: %w", err)
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("start Colony: %w", err)
	}
	ctx, w.stop = context.WithCancel(ctx)
	go func() { w.ended <- w.colony.Run(ctx, listener) }()
	return nil
}

// close ends Colony and its GitHub.
func (w *world) close() (err error) {
	if w.stop != nil {
		w.stop()
		// A call under way ends by the simulated time only.
		err = w.clock.passTo(context.Background(), w.clock.Now().Add(hour), func() bool { return len(w.ended) > 0 })
		err = errors.Join(err, <-w.ended)
	}
	if w.folder != "" {
		err = errors.Join(err, os.RemoveAll(w.folder))
	}
	if w.github == nil {
		return err
	}
	if unknown := w.github.Unimplemented(); len(unknown) > 0 {
		err = errors.Join(err, fmt.Errorf("the playground was asked for what it does not have: %v", unknown))
	}
	return errors.Join(err, w.github.Close())
}

// optIn lets repositories opt in.
func (w *world) optIn(names []string) error {
	for _, name := range names {
		if err := w.github.SetFile(owner, name, policy.SettingsFile, "mode: enforce\n"); err != nil {
			return fmt.Errorf("let %s opt in: %w", name, err)
		}
	}
	return nil
}

// act calls the REST API about a repository as a person.
func (w *world) act(person, method, path string, body, into any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	request := httptest.NewRequestWithContext(context.Background(), method, base+"/api/v3/repos/"+owner+"/"+path, bytes.NewReader(text))
	request.Header.Set("Authorization", "Bearer "+w.github.Token(person))
	answer := direct(w.github.Handler(), request)
	defer answer.Body.Close()
	if answer.StatusCode >= http.StatusBadRequest {
		return fmt.Errorf("%s %s is answered with %s", method, path, answer.Status)
	}
	if err := json.NewDecoder(answer.Body).Decode(into); err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	return nil
}

// direct carries a request to a handler without a network.
func direct(handler http.Handler, request *http.Request) *http.Response {
	recorder := httptest.NewRecorder()
	served := request.Clone(request.Context())
	if served.Body == nil {
		served.Body = http.NoBody
	}
	served.RemoteAddr = "127.0.0.1:1"
	handler.ServeHTTP(recorder, served)
	response := recorder.Result()
	response.Request = request
	return response
}
