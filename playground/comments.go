package playground

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// mayTalk refuses comments, reviews and reactions in a locked conversation, but for people with write access. An App is no collaborator, no matter
// what it was granted (https://github.com/probot/stale/issues/25, https://github.com/renovatebot/renovate/issues/6215).
func (c *call) mayTalk(what string) error {
	if !c.issue.locked || !c.actor.asApp() && c.allowed(roleWrite) {
		return nil
	}
	locked := refuse(http.StatusForbidden, "Unable to create "+what+" because issue is locked.")
	locked.extra = object{"documentation_url": "https://docs.github.com/articles/locking-conversations/"}
	return locked
}

func commentBody(c *call) (string, error) {
	var in struct {
		Body *string `json:"body"`
	}
	if err := c.decode(&in); err != nil {
		return "", err
	}
	if in.Body == nil {
		return "", missing("body")
	}
	if strings.TrimSpace(*in.Body) == "" {
		return "", invalid("IssueComment", "data", "unprocessable", "Body cannot be blank")
	}
	if tooLong(*in.Body) {
		return "", invalid("IssueComment", "data", "unprocessable", "Body is too long (maximum is 65536 characters)")
	}
	return *in.Body, nil
}

func (p *Playground) emitComment(action string, by actor, m *comment, extra object) {
	fields := object{"issue": p.issuePayload(m.issue), "comment": p.commentPayload(m)}
	maps.Copy(fields, extra)
	p.emit("issue_comment", action, by, m.issue.repo, fields)
}

// POST /repos/{owner}/{repo}/issues/{issue_number}/comments
func createComment(c *call) (any, error) {
	if err := c.mayTalk("comment"); err != nil {
		return nil, err
	}
	body, err := commentBody(c)
	if err != nil {
		return nil, err
	}
	now := c.p.now()
	m := &comment{id: c.p.nextID(), issue: c.issue, body: body, user: c.actor.account, app: c.actor.app, created: now, updated: now.Add(c.p.lateStamp)}
	c.issue.comments = append(c.issue.comments, m)
	c.issue.updated = now
	c.p.emitComment("created", c.actor, m, nil)
	c.p.noteReferences(c.actor, c.issue, body)
	payload := c.p.commentPayload(m)
	c.header.Set("Location", payload["url"].(string))
	return payload, nil
}

func (c *call) commentPage(comments []*comment) ([]object, error) {
	since, err := c.since()
	if err != nil {
		return nil, err
	}
	comments = slices.DeleteFunc(slices.Clone(comments), func(m *comment) bool { return m.updated.Before(since) })
	return each(page(c, comments), c.p.commentPayload), nil
}

// GET /repos/{owner}/{repo}/issues/{issue_number}/comments: oldest first.
func listComments(c *call) (any, error) { return c.commentPage(c.issue.comments) }

// GET /repos/{owner}/{repo}/issues/comments
func listRepositoryComments(c *call) (any, error) {
	by, err := c.choice("sort", "created", "updated")
	if err != nil {
		return nil, err
	}
	direction, err := c.choice("direction", "asc", "desc")
	if err != nil {
		return nil, err
	}
	var comments []*comment
	for _, i := range c.openIssues() {
		comments = append(comments, i.comments...)
	}
	slices.SortFunc(comments, func(a, b *comment) int {
		order := cmp.Compare(a.id, b.id)
		if by == "updated" {
			order = cmp.Or(a.updated.Compare(b.updated), order)
		}
		// GitHub ignores the direction where no sort is given.
		if direction == "desc" && c.query.Has("sort") {
			return -order
		}
		return order
	})
	return c.commentPage(comments)
}

// GET /repos/{owner}/{repo}/issues/comments/{comment_id}
func getComment(c *call) (any, error) { return c.p.commentPayload(c.comment), nil }

// mayEditComment: the author, or write and more. An App edits what it wrote, or anything with issues: write.
func (c *call) mayEditComment() error {
	if c.comment.user == c.actor.account || c.allowed(roleWrite) {
		return nil
	}
	return errNeedsRights
}

// PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}
func updateComment(c *call) (any, error) {
	if err := c.mayEditComment(); err != nil {
		return nil, err
	}
	body, err := commentBody(c)
	if err != nil {
		return nil, err
	}
	if from := c.comment.body; from != body {
		c.comment.body, c.comment.updated = body, c.p.now()
		c.comment.edited, c.comment.editor = c.comment.updated, c.actor.account
		c.issue.updated = c.comment.updated
		c.p.emitComment("edited", c.actor, c.comment, object{"changes": object{"body": object{"from": from}}})
		c.p.noteReferences(c.actor, c.issue, body)
	}
	return c.p.commentPayload(c.comment), nil
}

// DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}
func deleteComment(c *call) (any, error) {
	if err := c.mayEditComment(); err != nil {
		return nil, err
	}
	c.issue.comments = slices.DeleteFunc(c.issue.comments, func(m *comment) bool { return m == c.comment })
	c.p.addEvent(c.issue, c.actor, "comment_deleted")
	c.p.emitComment("deleted", c.actor, c.comment, nil)
	return nil, nil
}
