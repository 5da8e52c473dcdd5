package playground

import (
	"context"

	graphql "github.com/graph-gophers/graphql-go"
)

type labelNode struct{ l *label }

func (n *labelNode) ID() graphql.ID       { return graphql.ID(nodeID("LA", n.l.id)) }
func (n *labelNode) Name() string         { return n.l.name }
func (n *labelNode) Color() string        { return n.l.color }
func (n *labelNode) Description() *string { return n.l.description }

// createLabelPayload is the answer of createLabel.
type createLabelPayload struct {
	id *string
	of *labelNode
}

func (p *createLabelPayload) ClientMutationID() *string { return p.id }
func (p *createLabelPayload) Label() *labelNode         { return p.of }

// CreateLabel is the field createLabel of Mutation: https://docs.github.com/graphql/reference/mutations#createlabel.
func (*queryRoot) CreateLabel(ctx context.Context, args struct {
	Input struct {
		ClientMutationID *string
		Color            string
		Description      *string
		Name             string
		RepositoryID     graphql.ID
	}
},
) (*createLabelPayload, error) {
	c, in := callOf(ctx), args.Input
	r := c.repositoryNamed(in.RepositoryID)
	if r == nil {
		return nil, &graphqlRefusal{"NOT_FOUND", "Could not resolve to a node with the global id of '" + string(in.RepositoryID) + "'"}
	}
	if err := c.mutates(r, "CreateLabel"); err != nil {
		return nil, err
	}
	body := labelBody{Name: &in.Name, Color: &in.Color, Description: in.Description}
	switch {
	case r.label(in.Name) != nil:
		return nil, &graphqlRefusal{"UNPROCESSABLE", "Name has already been taken"}
	case badLabelName(in.Name) != nil:
		return nil, &graphqlRefusal{"UNPROCESSABLE", "Name is invalid"}
	case body.check() != nil:
		return nil, &graphqlRefusal{"UNPROCESSABLE", "Color or description is invalid"}
	}
	return &createLabelPayload{in.ClientMutationID, &labelNode{c.p.createLabel(c.actor, r, in.Name, in.Color, in.Description)}}, nil
}

// repositoryNamed finds the repository that an id names, among what the caller sees; nil without one.
func (c *call) repositoryNamed(id graphql.ID) *repository {
	for _, r := range c.p.repositories {
		if !r.deleted && c.actor.sees(r) && graphql.ID(nodeID("R", r.id)) == id {
			return r
		}
	}
	return nil
}
