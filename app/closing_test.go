package app_test

import (
	"testing"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/config"
)

func (i *issue) closed() string {
	i.t.Helper()
	is, _, err := i.as("olivia").Issues.Get(ctx, "acme", "widgets", i.number)
	i.must(err)
	if is.GetState() != "closed" {
		return ""
	}
	return is.GetStateReason()
}

func TestTheEndClosesTheIssue(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:merge-pending")
	i.label("olivia", "colony:done")
	w.settle()
	i.has("colony:done")
	if reason := i.closed(); reason != "completed" {
		t.Fatalf("closed as %q", reason)
	}
	// A person who reopens it is right.
	i.change("mona", i.number, &github.IssueRequest{State: new("open")})
	w.settle()
	i.comment("ada", "It is not.")
	w.sweep()
	i.has("colony:done")
	if reason := i.closed(); reason != "" {
		t.Errorf("closed again, as %q", reason)
	}
}

func TestClosingCanBeSwitchedOff(t *testing.T) {
	t.Parallel()
	for name, w := range map[string]*world{
		"the server":     newWorld(t, func(c *config.Config) { c.Close = false }),
		"the repository": newWorld(t),
	} {
		if name == "the repository" {
			w.commitAndSettle("widgets", ".github/colony.yml", "close: false\n")
		}
		i := w.stateful("colony:merge-pending")
		i.label("olivia", "colony:done")
		w.settle()
		i.has("colony:done")
		if reason := i.closed(); reason != "" {
			t.Errorf("%s: closed as %q", name, reason)
		}
	}
}

func TestWhatAPersonClosesIsLeftAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:in-development")
	i.closeAs(i.number, "not_planned")
	w.sweep()
	i.has("colony:in-development")
	if reason := i.closed(); reason != "not_planned" {
		t.Errorf("closed as %q", reason)
	}
}
