package playground

import (
	"context"
	"strings"

	graphql "github.com/graph-gophers/graphql-go"
)

// IsMinimized is whether the comment is hidden, and MinimizedReason why; null if it is not.
func (n *commentNode) IsMinimized() bool { return n.m.minimized != "" }

func (n *commentNode) MinimizedReason() *string {
	if n.m.minimized == "" {
		return nil
	}
	return &n.m.minimized
}

// ViewerCanMinimize is whether the caller is allowed to hide it: with triage or more, and an App with the permission to write issues.
func (n *commentNode) ViewerCanMinimize() bool { return n.c.mayMinimize(n.m) }

func (c *call) mayMinimize(m *comment) bool {
	r := m.issue.repo
	if c.actor.asApp() {
		return c.actor.reaches(r) && grants(c.actor.token.permissions, "issues", "write")
	}
	return r.roleOf(c.actor.account) >= roleTriage
}

// minimizable is a comment that can be hidden.
type minimizable struct{ *commentNode }

// ToIssueComment says that it is one of an issue.
func (m *minimizable) ToIssueComment() (*commentNode, bool) { return m.commentNode, true }

// minimizePayload is the answer of minimizeComment.
type minimizePayload struct {
	id *string
	of *minimizable
}

func (p *minimizePayload) ClientMutationID() *string      { return p.id }
func (p *minimizePayload) MinimizedComment() *minimizable { return p.of }

// MinimizeComment is the field minimizeComment of Mutation: it hides a comment, and says why
// (https://docs.github.com/graphql/reference/mutations#minimizecomment).
func (*queryRoot) MinimizeComment(ctx context.Context, args struct {
	Input struct {
		Classifier       string
		ClientMutationID *string
		SubjectID        graphql.ID
	}
},
) (*minimizePayload, error) {
	c := callOf(ctx)
	found := c.node(string(args.Input.SubjectID))
	if found == nil {
		return nil, &graphqlRefusal{"NOT_FOUND", "Could not resolve to a node with the global id of '" + string(args.Input.SubjectID) + "'"}
	}
	n, is := found.ToIssueComment()
	if !is {
		return nil, &graphqlRefusal{"UNPROCESSABLE", "The subject cannot be minimized"}
	}
	if !c.mayMinimize(n.m) {
		if c.actor.app != nil {
			return nil, &graphqlRefusal{"FORBIDDEN", "Resource not accessible by integration"}
		}
		return nil, &graphqlRefusal{"FORBIDDEN", c.actor.account.login + " does not have the correct permissions to execute `MinimizeComment`"}
	}
	n.m.minimized = strings.ToLower(args.Input.Classifier)
	return &minimizePayload{args.Input.ClientMutationID, &minimizable{n}}, nil
}
