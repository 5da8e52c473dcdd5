package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/handlers"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/reconcile"
)

// What a repository says of its own lifecycle and executors is asked with every look, and mostly known from memory; see package
// rules.

// under returns the settings with what is in force for one repository.
func (r Rules) under(found policy.Effective) Rules {
	r.Patience = found.Lifecycle.Patient(r.Patience)
	r.Lifecycle, r.Intake, r.Adopt = found.Lifecycle, found.Intake, found.Adopt
	return r
}

// inForce returns the rules of a repository, and since when it is judged by them. That the repository was provisioned for another
// table is believed only of rules that were read just now: this process may have missed the change.
func (l *Looker) inForce(ctx context.Context, repo issues.Repository) (policy.Effective, issues.Since, error) {
	found, err := l.Book.Get(ctx, repo)
	if err != nil {
		return found, issues.Since{}, fmt.Errorf("read the rules of %s: %w", repo, err)
	}
	l.Done.under(repo.ID, found.Version())
	l.Prefixes.Learn(found.Lifecycle.LabelPrefix())
	since, err := l.Labels.JudgedSince(ctx, repo, found.Table(), false)
	if !errors.Is(err, issues.ErrOtherTable) {
		return found, since, err
	}
	if found, err = l.Book.Refresh(ctx, repo); err != nil {
		return found, issues.Since{}, fmt.Errorf("read the rules of %s again: %w", repo, err)
	}
	l.Done.under(repo.ID, found.Version())
	l.Prefixes.Learn(found.Lifecycle.LabelPrefix())
	since, err = l.Labels.JudgedSince(ctx, repo, found.Table(), true)
	return found, since, err
}

// readRules reads the rules of a repository anew, provisions its labels for them, and reports what is broken.
func (l *Looker) readRules(ctx context.Context, look reconcile.Request, waited int) (*Later, error) {
	repo := refOf(look).Repository
	found, err := l.Book.Refresh(ctx, repo)
	if err != nil {
		return nil, fmt.Errorf("read the rules of %s: %w", repo, err)
	}
	l.Prefixes.Learn(found.Lifecycle.LabelPrefix())
	if err := l.Labels.Provision(ctx, repo, found.Table(), true); err != nil {
		return nil, err
	}
	if err := l.reportBroken(ctx, repo, found.Broken); err != nil {
		return nil, err
	}
	if look.Expect.Commit != "" && waited == 0 { // what GitHub shows may be from before the push
		return &Later{After: l.Rules.Patience.Lag, Waits: true}, nil
	}
	return nil, nil
}

// lookAtRules carries out a look at the rules of a repository. If that one speaks for others, they are looked at as well.
func (d *desk) lookAtRules(ctx context.Context, e *entry) (*Later, error) {
	d.tellOfRules(refOf(e.Request).Repository)
	later, err := d.looker.readRules(ctx, e.Request, e.Waited)
	if err == nil {
		err = d.dispatchIfSet(ctx, fmt.Sprintf("%s/dispatch/%d", e.Delivery, e.Waited), e.Request)
	}
	if err != nil || !e.AllOfOwner || !handlers.SpeaksForOthers(e.Repo) {
		return later, err
	}
	others := e.Request
	others.Expect, others.AllOfOwner = reconcile.ExpectedEvent{}, false
	others.Delivery = fmt.Sprintf("%s/others/%d", e.Delivery, e.Waited)
	return later, d.repositories(ctx, others, reconcile.KindPolicy)
}

// sweptRules is how old what is known of rules may be in a sweep. It is more than nothing, so that the repository that speaks for
// others is not read with each of them.
const sweptRules = time.Minute

// sweepRules looks whether a repository has other rules than this process knows, and reports what is broken.
func (d *desk) sweepRules(ctx context.Context, repo issues.Repository) (issues.Since, error) {
	d.looker.Book.InvalidateOlder(repo, sweptRules)
	found, since, err := d.looker.inForce(ctx, repo)
	if err != nil {
		return since, err
	}
	return since, d.looker.reportBroken(ctx, repo, found.Broken)
}
