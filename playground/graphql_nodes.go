package playground

import (
	"context"
	"fmt"

	graphql "github.com/graph-gophers/graphql-go"
)

// maxNodes is how many nodes one field nodes can name.
const maxNodes = 100

// node is what an id names: an issue, a pull request or a comment. GitHub knows ids of everything else, too.
type node struct{ of interface{ ID() graphql.ID } }

func (n *node) ID() graphql.ID { return n.of.ID() }

// ToIssue and its likes say which of them it is.
func (n *node) ToIssue() (*issueNode, bool) { i, is := n.of.(*issueNode); return i, is }

func (n *node) ToPullRequest() (*pullNode, bool) { i, is := n.of.(*pullNode); return i, is }

func (n *node) ToIssueComment() (*commentNode, bool) { m, is := n.of.(*commentNode); return m, is }

func (n *node) ToRepository() (*repositoryNode, bool) { r, is := n.of.(*repositoryNode); return r, is }

func (n *node) ToUserContentEdit() (*revisionNode, bool) { return nil, false }

func (n *node) ToUser() (*actorNode, bool) { return nil, false }

func (n *node) ToBot() (*actorNode, bool) { return nil, false }

// Nodes is the field nodes of Query: what some ids name, each at the place of its id; null and an error where there is nothing for
// the caller (https://docs.github.com/graphql/guides/using-global-node-ids).
func (*queryRoot) Nodes(ctx context.Context, args struct{ IDs []graphql.ID }) ([]*node, error) {
	if len(args.IDs) > maxNodes {
		return nil, &graphqlRefusal{"ARGUMENT_LIMIT", fmt.Sprintf("You may not provide more than %d node ids; you provided %d.", maxNodes, len(args.IDs))}
	}
	c := callOf(ctx)
	nodes := make([]*node, len(args.IDs))
	for at, id := range args.IDs {
		if nodes[at] = c.node(string(id)); nodes[at] == nil {
			c.beside = append(c.beside, object{
				"type": "NOT_FOUND", "path": []any{"nodes", at}, "message": "Could not resolve to a node with the global id of '" + string(id) + "'",
			})
		}
	}
	return nodes, nil
}

// node finds what an id names, among what the caller is allowed to read; nil if there is nothing.
func (c *call) node(id string) *node {
	for _, r := range c.p.repositories {
		if r.deleted || !c.actor.sees(r) {
			continue
		}
		for _, i := range r.issues {
			permission := "issues"
			if i.pull != nil {
				permission = "pull_requests"
			}
			if i.deleted || i.movedTo != nil || !c.mayRead(r, permission) {
				continue
			}
			switch {
			case i.pull != nil && nodeID("PR", i.id) == id:
				return &node{&pullNode{c, i}}
			case i.pull == nil && nodeID("I", i.id) == id:
				return &node{&issueNode{c, i}}
			}
			for _, m := range i.comments {
				if nodeID("IC", m.id) == id {
					return &node{&commentNode{c, m}}
				}
			}
		}
	}
	return nil
}
