package reconcile

import (
	"context"
	"slices"
	"time"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
)

// An issue has one open refusal. What a new one makes out of date is hidden before it is written, so that a crash in between leaves nothing
// open for ever; and when a person makes a legal move, what asked for it is hidden before the mark that says so goes.

// ownComment is a comment of Colony's that may be hidden.
type ownComment struct {
	nodeID string
	// refuses and asks say what it is about: see wording.Refuses and wording.AsksPerson.
	refuses, asks bool
}

// readOwnComment returns what of a comment of Colony's may be hidden; ok is false if nothing is.
func readOwnComment(c issues.Comment) (own ownComment, ok bool) {
	own = ownComment{c.NodeID, wording.Refuses(c.Body), wording.AsksPerson(c.Body)}
	return own, c.NodeID != "" && own.asks
}

// tidied adds to writes what hides earlier comments. It reads comments only if there may be some: while the mark NeedsHuman is there, or
// something is refused, which takes them anyway.
func (q *inquiry) tidied(ctx context.Context, writes []issues.Write) ([]issues.Write, error) {
	answers := slices.IndexFunc(writes, func(w issues.Write) bool { return lifecycle.SameLabel(w.Remove, lifecycle.NeedsHuman) })
	if answers >= 0 {
		open, err := q.ownSince(ctx, q.markedAt())
		if err != nil {
			return nil, err
		}
		return q.hiding(writes, answers, open, issues.Resolved), nil
	}
	refuses := slices.IndexFunc(writes, func(w issues.Write) bool { return w.On == 0 && w.Comment != "" && wording.Refuses(w.Comment) })
	if refuses < 0 || q.conversation == nil {
		return writes, nil
	}
	open := slices.DeleteFunc(slices.Clone(q.conversation.own), func(c ownComment) bool { return !c.refuses })
	return q.hiding(writes, refuses, open, issues.Outdated), nil
}

// hiding puts a write that hides comments before another one. What this process hid is not hidden again.
func (q *inquiry) hiding(writes []issues.Write, before int, comments []ownComment, as issues.Classifier) []issues.Write {
	m := issues.Minimize{As: as}
	for _, c := range comments {
		if !q.hidden.Contains(c.nodeID) {
			m.NodeIDs = append(m.NodeIDs, c.nodeID)
		}
	}
	if len(m.NodeIDs) == 0 {
		return writes
	}
	return slices.Insert(slices.Clone(writes), before, issues.Write{Minimize: &m})
}

// markedAt is since when a person is asked for; zero if no one is.
func (c Case) markedAt() time.Time {
	var at time.Time
	for _, c := range c.view.Changes {
		if c.Added && lifecycle.SameLabel(c.Label, lifecycle.NeedsHuman) {
			at = c.At
		}
	}
	return at
}

// writtenWithin is how long after, or before, the mark the comment may be that says why a person is asked for.
const writtenWithin = 10 * time.Minute

// ownSince returns the comments of Colony's since a person was asked for that may be hidden.
func (q *inquiry) ownSince(ctx context.Context, marked time.Time) ([]ownComment, error) {
	since := marked.Add(-writtenWithin)
	if q.conversation != nil && !since.Before(q.commandsSince) {
		return q.conversation.own, nil
	}
	comments, err := q.store.Comments(ctx, q.view.Ref, since)
	if err != nil {
		return nil, err
	}
	var own []ownComment
	for _, c := range comments {
		if o, may := readOwnComment(c); may && c.By.Kind == lifecycle.Colony {
			own = append(own, o)
		}
	}
	return own, nil
}

// hiddenKept bounds the memory of what was hidden. Forgetting is harmless: a comment may be hidden again.
const hiddenKept = 20_000

func (rc *reconciliation) hid(nodeIDs []string) {
	for _, id := range nodeIDs {
		rc.hidden.Add(id, true)
	}
}
