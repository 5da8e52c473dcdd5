package reconcile_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/permissions"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/bench/organisation"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/statemachine"
)

var pullPaths = []string{"/pulls", "/timeline", "/graphql", "/check-runs", "/status", "/dependencies", "/sub_issues"}

// One event leads through as many triggers as hold, without another webhook.
func TestATriggerLeadsToTheNext(t *testing.T) {
	t.Parallel()
	w := newFactsWorld(t, acme.RowsLifecycle(`triggers:
  - {on: pull-request-opened, in: state-a, to: state-b, why: There is a pull request}
  - {on: checks-passed, in: state-b, to: state-c, why: The checks passed}
`))
	i := w.OpenIn("colony:a", "Paint it.")
	w.Settle()
	w.clock.Advance(time.Minute)
	_, err := w.github.Push("acme", "widgets", "work-on-1", "paint", "red", "tara")
	w.Must(err)
	i.Check("work-on-1", "build", "success")
	w.Settle()
	i.Has("colony:a")
	i.Fixed()
	w.Settle()
	i.Has("colony:c")
}

// A failure moves an issue once, however many webhooks and sweeps report it; the next failure moves it again.
func TestNoTriggerFiresTwiceForOneFact(t *testing.T) {
	t.Parallel()
	for _, heard := range []bool{true, false} {
		t.Run(fmt.Sprintf("heard=%t", heard), func(t *testing.T) {
			t.Parallel()
			w := newFactsWorld(t, acme.RowsLifecycle(`triggers:
  - {on: checks-failed, in: state-a, to: state-b, why: The checks failed}
  - {on: review-changes-requested, in: state-a, to: state-c, why: A review requested changes}
`))
			notice := w.Settle
			i := w.OpenIn("colony:a", "Paint it.")
			pull := i.Fixed()
			w.Settle()
			if !heard {
				w.Deaf()
				notice = w.Sweep
			}
			w.clock.Advance(time.Minute)
			i.Check("work-on-1", "build", "failure")
			w.github.DoubleNext(5)
			notice()
			i.Has("colony:b")
			w.clock.Advance(time.Minute)
			i.Swap("tara", "colony:b", "colony:a")
			notice()
			i.Has("colony:a") // the same failure
			w.clock.Advance(time.Minute)
			i.Check("work-on-1", "build", "failure")
			notice()
			i.Has("colony:b")
			w.clock.Advance(time.Minute)
			i.Swap("tara", "colony:b", "colony:a")
			notice()
			w.clock.Advance(time.Minute)
			i.Review(pull, "REQUEST_CHANGES", "olivia")
			notice()
			i.Has("colony:c")
			w.clock.Advance(time.Minute)
			i.Swap("tara", "colony:c", "colony:a")
			notice()
			w.Sweep()
			i.Has("colony:a")
			if n := i.StateChanges(); n != 3 {
				t.Errorf("Colony moved it %d times, want 3", n)
			}
		})
	}
}

// Colony stops triggers that move an issue in a loop, and asks a person once.
func TestTriggersInALoopAreStopped(t *testing.T) {
	t.Parallel()
	for _, heard := range []bool{true, false} {
		t.Run(fmt.Sprintf("heard=%t", heard), func(t *testing.T) {
			t.Parallel()
			w := newFactsWorld(t, acme.RowsLifecycle(`triggers:
  - {on: pull-request-opened, in: state-a, to: state-b, why: It is open}
  - {on: pull-request-ready, in: state-b, to: state-c, why: It is ready}
  - {on: pull-request-opened, in: state-c, to: state-a, why: It is still open}
`))
			i := w.open("ada", "Paint it.")
			w.Settle()
			if !heard {
				w.Deaf()
			}
			i.Label("olivia", "colony:a")
			i.Fixed()
			if heard {
				w.Settle()
			} else {
				w.Sweep()
			}
			if n := i.StateChanges(); n != 6 {
				t.Errorf("Colony moved it %d times, want one more than the 5 that the breaker lets pass", n)
			}
			i.ColonySays("5", "It is still open", "#2")
			i.Has("colony:a", "colony:needs-human")
			w.Sweep()
			w.Sweep()
			if n := i.StateChanges(); n != 6 {
				t.Errorf("Colony went on and moved it %d times", n)
			}
		})
	}
}

// Neither a webhook nor a sweep reads what no trigger needs.
func TestOnlyWhatTriggersNeedIsRead(t *testing.T) {
	t.Parallel()
	t.Run("a lifecycle without such rows", func(t *testing.T) {
		t.Parallel()
		w := newFactsWorld(t, acme.RowsLifecycle(`triggers:
  - {on: author-replied, in: state-b, to: state-c, why: The author replied}
`))
		w.sweeps = readsAll
		i := w.OpenIn("colony:a", "Depends on #9")
		other := i.Other()
		w.Settle()
		w.github.ResetCalls()
		pull := i.Fixed()
		i.Pull("nameless", "", false)
		i.Review(pull, "APPROVE", "olivia")
		i.Check("work-on-1", "build", "failure")
		i.Must(w.github.SetStatus("acme", "widgets", "work-on-1", "lint", "error", "mona"))
		i.SubIssue(other)
		i.CloseAs(other, "completed")
		w.Sweep()
		if n := w.Asked(pullPaths...); n != 0 {
			t.Errorf("%d calls for what moves nothing: %+v", n, w.github.Calls())
		}
		i.Has("colony:a")
	})
	t.Run("a state without such rows", func(t *testing.T) {
		t.Parallel()
		w := newFactsWorld(t, acme.RowsLifecycle(`triggers:
  - {on: pull-request-opened, in: state-b, to: state-c, why: There is a pull request}
`))
		w.sweeps = readsAll
		i := w.OpenIn("colony:a", "Depends on #9")
		w.Settle()
		w.github.ResetCalls()
		pull := i.Fixed()
		w.Settle()
		if reads, writes := w.Cost(); reads > 2 || writes != 0 {
			t.Errorf("%d reads and %d writes for a pull request that moves nothing, want 2 and 0", reads, writes)
		}
		i.Review(pull, "APPROVE", "olivia")
		w.Sweep()
		if n := w.Asked(pullPaths...); n != 0 {
			t.Errorf("%d calls for what moves nothing here", n)
		}
	})
	for name, change := range map[string]func(*config.Config){
		"colibri has none":               func(c *config.Config) { c.Lifecycle, c.Follow = "colibri", policy.DefaultFollow() },
		"prp has none":                   func(c *config.Config) { c.Lifecycle, c.Follow = "prp", policy.DefaultFollow() },
		"those of colony, not followed":  func(c *config.Config) { c.Follow = nil },
		"colony, only answers are heard": func(c *config.Config) { c.Follow = policy.Follow{lifecycle.ReadComments} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, change)
			w.sweeps = readsAll
			life, err := statemachine.Shipped(w.Config.Lifecycle)
			w.Must(err)
			for _, s := range life.States {
				if s.Label != "" && s.Type != lifecycle.Terminal {
					w.open("olivia", "Depends on #99", s.Label)
				}
			}
			w.Settle()
			w.github.ResetCalls()
			for _, i := range w.Issues {
				pull := i.Fixed()
				i.Review(pull, "REQUEST_CHANGES", "olivia")
				i.Check(fmt.Sprintf("work-on-%d", i.Number), "build", "failure")
			}
			w.Sweep()
			if n := w.Asked(pullPaths...); n != 0 {
				t.Errorf("%d calls for what moves nothing", n)
			}
			for _, i := range w.Issues {
				i.Reads()
			}
		})
	}
}

// What a pull request costs where triggers depend on it: docs/costs.md has these figures, and docs/performance.md computes with them.
func TestWhatFactsCost(t *testing.T) {
	t.Parallel()
	w := newFactsWorld(t, acme.RowsLifecycle(`triggers:
  - {on: review-changes-requested, in: state-a, to: state-b, why: A review requested changes}
  - {on: checks-failed, in: [state-a, state-b], to: state-c, why: The checks failed}
`))
	i := w.OpenIn("colony:a", "Paint it.")
	pull := i.Fixed()
	w.Settle()
	for _, c := range []struct{ verdict, event, state string }{
		{"COMMENT", "a push to the pull request, or a review, in a state whose triggers need them", "colony:a"},
		{"REQUEST_CHANGES", "a move that a trigger makes, and the reconciliation after it", "colony:b"},
	} {
		w.clock.Advance(10 * time.Second) // no permission is read again
		w.github.ResetCalls()
		i.Review(pull, c.verdict, "olivia")
		w.Settle()
		i.Has(c.state)
		life := organisation.Life()
		row := life[slices.IndexFunc(life, func(e organisation.Event) bool { return e.What == c.event })].Cost
		if got, want := w.Spent(), acme.Spend(row.Reads, row.Writes, row.Questions); got != want {
			t.Errorf("%s: %+v, want %+v", c.event, got, want)
		}
	}
}

// GitHub takes a moment to find out whether a pull request conflicts; Colony comes back.
func TestAConflictThatGitHubDoesNotKnowYet(t *testing.T) {
	t.Parallel()
	w := newFactsWorld(t, acme.RowsLifecycle(`triggers:
  - {on: pull-request-conflicting, in: state-a, to: state-b, why: The pull request conflicts}
`))
	i := w.OpenIn("colony:a", "Paint it.")
	pull := i.Fixed()
	w.Settle()
	w.github.LagMergeability(3 * time.Second)
	i.Must(w.github.MakeConflict("acme", "widgets", pull, "mona"))
	i.Must(w.github.SetDraft("acme", "widgets", pull, true, "tara")) // only a push reports the base branch
	w.Quiet()
	i.Has("colony:a")
	w.Settle()
	i.Has("colony:b")
}

// A state times out although nobody touches the issue, and a sweep before that costs a list and no more.
func TestTimeOutIsSweptWhenItIsDue(t *testing.T) {
	t.Parallel()
	w := newFactsWorld(t, acme.RowsLifecycle(`time-outs:
  - {in: state-a, after: 2h, to: state-b, why: It waited for too long}
`))
	i := w.OpenIn("colony:a", "Paint it.")
	w.Settle()
	w.clock.Advance(time.Hour)
	w.Sweep()
	w.Sweep()
	w.github.ResetCalls()
	w.Sweep()
	if n := w.Asked("/issues/1"); n != 0 {
		t.Errorf("%d calls for an issue that rests", n)
	}
	i.Has("colony:a")
	w.clock.Advance(time.Hour)
	w.Sweep()
	i.Has("colony:b", "colony:needs-human")
	i.ColonySays("It waited for too long")
	w.clock.Advance(3 * time.Hour)
	w.Sweep()
}

// Colony leaves alone what a person closed.
func TestClosedIssuesAreLeftAlone(t *testing.T) {
	t.Parallel()
	w := newFactsWorld(t, acme.RowsLifecycle(`triggers:
  - {on: pull-request-opened, in: state-a, to: state-b, why: There is a pull request}
  - {on: author-replied, in: state-a, to: state-c, why: The author replied}
  - {on: pull-request-merged, in: state-c, to: state-b, why: The pull request was merged}
time-outs:
  - {in: [state-a, state-c], after: 1h, to: state-b, why: It waited for too long}
`))
	i, merged := w.OpenIn("colony:a", "Paint it."), w.OpenIn("colony:c", "Paint it.")
	w.Settle()
	i.CloseAs(i.Number, "not_planned")
	merged.CloseAs(merged.Number, "completed")
	w.Settle()
	w.clock.Advance(time.Minute)
	i.Fixed()
	i.Comment("ada", "Still red")
	w.Settle()
	w.clock.Advance(3 * time.Hour)
	w.Sweep()
	i.Has("colony:a")
	merged.Has("colony:c")
}

// A server without relations between issues, and without GraphQL: pull requests are found by their words and branches, and
// dependencies by the text.
func TestFactsOnAnOlderServer(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t, acme.Follows)
	w.Must(w.github.Lack(playground.IssueDependencies, playground.SubIssues, playground.GraphQL))
	w.start()
	w.install()
	w.Bring(acme.RowsLifecycle(`triggers:
  - {on: dependency-open, in: state-a, to: state-b, why: It depends on others}
  - {on: dependencies-closed, in: state-b, to: state-c, why: The others are done}
  - {on: sub-issues-closed, in: state-c, to: state-a, why: The parts are done}
  - {on: pull-request-merged, in: state-c, to: state-b, why: The pull request was merged}
  - {on: author-edited, in: state-c, to: state-a, why: The author edited it}
`))
	i := w.open("ada", "Paint it.")
	other := i.Other()
	i.Change("ada", i.Number, &github.IssueRequest{Body: new(fmt.Sprintf("Depends on #%d", other))})
	i.Label("olivia", "colony:a")
	w.Settle()
	i.Has("colony:b")
	i.CloseAs(other, "completed")
	w.Settle()
	i.Has("colony:c")
	w.clock.Advance(time.Minute)
	pull := i.Pull("1-paint", "", false)
	i.Must(w.github.MergePullRequest("acme", "widgets", pull, "mona"))
	w.Settle()
	i.Has("colony:c") // and on to b and back, as the others are done
	if n := i.StateChanges(); n != 4 {
		t.Errorf("Colony moved it %d times, want 4", n)
	}
	for _, d := range w.github.Calls() {
		if d.Actor == "colony[bot]" && d.Status >= http.StatusInternalServerError {
			t.Errorf("%s %s: %d", d.Method, d.Path, d.Status)
		}
	}
}

// A link that a command made counts where GitHub has no dependencies of its own, and one that a command took away does not.
func TestLinksOfCommandsAreDependencies(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t, acme.Follows)
	w.Must(w.github.Lack(playground.IssueDependencies))
	w.start()
	w.install()
	w.Bring(acme.RowsLifecycle(`triggers:
  - {on: dependency-open, in: state-a, to: state-b, why: It depends on others}
  - {on: dependencies-closed, in: state-b, to: state-c, why: The others are done}
`))
	i := w.OpenIn("colony:a", "Paint it.")
	first, second := i.Other(), i.Other()
	w.Settle()
	on := i.Comment("olivia", fmt.Sprintf("/colony:depends-on #%d #%d", first, second))
	w.Settle()
	i.ColonyReacts(on, "+1")
	i.Has("colony:b")
	off := i.Comment("olivia", fmt.Sprintf("/colony:independent-of #%d", second))
	w.Settle()
	i.ColonyReacts(off, "+1")
	i.CloseAs(first, "completed")
	w.Settle()
	i.Has("colony:c")
}

func TestStatusShowsSubIssues(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.OpenIn("colony:waiting-for-subtasks", "An epic.")
	first := i.Other()
	i.SubIssue(first)
	i.SubIssue(i.Other())
	i.CloseAs(first, "completed")
	w.Settle()
	status := i.Comment("ada", "/colony:status")
	w.Settle()
	i.ColonyReacts(status, "+1")
	i.ColonySays("Sub-issues: 1 of 2 closed.")
}

// Of many issues that something else can move, one sweep reconciles some, and the next goes on.
func TestSweepsShareTheIssuesThatNobodyChanged(t *testing.T) {
	t.Parallel()
	w := newFactsWorld(t, acme.RowsLifecycle(`triggers:
  - {on: dependencies-closed, in: state-a, to: state-b, why: The others are done}
`), func(c *config.Config) { c.Sweep.Watch = 2 })
	blocker := w.open("mona", "")
	var waiting []*issue
	for range 6 {
		i := w.OpenIn("colony:a", fmt.Sprintf("Depends on #%d", blocker.Number))
		waiting = append(waiting, i)
	}
	w.Settle()
	w.clock.Advance(time.Hour)
	w.Sweep()
	w.Deaf()
	blocker.CloseAs(blocker.Number, "completed")
	moved := func() int {
		n := 0
		for _, i := range waiting {
			is, _, err := w.As("mona").Issues.Get(ctx, "acme", "widgets", i.Number)
			w.Must(err)
			if is.Labels[0].GetName() == "colony:b" {
				n++
			}
		}
		return n
	}
	for sweeps := 0; moved() < len(waiting); sweeps++ {
		if sweeps == 8 {
			t.Fatalf("after %d sweeps %d of %d issues moved", sweeps, moved(), len(waiting))
		}
		w.Sweep()
	}
}

// Facts that GitHub does not grant move nothing, and everything else goes on.
func TestWhatIsNotGrantedMovesNothing(t *testing.T) {
	t.Parallel()
	w := newFactsWorld(t, acme.RowsLifecycle(`triggers:
  - {on: checks-failed, in: state-a, to: state-b, why: The checks failed}
  - {on: author-replied, in: state-a, to: state-c, why: The author replied}
`))
	granted := permissions.All()
	delete(granted, "checks")
	delete(granted, "statuses")
	w.Must(w.github.SetPrivate("acme", "widgets", true))
	w.Must(w.github.SetInstallationPermissions(w.Installation, granted))
	i := w.OpenIn("colony:a", "Paint it.")
	i.Fixed()
	w.Settle()
	w.clock.Advance(time.Minute)
	i.Check("work-on-1", "build", "failure")
	w.Settle()
	i.Has("colony:a")
	i.Comment("ada", "It is red")
	w.Settle()
	i.Has("colony:c")
}

// Colony does not call a pull request missing if its author moves the issue at once and GitHub notes the mention late.
func TestAPullRequestIsNotMissedTooEarly(t *testing.T) {
	t.Parallel()
	w := newFactsWorld(t, acme.RowsLifecycle(`triggers:
  - {on: pull-request-missing, in: state-a, to: state-b, why: There is no pull request}
`))
	i := w.OpenIn("colony:a", "Paint it.")
	w.Quiet()
	i.Has("colony:a")
	i.Pull("1-paint", "", false)
	w.Settle()
	w.clock.Advance(time.Minute)
	w.Sweep()
	i.Has("colony:a")
}

// A command moves an issue into a state whose trigger holds already: no webhook tells Colony what it did itself.
func TestATriggerHoldsAfterACommand(t *testing.T) {
	t.Parallel()
	w := newFactsWorld(t, acme.RowsLifecycle(`triggers:
  - {on: pull-request-opened, in: state-b, to: state-c, why: There is a pull request}
`))
	i := w.OpenIn("colony:a", "Paint it.")
	i.Fixed()
	w.Settle()
	command := i.Comment("olivia", "/colony:move state-b")
	w.Settle()
	i.ColonyReacts(command, "+1")
	i.Has("colony:c")
}
