package reconcile_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/bench/acme"
)

// What answers a question, and what does not.
func TestOnlyTheAuthorAnswers(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	i := w.open("ada", "Paint it.")
	i.Through("colony", "needs-clarification")
	w.Settle()
	w.clock.Advance(time.Minute)
	i.Comment("rita", "I think it is red.")
	i.Comment("dev[bot]", "It is red.")
	i.Change("olivia", i.Number, &github.IssueRequest{Title: new("A red widget"), Body: new("Red?")})
	w.Settle()
	w.Sweep()
	i.Has("colony:needs-clarification")
	asks := i.Comment("ada", "/colony:status\n\n/colony:help move")
	w.Settle()
	i.ColonyReacts(asks, "+1")
	i.ColonySays("**`needs-clarification`**")
	i.Has("colony:needs-clarification") // a command is no answer
	w.clock.Advance(time.Minute)
	both := i.Comment("ada", "It is red, I think.\n\n/colony:status")
	w.Settle()
	i.ColonyReacts(both, "+1")
	i.ColonySays("**`analyzing`**")
	i.Has("colony:analyzing")
	if n := i.StateChanges(); n != 1 {
		t.Errorf("Colony moved it %d times", n)
	}
}

// Who cannot answer is not advised to: the author is, and no one is while the issue is closed.
func TestAdviceAboutAQuestionIsForWhoCanAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	i := w.open("ada", "Paint it.")
	i.Through("colony", "needs-clarification")
	w.Settle()
	i.Label("olivia", "colony:paused")
	w.Settle()
	i.ColonySays("ask `ada` to answer the question", "with a comment. Colony moves the issue on when its author answers.")
	if said := i.Says("olivia", "/colony:why"); !strings.Contains(said, "ask `ada` to answer") {
		t.Errorf("to olivia why says %s", said)
	}
	if said := i.Says("ada", "/colony:why"); !strings.Contains(said, "**What you can do now:** answer the question") {
		t.Errorf("to ada why says %s", said)
	}
	i.CloseAs(i.Number, "not_planned")
	w.Settle()
	if said := i.Says("olivia", "/colony:why"); !strings.Contains(said, "reopen the issue. Colony does not move it on while it is closed.") {
		t.Errorf("of a closed issue why says %s", said)
	}
	i.Comment("ada", "It is red.")
	w.Settle()
	i.Has("colony:needs-clarification", "colony:needs-human")
	i.Edit("mona", "open")
	w.Settle()
	i.Has("colony:analyzing", "colony:needs-human")
}

// A bot that opened an issue answers for it, as anybody does for their own.
func TestABotAnswersForItsOwnIssue(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	i := w.open("analyzer[bot]", "Split off from #9.")
	i.Through("colony", "needs-clarification")
	w.Settle()
	w.clock.Advance(time.Minute)
	i.Comment("dev[bot]", "Which colour?")
	w.Settle()
	i.Has("colony:needs-clarification")
	w.clock.Advance(time.Minute)
	i.Comment("analyzer[bot]", "Red.")
	w.Settle()
	i.Has("colony:analyzing")
}

// Time runs for a state, not for an issue: a pause ends it, and it begins anew when the issue comes back.
func TestNoTimeRunsOutInAPause(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	i := w.open("ada", "Paint it.")
	i.Through("colony", "analyzing")
	w.Settle()
	w.clock.Advance(23 * time.Hour)
	pause := i.Comment("olivia", "/colony:pause")
	w.Settle()
	i.ColonyReacts(pause, "+1")
	w.clock.Advance(48 * time.Hour)
	w.Sweep()
	i.Has("colony:paused")
	resume := i.Comment("olivia", "/colony:resume")
	w.Settle()
	i.ColonyReacts(resume, "+1")
	w.clock.Advance(23 * time.Hour)
	w.Sweep()
	i.Has("colony:analyzing")
	w.clock.Advance(2 * time.Hour)
	w.Sweep()
	i.Has("colony:failure-blocked", "colony:needs-human")
	i.ColonySays("from `analyzing` to `failure-blocked`", "not handed on in time (24h)")
}

// An epic that is done stays so, whatever becomes of its parts; one that a person closed is left alone.
func TestEpicsThatAreOver(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	done, closed := w.open("ada", "An epic."), w.open("ada", "Another epic.")
	parts := map[*issue]int{done: done.Other(), closed: closed.Other()}
	for epic, part := range parts {
		epic.SubIssue(part)
		epic.Through("colony", "waiting-for-subtasks")
	}
	w.Settle()
	closed.CloseAs(closed.Number, "not_planned")
	for epic, part := range parts {
		epic.CloseAs(part, "completed")
	}
	w.Settle()
	w.Sweep()
	done.Has("colony:done")
	closed.Has("colony:waiting-for-subtasks")
	w.clock.Advance(time.Minute)
	done.Change("mona", parts[done], &github.IssueRequest{State: new("open")})
	w.Settle()
	w.Sweep()
	done.Has("colony:done")
	if reason := done.Closed(); reason != "completed" {
		t.Errorf("the epic is closed as %q", reason)
	}
	// A person who reopens the other one wants it to go on.
	closed.Change("mona", closed.Number, &github.IssueRequest{State: new("open")})
	w.Settle()
	closed.Has("colony:done")
	if reason := closed.Closed(); reason != "completed" {
		t.Errorf("the epic that was opened again is closed as %q", reason)
	}
}

// A blocker that is dropped asks for a person; what becomes of it then is that person's to say.
func TestABlockerThatIsDropped(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	i := w.open("ada", "Paint it.")
	blocker := i.Other()
	i.BlockedBy(i.Number, blocker, true)
	i.Through("colony", "ready-for-dev")
	w.Settle()
	i.Has("colony:dependency-blocked")
	i.CloseAs(blocker, "not_planned")
	w.Settle()
	i.Has("colony:failure-blocked", "colony:needs-human")
	i.ColonySays("closed as not planned")
	w.clock.Advance(time.Minute)
	i.Change("mona", blocker, &github.IssueRequest{State: new("open")})
	i.CloseAs(blocker, "completed")
	w.Settle()
	w.Sweep()
	i.Has("colony:failure-blocked", "colony:needs-human") // a person was asked
	w.clock.Advance(time.Minute)
	retry := i.Comment("olivia", "/colony:retry")
	w.Settle()
	i.ColonyReacts(retry, "+1")
	i.Has("colony:ready-for-dev") // back to where it was blocked, and on, as the blocker is completed
}

// An issue that a person moves on despite its blocker goes on, although the blocker is still there.
func TestAPersonGoesOnWithoutTheBlocker(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	i := w.open("ada", "Paint it.")
	blocker := i.Other()
	i.BlockedBy(i.Number, blocker, true)
	i.CloseAs(blocker, "not_planned")
	i.Through("colony", "ready-for-dev")
	w.Settle()
	i.Has("colony:failure-blocked", "colony:needs-human")
	i.ColonySays("closed as not planned")
	w.clock.Advance(time.Minute)
	retry := i.Comment("olivia", "/colony:retry ready-for-dev it is not needed")
	w.Settle()
	w.Sweep()
	i.ColonyReacts(retry, "+1")
	i.Has("colony:ready-for-dev")
}
