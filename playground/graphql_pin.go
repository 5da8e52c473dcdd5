package playground

import (
	"context"
	"slices"

	graphql "github.com/graph-gophers/graphql-go"
)

// maxPinned is how many issues of a repository can be pinned:
// https://docs.github.com/issues/tracking-your-work-with-issues/administering-issues/pinning-an-issue-to-your-repository.
const maxPinned = 3

// IsPinned is whether the issue is pinned to its repository.
func (n *issueNode) IsPinned() *bool { return new(slices.Contains(n.i.repo.pinned, n.i)) }

// pinInput is the input of pinIssue and unpinIssue.
type pinInput struct {
	ClientMutationID *string
	IssueID          graphql.ID
}

// pinPayload is the answer of pinIssue.
type pinPayload struct {
	id *string
	of *issueNode
}

func (p *pinPayload) ClientMutationID() *string { return p.id }
func (p *pinPayload) Issue() *issueNode         { return p.of }

// unpinPayload is the answer of unpinIssue.
type unpinPayload struct{ pinPayload }

// ID is the issue's.
func (p *unpinPayload) ID() *graphql.ID { return new(p.of.ID()) }

// PinIssue is the field pinIssue of Mutation: https://docs.github.com/graphql/reference/mutations#pinissue.
func (*queryRoot) PinIssue(ctx context.Context, args struct{ Input pinInput }) (*pinPayload, error) {
	n, err := callOf(ctx).pinnable(args.Input, "PinIssue")
	if err != nil {
		return nil, err
	}
	r := n.i.repo
	switch {
	case slices.Contains(r.pinned, n.i):
		return nil, &graphqlRefusal{"UNPROCESSABLE", "Issue is already pinned"}
	case len(r.pinned) >= maxPinned:
		return nil, &graphqlRefusal{"UNPROCESSABLE", "Maximum 3 pinned issues per repository"}
	}
	r.pinned = append(r.pinned, n.i)
	n.c.p.addEvent(n.i, n.c.actor, "pinned")
	n.c.p.emitIssue("pinned", n.c.actor, n.i, nil)
	return &pinPayload{args.Input.ClientMutationID, n}, nil
}

// UnpinIssue is the field unpinIssue of Mutation: https://docs.github.com/graphql/reference/mutations#unpinissue.
func (*queryRoot) UnpinIssue(ctx context.Context, args struct{ Input pinInput }) (*unpinPayload, error) {
	n, err := callOf(ctx).pinnable(args.Input, "UnpinIssue")
	if err != nil {
		return nil, err
	}
	r := n.i.repo
	if !slices.Contains(r.pinned, n.i) {
		return nil, &graphqlRefusal{"UNPROCESSABLE", "Issue is not pinned"}
	}
	r.pinned = slices.DeleteFunc(r.pinned, func(i *issue) bool { return i == n.i })
	n.c.p.addEvent(n.i, n.c.actor, "unpinned")
	n.c.p.emitIssue("unpinned", n.c.actor, n.i, nil)
	return &unpinPayload{pinPayload{args.Input.ClientMutationID, n}}, nil
}

// pinnable finds the issue that is to be pinned or unpinned.
func (c *call) pinnable(in pinInput, mutation string) (*issueNode, error) {
	found := c.node(string(in.IssueID))
	if found == nil {
		return nil, &graphqlRefusal{"NOT_FOUND", "Could not resolve to a node with the global id of '" + string(in.IssueID) + "'"}
	}
	n, is := found.ToIssue()
	if !is {
		return nil, &graphqlRefusal{"UNPROCESSABLE", "Only issues can be pinned"}
	}
	return n, c.mutates(n.i.repo, mutation)
}

// mutates returns why the caller cannot change issues or labels of a repository: people can with write or more, and an App with the permission to write
// issues.
func (c *call) mutates(r *repository, mutation string) error {
	switch {
	case c.actor.asApp():
		if !c.actor.reaches(r) || !grants(c.actor.token.permissions, "issues", "write") {
			return &graphqlRefusal{"FORBIDDEN", "Resource not accessible by integration"}
		}
	case r.roleOf(c.actor.account) < roleWrite:
		return &graphqlRefusal{"FORBIDDEN", c.actor.account.login + " does not have the correct permissions to execute `" + mutation + "`"}
	}
	return nil
}
