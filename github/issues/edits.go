package issues

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"github.com/colony-app/colony/lifecycle"
)

// Anyone with write access can edit what others wrote, so the commands of a text are those of the person who edited it last. The REST API does not
// tell who that was, nor whether anybody did. It shows when a text was last updated. That can be a second after it was written although no one
// touched it (https://github.com/palantir/policy-bot/pull/459), and the same second although someone did. GraphQL tells both.

// EditState says whether a text is as it was written.
type EditState int

const (
	// Unedited is a text as its author wrote it.
	Unedited EditState = iota
	// Edited is a text that someone changed.
	Edited
	// EditUnknown is a text about which this GitHub does not tell that.
	EditUnknown
)

// Edit is what GitHub tells of the last edit of a text.
type Edit struct {
	State EditState
	// At is when it was made; zero if that is not known.
	At time.Time
	// By is who made it; without a login if that is not known, or they are gone.
	By lifecycle.Actor
}

const (
	// editsKept bounds the edits remembered, some 200 bytes each. One that was forgotten is asked for again.
	editsKept = 20_000
	// stampedLate is how much later than created a text can say it was updated although no one edited it.
	stampedLate = 2 * time.Second
	// nodesAsked is how many nodes GitHub tells of in one query.
	nodesAsked = 100
)

// EditInDoubt reports whether the times of a text leave open whether it was edited: they differ. GitHub's have whole seconds; other
// servers of its API write both with milliseconds, one after the other.
func (c Comment) EditInDoubt() bool { return c.Updated.Sub(c.Created) >= time.Second }

// guessedEdit is what the times of a text tell where GitHub cannot be asked. The time of an opening text is that of the whole issue,
// so that a later one says nothing about the text.
func (c Comment) guessedEdit() Edit {
	switch {
	case c.Updated.Sub(c.Created) <= stampedLate:
		return Edit{State: Unedited}
	case c.ID == 0:
		return Edit{State: EditUnknown}
	}
	return Edit{State: Edited, At: c.Updated}
}

// Edits tells of each text whether it was edited, by what GraphQL says of the texts whose times leave it open. It asks once for all of them, and not
// again for a text that is still the same. Where the server does not tell, the times decide. An error means that it could not be found out now.
func (s comments) Edits(ctx context.Context, ref Ref, texts []Comment) ([]Edit, error) {
	return s.editsOf(ctx, ref, texts, Comment.EditInDoubt, Comment.guessedEdit)
}

// editsOf asks about some of the texts, once for all of them, and not again for a text that is still the same. The others count
// as unedited. Where the server does not tell, guess decides.
func (s comments) editsOf(ctx context.Context, ref Ref, texts []Comment, asks func(Comment) bool, guess func(Comment) Edit) ([]Edit, error) {
	edits := make([]Edit, len(texts))
	var asked []Comment
	var places []int
	for i, c := range texts {
		if !asks(c) {
			continue
		}
		if known, ok := s.edits.Get(editKey(ref, c)); ok {
			edits[i] = known
			continue
		}
		asked, places = append(asked, c), append(places, i)
	}
	told, err := s.askForEdits(ctx, ref, asked)
	if err != nil && !cannotBeAsked(err) {
		return nil, err
	}
	for i, place := range places {
		if err != nil {
			edits[place] = guess(asked[i])
			continue
		}
		edits[place] = told[i]
		s.edits.Add(editKey(ref, asked[i]), told[i])
	}
	return edits, nil
}

// EditsNow asks GitHub about each text, no matter what its times say and what was answered before. Where the server does not say, that is the answer.
func (s comments) EditsNow(ctx context.Context, ref Ref, texts []Comment) ([]Edit, error) {
	edits, err := s.askForEdits(ctx, ref, texts)
	if cannotBeAsked(err) {
		edits = make([]Edit, len(texts))
		for i := range edits {
			edits[i].State = EditUnknown
		}
		return edits, nil
	}
	return edits, err
}

// cannotBeAsked reports whether GitHub does not tell it, rather than not now: the server has no such thing, or the App is not allowed to read it.
func cannotBeAsked(err error) bool {
	return errors.Is(err, errNoGraphQL) || errors.Is(err, ErrForbidden)
}

// editKey is of a text: one that reads as before is as before.
func editKey(ref Ref, c Comment) string {
	return fmt.Sprintf("%d/%x", receiptKey(ref, c.ID), sha256.Sum256([]byte(c.Body)))
}

const editsOfQuery = `query($ids: [ID!]!) {
  nodes(ids: $ids) {
    ... on Issue { lastEditedAt editor { __typename login } }
    ... on IssueComment { lastEditedAt editor { __typename login } }
  }
}`

// editNode is an issue or comment. The field lastEditedAt is null while no one has edited its text; the title does not count.
type editNode struct {
	LastEditedAt *time.Time
	Editor       *editor
}

// editor is who edited a text, as GraphQL tells it; nil if they are gone.
type editor struct {
	Typename string `json:"__typename"`
	Login    string
}

// login is the login as the REST API tells it: GraphQL has the name of a bot's App, without the ending.
func (e *editor) login() string {
	switch {
	case e == nil:
		return ""
	case e.Typename == botType && e.Login == "copilot-swe-agent": // GitHub's own coding agent
		return "Copilot"
	case e.Typename == botType:
		return e.Login + "[bot]"
	}
	return e.Login
}

func (s comments) askForEdits(ctx context.Context, ref Ref, texts []Comment) ([]Edit, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	asks := s.about(s.client(ref.Repository), ref)
	edits := make([]Edit, 0, len(texts))
	for len(texts) > 0 {
		n := min(len(texts), nodesAsked)
		ids := make([]string, n)
		for i, c := range texts[:n] {
			if c.NodeID == "" {
				return nil, errNoGraphQL
			}
			ids[i] = c.NodeID
		}
		var data struct{ Nodes []*editNode }
		if err := asks.queryWith(ctx, editsOfQuery, map[string]any{"ids": ids}, &data); err != nil {
			return nil, fmt.Errorf("read who edited the texts of %s: %w", ref, err)
		}
		if len(data.Nodes) != n {
			return nil, fmt.Errorf("read who edited the texts of %s: %d answers to %d questions", ref, len(data.Nodes), n)
		}
		for i, node := range data.Nodes {
			if node == nil {
				return nil, fmt.Errorf("read who edited the texts of %s: no answer about %s", ref, ids[i])
			}
			edits = append(edits, s.actors.editOf(node))
		}
		texts = texts[n:]
	}
	return edits, nil
}

func (c *Actors) editOf(node *editNode) Edit {
	if node.LastEditedAt == nil {
		return Edit{State: Unedited}
	}
	e := Edit{State: Edited, At: *node.LastEditedAt}
	if node.Editor != nil {
		e.By = c.actorOf(user{Login: node.Editor.login(), Type: node.Editor.Typename})
	}
	return e
}
