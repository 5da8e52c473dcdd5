package issues_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/go-github/v62/github"
	"pgregory.net/rapid"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/long"
)

// A snapshot of an issue tells what reading it and its log does, whatever happened to it.
func TestSnapshotTellsWhatReadingDoes(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	store := issues.NewStore(s, &issues.Actors{})
	at := func(number int) issues.Ref {
		return issues.Ref{Repository: issues.Repository{Owner: "acme", Name: "widgets"}, Number: number}
	}
	as := func(login string) *github.Client {
		client, err := github.NewClient(s.wire).WithAuthToken(s.Token(login)).WithEnterpriseURLs(s.url+"/api/v3/", s.url)
		s.must(err)
		return client
	}
	labels := []string{"colony:a", "Colony:B", "bug"}
	long.Check(t, func(r *rapid.T) {
		n := s.issue("widgets", "")
		is := func(err error) {
			if err != nil {
				r.Fatal(err)
			}
		}
		for range rapid.IntRange(0, 20).Draw(r, "events") {
			who := as(rapid.SampledFrom([]string{"mona", "olivia"}).Draw(r, "who"))
			label := rapid.SampledFrom(labels).Draw(r, "label")
			var err error
			switch rapid.SampledFrom([]string{"on", "off", "on", "off", "close", "open", "title", "comment", "wait", "lock"}).Draw(r, "what") {
			case "on":
				_, _, err = who.Issues.AddLabelsToIssue(t.Context(), "acme", "widgets", n, []string{label})
			case "off":
				_, _ = who.Issues.RemoveLabelForIssue(t.Context(), "acme", "widgets", n, label) // it might not be there
			case "close":
				_, _, err = who.Issues.Edit(t.Context(), "acme", "widgets", n, &github.IssueRequest{State: new("closed")})
			case "open":
				_, _, err = who.Issues.Edit(t.Context(), "acme", "widgets", n, &github.IssueRequest{State: new("open")})
			case "title":
				_, _, err = who.Issues.Edit(t.Context(), "acme", "widgets", n, &github.IssueRequest{Title: new("Another \"title\"")})
			case "comment":
				_, _, err = who.Issues.CreateComment(t.Context(), "acme", "widgets", n, &github.IssueComment{Body: new("Hello")})
			case "wait":
				s.clock.Advance(time.Second)
			case "lock":
				_, err = as("mona").Issues.Lock(t.Context(), "acme", "widgets", n, nil)
			}
			is(err)
		}
		view, err := store.Load(context.Background(), at(n))
		is(err)
		shown, err := store.Snapshots(t.Context(), view.Ref.Repository, []string{view.NodeID})
		is(err)
		if diff := cmp.Diff(view.Snapshot(), shown[view.NodeID], cmpopts.SortSlices(strings.Compare), cmpopts.EquateEmpty()); diff != "" {
			r.Errorf("reading it and the snapshot differ:\n%s", diff)
		}
	})
}

// An issue that is gone is not among the snapshots; the others are.
func TestSnapshotsOfIssuesThatAreGone(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	store := issues.NewStore(s, &issues.Actors{})
	ids := make([]string, 2)
	for n := range ids {
		view, err := store.Load(t.Context(), issues.Ref{Repository: issues.Repository{Owner: "acme", Name: "widgets"}, Number: s.issue("widgets", "")})
		s.must(err)
		ids[n] = view.NodeID
	}
	s.must(s.DeleteIssue("acme", "widgets", 2, "mona"))
	shown, err := store.Snapshots(t.Context(), issues.Repository{Owner: "acme", Name: "widgets"}, ids)
	if _, there := shown[ids[1]]; err != nil || len(shown) != 1 || !there {
		t.Errorf("GitHub tells of %v, %v", shown, err)
	}
}
