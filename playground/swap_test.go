package playground_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"
	"pgregory.net/rapid"

	"github.com/colony-app/colony/long"
)

func TestSwapInEitherOrder(t *testing.T) {
	for addingFirst, want := range map[bool][]string{
		false: {"alice labeled bug", "bob unlabeled bug", "bob labeled question"},
		true:  {"alice labeled bug", "bob labeled question", "bob unlabeled bug"},
	} {
		w := newWorld(t)
		w.SwapLabelsAddingFirst(addingFirst)
		n := w.open("alice", "Broken", "bug").GetNumber()
		must[[]*github.Label](t)(w.as("bob").Issues.ReplaceLabelsForIssue(context.Background(), "acme", "shop", n, []string{"question"}))
		if diff := cmp.Diff(want, w.events(n)); diff != "" {
			t.Error(diff)
		}
	}
}

// The log is the truth: whatever is done to the labels of an issue, folding the log gives its labels.
func TestTheLogFoldsToTheLabels(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	alice := w.as("alice")
	long.Check(t, func(rt *rapid.T) {
		n := w.open("alice", "Busy").GetNumber()
		name := rapid.SampledFrom([]string{"bug", "Question", "new one", "a/b"})
		for range rapid.IntRange(1, 8).Draw(rt, "steps") {
			several := rapid.SliceOfN(name, 0, 3).Draw(rt, "labels")
			var err error
			switch rapid.SampledFrom([]string{"add", "replace", "clear", "edit"}).Draw(rt, "what") {
			case "add":
				several = append(several, name.Draw(rt, "one more")) // GitHub adds one at least
				_, _, err = alice.Issues.AddLabelsToIssue(ctx, "acme", "shop", n, several)
			case "replace":
				_, _, err = alice.Issues.ReplaceLabelsForIssue(ctx, "acme", "shop", n, several)
			case "clear":
				_, err = alice.Issues.RemoveLabelsForIssue(ctx, "acme", "shop", n)
			case "edit":
				_, _, err = alice.Issues.Edit(ctx, "acme", "shop", n, &github.IssueRequest{Labels: &several})
			}
			if err != nil {
				rt.Fatal(err)
			}
		}
		folded := map[string]bool{}
		last := int64(0)
		events, _, err := alice.Issues.ListIssueEvents(ctx, "acme", "shop", n, &github.ListOptions{PerPage: 100})
		if err != nil {
			rt.Fatal(err)
		}
		for _, e := range events {
			if e.GetID() <= last {
				rt.Fatal("ids do not increase")
			}
			last = e.GetID()
			if adding := e.GetEvent() == "labeled"; folded[e.GetLabel().GetName()] == adding {
				rt.Fatalf("%s %s changes nothing", e.GetEvent(), e.GetLabel().GetName())
			} else {
				folded[e.GetLabel().GetName()] = adding
			}
		}
		var want, got []string
		for name, on := range folded {
			if on {
				want = append(want, name)
			}
		}
		issue, _, err := alice.Issues.Get(ctx, "acme", "shop", n)
		if err != nil {
			rt.Fatal(err)
		}
		for _, l := range issue.Labels {
			got = append(got, l.GetName())
		}
		slices.Sort(want)
		slices.Sort(got)
		if fmt.Sprint(want) != fmt.Sprint(got) {
			rt.Fatalf("the log says %v, the issue %v", want, got)
		}
	})
}
