package reconcile_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/lifecycle"
)

// Where nothing is found that an issue waits for, no one is sent to see to that: by hand, or because a person has to decide.
func TestNoOneIsSentToSeeToNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	i := w.stateful("colony:dependency-blocked")
	i.Label("olivia", "colony:analyzing")
	w.Settle()
	i.Has("colony:dependency-blocked", "colony:needs-human")
	i.ColonySays("If nothing holds it up, move it on.") // it is not read for that
	refused := i.Comment("olivia", "/colony:move analyzing")
	w.Settle()
	i.ColonyReacts(refused, "confused")
	i.ColonySays("leave it in `dependency-blocked`, or move it on, by label or with `/colony:move <state>`.")
	other := i.Other()
	i.BlockedBy(i.Number, other, true)
	w.Settle()
	if said := i.Says("olivia", "/colony:why"); !strings.Contains(said, "see to what it waits for") {
		t.Errorf("of an issue with a dependency why says %s", said)
	}

	epic := w.open("ada", "Paint all.")
	part := w.open("ada", "Paint one.")
	epic.SubIssue(part.Number)
	epic.Label("olivia", "colony:waiting-for-subtasks")
	w.Settle()
	part.CloseAs(part.Number, "not_planned")
	w.Settle()
	epic.ColonySays("Colony asks a person to decide.", "leave it in `waiting-for-subtasks`, or move it on")
	again := epic.Comment("olivia", "/colony:move ready-for-dev")
	w.Settle()
	epic.ColonyReacts(again, "confused")
	epic.ColonySays("leave it in `waiting-for-subtasks`, or move it on")
}

// An issue whose last dependency is taken away goes on, like one whose dependency is completed: by the list of GitHub, a command, or the
// text. Whether GitHub's webhook reports it or a sweep notices makes no difference.
func TestTheLastDependencyIsTakenAway(t *testing.T) {
	t.Parallel()
	depends := func(i *issue, number int) {
		i.Change("ada", i.Number, &github.IssueRequest{Body: new(fmt.Sprintf("Depends on #%d", number))})
	}
	for _, heard := range []bool{true, false} {
		for name, c := range map[string]struct {
			link   func(i *issue, number int)
			unlink func(i *issue, number int) (command int64)
		}{
			"list": {
				func(i *issue, number int) { i.BlockedBy(i.Number, number, true) },
				func(i *issue, number int) int64 { i.BlockedBy(i.Number, number, false); return 0 },
			},
			"text": {depends, func(i *issue, _ int) int64 {
				i.Change("ada", i.Number, &github.IssueRequest{Body: new("It stands alone.")})
				return 0
			}},
			"command": {depends, func(i *issue, number int) int64 {
				return i.Comment("olivia", fmt.Sprintf("/colony:independent-of #%d", number))
			}},
		} {
			t.Run(fmt.Sprintf("%s/heard %v", name, heard), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, acme.Follows)
				i := w.open("ada", "Paint it.")
				number := i.Other()
				c.link(i, number)
				i.Label("olivia", "colony:ready-for-dev")
				w.Settle()
				i.Has("colony:dependency-blocked")
				w.clock.Advance(time.Minute)
				if !heard {
					w.Deaf()
				}
				command := c.unlink(i, number)
				w.Settle()
				if !heard {
					i.Has("colony:dependency-blocked")
					w.Sweep()
				}
				if command != 0 {
					i.ColonyReacts(command, "+1")
				}
				i.Has("colony:ready-for-dev")
			})
		}
	}
}

// A person lets an issue begin although another one is open. That settles nothing about a dependency that it gets later.
func TestAnOverriddenDependencyLetsALaterOneBlock(t *testing.T) {
	t.Parallel()
	for name, link := range map[string]func(i *issue, number int){
		"list":    func(i *issue, number int) { i.BlockedBy(i.Number, number, true) },
		"command": func(i *issue, number int) { i.Comment("olivia", fmt.Sprintf("/colony:depends-on #%d", number)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, acme.Follows)
			i := w.open("ada", "Paint it.")
			link(i, i.Other())
			i.Label("olivia", "colony:ready-for-dev")
			w.Settle()
			i.Has("colony:dependency-blocked")
			w.clock.Advance(time.Minute)
			i.Label("olivia", "colony:ready-for-dev")
			w.Settle()
			i.Has("colony:ready-for-dev")
			w.clock.Advance(time.Minute)
			w.Sweep()
			i.Has("colony:ready-for-dev")
			link(i, i.Other())
			w.Settle()
			i.Has("colony:dependency-blocked")
			i.ReadsComments()
			i.ReadsReactions()
		})
	}
}

// A person who blocks an issue by hand may have a reason that no issue stands for: it stays until something that it waited for is gone.
func TestAnIssueThatIsBlockedByHandStays(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	i := w.open("ada", "Paint it.")
	i.Label("olivia", "colony:new")
	w.Settle()
	i.Label("olivia", "colony:dependency-blocked")
	w.Settle()
	i.Has("colony:dependency-blocked")
	w.clock.Advance(time.Minute)
	i.Change("ada", i.Number, &github.IssueRequest{Body: new("Paint it red.")})
	w.Settle()
	w.Sweep()
	i.Has("colony:dependency-blocked")
	number := i.Other()
	i.BlockedBy(i.Number, number, true)
	w.Settle()
	i.Has("colony:dependency-blocked")
	w.clock.Advance(time.Minute)
	i.BlockedBy(i.Number, number, false)
	w.Settle()
	i.Has("colony:ready-for-dev")
}

// Also where no webhook reports the part: the epic itself does not change.
func TestASweepAsksAboutAnEpicOfWhichPartsWereDropped(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	i := w.OpenIn("colony:waiting-for-subtasks", "")
	part := i.Other()
	i.SubIssue(part)
	w.Sweep()
	w.clock.Advance(time.Hour)
	w.Sweep()
	w.Deaf()
	i.CloseAs(part, "not_planned")
	w.Sweep()
	i.Has("colony:waiting-for-subtasks", "colony:needs-human")
	i.ColonySays("not all are completed", fmt.Sprintf("#%d", part))
	w.Sweep()
}

// An epic whose parts were dropped is not done: Colony asks a person once to decide.
func TestAnEpicWhosePartsWereDroppedAsksAPerson(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	i := w.open("ada", "An epic.")
	first, second := i.Other(), i.Other()
	i.SubIssue(first)
	i.SubIssue(second)
	i.Label("olivia", "colony:waiting-for-subtasks")
	i.CloseAs(first, "completed")
	w.Settle()
	i.Has("colony:waiting-for-subtasks")
	w.clock.Advance(time.Minute)
	i.CloseAs(second, "not_planned")
	w.Settle()
	i.Has("colony:waiting-for-subtasks", lifecycle.NeedsHuman)
	i.ColonySays("Colony leaves this issue in `waiting-for-subtasks`", "not all are completed", fmt.Sprintf("#%d", second))
	status := i.Comment("ada", "/colony:status")
	w.Settle()
	i.ColonyReacts(status, "+1")
	i.ColonySays(fmt.Sprintf("What holds it up: dropped sub-issues, `#%d`.", second))

	i.Unlabel("olivia", lifecycle.NeedsHuman) // she knows
	w.Settle()
	w.Sweep()
	i.Has("colony:waiting-for-subtasks")

	w.clock.Advance(time.Minute)
	i.Change("mona", second, &github.IssueRequest{State: new("open")})
	w.Settle()
	w.clock.Advance(time.Minute)
	i.CloseAs(second, "not_planned") // that is another question
	w.Settle()
	i.Has("colony:waiting-for-subtasks", lifecycle.NeedsHuman)
	i.ColonySays("Colony leaves this issue in `waiting-for-subtasks`")
	i.Comment("olivia", "It is enough.")
	i.Label("olivia", "colony:done")
	w.Settle()
	i.Has("colony:done")
}

// What a person was asked about an epic has its answer once Colony completes the epic.
func TestAnEpicThatColonyCompletesAsksNoOneAnyMore(t *testing.T) {
	t.Parallel()
	notifiedAndSwept(t, acme.Follows, func(w *world, after func()) {
		i := w.open("ada", "An epic.")
		part := i.Other()
		i.SubIssue(part)
		i.Label("olivia", "colony:waiting-for-subtasks")
		i.CloseAs(part, "not_planned")
		after()
		i.Has("colony:waiting-for-subtasks", lifecycle.NeedsHuman)
		i.ColonySays("not all are completed")
		w.clock.Advance(time.Minute)
		i.Change("mona", part, &github.IssueRequest{State: new("open")})
		after()
		w.clock.Advance(time.Minute)
		i.CloseAs(part, "completed")
		after()
		i.Has("colony:done")
	})
}

// An epic without a part waits for nothing: Colony asks a person, also when its only part is taken away.
func TestAnEpicWithoutPartsAsksAPerson(t *testing.T) {
	t.Parallel()
	for _, had := range []bool{false, true} {
		w := newWorld(t, acme.Follows)
		i := w.open("ada", "An epic.")
		part := i.Other()
		if had {
			i.SubIssue(part)
		}
		i.Label("olivia", "colony:waiting-for-subtasks")
		if had {
			w.Settle()
			w.clock.Advance(100 * time.Hour) // longer than Colony judges
			w.Sweep()
			i.Has("colony:waiting-for-subtasks")
			i.Must(w.github.SetSubIssue("acme", "widgets", i.Number, "", part, false, "mona"))
		}
		w.Quiet()
		i.Has("colony:waiting-for-subtasks")
		w.clock.Advance(time.Minute)
		w.Settle()
		i.Has("colony:waiting-for-subtasks", lifecycle.NeedsHuman)
		i.ColonySays("Colony leaves this issue in `waiting-for-subtasks`", "has none")
		i.ColonyReacts(i.CommentAndSettle("ada", "/colony:status"), "+1")
		i.ColonySays("What holds it up: it has no sub-issues.")
	}
}

// A text makes an issue depend on one in a private repository only if its author may read that repository: nobody learns its state
// through Colony.
func TestStateInAPrivateRepositoryIsNotDisclosed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	w.github.AddRepository("acme", "secret")
	w.Must(w.github.SetPrivate("acme", "secret", true))
	for login, role := range map[string]string{"mona": "maintain", "tara": "read"} {
		w.github.SetPermission("acme", "secret", login, role)
	}
	hidden, _, err := w.As("mona").Issues.Create(ctx, "acme", "secret", &github.IssueRequest{Title: new("Hidden")})
	w.Must(err)
	number := hidden.GetNumber()
	// Whatever becomes of the hidden issue, what ada wrote shows nothing of it.
	depends := fmt.Sprintf("Depends on acme/secret#%d", number)
	stranger, reader := w.open("ada", depends), w.open("tara", depends)
	for _, i := range []*issue{stranger, reader} {
		i.Label("olivia", "colony:ready-for-dev")
	}
	w.Settle()
	stranger.Has("colony:ready-for-dev")
	reader.Has("colony:dependency-blocked")
	for i, says := range map[*issue]string{stranger: "`ready-for-dev`", reader: "open dependencies, an issue that not everybody here can read."} {
		status := i.Comment("rita", "/colony:status")
		w.Settle()
		i.ColonyReacts(status, "+1")
		i.ColonySays(says)
	}
	w.clock.Advance(time.Minute)
	_, _, err = w.As("mona").Issues.Edit(ctx, "acme", "secret", number, &github.IssueRequest{State: new("closed"), StateReason: new("not_planned")})
	w.Must(err)
	w.Settle()
	w.Sweep()
	stranger.Has("colony:ready-for-dev")
	reader.Has("colony:failure-blocked", lifecycle.NeedsHuman)
	reader.ColonySays("was closed as not planned", "an issue that not everybody here can read")
	for _, i := range []*issue{stranger, reader} {
		for _, c := range i.ColonyComments() {
			if strings.Contains(c.GetBody(), "secret") {
				t.Errorf("Colony names it: %s", c.GetBody())
			}
		}
	}
}

// Of two issues whose pull requests change the same file the older one goes first. Webhooks about the older pull request reach the issue
// of the younger one.
func TestTheOlderPullRequestGoesFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	first, second, third := w.open("ada", "Paint it."), w.open("ada", "Oil it."), w.open("ada", "Mend it.")
	older := w.Begun(first, "paint.txt")
	w.Begun(second, "oil.txt")
	w.Begun(third, "mend.txt")
	second.Push(fmt.Sprintf("work-on-%d", second.Number), "paint.txt")
	w.Settle()
	first.Has("colony:in-development")
	third.Has("colony:in-development")
	second.Has("colony:dependency-blocked")
	second.ColonySays("Colony leaves this issue in `dependency-blocked`", "goes first", fmt.Sprintf("`#%d`: paint.txt", older))
	status := second.Comment("ada", "/colony:status")
	w.Settle()
	second.ColonyReacts(status, "+1")
	second.ColonySays(fmt.Sprintf("What holds it up: older pull requests that change the same files, `#%d`: paint.txt.", older))

	w.clock.Advance(time.Minute)
	first.Push(fmt.Sprintf("work-on-%d", first.Number), "mend.txt") // now it is in the way of the third as well
	w.Settle()
	third.Has("colony:dependency-blocked")
	third.ColonySays(fmt.Sprintf("`#%d`: mend.txt", older))
	second.Has("colony:dependency-blocked")

	// No completed or removed dependency moves it as long as the older pull request is open.
	number := second.Other()
	second.BlockedBy(second.Number, number, true)
	w.Settle()
	second.CloseAs(number, "completed")
	w.Settle()
	second.Has("colony:dependency-blocked")

	w.clock.Advance(time.Minute)
	first.CloseAs(older, "")
	w.Settle()
	first.Has("colony:in-development")
	second.Has("colony:ready-for-dev")
	third.Has("colony:ready-for-dev")
}
