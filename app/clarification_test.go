package app_test

import (
	"testing"
	"time"

	"github.com/google/go-github/v62/github"
)

// What answers a question, and what does not.
func TestOnlyTheAuthorAnswers(t *testing.T) {
	t.Parallel()
	w := newWorld(t, follows)
	i := w.open("ada", "Paint it.")
	i.through("colony", "needs-clarification")
	w.settle()
	w.clock.Advance(time.Minute)
	i.comment("rita", "I think it is red.")
	i.comment("dev[bot]", "It is red.")
	i.change("olivia", i.number, &github.IssueRequest{Title: new("A red widget"), Body: new("Red?")})
	w.settle()
	w.sweep()
	i.has("colony:needs-clarification")
	asks := i.comment("ada", "/colony:status\n\n/colony:help move")
	w.settle()
	i.colonyReacts(asks, "+1")
	i.colonySays("**`needs-clarification`**")
	i.has("colony:needs-clarification") // a command is no answer
	w.clock.Advance(time.Minute)
	both := i.comment("ada", "It is red, I think.\n\n/colony:status")
	w.settle()
	i.colonyReacts(both, "+1")
	i.colonySays("**`analyzing`**")
	i.has("colony:analyzing")
	if n := i.stateChanges(); n != 1 {
		t.Errorf("Colony moved it %d times", n)
	}
}

// A bot that opened an issue answers for it, as anybody does for their own.
func TestABotAnswersForItsOwnIssue(t *testing.T) {
	t.Parallel()
	w := newWorld(t, follows)
	i := w.open("analyzer[bot]", "Split off from #9.")
	i.through("colony", "needs-clarification")
	w.settle()
	w.clock.Advance(time.Minute)
	i.comment("dev[bot]", "Which colour?")
	w.settle()
	i.has("colony:needs-clarification")
	w.clock.Advance(time.Minute)
	i.comment("analyzer[bot]", "Red.")
	w.settle()
	i.has("colony:analyzing")
}

// Time runs for a state, not for an issue: a pause ends it, and it begins anew when the issue comes back.
func TestNoTimeRunsOutInAPause(t *testing.T) {
	t.Parallel()
	w := newWorld(t, follows)
	i := w.open("ada", "Paint it.")
	i.through("colony", "analyzing")
	w.settle()
	w.clock.Advance(23 * time.Hour)
	pause := i.comment("olivia", "/colony:pause")
	w.settle()
	i.colonyReacts(pause, "+1")
	w.clock.Advance(48 * time.Hour)
	w.sweep()
	i.has("colony:paused")
	resume := i.comment("olivia", "/colony:resume")
	w.settle()
	i.colonyReacts(resume, "+1")
	w.clock.Advance(23 * time.Hour)
	w.sweep()
	i.has("colony:analyzing")
	w.clock.Advance(2 * time.Hour)
	w.sweep()
	i.has("colony:failure-blocked", "colony:needs-human")
	i.colonySays("from `analyzing` to `failure-blocked`", "within a day")
}

// An epic that is done stays so, whatever becomes of its parts; one that a person closed is left alone.
func TestEpicsThatAreOver(t *testing.T) {
	t.Parallel()
	w := newWorld(t, follows)
	done, closed := w.open("ada", "An epic."), w.open("ada", "Another epic.")
	parts := map[*issue]int{done: done.other(), closed: closed.other()}
	for epic, part := range parts {
		epic.subIssue(part)
		epic.through("colony", "waiting-for-subtasks")
	}
	w.settle()
	closed.closeAs(closed.number, "not_planned")
	for epic, part := range parts {
		epic.closeAs(part, "completed")
	}
	w.settle()
	w.sweep()
	done.has("colony:done")
	closed.has("colony:waiting-for-subtasks")
	w.clock.Advance(time.Minute)
	done.change("mona", parts[done], &github.IssueRequest{State: new("open")})
	w.settle()
	w.sweep()
	done.has("colony:done")
	if reason := done.closed(); reason != "completed" {
		t.Errorf("the epic is closed as %q", reason)
	}
	// A person who reopens the other one wants it to go on.
	closed.change("mona", closed.number, &github.IssueRequest{State: new("open")})
	w.settle()
	closed.has("colony:done")
	if reason := closed.closed(); reason != "completed" {
		t.Errorf("the epic that was opened again is closed as %q", reason)
	}
}

// A blocker that is dropped asks for a person; what becomes of it then is that person's to say.
func TestABlockerThatIsDropped(t *testing.T) {
	t.Parallel()
	w := newWorld(t, follows)
	i := w.open("ada", "Paint it.")
	blocker := i.other()
	i.blockedBy(i.number, blocker, true)
	i.through("colony", "ready-for-dev")
	w.settle()
	i.has("colony:dependency-blocked")
	i.closeAs(blocker, "not_planned")
	w.settle()
	i.has("colony:failure-blocked", "colony:needs-human")
	i.colonySays("closed as not planned")
	w.clock.Advance(time.Minute)
	i.change("mona", blocker, &github.IssueRequest{State: new("open")})
	i.closeAs(blocker, "completed")
	w.settle()
	w.sweep()
	i.has("colony:failure-blocked", "colony:needs-human") // a person was asked
	w.clock.Advance(time.Minute)
	retry := i.comment("olivia", "/colony:retry")
	w.settle()
	i.colonyReacts(retry, "+1")
	i.has("colony:ready-for-dev") // back to where it was blocked, and on, as the blocker is completed
}

// An issue that a person moves on despite its blocker goes on, although the blocker is still there.
func TestAPersonGoesOnWithoutTheBlocker(t *testing.T) {
	t.Parallel()
	w := newWorld(t, follows)
	i := w.open("ada", "Paint it.")
	blocker := i.other()
	i.blockedBy(i.number, blocker, true)
	i.closeAs(blocker, "not_planned")
	i.through("colony", "ready-for-dev")
	w.settle()
	i.has("colony:failure-blocked", "colony:needs-human")
	i.colonySays("closed as not planned")
	w.clock.Advance(time.Minute)
	retry := i.comment("olivia", "/colony:retry ready-for-dev it is not needed")
	w.settle()
	w.sweep()
	i.colonyReacts(retry, "+1")
	i.has("colony:ready-for-dev")
}
