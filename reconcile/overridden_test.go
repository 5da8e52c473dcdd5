package reconcile_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/bench/acme"
)

// waiting is an issue that waits for another one, which a person lets begin all the same.
func (w *world) waiting() (i *issue, other int) {
	w.t.Helper()
	i = w.open("ada", "Paint it.")
	other = i.Other()
	i.EditOpening("ada", fmt.Sprintf("Depends on #%d", other))
	i.Label("olivia", "colony:ready-for-dev")
	w.Settle()
	i.Has("colony:dependency-blocked")
	w.clock.Advance(time.Minute)
	i.Label("olivia", "colony:ready-for-dev")
	w.Settle()
	w.restart(false)
	i.Has("colony:ready-for-dev")
	return i, other
}

// A person who lets an issue begin has decided about what it waits for then, and nothing else.
func TestAnOverrideIsAboutWhatHeldThen(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		then func(i *issue, other int)
		want string
	}{
		"another one is named": {func(i *issue, other int) {
			i.EditOpening("ada", fmt.Sprintf("Depends on #%d and #%d", other, i.Other()))
		}, "dependency-blocked"},
		"it is named in other words": {func(i *issue, other int) { i.EditOpening("ada", fmt.Sprintf("Blocked by #%d", other)) }, "ready-for-dev"},
		"a person pauses and resumes": {func(i *issue, _ int) {
			i.Swap("tara", "colony:ready-for-dev", "colony:paused")
			i.Settle()
			i.Label("olivia", "colony:ready-for-dev")
		}, "ready-for-dev"},
		"a bot takes it": {func(i *issue, _ int) { i.Label("dev[bot]", "colony:in-development") }, "in-development"},
		"it is completed and opened again": {func(i *issue, other int) {
			i.CloseAs(other, "completed")
			i.Settle()
			i.Clock.Advance(time.Minute)
			i.Change("mona", other, &github.IssueRequest{State: new("open")})
		}, "ready-for-dev"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, acme.Follows)
			i, other := w.waiting()
			w.clock.Advance(time.Minute)
			c.then(i, other)
			w.Settle()
			w.restart(false)
			i.Has("colony:" + c.want)
		})
	}
}

// What a person decided about once stays decided, also after Colony blocked the issue for something else.
func TestOverridesAddUp(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	i, first := w.waiting()
	second := i.Other()
	for range 3 {
		i.EditOpening("ada", fmt.Sprintf("Depends on #%d and #%d", first, second))
		w.Settle()
		i.Has("colony:dependency-blocked")
		w.clock.Advance(time.Minute)
		i.Label("olivia", "colony:ready-for-dev")
		w.Settle()
		i.Has("colony:ready-for-dev")
		i.EditOpening("ada", fmt.Sprintf("Depends on #%d", first))
		w.Settle()
		w.restart(false)
		i.Has("colony:ready-for-dev")
		w.clock.Advance(time.Minute)
		second = i.Other()
	}
}

// Where the record of Colony's move is gone, or there was too much to name, the person decided about all of it.
func TestAnOverrideWithoutARecordIsAboutEverything(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	i, other := w.waiting()
	for _, c := range i.AllComments() {
		_, err := i.As("mona").Issues.DeleteComment(t.Context(), "acme", "widgets", c.GetID())
		i.Must(err)
	}
	w.restart(true)
	i.EditOpening("ada", fmt.Sprintf("Depends on #%d and #%d", other, i.Other()))
	w.Settle()
	i.Has("colony:ready-for-dev")

	i = w.open("ada", "Paint it all.")
	text := "Depends on"
	for range 5 {
		text += fmt.Sprintf(" #%d,", i.Other())
	}
	i.EditOpening("ada", text)
	i.Label("olivia", "colony:ready-for-dev")
	w.Settle()
	i.Has("colony:dependency-blocked")
	w.clock.Advance(time.Minute)
	i.Label("olivia", "colony:ready-for-dev")
	w.Settle()
	i.EditOpening("ada", text+fmt.Sprintf(" #%d", i.Other()))
	w.Settle()
	i.Has("colony:ready-for-dev")
}

// A comment that asks a person names all that it asks about, too.
func TestAPersonWhoGoesOnIsAskedAboutTheNextDroppedDependency(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	i := w.open("ada", "Paint it.")
	first, second := i.Other(), i.Other()
	i.EditOpening("ada", fmt.Sprintf("Depends on #%d and #%d", first, second))
	i.CloseAs(first, "not_planned")
	i.Label("olivia", "colony:ready-for-dev")
	w.Settle()
	i.Has("colony:failure-blocked", "colony:needs-human")
	i.ColonySays("not planned", fmt.Sprintf("#%d", first))
	w.clock.Advance(time.Minute)
	i.CloseAs(second, "completed")
	i.Swap("olivia", "colony:failure-blocked", "colony:ready-for-dev")
	w.Settle()
	w.restart(false)
	i.Has("colony:ready-for-dev")
	w.clock.Advance(time.Minute)
	third := i.Other()
	i.EditOpening("ada", fmt.Sprintf("Depends on #%d, #%d and #%d", first, second, third))
	i.CloseAs(third, "not_planned")
	w.Settle()
	i.Has("colony:failure-blocked", "colony:needs-human")
	i.ColonySays("not planned")
}

// So is one of two pull requests that change the same file.
func TestAnOverriddenOverlapLetsALaterOneBlock(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	first, second, i := w.open("ada", "Paint it."), w.open("ada", "Oil it."), w.open("ada", "Mend it.")
	w.Begun(first, "paint.txt")
	w.Begun(second, "oil.txt")
	w.Begun(i, "mend.txt")
	w.clock.Advance(time.Minute)
	i.Push("work-on-3", "glue.txt")
	i.Push("work-on-3", "paint.txt")
	w.Settle()
	i.ColonySays("goes first", "paint.txt")
	w.clock.Advance(time.Minute)
	i.Swap("olivia", "colony:dependency-blocked", "colony:in-development")
	w.Sweep()
	first.Push("work-on-1", "mend.txt") // the same pull request
	w.Sweep()
	i.Has("colony:in-development")
	second.Push("work-on-2", "glue.txt")
	w.Sweep()
	i.Has("colony:dependency-blocked")
	i.ColonySays("goes first", "glue.txt")
}

// A conflict that is resolved says nothing about the next one, and one that a person leaves there does not pause the issue again.
func TestTheNextConflictPauses(t *testing.T) {
	t.Parallel()
	for _, resolved := range []bool{true, false} {
		w := newWorld(t, acme.Follows, acme.WithLifecycle("autoralph"))
		i := w.through("building")
		i.Push("work-on-1", "paint.txt")
		pull := i.Fixed()
		w.clock.Advance(time.Minute)
		i.Label("dev[bot]", "colony:in-review")
		w.Settle()
		i.Must(w.github.MakeConflict("acme", "widgets", pull, "mona"))
		w.Settle()
		i.Has("colony:paused", "colony:needs-human")
		i.ColonySays("conflicts with its base")
		w.clock.Advance(time.Minute)
		if resolved {
			i.Resolves("work-on-1", pull)
		}
		i.ColonyReacts(i.CommentAndSettle("olivia", "/colony:resume"), "+1")
		i.Has("colony:in-review")
		w.restart(false)
		w.clock.Advance(time.Minute)
		if !resolved {
			i.Review(pull, "REQUEST_CHANGES", "olivia")
			w.Settle()
			w.Sweep()
			i.Has("colony:addressing-feedback")
			continue
		}
		i.Must(w.github.MakeConflict("acme", "widgets", pull, "mona"))
		w.Settle()
		i.Has("colony:paused", "colony:needs-human")
		i.ColonySays("conflicts with its base")
	}
}
