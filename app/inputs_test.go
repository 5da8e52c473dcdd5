package app_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/policy"
)

// gathers runs colibri with a capacity of so many tasks in gather.
func gathers(most int) func(*config.Config) {
	return func(c *config.Config) {
		colibri(c)
		follows(c)
		c.Dispatch = []policy.Dispatch{{From: []string{"init"}, To: "gather", AtMost: most}}
	}
}

// task opens an issue, links it to what it depends on in GitHub's list, and makes it a task of colibri.
func (w *world) task(body string, dependsOn ...int) *issue {
	w.t.Helper()
	i := w.open("ada", body)
	for _, n := range dependsOn {
		i.blockedBy(i.number, n, true)
	}
	i.label("olivia", "colony:init")
	return i
}

// A task whose inputs are missing stays in init although capacity is free, and those behind it do not wait for it.
func TestATaskWaitsInInitForItsInputs(t *testing.T) {
	t.Parallel()
	notifiedAndSwept(t, gathers(1), func(w *world, after func()) {
		needed := w.open("ada", "")
		linked := w.task("", needed.number)
		linked.label("olivia", "colony:urgency/3", "colony:importance/3")
		written := w.task(fmt.Sprintf("Depends on #%d", needed.number))
		free := w.task("")
		after()
		linked.has("colony:init", "colony:urgency/3", "colony:importance/3")
		written.has("colony:init")
		free.has("colony:gather")

		free.label("dev[bot]", "colony:analyze") // capacity is free, and no task can use it
		after()
		linked.has("colony:init", "colony:urgency/3", "colony:importance/3")
		written.has("colony:init")

		needed.closeAs(needed.number, "completed")
		after()
		linked.has("colony:gather", "colony:urgency/3", "colony:importance/3")
		written.has("colony:init") // no capacity is free now
		linked.label("dev[bot]", "colony:analyze")
		after()
		written.has("colony:gather")
	})
}

func TestStatusShowsWhatATaskInInitWaitsFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gathers(1))
	needed := w.open("ada", "")
	linked := w.task("", needed.number)
	w.settle()
	linked.has("colony:init")
	c := linked.comment("rita", "/colony:status")
	w.settle()
	linked.colonyReacts(c, "+1")
	linked.colonySays(fmt.Sprintf("What holds it up: open dependencies, `#%d`.", needed.number))
}

// A dependency that was dropped brings no input either: a person decides, by taking the link away.
func TestATaskWhoseInputWasDroppedWaitsForAPerson(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gathers(1))
	needed := w.open("ada", "")
	one, two := w.task("", needed.number), w.task("", needed.number)
	w.settle()
	one.closeAs(needed.number, "not_planned")
	w.settle()
	one.has("colony:init")
	two.has("colony:init")
	one.label("olivia", "colony:gather")
	w.settle()
	one.has("colony:init")
	one.colonySays("`links-resolved`: All issues that it depends on have to be completed")
	two.blockedBy(two.number, needed.number, false)
	w.settle()
	two.has("colony:gather")
}

// Of what moves an issue beside its labels, a repository may leave dependencies out: then nothing is read of them, and nothing waits.
func TestTasksDoNotWaitWhereDependenciesAreNotFollowed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gathers(1), func(c *config.Config) { c.Follow = policy.Follow{"comments"} })
	needed := w.open("ada", "")
	linked := w.task(fmt.Sprintf("Depends on #%d", needed.number), needed.number)
	w.settle()
	linked.has("colony:gather")
}

// Without capacities nobody is moved on, so nothing is read of what a task depends on.
func TestInputsAreNotReadWhereNothingIsDispatched(t *testing.T) {
	t.Parallel()
	w := newWorld(t, colibri, follows)
	needed := w.open("ada", "")
	i := w.task("", needed.number)
	w.settle()
	for _, c := range w.github.Calls() {
		if c.Actor == "colony[bot]" && strings.Contains(c.Path, "/dependencies/") {
			t.Errorf("Colony asks for %s", c.Path)
		}
	}
	i.label("dev[bot]", "colony:gather") // the gatherer finds out when it takes the task
	w.settle()
	i.has("colony:init")
	i.colonySays("`links-resolved`")
}
