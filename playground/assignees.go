package playground

import (
	"net/http"
	"slices"
	"strings"
)

// maxAssignees is how many people can be assigned to an issue
// (https://docs.github.com/issues/tracking-your-work-with-issues/using-issues/assigning-issues-and-pull-requests-to-other-github-users).
const maxAssignees = 10

// mayAssign reports whether a call is allowed to change the assignees of its repository's issues: GitHub drops what others ask for without a word.
func (c *call) mayAssign() bool { return c.allowed(roleTriage) }

// assignable reports whether an account can be assigned to an issue: people with a role of their own in the repository, and those who commented on
// the issue. The issue is nil while it is being opened.
func (r *repository) assignable(a *account, i *issue) bool {
	switch {
	case a == nil || a.deleted || a.kind != kindUser:
		return false
	case a == r.owner || r.roles[a] > roleNone:
		return true
	}
	return i != nil && slices.ContainsFunc(i.comments, func(c *comment) bool { return c.user == a })
}

// findAssignees resolves logins, each once, and returns apart the logins that name no one who can be assigned.
func (c *call) findAssignees(logins []string) (found []*account, others []string) {
	for _, login := range logins {
		a := c.p.accounts[lower(strings.TrimSpace(login))]
		switch {
		case !c.repo.assignable(a, c.issue):
			others = append(others, login)
		case !slices.Contains(found, a):
			found = append(found, a)
		}
	}
	return found, others
}

// wantedAssignees are the assignees named in a request that sets fields of an issue. Unlike the requests for assignees alone, GitHub refuses it if
// one of them cannot be assigned.
func (c *call) wantedAssignees(logins []string) ([]*account, error) {
	found, others := c.findAssignees(logins)
	if len(others) > 0 {
		wrong := invalid("Issue", "assignees", "invalid", "")
		wrong.details[0]["value"] = others[0]
		return nil, wrong
	}
	return found, c.notTooMany(found)
}

// notTooMany refuses what GitHub does not say what it makes of.
func (c *call) notTooMany(assignees []*account) error {
	if len(assignees) <= maxAssignees {
		return nil
	}
	c.p.unimplemented[c.route.Method+" "+c.route.Pattern+" with more than 10 assignees"]++
	return refuse(http.StatusNotImplemented, "The playground does not implement more than 10 assignees")
}

// assign adds an account to the assignees of an issue, unless it is among them.
func (p *Playground) assign(by actor, i *issue, a *account) {
	if !slices.Contains(i.assignees, a) {
		i.assignees = append(i.assignees, a)
		p.assignmentChanged(by, i, a, "assigned")
	}
}

// unassign is the opposite.
func (p *Playground) unassign(by actor, i *issue, a *account) {
	if slices.Contains(i.assignees, a) {
		i.assignees = slices.DeleteFunc(slices.Clone(i.assignees), func(other *account) bool { return other == a })
		p.assignmentChanged(by, i, a, "unassigned")
	}
}

// setAssignees makes those assigned to an issue the ones that are wanted.
func (p *Playground) setAssignees(by actor, i *issue, wanted []*account) {
	for _, a := range slices.Clone(i.assignees) {
		if !slices.Contains(wanted, a) {
			p.unassign(by, i, a)
		}
	}
	for _, a := range wanted {
		p.assign(by, i, a)
	}
}

func (p *Playground) assignmentChanged(by actor, i *issue, a *account, what string) {
	e := p.addEvent(i, by, what)
	e.assignee = a
	e.visible = p.clock.Now().Add(p.eventLag)
	p.emitIssue(what, by, i, object{"assignee": p.userPayload(a)})
}

// addAssignees puts those assigned to an issue or pull request into its payload: all, and the first.
func (p *Playground) addAssignees(payload object, i *issue) {
	all := []object{}
	for _, a := range i.assignees {
		if !a.deleted {
			all = append(all, p.userPayload(a))
		}
	}
	payload["assignee"], payload["assignees"] = nil, all
	if len(all) > 0 {
		payload["assignee"] = all[0]
	}
}

type assigneesBody struct {
	Assignees []string `json:"assignees"`
}

// POST /repos/{owner}/{repo}/issues/{issue_number}/assignees. Who cannot be assigned is left out, as GitHub documents.
func addAssignees(c *call, in assigneesBody) (any, error) {
	if c.mayAssign() {
		found, _ := c.findAssignees(in.Assignees)
		together := slices.Concat(c.issue.assignees, slices.DeleteFunc(slices.Clone(found), func(a *account) bool { return slices.Contains(c.issue.assignees, a) }))
		if err := c.notTooMany(together); err != nil {
			return nil, err
		}
		for _, a := range found {
			c.p.assign(c.actor, c.issue, a)
		}
	}
	return c.p.restIssuePayload(c.issue), nil
}

// DELETE /repos/{owner}/{repo}/issues/{issue_number}/assignees
func removeAssignees(c *call, in assigneesBody) (any, error) {
	if c.mayAssign() {
		for _, login := range in.Assignees {
			if a := c.p.accounts[lower(strings.TrimSpace(login))]; a != nil {
				c.p.unassign(c.actor, c.issue, a)
			}
		}
	}
	return c.p.restIssuePayload(c.issue), nil
}
