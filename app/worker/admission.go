package worker

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jonboulle/clockwork"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app/queue"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/reconcile"
)

// Reasons why an item waits that are no budget.
const (
	whyReserve = "reserve" // the last calls of the hour are kept for people
	whyWait    = "wait"    // the reconciliation asked for it
)

// gated are the reasons for which everything of an installation waits together, so that only one item at a time finds out whether
// the wait is over.
var gated = map[string]bool{
	string(ratelimit.BudgetGitHub): true, string(ratelimit.BudgetGraphQL): true, whyReserve: true, string(ratelimit.BudgetBackground): true,
}

// gate names where an item waits with others of its installation, or of its sender in its repository; empty: it waits alone.
func (i *Item) gate(why string) string {
	switch {
	case gated[why]:
		return reasonOf(i, why)
	case why == string(ratelimit.BudgetPoints):
		return fmt.Sprintf("%s/%d/%s", reasonOf(i, why), i.ID, i.Expect.By)
	}
	return ""
}

// The ranks of items that wait together: the lowest goes first.
const (
	rankPeople    = iota // what someone wrote or labelled, and waits for
	rankEvents           // what else webhooks reported
	rankProvision        // labels and settings of repositories, and what a push might mean to all of their pull requests
	rankSweep            // what no one asked for
)

// peopleCause begins the causes that are edits and comments of issues.
var peopleCause = []string{"issues.", "issue_comment."}

func (i *Item) rank() int {
	switch i.Kind {
	case reconcile.KindSweep, reconcile.KindDashboard:
		return rankSweep
	case reconcile.KindRepository, reconcile.KindPolicy, reconcile.KindInstallation,
		reconcile.KindConflicts: // a push to the default branch, which also brings the repository's own file
		return rankProvision
	case reconcile.KindIssue:
		switch i.Cause {
		case reconcile.CauseSweep:
			return rankSweep
		case reconcile.CauseRetry: // many at a time, after something was granted
			return rankProvision
		}
		for _, cause := range peopleCause {
			if strings.HasPrefix(i.Cause, cause) {
				return rankPeople
			}
		}
	case reconcile.KindDispatch, reconcile.KindPullRequest, reconcile.KindCommit, reconcile.KindFiles, reconcile.KindDependents:
	}
	return rankEvents
}

// background reports whether no one waits for what an item asks for.
func (i *Item) background() bool { return i.rank() >= rankProvision }

// Background reports whether no one waits for what a task asks for, which can take long. It implements queue.Options.Background. What is about
// one issue is never among these, because a person might wait behind it.
func Background(task queue.Task) bool {
	if task.Issue != 0 {
		return false
	}
	item, err := ReadItem(task)
	return err == nil && item.background()
}

// admission makes requests wait for the limits of their installation.
type admission struct {
	limits  *ratelimit.Limits  // of GitHub's
	limiter *ratelimit.Limiter // of Colony's own
	shares  func(request reconcile.Request, passed int) (wait time.Duration, nowPassed int)
	costs   *costs
	metrics *reconcile.Metrics
	peers   *peers
	pace    paceLog
	clock   clockwork.Clock
	log     zerolog.Logger
}

// caller is the item for the budgets of its installation.
func (i *Item) caller() ratelimit.Caller {
	class := ratelimit.People
	if i.background() {
		class = ratelimit.Background
	}
	return ratelimit.Caller{Installation: i.Installation, Class: class, Repository: i.ID, Person: i.Expect.By, Waited: i.Needs > 0}
}

// admit lets a request begin with a grant, or returns how long it has to wait, and why.
func (a *admission) admit(item *Item) (grant *ratelimit.Grant, why string, wait time.Duration) {
	if wait := item.Due.Sub(a.clock.Now()); wait > 0 {
		return nil, whyWait, wait
	}
	wait, item.Shares = a.shares(item.Request, item.Shares)
	if wait > 0 {
		return nil, reconcile.WaitShare, wait
	}
	if wait := a.limits.Left(item.Installation, a.clock.Now()); wait > 0 {
		return nil, string(ratelimit.BudgetGitHub), wait
	}
	caller, needs := item.caller(), a.costs.expected(item)
	why = string(ratelimit.BudgetPoints)
	switch {
	case item.Installation == 0: // the App itself
		caller, needs = ratelimit.Caller{}, 0
	case caller.Class == ratelimit.Background:
		if wait := a.limiter.ReservedFor(item.Installation); wait > 0 {
			return nil, whyReserve, wait
		}
		why = string(ratelimit.BudgetBackground)
	}
	grant, wait = a.limiter.Begin(caller, needs)
	if wait > 0 {
		item.Needs = needs
	}
	return grant, why, wait
}

// limited requeues a request that met a limit under way. GitHub's holds for all requests of the installation, but that of GraphQL only for the
// requests that ask something there. Spent is what it has used that it has to use again.
func (a *admission) limited(task queue.Task, item Item, limit *ratelimit.Error, spent int) (*queue.Requeue, string, error) {
	item.Needs = 0
	switch limit.Budget {
	case ratelimit.BudgetPoints, ratelimit.BudgetBackground:
		item.Needs = spent + a.costs.expected(&item)
	case ratelimit.BudgetContent:
		item.Needs = a.costs.expected(&item)
	case ratelimit.BudgetGitHub, ratelimit.BudgetGraphQL:
	}
	item.Begun = true
	if limit.Budget == ratelimit.BudgetGitHub {
		until := a.clock.Now().Add(limit.Wait)
		a.limits.Set(item.Installation, until)
		a.peers.Tell(wordLimited, limitedUntil{item.Installation, until})
		a.log.Warn().Err(limit).Dur("wait", limit.Wait).Int64("installation", item.Installation).Msg("GitHub limits the rate of this installation")
	}
	return a.requeue(task, &item, string(limit.Budget), limit.Wait)
}

type limitedUntil struct {
	Installation int64     `json:"installation"`
	Until        time.Time `json:"until"`
}

func (a *admission) requeue(task queue.Task, item *Item, why string, wait time.Duration) (*queue.Requeue, string, error) {
	gate := item.gate(why)
	item.InTurn = gate != ""
	body, err := item.encode()
	if err != nil {
		return nil, outcomeFailed, fmt.Errorf("requeue task %s: %w", task.ID, err)
	}
	a.metrics.Requeued(why)
	a.logPace(item, why, wait)
	return &queue.Requeue{
		After: wait, Body: body, Gate: gate, Rank: item.rank(), Hold: gate != "" && item.isAsStored(task, body), Reason: reasonIn(item, why),
	}, outcomeRequeued, nil
}

// logPace says that something waits for Colony's own budgets which is not background work, once a minute.
func (a *admission) logPace(item *Item, why string, wait time.Duration) {
	ours := slices.Contains([]string{string(ratelimit.BudgetPoints), string(ratelimit.BudgetContent)}, why)
	if !ours || item.background() || !a.pace.due(reasonOf(item, why), a.clock.Now()) {
		return
	}
	a.log.Warn().Int64("installation", item.Installation).Str("budget", why).Dur("wait", wait).
		Msg("work in this installation waits for Colony's own budget, so that GitHub refuses none: see github.budget.points; /readyz shows how much waits")
}
