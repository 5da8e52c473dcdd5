package reconcile

import (
	"context"
	"slices"
	"time"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
)

// An issue has one open refusal. What a new one makes out of date is hidden before it is written, so that a crash in between leaves nothing open
// permanently. When a person makes an allowed move, what asked for it is hidden before the mark that says so goes.

// hideAnsweredFeature hides what asked for a person before the mark goes that says so.
var hideAnsweredFeature = feature{
	name:    "hide answered",
	applies: planning.unmarks,
	plan:    planHideAnswered,
}

var hideForCommandFeature = feature{
	name:    "hide answered by a command",
	applies: planning.answerUnmarks,
	plan:    planHideAnswered,
}

// hideOutdatedFeature hides earlier refusals before a new one is written. What is refused takes the comments anyway.
var hideOutdatedFeature = feature{
	name: "hide outdated",
	applies: func(p planning) bool {
		return p.refuses() && !p.unmarks() && !p.answerUnmarks() && p.issue.conversation != nil
	},
	plan: planHideOutdated,
}

func (p planning) refuses() bool {
	return len(p.Explain) > 0 || replyFeature.applies(p) && wording.RefusesAny(p.answer.Recorded)
}

func planHideAnswered(ctx context.Context, p planning) ([]issues.Write, error) {
	own, err := ownSince(ctx, p.issue, p.issue.markedAt().Add(-writtenWithin))
	return hiding(p.issue, own, wording.AsksPerson, issues.Resolved), err
}

func planHideOutdated(_ context.Context, p planning) ([]issues.Write, error) {
	return hiding(p.issue, p.issue.conversation.own, wording.Refuses, issues.Outdated), nil
}

// hiding returns the write that hides those of Colony's comments that say something, if there are any that this process did not hide.
func hiding(q *inquiry, own []issues.Comment, says func(body string) bool, as issues.Classifier) []issues.Write {
	m := issues.Minimize{As: as}
	for _, c := range own {
		if c.NodeID != "" && says(c.Body) && !q.memory.knows(note{kind: noteHidden, name: c.NodeID}) {
			m.NodeIDs = append(m.NodeIDs, c.NodeID)
		}
	}
	if len(m.NodeIDs) == 0 {
		return nil
	}
	return []issues.Write{{Minimize: &m}}
}

// markedAt is the time from which a person is asked for; zero if no one is.
func (c *Case) markedAt() time.Time {
	var at time.Time
	for _, c := range c.view.Changes {
		if c.Added && lifecycle.SameLabel(c.Label, lifecycle.NeedsHuman) {
			at = c.At
		}
	}
	return at
}

// writtenWithin is how long after, or before, the mark the comment can be that says why a person is asked for.
const writtenWithin = 10 * time.Minute

// ownSince returns Colony's comments on the issue since a time.
func ownSince(ctx context.Context, q *inquiry, since time.Time) ([]issues.Comment, error) {
	if q.conversation != nil && !since.Before(q.commandsSince) {
		return q.conversation.own, nil
	}
	comments, err := q.store.Comments(ctx, q.view.Ref, since)
	return slices.DeleteFunc(comments, func(c issues.Comment) bool { return c.By.Kind != lifecycle.Colony }), err
}
