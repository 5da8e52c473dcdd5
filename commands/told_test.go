package commands_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// `status` shows the capacities that have to do with the state of the issue, and its place in line; `next` shows all.
func TestCapacitiesThatAreShown(t *testing.T) {
	waits := func(numbers ...int) (all []lifecycle.Candidate) {
		for _, n := range numbers {
			all = append(all, lifecycle.Candidate{Number: n, State: "ready-for-dev"})
		}
		return all
	}
	develop := commands.Capacity{Dispatch: lifecycle.Dispatch{From: []string{"ready-for-dev", "changes-requested"}, To: "in-development", AtMost: 3}, There: 2, Waiting: waits(8, 12, 9)}
	analyze := commands.Capacity{Dispatch: lifecycle.Dispatch{From: []string{"new"}, To: "analyzing", AtMost: 1}, There: 1}
	const line, first = "this issue is 2nd of 3 in line", "`in-development` holds 2 of at most 3 issues; "
	const second = "`analyzing` holds 1 of at most 1 issue; no issue waits for it."
	for state, want := range map[string][]string{
		"ready-for-dev": {first + line}, "changes-requested": {first + line}, "in-development": {first + line}, "new": {second}, "analyzing": {second}, "in-review": nil,
	} {
		env := commands.Env{Lifecycle: colonyLifecycle(t), Standing: trail(state), Now: second50, Home: here, Capacities: []commands.Capacity{develop, analyze}}
		r := commands.Run(env, triager, commands.Parse("/colony:status\n/colony:next"))
		for _, sentence := range []string{first + line, second} {
			if got := strings.Contains(r.Replies[0], sentence); got != slices.Contains(want, sentence) {
				t.Errorf("in %s: %q is shown: %v\n%s", state, sentence, got, r.Replies[0])
			}
		}
		for _, sentence := range []string{first + "3 wait for it.", second} {
			if !strings.Contains(r.Replies[1], sentence) {
				t.Errorf("%q is not in\n%s", sentence, r.Replies[1])
			}
		}
	}
}

var second50 = second(50)

// `status` counts what is limited, and tells of failures that repeat, of blockers, of levels, and of why Colony moved the issue.
func TestWhatStatusTells(t *testing.T) {
	life := colonyLifecycle(t)
	automatic := func(to string) statemachine.Move { return statemachine.Move{To: to, By: colony} }
	failed := func(times int) statemachine.Standing {
		s := trail("in-development")
		for i := range times {
			at := second(2*i + 1)
			s = s.Move(statemachine.Move{From: s.State, To: "failure-blocked", Kind: statemachine.BadRequest, By: anyBot.Actor, Moment: statemachine.Moment{At: at, ID: int64(2*i + 1)}})
			s.Rejections = append(s.Rejections, statemachine.Rejection{
				IDs: []int64{int64(2*i + 1)}, By: anyBot.Actor, Moment: statemachine.Moment{At: at, ID: int64(2*i + 1)}, From: "in-development", To: "done", Ruling: statemachine.Ruling{Verdict: lifecycle.NotForRole, LedTo: "failure-blocked"},
			})
			s = s.Move(statemachine.Move{From: "failure-blocked", To: "in-development", Kind: statemachine.Moved, By: operator, Moment: statemachine.Moment{At: second(2*i + 2), ID: int64(2*i + 2)}})
		}
		return s
	}
	for name, c := range map[string]struct {
		env       commands.Env
		text      string
		says, not []string
	}{
		"counts":            {commands.Env{Standing: reviewed(2)}, "/colony:status", []string{"review cycles: 2 of at most 5; development attempts: 2 of at most 10."}, nil},
		"no counts":         {commands.Env{Standing: trail("in-review", byOlivia("changes-requested"))}, "/colony:status", nil, []string{"Since a person last stepped in"}},
		"failed twice":      {commands.Env{Standing: failed(2)}, "/colony:status", []string{"a bot asked 2 times for `in-development` → `done`"}, nil},
		"failed once":       {commands.Env{Standing: failed(1)}, "/colony:status", nil, []string{"Identical failures"}},
		"a reason":          {commands.Env{Standing: trail("new", automatic("analyzing")), Reasons: map[int64]commands.Reason{1: {Why: "It was edited"}}}, "/colony:status", []string{"It was edited"}, []string{"It was edited ("}},
		"a reason, a cause": {commands.Env{Standing: trail("new", automatic("analyzing")), Reasons: map[int64]commands.Reason{1: {Why: "It was edited", About: "by ada"}}}, "/colony:history", []string{"It was edited (by ada)"}, nil},
		"its own reason": {
			commands.Env{Standing: trail("new", statemachine.Move{To: "analyzing", By: colony, Reason: "worked"}), Reasons: map[int64]commands.Reason{1: {Why: "It was edited"}}},
			"/colony:history",
			[]string{"worked"},
			[]string{"It was edited"},
		},
		"a command's reason": {
			commands.Env{
				Standing: trail("new", automatic("analyzing")), Reasons: map[int64]commands.Reason{1: {Why: "It was edited"}},
				Attributions: map[int64]commands.MoveAttribution{1: {By: triager.Actor, Verb: "move", Reason: "it is time"}},
			},
			"/colony:history",
			[]string{"by `tara` with `/colony:move`: it is time"},
			[]string{"It was edited"},
		},
		"a command's bad request": {
			commands.Env{Standing: trail("in-review", automatic("failure-blocked")), Attributions: map[int64]commands.MoveAttribution{1: {By: anyBot.Actor, Verb: "move", Led: statemachine.BadRequest}}},
			"/colony:history",
			[]string{"by `dev[bot]` with `/colony:move` (asked for a move that is not allowed)"},
			nil,
		},
		"for whom Colony moved it": {
			commands.Env{Standing: trail("new", statemachine.Move{To: "analyzing", By: colony, Ordered: triager.Actor})}, "/colony:history", []string{"by `tara`"}, []string{"`colony"},
		},
		"blockers":                   {commands.Env{Standing: trail("dependency-blocked"), Blockers: []statemachine.Blocker{{What: "an open dependency", Names: "#7"}}}, "/colony:status", []string{"an open dependency, `#7`"}, nil},
		"blockers, of another state": {commands.Env{Standing: trail("dependency-blocked"), Blockers: []statemachine.Blocker{{What: "an open dependency", Names: "#7"}}}, "/colony:move ready-for-dev\n/colony:status", []string{"**`ready-for-dev`**"}, []string{"an open dependency"}},
		"stopped":                    {commands.Env{Standing: trail("new"), Halted: true}, "/colony:status", []string{"undoes no label changes here"}, nil},
		"how long it may stay":       {commands.Env{Standing: trail("new", byOlivia("in-development"))}, "/colony:status", []string{"It may stay here until"}, nil},
		"one move":                   {commands.Env{Standing: trail("new", byOlivia("analyzing"))}, "/colony:status", []string{"The last 1 move<"}, []string{"older"}},
	} {
		c.env.Lifecycle, c.env.Now, c.env.Home = life, second50, here
		r := commands.Run(c.env, triager, commands.Parse(c.text))
		said := strings.Join(r.Replies, "\n")
		for _, words := range c.says {
			if !strings.Contains(said, words) {
				t.Errorf("%s: %q is not in\n%s", name, words, said)
			}
		}
		for _, words := range c.not {
			if strings.Contains(said, words) {
				t.Errorf("%s: %q is in\n%s", name, words, said)
			}
		}
	}
	levels := commands.Env{Lifecycle: lifecycleNamed(t, "colibri"), Standing: trail("init"), Now: second50, Labels: []string{"colony:urgency/2"}}
	if said := commands.Run(levels, triager, commands.Parse("/colony:status")).Replies[0]; !strings.Contains(said, "Priority: urgency 2 of 3, importance 0 of 3.") {
		t.Errorf("levels:\n%s", said)
	}
}

// `why` without a state, and about the present one, tells what moves the issue on.
func TestWhyHere(t *testing.T) {
	life := colonyLifecycle(t)
	for _, text := range []string{"/colony:why", "/colony:why in-review"} {
		r := run(life, trail("in-review"), triager, text)
		if said := strings.Join(r.Replies, ""); !strings.Contains(said, "A bot in the role `reviewer`") || r.Answer != commands.Accepted {
			t.Errorf("%s: answer %d\n%s", text, r.Answer, said)
		}
	}
}

// `next` lists ten issues, says how many are left, and names what each depends on.
func TestNextIsCut(t *testing.T) {
	for waiting, want := range map[int]string{10: "", 11: "1 more waits.", 13: "3 more wait."} {
		var all []lifecycle.Candidate
		for n := range waiting {
			all = append(all, lifecycle.Candidate{Number: n + 1, Title: "x", State: "ready-for-dev", Created: second(n)})
		}
		all[2].Blocked = 2
		env := commands.Env{Lifecycle: colonyLifecycle(t), Standing: trail("new"), Now: second50, Waiting: commands.Waiting{Candidates: all}}
		said := commands.Run(env, triager, commands.Parse("/colony:next")).Replies[0]
		if rows := strings.Count(said, "\n1. "); rows != 10 || !strings.Contains(said, want) || want == "" && strings.Contains(said, "more wait") || strings.Contains(said, "read only") {
			t.Errorf("of %d, %d are listed:\n%s", waiting, rows, said)
		}
		if !strings.Contains(said, "depends on 2 open issues") || strings.Count(said, "depends on") != 1 {
			t.Errorf("what it depends on:\n%s", said)
		}
	}
}

func TestAsks(t *testing.T) {
	invocations := commands.Parse("/colony:status\n/colony:next")
	if !commands.Asks(commands.Next, invocations) || !commands.Asks(commands.Status, invocations) || commands.Asks(commands.History, invocations) || commands.Asks(commands.Next, nil) {
		t.Error("a verb is not found, or one that is not there")
	}
}

// What some commands name is looked up once; what they are refused for is not.
func TestNamed(t *testing.T) {
	five, six := to("acme", "widgets", 5), to("acme", "widgets", 6)
	ten := "/colony:depends-on #21 #22 #23 #24 #25 #26 #27 #28 #29 #30"
	for text, want := range map[string][]commands.Link{
		"/colony:status #5":                                                    {},
		"/colony:depends-on #5 #6":                                             {{To: five, On: true}, {To: six, On: true}},
		"/colony:independent-of #5":                                            {{To: five}},
		"/colony:depends-on #5\n/colony:independent-of #5":                     {{To: five, On: true}},
		"/colony:independent-of #5\n/colony:depends-on #5":                     {{To: five, On: true}},
		"/colony:independent-of #5\n/colony:status\n/colony:independent-of #6": {{To: five}, {To: six}},
		"/colony:depends-on #5 nonsense\n/colony:depends-on #6":                {{To: six, On: true}},
		ten + " #31\n/colony:depends-on #6":                                    {{To: six, On: true}},
	} {
		got := here.Named(commands.Parse(text))
		if diff := cmp.Diff(want, append([]commands.Link{}, got...)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
	if got := here.Named(commands.Parse(ten)); len(got) != commands.MaxReferences {
		t.Errorf("of the most that a command can name, %v", got)
	}
	env := commands.Env{Lifecycle: colonyLifecycle(t), Standing: trail("new"), Now: second50, Home: here}
	if r := commands.Run(env, triager, commands.Parse("/colony:independent-of #21 #22 #23 #24 #25 #26 #27 #28 #29 #30")); len(r.Links) != commands.MaxReferences || r.Answer != commands.Accepted {
		t.Errorf("the most that a command can name: answer %d, %v", r.Answer, r.Links)
	}
	if r := commands.Run(env, triager, commands.Parse("/colony:independent-of #5 #12")); len(r.Links) > 0 || !strings.Contains(strings.Join(r.Replies, ""), "An issue cannot depend on itself") {
		t.Errorf("independent of itself: %v, %q", r.Links, r.Replies)
	}
	for text, want := range map[string]bool{"/colony:depends-on #5": true, "/colony:independent-of #5": true, "/colony:status #5": false} {
		if commands.Parse(text)[0].Links() != want {
			t.Errorf("%s links: %v", text, !want)
		}
	}
}

// When an issue was last said to be independent of another is kept: the latest time counts, in whatever order comments come.
func TestWhenAnIssueWasSaidToBeIndependent(t *testing.T) {
	early, late := second(1), second(2)
	for name, c := range map[string]struct {
		comments []string
		at       []time.Time
		want     time.Time
	}{
		"never":             {[]string{"/colony:depends-on #5"}, []time.Time{late}, time.Time{}},
		"once":              {[]string{"/colony:independent-of #5"}, []time.Time{early}, early},
		"twice":             {[]string{"/colony:independent-of #5", "/colony:independent-of #6"}, []time.Time{early, late}, late},
		"the later first":   {[]string{"/colony:independent-of #5", "/colony:independent-of #6"}, []time.Time{late, early}, late},
		"then depends on":   {[]string{"/colony:independent-of #5", "/colony:depends-on #5"}, []time.Time{early, late}, early},
		"among other words": {[]string{"/colony:status\n/colony:independent-of #5"}, []time.Time{early}, early},
	} {
		var links commands.Links
		for i, comment := range c.comments {
			links = links.Then(here, commands.Parse(comment), c.at[i])
		}
		if !links.OffAt.Equal(c.want) {
			t.Errorf("%s: %v, want %v", name, links.OffAt, c.want)
		}
	}
	links := commands.Links{}.Then(here, commands.Parse("/colony:depends-on #5"), late).Then(here, commands.Parse("/colony:depends-on #6"), early)
	if !links.OnAt.Equal(late) {
		t.Errorf("last said to depend on an issue at %v, want %v", links.OnAt, late)
	}
}

func TestClosesIn(t *testing.T) {
	for name, c := range map[string]struct {
		texts []string
		want  []int
	}{
		"none":                  {nil, nil},
		"one":                   {[]string{"Fixes #3"}, []int{3}},
		"each once":             {[]string{"Fixes #3, closes #4", "resolves acme/widgets#3"}, []int{3, 4}},
		"in any case":           {[]string{"fixes ACME/Widgets#3"}, []int{3}},
		"not of another place":  {[]string{"Fixes acme/gears#3, fixes other/widgets#4, fixes #5"}, []int{5}},
		"by its address":        {[]string{"Closes https://github.com/acme/widgets/issues/6"}, []int{6}},
		"without the word":      {[]string{"See #3"}, nil},
		"without a sign":        {[]string{"fixes 3"}, nil},
		"in code, or addresses": {[]string{"`fixes #3` [fixes #4](x) <code>fixes #5</code> fixes #6"}, []int{6}},
		"below nested code":     {[]string{"<code><code>fixes #3</code> fixes #4</code> fixes #5"}, []int{5}},
		"in an automatic link":  {[]string{"fixes <https://github.com/acme/widgets/issues/6>, <code>fixes <https://github.com/acme/widgets/issues/7></code>"}, []int{6}},
		"in an open bracket":    {[]string{"fixes [#3, fixes #4"}, []int{4}},
		"over lines":            {[]string{"fixes\n#3 and fixes  \n#4"}, []int{3, 4}},
		"the longest text":      {[]string{"fixes #3" + strings.Repeat(" ", commands.MaxBody-len("fixes #3"))}, []int{3}},
		"a longer one":          {[]string{"fixes #3" + strings.Repeat(" ", commands.MaxBody-len("fixes #3")+1)}, nil},
		"too many links":        {[]string{"fixes #3 " + strings.Repeat("[", 1001)}, nil},
	} {
		if got := commands.ClosesIn("acme", "widgets", c.texts...); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
