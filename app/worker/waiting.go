package worker

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/colony-app/colony/app/queue"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/reconcile"
)

// Waiting is what waits in one installation for one reason.
type Waiting struct {
	// Installation is 0 for what is about the App itself.
	Installation int64 `json:"installation"`
	// Why is a budget (see package ratelimit), or one of the other reasons of colony_put_offs_total.
	Why   string `json:"why"`
	Tasks int    `json:"tasks"`
	// Until is about when the last of the tasks goes on, if no others come.
	Until time.Time `json:"until"`
	// Repositories are the repositories of the tasks, the one with most tasks first.
	Repositories []WaitingIn `json:"repositories,omitempty"`
	// OtherRepositories counts the repositories that Shorten left out.
	OtherRepositories int `json:"other_repositories,omitempty"`
}

// WaitingIn is what waits in one repository for one reason. It is named by GitHub's id only: /readyz, which shows it, is open to everyone.
type WaitingIn struct {
	ID    int64     `json:"id"`
	Tasks int       `json:"tasks"`
	Until time.Time `json:"until"`
}

// repositoriesShown is how many repositories are left of something that waits.
const repositoriesShown = 10

// Shorten keeps the repositories with most tasks, and counts the others.
func Shorten(all []Waiting) []Waiting {
	for n := range all {
		w := &all[n]
		w.OtherRepositories = max(0, len(w.Repositories)-repositoriesShown)
		w.Repositories = w.Repositories[:len(w.Repositories)-w.OtherRepositories]
	}
	return all
}

// Why is a reason for which tasks wait.
type Why struct {
	Name string
	// Because says it in words; empty: no one has to know, since it is a part of the work.
	Because string
}

// Whys are all reasons for which tasks wait.
var Whys = []Why{
	{string(ratelimit.BudgetGitHub), "GitHub limits the installation"},
	{string(ratelimit.BudgetGraphQL), "the calls of GraphQL of this hour are used up"},
	{string(ratelimit.BudgetPoints), "Colony's own pace is used up, by what people wait for"},
	{string(ratelimit.BudgetContent), "Colony's own pace of comments is used up; the labels are right"},
	{string(ratelimit.BudgetBackground), "background work leaves Colony's pace to people"},
	{whyReserve, "background work leaves the last calls of the hour to people"},
	{reconcile.WaitShare, "readers who ask much have a share of their own; no move waits for them"},
	{whyWait, ""},
}

// Because says why the tasks wait; empty where no one has to know.
func (w Waiting) Because() string {
	for _, why := range Whys {
		if why.Name == w.Why {
			return why.Because
		}
	}
	return ""
}

// reasonOf names why an item waits with others of its installation.
func reasonOf(i *Item, why string) string { return fmt.Sprintf("%s/%d", why, i.Installation) }

// reasonIn names for the queue why an item waits, and in which installation and repository; 0: in none.
func reasonIn(i *Item, why string) string { return fmt.Sprintf("%s/%d", reasonOf(i, why), i.ID) }

// Waiting tells what waits, why and until when, from the delays of a queue in the order of their reasons. Tasks that failed are not among them,
// nor tasks that an earlier version requeued.
func (w *Worker) Waiting(delays []queue.Delay) []Waiting {
	return w.execution.admission.waiting(delays)
}

func (a *admission) waiting(delays []queue.Delay) (all []Waiting) {
	for _, d := range delays {
		parts := strings.Split(d.Reason, "/")
		if len(parts) != 3 || !slices.ContainsFunc(Whys, func(why Why) bool { return why.Name == parts[0] }) {
			continue
		}
		installation, _ := strconv.ParseInt(parts[1], 10, 64) // reasonIn wrote it
		repository, _ := strconv.ParseInt(parts[2], 10, 64)
		if n := len(all); n == 0 || all[n-1].Installation != installation || all[n-1].Why != parts[0] {
			all = append(all, Waiting{Installation: installation, Why: parts[0]})
		}
		w := &all[len(all)-1]
		w.Tasks += d.Tasks
		if d.Until.After(w.Until) {
			w.Until = d.Until.UTC()
		}
		if repository != 0 {
			w.Repositories = append(w.Repositories, WaitingIn{ID: repository, Tasks: d.Tasks, Until: d.Until.UTC()})
		}
	}
	for n := range all {
		a.estimate(&all[n])
	}
	return all
}

// estimate moves the times at which tasks are due to the times at which Colony's pace lets the last of them go on. Repositories take turns: before
// the last of one, as many go on in each of the others.
func (a *admission) estimate(w *Waiting) {
	slices.SortFunc(w.Repositories, func(x, y WaitingIn) int { return cmp.Or(cmp.Compare(y.Tasks, x.Tasks), cmp.Compare(x.ID, y.ID)) })
	class, from := ratelimit.People, a.clock.Now()
	switch w.Why {
	case whyWait, reconcile.WaitShare, string(ratelimit.BudgetContent):
		return // each has a time of its own
	case string(ratelimit.BudgetGitHub), string(ratelimit.BudgetGraphQL):
		from = w.Until
	case whyReserve:
		class, from = ratelimit.Background, w.Until
	case string(ratelimit.BudgetBackground):
		class = ratelimit.Background
	}
	last := func(due time.Time, tasks int) time.Time {
		if paced := a.limiter.Lasts(ratelimit.Caller{Installation: w.Installation, Class: class}, from, a.costs.of(class, tasks)); paced.After(due) {
			return paced.UTC().Truncate(time.Second)
		}
		return due
	}
	w.Until = last(w.Until, w.Tasks)
	fewer := 0
	for n, r := range slices.Backward(w.Repositories) {
		fewer += r.Tasks
		w.Repositories[n].Until = last(r.Until, fewer+n*r.Tasks)
	}
}

// paceLogged is how often the log says that people wait for Colony's own budgets, for each installation and budget.
const paceLogged = time.Minute

// paceLog remembers when the log said that, by reason. The zero value is ready. It is safe for concurrent use.
type paceLog struct{ last sync.Map }

// due reports whether the log should say again that something waits for a reason.
func (p *paceLog) due(reason string, now time.Time) bool {
	last, _ := p.last.Load(reason)
	if at, lately := last.(time.Time); lately && now.Sub(at) < paceLogged {
		return false
	}
	p.last.Store(reason, now)
	return true
}
