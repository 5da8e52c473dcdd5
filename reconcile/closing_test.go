package reconcile_test

import (
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/acme"
)

func TestTheEndClosesTheIssue(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:merge-pending")
	i.Label("olivia", "colony:done")
	w.Settle()
	i.Has("colony:done")
	if reason := i.Closed(); reason != "completed" {
		t.Fatalf("closed as %q", reason)
	}
	// A person who reopens it is right.
	i.Change("mona", i.Number, &github.IssueRequest{State: new("open")})
	w.Settle()
	i.Comment("ada", "It is not.")
	w.Sweep()
	i.Has("colony:done")
	if reason := i.Closed(); reason != "" {
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
			w.CommitAndSettle("widgets", ".github/colony.yml", "close: false\n")
		}
		i := w.stateful("colony:merge-pending")
		i.Label("olivia", "colony:done")
		w.Settle()
		i.Has("colony:done")
		if reason := i.Closed(); reason != "" {
			t.Errorf("%s: closed as %q", name, reason)
		}
	}
}

func TestWhatAPersonClosesIsLeftAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:in-development")
	i.CloseAs(i.Number, "not_planned")
	w.Sweep()
	i.Has("colony:in-development")
	if reason := i.Closed(); reason != "not_planned" {
		t.Errorf("closed as %q", reason)
	}
}

// A person who reopens an issue after the merge that ends it is right, also where Colony learns of both together.
func TestAReopeningAfterTheMergeCountsHoweverLateColonyComes(t *testing.T) {
	t.Parallel()
	for life, way := range map[string][2]string{"autoralph": {"in-review", "completed"}, "colony": {"merge-pending", "done"}} {
		notifiedAndSwept(t, acme.WithLifecycle(life), func(w *world, after func()) {
			i := w.open("ada", "Paint it.")
			pull := i.Fixed()
			i.Through(life, way[0])
			after()
			w.clock.Advance(time.Minute)
			w.Must(w.github.MergePullRequest("acme", "widgets", pull, "mona"))
			w.clock.Advance(time.Minute)
			i.Change("mona", i.Number, &github.IssueRequest{State: new("open")})
			after()
			i.Has("colony:" + way[1])
			i.ColonySays("open a new issue for what is left")
			i.Comment("ada", "It is not.")
			w.clock.Advance(time.Hour)
			w.Sweep()
			if reason := i.Closed(); reason != "" {
				w.t.Errorf("%s: closed again, as %q", life, reason)
			}
			if said := i.ColonyComments(); len(said) != 1 {
				w.t.Errorf("%s: Colony wrote %d comments", life, len(said))
			}
		}, acme.Follows)
	}
}

// What a bot does wrong on a closed issue is undone, and moves it nowhere: no bot works on it.
func TestABotMovesNoClosedIssue(t *testing.T) {
	t.Parallel()
	for name, ask := range map[string]func(i *issue) (says string){
		"no state": func(i *issue) string {
			i.Label("dev[bot]", "colony:nwe")
			return "**Colony removed `colony:nwe`.**"
		},
		"no state by command": func(i *issue) string {
			i.ColonyReacts(i.CommentAndSettle("dev[bot]", "/colony:move nwe"), "confused")
			return "`nwe`"
		},
		"an end of another role": func(i *issue) string {
			i.Label("dev[bot]", "colony:done")
			return "the role `developer` may not make that move"
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			i := w.stateful("colony:in-development")
			i.Edit("olivia", "closed")
			w.Settle()
			w.clock.Advance(time.Minute)
			says := ask(i)
			w.Settle()
			i.Has("colony:in-development")
			i.ColonySays(says)
		})
	}
}

// Another pull request, a draft, does not keep the issue from its end where a merge closed it.
func TestAMergeThatClosesTheIssueEndsIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	i, pull := w.fixedIn("colony:in-development")
	i.Pull("second", i.Fixes(), true)
	w.Settle()
	w.clock.Advance(time.Minute)
	w.Must(w.github.MergePullRequest("acme", "widgets", pull, "mona"))
	w.Settle()
	i.Has("colony:done")
	i.HasTrail("in-development -> done: A merge closed the issue #2")
}
