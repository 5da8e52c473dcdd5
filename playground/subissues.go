package playground

import (
	"fmt"
	"net/http"
	"slices"
)

// Bounds of sub-issues (https://docs.github.com/issues/tracking-your-work-with-issues/using-issues/adding-sub-issues).
const (
	maxSubIssues   = 100
	maxIssueLevels = 8
)

// GET /repos/{owner}/{repo}/issues/{issue_number}/sub_issues: in the order of their priority.
func listSubIssues(c *call) (any, error) { return c.relatedPage(c.issue.subs) }

// GET /repos/{owner}/{repo}/issues/{issue_number}/parent
func getParent(c *call) (any, error) {
	parent := c.issue.parent.here()
	if parent == nil || !c.actor.sees(parent.repo) {
		return nil, errNotFound
	}
	return c.p.relatedPayload(parent), nil
}

type subIssueBody struct {
	SubIssueID    *int64 `json:"sub_issue_id"`
	ReplaceParent bool   `json:"replace_parent"`
	AfterID       *int64 `json:"after_id"`
	BeforeID      *int64 `json:"before_id"`
}

// subIssueBody reads a body and finds the sub-issue that it names.
func (c *call) subIssueBody() (in subIssueBody, sub *issue, err error) {
	if err := c.ownIssue(); err != nil {
		return in, nil, err
	}
	if err := c.decode(&in); err != nil {
		return in, nil, err
	}
	if in.SubIssueID == nil {
		return in, nil, missing("sub_issue_id")
	}
	if sub = c.issueWithID(*in.SubIssueID); sub == nil {
		return in, nil, refuse(http.StatusNotFound, "The provided sub-issue does not exist")
	}
	return in, sub, nil
}

// POST /repos/{owner}/{repo}/issues/{issue_number}/sub_issues
func addSubIssue(c *call) (any, error) {
	in, sub, err := c.subIssueBody()
	if err != nil {
		return nil, err
	}
	if err := c.p.adopt(c.actor, c.issue, sub, in.ReplaceParent); err != nil {
		return nil, err
	}
	payload := c.p.relatedPayload(sub)
	c.header.Set("Location", payload["url"].(string))
	return payload, nil
}

// DELETE /repos/{owner}/{repo}/issues/{issue_number}/sub_issue
func removeSubIssue(c *call) (any, error) {
	_, sub, err := c.subIssueBody()
	if err != nil {
		return nil, err
	}
	if sub.parent.here() != c.issue {
		return nil, refuse(http.StatusNotFound, "The provided sub-issue does not exist")
	}
	c.p.disown(c.actor, c.issue, sub)
	return c.p.relatedPayload(sub), nil
}

// PATCH /repos/{owner}/{repo}/issues/{issue_number}/sub_issues/priority
func prioritizeSubIssue(c *call) (any, error) {
	in, sub, err := c.subIssueBody()
	if err != nil {
		return nil, err
	}
	if (in.AfterID == nil) == (in.BeforeID == nil) {
		return nil, refuse(http.StatusUnprocessableEntity, "Either after_id or before_id has to be specified")
	}
	neighbour, behind := in.BeforeID, 0
	if in.AfterID != nil {
		neighbour, behind = in.AfterID, 1
	}
	order := without(present(c.issue.subs), sub)
	at := slices.IndexFunc(order, func(i *issue) bool { return i.id == *neighbour })
	if at < 0 || sub.parent.here() != c.issue {
		return nil, refuse(http.StatusNotFound, "The provided sub-issue does not exist")
	}
	c.issue.subs = slices.Insert(order, at+behind, sub)
	return c.p.relatedPayload(c.issue), nil
}

// adopt makes an issue a sub-issue of another.
func (p *Playground) adopt(by actor, parent, sub *issue, replace bool) error {
	refused := func(why string) error {
		return refuse(http.StatusUnprocessableEntity, "An error occurred while adding the sub-issue to the parent issue. "+why)
	}
	former := sub.parent.here()
	levels := 1
	for above := parent; above != nil; above = above.parent.here() {
		levels++
		if above == sub {
			return refused("Sub issue cannot be an ancestor of its parent")
		}
	}
	switch {
	case former == parent:
		return refused("Issue may not contain duplicate sub-issues")
	case former != nil && !replace:
		return refused("Sub issue may only have one parent")
	case parent.repo.owner != sub.repo.owner:
		return refused("Sub issue must belong to the same repository owner as the parent issue")
	case len(present(parent.subs)) >= maxSubIssues:
		return refused(fmt.Sprintf("Parent cannot have more than %d sub-issues", maxSubIssues))
	case levels+sub.height() > maxIssueLevels:
		return refused(fmt.Sprintf("Parent cannot have more than %d layers of sub-issues", maxIssueLevels))
	}
	if former != nil {
		p.disown(by, former, sub)
	}
	sub.parent, parent.subs = parent, append(parent.subs, sub)
	p.tellFamily(by, parent, sub, "added")
	return nil
}

// height is how many levels of sub-issues are below an issue.
func (i *issue) height() int {
	height := 0
	for _, sub := range present(i.subs) {
		height = max(height, sub.height()+1)
	}
	return height
}

func (p *Playground) disown(by actor, parent, sub *issue) {
	sub.parent, parent.subs = nil, without(parent.subs, sub)
	p.tellFamily(by, parent, sub, "removed")
}

func (p *Playground) tellFamily(by actor, parent, sub *issue, what string) {
	p.tellRelation(by, "sub_issues", what, side{parent, "parent_issue", "sub_issue_"}, side{sub, "sub_issue", "parent_issue_"})
}

// SetSubIssue makes an issue a sub-issue of another of the same owner, in the place of a parent that it might have, or takes it away. It acts as a
// person (the owner if by is empty) does on the web.
func (p *Playground) SetSubIssue(owner, name string, parent int, subRepository string, sub int, is bool, by string) error {
	return p.relate(SubIssues, owner, name, parent, subRepository, sub, by, func(who actor, above, below *issue) error {
		switch {
		case is:
			return p.adopt(who, above, below, true)
		case below.parent.here() == above:
			p.disown(who, above, below)
		}
		return nil
	})
}
