package reconcile_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/bench/apptest"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/policy"
)

const reminding = "notify: [{in: [in-review, merge-pending], remind: 24h, mention: [Mona, acme/platform]}]\n"

// reviewed is an issue that comes to in-review, where lifecycle colony lets it be for 72 hours, in a repository with such settings.
func reviewed(t *testing.T, settings string, change ...func(*config.Config)) (*world, *issue) {
	t.Helper()
	w := newWorld(t, change...)
	w.CommitAndSettle("widgets", policy.SettingsFile, settings)
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-review")
	w.Settle()
	return w, i
}

// later lets time pass, and a sweep find what it brought.
func (w *world) later(d time.Duration) {
	w.t.Helper()
	w.clock.Advance(d)
	w.Sweep()
}

// Before an issue has been in its state for too long, one comment says so; it is hidden when the issue leaves the state.
func TestPeopleAreRemindedOfATimeOut(t *testing.T) {
	t.Parallel()
	w, i := reviewed(t, reminding)
	w.later(47 * time.Hour)
	i.NothingUnread()
	w.later(time.Hour)
	i.ColonySays("about to time out in `in-review`", "moves it to `failure-blocked`", "see why the reviewer is late", "\n\ncc @Mona @acme/platform")
	for range 3 { // in this process, and in another
		w.later(time.Hour)
	}
	w.restart(true)
	w.later(time.Hour)
	i.NothingUnread()
	i.IsHidden("")
	i.Has("colony:in-review")
	i.Label("tara", "colony:changes-requested")
	w.Settle()
	i.IsHidden("resolved")
	i.Label("tara", "colony:in-review")
	w.Settle()
	i.NothingUnread()

	t.Log("another stay in the state has a reminder of its own")
	w.later(49 * time.Hour)
	i.ColonySays("about to time out in `in-review`")
	w.later(24 * time.Hour)
	i.Has("colony:failure-blocked", "colony:needs-human")
	i.ColonySays("not handed on in time (72h)")
	i.IsHidden("resolved", "resolved", "")
	w.restart(true)
	i.NothingUnread()
}

// An issue that was closed by the time it left the state is not about to time out either.
func TestAReminderIsHiddenWhereAClosedIssueMovedOn(t *testing.T) {
	t.Parallel()
	w, i := reviewed(t, reminding)
	w.later(49 * time.Hour)
	i.ColonySays("about to time out in `in-review`")
	_, _, err := i.As("olivia").Issues.Edit(ctx, "acme", "widgets", i.Number, &github.IssueRequest{State: new("closed")})
	w.Must(err)
	w.Settle()
	w.clock.Advance(time.Minute)
	i.Label("tara", "colony:changes-requested")
	w.Settle()
	i.Has("colony:changes-requested")
	i.IsHidden("resolved")
}

// An issue that is opened again has another time, and another reminder. The one that names the former time is hidden.
func TestPeopleAreRemindedAgainAfterAReopening(t *testing.T) {
	t.Parallel()
	w, i := reviewed(t, reminding)
	set := func(state string) {
		_, _, err := i.As("olivia").Issues.Edit(ctx, "acme", "widgets", i.Number, &github.IssueRequest{State: new(state)})
		i.Must(err)
		w.Settle()
	}
	w.later(49 * time.Hour)
	i.ColonySays("about to time out in `in-review`")
	for range 2 {
		set("closed")
		w.later(5 * time.Hour)
		i.NothingUnread()
		set("open")
		w.later(47 * time.Hour)
		i.NothingUnread()
		w.later(2 * time.Hour)
		i.ColonySays("about to time out in `in-review`")
		w.restart(true)
		w.later(time.Hour)
		i.NothingUnread()
	}
	i.IsHidden("resolved", "resolved", "")
	i.Has("colony:in-review")
	i.Label("tara", "colony:changes-requested")
	w.Settle()
	i.IsHidden("resolved", "resolved", "resolved")
}

// Without a row nothing is read or written for it.
func TestNobodyIsRemindedUnasked(t *testing.T) {
	t.Parallel()
	w, i := reviewed(t, "close: true\n")
	w.later(50 * time.Hour)
	before := len(w.github.Calls())
	w.later(time.Hour)
	for _, c := range w.github.Calls()[before:] {
		if c.Actor == apptest.Login && strings.Contains(c.Path, "/issues/1/comments") {
			t.Errorf("comments are read: %s %s", c.Method, c.Path)
		}
	}
	i.NothingUnread()
}

// Where nobody is named, it is the person who has to act, if the lifecycle names one: the author who is asked something.
func TestWhoHasToActIsReminded(t *testing.T) {
	t.Parallel()
	w := newFactsWorld(t, strings.Replace(acme.RowsLifecycle(`triggers:
  - {on: author-replied, in: state-a, to: state-b, why: The author answered}
time-outs:
  - {in: [state-a], after: 48h, to: state-c, why: Nobody answered}
`), "{name: state-a, type: active", "{name: state-a, type: awaiting-human", 1))
	w.CommitAndSettle("widgets", policy.SettingsFile, "notify: [{in: [state-a], remind: 12h}]\n")
	i := w.OpenIn("colony:a", "Paint it.")
	w.Settle()
	w.later(37 * time.Hour)
	i.ColonySays("about to time out in `state-a`", "\n\ncc @ada")
	i.Comment("ada", "Red, please.")
	w.Settle()
	i.Has("colony:b")
	i.ReadsComments() // why it moved
	if hidden := i.Hidden(); hidden[0] != "resolved" {
		t.Errorf("the reminder is hidden as %q", hidden[0])
	}
}

// Nobody is reminded where Colony would not act: on a closed issue, or while it writes nothing.
func TestNobodyIsRemindedInVain(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(w *world, i *issue){
		"closed": func(_ *world, i *issue) {
			_, _, err := i.As("olivia").Issues.Edit(ctx, "acme", "widgets", i.Number, &github.IssueRequest{State: new("closed")})
			i.Must(err)
		},
		"observed": func(w *world, _ *issue) {
			w.CommitAndSettle("widgets", policy.SettingsFile, reminding+"mode: observe\n")
		},
		"over": func(w *world, _ *issue) { w.stopColony(); w.clock.Advance(80 * time.Hour); w.start() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, i := reviewed(t, reminding)
			prepare(w, i)
			w.later(50 * time.Hour)
			for _, c := range i.ColonyComments() {
				if strings.Contains(c.GetBody(), "about to time out") {
					t.Errorf("somebody is reminded: %s", c.GetBody())
				}
			}
			i.ReadsComments()
			i.ReadsReactions()
		})
	}
}

// Where Colony only warns, the comment is written: the move will be made as well.
func TestPeopleAreRemindedInWarn(t *testing.T) {
	t.Parallel()
	w, i := reviewed(t, reminding+"mode: warn\n", acme.InMode(lifecycle.ModeEnforce))
	w.later(49 * time.Hour)
	i.ColonySays("about to time out in `in-review`")
}

// A comment that GitHub took, and whose answer was lost, is not written again.
func TestAReminderIsWrittenOnce(t *testing.T) {
	t.Parallel()
	w, i := reviewed(t, reminding)
	w.github.Fault(playground.Fault{Kind: playground.FaultCut, After: true, Actor: "colony[bot]", Path: regexp.MustCompile(`/issues/1/comments$`), Method: "POST", Times: 1})
	w.later(49 * time.Hour)
	w.Pass(4, 30*time.Second)
	w.restart(true)
	i.ColonySays("about to time out in `in-review`")
}

func TestRemindersThatAreWrong(t *testing.T) {
	t.Parallel()
	for text, complaint := range map[string]string{
		"notify: [{in: [in-review], remind: soon}]\n":                              `"soon" is not a duration`,
		"notify: [{in: [in-review], remind: 72h}]\n":                               "comes after 72h",
		"notify: [{in: [new], remind: 1h}]\n":                                      `no time-out in "new"`,
		"notify: [{remind: 1h, mention: [mona]}]\n":                                "of which states",
		"notify: [{in: [in-review], remind: 1h, on: [moved], mention: [mona]}]\n":  "on is of no use with remind",
		"notify: [{in: [in-review], remind: 24h}]\ntime-outs: {in-review: 12h}\n":  "comes after 12h",
		"notify: [{in: [in-review], remind: 24h, mention: [\"Acme Platform\"]}]\n": "neither the login of a person nor a team",
	} {
		w := newWorld(t)
		w.CommitAndSettle("widgets", policy.SettingsFile, text)
		w.SaidOnce("widgets", policy.SettingsFile, complaint)
	}
}
