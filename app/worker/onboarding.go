package worker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/reconcile"
)

// An onboarding makes the labels of all repositories that an installation has, or was given. It does one repository after the other, as GitHub
// asks of clients that write much (https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api). It is one task that
// comes back while the points last that people leave, and so it says how far it is. A repository in which someone does something in between is
// not waited for: its first event makes what it needs, see issues.LabelProvisioner.

// Onboarding is how far an onboarding has come. Its JSON is on disks: keys can be added, but never removed or changed.
type Onboarding struct {
	Began time.Time `json:"began"`
	// Of is how many repositories there are to do, Done how many of them are. Apart counts those of the latter that failed and were
	// given a task of their own.
	Of    int `json:"of"`
	Done  int `json:"done"`
	Apart int `json:"apart,omitempty"`
	// Page is the page of the list of repositories, Next the one on it to go on with.
	Page int `json:"page"`
	Next int `json:"next"`
}

type onboarder struct {
	*Publisher

	reconciler interface {
		Has(repo issues.Repository) bool
		Leave(ctx context.Context, repo issues.Repository) error
		Onboard(ctx context.Context, repo issues.Repository, since time.Time) error
	}
	clients interface {
		issues.Clients
		tokens
	}
	grants    *grantWatch
	admission *admission
	policies  *policies
	retries   *retries
	shown     onboardings
	peers     *peers
	clock     clockwork.Clock
}

// onboardingStep is how long a step of an onboarding begins another repository, and onboardingMargin how much of the time of its task must
// be left for that.
const (
	onboardingStep   = time.Second
	onboardingMargin = 10 * time.Second
)

// onboard carries out one step of an onboarding; the item keeps how far it came.
func (o *onboarder) onboard(ctx context.Context, item *Item) (*reconcile.Result, error) {
	if item.Onboarding == nil {
		if len(item.Added) == 0 { // created, back, or granted something else
			o.clients.Forget(item.Installation)
			o.grants.ask(ctx, item.Installation)
			if err := o.retries.RetryRefused(ctx, item.Delivery, item.Installation); err != nil {
				return nil, err
			}
		}
		item.Onboarding = &Onboarding{Began: o.clock.Now().UTC(), Page: 1}
	}
	result, err := o.some(ctx, item)
	limited := (*ratelimit.Error)(nil)
	switch p := item.Onboarding; {
	case err == nil && result == nil:
		o.end(item)
		o.log.Info().Int64("installation", item.Installation).Int("repositories", p.Of).Int("tried_again", p.Apart).Dur("took", o.clock.Since(p.Began)).
			Msg("the onboarding has ended: the repositories have their labels")
	case issues.IsGone(err) || issues.IsPermanent(err):
		o.end(item)
	case err == nil, errors.As(err, &limited):
		o.note(item)
	}
	return result, err
}

// some onboards repositories until no repository is left, or the time of the step or the points are used up.
func (o *onboarder) some(ctx context.Context, item *Item) (*reconcile.Result, error) {
	p, until := item.Onboarding, o.clock.Now().Add(onboardingStep)
	deadline, limitedTime := ctx.Deadline()
	for begun := 0; ; p.Page, p.Next = p.Page+1, 0 {
		list, total, more, err := o.page(ctx, item)
		if err != nil {
			return nil, client.IgnoreUnlisted(o.log, item.Installation, err)
		}
		if p.Of == 0 && total > 0 {
			p.Of = total
			o.log.Info().Int64("installation", item.Installation).Int("repositories", p.Of).
				Msg("an onboarding begins: the labels of these repositories are made in the background, as GitHub's limits allow; /readyz shows how far it is")
		}
		for p.Next < len(list) {
			if begun > 0 {
				if !o.clock.Now().Before(until) || limitedTime && time.Until(deadline) < onboardingMargin {
					return &reconcile.Result{}, nil
				}
				if wait := ratelimit.More(ctx, ratelimit.PointsOfProvisioning); wait > 0 {
					return nil, &ratelimit.Error{Wait: wait, Budget: ratelimit.BudgetBackground}
				}
			}
			if err := o.repository(ctx, item, list[p.Next]); err != nil {
				return nil, err
			}
			begun++
			p.Next++
			p.Done++
			o.showStep(item)
		}
		if !more {
			return nil, nil
		}
	}
}

// page returns the page of the repositories that an onboarding has come to, how many there are at all, and whether there are further
// pages.
func (o *onboarder) page(ctx context.Context, item *Item) (list []issues.Repository, total int, more bool, err error) {
	if len(item.Added) > 0 {
		return item.Added, len(item.Added), false, nil
	}
	return client.RepositoriesOn(ctx, o.clients, item.Installation, item.Onboarding.Page)
}

// repository provisions one repository. What fails there is left to a task of its own, which is tried again like any other: the rest does not
// wait for that.
func (o *onboarder) repository(ctx context.Context, item *Item, repo issues.Repository) error {
	one := item.Request
	one.Kind, one.Repository, one.Added, one.AllOfOwner = reconcile.KindPolicy, repo, nil, len(item.Added) > 0
	err := o.alone(ctx, item, one)
	limited := (*ratelimit.Error)(nil)
	switch {
	case err == nil, issues.IsGone(err):
		return nil
	case errors.As(err, &limited), ctx.Err() != nil:
		return err
	}
	o.log.Warn().Err(err).Str("repo", repo.String()).Msg("this repository cannot be onboarded; it is tried again on its own")
	item.Onboarding.Apart++
	return o.Publish(ctx, fmt.Sprintf("%s/repository/%d", item.Delivery, repo.ID), one)
}

func (o *onboarder) alone(ctx context.Context, item *Item, one reconcile.Request) error {
	if !o.reconciler.Has(one.Repository) {
		return o.reconciler.Leave(ctx, one.Repository)
	}
	o.policies.tell(one.Repository)
	if err := o.reconciler.Onboard(ctx, one.Repository, item.Onboarding.Began); err != nil {
		return err
	}
	return o.policies.after(ctx, one, 0)
}
