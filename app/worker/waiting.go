package worker

import (
	"fmt"
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
	// Until is when the last of the tasks is due. It might have to wait again then.
	Until time.Time `json:"until"`
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

// reasonOf names for the queue why an item waits, and in which installation.
func reasonOf(i *Item, why string) string { return fmt.Sprintf("%s/%d", why, i.Installation) }

// WaitingFor tells what waits and why, from the delays of a queue. Tasks that failed are not among them, nor tasks that an earlier version
// requeued.
func WaitingFor(delays []queue.Delay) (all []Waiting) {
	for _, d := range delays {
		w := Waiting{Tasks: d.Tasks, Until: d.Until.UTC()}
		for _, why := range Whys {
			if n, err := fmt.Sscanf(d.Reason, why.Name+"/%d", &w.Installation); n == 1 && err == nil {
				w.Why = why.Name
				all = append(all, w)
			}
		}
	}
	return all
}

// paceLogged is how often the log says that people wait for Colony's own budgets, for each installation and budget.
const paceLogged = time.Minute

// paceLog remembers what the log said of that. The zero value is ready. It is safe for concurrent use.
type paceLog struct {
	mu   sync.Mutex
	last map[string]time.Time // by reason
}

// due reports whether the log should say again that something waits for a reason.
func (p *paceLog) due(reason string, now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for r, at := range p.last {
		if now.Sub(at) >= paceLogged {
			delete(p.last, r)
		}
	}
	if _, lately := p.last[reason]; lately {
		return false
	}
	if p.last == nil {
		p.last = map[string]time.Time{}
	}
	p.last[reason] = now
	return true
}
