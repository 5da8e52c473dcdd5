package playground

import (
	"fmt"
	"slices"
	"time"

	graphql "github.com/graph-gophers/graphql-go"
)

// revision is one text of an issue's body.
type revision struct {
	at   time.Time
	by   *account
	text string
}

// revised notes the text that an edit of the body made. The first edit also makes a revision of the text as it was written.
func (i *issue) revised(from string) {
	if len(i.revisions) == 0 {
		i.revisions = append(i.revisions, revision{i.created, i.user, from})
	}
	i.revisions = append(i.revisions, revision{i.edited, i.editor, *i.body})
}

// UserContentEdits is the field of that name of Issue: the revisions of its text, the latest first. The list is empty while no one has edited it; the
// oldest is the text as it was written.
func (n *issueNode) UserContentEdits(args struct {
	After, Before *string
	First, Last   *int32
},
) (*list[*revisionNode], error) {
	var all []*revisionNode
	for at, r := range slices.Backward(n.i.revisions) {
		all = append(all, &revisionNode{n.i, at, r})
	}
	return listed(all, "userContentEdits", bounds{args.First, args.Last, args.After, args.Before}, func(r *revisionNode) string { return string(r.ID()) })
}

type revisionNode struct {
	i  *issue
	at int
	r  revision
}

func (n *revisionNode) ID() graphql.ID {
	return graphql.ID(fmt.Sprintf("%s_%d", nodeID("UCE", n.i.id), n.at))
}
func (n *revisionNode) CreatedAt() dateTime  { return *editedAt(n.r.at) }
func (n *revisionNode) EditedAt() dateTime   { return *editedAt(n.r.at) }
func (n *revisionNode) Editor() *actorNode   { return editorNode(n.r.by) }
func (n *revisionNode) DeletedAt() *dateTime { return nil }

// Diff is the whole text of the revision, despite its name.
func (n *revisionNode) Diff() *string { return &n.r.text }
