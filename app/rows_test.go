package app_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/permissions"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/statemachine"
)

// rowsLifecycle is a lifecycle of three states, a, b and c, between which every move is legal, with triggers of its own.
func rowsLifecycle(rows string) string {
	var states strings.Builder
	for _, s := range []string{"a", "b", "c"} {
		fmt.Fprintf(&states, "  - {name: state-%s, type: active, label: \"colony:%s\", color: c5def5, description: It waits., meaning: It waits.}\n", s, s)
	}
	return `name: rows
summary: Three states, and what leads from one to another.
initial: untouched
states:
  - {name: untouched, type: active, meaning: Nobody has looked.}
` + states.String() + `transitions:
  - kind: forward
    source: these tests
    pairs:
      - {from: untouched, to: [state-a, state-b, state-c], why: It begins.}
      - {from: state-a, to: [state-b, state-c], why: It moves.}
      - {from: state-b, to: [state-a, state-c], why: It moves.}
      - {from: state-c, to: [state-a, state-b], why: It moves.}
` + rows
}

// asked counts Colony's calls to GitHub whose path has one of some words, 304s and all.
func (w *world) asked(words ...string) int {
	n := 0
	for _, c := range w.github.Calls() {
		if c.Actor == "colony[bot]" && slices.ContainsFunc(words, func(word string) bool { return strings.Contains(c.Path, word) }) {
			n++
		}
	}
	return n
}

var pullPaths = []string{"/pulls", "/timeline", "/graphql", "/check-runs", "/status", "/dependencies", "/sub_issues"}

// openIn opens an issue by its author, and has somebody put it into a state.
func (w *world) openIn(label, body string) *issue {
	w.t.Helper()
	i := w.open("ada", body)
	i.label("olivia", label)
	return i
}

func (i *issue) stateChanges() int {
	i.t.Helper()
	events, _, err := i.as("mona").Issues.ListIssueEvents(ctx, "acme", "widgets", i.number, &github.ListOptions{PerPage: 100})
	i.must(err)
	n := 0
	for _, e := range events {
		if e.GetEvent() == "labeled" && e.GetActor().GetLogin() == "colony[bot]" && e.GetLabel().GetName() != "colony:needs-human" {
			n++
		}
	}
	return n
}

// One event leads through as many triggers as hold, without another webhook.
func TestATriggerLeadsToTheNext(t *testing.T) {
	t.Parallel()
	w := newFactsWorld(t, rowsLifecycle(`triggers:
  - {on: pull-request-opened, in: state-a, to: state-b, why: There is a pull request}
  - {on: checks-passed, in: state-b, to: state-c, why: The checks passed}
`))
	i := w.openIn("colony:a", "Paint it.")
	w.settle()
	w.clock.Advance(time.Minute)
	_, err := w.github.Push("acme", "widgets", "work-on-1", "paint", "red", "tara")
	w.must(err)
	i.check("work-on-1", "build", "success")
	w.settle()
	i.has("colony:a")
	i.fixed()
	w.settle()
	i.has("colony:c")
}

// A failure moves an issue once, however many webhooks and sweeps report it; the next failure moves it again.
func TestNoTriggerFiresTwiceForOneFact(t *testing.T) {
	t.Parallel()
	for _, heard := range []bool{true, false} {
		t.Run(fmt.Sprintf("heard=%t", heard), func(t *testing.T) {
			t.Parallel()
			w := newFactsWorld(t, rowsLifecycle(`triggers:
  - {on: checks-failed, in: state-a, to: state-b, why: The checks failed}
  - {on: review-changes-requested, in: state-a, to: state-c, why: A review requested changes}
`))
			notice := w.settle
			i := w.openIn("colony:a", "Paint it.")
			pull := i.fixed()
			w.settle()
			if !heard {
				w.deaf()
				notice = w.sweep
			}
			w.clock.Advance(time.Minute)
			i.check("work-on-1", "build", "failure")
			w.github.DoubleNext(5)
			notice()
			i.has("colony:b")
			w.clock.Advance(time.Minute)
			i.swap("tara", "colony:b", "colony:a")
			notice()
			i.has("colony:a") // the same failure
			w.clock.Advance(time.Minute)
			i.check("work-on-1", "build", "failure")
			notice()
			i.has("colony:b")
			w.clock.Advance(time.Minute)
			i.swap("tara", "colony:b", "colony:a")
			notice()
			w.clock.Advance(time.Minute)
			i.review(pull, "REQUEST_CHANGES", "olivia")
			notice()
			i.has("colony:c")
			w.clock.Advance(time.Minute)
			i.swap("tara", "colony:c", "colony:a")
			notice()
			w.sweep()
			i.has("colony:a")
			if n := i.stateChanges(); n != 3 {
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
			w := newFactsWorld(t, rowsLifecycle(`triggers:
  - {on: pull-request-opened, in: state-a, to: state-b, why: It is open}
  - {on: pull-request-ready, in: state-b, to: state-c, why: It is ready}
  - {on: pull-request-opened, in: state-c, to: state-a, why: It is still open}
`))
			i := w.open("ada", "Paint it.")
			w.settle()
			if !heard {
				w.deaf()
			}
			i.label("olivia", "colony:a")
			i.fixed()
			if heard {
				w.settle()
			} else {
				w.sweep()
			}
			if n := i.stateChanges(); n != 6 {
				t.Errorf("Colony moved it %d times, want one more than the 5 that the breaker lets pass", n)
			}
			i.colonySays("5")
			i.has("colony:a", "colony:needs-human")
			w.sweep()
			w.sweep()
			if n := i.stateChanges(); n != 6 {
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
		w := newFactsWorld(t, rowsLifecycle(`triggers:
  - {on: author-replied, in: state-b, to: state-c, why: The author replied}
`))
		i := w.openIn("colony:a", "Depends on #9")
		other := i.other()
		w.settle()
		w.github.ResetCalls()
		pull := i.fixed()
		i.pull("nameless", "", false)
		i.review(pull, "APPROVE", "olivia")
		i.check("work-on-1", "build", "failure")
		i.must(w.github.SetStatus("acme", "widgets", "work-on-1", "lint", "error", "mona"))
		i.subIssue(other)
		i.closeAs(other, "completed")
		w.sweep()
		if n := w.asked(pullPaths...); n != 0 {
			t.Errorf("%d calls for what moves nothing: %+v", n, w.github.Calls())
		}
		i.has("colony:a")
	})
	t.Run("a state without such rows", func(t *testing.T) {
		t.Parallel()
		w := newFactsWorld(t, rowsLifecycle(`triggers:
  - {on: pull-request-opened, in: state-b, to: state-c, why: There is a pull request}
`))
		i := w.openIn("colony:a", "Depends on #9")
		w.settle()
		w.github.ResetCalls()
		pull := i.fixed()
		w.settle()
		if reads, writes := w.calls(); reads > 2 || writes != 0 {
			t.Errorf("%d reads and %d writes for a pull request that moves nothing, want 2 and 0", reads, writes)
		}
		i.review(pull, "APPROVE", "olivia")
		w.sweep()
		if n := w.asked(pullPaths...); n != 0 {
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
			life, err := statemachine.Shipped(w.config.Lifecycle)
			w.must(err)
			for _, s := range life.States {
				if s.Label != "" && s.Type != lifecycle.Terminal {
					w.open("olivia", "Depends on #99", s.Label)
				}
			}
			w.settle()
			w.github.ResetCalls()
			for _, i := range w.issues {
				pull := i.fixed()
				i.review(pull, "REQUEST_CHANGES", "olivia")
				i.check(fmt.Sprintf("work-on-%d", i.number), "build", "failure")
			}
			w.sweep()
			if n := w.asked(pullPaths...); n != 0 {
				t.Errorf("%d calls for what moves nothing", n)
			}
			for _, i := range w.issues {
				i.reads()
			}
		})
	}
}

// What a pull request costs where triggers depend on it: docs/costs.md has these figures.
func TestWhatFactsCost(t *testing.T) {
	t.Parallel()
	w := newFactsWorld(t, rowsLifecycle(`triggers:
  - {on: review-changes-requested, in: state-a, to: state-b, why: A review requested changes}
  - {on: checks-failed, in: state-a, to: state-c, why: The checks failed}
`))
	i := w.openIn("colony:a", "Paint it.")
	pull := i.fixed()
	w.settle()
	w.clock.Advance(time.Minute)
	w.github.ResetCalls()
	i.review(pull, "COMMENT", "olivia")
	w.settle()
	// The issue and its log; its timeline, the lists of pull requests, and GitHub's links; the pull request, its reviews, its
	// check runs and its statuses.
	if n := w.asked("/"); n > 10 {
		t.Errorf("%d calls for a review that decides nothing, want 10 at most", n)
	}
	if _, writes := w.calls(); writes != 1 { // the question by GraphQL
		t.Errorf("%d writes for a review that decides nothing", writes)
	}
}

// GitHub takes a moment to find out whether a pull request conflicts; Colony comes back.
func TestAConflictThatGitHubDoesNotKnowYet(t *testing.T) {
	t.Parallel()
	w := newFactsWorld(t, rowsLifecycle(`triggers:
  - {on: pull-request-conflicting, in: state-a, to: state-b, why: The pull request conflicts}
`))
	i := w.openIn("colony:a", "Paint it.")
	pull := i.fixed()
	w.settle()
	w.github.LagMergeability(3 * time.Second)
	i.must(w.github.MakeConflict("acme", "widgets", pull, "mona"))
	i.must(w.github.SetDraft("acme", "widgets", pull, true, "tara")) // only a push reports the base branch
	w.quiet()
	i.has("colony:a")
	w.settle()
	i.has("colony:b")
}

// A state times out although nobody touches the issue, and a sweep before that costs a list and no more.
func TestTimeOutIsSweptWhenItIsDue(t *testing.T) {
	t.Parallel()
	w := newFactsWorld(t, rowsLifecycle(`time-outs:
  - {in: state-a, after: 2h, to: state-b, why: It waited for too long}
`))
	i := w.openIn("colony:a", "Paint it.")
	w.settle()
	w.clock.Advance(time.Hour)
	w.sweep()
	w.sweep()
	w.github.ResetCalls()
	w.sweep()
	if n := w.asked("/issues/1"); n != 0 {
		t.Errorf("%d calls for an issue that rests", n)
	}
	i.has("colony:a")
	w.clock.Advance(time.Hour)
	w.sweep()
	i.has("colony:b", "colony:needs-human")
	i.colonySays("It waited for too long")
	w.clock.Advance(3 * time.Hour)
	w.sweep()
}

// Colony leaves alone what a person closed.
func TestClosedIssuesAreLeftAlone(t *testing.T) {
	t.Parallel()
	w := newFactsWorld(t, rowsLifecycle(`triggers:
  - {on: pull-request-opened, in: state-a, to: state-b, why: There is a pull request}
  - {on: author-replied, in: state-a, to: state-c, why: The author replied}
  - {on: pull-request-merged, in: state-c, to: state-b, why: The pull request was merged}
time-outs:
  - {in: [state-a, state-c], after: 1h, to: state-b, why: It waited for too long}
`))
	i, merged := w.openIn("colony:a", "Paint it."), w.openIn("colony:c", "Paint it.")
	w.settle()
	i.closeAs(i.number, "not_planned")
	merged.closeAs(merged.number, "completed")
	w.settle()
	w.clock.Advance(time.Minute)
	i.fixed()
	i.comment("ada", "Still red")
	w.settle()
	w.clock.Advance(3 * time.Hour)
	w.sweep()
	i.has("colony:a")
	merged.has("colony:c")
}

// A server without relations between issues, and without GraphQL: pull requests are found by their words and branches, and
// dependencies by the text.
func TestFactsOnAnOlderServer(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t, follows)
	w.must(w.github.Lack(playground.IssueDependencies, playground.SubIssues, playground.GraphQL))
	w.start()
	w.install()
	w.bring(rowsLifecycle(`triggers:
  - {on: dependency-open, in: state-a, to: state-b, why: It depends on others}
  - {on: dependencies-closed, in: state-b, to: state-c, why: The others are done}
  - {on: sub-issues-closed, in: state-c, to: state-a, why: The parts are done}
  - {on: pull-request-merged, in: state-c, to: state-b, why: The pull request was merged}
  - {on: author-edited, in: state-c, to: state-a, why: The author edited it}
`))
	i := w.open("ada", "Paint it.")
	other := i.other()
	i.change("ada", i.number, &github.IssueRequest{Body: new(fmt.Sprintf("Depends on #%d", other))})
	i.label("olivia", "colony:a")
	w.settle()
	i.has("colony:b")
	i.closeAs(other, "completed")
	w.settle()
	i.has("colony:c")
	w.clock.Advance(time.Minute)
	pull := i.pull("1-paint", "", false)
	i.must(w.github.MergePullRequest("acme", "widgets", pull, "mona"))
	w.settle()
	i.has("colony:c") // and on to b and back, as the others are done
	if n := i.stateChanges(); n != 4 {
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
	w := newWorldWithoutColony(t, follows)
	w.must(w.github.Lack(playground.IssueDependencies))
	w.start()
	w.install()
	w.bring(rowsLifecycle(`triggers:
  - {on: dependency-open, in: state-a, to: state-b, why: It depends on others}
  - {on: dependencies-closed, in: state-b, to: state-c, why: The others are done}
`))
	i := w.openIn("colony:a", "Paint it.")
	first, second := i.other(), i.other()
	w.settle()
	on := i.comment("olivia", fmt.Sprintf("/colony:depends-on #%d #%d", first, second))
	w.settle()
	i.colonyReacts(on, "+1")
	i.has("colony:b")
	off := i.comment("olivia", fmt.Sprintf("/colony:independent-of #%d", second))
	w.settle()
	i.colonyReacts(off, "+1")
	i.closeAs(first, "completed")
	w.settle()
	i.has("colony:c")
}

func TestStatusShowsSubIssues(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.openIn("colony:waiting-for-subtasks", "An epic.")
	first := i.other()
	i.subIssue(first)
	i.subIssue(i.other())
	i.closeAs(first, "completed")
	w.settle()
	status := i.comment("ada", "/colony:status")
	w.settle()
	i.colonyReacts(status, "+1")
	i.colonySays("Sub-issues: 1 of 2 closed.")
}

// Of many issues that something else can move, one sweep reconciles some, and the next goes on.
func TestSweepsShareTheIssuesThatNobodyChanged(t *testing.T) {
	t.Parallel()
	w := newFactsWorld(t, rowsLifecycle(`triggers:
  - {on: dependencies-closed, in: state-a, to: state-b, why: The others are done}
`), func(c *config.Config) { c.Sweep.Watch = 2 })
	blocker := w.open("mona", "")
	var waiting []*issue
	for range 6 {
		i := w.openIn("colony:a", fmt.Sprintf("Depends on #%d", blocker.number))
		waiting = append(waiting, i)
	}
	w.settle()
	w.clock.Advance(time.Hour)
	w.sweep()
	w.deaf()
	blocker.closeAs(blocker.number, "completed")
	moved := func() int {
		n := 0
		for _, i := range waiting {
			is, _, err := w.as("mona").Issues.Get(ctx, "acme", "widgets", i.number)
			w.must(err)
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
		w.sweep()
	}
}

// Facts that GitHub does not grant move nothing, and everything else goes on.
func TestWhatIsNotGrantedMovesNothing(t *testing.T) {
	t.Parallel()
	w := newFactsWorld(t, rowsLifecycle(`triggers:
  - {on: checks-failed, in: state-a, to: state-b, why: The checks failed}
  - {on: author-replied, in: state-a, to: state-c, why: The author replied}
`))
	granted := permissions.All()
	delete(granted, "checks")
	delete(granted, "statuses")
	w.must(w.github.SetPrivate("acme", "widgets", true))
	w.must(w.github.SetInstallationPermissions(w.installation, granted))
	i := w.openIn("colony:a", "Paint it.")
	i.fixed()
	w.settle()
	w.clock.Advance(time.Minute)
	i.check("work-on-1", "build", "failure")
	w.settle()
	i.has("colony:a")
	i.comment("ada", "It is red")
	w.settle()
	i.has("colony:c")
}

// Colony does not call a pull request missing if its author moves the issue at once and GitHub notes the mention late.
func TestAPullRequestIsNotMissedTooEarly(t *testing.T) {
	t.Parallel()
	w := newFactsWorld(t, rowsLifecycle(`triggers:
  - {on: pull-request-missing, in: state-a, to: state-b, why: There is no pull request}
`))
	i := w.openIn("colony:a", "Paint it.")
	w.quiet()
	i.has("colony:a")
	i.pull("1-paint", "", false)
	w.settle()
	w.clock.Advance(time.Minute)
	w.sweep()
	i.has("colony:a")
}

// A command moves an issue into a state whose trigger holds already: no webhook tells Colony what it did itself.
func TestATriggerHoldsAfterACommand(t *testing.T) {
	t.Parallel()
	w := newFactsWorld(t, rowsLifecycle(`triggers:
  - {on: pull-request-opened, in: state-b, to: state-c, why: There is a pull request}
`))
	i := w.openIn("colony:a", "Paint it.")
	i.fixed()
	w.settle()
	command := i.comment("olivia", "/colony:move state-b")
	w.settle()
	i.colonyReacts(command, "+1")
	i.has("colony:c")
}
