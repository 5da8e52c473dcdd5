package reconcile_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/playground"
)

func TestNextListsWhatWaitsInOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows, acme.Colibri)
	rest := w.Titled("olivia", "the oldest of the rest", "colony:init", "colony:urgency/1")
	urgent := w.Titled("olivia", "urgent", "colony:init", "colony:urgency/2")
	important := w.Titled("olivia", "important\n\n@everyone #1 <!-- x -->", "colony:init", "colony:importance/3")
	both := w.Titled("olivia", "both", "colony:init", "colony:importance/2", "colony:urgency/3")
	w.Titled("olivia", "taken", "colony:init", "colony:importance/3", "colony:urgency/3").Label("olivia", "colony:gather")
	closed := w.Titled("olivia", "closed", "colony:init", "colony:importance/3", "colony:urgency/3")
	_, _, err := w.As("olivia").Issues.Edit(ctx, "acme", "widgets", closed.Number, &github.IssueRequest{State: new("closed")})
	w.Must(err)
	w.Settle()
	w.Must(w.github.SetBlockedBy("acme", "widgets", both.Number, "", rest.Number, true, "olivia"))
	w.Settle()

	closed.ColonySays("was closed before it was done")
	answer := rest.Says("rita", "/colony:next")
	var lines []string
	for line := range strings.Lines(answer) {
		if strings.HasPrefix(line, "1. ") {
			lines = append(lines, line)
		}
	}
	want := []string{
		fmt.Sprintf("1. `#%d`, `init`, urgency 0 of 3, importance 3 of 3: important `@everyone #1 <`! `--` x `-- >`\n", important.Number),
		fmt.Sprintf("1. `#%d`, `init`, urgency 2 of 3, importance 0 of 3: urgent\n", urgent.Number),
		fmt.Sprintf("1. `#%d`, `init`, urgency 1 of 3, importance 0 of 3: the oldest of the rest\n", rest.Number),
	}
	if !strings.Contains(answer, "1 issue waits for another one that is open.") {
		t.Errorf("it does not say what is left out:\n%s", answer)
	}
	if !slices.Equal(lines, want) {
		t.Errorf("got  %q\nwant %q", lines, want)
	}
	if !strings.Contains(answer, "high in urgency and importance, then in importance, then in urgency") {
		t.Errorf("it does not state its order:\n%s", answer)
	}
}

func TestNextListsTen(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Colibri)
	var last *issue
	for n := range 12 {
		last = w.Titled("olivia", fmt.Sprintf("number %d", n), "colony:init")
	}
	answer := last.Says("ada", "/colony:next")
	if n := strings.Count(answer, "\n1. "); n != 10 || !strings.Contains(answer, "2 more wait.") || !strings.Contains(answer, ": number 9") || strings.Contains(answer, "number 10") {
		t.Errorf("%d issues:\n%s", n, answer)
	}
}

func TestNextNeedsALifecycleInWhichIssuesWait(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.CommitAndSettle("widgets", ".github/colony-lifecycle.yml", acme.Desk)
	i := w.Titled("olivia", "a widget", "colony:open")
	id := i.Comment("rita", "/colony:next")
	w.Settle()
	i.ColonyReacts(id, "confused")
	i.ColonySays("The lifecycle `desk` does not say in which states issues wait")
}

func TestStatusShowsPriorityAndAttempts(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Colibri)
	w.github.AddBot("verifier")
	i := w.Verified()
	i.Label("olivia", "colony:urgency/3", "colony:importance/1")
	w.Settle()
	i.Label("verifier[bot]", "colony:gather")
	w.Settle()
	answer := i.Says("rita", "/colony:status")
	for _, part := range []string{"◔ **`gather`**", "Priority: urgency 3 of 3, importance 1 of 3.", "attempts: 1"} {
		if !strings.Contains(answer, part) {
			t.Errorf("it does not say %q:\n%s", part, answer)
		}
	}
}

func TestLinksAreMadeAndTakenAway(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Colibri)
	first, second, i := w.Titled("olivia", "first", "colony:init"), w.Titled("olivia", "second", "colony:init"), w.Titled("olivia", "third", "colony:init")
	id := i.Comment("tara", fmt.Sprintf("/colony:depends-on #%d, acme/Widgets#%d %s/acme/widgets/issues/%d", first.Number, second.Number, w.URL, second.Number))
	w.Settle()
	i.ColonyReacts(id, "+1")
	if got := i.Blockers(); !slices.Equal(got, []int{first.Number, second.Number}) {
		t.Errorf("it depends on %v", got)
	}
	again := i.Comment("tara", fmt.Sprintf("/colony:depends-on #%d", first.Number))
	w.Settle()
	i.ColonyReacts(again, "+1")
	off := i.Comment("tara", fmt.Sprintf("/colony:independent-of #%d #77", first.Number))
	w.Settle()
	i.ColonyReacts(off, "+1")
	if got := i.Blockers(); !slices.Equal(got, []int{second.Number}) {
		t.Errorf("it depends on %v", got)
	}
	if events := w.crossReferences(first.Number); events != 1 { // of the command itself; GitHub reads people's comments
		t.Errorf("%d cross-references", events)
	}
}

// crossReferences counts where an issue is mentioned, apart from people's own words.
func (w *world) crossReferences(number int) (count int) {
	w.t.Helper()
	lines, _, err := w.As("mona").Issues.ListIssueTimeline(ctx, "acme", "widgets", number, nil)
	w.Must(err)
	for _, line := range lines {
		if line.GetEvent() == "cross-referenced" {
			count++
		}
	}
	return count
}

func TestLinksThatAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Colibri)
	w.github.AddRepository("acme", "secret")
	w.Must(w.github.SetPrivate("acme", "secret", true))
	w.github.SetPermission("acme", "secret", "mona", "write")
	hidden, _, err := w.As("mona").Issues.Create(ctx, "acme", "secret", &github.IssueRequest{Title: new("hidden")})
	w.Must(err)
	i := w.Titled("olivia", "one", "colony:init")
	for command, says := range map[string]string{
		"/colony:depends-on":                                                 "it needs an issue",
		"/colony:depends-on the weather":                                     "`the` does not name an issue",
		"/colony:depends-on #999":                                            "There is no issue `#999`",
		"/colony:depends-on https://example.org/a/b/issues/1":                "does not name an issue",
		fmt.Sprintf("/colony:depends-on #%d", i.Number):                      "cannot depend on itself",
		fmt.Sprintf("/colony:independent-of #%d", i.Number):                  "cannot depend on itself",
		"/colony:depends-on #1 #2 #3 #4 #5 #6 #7 #8 #9 #10 #11":              "at most 10 issues",
		fmt.Sprintf("/colony:depends-on acme/secret#%d", hidden.GetNumber()): "that both Colony and `tara` can read",
	} {
		id := i.Comment("tara", command)
		w.Settle()
		i.ColonyReacts(id, "confused")
		i.ColonySays(says)
	}
	id := i.Comment("rita", "/colony:depends-on #1")
	w.Settle()
	i.ColonyReacts(id, "-1")
	id = i.Comment("mona", fmt.Sprintf("/colony:depends-on acme/secret#%d", hidden.GetNumber())) // who can read it
	w.Settle()
	i.ColonyReacts(id, "+1")
	off := i.Comment("tara", fmt.Sprintf("/colony:independent-of acme/secret#%d", hidden.GetNumber()))
	w.Settle()
	i.ColonyReacts(off, "+1")
	if got := i.Blockers(); len(got) > 0 {
		t.Errorf("it depends on %v", got)
	}
}

func TestLinksOfACommentCountTogether(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Colibri)
	first, i := w.Titled("olivia", "first", "colony:init"), w.Titled("olivia", "second", "colony:init")
	id := i.Comment("tara", fmt.Sprintf("/colony:depends-on #%d\n/colony:nxet", first.Number))
	w.Settle()
	i.ColonyReacts(id, "confused")
	i.ColonySays("Did you mean `/colony:next`?", "Colony linked nothing from this comment")
	if got := i.Blockers(); len(got) > 0 {
		t.Errorf("it depends on %v", got)
	}
}

func TestLinksDoNotLoop(t *testing.T) {
	t.Parallel()
	for _, lacking := range []bool{false, true} {
		t.Run(fmt.Sprint("without dependencies: ", lacking), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, acme.Colibri)
			if lacking {
				w.Must(w.github.Lack(playground.IssueDependencies))
			}
			a, b, c := w.Titled("olivia", "a", "colony:init"), w.Titled("olivia", "b", "colony:init"), w.Titled("olivia", "c", "colony:init")
			for _, link := range [][2]*issue{{a, b}, {b, c}} {
				id := link[0].Comment("tara", fmt.Sprintf("/colony:depends-on #%d", link[1].Number))
				w.Settle()
				link[0].ColonyReacts(id, "+1")
			}
			id := c.Comment("tara", fmt.Sprintf("/colony:depends-on #%d", a.Number))
			w.Settle()
			c.ColonyReacts(id, "confused")
			c.ColonySays(fmt.Sprintf("`#%d` already depends on this issue (`#%d` → `#%d` → this one)", a.Number, a.Number, b.Number))
			off := b.Comment("tara", fmt.Sprintf("/colony:independent-of #%d", c.Number))
			w.Settle()
			b.ColonyReacts(off, "+1")
			now := c.Comment("tara", fmt.Sprintf("/colony:depends-on #%d", a.Number))
			w.Settle()
			c.ColonyReacts(now, "+1")
		})
	}
}

func TestALinkThatGitHubDoesNotTakeIsRecordedAllTheSame(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Colibri)
	first, i := w.Titled("olivia", "first", "colony:init"), w.Titled("olivia", "second", "colony:init")
	w.github.Fault(playground.Fault{
		Kind: playground.FaultStatus, Method: http.MethodPost, Path: regexp.MustCompile(`/dependencies/blocked_by$`), Status: http.StatusUnprocessableEntity,
	})
	id := i.Comment("tara", fmt.Sprintf("/colony:depends-on #%d", first.Number))
	w.Settle()
	i.ColonyReacts(id, "+1")
	back := first.Comment("tara", fmt.Sprintf("/colony:depends-on #%d", i.Number))
	w.Settle()
	first.ColonyReacts(back, "confused")
	first.ColonySays("already depends on this issue")
}

func TestAnEndWithoutAReflectionIsReportedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Colibri)
	i := w.Verified()
	i.Label("olivia", "colony:done")
	w.Settle()
	i.Comment("tara", "Reflection: somebody else wrote it")
	i.Comment("olivia", "> Reflection: quoted\n\nthanks")
	i.Comment("olivia", "```\nReflection: in code\n```")
	i.Comment("olivia", "Reflection:")
	w.Sweep()
	w.clock.Advance(time.Hour)
	w.Sweep()
	i.ColonySays("**`olivia` ended this issue in `done`", "Reflection: what came of it, and why")
	for range 2 {
		w.Sweep()
	}
	if got := acme.Value(w.metrics(), "colony_orphans_total"); got != 1 {
		t.Errorf("%v orphans are counted", got)
	}
	w.stopColony() // what it remembers is gone
	w.start()
	w.Sweep()
	i.Comment("olivia", "reflection: it went well")
	w.Sweep()
}

func TestReflectionsThatCount(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*world, *issue){
		"written before the end": func(w *world, i *issue) {
			i.Comment("olivia", "**Reflection:** it was harder than it looked")
			w.Settle()
			i.Label("olivia", "colony:done")
		},
		"written after the end, over several lines": func(w *world, i *issue) {
			i.Label("olivia", "colony:done")
			w.Settle()
			i.Comment("olivia", "REFLECTION:\n\nall went well")
		},
		"the reason of a command": func(w *world, i *issue) {
			id := i.Comment("olivia", "/colony:cancel nobody wants it any more, @everyone")
			w.Settle()
			i.ColonyReacts(id, "+1")
		},
		"beside the command": func(w *world, i *issue) {
			id := i.Comment("olivia", "/colony:move done\nReflection: done at last")
			w.Settle()
			i.ColonyReacts(id, "+1")
		},
		"what a role's request stands for": func(w *world, i *issue) {
			i.Label("verifier[bot]", "colony:cancelled")
			w.Settle()
			i.ColonySays("verify_permanent_fail")
		},
		"by the bot that ended it": func(w *world, i *issue) {
			i.Label("verifier[bot]", "colony:done")
			w.Settle()
			i.Comment("verifier[bot]", "Reflection: 12 criteria met")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, acme.Colibri)
			w.github.AddBot("verifier")
			i := w.Verified()
			end(w, i)
			w.Sweep()
			w.clock.Advance(2 * time.Hour)
			w.Sweep()
		})
	}
}

func TestACommandThatEndsAnIssueWithoutAReasonIsItsWritersEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Colibri)
	i := w.Verified()
	id := i.Comment("tara", "/colony:move done")
	w.Settle()
	i.ColonyReacts(id, "+1")
	i.Comment("olivia", "Reflection: I did not end it")
	w.clock.Advance(2 * time.Hour)
	w.Sweep()
	i.ColonySays("**`tara` ended this issue in `done`")
}

func TestLinksLastLongerThanTheHorizon(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Colibri)
	w.Must(w.github.Lack(playground.IssueDependencies))
	b := w.Titled("olivia", "b", "colony:init")
	a := w.open("olivia", fmt.Sprintf("/colony:depends-on #%d", b.Number), "colony:init")
	w.Settle()
	a.ColonyReacts(0, "+1")
	edited := w.Titled("olivia", "edited", "colony:init")
	id := edited.Comment("tara", fmt.Sprintf("/colony:depends-on #%d", b.Number))
	w.Settle()
	edited.ColonyReacts(id, "+1")
	w.clock.Advance(100 * time.Hour)
	w.Settle()
	_, _, err := w.As("tara").Issues.EditComment(ctx, "acme", "widgets", id, &github.IssueComment{Body: new(fmt.Sprintf("/colony:depends-on #%d\nreally", b.Number))})
	w.Must(err)
	back := b.Comment("tara", fmt.Sprintf("/colony:depends-on #%d", a.Number))
	w.Settle()
	b.ColonyReacts(back, "confused")
	b.ColonySays("already depends on this issue")
	free := b.Comment("tara", fmt.Sprintf("/colony:depends-on #%d", edited.Number)) // what was edited counts no more
	w.Settle()
	b.ColonyReacts(free, "+1")
}

func TestALinkIsMadeOnceIfColonyStopsBeforeItsReceipt(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Colibri)
	first, i := w.Titled("olivia", "first", "colony:init"), w.Titled("olivia", "second", "colony:init")
	w.github.Fault(playground.Fault{
		Kind: playground.FaultStatus, Method: http.MethodPost, Path: regexp.MustCompile(`/reactions$`), Status: http.StatusBadGateway, Times: 1,
	})
	id := i.Comment("tara", fmt.Sprintf("/colony:depends-on #%d", first.Number))
	w.Settle()
	w.clock.Advance(time.Minute)
	w.Settle()
	i.ColonyReacts(id, "+1")
	if got := i.Blockers(); !slices.Equal(got, []int{first.Number}) {
		t.Errorf("it depends on %v", got)
	}
}

// roled binds logins to roles of colibri.
func roled(logins map[string][]string) func(*config.Config) {
	return func(c *config.Config) {
		c.Lifecycle = "colibri"
		c.Executors.Logins = logins
	}
}

// "Dedicated: one pool per skill family; no cross-assignment", from the first claim to the end.
func TestABotHasOneRoleInColibri(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows, roled(map[string][]string{"one[bot]": {"gatherer"}, "two[bot]": {"gatherer", "analyst"}}))
	for _, name := range []string{"one", "two", "none"} {
		w.github.AddBot(name)
	}
	for _, from := range []string{"init", "gather"} {
		to := map[string]string{"init": "gather", "gather": "analyze"}[from]
		for bot, granted := range map[string]bool{"one[bot]": true, "two[bot]": false, "none[bot]": false} {
			i := w.open("ada", "Paint it.")
			i.Through("colibri", from)
			w.Settle()
			w.clock.Advance(time.Minute)
			i.Swap(bot, "colony:"+from, "colony:"+to)
			w.Settle()
			if granted {
				i.Has("colony:" + to)
				continue
			}
			i.Has("colony:" + from)
			i.ColonySays("exactly one role", "`"+bot+"` may not move it from there")
		}
	}
}

// "Required inputs materialize": a template of which nobody filled anything in says nothing.
func TestATaskWithoutInputsIsNotGathered(t *testing.T) {
	t.Parallel()
	for body, said := range map[string]bool{
		"": false, " \r\n": false, "<!-- What is to be done? -->\r\n\r\n<!-- Why? -->\r\n": false, "<!-- What is to be done?": false,
		"<!-- What? -->\r\n\r\nPaint it.": true, "Paint it. <!-- red -->": true, "<kbd>Paint</kbd>": true,
	} {
		t.Run(body, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, acme.Follows, roled(nil))
			i := w.open("ada", body)
			i.Label("olivia", "colony:init")
			w.Settle()
			i.Label("olivia", "colony:gather")
			w.Settle()
			if said {
				i.Has("colony:gather")
				return
			}
			i.Has("colony:init")
			i.ColonySays("`inputs-there`", "has to say what to do")
		})
	}
}

// Every role gives a task up by a command with a reason, and by nothing else.
func TestARoleGivesATaskUpWithAReason(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows, roled(map[string][]string{"apply[bot]": {"applier"}}))
	w.github.AddBot("apply")
	i := w.open("ada", "Paint it.")
	i.Through("colibri", "apply")
	w.Settle()
	w.clock.Advance(time.Minute)
	i.Swap("apply[bot]", "colony:apply", "colony:cancelled")
	w.Settle()
	i.Has("colony:apply")
	i.ColonySays("/colony:cancel <reason>")
	id := i.Comment("apply[bot]", "/colony:cancel the paint is sold out")
	w.Settle()
	i.ColonyReacts(id, "+1")
	i.Has("colony:cancelled")
}

// "Packet written and frozen": what is applied is what was planned.
func TestAnEditOfAFrozenPacketIsVerified(t *testing.T) {
	t.Parallel()
	notifiedAndSwept(t, acme.Follows, func(w *world, after func()) {
		i := w.open("ada", "Paint it red.")
		i.Through("colibri", "apply")
		w.Settle()
		w.clock.Advance(time.Minute)
		i.EditOpening("olivia", "Paint it red, twice.")
		after()
		i.Has("colony:apply")
		w.clock.Advance(time.Minute)
		i.EditOpening("ada", "Paint it blue.")
		after()
		i.Has("colony:verify", "colony:needs-human")
		i.ColonySays("after its packet was frozen", "+Paint it blue.")
	}, acme.Colibri)
}
