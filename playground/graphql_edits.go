package playground

import (
	"time"

	graphql "github.com/graph-gophers/graphql-go"
)

// LastEditedAt is when the text was edited last, the title not counted; null if it never was.
func (n *issueNode) LastEditedAt() *dateTime { return editedAt(n.i.edited) }

func editedAt(at time.Time) *dateTime {
	if at.IsZero() {
		return nil
	}
	return new(dateTime(at.UTC().Format(time.RFC3339)))
}

// dateTime is GitHub's own scalar.
type dateTime string

func (dateTime) ImplementsGraphQLType(name string) bool { return name == "DateTime" }
func (dateTime) UnmarshalGraphQL(any) error             { return errScalarInput }

// Editor is who edited the text last; null if no one did, or they are gone.
func (n *issueNode) Editor() *actorNode { return editorNode(n.i.editor) }

func editorNode(editor *account) *actorNode {
	if editor == nil || editor.deleted {
		return nil
	}
	return &actorNode{editor}
}

// commentNode is a comment on an issue or pull request.
type commentNode struct {
	c *call
	m *comment
}

func (n *commentNode) ID() graphql.ID          { return graphql.ID(nodeID("IC", n.m.id)) }
func (n *commentNode) LastEditedAt() *dateTime { return editedAt(n.m.edited) }
func (n *commentNode) Editor() *actorNode      { return editorNode(n.m.editor) }

// actorNode is a person or a bot.
type actorNode struct{ a *account }

// ToUser and ToBot say which of the two it is.
func (n *actorNode) ToUser() (*actorNode, bool) { return n, n.a.kind != kindBot }

func (n *actorNode) ToBot() (*actorNode, bool) { return n, n.a.kind == kindBot }

func (n *actorNode) ID() graphql.ID { return graphql.ID(nodeID("U", n.a.id)) }

// Login is that of a bot's App: without the ending that the REST API gives it.
func (n *actorNode) Login() string {
	if n.a.app != nil {
		return n.a.app.Slug
	}
	return n.a.login
}
