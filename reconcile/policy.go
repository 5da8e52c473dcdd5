package reconcile

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/policy"
)

// What a repository says of its own lifecycle and bots is asked with every request, and mostly known from memory; see package
// policy.

// PolicyOf returns the rules of a repository, and the time from which it is reconciled by them. That the repository was provisioned for another
// table is believed only of rules that were read just now: this process might have missed the change.
func (r *Reconciler) PolicyOf(ctx context.Context, repo issues.Repository) (policy.Effective, issues.Epoch, error) {
	found, err := r.Policies.Get(ctx, repo)
	if err != nil {
		return found, issues.Epoch{}, fmt.Errorf("read the rules of %s: %w", repo, err)
	}
	r.memories.versions.Add(repo.ID, found.Version())
	since, err := r.begin(ctx, repo, found, false)
	if !errors.Is(err, issues.ErrOtherTable) {
		return found, since, err
	}
	if found, err = r.Policies.Refresh(ctx, repo); err != nil {
		return found, issues.Epoch{}, fmt.Errorf("read the rules of %s again: %w", repo, err)
	}
	r.memories.versions.Add(repo.ID, found.Version())
	since, err = r.begin(ctx, repo, found, true)
	return found, since, err
}

// RefreshPolicy reads the rules of a repository again, provisions its labels for them, and reports what is broken.
func (r *Reconciler) RefreshPolicy(ctx context.Context, request Request, waited int) (*Result, error) {
	repo := request.Repository
	found, err := r.Policies.Refresh(ctx, repo)
	if err != nil {
		return nil, fmt.Errorf("read the rules of %s: %w", repo, err)
	}
	defer r.PolicyChanged(repo)
	if err := r.provision(ctx, repo, found); err != nil {
		return nil, err
	}
	if request.Expect.Commit != "" && waited == 0 { // what GitHub shows might be from before the push
		return &Result{RequeueAfter: r.ServerSettings.Thresholds.Lag, Waits: true}, nil
	}
	return nil, nil
}

// Onboard reads the rules of a repository, provisions its labels for them, and reports what is broken. What was read since a time, also of the
// repository that speaks for it, need not be read again.
func (r *Reconciler) Onboard(ctx context.Context, repo issues.Repository, since time.Time) error {
	r.Policies.InvalidateOlder(repo, r.Clock.Since(since))
	found, err := r.Policies.Get(ctx, repo)
	if err != nil {
		return fmt.Errorf("read the rules of %s: %w", repo, err)
	}
	defer r.PolicyChanged(repo)
	return r.provision(ctx, repo, found)
}

// provision makes the labels of a repository as its rules want them, and reports what is broken.
func (r *Reconciler) provision(ctx context.Context, repo issues.Repository, found policy.Effective) error {
	r.NoteMode(repo, found)
	var err error
	if found.Mode.Writes() {
		err = r.Labels.Provision(ctx, repo, found.Table(), true)
	} else {
		_, err = r.begin(ctx, repo, found, true)
	}
	if err != nil {
		return err
	}
	return r.ReportInvalidFiles(ctx, repo, found)
}
