package reconcile

import (
	"context"
	"errors"
	"fmt"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/policy"
)

// What a repository says of its own lifecycle and executors is asked with every request, and mostly known from memory; see package
// rules.

// under returns the settings with what is in force for one repository.
func (r Settings) under(found policy.Effective) Settings {
	r.Patience = found.Lifecycle.Patient(r.Patience)
	r.Lifecycle, r.Intake, r.Adopt = found.Lifecycle, found.Intake, found.Adopt
	return r
}

// PolicyOf returns the rules of a repository, and since when it is judged by them. That the repository was provisioned for another
// table is believed only of rules that were read just now: this process may have missed the change.
func (l *Reconciler) PolicyOf(ctx context.Context, repo issues.Repository) (policy.Effective, issues.Since, error) {
	found, err := l.Policies.Get(ctx, repo)
	if err != nil {
		return found, issues.Since{}, fmt.Errorf("read the rules of %s: %w", repo, err)
	}
	l.Clean.under(repo.ID, found.Version())
	l.Prefixes.Learn(found.Lifecycle.LabelPrefix())
	since, err := l.Labels.JudgedSince(ctx, repo, found.Table(), false)
	if !errors.Is(err, issues.ErrOtherTable) {
		return found, since, err
	}
	if found, err = l.Policies.Refresh(ctx, repo); err != nil {
		return found, issues.Since{}, fmt.Errorf("read the rules of %s again: %w", repo, err)
	}
	l.Clean.under(repo.ID, found.Version())
	l.Prefixes.Learn(found.Lifecycle.LabelPrefix())
	since, err = l.Labels.JudgedSince(ctx, repo, found.Table(), true)
	return found, since, err
}

// RefreshPolicy reads the rules of a repository anew, provisions its labels for them, and reports what is broken.
func (l *Reconciler) RefreshPolicy(ctx context.Context, look Request, waited int) (*Result, error) {
	repo := RefOf(look).Repository
	found, err := l.Policies.Refresh(ctx, repo)
	if err != nil {
		return nil, fmt.Errorf("read the rules of %s: %w", repo, err)
	}
	l.Prefixes.Learn(found.Lifecycle.LabelPrefix())
	if err := l.Labels.Provision(ctx, repo, found.Table(), true); err != nil {
		return nil, err
	}
	if err := l.ReportInvalidFile(ctx, repo, found.Broken); err != nil {
		return nil, err
	}
	if look.Expect.Commit != "" && waited == 0 { // what GitHub shows may be from before the push
		return &Result{RequeueAfter: l.Settings.Patience.Lag, Waits: true}, nil
	}
	return nil, nil
}
