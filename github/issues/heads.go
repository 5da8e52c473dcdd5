package issues

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/statemachine"
)

// The times in a commit are what its author wrote there. When it came to GitHub, and who pushed it, only the list of what became of a branch tells
// (https://docs.github.com/rest/repos/repos#list-repository-activities).

// activity is a change of a branch.
type activity struct {
	Before string    `json:"before"`
	At     time.Time `json:"timestamp"`
	Actor  user      `json:"actor"`
}

// headsChanged observes that an open pull request is no longer what was approved.
func headsChanged(ctx context.Context, r *reading, pulls []*github.PullRequest) error {
	if r.ask.Approval == nil || !r.ask.Heads {
		return nil
	}
	a := *r.ask.Approval
	for _, p := range pulls {
		if p.GetState() != "open" {
			continue
		}
		d, at, err := headChanged(ctx, r.client, a, p)
		if err != nil {
			return err
		}
		if !at.IsZero() {
			r.changed.add(d, at)
			r.observe("head-changed", at, pullName(p))
		}
	}
	return nil
}

// headChanged compares the newest commit of a pull request with that of an approval. The time is zero if it is the same, or no one else pushed since.
func headChanged(ctx context.Context, client *github.Client, a Approval, p *github.PullRequest) (d statemachine.Difference, at time.Time, err error) {
	if opened := p.GetCreatedAt().Time; a.brokenBy(p.GetUser().GetLogin(), opened) {
		d = statemachine.Difference{What: statemachine.DifferentPull, Pull: p.GetNumber(), Known: true, By: []string{p.GetUser().GetLogin()}}
		return d, opened, nil
	}
	pushed, err := activities(ctx, client, p.GetHead())
	if err != nil {
		return d, time.Time{}, fmt.Errorf("read what was pushed to #%d: %w", p.GetNumber(), err)
	}
	since := slices.DeleteFunc(pushed, func(one activity) bool { return one.At.Before(a.At) })
	for _, one := range since {
		if a.brokenBy(one.Actor.Login, one.At) {
			d.By, at = append(d.By, one.Actor.Login), Latest(at, one.At)
		}
	}
	if at.IsZero() || since[0].Before == p.GetHead().GetSHA() { // someone restored it
		return d, time.Time{}, nil
	}
	d.What, d.Pull, d.Known = statemachine.DifferentHead, p.GetNumber(), true
	d.Before, d.After = since[0].Before, p.GetHead().GetSHA()
	return d, at, nil
}

func pushes(ctx context.Context, r *reading) error {
	pulls, err := r.pulls.open(ctx)
	if err != nil {
		return err
	}
	for _, p := range pulls {
		pushed, err := activities(ctx, r.client, p.GetHead())
		if err != nil {
			return fmt.Errorf("read what was pushed to #%d: %w", p.GetNumber(), err)
		}
		if n := len(pushed); n > 0 {
			r.observe("pull-request-pushed", pushed[n-1].At, pullName(p))
		}
	}
	return nil
}

// activities lists what became of a branch, oldest first: the latest hundred.
func activities(ctx context.Context, client *github.Client, head *github.PullRequestBranch) ([]activity, error) {
	path := fmt.Sprintf("repos/%s/activity?ref=%s&per_page=%d", head.GetRepo().GetFullName(), url.QueryEscape("refs/heads/"+head.GetRef()), perPage)
	var found []activity
	if _, err := ask(ctx, client, http.MethodGet, path, nil, &found); err != nil {
		if isStatus(err, http.StatusNotFound) { // a fork that the App does not see
			return nil, fmt.Errorf("%w: %w", ErrForbidden, err)
		}
		return nil, err
	}
	slices.Reverse(found) // GitHub tells the latest first
	slices.SortStableFunc(found, func(one, other activity) int { return one.At.Compare(other.At) })
	return found, nil
}
