package issues

import (
	"context"
	"fmt"
	"slices"
	"strconv"
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
		said, err := r.pulls.checks(ctx, p)
		if err != nil {
			return err
		}
		o, complete := said.outcome()
		switch {
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

// checksSaid are the check runs of a commit, the latest of each suite, and its commit statuses, the latest of each context.
type checksSaid struct {
	runs     []checkRun
	statuses []commitStatus
}

// checkRun is one check of an App. Of two runs the later one has the larger order. Status and conclusion are the REST API's.
type checkRun struct {
	name, app          string
	order              int64
	status, conclusion string
	completed          time.Time
}

type commitStatus struct {
	context, state string
	at             time.Time
}

func (p *issuePulls) checks(ctx context.Context, of *github.PullRequest) (said checksSaid, err error) {
	if known := p.details[of.GetNumber()].checks; known != nil {
		return *known, nil
	}
	page := github.ListOptions{PerPage: perPage}
	for {
		runs, response, err := p.client.Checks.ListCheckRunsForRef(ctx, p.of.Owner, p.of.Name, of.GetHead().GetSHA(),
			&github.ListCheckRunsOptions{Filter: new("latest"), ListOptions: page})
		if err != nil {
			return said, fmt.Errorf("list the check runs of #%d: %w", of.GetNumber(), err)
		}
		for _, run := range runs.CheckRuns {
			said.runs = append(said.runs, checkRun{
				name: run.GetName(), app: strconv.FormatInt(run.GetApp().GetID(), 10), order: run.GetID(), status: run.GetStatus(),
				conclusion: run.GetConclusion(), completed: run.GetCompletedAt().Time,
			})
		}
		if response.NextPage == 0 {
			break
		}
		page.Page = response.NextPage
	}
	page.Page = 0
	for {
		combined, response, err := p.client.Repositories.GetCombinedStatus(ctx, p.of.Owner, p.of.Name, of.GetHead().GetSHA(), &page)
		if err != nil {
			return said, fmt.Errorf("read the commit statuses of #%d: %w", of.GetNumber(), err)
		}
		for _, status := range combined.Statuses {
			said.statuses = append(said.statuses, commitStatus{status.GetContext(), status.GetState(), status.GetUpdatedAt().Time})
		}
		if response.NextPage == 0 {
			return said, nil
		}
		page.Page = response.NextPage
	}
}

// outcome is how the checks of a commit went; complete is false while any of them is not complete.
func (c checksSaid) outcome() (o outcome, complete bool) {
	complete = true
	for _, run := range c.runs {
		switch {
		case c.replaced(run):
		case run.status != "completed":
			complete = false
		default:
			o.add(run.name, !slices.Contains(passes, run.conclusion), run.completed)
		}
	}
	for _, status := range c.statuses {
		if status.state == "pending" {
			complete = false
			continue
		}
		o.add(status.context, status.state != "success", status.at)
	}
	return o, complete
}

// replaced reports whether a run was cancelled and another one of the same name and App came in its place: that is what the
// concurrency of workflows does when one commit starts a workflow twice
// (https://docs.github.com/actions/how-tos/write-workflows/choose-when-workflows-run/control-workflow-concurrency). GitHub lists the
// latest run of each suite, and each start of a workflow has a suite of its own.
func (c checksSaid) replaced(run checkRun) bool {
	return run.conclusion == "cancelled" && slices.ContainsFunc(c.runs, func(other checkRun) bool {
		return other.name == run.name && other.app == run.app && other.order > run.order
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
