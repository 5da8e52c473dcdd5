package issues

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/go-github/v62/github"
)

// outcome is how the checks of one commit went.
type outcome struct {
	known bool
	// failed names the checks that failed.
	failed []string
	at     time.Time // when the last of them was complete
}

// checks observes how the checks of the issue's open pull requests went. A pull request counts once all checks of its newest
// commit are complete. The issue's checks passed if those of every pull request did that has any; one without checks says nothing.
func checks(ctx context.Context, r *reading) error {
	pulls, err := r.pulls.open(ctx)
	if err != nil {
		return err
	}
	var passed time.Time
	about := ""
	running, failed := false, false
	for _, p := range pulls {
		o, complete, err := checksOf(ctx, r.client, r.view.Ref.Repository, p)
		switch {
		case err != nil:
			return err
		case !complete:
			running = true
		case len(o.failed) > 0:
			failed = true
			r.observe("checks-failed", o.at, fmt.Sprintf("%s (%s)", pullName(p), namesOfChecks(o.failed)))
		case o.known && !o.at.Before(passed):
			passed, about = o.at, pullName(p)
		}
	}
	if about != "" && !running && !failed {
		r.observe("checks-passed", passed, about)
	}
	return nil
}

// checksOf reads the check runs and the commit statuses of a pull request's newest commit; complete is false while any of them is not complete.
func checksOf(ctx context.Context, client *github.Client, repo Repository, p *github.PullRequest) (o outcome, complete bool, err error) {
	var all []*github.CheckRun
	page := github.ListOptions{PerPage: perPage}
	for {
		runs, response, err := client.Checks.ListCheckRunsForRef(ctx, repo.Owner, repo.Name, p.GetHead().GetSHA(),
			&github.ListCheckRunsOptions{Filter: new("latest"), ListOptions: page})
		if err != nil {
			return o, false, fmt.Errorf("list the check runs of #%d: %w", p.GetNumber(), err)
		}
		all = append(all, runs.CheckRuns...)
		if response.NextPage == 0 {
			break
		}
		page.Page = response.NextPage
	}
	o, complete = outcomeOf(all)
	page.Page = 0
	for {
		combined, response, err := client.Repositories.GetCombinedStatus(ctx, repo.Owner, repo.Name, p.GetHead().GetSHA(), &page)
		if err != nil {
			return o, false, fmt.Errorf("read the commit statuses of #%d: %w", p.GetNumber(), err)
		}
		for _, status := range combined.Statuses { // the latest of each context
			if status.GetState() == "pending" {
				complete = false
				continue
			}
			o.add(status.GetContext(), status.GetState() != "success", status.GetUpdatedAt().Time)
		}
		if response.NextPage == 0 {
			return o, complete, nil
		}
		page.Page = response.NextPage
	}
}

// outcomeOf is how the check runs of a commit went; complete is false while any of them is not complete.
func outcomeOf(runs []*github.CheckRun) (o outcome, complete bool) {
	complete = true
	for _, run := range runs {
		switch {
		case replaced(run, runs):
		case run.GetStatus() != "completed":
			complete = false
		default:
			o.add(run.GetName(), !slices.Contains(passes, run.GetConclusion()), run.GetCompletedAt().Time)
		}
	}
	return o, complete
}

// replaced reports whether a run was cancelled and another one of the same name and App came in its place: that is what the
// concurrency of workflows does when one commit starts a workflow twice
// (https://docs.github.com/actions/how-tos/write-workflows/choose-when-workflows-run/control-workflow-concurrency). GitHub lists the
// latest run of each suite, and each start of a workflow has a suite of its own.
func replaced(run *github.CheckRun, runs []*github.CheckRun) bool {
	return run.GetConclusion() == "cancelled" && slices.ContainsFunc(runs, func(other *github.CheckRun) bool {
		return other.GetName() == run.GetName() && other.GetApp().GetID() == run.GetApp().GetID() && other.GetID() > run.GetID()
	})
}

// passes are the conclusions of check runs that fail nothing
// (https://docs.github.com/pull-requests/collaborating-with-pull-requests/collaborating-on-repositories-with-code-quality-features/about-status-checks#check-statuses-and-conclusions).
var passes = []string{"success", "neutral", "skipped"}

func (o *outcome) add(name string, failed bool, at time.Time) {
	o.known = true
	if failed {
		o.failed = append(o.failed, name)
	}
	if at.After(o.at) {
		o.at = at
	}
}

// Checks are named for people: a matrix of jobs can have hundreds, with names of any length.
const (
	checksNamed = 5
	checkName   = 60
)

// namesOfChecks names the checks that failed, in an order that does not depend on GitHub's.
func namesOfChecks(failed []string) string {
	names := slices.Compact(slices.Sorted(slices.Values(failed)))
	more := len(names) - checksNamed
	names = names[:min(len(names), checksNamed)]
	for i, name := range names {
		if runes := []rune(name); len(runes) > checkName {
			names[i] = string(runes[:checkName-1]) + "…"
		}
	}
	text := strings.Join(names, ", ")
	if more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
