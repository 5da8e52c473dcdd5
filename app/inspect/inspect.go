// Package inspect tells the standing of an issue as it is on GitHub now, the reasons for it, and what would become of a move. It serves the JSON
// API and "colony check --repo". It changes nothing.
package inspect

import (
	"context"
	"errors"
	"fmt"

	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/reconcile"
)

// Inspector reads issues as Colony sees them.
type Inspector struct {
	Reconciler *reconcile.Reconciler
	// App acts for the App itself; nil for a process that has a token, which does not tell who Colony is.
	App *client.App
}

// The things that are not there.
var (
	// ErrNoIssue says that there is no such issue, or not for Colony.
	ErrNoIssue = errors.New("there is no such issue")
	// ErrNotAnIssue says that a number is that of a pull request.
	ErrNotAnIssue = errors.New("it is a pull request; Colony keeps issues")
	// ErrDashboard says that a number is that of the dashboard.
	ErrDashboard = errors.New("it is Colony's dashboard; Colony keeps the other issues")
)

// Rules reads what is in force in a repository.
func (i *Inspector) Rules(ctx context.Context, repo issues.Repository) (policy.Effective, error) {
	found, err := i.Reconciler.Policies.Get(ctx, repo)
	if err != nil {
		return found, fmt.Errorf("read the rules of %s: %w", repo, err)
	}
	return found, nil
}

// Policy reads what is in force in a repository, and by what its issues are inspected.
func (i *Inspector) Policy(ctx context.Context, repo issues.Repository) (policy.Effective, reconcile.Basis, error) {
	r := i.Reconciler
	found, err := i.Rules(ctx, repo)
	if err != nil {
		return found, reconcile.Basis{}, err
	}
	since, known, err := r.Labels.Known(ctx, repo, found.Table())
	if err != nil {
		return found, reconcile.Basis{}, fmt.Errorf("read since when Colony judges %s: %w", repo, err)
	}
	now := r.Clock.Now()
	if !known { // Colony checks it from its next reconciliation on
		since = issues.Epoch{Labels: now, Commands: now}
	}
	return found, r.Basis(found, since, now.Add(-r.ServerSettings.Horizon)), nil
}

// read reads an issue. The error is ErrNoIssue if there is no issue, ErrNotAnIssue if it is a pull request, and ErrDashboard if
// Colony shows figures in it.
func (i *Inspector) read(ctx context.Context, ref issues.Ref, basis reconcile.Basis) (*reconcile.Inspection, error) {
	issue, err := i.Reconciler.Inspect(ctx, ref, basis)
	switch {
	case issues.IsGone(err):
		return nil, fmt.Errorf("read %s: %w: %w", ref, ErrNoIssue, err)
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", ref, err)
	case issue.View().PullRequest:
		return nil, fmt.Errorf("read %s: %w", ref, ErrNotAnIssue)
	case issue.View().Dashboard:
		return nil, fmt.Errorf("read %s: %w", ref, ErrDashboard)
	}
	return issue, nil
}
