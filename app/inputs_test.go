package app_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
)

// gathers runs colibri with a capacity of so many tasks in gather.
func gathers(most int) func(*config.Config) {
	return func(c *config.Config) {
		acme.Colibri(c)
		acme.Follows(c)
		c.Executors.Logins["dev[bot]"] = []string{"gatherer"}
		c.Dispatch = []lifecycle.Dispatch{{From: []string{"init"}, To: "gather", AtMost: most}}
	}
}

// task opens an issue, links it to what it depends on in GitHub's list, and makes it a task of colibri.
func (w *world) task(body string, dependsOn ...int) *issue {
	w.t.Helper()
	i := w.open("ada", body)
	for _, n := range dependsOn {
		i.BlockedBy(i.Number, n, true)
	}
	i.Label("olivia", "colony:init")
	return i
}

// A task whose inputs are missing stays in init although capacity is free, and those behind it do not wait for it.
func TestATaskWaitsInInitForItsInputs(t *testing.T) {
	t.Parallel()
	notifiedAndSwept(t, gathers(1), func(w *world, after func()) {
		needed := w.open("ada", "")
		linked := w.task("", needed.Number)
		linked.Label("olivia", "colony:urgency/3", "colony:importance/3")
		written := w.task(fmt.Sprintf("Depends on #%d", needed.Number))
		free := w.task("")
		after()
		linked.Has("colony:init", "colony:urgency/3", "colony:importance/3")
		written.Has("colony:init")
		free.Has("colony:gather")

		free.Label("dev[bot]", "colony:analyze") // capacity is free, and no task can use it
		after()
		linked.Has("colony:init", "colony:urgency/3", "colony:importance/3")
		written.Has("colony:init")

		needed.CloseAs(needed.Number, "completed")
		after()
		linked.Has("colony:gather", "colony:urgency/3", "colony:importance/3")
		written.Has("colony:init") // no capacity is free now
		linked.Label("dev[bot]", "colony:analyze")
		after()
		written.Has("colony:gather")
	})
}

func TestStatusShowsWhatATaskInInitWaitsFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gathers(1))
	needed := w.open("ada", "")
	linked := w.task("", needed.Number)
	w.Settle()
	linked.Has("colony:init")
	c := linked.Comment("rita", "/colony:status")
	w.Settle()
	linked.ColonyReacts(c, "+1")
	linked.ColonySays(fmt.Sprintf("What holds it up: open dependencies, `#%d`.", needed.Number))
}

// A dependency that was dropped brings no input either: a person decides, by taking the link away.
func TestATaskWhoseInputWasDroppedWaitsForAPerson(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gathers(1))
	needed := w.open("ada", "")
	one, two := w.task("", needed.Number), w.task("", needed.Number)
	w.Settle()
	one.CloseAs(needed.Number, "not_planned")
	w.Settle()
	one.Has("colony:init")
	two.Has("colony:init")
	one.Label("olivia", "colony:gather")
	w.Settle()
	one.Has("colony:init")
	one.ColonySays("`links-resolved`: All issues that it depends on have to be completed")
	two.BlockedBy(two.Number, needed.Number, false)
	w.Settle()
	two.Has("colony:gather")
}

// Of what moves an issue beside its labels, a repository may leave dependencies out: then nothing is read of them, and nothing waits.
func TestTasksDoNotWaitWhereDependenciesAreNotFollowed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gathers(1), func(c *config.Config) { c.Follow = policy.Follow{"comments"} })
	needed := w.open("ada", "")
	linked := w.task(fmt.Sprintf("Depends on #%d", needed.Number), needed.Number)
	w.Settle()
	linked.Has("colony:gather")
}

// Without capacities nobody is moved on, so nothing is read of what a task depends on.
func TestInputsAreNotReadWhereNothingIsDispatched(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gathers(0), func(c *config.Config) { c.Dispatch = nil })
	needed := w.open("ada", "")
	i := w.task("", needed.Number)
	w.Settle()
	for _, c := range w.github.Calls() {
		if c.Actor == "colony[bot]" && strings.Contains(c.Path, "/dependencies/") {
			t.Errorf("Colony asks for %s", c.Path)
		}
	}
	i.Label("dev[bot]", "colony:gather") // the gatherer finds out when it takes the task
	w.Settle()
	i.Has("colony:init")
	i.ColonySays("`links-resolved`")
}
