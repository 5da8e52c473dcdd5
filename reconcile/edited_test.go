package reconcile_test

import (
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/playground"
)

// GitHub stamps a comment that nobody edited a second late now and then.
func TestCommentStampedLateIsRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:in-review")
	w.github.StampLate(time.Second)
	i.ColonyReacts(i.CommentAndSettle("tara", "/colony:pause"), "+1")
	i.Has("colony:paused")
	// An hour makes no difference either, as long as nobody edited it.
	w.github.StampLate(time.Hour)
	i.ColonyReacts(i.CommentAndSettle("tara", "/colony:resume"), "+1")
	i.Has("colony:in-review")
}

// Where GitHub cannot be asked by GraphQL, two seconds are no edit, and more are one.
func TestCommentStampedLateWithoutGraphQL(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(w.github.Lack(playground.GraphQL))
	i := w.stateful("colony:in-review")
	w.github.StampLate(2 * time.Second)
	i.ColonyReacts(i.CommentAndSettle("tara", "/colony:pause"), "+1")
	i.Has("colony:paused")
	w.github.StampLate(3 * time.Second)
	i.SaysNotRun(i.CommentAndSettle("tara", "/colony:resume"))
	i.Has("colony:paused")
	// Colony does not run a command that needs more than the right to edit texts where GitHub does not say who edited them.
	w.github.StampLate(0)
	force := i.CommentAndSettle("mona", "/colony:force new because I say so")
	i.ColonySays("did not run", "does not say whether")
	i.ColonyReacts(force, "confused")
	i.Has("colony:paused")
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
	pause := i.Comment("tara", "/colony:pause")
	w.Quiet()
	i.ColonyReacts(pause, "eyes")
	i.Has("colony:in-review")
	w.clock.Advance(10 * time.Second)
	w.Settle()
	i.Has("colony:paused")
	i.ColonyReacts(pause, "+1")
}

// GitHub's times do not show an edit within the second in which a text was written. Its webhook does.
func TestCommandAddedWithinASecondIsNotRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("mona", "A widget.")
	i.EditOpening("mona", "/colony:move new")
	w.Settle()
	i.SaysNotRun(0)
	i.Label("olivia", "colony:in-review")
	w.Settle()
	hello := i.Comment("tara", "Hello.")
	i.EditComment("tara", hello, "/colony:pause")
	w.Settle()
	i.SaysNotRun(hello)
	i.Has("colony:in-review")
}

// Colony does not run what an edit puts into a text, and says so to its writer once.
func TestCommandAddedByAnEditIsNotRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("mona", "A widget.")
	i.Label("olivia", "colony:in-review")
	w.Settle()
	hello := i.CommentAndSettle("mona", "Hello.")
	i.EditOpening("mona", "A widget.\n\n/colony:move changes-requested")
	w.Settle()
	i.SaysNotRun(0)
	other := i.CommentAndSettle("mona", "/colony:moev changes-requested")
	i.ColonySays("not a command")
	i.ColonyReacts(other, "confused")
	i.EditComment("mona", hello, "Hello.\n\n/colony:pause")
	i.EditComment("mona", other, "/colony:move changes-requested")
	w.Settle()
	i.SaysNotRun(hello) // the other one has its answer
	i.EditComment("mona", hello, "Hello!\n\n/colony:pause")
	i.EditOpening("mona", "/colony:pause")
	w.Settle()
	w.Sweep()
	i.Has("colony:in-review")
}

// Commands that were run and whose text is edited later are nobody's mistake.
func TestCommandThatWasRunAndIsEditedLater(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("mona", "/colony:move new")
	w.Settle()
	i.ColonyReacts(0, "+1")
	i.Has("colony:new")
	pause := i.CommentAndSettle("tara", "/colony:move in-review")
	i.ColonyReacts(pause, "+1")
	w.clock.Advance(time.Minute)
	i.EditOpening("tara", "/colony:move done")
	i.EditComment("tara", pause, "/colony:pause")
	w.Settle()
	w.stopColony()
	w.start()
	w.Settle()
	i.Has("colony:in-review")
}

// A person with write access can edit what others wrote, and lends no rights by it: neither later nor within the second in which
// it was written, which GitHub's times do not show.
func TestEditLendsNoRights(t *testing.T) {
	t.Parallel()
	for name, advance := range map[string]time.Duration{"within the second": 0, "a minute later": time.Minute} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, func(c *config.Config) { c.Commands.Move = issues.PermissionMaintain })
			i := w.stateful("colony:in-review")
			w.github.HoldDeliveries()
			opening := w.open("mona", "Hello.")
			force, move := i.Comment("mona", "Hello."), i.Comment("mona", "Hello again.")
			w.clock.Advance(advance)
			opening.EditOpening("olivia", "/colony:force in-review because")
			i.EditComment("olivia", force, "/colony:force new because")
			i.EditComment("olivia", move, "/colony:move changes-requested")
			w.github.ReleaseDeliveries(nil)
			w.Settle()
			i.Has("colony:in-review")
			i.SaysNotRun(force)
			i.SaysNotRun(move)
			opening.Has()
			opening.SaysNotRun(0)
		})
	}
}

// Where GitHub does not tell edits, its times would lend a right to anyone who edits a text within its second, if the webhook is lost.
func TestEditLendsNoRightsWithoutGraphQL(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(w.github.Lack(playground.GraphQL))
	i := w.stateful("colony:in-review")
	force := i.CommentAndSettle("mona", "Hello.")
	w.github.DropNext(1)
	i.EditComment("olivia", force, "/colony:force new because")
	i.ColonyReacts(i.CommentAndSettle("tara", "/colony:pause"), "+1")
	i.Has("colony:paused")
	i.ColonySays("did not run", "does not say whether")
	i.ColonyReacts(force, "confused")
}

// In a text that nobody edited, force counts wherever it stands.
func TestForceInTheOpeningText(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("mona", "It is done already.\n\n/colony:force in-review as it was written elsewhere")
	w.Settle()
	i.Has("colony:in-review")
	i.ColonySays("`mona` forced this issue", "as it was written elsewhere")
	i.ColonyReacts(0, "+1")
}

// Editors that are odd: a bot, and one who is gone.
func TestEditorsThatAreOdd(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.github.AddUser("gil")
	w.github.SetPermission("acme", "widgets", "gil", "write")
	i := w.stateful("colony:in-review")
	byBot, byNobody := i.Comment("dev[bot]", "Working."), i.Comment("mona", "Hello.")
	w.Settle()
	w.clock.Advance(time.Minute)
	i.EditComment("dev[bot]", byBot, "/colony:move changes-requested")
	w.Settle()
	i.SaysNotRun(byBot)
	w.github.HoldDeliveries()
	i.EditComment("gil", byNobody, "/colony:pause")
	w.Must(w.github.DeleteUser("gil"))
	w.github.ReleaseDeliveries(nil)
	w.Settle()
	i.SaysNotRun(byNobody)
	i.Has("colony:in-review")
}

// A sweep finds an edit that no webhook reported, like a command that none reported.
func TestEditWithoutWebhook(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:in-review")
	hello := i.Comment("mona", "Hello.")
	w.Settle()
	w.clock.Advance(time.Minute)
	w.github.DropNext(1)
	i.EditComment("mona", hello, "/colony:pause")
	w.Settle()
	w.clock.Advance(time.Minute)
	w.Sweep()
	i.SaysNotRun(hello)
	i.Has("colony:in-review")
}

// Colony says nothing about texts that were written and edited before its installation.
func TestEditFromBeforeColonyCame(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t)
	i := w.open("mona", "Hello.")
	hello := i.Comment("mona", "Hello.")
	w.clock.Advance(time.Minute)
	i.EditComment("mona", hello, "/colony:pause")
	i.EditOpening("mona", "/colony:pause")
	w.clock.Advance(time.Hour)
	w.start()
	w.install()
	status := i.Comment("mona", "/colony:status")
	w.Settle()
	i.ColonySays("`unlabeled`")
	i.ColonyReacts(status, "+1")
	// But what is edited from now on.
	w.clock.Advance(time.Minute)
	i.EditComment("mona", hello, "/colony:move new")
	w.Settle()
	i.SaysNotRun(hello)
	i.Has()
}

// What commands cost where texts may have been edited: docs/costs.md has these figures. GitHub is asked only where its times leave it
// open, and for what takes more than the right to edit texts.
func TestWhatEditsCost(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:in-review")
	edited := i.CommentAndSettle("tara", "Hello.")
	for _, c := range []struct {
		name  string
		event func()
		want  acme.Spending
	}{
		{"a command", func() { i.ColonyReacts(i.CommentAndSettle("tara", "/colony:pause"), "+1") }, acme.Spend(4, 3, 0)},
		{"a command that is stamped late", func() {
			w.github.StampLate(time.Second)
			i.ColonyReacts(i.CommentAndSettle("tara", "/colony:resume"), "+1")
			w.github.StampLate(0)
		}, acme.Spend(4, 3, 1)},
		{"a command behind it", func() { i.ColonyReacts(i.CommentAndSettle("tara", "/colony:pause"), "+1") }, acme.Spend(4, 3, 0)},
		{"a forced move", func() {
			i.ColonyReacts(i.CommentAndSettle("mona", "/colony:force in-review because"), "+1")
			i.ColonySays("forced")
		}, acme.Spend(4, 6, 1)},
		{"a comment to which a command is added", func() {
			i.EditComment("tara", edited, "/colony:pause")
			w.Settle()
			i.SaysNotRun(edited)
		}, acme.Spend(3, 2, 0)},
		{"another edit of it", func() {
			i.EditComment("tara", edited, "/colony:pause now")
			w.Settle()
		}, acme.Spend(3, 0, 0)},
		{"an opening text to which a command is added", func() {
			i.EditOpening("ada", "/colony:pause")
			w.Settle()
			i.SaysNotRun(0)
		}, acme.Spend(3, 2, 1)},
	} {
		w.clock.Advance(time.Minute)
		w.github.ResetCalls()
		c.event()
		if got := w.Spent(); got.Reads > c.want.Reads || got.Writes > c.want.Writes || got.Questions > c.want.Questions {
			t.Errorf("%s cost %+v, more than %+v", c.name, got, c.want)
			for _, call := range w.github.Calls() {
				t.Log(call.Actor, call.Method, call.Path, call.Query, call.Status)
			}
		}
	}
	i.Has("colony:in-review")
}
