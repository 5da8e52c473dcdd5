package app

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/inspect"
	"github.com/colony-app/colony/bounded"
	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
)

// OpenReader makes the parts for a subcommand that reports about repositories, and asks GitHub who the App is.
func OpenReader(ctx context.Context, c config.Config, o Options) (*Parts, error) {
	p, err := NewProgram(c, o)
	if err == nil && p.App != nil {
		err = p.Introduce(ctx)
	}
	return p, err
}

// NewProgram makes the parts for a program next to the server. It waits for rate limits, and leaves half of the App's budgets to a Colony that runs:
// see As. A token has a budget of its own. There is no log: what is wrong is reported.
func NewProgram(c config.Config, o Options) (*Parts, error) {
	o.Log = zerolog.Nop()
	if o.Token != "" {
		c.GitHub.Budget = ratelimit.Settings{}
	}
	if o.Waits == nil {
		o.Waits = func(time.Duration) {}
	}
	return NewParts(c, o, prometheus.NewRegistry())
}

// As counts the calls of a context for an installation, as those of a program next to the server. It counts none of a token, which no server shares.
func (p *Parts) As(ctx context.Context, installation int64) context.Context {
	if p.options.Token != "" {
		return ctx
	}
	return ratelimit.WithCaller(ctx, ratelimit.Caller{Installation: installation, Class: ratelimit.Questions})
}

// Scope is what a subcommand is about: what the App sees, or of that an installation, what an owner has, or one repository.
type Scope struct {
	Installation int64
	Owner, Name  string
}

// Each does something about each repository of a scope, until that fails. A repository that is named is found also with a token. The error is
// client.ErrNotInstalled if the App does not see it. What is in force in many repositories is read by a few questions.
func (p *Parts) Each(ctx context.Context, scope Scope, do func(context.Context, issues.Repository) error) error {
	return p.EachPage(ctx, scope, func(ctx context.Context, list []issues.Repository) error {
		for _, repo := range list {
			if err := do(ctx, repo); err != nil {
				return err
			}
		}
		return nil
	})
}

// EachPage is Each with some repositories of one installation at a time.
func (p *Parts) EachPage(ctx context.Context, scope Scope, do func(context.Context, []issues.Repository) error) error {
	if scope.Name != "" {
		repo, err := p.Repository(ctx, scope.Owner, scope.Name)
		if err != nil {
			return err
		}
		return do(p.As(ctx, repo.Installation), []issues.Repository{repo})
	}
	if p.App == nil {
		return errors.New("a token sees one repository: say which with --repo owner/name")
	}
	ids, err := p.installations(ctx, scope)
	if err != nil {
		return err
	}
	for _, id := range ids {
		as := p.As(ctx, id)
		if err := client.EachPage(ctx, p.Clients, id, client.Once, func(list []issues.Repository) error {
			// What GitHub does not tell by GraphQL is read when it is needed.
			if err := p.Reconciler.Policies.Learn(as, p.Reconciler.Store, list); ctx.Err() != nil {
				return err
			}
			return do(as, list)
		}); err != nil {
			return err
		}
	}
	return nil
}

// installations are the ids of the installations of a scope that work.
func (p *Parts) installations(ctx context.Context, scope Scope) (ids []int64, err error) {
	if scope.Installation != 0 {
		return []int64{scope.Installation}, nil
	}
	all, err := p.App.Installations(ctx)
	for _, i := range all {
		if i.Works() && (scope.Owner == "" || strings.EqualFold(i.Account, scope.Owner)) {
			ids = append(ids, i.ID)
		}
	}
	return ids, err
}

// Repository finds a repository as the App's installation sees it, or as the owner of the token sees it. The error is client.ErrNotInstalled if the
// App does not see it.
func (p *Parts) Repository(ctx context.Context, owner, name string) (repo issues.Repository, err error) {
	repo = issues.Repository{Owner: owner, Name: name}
	if p.options.Token == "" {
		found, err := p.App.InstallationOn(ctx, owner, name)
		if err != nil {
			return repo, err
		}
		repo.Installation, p.grants = found.ID, found.Grants
	}
	return p.Reconciler.Store.Repository(p.As(ctx, repo.Installation), repo)
}

// InspectIssue asks something about one issue, for a subcommand. It changes nothing. The error is client.ErrNotInstalled if the App does not see the
// repository.
func InspectIssue[A any](ctx context.Context, c config.Config, o Options, owner, name string, number int, ask func(*inspect.Inspector, context.Context, issues.Ref) (A, error)) (answer A, err error) {
	p, err := OpenReader(ctx, c, o)
	if err != nil {
		return answer, err
	}
	repo, err := p.Repository(ctx, owner, name)
	if err != nil {
		return answer, err
	}
	if selection := c.Repositories; !selection.Has(repo.Owner, repo.Name) {
		why := selection.LeavesOut(repo.Owner, repo.Name)
		return answer, fmt.Errorf("read %s: Colony does not work there: %s -> %s", repo, why.By, why.Change)
	}
	return ask(p.Inspector(), p.As(ctx, repo.Installation), issues.Ref{Repository: repo, Number: number})
}

// AskTime bounds one question to a Colony, or to what might be one.
const AskTime = 10 * time.Second

// Ask reads an address that is not GitHub's, with a token if one is given. A body that is larger than any that Colony gives is an error.
func (o Options) Ask(ctx context.Context, address, token string) (status int, body []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, AskTime)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return 0, nil, fmt.Errorf("ask %s: %w", address, err)
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := o.Transport.RoundTrip(request)
	if err != nil {
		return 0, nil, fmt.Errorf("ask %s: %w", address, err)
	}
	const enough = 16 << 20
	body, err = bounded.Read(response.Body, "it", enough)
	if err = errors.Join(err, response.Body.Close()); err != nil {
		err = fmt.Errorf("read the answer: %w", err)
	}
	return response.StatusCode, body, err
}
