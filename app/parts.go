package app

import (
	"context"
	"fmt"

	"github.com/golang-jwt/jwt/v4"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/colony-app/colony/app/access"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/inspect"
	"github.com/colony-app/colony/app/notify"
	"github.com/colony-app/colony/app/permissions"
	"github.com/colony-app/colony/app/worker"
	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/github/teams"
	"github.com/colony-app/colony/handlers"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/reconcile"
)

// Parts are what Colony speaks to GitHub with. A server and every subcommand that asks GitHub something have them from NewParts.
type Parts struct {
	Clients    *client.Clients
	App        *client.App // nil for a process that has a token
	Actors     *issues.Actors
	Limiter    *ratelimit.Limiter
	Grants     *permissions.Grants
	Reconciler *reconcile.Reconciler
	// Access says who can read what. It asks GitHub with the token of the caller.
	Access *access.Reader

	config   config.Config
	options  Options
	sendings *worker.Sendings
	grants   map[string]string // of the installation on the repository that a subcommand names; nil: it names no repository
}

// NewParts makes the parts from a configuration, and registers their metrics. It fails with an error that names the setting if the
// configuration is wrong. It asks GitHub nothing.
func NewParts(c config.Config, o Options, metrics prometheus.Registerer) (*Parts, error) {
	o = o.WithDefaults()
	validate := c.Validate
	if o.Token != "" {
		validate = c.ValidateWithoutApp
	}
	if err := validate(); err != nil {
		return nil, err
	}
	settings, err := c.Settings()
	if err != nil {
		return nil, err
	}
	p := &Parts{
		Actors:  &issues.Actors{AppID: c.GitHub.App.IntegrationID, Former: c.Identities.Former, Executors: c.Executors.Logins},
		Limiter: ratelimit.NewLimiter(c.GitHub.Budget, o.Clock), Grants: permissions.NewGrants(o.Clock, o.Log), config: c, options: o,
		sendings: worker.NewSendings(metrics),
	}
	transport := client.Guard{Next: o.Transport, MayWrite: func(ctx context.Context, owner, name string) bool { return p.Reconciler.MayWrite(ctx, owner, name) }}
	if o.Reads != nil {
		transport.Reads = func() map[string]string { return o.Reads(p.grants) }
	}
	speaks := client.Options{
		App: c.GitHubApp(), Token: o.Token, Timeout: client.CallTimeout, Transport: transport, Limiter: p.Limiter, Waits: o.Waits, Metrics: client.NewCallMetrics(metrics), Clock: o.Clock,
	}
	p.Clients = client.New(speaks)
	viewers, err := client.NewViewers(speaks)
	if err != nil {
		return nil, fmt.Errorf("make the clients of those who ask: %w", err)
	}
	p.Access = access.New(access.Options{Admin: c.Server.AdminToken, Client: viewers.Of, Clock: o.Clock})
	if o.Token == "" {
		if p.App, err = p.Clients.NewApp(); err != nil {
			return nil, err
		}
	}
	store := issues.NewStore(p.Clients, p.Actors)
	store.Clock, store.Settled, store.Fork = o.Clock, settings.Horizon, o.Fork
	if o.Token == "" {
		if store.Signer, err = signer(c.GitHub.App.PrivateKey); err != nil {
			return nil, err
		}
	}
	if store.Branches, err = issues.ParseBranches(c.PullRequests.Branches); err != nil {
		return nil, fmt.Errorf("pull_requests.branches: %w", err)
	}
	p.Reconciler = reconcile.New(reconcile.Options{
		Store: store, Teams: teams.NewReader(p.Clients, p.granted()), Policies: policy.NewCache(p.Clients, c.ServerPolicy(settings.Lifecycle), policy.CacheTTL, o.Clock, o.Log),
		Selection: c.Repositories, ServerSettings: settings, Budget: c.GitHub.Budget, Clock: o.Clock, Log: o.Log, Web: c.GitHub.WebURL, Board: boardOf(c),
		Metrics: reconcile.NewMetrics(metrics, handlers.Events()),
	})
	return p, nil
}

// signer returns what signs Colony's comments, for an App with a private key.
func signer(private string) (issues.Signer, error) {
	key, err := jwt.ParseRSAPrivateKeyFromPEM([]byte(private))
	if err != nil {
		return issues.Signer{}, fmt.Errorf("github.app.private_key: %w", err)
	}
	return issues.NewSigner(key)
}

// granted asks GitHub what an installation grants; nil for a process that is no App, which cannot.
func (p *Parts) granted() teams.Granted {
	if p.App == nil {
		return nil
	}
	return func(ctx context.Context, installation int64) (map[string]string, error) {
		i, err := p.App.Installation(ctx, installation)
		return i.Grants, err
	}
}

// Introduce asks GitHub who Colony is, so that its own writes are known.
func (p *Parts) Introduce(ctx context.Context) error {
	self, err := p.App.Self(ctx)
	if err == nil {
		p.Actors.SetSelf(self.Login())
	}
	return err
}

// Inspector returns what reads issues as Colony sees them.
func (p *Parts) Inspector() *inspect.Inspector {
	return &inspect.Inspector{Reconciler: p.Reconciler, App: p.App}
}

// NewWorker returns a worker that carries out what a queue keeps, once ready is closed.
func (p *Parts) NewWorker(tasks worker.Queue, ready <-chan struct{}) *worker.Worker {
	return worker.New(worker.Options{
		Queue: tasks, Clients: p.Clients, App: p.App, Reconciler: p.Reconciler, Limiter: p.Limiter, Grants: p.Grants,
		Brake: p.config.Sweep.MaxRefusals, Watch: p.config.Sweep.Watch, Ready: ready, Clock: p.options.Clock,
		Sender: notify.NewSender(p.config.Notify.Webhooks, p.options.Clock), Sendings: p.sendings, Log: p.options.Log,
	})
}
