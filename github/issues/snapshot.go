package issues

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/colony-app/colony/statemachine"
)

// Snapshot is what one question about many issues tells of each of them: enough to see whether anything happened to an issue since it was read.
type Snapshot struct {
	// Updated is when GitHub last changed anything about the issue.
	Updated time.Time
	Title   string
	Closed  bool
	Locked  bool
	Labels  []string
	// Lines are the newest of its log that tell of labels, or of its being closed and opened again, in their order: SnapshotLines of them, or all
	// that there are.
	Lines []SnapshotLine
}

// SnapshotLines is how many lines of a log a snapshot has.
const SnapshotLines = 12

// SnapshotLine is a line of an issue's log.
type SnapshotLine struct {
	At time.Time
	// Event is what it tells: a kind of event as GraphQL has it.
	Event string
	// Label is the label, and By who put it on or took it off: a login as the REST API has it. Both are empty where it was closed or opened.
	Label, By string
}

// Snapshot returns what a snapshot would tell of the issue as it was read.
func (v View) Snapshot() Snapshot {
	type line struct {
		statemachine.Moment
		SnapshotLine
	}
	var lines []line
	for _, c := range v.Changes[max(0, len(v.Changes)-SnapshotLines):] {
		event := "UnlabeledEvent"
		if c.Added {
			event = "LabeledEvent"
		}
		lines = append(lines, line{c.Moment, SnapshotLine{At: c.At, Event: event, Label: c.Label, By: c.By.Login}})
	}
	for _, c := range v.Closures[max(0, len(v.Closures)-SnapshotLines):] {
		event := "ReopenedEvent"
		if c.Closed {
			event = "ClosedEvent"
		}
		lines = append(lines, line{c.Moment, SnapshotLine{At: c.At, Event: event}})
	}
	slices.SortStableFunc(lines, func(a, b line) int { return cmp.Compare(a.ID, b.ID) })
	s := Snapshot{Updated: v.Updated, Title: v.Title, Closed: v.Closed, Locked: v.Locked, Labels: v.Labels}
	for _, l := range lines[max(0, len(lines)-SnapshotLines):] {
		s.Lines = append(s.Lines, l.SnapshotLine)
	}
	return s
}

// snapshotsQuery has as few lists as possible: GitHub counts a point for a hundred of them.
var snapshotsQuery = fmt.Sprintf(`query($ids: [ID!]!) {
  nodes(ids: $ids) {
    ... on Issue {
      id title closed locked updatedAt
      labels(first: 100) { nodes { name } }
      timelineItems(last: %d, itemTypes: [LABELED_EVENT, UNLABELED_EVENT, CLOSED_EVENT, REOPENED_EVENT]) {
        nodes {
          __typename
          ... on LabeledEvent { createdAt actor { __typename login } label { name } }
          ... on UnlabeledEvent { createdAt actor { __typename login } label { name } }
          ... on ClosedEvent { createdAt }
          ... on ReopenedEvent { createdAt }
        }
      }
    }
  }
}`, SnapshotLines)

// Snapshots asks by one question about issues of a repository, at most a hundred, by what GraphQL calls them. The issues that GitHub does
// not tell of are not in the answer.
func (s lists) Snapshots(ctx context.Context, repo Repository, nodeIDs []string) (map[string]Snapshot, error) {
	var data struct {
		Nodes []*struct {
			ID, Title      string
			Closed, Locked bool
			UpdatedAt      time.Time
			Labels         struct{ Nodes []struct{ Name string } }
			TimelineItems  struct {
				Nodes []struct {
					Typename  string `json:"__typename"`
					CreatedAt time.Time
					Actor     *editor
					Label     struct{ Name string }
				}
			}
		}
	}
	err := s.about(s.client(repo), Ref{Repository: repo}).queryWith(ctx, snapshotsQuery, map[string]any{"ids": nodeIDs}, &data)
	if err != nil {
		return nil, fmt.Errorf("ask whether %d issues of %s changed: %w", len(nodeIDs), repo, err)
	}
	found := map[string]Snapshot{}
	for _, n := range data.Nodes {
		if n == nil {
			continue
		}
		is := Snapshot{Updated: n.UpdatedAt, Title: n.Title, Closed: n.Closed, Locked: n.Locked}
		for _, l := range n.Labels.Nodes {
			is.Labels = append(is.Labels, l.Name)
		}
		for _, l := range n.TimelineItems.Nodes {
			is.Lines = append(is.Lines, SnapshotLine{At: l.CreatedAt, Event: l.Typename, Label: l.Label.Name, By: l.Actor.login()})
		}
		found[n.ID] = is
	}
	return found, nil
}
