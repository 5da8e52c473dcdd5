package playground

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"
)

// activity is a change of a branch, and who made it.
type activity struct {
	id            int64
	branch        string
	before, after string // commits
	kind          string
	by            *account
	at            time.Time
}

// noCommit is the id in place of the commit before a branch was made, and after it was deleted.
var noCommit = strings.Repeat("0", 40)

// moved notes that an actor made, moved or deleted a branch; a commit that is nil does not exist.
func (p *Playground) moved(by actor, r *repository, branch, kind string, before, after *commit) {
	sha := func(c *commit) string {
		if c == nil {
			return noCommit
		}
		return c.sha
	}
	r.activities = append(r.activities, &activity{p.nextID(), branch, sha(before), sha(after), kind, by.account, p.now()})
}

// makeBranch makes a branch that leads to a commit.
func (p *Playground) makeBranch(by actor, r *repository, branch string, at *commit) {
	r.branches[branch] = at
	p.moved(by, r, branch, "branch_creation", nil, at)
}

// GET /repos/{owner}/{repo}/activity: what became of branches, the latest first.
func listActivities(c *call) (any, error) {
	for name := range c.query {
		if !slices.Contains([]string{"ref", "direction", "per_page"}, name) {
			c.p.unimplemented[c.route.Method+" "+c.route.Pattern+" with "+name]++
			return nil, refuse(http.StatusNotImplemented, "The playground does not implement the parameter "+name)
		}
	}
	direction := cmp.Or(c.query.Get("direction"), "desc")
	if direction != "desc" && direction != "asc" {
		return nil, refuse(http.StatusUnprocessableEntity, "Validation Failed")
	}
	ref := strings.TrimPrefix(c.query.Get("ref"), "refs/heads/")
	listed := slices.DeleteFunc(slices.Clone(c.repo.activities), func(a *activity) bool { return ref != "" && a.branch != ref })
	if direction == "desc" {
		slices.Reverse(listed)
	}
	payloads := []object{}
	for _, a := range listed[:min(len(listed), perPage(c.query))] { // its further pages have cursors
		var by any
		if a.by != nil && !a.by.deleted {
			by = c.p.userPayload(a.by)
		}
		payloads = append(payloads, object{
			"id": a.id, "node_id": nodeID("PSH", a.id), "before": a.before, "after": a.after, "ref": "refs/heads/" + a.branch,
			"timestamp": a.at, "activity_type": a.kind, "actor": by,
		})
	}
	return payloads, nil
}
