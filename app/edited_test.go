package app_test

import (
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/playground"
)

// editComment changes what somebody wrote.
func (i *issue) editComment(by string, comment int64, body string) {
	i.t.Helper()
	_, _, err := i.as(by).Issues.EditComment(ctx, "acme", "widgets", comment, &github.IssueComment{Body: &body})
	i.must(err)
}

// editOpening changes the opening text.
func (i *issue) editOpening(by, body string) {
	i.t.Helper()
	_, _, err := i.as(by).Issues.Edit(ctx, "acme", "widgets", i.number, &github.IssueRequest{Body: &body})
	i.must(err)
}

// saysNotRun asserts that Colony answers a text with a command that somebody edited: once, and without doing anything.
func (i *issue) saysNotRun(comment int64) {
	i.t.Helper()
	i.colonySays("did not run", "edited", "new comment")
	i.colonyReacts(comment, "confused")
}

// GitHub stamps a comment that nobody edited a second late now and then.
func TestCommentStampedLateIsRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:in-review")
	w.github.StampLate(time.Second)
	i.colonyReacts(i.commentAndSettle("tara", "/colony:pause"), "+1")
	i.has("colony:paused")
	// An hour makes no difference either, as long as nobody edited it.
	w.github.StampLate(time.Hour)
	i.colonyReacts(i.commentAndSettle("tara", "/colony:resume"), "+1")
	i.has("colony:in-review")
}

func (i *issue) commentAndSettle(by, body string) int64 {
	i.t.Helper()
	id := i.comment(by, body)
	i.settle()
	return id
}

// Where GitHub cannot be asked by GraphQL, two seconds are no edit, and more are one.
func TestCommentStampedLateWithoutGraphQL(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.must(w.github.Lack(playground.GraphQL))
	i := w.stateful("colony:in-review")
	w.github.StampLate(2 * time.Second)
	i.colonyReacts(i.commentAndSettle("tara", "/colony:pause"), "+1")
	i.has("colony:paused")
	w.github.StampLate(3 * time.Second)
	i.saysNotRun(i.commentAndSettle("tara", "/colony:resume"))
	i.has("colony:paused")
	// Colony does not run a command that needs more than the right to edit texts where GitHub does not say who edited them.
	w.github.StampLate(0)
	force := i.commentAndSettle("mona", "/colony:force new because I say so")
	i.colonySays("did not run", "does not say whether")
	i.colonyReacts(force, "confused")
	i.has("colony:paused")
}

// An answer by GraphQL that fails may come later: nothing is decided until then, and the person who waits sees that.
func TestEditThatCannotBeCheckedIsRetried(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:in-review")
	w.github.StampLate(time.Second)
	w.github.Fault(playground.Fault{
		Kind: playground.FaultStatus, Method: http.MethodPost, Path: regexp.MustCompile(`/graphql$`), Status: http.StatusBadGateway, Times: 1,
	})
	pause := i.comment("tara", "/colony:pause")
	w.quiet()
	i.colonyReacts(pause, "eyes")
	i.has("colony:in-review")
	w.clock.Advance(10 * time.Second)
	w.settle()
	i.has("colony:paused")
	i.colonyReacts(pause, "+1")
}

// GitHub's times do not show an edit within the second in which a text was written. Its webhook does.
func TestCommandAddedWithinASecondIsNotRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("mona", "A widget.")
	i.editOpening("mona", "/colony:move new")
	w.settle()
	i.saysNotRun(0)
	i.label("olivia", "colony:in-review")
	w.settle()
	hello := i.comment("tara", "Hello.")
	i.editComment("tara", hello, "/colony:pause")
	w.settle()
	i.saysNotRun(hello)
	i.has("colony:in-review")
}

// Colony does not run what an edit puts into a text, and says so to its writer once.
func TestCommandAddedByAnEditIsNotRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("mona", "A widget.")
	i.label("olivia", "colony:in-review")
	w.settle()
	hello := i.commentAndSettle("mona", "Hello.")
	i.editOpening("mona", "A widget.\n\n/colony:move changes-requested")
	w.settle()
	i.saysNotRun(0)
	other := i.commentAndSettle("mona", "/colony:moev changes-requested")
	i.colonySays("not a command")
	i.colonyReacts(other, "confused")
	i.editComment("mona", hello, "Hello.\n\n/colony:pause")
	i.editComment("mona", other, "/colony:move changes-requested")
	w.settle()
	i.saysNotRun(hello) // the other one has its answer
	i.editComment("mona", hello, "Hello!\n\n/colony:pause")
	i.editOpening("mona", "/colony:pause")
	w.settle()
	w.sweep()
	i.has("colony:in-review")
}

// Commands that were run and whose text is edited later are nobody's mistake.
func TestCommandThatWasRunAndIsEditedLater(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onDisk(t))
	i := w.open("mona", "/colony:move new")
	w.settle()
	i.colonyReacts(0, "+1")
	i.has("colony:new")
	pause := i.commentAndSettle("tara", "/colony:move in-review")
	i.colonyReacts(pause, "+1")
	w.clock.Advance(time.Minute)
	i.editOpening("tara", "/colony:move done")
	i.editComment("tara", pause, "/colony:pause")
	w.settle()
	w.stopColony()
	w.start()
	w.settle()
	i.has("colony:in-review")
}

// A person with write access can edit what others wrote, and lends no rights by it: neither later nor within the second in which
// it was written, which GitHub's times do not show.
func TestEditLendsNoRights(t *testing.T) {
	t.Parallel()
	for name, advance := range map[string]time.Duration{"within the second": 0, "a minute later": time.Minute} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, func(c *config.Config) { c.Commands.Move = string(issues.PermissionMaintain) })
			i := w.stateful("colony:in-review")
			w.github.HoldDeliveries()
			opening := w.open("mona", "Hello.")
			force, move := i.comment("mona", "Hello."), i.comment("mona", "Hello again.")
			w.clock.Advance(advance)
			opening.editOpening("olivia", "/colony:force in-review because")
			i.editComment("olivia", force, "/colony:force new because")
			i.editComment("olivia", move, "/colony:move changes-requested")
			w.github.ReleaseDeliveries(nil)
			w.settle()
			i.has("colony:in-review")
			i.saysNotRun(force)
			i.saysNotRun(move)
			opening.has()
			opening.saysNotRun(0)
		})
	}
}

// Where GitHub does not tell edits, its times would lend a right to anyone who edits a text within its second, if the webhook is lost.
func TestEditLendsNoRightsWithoutGraphQL(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.must(w.github.Lack(playground.GraphQL))
	i := w.stateful("colony:in-review")
	force := i.commentAndSettle("mona", "Hello.")
	w.github.DropNext(1)
	i.editComment("olivia", force, "/colony:force new because")
	i.colonyReacts(i.commentAndSettle("tara", "/colony:pause"), "+1")
	i.has("colony:paused")
	i.colonySays("did not run", "does not say whether")
	i.colonyReacts(force, "confused")
}

// In a text that nobody edited, force counts wherever it stands.
func TestForceInTheOpeningText(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("mona", "It is done already.\n\n/colony:force in-review as it was written elsewhere")
	w.settle()
	i.has("colony:in-review")
	i.colonySays("`mona` forced this issue", "as it was written elsewhere")
	i.colonyReacts(0, "+1")
}

// Editors that are odd: a bot, and one who is gone.
func TestEditorsThatAreOdd(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.github.AddUser("gil")
	w.github.SetPermission("acme", "widgets", "gil", "write")
	i := w.stateful("colony:in-review")
	byBot, byNobody := i.comment("dev[bot]", "Working."), i.comment("mona", "Hello.")
	w.settle()
	w.clock.Advance(time.Minute)
	i.editComment("dev[bot]", byBot, "/colony:move changes-requested")
	w.settle()
	i.saysNotRun(byBot)
	w.github.HoldDeliveries()
	i.editComment("gil", byNobody, "/colony:pause")
	w.must(w.github.DeleteUser("gil"))
	w.github.ReleaseDeliveries(nil)
	w.settle()
	i.saysNotRun(byNobody)
	i.has("colony:in-review")
}

// A sweep finds an edit that no webhook reported, like a command that none reported.
func TestEditWithoutWebhook(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:in-review")
	hello := i.comment("mona", "Hello.")
	w.settle()
	w.clock.Advance(time.Minute)
	w.github.DropNext(1)
	i.editComment("mona", hello, "/colony:pause")
	w.settle()
	w.clock.Advance(time.Minute)
	w.sweep()
	i.saysNotRun(hello)
	i.has("colony:in-review")
}

// Colony says nothing about texts that were written and edited before its installation.
func TestEditFromBeforeColonyCame(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t)
	i := w.open("mona", "Hello.")
	hello := i.comment("mona", "Hello.")
	w.clock.Advance(time.Minute)
	i.editComment("mona", hello, "/colony:pause")
	i.editOpening("mona", "/colony:pause")
	w.clock.Advance(time.Hour)
	w.start()
	w.install()
	status := i.comment("mona", "/colony:status")
	w.settle()
	i.colonySays("`unlabeled`")
	i.colonyReacts(status, "+1")
	// But what is edited from now on.
	w.clock.Advance(time.Minute)
	i.editComment("mona", hello, "/colony:move new")
	w.settle()
	i.saysNotRun(hello)
	i.has()
}

// What commands cost where texts may have been edited: docs/costs.md has these figures. GitHub is asked only where its times leave it
// open, and for what takes more than the right to edit texts.
func TestWhatEditsCost(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:in-review")
	edited := i.commentAndSettle("tara", "Hello.")
	for _, c := range []struct {
		name  string
		event func()
		want  spent
	}{
		{"a command", func() { i.colonyReacts(i.commentAndSettle("tara", "/colony:pause"), "+1") }, spent{4, 3, 0}},
		{"a command that is stamped late", func() {
			w.github.StampLate(time.Second)
			i.colonyReacts(i.commentAndSettle("tara", "/colony:resume"), "+1")
			w.github.StampLate(0)
		}, spent{4, 3, 1}},
		{"a command behind it", func() { i.colonyReacts(i.commentAndSettle("tara", "/colony:pause"), "+1") }, spent{4, 3, 0}},
		{"a forced move", func() {
			i.colonyReacts(i.commentAndSettle("mona", "/colony:force in-review because"), "+1")
			i.colonySays("forced")
		}, spent{4, 6, 1}},
		{"a comment to which a command is added", func() {
			i.editComment("tara", edited, "/colony:pause")
			w.settle()
			i.saysNotRun(edited)
		}, spent{3, 2, 0}},
		{"another edit of it", func() {
			i.editComment("tara", edited, "/colony:pause now")
			w.settle()
		}, spent{3, 0, 0}},
		{"an opening text to which a command is added", func() {
			i.editOpening("ada", "/colony:pause")
			w.settle()
			i.saysNotRun(0)
		}, spent{3, 2, 1}},
	} {
		w.clock.Advance(time.Minute)
		w.github.ResetCalls()
		c.event()
		if got := w.spent(); got.reads > c.want.reads || got.writes > c.want.writes || got.questions > c.want.questions {
			t.Errorf("%s cost %+v, more than %+v", c.name, got, c.want)
			for _, call := range w.github.Calls() {
				t.Log(call.Actor, call.Method, call.Path, call.Query, call.Status)
			}
		}
	}
	i.has("colony:in-review")
}
