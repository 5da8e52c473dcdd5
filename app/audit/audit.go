// Package audit lists the issues that a person may want to look at, for "colony audit". It changes nothing.
package audit

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/go-github/v62/github"
	"github.com/jonboulle/clockwork"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/handlers"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/reconcile"
)

// Audited counts what an audit looked at.
type Audited struct {
	Repositories int `json:"repositories"`
	Issues       int `json:"issues"`
}

// auditPages bounds how many pages of issues an audit reads of a repository, for those that are open and for those that were closed.
const auditPages = 10

// auditLogs bounds how many logs of issues of one repository an audit reads.
const auditLogs = 500

// Run looks at all issues of all installations and tells what is not as it should be, repository by repository. It changes
// nothing. An error says that it could not be carried through; what was told before holds.
func Run(ctx context.Context, c config.Config, seams app.Options, tell func(Finding)) (Audited, error) {
	if seams.Clock == nil {
		seams.Clock = clockwork.NewRealClock()
	}
	if seams.Transport == nil {
		seams.Transport = client.NewTransport()
	}
	a, err := newAuditor(ctx, c, seams, tell)
	if err != nil {
		return Audited{}, err
	}
	all, err := client.Installations(ctx, a.app)
	if err != nil {
		return Audited{}, err
	}
	for _, i := range all {
		if i.SuspendedAt != nil {
			continue
		}
		if err := a.installation(ctx, i.GetID()); err != nil {
			return a.seen, err
		}
	}
	return a.seen, nil
}

// auditor is one audit.
type auditor struct {
	looker  *reconcile.Reconciler
	clients issues.Clients
	app     *github.Client
	tell    func(Finding)
	seen    Audited
}

func newAuditor(ctx context.Context, c config.Config, seams app.Options, tell func(Finding)) (*auditor, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	settings, err := c.Settings()
	if err != nil {
		return nil, err
	}
	clients := client.New(client.Options{
		App: c.GitHubApp(), Timeout: c.GitHub.Timeout, Transport: seams.Transport, Limiter: ratelimit.NewLimiter(ratelimit.Settings{}, seams.Clock),
		Metrics: client.NewCallMetrics(prometheus.NewRegistry()), Clock: seams.Clock,
	})
	appClient, err := clients.NewAppClient()
	if err != nil {
		return nil, fmt.Errorf("make the App's client: %w", err)
	}
	app, _, err := appClient.Apps.Get(ctx, "")
	if err != nil {
		if refused := client.Refused(err); refused != nil {
			err = refused
		}
		return nil, fmt.Errorf("ask GitHub who this App is: %w", err)
	}
	cast := &issues.Actors{AppID: c.GitHub.App.IntegrationID, Former: c.Identities.Former, Executors: c.Executors.Logins}
	cast.SetSelf(app.GetSlug() + "[bot]")
	store := issues.NewStore(clients, cast)
	store.Clock = seams.Clock
	return &auditor{
		clients: clients, app: appClient, tell: tell,
		looker: reconcile.New(reconcile.Options{
			Store: store, Policies: policy.NewCache(clients, c.ServerPolicy(settings.Lifecycle), c.Repositories.Keep, seams.Clock, zerolog.Nop()),
			Settings: settings, Clock: seams.Clock, Log: zerolog.Nop(), Web: c.GitHub.WebURL, Prefixes: &handlers.Prefixes{},
		}),
	}, nil
}

func (a *auditor) installation(ctx context.Context, id int64) error {
	return client.EachRepository(ctx, a.clients, id, func(repo issues.Repository) error {
		err := a.repository(ctx, repo)
		if limited := (*ratelimit.Error)(nil); errors.As(err, &limited) || ctx.Err() != nil {
			return err
		}
		if err != nil {
			a.tell(Finding{Irregular: NotLookedAt, Repository: repo.String(), Says: app.OneLine(err)})
		}
		return nil
	})
}

// repositoryAudit is the audit of one repository.
type repositoryAudit struct {
	*auditor
	repo  issues.Repository
	basis reconcile.Basis
	logs  int
}

func (a *auditor) repository(ctx context.Context, repo issues.Repository) error {
	found, err := a.looker.Policies.Get(ctx, repo)
	if err != nil {
		return fmt.Errorf("read the rules of %s: %w", repo, err)
	}
	since, known, err := a.looker.Labels.Known(ctx, repo, found.Table())
	if err != nil {
		return err
	}
	a.seen.Repositories++
	now := a.looker.Clock.Now()
	if !known { // Colony judges it from its next look on
		since = issues.Epoch{Labels: now, Commands: now}
	}
	horizon := now.Add(-a.looker.Settings.Horizon)
	r := &repositoryAudit{auditor: a, repo: repo, basis: a.looker.Basis(found, since, horizon)}
	for _, which := range []issues.Filter{
		{State: issues.Open, Order: issues.ChangedLastFirst, Pages: auditPages},
		{State: issues.Closed, Order: issues.ChangedLastFirst, Pages: auditPages, Since: horizon},
	} {
		list, more, err := r.basis.Store.List(ctx, repo, which)
		if err != nil {
			return err
		}
		for _, issue := range list {
			a.seen.Issues++
			if err := r.issue(ctx, issue); err != nil && !issues.IsGone(err) {
				return err
			}
		}
		if more {
			r.found(0, Finding{Irregular: NotLookedAt, Says: fmt.Sprintf("there are more issues than the %d that changed last", len(list))})
		}
	}
	if r.logs > auditLogs {
		r.found(0, Finding{Irregular: NotLookedAt, Says: fmt.Sprintf("the logs of %d issues were not read, after the first %d", r.logs-auditLogs, auditLogs)})
	}
	return nil
}

func (r *repositoryAudit) found(number int, f Finding) {
	f.Repository, f.Issue = r.repo.String(), number
	r.tell(f)
}
