package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/go-github/v62/github"
	"github.com/jonboulle/clockwork"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app/issues"
	"github.com/colony-app/colony/app/queue"
	"github.com/colony-app/colony/handlers"
)

// line is what the desk needs of a queue.
type line interface {
	Publish(ctx context.Context, t queue.Task) (duplicate bool, err error)
}

// desk puts looks into the queue and takes them out again to be carried out.
type desk struct {
	queue   line
	looker  *Looker
	clients issues.Clients
	app     *github.Client  // acts for the App itself
	brake   int             // more issues than that on which something would be refused stop a sweep
	ready   <-chan struct{} // closed once Colony knows who it is
	limits  *limits
	sweeps  *sweeps
	clock   clockwork.Clock
	log     zerolog.Logger
}

// entry is what the queue keeps of a look.
type entry struct {
	handlers.Look
	Before
	// Sweep is how far the sweep of a repository has come.
	Sweep *progress `json:"sweep,omitempty"`
}

// Publish implements handlers.Queue.
func (d *desk) Publish(ctx context.Context, id string, look handlers.Look) error {
	body, err := json.Marshal(entry{Look: look})
	if err != nil {
		return fmt.Errorf("keep the look at %s/%s#%d: %w", look.Owner, look.Repo, look.Issue, err)
	}
	duplicate, err := d.queue.Publish(ctx, queue.Task{ID: id, Repository: look.RepositoryID, Issue: look.Issue, Body: body})
	if err != nil {
		return fmt.Errorf("keep the look at %s/%s#%d: %w", look.Owner, look.Repo, look.Issue, err)
	}
	if duplicate {
		d.log.Debug().Str("delivery", look.Delivery).Str("because", look.Because).Msg("this delivery came before")
	}
	return nil
}

// work implements queue.Work.
func (d *desk) work(ctx context.Context, task queue.Task) (*queue.Again, error) {
	select {
	case <-d.ready:
	case <-ctx.Done():
		return &queue.Again{After: time.Second}, nil
	}
	var e entry
	if err := json.Unmarshal(task.Body, &e); err != nil {
		return nil, fmt.Errorf("read task %s: %w", task.ID, err)
	}
	// A look that GitHub's limits do not allow is put off, not failed: it holds up nobody else and is no attempt.
	if wait := d.limits.left(e.Installation, d.clock.Now()); wait > 0 {
		return &queue.Again{After: wait}, nil
	}
	later, err := d.look(ctx, &e)
	if limited := (*LimitedError)(nil); errors.As(err, &limited) {
		wait := limited.Wait
		d.limits.set(e.Installation, d.clock.Now().Add(wait))
		d.log.Warn().Err(err).Dur("wait", wait).Int64("installation", e.Installation).Msg("GitHub limits the rate of this installation")
		return &queue.Again{After: wait}, nil
	}
	if issues.IsGone(err) {
		d.log.Debug().Err(err).Str("because", e.Because).Str("delivery", e.Delivery).Msg("out of reach")
		return nil, nil
	}
	if issues.IsPermanent(err) {
		d.log.Error().Err(err).Str("because", e.Because).Str("delivery", e.Delivery).Msg("GitHub refuses this for good; given up")
		return nil, nil
	}
	if err != nil || later == nil {
		return nil, err
	}
	if later.Waits {
		e.Waited++
	}
	e.Refusing = later.Refusing
	body, err := json.Marshal(e)
	if err != nil {
		return nil, fmt.Errorf("put off task %s: %w", task.ID, err)
	}
	return &queue.Again{After: later.After, Body: body}, nil
}

func (d *desk) look(ctx context.Context, e *entry) (*Later, error) {
	switch e.Scope {
	case handlers.ScopeIssue:
		return d.looker.Issue(ctx, e.Look, e.Before)
	case handlers.ScopeRepository:
		return nil, d.looker.Repository(ctx, e.Look)
	case handlers.ScopeInstallation:
		return nil, d.repositories(ctx, e.Look, handlers.ScopeRepository)
	case handlers.ScopeSweep:
		return d.sweep(ctx, e)
	}
	return nil, fmt.Errorf("look at %q: there is no such scope", e.Scope)
}

// repositories asks for a look of some scope at every repository of an installation.
func (d *desk) repositories(ctx context.Context, look handlers.Look, scope handlers.Scope) error {
	client, err := d.clients.NewInstallationClient(look.Installation)
	if err != nil {
		return fmt.Errorf("make a client for installation %d: %w", look.Installation, err)
	}
	page := &github.ListOptions{PerPage: 100}
	for {
		list, response, err := client.Apps.ListRepos(ctx, page)
		if err != nil {
			return fmt.Errorf("list the repositories of installation %d: %w", look.Installation, err)
		}
		for _, r := range list.Repositories {
			one := look
			one.Scope, one.RepositoryID = scope, r.GetID()
			one.Owner, one.Repo = r.GetOwner().GetLogin(), r.GetName()
			if err := d.Publish(ctx, fmt.Sprintf("%s/repository/%d", look.Delivery, r.GetID()), one); err != nil {
				return err
			}
		}
		if response.NextPage == 0 {
			return nil
		}
		page.Page = response.NextPage
	}
}
