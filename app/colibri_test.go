package app_test

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/playground"
)

// colibri runs the lifecycle that has priorities, an order of work, and reflections.
func colibri(c *config.Config) {
	c.Lifecycle = "colibri"
	logins := maps.Clone(c.Executors.Logins)
	if logins == nil {
		logins = map[string][]string{}
	}
	logins["verifier[bot]"] = []string{"verifier"}
	c.Executors.Logins = logins
}

// titled opens an issue with a title.
func (w *world) titled(by, title string, labels ...string) *issue {
	w.t.Helper()
	opened, _, err := w.as(by).Issues.Create(ctx, "acme", "widgets", &github.IssueRequest{Title: &title, Body: new("As the title says."), Labels: &labels})
	w.must(err)
	i := &issue{world: w, number: opened.GetNumber(), comments: map[int64]bool{}, reactions: map[int64]bool{}}
	w.issues = append(w.issues, i)
	w.settle()
	return i
}

// verified opens an issue and moves it as far as verify.
func (w *world) verified() *issue {
	w.t.Helper()
	i := w.open("olivia", "Do it well.", "colony:init")
	for _, state := range []string{"gather", "analyze", "plan", "apply", "verify"} {
		w.settle()
		i.label("olivia", "colony:"+state)
	}
	w.settle()
	i.has("colony:verify")
	return i
}

// says asks for something with a command and returns what Colony answers.
func (i *issue) says(by, command string) string {
	i.t.Helper()
	id := i.comment(by, command)
	i.settle()
	i.colonyReacts(id, "+1")
	for _, c := range slices.Backward(i.colonyComments()) {
		i.comments[c.GetID()] = true
		return c.GetBody()
	}
	i.t.Fatalf("Colony does not answer %q", command)
	return ""
}

func TestNextListsWhatWaitsInOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(t, colibri)
	rest := w.titled("olivia", "the oldest of the rest", "colony:init", "colony:urgency/1")
	urgent := w.titled("olivia", "urgent", "colony:init", "colony:urgency/2")
	important := w.titled("olivia", "important\n\n@everyone #1 <!-- x -->", "colony:init", "colony:importance/3")
	both := w.titled("olivia", "both", "colony:init", "colony:importance/2", "colony:urgency/3")
	w.titled("olivia", "taken", "colony:init", "colony:importance/3", "colony:urgency/3").label("olivia", "colony:gather")
	closed := w.titled("olivia", "closed", "colony:init", "colony:importance/3", "colony:urgency/3")
	_, _, err := w.as("olivia").Issues.Edit(ctx, "acme", "widgets", closed.number, &github.IssueRequest{State: new("closed")})
	w.must(err)
	w.settle()
	w.must(w.github.SetBlockedBy("acme", "widgets", both.number, "", rest.number, true, "olivia"))
	w.settle()

	answer := rest.says("rita", "/colony:next")
	var lines []string
	for line := range strings.Lines(answer) {
		if strings.HasPrefix(line, "1. ") {
			lines = append(lines, line)
		}
	}
	want := []string{
		fmt.Sprintf("1. `#%d`, `init`, urgency 3 of 3, importance 2 of 3, depends on 1 open issue: both\n", both.number),
		fmt.Sprintf("1. `#%d`, `init`, urgency 0 of 3, importance 3 of 3: important `@everyone #1 <`! `--` x `-- >`\n", important.number),
		fmt.Sprintf("1. `#%d`, `init`, urgency 2 of 3, importance 0 of 3: urgent\n", urgent.number),
		fmt.Sprintf("1. `#%d`, `init`, urgency 1 of 3, importance 0 of 3: the oldest of the rest\n", rest.number),
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
	w := newWorld(t, colibri)
	var last *issue
	for n := range 12 {
		last = w.titled("olivia", fmt.Sprintf("number %d", n), "colony:init")
	}
	answer := last.says("ada", "/colony:next")
	if n := strings.Count(answer, "\n1. "); n != 10 || !strings.Contains(answer, "2 more wait.") || !strings.Contains(answer, ": number 9") || strings.Contains(answer, "number 10") {
		t.Errorf("%d issues:\n%s", n, answer)
	}
}

func TestNextNeedsALifecycleInWhichIssuesWait(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.commitAndSettle("widgets", ".github/colony-lifecycle.yml", worker)
	i := w.titled("olivia", "a widget", "colony:open")
	id := i.comment("rita", "/colony:next")
	w.settle()
	i.colonyReacts(id, "confused")
	i.colonySays("The lifecycle `desk` does not say in which states issues wait")
}

func TestStatusShowsPriorityAndAttempts(t *testing.T) {
	t.Parallel()
	w := newWorld(t, colibri)
	w.github.AddBot("verifier")
	i := w.verified()
	i.label("olivia", "colony:urgency/3", "colony:importance/1")
	w.settle()
	i.label("verifier[bot]", "colony:gather")
	w.settle()
	answer := i.says("rita", "/colony:status")
	for _, part := range []string{"◔ **`gather`**", "Priority: urgency 3 of 3, importance 1 of 3.", "attempts: 1"} {
		if !strings.Contains(answer, part) {
			t.Errorf("it does not say %q:\n%s", part, answer)
		}
	}
}

// blockers lists what an issue depends on by GitHub's own dependencies.
func (i *issue) blockers() (numbers []int) {
	i.t.Helper()
	request, err := i.as("mona").NewRequest(http.MethodGet, fmt.Sprintf("repos/acme/widgets/issues/%d/dependencies/blocked_by", i.number), nil)
	i.must(err)
	var list []*github.Issue
	_, err = i.as("mona").Do(ctx, request, &list)
	i.must(err)
	for _, b := range list {
		numbers = append(numbers, b.GetNumber())
	}
	return numbers
}

func TestLinksAreMadeAndTakenAway(t *testing.T) {
	t.Parallel()
	w := newWorld(t, colibri)
	first, second, i := w.titled("olivia", "first", "colony:init"), w.titled("olivia", "second", "colony:init"), w.titled("olivia", "third", "colony:init")
	id := i.comment("tara", fmt.Sprintf("/colony:depends-on #%d, acme/Widgets#%d %s/acme/widgets/issues/%d", first.number, second.number, w.url, second.number))
	w.settle()
	i.colonyReacts(id, "+1")
	if got := i.blockers(); !slices.Equal(got, []int{first.number, second.number}) {
		t.Errorf("it depends on %v", got)
	}
	again := i.comment("tara", fmt.Sprintf("/colony:depends-on #%d", first.number))
	w.settle()
	i.colonyReacts(again, "+1")
	off := i.comment("tara", fmt.Sprintf("/colony:independent-of #%d #77", first.number))
	w.settle()
	i.colonyReacts(off, "+1")
	if got := i.blockers(); !slices.Equal(got, []int{second.number}) {
		t.Errorf("it depends on %v", got)
	}
	if events := w.crossReferences(first.number); events != 1 { // of the command itself; GitHub reads people's comments
		t.Errorf("%d cross-references", events)
	}
}

// crossReferences counts where an issue is mentioned, apart from people's own words.
func (w *world) crossReferences(number int) (count int) {
	w.t.Helper()
	lines, _, err := w.as("mona").Issues.ListIssueTimeline(ctx, "acme", "widgets", number, nil)
	w.must(err)
	for _, line := range lines {
		if line.GetEvent() == "cross-referenced" {
			count++
		}
	}
	return count
}

func TestLinksThatAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, colibri)
	w.github.AddRepository("acme", "secret")
	w.must(w.github.SetPrivate("acme", "secret", true))
	w.github.SetPermission("acme", "secret", "mona", "write")
	hidden, _, err := w.as("mona").Issues.Create(ctx, "acme", "secret", &github.IssueRequest{Title: new("hidden")})
	w.must(err)
	i := w.titled("olivia", "one", "colony:init")
	for command, says := range map[string]string{
		"/colony:depends-on":                                                 "it needs an issue",
		"/colony:depends-on the weather":                                     "`the` does not name an issue",
		"/colony:depends-on #999":                                            "There is no issue `#999`",
		"/colony:depends-on https://example.org/a/b/issues/1":                "does not name an issue",
		fmt.Sprintf("/colony:depends-on #%d", i.number):                      "cannot depend on itself",
		fmt.Sprintf("/colony:independent-of #%d", i.number):                  "cannot depend on itself",
		"/colony:depends-on #1 #2 #3 #4 #5 #6 #7 #8 #9 #10 #11":              "at most 10 issues",
		fmt.Sprintf("/colony:depends-on acme/secret#%d", hidden.GetNumber()): "that both Colony and `tara` can read",
	} {
		id := i.comment("tara", command)
		w.settle()
		i.colonyReacts(id, "confused")
		i.colonySays(says)
	}
	id := i.comment("rita", "/colony:depends-on #1")
	w.settle()
	i.colonyReacts(id, "-1")
	id = i.comment("mona", fmt.Sprintf("/colony:depends-on acme/secret#%d", hidden.GetNumber())) // who can read it
	w.settle()
	i.colonyReacts(id, "+1")
	off := i.comment("tara", fmt.Sprintf("/colony:independent-of acme/secret#%d", hidden.GetNumber()))
	w.settle()
	i.colonyReacts(off, "+1")
	if got := i.blockers(); len(got) > 0 {
		t.Errorf("it depends on %v", got)
	}
}

func TestLinksOfACommentCountTogether(t *testing.T) {
	t.Parallel()
	w := newWorld(t, colibri)
	first, i := w.titled("olivia", "first", "colony:init"), w.titled("olivia", "second", "colony:init")
	id := i.comment("tara", fmt.Sprintf("/colony:depends-on #%d\n/colony:nxet", first.number))
	w.settle()
	i.colonyReacts(id, "confused")
	i.colonySays("Did you mean `/colony:next`?", "Colony linked nothing from this comment")
	if got := i.blockers(); len(got) > 0 {
		t.Errorf("it depends on %v", got)
	}
}

func TestLinksDoNotLoop(t *testing.T) {
	t.Parallel()
	for _, lacking := range []bool{false, true} {
		t.Run(fmt.Sprint("without dependencies: ", lacking), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, colibri)
			if lacking {
				w.must(w.github.Lack(playground.IssueDependencies))
			}
			a, b, c := w.titled("olivia", "a", "colony:init"), w.titled("olivia", "b", "colony:init"), w.titled("olivia", "c", "colony:init")
			for _, link := range [][2]*issue{{a, b}, {b, c}} {
				id := link[0].comment("tara", fmt.Sprintf("/colony:depends-on #%d", link[1].number))
				w.settle()
				link[0].colonyReacts(id, "+1")
			}
			id := c.comment("tara", fmt.Sprintf("/colony:depends-on #%d", a.number))
			w.settle()
			c.colonyReacts(id, "confused")
			c.colonySays(fmt.Sprintf("`#%d` already depends on this issue (`#%d` → `#%d` → this one)", a.number, a.number, b.number))
			off := b.comment("tara", fmt.Sprintf("/colony:independent-of #%d", c.number))
			w.settle()
			b.colonyReacts(off, "+1")
			now := c.comment("tara", fmt.Sprintf("/colony:depends-on #%d", a.number))
			w.settle()
			c.colonyReacts(now, "+1")
		})
	}
}

func TestALinkThatGitHubDoesNotTakeIsRecordedAllTheSame(t *testing.T) {
	t.Parallel()
	w := newWorld(t, colibri)
	first, i := w.titled("olivia", "first", "colony:init"), w.titled("olivia", "second", "colony:init")
	w.github.Fault(playground.Fault{
		Kind: playground.FaultStatus, Method: http.MethodPost, Path: regexp.MustCompile(`/dependencies/blocked_by$`), Status: http.StatusUnprocessableEntity,
	})
	id := i.comment("tara", fmt.Sprintf("/colony:depends-on #%d", first.number))
	w.settle()
	i.colonyReacts(id, "+1")
	back := first.comment("tara", fmt.Sprintf("/colony:depends-on #%d", i.number))
	w.settle()
	first.colonyReacts(back, "confused")
	first.colonySays("already depends on this issue")
}

func TestAnEndWithoutAReflectionIsReportedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onDisk(t), colibri)
	i := w.verified()
	i.label("olivia", "colony:done")
	w.settle()
	i.comment("tara", "Reflection: somebody else wrote it")
	i.comment("olivia", "> Reflection: quoted\n\nthanks")
	i.comment("olivia", "```\nReflection: in code\n```")
	i.comment("olivia", "Reflection:")
	w.sweep()
	w.clock.Advance(time.Hour)
	w.sweep()
	i.colonySays("**`olivia` ended this issue in `done`", "Reflection: what came of it, and why")
	for range 2 {
		w.sweep()
	}
	if got := value(w.metrics(), "colony_orphans_total"); got != 1 {
		t.Errorf("%v orphans are counted", got)
	}
	w.stopColony() // what it remembers is gone
	w.start()
	w.sweep()
	i.comment("olivia", "reflection: it went well")
	w.sweep()
}

func TestReflectionsThatCount(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*world, *issue){
		"written before the end": func(w *world, i *issue) {
			i.comment("olivia", "**Reflection:** it was harder than it looked")
			w.settle()
			i.label("olivia", "colony:done")
		},
		"written after the end, over several lines": func(w *world, i *issue) {
			i.label("olivia", "colony:done")
			w.settle()
			i.comment("olivia", "REFLECTION:\n\nall went well")
		},
		"the reason of a command": func(w *world, i *issue) {
			id := i.comment("olivia", "/colony:cancel nobody wants it any more, @everyone")
			w.settle()
			i.colonyReacts(id, "+1")
		},
		"beside the command": func(w *world, i *issue) {
			id := i.comment("olivia", "/colony:move done\nReflection: done at last")
			w.settle()
			i.colonyReacts(id, "+1")
		},
		"what a role's request stands for": func(w *world, i *issue) {
			i.label("verifier[bot]", "colony:cancelled")
			w.settle()
			i.colonySays("verify_permanent_fail")
		},
		"by the bot that ended it": func(w *world, i *issue) {
			i.label("verifier[bot]", "colony:done")
			w.settle()
			i.comment("verifier[bot]", "Reflection: 12 criteria met")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, colibri)
			w.github.AddBot("verifier")
			i := w.verified()
			end(w, i)
			w.sweep()
			w.clock.Advance(2 * time.Hour)
			w.sweep()
		})
	}
}

func TestACommandThatEndsAnIssueWithoutAReasonIsItsWritersEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t, colibri)
	i := w.verified()
	id := i.comment("tara", "/colony:move done")
	w.settle()
	i.colonyReacts(id, "+1")
	i.comment("olivia", "Reflection: I did not end it")
	w.clock.Advance(2 * time.Hour)
	w.sweep()
	i.colonySays("**`tara` ended this issue in `done`")
}

func TestLinksLastLongerThanTheHorizon(t *testing.T) {
	t.Parallel()
	w := newWorld(t, colibri)
	w.must(w.github.Lack(playground.IssueDependencies))
	b := w.titled("olivia", "b", "colony:init")
	a := w.open("olivia", fmt.Sprintf("/colony:depends-on #%d", b.number), "colony:init")
	w.settle()
	a.colonyReacts(0, "+1")
	edited := w.titled("olivia", "edited", "colony:init")
	id := edited.comment("tara", fmt.Sprintf("/colony:depends-on #%d", b.number))
	w.settle()
	edited.colonyReacts(id, "+1")
	w.clock.Advance(100 * time.Hour)
	w.settle()
	_, _, err := w.as("tara").Issues.EditComment(ctx, "acme", "widgets", id, &github.IssueComment{Body: new(fmt.Sprintf("/colony:depends-on #%d\nreally", b.number))})
	w.must(err)
	back := b.comment("tara", fmt.Sprintf("/colony:depends-on #%d", a.number))
	w.settle()
	b.colonyReacts(back, "confused")
	b.colonySays("already depends on this issue")
	free := b.comment("tara", fmt.Sprintf("/colony:depends-on #%d", edited.number)) // what was edited counts no more
	w.settle()
	b.colonyReacts(free, "+1")
}

func TestALinkIsMadeOnceIfColonyStopsBeforeItsReceipt(t *testing.T) {
	t.Parallel()
	w := newWorld(t, colibri)
	first, i := w.titled("olivia", "first", "colony:init"), w.titled("olivia", "second", "colony:init")
	w.github.Fault(playground.Fault{
		Kind: playground.FaultStatus, Method: http.MethodPost, Path: regexp.MustCompile(`/reactions$`), Status: http.StatusBadGateway, Times: 1,
	})
	id := i.comment("tara", fmt.Sprintf("/colony:depends-on #%d", first.number))
	w.settle()
	w.clock.Advance(time.Minute)
	w.settle()
	i.colonyReacts(id, "+1")
	if got := i.blockers(); !slices.Equal(got, []int{first.number}) {
		t.Errorf("it depends on %v", got)
	}
}
