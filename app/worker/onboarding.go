package worker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/reconcile"
)

// An onboarding makes the labels of all repositories that an installation has, or was given, one repository after the other, as GitHub
// asks of those who write much (https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api). It is one task
// that comes back for as long as the points last that people leave, and so it says how far it is. A repository in which somebody does
// something meanwhile is not waited for: its first event makes what it needs, see issues.LabelProvisioner.

// Onboarding is how far an onboarding has come. Its JSON is on disks: keys may come, but never go or change.
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

// onboardingStep is how long a step of an onboarding begins another repository, and onboardingMargin how much of the time of its task must
// be left for that.
const (
	onboardingStep   = time.Second
	onboardingMargin = 10 * time.Second
)

// onboard carries out one step of an onboarding; the item keeps how far it came.
func (w *Worker) onboard(ctx context.Context, item *Item) (*reconcile.Result, error) {
	if item.Onboarding == nil {
		if len(item.Added) == 0 { // created, back, or granted something else
			w.clients.Forget(item.Installation)
			w.askGrants(ctx, item.Installation)
			if err := w.RetryRefused(ctx, item.Delivery, item.Installation); err != nil {
				return nil, err
			}
		}
		item.Onboarding = &Onboarding{Began: w.clock.Now().UTC(), Page: 1}
	}
	result, err := w.onboardSome(ctx, item)
	limited := (*ratelimit.Error)(nil)
	switch p := item.Onboarding; {
	case err == nil && result == nil:
		w.endOnboarding(item)
		w.log.Info().Int64("installation", item.Installation).Int("repositories", p.Of).Int("tried_again", p.Apart).Dur("took", w.clock.Since(p.Began)).
			Msg("the onboarding has ended: the repositories have their labels")
	case issues.IsGone(err) || issues.IsPermanent(err):
		w.endOnboarding(item)
	case err == nil, errors.As(err, &limited):
		w.noteOnboarding(item)
	}
	return result, err
}

// onboardSome onboards repositories until none is left, or the time of the step or the points are used up.
func (w *Worker) onboardSome(ctx context.Context, item *Item) (*reconcile.Result, error) {
	p, until := item.Onboarding, w.clock.Now().Add(onboardingStep)
	deadline, limitedTime := ctx.Deadline()
	for begun := 0; ; p.Page, p.Next = p.Page+1, 0 {
		list, total, more, err := w.toOnboard(ctx, item)
		if err != nil {
			return nil, client.IgnoreUnlisted(w.log, item.Installation, err)
		}
		if p.Of == 0 && total > 0 {
			p.Of = total
			w.log.Info().Int64("installation", item.Installation).Int("repositories", p.Of).
				Msg("an onboarding begins: the labels of these repositories are made in the background, as GitHub's limits allow; /readyz shows how far it is")
		}
		for p.Next < len(list) {
			if begun > 0 {
				if !w.clock.Now().Before(until) || limitedTime && time.Until(deadline) < onboardingMargin {
					return &reconcile.Result{}, nil
				}
				if wait := w.waitInBackground(item); wait > 0 {
					return nil, &ratelimit.Error{Wait: wait, Budget: ratelimit.BudgetBackground}
				}
			}
			if err := w.onboardRepository(ctx, item, list[p.Next]); err != nil {
				return nil, err
			}
			begun++
			p.Next++
			p.Done++
			w.tellOnboarding(item)
		}
		if !more {
			return nil, nil
		}
	}
}

// toOnboard returns the page of the repositories that an onboarding has come to, how many there are at all, and whether there are further
// pages.
func (w *Worker) toOnboard(ctx context.Context, item *Item) (list []issues.Repository, total int, more bool, err error) {
	if len(item.Added) > 0 {
		return item.Added, len(item.Added), false, nil
	}
	return client.RepositoriesOn(ctx, w.clients, item.Installation, item.Onboarding.Page)
}

// onboardRepository provisions one repository. What fails there is left to a task of its own, which is tried again for as long as
// others: the rest does not wait for that.
func (w *Worker) onboardRepository(ctx context.Context, item *Item, repo issues.Repository) error {
	one := item.Request
	one.Kind, one.Repository, one.Added, one.AllOfOwner = reconcile.KindPolicy, repo, nil, len(item.Added) > 0
	err := w.onboardAlone(ctx, item, one)
	limited := (*ratelimit.Error)(nil)
	switch {
	case err == nil, issues.IsGone(err):
		return nil
	case errors.As(err, &limited), ctx.Err() != nil:
		return err
	}
	w.log.Warn().Err(err).Str("repo", repo.String()).Msg("this repository cannot be onboarded; it is tried again on its own")
	item.Onboarding.Apart++
	return w.Publish(ctx, fmt.Sprintf("%s/repository/%d", item.Delivery, repo.ID), one)
}

func (w *Worker) onboardAlone(ctx context.Context, item *Item, one reconcile.Request) error {
	if !w.Reconciler.Has(one.Repository) {
		return w.Reconciler.Leave(ctx, one.Repository)
	}
	w.broadcastPolicy(one.Repository)
	if err := w.Reconciler.Onboard(ctx, one.Repository, item.Onboarding.Began); err != nil {
		return err
	}
	return w.afterPolicy(ctx, one, 0)
}
