package worker

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/reconcile"
)

func TestItemsThatAreOneTogether(t *testing.T) {
	t.Parallel()
	now := time.Now()
	look := func(change func(*Item)) Item {
		e := Item{Request: reconcile.Request{Kind: reconcile.KindIssue, Ref: issues.Ref{Repository: issues.Repository{Installation: 1, ID: 2, Owner: "acme", Name: "widgets"}, Number: 3}, Cause: "issues.labeled"}}
		change(&e)
		return e
	}
	label := look(func(e *Item) { e.Expect = reconcile.ExpectedEvent{Label: "a", Added: true, At: now} })
	for _, test := range []struct {
		name string
		a, b Item
		want func(*Item) // of a; nil: they stay apart
	}{
		{"two labels", label, look(func(e *Item) { e.Expect = reconcile.ExpectedEvent{Label: "b", At: now} }), func(e *Item) {
			e.Joined = []reconcile.ExpectedEvent{{Label: "b", At: now}}
		}},
		{"a third", look(func(e *Item) { e.Joined = []reconcile.ExpectedEvent{{Label: "b"}} }), label, func(e *Item) {
			e.Joined = []reconcile.ExpectedEvent{{Label: "b"}, label.Expect}
		}},
		{"what was joined already", label, look(func(e *Item) { e.Joined = []reconcile.ExpectedEvent{{Label: "b"}} }), func(e *Item) {
			e.Joined = []reconcile.ExpectedEvent{{}, {Label: "b"}}
		}},
		{"a command", label, look(func(e *Item) { e.Commands, e.Cause, e.Expect.CommentID = true, "issue_comment.created", 7 }), func(e *Item) {
			e.Commands, e.Joined = true, []reconcile.ExpectedEvent{{CommentID: 7}}
		}},
		{"one that may be for nothing", look(func(e *Item) { e.OnlyIntake = true }), label, func(e *Item) {
			e.OnlyIntake, e.Joined = false, []reconcile.ExpectedEvent{label.Expect}
		}},
		{"two that may be for nothing", look(func(e *Item) { e.OnlyIntake = true }), look(func(e *Item) { e.OnlyIntake = true }), func(e *Item) {
			e.Joined = []reconcile.ExpectedEvent{{}}
		}},
		{"one that waited for a budget", label, look(func(e *Item) { e.Paced = true }), func(e *Item) {
			e.Paced, e.Joined = true, []reconcile.ExpectedEvent{{}}
		}},
		{"one that was unlocked", label, look(func(e *Item) { e.Retry = true }), func(e *Item) {
			e.Retry, e.Joined = true, []reconcile.ExpectedEvent{{}}
		}},
		{"what somebody asked, twice", look(func(e *Item) { e.By, e.Shares = "rita", 1 }), look(func(e *Item) { e.By, e.Begun = "Rita", true }), func(e *Item) {
			e.Begun, e.Joined = true, []reconcile.ExpectedEvent{{}}
		}},
		{"what two people asked", look(func(e *Item) { e.By = "rita" }), look(func(e *Item) { e.By = "ada" }), nil},
		{"what somebody asked, and a label", look(func(e *Item) { e.By = "rita" }), label, func(e *Item) {
			e.By, e.Joined = "", []reconcile.ExpectedEvent{label.Expect}
		}},
		{"one pull request", look(func(e *Item) { e.Expect.PullRequest = 5 }), look(func(e *Item) { e.Expect = reconcile.ExpectedEvent{PullRequest: 5, At: now} }), func(e *Item) {
			e.Joined = []reconcile.ExpectedEvent{{PullRequest: 5, At: now}}
		}},
		{"two pull requests", look(func(e *Item) { e.Expect.PullRequest = 5 }), look(func(e *Item) { e.Expect.PullRequest = 6 }), nil},
		{"a sweep", label, look(func(e *Item) { e.Cause = reconcile.CauseSweep }), nil},
		{"two of a sweep", look(func(e *Item) { e.Cause = reconcile.CauseSweep }), look(func(e *Item) { e.Cause = reconcile.CauseSweep }), func(e *Item) {
			e.Joined = []reconcile.ExpectedEvent{{}}
		}},
		{"what depends on the issue", label, look(func(e *Item) { e.Kind = reconcile.KindDependents }), nil},
		{"one that waited", label, look(func(e *Item) { e.Waited = 1 }), nil},
		{"one that will refuse", label, look(func(e *Item) { e.Refusing = true }), nil},
		{"one that tells of a move", label, look(func(e *Item) { e.About = &reconcile.MoveCause{To: "done"} }), nil},
		{"the same repository by another name", label, look(func(e *Item) { e.Name = "gadgets" }), nil},
	} {
		got, ok := joinItems(test.a, test.b)
		want := test.a
		if test.want != nil {
			test.want(&want)
		}
		if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Item{})); diff != "" || ok != (test.want != nil) {
			t.Errorf("%s: joined %t\n%s", test.name, ok, diff)
		}
	}
}

// Somebody who gives an Item another field has to say what becomes of it where two items are joined.
func TestJoiningKnowsEveryFieldOfAnItem(t *testing.T) {
	t.Parallel()
	known := []string{
		// What must be the same.
		"Kind", "Installation", "ID", "Owner", "Name", "Number", "Waited", "Refusing", "About",
		// What is put together.
		"Expect", "Joined", "By", "Commands", "OnlyIntake", "OnlyReply", "Retry", "Shares", "Begun", "Paced",
		// What is the first one's, for logs.
		"Cause", "Delivery",
		// What items about issues do not have.
		"AllOfOwner", "Commit", "Renamed", "Sweep",
		// What the task says.
		"asked", "failures",
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Item]()) {
		if !f.Anonymous && !slices.Contains(known, f.Name) {
			t.Errorf("joinItems does not know %s", f.Name)
		}
	}
}
