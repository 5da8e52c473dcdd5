package issues

import (
	"context"
	"fmt"
	"path"
	"strconv"
	"time"

	"github.com/colony-app/colony/lifecycle"
)

// Recorded is one event of the log of an issue, as GitHub keeps it: see https://docs.github.com/rest/issues/events. A replay needs more
// kinds of them than a reconciliation, and keeps none.
type Recorded struct {
	ID   int64
	Kind RecordedKind
	At   time.Time
	By   lifecycle.Actor
	// Name is the label, or the login of who was assigned.
	Name string
}

// RecordedKind is what an event tells.
type RecordedKind string

// The kinds of events that a replay needs.
const (
	RecordedLabeled    RecordedKind = "labeled"
	RecordedUnlabeled  RecordedKind = "unlabeled"
	RecordedClosed     RecordedKind = "closed"
	RecordedReopened   RecordedKind = "reopened"
	RecordedAssigned   RecordedKind = "assigned"
	RecordedUnassigned RecordedKind = "unassigned"
)

// RecordedComment is a comment, and the issue or pull request that it is on.
type RecordedComment struct {
	Comment
	Number int
}

// Views lists the issues of a repository as Load returns them, but without their logs; more says that there are more than it read.
func (s lists) Views(ctx context.Context, repo Repository, f Filter) (views []View, more bool, err error) {
	list, more, err := s.page(ctx, repo, f)
	for _, issue := range list {
		views = append(views, s.actors.viewOf(Ref{Repository: repo, Number: issue.Number}, &issue))
	}
	return views, more, err
}

// Record reads the whole log of an issue, the oldest event first.
func (s logs) Record(ctx context.Context, ref Ref) ([]Recorded, error) {
	var record []Recorded
	err := each(ctx, s.client(ref.Repository), fmt.Sprintf("repos/%s/%s/issues/%d/events", ref.Owner, ref.Name, ref.Number), func(e *event) {
		if told, of := s.actors.recorded(e); of {
			record = append(record, told)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("read the events of %s: %w", ref, asNotFound(err))
	}
	return record, nil
}

func (c *Actors) recorded(e *event) (told Recorded, of bool) {
	told = Recorded{ID: e.ID, Kind: RecordedKind(e.Event), At: e.Created, By: c.actor(e.Actor.Login, e.Actor.Type == botType, e.Via.ID)}
	switch told.Kind {
	case RecordedLabeled, RecordedUnlabeled:
		told.Name = e.Label.Name
		return told, told.Name != ""
	case RecordedAssigned, RecordedUnassigned:
		told.Name = e.Assignee.Login
		return told, true
	case RecordedClosed, RecordedReopened:
		return told, true
	}
	return told, false
}

// CommentsIn goes through the comments of a repository that were written or changed since a time, those on pull requests too.
func (s comments) CommentsIn(ctx context.Context, repo Repository, since time.Time, do func(RecordedComment)) error {
	err := each(ctx, s.client(repo), commentsPath(repo, "comments", since), func(c *said) {
		if number, err := strconv.Atoi(path.Base(c.IssueURL)); err == nil {
			do(RecordedComment{s.actors.comment(*c), number})
		}
	})
	if err != nil {
		return fmt.Errorf("list the comments in %s: %w", repo, asNotFound(err))
	}
	return nil
}
