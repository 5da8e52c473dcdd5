package app_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/lifecycle"
)

// An issue whose last dependency is taken away goes on, like one whose dependency is completed: by the list of GitHub, a command, or the
// text. Whether GitHub's webhook reports it or a sweep notices makes no difference.
func TestTheLastDependencyIsTakenAway(t *testing.T) {
	t.Parallel()
	depends := func(i *issue, number int) {
		i.change("ada", i.number, &github.IssueRequest{Body: new(fmt.Sprintf("Depends on #%d", number))})
	}
	for _, heard := range []bool{true, false} {
		for name, c := range map[string]struct {
			link   func(i *issue, number int)
			unlink func(i *issue, number int) (command int64)
		}{
			"list": {
				func(i *issue, number int) { i.blockedBy(i.number, number, true) },
				func(i *issue, number int) int64 { i.blockedBy(i.number, number, false); return 0 },
			},
			"text": {depends, func(i *issue, _ int) int64 {
				i.change("ada", i.number, &github.IssueRequest{Body: new("It stands alone.")})
				return 0
			}},
			"command": {depends, func(i *issue, number int) int64 {
				return i.comment("olivia", fmt.Sprintf("/colony:independent-of #%d", number))
			}},
		} {
			t.Run(fmt.Sprintf("%s/heard %v", name, heard), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, follows)
				i := w.open("ada", "Paint it.")
				number := i.other()
				c.link(i, number)
				i.label("olivia", "colony:ready-for-dev")
				w.settle()
				i.has("colony:dependency-blocked")
				w.clock.Advance(time.Minute)
				if !heard {
					w.deaf()
				}
				command := c.unlink(i, number)
				w.settle()
				if !heard {
					i.has("colony:dependency-blocked")
					w.sweep()
				}
				if command != 0 {
					i.colonyReacts(command, "+1")
				}
				i.has("colony:ready-for-dev")
			})
		}
	}
}

// A person who blocks an issue by hand may have a reason that no issue stands for: it stays until something that it waited for is gone.
func TestAnIssueThatIsBlockedByHandStays(t *testing.T) {
	t.Parallel()
	w := newWorld(t, follows)
	i := w.open("ada", "Paint it.")
	i.label("olivia", "colony:new")
	w.settle()
	i.label("olivia", "colony:dependency-blocked")
	w.settle()
	i.has("colony:dependency-blocked")
	w.clock.Advance(time.Minute)
	i.change("ada", i.number, &github.IssueRequest{Body: new("Paint it red.")})
	w.settle()
	w.sweep()
	i.has("colony:dependency-blocked")
	number := i.other()
	i.blockedBy(i.number, number, true)
	w.settle()
	i.has("colony:dependency-blocked")
	w.clock.Advance(time.Minute)
	i.blockedBy(i.number, number, false)
	w.settle()
	i.has("colony:ready-for-dev")
}

// Also where no webhook reports the part: the epic itself does not change.
func TestASweepAsksAboutAnEpicOfWhichPartsWereDropped(t *testing.T) {
	t.Parallel()
	w := newWorld(t, follows)
	i := w.openIn("colony:waiting-for-subtasks", "")
	part := i.other()
	i.subIssue(part)
	w.sweep()
	w.clock.Advance(time.Hour)
	w.sweep()
	w.deaf()
	i.closeAs(part, "not_planned")
	w.sweep()
	i.has("colony:waiting-for-subtasks", "colony:needs-human")
	i.colonySays("not all are completed", fmt.Sprintf("#%d", part))
	w.sweep()
}

// An epic whose parts were dropped is not done: Colony asks a person once to decide.
func TestAnEpicWhosePartsWereDroppedAsksAPerson(t *testing.T) {
	t.Parallel()
	w := newWorld(t, follows)
	i := w.open("ada", "An epic.")
	first, second := i.other(), i.other()
	i.subIssue(first)
	i.subIssue(second)
	i.label("olivia", "colony:waiting-for-subtasks")
	i.closeAs(first, "completed")
	w.settle()
	i.has("colony:waiting-for-subtasks")
	w.clock.Advance(time.Minute)
	i.closeAs(second, "not_planned")
	w.settle()
	i.has("colony:waiting-for-subtasks", lifecycle.NeedsHuman)
	i.colonySays("Colony leaves this issue in `waiting-for-subtasks`", "not all are completed", fmt.Sprintf("#%d", second))
	status := i.comment("ada", "/colony:status")
	w.settle()
	i.colonyReacts(status, "+1")
	i.colonySays(fmt.Sprintf("What holds it up: dropped sub-issues, `#%d`.", second))

	i.unlabel("olivia", lifecycle.NeedsHuman) // she knows
	w.settle()
	w.sweep()
	i.has("colony:waiting-for-subtasks")

	w.clock.Advance(time.Minute)
	i.change("mona", second, &github.IssueRequest{State: new("open")})
	w.settle()
	w.clock.Advance(time.Minute)
	i.closeAs(second, "not_planned") // that is another question
	w.settle()
	i.has("colony:waiting-for-subtasks", lifecycle.NeedsHuman)
	i.colonySays("Colony leaves this issue in `waiting-for-subtasks`")
	i.comment("olivia", "It is enough.")
	i.label("olivia", "colony:done")
	w.settle()
	i.has("colony:done")
}

// A text makes an issue depend on one in a private repository only if its author may read that repository: nobody learns its state
// through Colony.
func TestStateInAPrivateRepositoryIsNotDisclosed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, follows)
	w.github.AddRepository("acme", "secret")
	w.must(w.github.SetPrivate("acme", "secret", true))
	for login, role := range map[string]string{"mona": "maintain", "tara": "read"} {
		w.github.SetPermission("acme", "secret", login, role)
	}
	hidden, _, err := w.as("mona").Issues.Create(ctx, "acme", "secret", &github.IssueRequest{Title: new("Hidden")})
	w.must(err)
	number := hidden.GetNumber()
	// Whatever becomes of the hidden issue, what ada wrote shows nothing of it.
	depends := fmt.Sprintf("Depends on acme/secret#%d", number)
	stranger, reader := w.open("ada", depends), w.open("tara", depends)
	for _, i := range []*issue{stranger, reader} {
		i.label("olivia", "colony:ready-for-dev")
	}
	w.settle()
	stranger.has("colony:ready-for-dev")
	reader.has("colony:dependency-blocked")
	for i, says := range map[*issue]string{stranger: "`ready-for-dev`", reader: "open dependencies, an issue that not everybody here can read."} {
		status := i.comment("rita", "/colony:status")
		w.settle()
		i.colonyReacts(status, "+1")
		i.colonySays(says)
	}
	w.clock.Advance(time.Minute)
	_, _, err = w.as("mona").Issues.Edit(ctx, "acme", "secret", number, &github.IssueRequest{State: new("closed"), StateReason: new("not_planned")})
	w.must(err)
	w.settle()
	w.sweep()
	stranger.has("colony:ready-for-dev")
	reader.has("colony:failure-blocked", lifecycle.NeedsHuman)
	reader.colonySays("was closed as not planned", "an issue that not everybody here can read")
	for _, i := range []*issue{stranger, reader} {
		for _, c := range i.colonyComments() {
			if strings.Contains(c.GetBody(), "secret") {
				t.Errorf("Colony names it: %s", c.GetBody())
			}
		}
	}
}

// begun brings an issue into development, with a pull request that changes a file.
func (i *issue) begun(path string) (pull int) {
	i.t.Helper()
	i.push(fmt.Sprintf("work-on-%d", i.number), path)
	pull = i.fixed()
	i.label("olivia", "colony:in-development")
	i.settle()
	i.has("colony:in-development")
	return pull
}

// Of two issues whose pull requests change the same file the older one goes first. Webhooks about the older pull request reach the issue
// of the younger one.
func TestTheOlderPullRequestGoesFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t, follows)
	first, second, third := w.open("ada", "Paint it."), w.open("ada", "Oil it."), w.open("ada", "Mend it.")
	older := first.begun("paint.txt")
	second.begun("oil.txt")
	third.begun("mend.txt")
	second.push(fmt.Sprintf("work-on-%d", second.number), "paint.txt")
	w.settle()
	first.has("colony:in-development")
	third.has("colony:in-development")
	second.has("colony:dependency-blocked")
	second.colonySays("Colony leaves this issue in `dependency-blocked`", "goes first", fmt.Sprintf("`#%d`: paint.txt", older))
	status := second.comment("ada", "/colony:status")
	w.settle()
	second.colonyReacts(status, "+1")
	second.colonySays(fmt.Sprintf("What holds it up: older pull requests that change the same files, `#%d`: paint.txt.", older))

	w.clock.Advance(time.Minute)
	first.push(fmt.Sprintf("work-on-%d", first.number), "mend.txt") // now it is in the way of the third as well
	w.settle()
	third.has("colony:dependency-blocked")
	third.colonySays(fmt.Sprintf("`#%d`: mend.txt", older))
	second.has("colony:dependency-blocked")

	// No completed or removed dependency moves it as long as the older pull request is open.
	number := second.other()
	second.blockedBy(second.number, number, true)
	w.settle()
	second.closeAs(number, "completed")
	w.settle()
	second.has("colony:dependency-blocked")

	w.clock.Advance(time.Minute)
	first.closeAs(older, "")
	w.settle()
	first.has("colony:in-development")
	second.has("colony:ready-for-dev")
	third.has("colony:ready-for-dev")
}

// Colony neither reads nor waits for what it does not follow: an issue that was held up goes on, and a push costs what it cost before.
func TestFilesThatAreNotFollowedCostNothing(t *testing.T) {
	t.Parallel()
	spent := map[bool]spent{}
	for _, followed := range []bool{true, false} {
		w := newWorld(t, follows, func(c *config.Config) {
			if !followed {
				c.Follow = slices.DeleteFunc(c.Follow, func(r lifecycle.Reading) bool { return r == lifecycle.ReadFiles })
			}
		})
		first, second := w.open("ada", "Paint it."), w.open("ada", "Oil it.")
		first.begun("paint.txt")
		second.begun("oil.txt")
		w.clock.Advance(time.Minute)
		w.github.ResetCalls()
		first.push(fmt.Sprintf("work-on-%d", first.number), "shelf.txt")
		w.settle()
		spent[followed] = w.spent()
		files := 0
		for _, c := range w.github.Calls() {
			if strings.HasSuffix(c.Path, "/files") {
				files++
			}
		}
		if followed != (files > 0) {
			t.Errorf("followed: %v, and the files of %d pull requests were read", followed, files)
		}
		w.stopColony()
	}
	// The issue and its log; the dependencies of none.
	if got := spent[false]; got.reads > 3 || got.writes+got.questions > 0 {
		t.Errorf("a push cost %+v where files are not followed", got)
	}
	if got := spent[true]; got.reads > 14 || got.writes > 0 || got.questions > 1 {
		t.Errorf("a push cost %+v where files are followed", got)
	}
}
