package playground

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
)

// maxDependencies bounds how many issues can block one, and how many one can block
// (https://docs.github.com/issues/tracking-your-work-with-issues/using-issues/creating-issue-dependencies).
const maxDependencies = 50

// here is where an issue is now, after transfers; nil if it is gone.
func (i *issue) here() *issue {
	for i != nil && i.movedTo != nil {
		i = i.movedTo
	}
	if i == nil || i.deleted {
		return nil
	}
	return i
}

// present are related issues where they are now, without the issues that are gone.
func present(related []*issue) []*issue {
	found := make([]*issue, 0, len(related))
	for _, i := range related {
		if at := i.here(); at != nil {
			found = append(found, at)
		}
	}
	return found
}

// without is a list of related issues without one.
func without(related []*issue, gone *issue) []*issue {
	return slices.DeleteFunc(related, func(i *issue) bool { return i.here() == gone })
}

func open(issues []*issue) int {
	count := 0
	for _, i := range issues {
		if i.state == "open" {
			count++
		}
	}
	return count
}

// issueWithID finds an issue anywhere by its id; nil if the actor is not allowed to see one with it. Pull requests do not count.
func (c *call) issueWithID(id int64) *issue {
	for _, r := range c.p.repositories {
		if !c.actor.sees(r) {
			continue
		}
		for _, i := range r.issues {
			if i.id == id && i.pull == nil {
				return i.here()
			}
		}
	}
	return nil
}

// ownIssue refuses pull requests, which have neither dependencies nor sub-issues.
func (c *call) ownIssue() error {
	if c.issue.pull != nil {
		return errNotFound
	}
	return nil
}

// relatedPage is a page of the related issues that the caller is allowed to see.
func (c *call) relatedPage(related []*issue) (any, error) {
	if err := c.ownIssue(); err != nil {
		return nil, err
	}
	visible := slices.DeleteFunc(present(related), func(i *issue) bool { return !c.actor.sees(i.repo) })
	return each(page(c, visible), c.p.relatedPayload), nil
}

// relatedPayload is an issue that can be of another repository.
func (p *Playground) relatedPayload(i *issue) object {
	payload := p.readIssuePayload(i)
	payload["repository"] = p.repositoryPayload(i.repo)
	return payload
}

// GET /repos/{owner}/{repo}/issues/{issue_number}/dependencies/blocked_by
func listBlockedBy(c *call) (any, error) { return c.relatedPage(c.issue.blockedBy) }

// GET /repos/{owner}/{repo}/issues/{issue_number}/dependencies/blocking
func listBlocking(c *call) (any, error) { return c.relatedPage(c.issue.blocks) }

// POST /repos/{owner}/{repo}/issues/{issue_number}/dependencies/blocked_by
func addBlockedBy(c *call) (any, error) {
	var in struct {
		IssueID *int64 `json:"issue_id"`
	}
	if err := c.ownIssue(); err != nil {
		return nil, err
	}
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	if in.IssueID == nil {
		return nil, missing("issue_id")
	}
	blocker := c.issueWithID(*in.IssueID)
	if blocker == nil {
		return nil, refuse(http.StatusNotFound, "The provided issue does not exist")
	}
	if err := c.p.block(c.actor, c.issue, blocker); err != nil {
		return nil, err
	}
	payload := c.p.relatedPayload(blocker)
	c.header.Set("Location", payload["url"].(string))
	return payload, nil
}

// DELETE /repos/{owner}/{repo}/issues/{issue_number}/dependencies/blocked_by/{issue_id}
func removeBlockedBy(c *call) (any, error) {
	if err := c.ownIssue(); err != nil {
		return nil, err
	}
	blocker := c.issueWithID(c.number("issue_id"))
	if blocker == nil || !slices.Contains(present(c.issue.blockedBy), blocker) {
		return nil, errNotFound
	}
	c.p.unblock(c.actor, c.issue, blocker)
	return c.p.relatedPayload(blocker), nil
}

// block marks an issue as blocked by another. GitHub lets them go round in a circle.
func (p *Playground) block(by actor, blocked, blocker *issue) error {
	switch {
	case blocked == blocker:
		return refuse(http.StatusUnprocessableEntity, "Validation failed: An issue cannot be blocked by itself")
	case slices.Contains(present(blocked.blockedBy), blocker):
		return refuse(http.StatusUnprocessableEntity, "Validation failed: Target issue has already been taken")
	case len(blocked.blockedBy) >= maxDependencies || len(blocker.blocks) >= maxDependencies:
		return refuse(http.StatusUnprocessableEntity, fmt.Sprintf("Validation failed: An issue cannot have more than %d dependencies", maxDependencies))
	}
	blocked.blockedBy, blocker.blocks = append(blocked.blockedBy, blocker), append(blocker.blocks, blocked)
	p.tellDependency(by, blocked, blocker, "added")
	return nil
}

func (p *Playground) unblock(by actor, blocked, blocker *issue) {
	blocked.blockedBy, blocker.blocks = without(blocked.blockedBy, blocker), without(blocker.blocks, blocked)
	p.tellDependency(by, blocked, blocker, "removed")
}

func (p *Playground) tellDependency(by actor, blocked, blocker *issue, what string) {
	p.tellRelation(by, "issue_dependencies", what, side{blocked, "blocked_issue", "blocked_by_"}, side{blocker, "blocking_issue", "blocking_"})
}

// side is one of two related issues: what it is in the payloads, and how its event begins.
type side struct {
	issue      *issue
	key, event string
}

// tellRelation tells either side that they are related, or no longer, each in its own repository.
func (p *Playground) tellRelation(by actor, event, what string, one, other side) {
	p.addEvent(one.issue, by, one.event+what)
	p.addEvent(other.issue, by, other.event+what)
	for _, way := range [][2]side{{one, other}, {other, one}} {
		here, there := way[0], way[1]
		p.emit(event, here.event+what, by, here.issue.repo, object{
			one.key + "_id": one.issue.id, one.key: p.fullIssuePayload(one.issue), other.key + "_id": other.issue.id, other.key: p.fullIssuePayload(other.issue),
			there.key + "_repo": p.repositoryPayload(there.issue.repo),
		})
	}
}

// SetBlockedBy marks an issue as blocked by another of the same owner, or as no longer blocked by it. It acts as a person (the owner if by is empty)
// does on the web.
func (p *Playground) SetBlockedBy(owner, name string, number int, blockerRepository string, blocker int, blocked bool, by string) error {
	return p.relate(IssueDependencies, owner, name, number, blockerRepository, blocker, by, func(who actor, i, other *issue) error {
		switch is := slices.Contains(present(i.blockedBy), other); {
		case blocked:
			return p.block(who, i, other)
		case is:
			p.unblock(who, i, other)
		}
		return nil
	})
}

// relate does something with two issues of an owner, the second in a repository of its own or the same.
func (p *Playground) relate(feature Feature, owner, name string, number int, otherName string, otherNumber int, by string, do func(who actor, i, other *issue) error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.lacking[feature] {
		return fmt.Errorf("this GitHub has no %s", feature)
	}
	i, who, err := p.threadFor(owner, name, number, by)
	if err != nil {
		return err
	}
	other, _, err := p.threadFor(owner, cmp.Or(otherName, name), otherNumber, by)
	if err != nil {
		return err
	}
	if i.pull != nil || other.pull != nil {
		return errors.New("pull requests are not related to others")
	}
	if err := do(who, i, other); err != nil {
		return fmt.Errorf("relate %s#%d to #%d: %w", i.repo.fullName(), number, otherNumber, err)
	}
	return nil
}
