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
	item := func(change func(*Item)) Item {
		i := Item{Request: reconcile.Request{Kind: reconcile.KindIssue, Ref: issues.Ref{Repository: issues.Repository{Installation: 1, ID: 2, Owner: "acme", Name: "widgets"}, Number: 3}, Cause: "issues.labeled"}}
		change(&i)
		return i
	}
	label := item(func(i *Item) { i.Expect = reconcile.ExpectedEvent{Label: "a", Added: true, At: now} })
	for _, test := range []struct {
		name string
		a, b Item
		want func(*Item) // of a; nil: they stay apart
	}{
		{"two labels", label, item(func(i *Item) { i.Expect = reconcile.ExpectedEvent{Label: "b", At: now} }), func(i *Item) {
			i.Joined = []reconcile.ExpectedEvent{{Label: "b", At: now}}
		}},
		{"a third", item(func(i *Item) { i.Joined = []reconcile.ExpectedEvent{{Label: "b"}} }), label, func(i *Item) {
			i.Joined = []reconcile.ExpectedEvent{{Label: "b"}, label.Expect}
		}},
		{"what was joined already", label, item(func(i *Item) { i.Joined = []reconcile.ExpectedEvent{{Label: "b"}} }), func(i *Item) {
			i.Joined = []reconcile.ExpectedEvent{{}, {Label: "b"}}
		}},
		{"a command", label, item(func(i *Item) { i.Commands, i.Cause, i.Expect.CommentID = true, "issue_comment.created", 7 }), func(i *Item) {
			i.Commands, i.Joined = true, []reconcile.ExpectedEvent{{CommentID: 7}}
		}},
		{"one that may be for nothing", item(func(i *Item) { i.OnlyIntake = true }), label, func(i *Item) {
			i.OnlyIntake, i.Joined = false, []reconcile.ExpectedEvent{label.Expect}
		}},
		{"two that may be for nothing", item(func(i *Item) { i.OnlyIntake = true }), item(func(i *Item) { i.OnlyIntake = true }), func(i *Item) {
			i.Joined = []reconcile.ExpectedEvent{{}}
		}},
		{"one that waited for a budget", label, item(func(i *Item) { i.Needs = 9 }), func(i *Item) {
			i.Needs, i.Joined = 9, []reconcile.ExpectedEvent{{}}
		}},
		{"one that was unlocked", label, item(func(i *Item) { i.Retry = true }), func(i *Item) {
			i.Retry, i.Joined = true, []reconcile.ExpectedEvent{{}}
		}},
		{"what somebody asked, twice", item(func(i *Item) { i.By, i.Shares = "rita", 1 }), item(func(i *Item) { i.By, i.Begun = "Rita", true }), func(i *Item) {
			i.Begun, i.Joined = true, []reconcile.ExpectedEvent{{}}
		}},
		{"what two people asked", item(func(i *Item) { i.By = "rita" }), item(func(i *Item) { i.By = "ada" }), nil},
		{"what somebody asked, and a label", item(func(i *Item) { i.By = "rita" }), label, func(i *Item) {
			i.By, i.Joined = "", []reconcile.ExpectedEvent{label.Expect}
		}},
		{"one pull request", item(func(i *Item) { i.Expect.PullRequest = 5 }), item(func(i *Item) { i.Expect = reconcile.ExpectedEvent{PullRequest: 5, At: now} }), func(i *Item) {
			i.Joined = []reconcile.ExpectedEvent{{PullRequest: 5, At: now}}
		}},
		{"two pull requests", item(func(i *Item) { i.Expect.PullRequest = 5 }), item(func(i *Item) { i.Expect.PullRequest = 6 }), nil},
		{"a sweep", label, item(func(i *Item) { i.Cause = reconcile.CauseSweep }), nil},
		{"two of a sweep", item(func(i *Item) { i.Cause = reconcile.CauseSweep }), item(func(i *Item) { i.Cause = reconcile.CauseSweep }), func(i *Item) {
			i.Joined = []reconcile.ExpectedEvent{{}}
		}},
		{"what depends on the issue", label, item(func(i *Item) { i.Kind = reconcile.KindDependents }), nil},
		{"one that waited", label, item(func(i *Item) { i.Waited = 1 }), nil},
		{"one that will refuse", label, item(func(i *Item) { i.Comments = true }), nil},
		{"one that tells of a move", label, item(func(i *Item) { i.About = &reconcile.MoveCause{To: "done"} }), nil},
		{"the same repository by another name", label, item(func(i *Item) { i.Name = "gadgets" }), nil},
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
		"Kind", "Installation", "ID", "Owner", "Name", "Number", "Waited", "Rounds", "Newest", "Comments", "About",
		// What is put together.
		"Expect", "Joined", "By", "Commands", "OnlyIntake", "OnlyReply", "OnlySealed", "ByAuthor", "Labels", "OnlyStates", "Retry", "Shares", "Begun", "InTurn", "Needs",
		// What is the first one's, for logs.
		"Cause", "Delivery",
		// What items about issues do not have.
		"AllOfOwner", "Commit", "Added", "Renamed", "Sweep", "Onboarding", "Due", "Figures", "Notify",
		// What the task says.
		"asked", "failures",
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Item]()) {
		if !f.Anonymous && !slices.Contains(known, f.Name) {
			t.Errorf("joinItems does not know %s", f.Name)
		}
	}
}
