package lifecycle

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/golden"
	"github.com/google/go-cmp/cmp"
)

func whole(t testing.TB) *Lifecycle {
	t.Helper()
	text, err := os.ReadFile("testdata/whole.yml")
	if err != nil {
		t.Fatal(err)
	}
	life, err := Parse("whole.yml", text)
	if err != nil {
		t.Fatal(err)
	}
	return life
}

// What a lifecycle answers about each of its states and moves is listed in a file that a reader can check against testdata/whole.yml.
func TestAnswersOfALifecycle(t *testing.T) {
	life := whole(t)
	life.Dispatch = []Dispatch{{From: []string{"ready"}, To: "work", AtMost: 2}}
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	say("labels begin with %q, names of before: %t, reads conditions: %t, teams %v, back from %v", life.LabelPrefix(), life.HasOtherNames(), life.Guards.Read(), life.Guards.Teams(), life.SideStates())
	say("adopts %v", life.Adopts())
	for _, m := range life.Labels() {
		say("label %s #%s %s", m.Label, m.Color, m.Description)
	}
	for _, place := range life.everywhere() {
		s := place.Name
		say("\n%s: %s, names %q", s, place.Type, life.LabelsOf(s))
		say("  read %v, once closed %v", life.Readings(s, false), life.Readings(s, true))
		for _, t := range life.Triggers.OutOf(s) {
			say("  on %s to %s since %q, sealed %t", t.On, t.To, t.CountsSince(), t.Sealed())
		}
		timeOut, limited := life.TimeOuts.In(s)
		say("  seals %d, of pull requests %t, held by dependencies %t", len(life.Triggers.Seals(s)), life.Triggers.SealHead(s), life.Triggers.Hold(s, "dependency-open", "dependency-early"))
		say("  time-out %t after %s, roles %v, executors act %t", limited, timeOut.After, life.Roles.In(s), life.ExecutorsAct(s))
		say("  for good %t, forced out %t, can wait for a guard %t", life.ForGood(s), life.Forces(s), life.Guards.MayWaitFor(s))
	}
	people, bot := Actor{Login: "ada", Kind: Operator}, Actor{Login: "bob[bot]", Kind: Executor, Roles: []string{"builder"}}
	for _, p := range life.Pairs {
		say("\n%s -> %s: %s, bot %s", p.From, p.To, p.Kind, life.Judge(bot, p.From, p.To))
		say("  by itself %v, makes itself %t, restless %t, forced %t", life.ByItself(p.From, p.To), life.MakesItself(p.From, p.To), life.IsRestless(p.From, p.To), life.MayForce(p.From, p.To))
		for _, l := range life.Limits.Bounding(p.From, p.To) {
			say("  at most %d, then %s", l.AtMost, l.Instead)
		}
		for _, who := range []Actor{people, bot} {
			for _, g := range life.Guards.Of(who, p.From, p.To) {
				say("  %s guard %s", who.Kind, g.Name)
			}
			reading := len(life.Guards.Reading(Asking{By: who, From: p.From, To: p.To}))
			say("  %s: needs reading %t, guards that read %d", who.Kind, reading > 0, reading)
		}
	}
	golden.Hold(t, "testdata/answers.txt", b.String())
}

func TestLabelsOfAnIssue(t *testing.T) {
	life := whole(t)
	there := []string{"IDEA", "w:ready", "bug", "was idea", "w:urgency/2"}
	for want, got := range map[string]string{
		"[IDEA was idea]":        fmt.Sprint(life.OnIssue(there, "idea")),
		"[w:idea idea Was Idea]": fmt.Sprint(life.Leaving(there, "idea")),
		"[w:idea]":               fmt.Sprint(life.Leaving(nil, "idea")),
		"[w:ready]":              fmt.Sprint(life.Leaving(there, "ready")),
		"w:idea":                 life.PresentLabel("Was idea"),
		"bug":                    life.PresentLabel("bug"),
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	for label, want := range map[string]bool{
		"W:Idea": true, "idea": true, "w:urgency/3": true, "w:urgency/4": false, "W:IMPORTANCE/0": true, "urgency/1": false,
		"w:other": false, NeedsHuman: true, Forced: true, Checked: true, "colony:else": false,
	} {
		if got := life.Uses(label); got != want {
			t.Errorf("%s is used: %t", label, got)
		}
	}
	if !LabelBegins("Colony:new", "colony:") || !LabelBegins("colony:", "colony:") || LabelBegins("colony", "colony:") {
		t.Error("the beginnings of labels do not compare as GitHub's do")
	}
}

// The most urgent goes first: by the rows of the priority, then the oldest, then the lowest number.
func TestTheOrderOfWaitingIssues(t *testing.T) {
	life := whole(t)
	candidates := []Candidate{
		{Number: 1, Labels: []string{"w:importance/2"}},
		{Number: 5, Labels: []string{"w:urgency/2"}},
		{Number: 4, Labels: []string{"w:urgency/3", "w:importance/0"}},
		{Number: 3, Labels: []string{"w:urgency/2", "w:importance/1"}},
		{Number: 2, Labels: []string{"w:urgency/1", "w:importance/2"}},
	}
	candidates[0].Created = candidates[4].Created.Add(1)
	candidates[3].Created = candidates[0].Created.Add(1)
	life.Order(candidates)
	var order []int
	for _, c := range candidates {
		order = append(order, c.Number)
	}
	if diff := cmp.Diff([]int{3, 4, 5, 2, 1}, order); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for labels, want := range map[string]int{"": 2, "w:urgency/2": 1, "w:urgency/3 w:importance/1": 0, "w:importance/2": 2} {
		if got := life.Rank(strings.Fields(labels)); got != want {
			t.Errorf("%q has rank %d, want %d", labels, got, want)
		}
	}
	life.Priority = append(life.Priority, []string{"other"})
	if got := life.Rank(nil); got != 3 {
		t.Errorf("a scale that there is not is high: rank %d", got)
	}
}

func TestGuardsConcernWhatTheyName(t *testing.T) {
	life := whole(t)
	person, author := Actor{Kind: Operator}, Actor{Kind: Author}
	bot := func(roles ...string) Actor { return Actor{Kind: Executor, Roles: roles} }
	for _, row := range []struct {
		guard string
		ask   Asking
		want  bool
	}{
		{"leads", Asking{By: person, From: "idea", To: "ready"}, true},
		{"leads", Asking{By: author, From: "idea", To: "ready"}, true},
		{"leads", Asking{By: person, From: "stuck", To: "ready"}, false},
		{"leads", Asking{By: person, From: "idea", To: "work"}, false},
		{"builders", Asking{By: bot("builder"), From: "work", To: "done"}, true},
		{"builders", Asking{By: bot("thinker", "builder"), From: "work", To: "done"}, true},
		{"builders", Asking{By: bot("thinker"), From: "work", To: "done"}, false},
		{"builders", Asking{By: bot(), From: "work", To: "done"}, true},
		{"builders", Asking{By: person, From: "work", To: "done"}, false},
		{"typed", Asking{By: person, From: "idea", To: "dropped", Command: "drop"}, true},
		{"typed", Asking{By: person, From: "idea", To: "dropped", Command: "move"}, false},
		{"typed", Asking{By: person, From: "idea", To: "dropped"}, false},
		{"typed", Asking{By: bot("builder"), From: "idea", To: "dropped", Command: "drop"}, false},
	} {
		i := slices.IndexFunc(life.Guards, func(g Guard) bool { return g.Name == row.guard })
		if got := life.Guards[i].Concerns(row.ask); got != row.want {
			t.Errorf("%s concerns %+v: %t", row.guard, row.ask, got)
		}
	}
	if got := life.Guards.Of(Actor{Kind: Colony}, "idea", "ready"); got != nil {
		t.Errorf("Colony is held to %v", got)
	}
}

func TestModes(t *testing.T) {
	for mode, want := range map[Mode]string{
		"": "known false, reads true, writes true, undoes true", ModeOff: "known true, reads false, writes false, undoes false",
		ModeObserve: "known true, reads true, writes false, undoes false", ModeWarn: "known true, reads true, writes true, undoes false",
		ModeEnforce: "known true, reads true, writes true, undoes true",
	} {
		if got := fmt.Sprintf("known %t, reads %t, writes %t, undoes %t", mode.Known(), mode.Reads(), mode.Writes(), mode.Undoes()); got != want {
			t.Errorf("%q: %s, want %s", mode, got, want)
		}
	}
	for i, mode := range Modes {
		for k, ceiling := range Modes {
			if got, want := mode.AtMost(ceiling), Modes[min(i, k)]; got != want {
				t.Errorf("%s at most %s is %s", mode, ceiling, got)
			}
		}
		if got := mode.AtMost(""); got != mode {
			t.Errorf("%s without a ceiling is %s", mode, got)
		}
	}
}

func TestAnswers(t *testing.T) {
	for _, a := range []Answer{Yes, No, Unknown, Unasked} {
		opposite := map[Answer]Answer{Yes: No, No: Yes, Unknown: Unknown, Unasked: Unasked}[a]
		if a.Not() != opposite || a.IsOpen() != (a == Unknown || a == Unasked) {
			t.Errorf("%q: not %q, open %t", a, a.Not(), a.IsOpen())
		}
	}
	if AnswerOf(true) != Yes || AnswerOf(false) != No {
		t.Error("what holds is no answer")
	}
}

// The vocabularies of facts and conditions, as documents list them.
func TestVocabularies(t *testing.T) {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	say("kinds %v\nreadings %v\nverbs %v", Kinds(), EveryReading(), BuiltInVerbs())
	for _, s := range FactSpecs() {
		say("fact %s: needs %s, once %t, since %q, by %q, sealed %t, own %t, open %t, closed %t, implies %v", s.Fact, s.Needs, s.Once(), s.Since, s.Fact.By(), s.Sealed, s.Own, s.On.Has(false), s.On.Has(true), implied(s.Fact)[1:])
	}
	for _, s := range Replies() {
		say("reply %s", s.Fact)
	}
	for _, k := range ConditionKinds() {
		c := Condition{Kind: k.Kind, Words: []string{"a", "b"}, AtMost: 3, For: 90 * 60e9}
		say("condition %s, read %t: %s / %s", c, c.Read(), k.Says, k.Denies)
	}
	say("to know %v", ReadingsOf([]string{"checks-passed", "checks-failed", "nothing", "author-replied"}))
	eachSetting(Shape(), "", func(path string, f Facet) {
		say("setting %s: needed %t, one of %v, none of %v, pattern %q, longest %d, most %d, %d to %d, once %t, digits %t", path, f.Needed, f.OneOf, f.NoneOf, f.Pattern, f.Longest, f.Most, f.From, f.To, f.Once, f.Digits)
	})
	golden.Hold(t, "testdata/vocabularies.txt", b.String())
}

// eachSetting yields the settings of a type, each before those below it.
func eachSetting(shape reflect.Type, above string, yield func(path string, f Facet)) {
	for shape.Kind() == reflect.Pointer || shape.Kind() == reflect.Slice {
		shape = shape.Elem()
	}
	switch shape = Written(shape); shape.Kind() {
	case reflect.Map:
		yield(above+"*", Described().More[above+"*"])
	case reflect.Struct:
		for _, field := range reflect.VisibleFields(shape) {
			if name := SettingOf(field); name != "" {
				yield(above+name, Described().Of(field, above+name))
				eachSetting(field.Type, above+name+".", yield)
			}
		}
	}
}

func TestWhatForceSays(t *testing.T) {
	code := func(word string) string { return "`" + word + "`" }
	for want, f := range map[string]Force{
		"Maintainers can move an issue round the table with /force, to any state.":                           {},
		"People with `write` access or more can move an issue round the table with /force, to `ready`, `b`.": {By: "write", Into: []string{"ready", "b"}},
		"There is no /force: nobody goes round the table.":                                                   {Off: true},
	} {
		if got := f.Says("/force", code); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Which moves Colony makes by itself: for a fact, after a time, because of a limit, or when there is room. A limit that only counts moves nothing.
func TestWhatColonyMovesByItself(t *testing.T) {
	life := whole(t)
	itself := func() string {
		var moves []string
		for _, p := range life.Pairs {
			if life.MakesItself(p.From, p.To) {
				moves = append(moves, p.From+">"+p.To)
			}
		}
		return strings.Join(moves, " ")
	}
	if got, want := itself(), "idea>stuck ready>idea ready>stuck ready>done work>stuck work>done"; got != want {
		t.Errorf("by itself it makes %s, want %s", got, want)
	}
	life.Dispatch = []Dispatch{{From: []string{"ready"}, To: "work", AtMost: 1}}
	if got, want := itself(), "idea>stuck ready>idea ready>work ready>stuck ready>done work>stuck work>done"; got != want {
		t.Errorf("with room it makes %s, want %s", got, want)
	}
	life.Dispatch, life.Triggers, life.TimeOuts = nil, nil, nil
	if got, want := itself(), "ready>stuck"; got != want {
		t.Errorf("with limits alone it makes %s, want %s", got, want)
	}
	if life.Limits[0].AtMost = 1; itself() != "ready>stuck" || len(life.Limits.Bounding("ready", "work")) != 1 || life.LimitMisfit("attempts", 2) != "" {
		t.Error("a limit of one is none")
	}
	if life.Limits[0].AtMost = 0; itself() != "" || len(life.Limits.Bounding("ready", "work")) != 0 {
		t.Error("a limit that only counts moves an issue")
	}
}

// A guard needs a reading if any of its conditions does, wherever that stands.
func TestAGuardReadsWhatTheLogDoesNotTell(t *testing.T) {
	log, read := Condition{Kind: IsWho, Words: []string{TheAuthor}}, Condition{Kind: OnIssueLabel, Words: []string{"bug"}}
	for name, row := range map[string]struct {
		guard Guard
		want  bool
	}{
		"nothing":             {Guard{}, false},
		"the log alone":       {Guard{Requires: []Condition{log}, Forbids: []Condition{log}, Unless: []Exception{{Condition: log}}}, false},
		"required":            {Guard{Requires: []Condition{log, read}, Forbids: []Condition{log}}, true},
		"forbidden":           {Guard{Requires: []Condition{log}, Forbids: []Condition{read}}, true},
		"an exception":        {Guard{Requires: []Condition{log}, Unless: []Exception{{Condition: read}}}, true},
		"an exception, alone": {Guard{Unless: []Exception{{Condition: log}, {Condition: read}}}, true},
	} {
		if got := row.guard.Reads(); got != row.want || (Guards{{}, row.guard}).Read() != row.want {
			t.Errorf("%s: reads %t", name, got)
		}
	}
}

// Two conditions ask the same if they are of one kind and name the same.
func TestConditionsThatAskTheSame(t *testing.T) {
	all := []Condition{
		{Kind: HasLogin, Words: []string{"ada"}},
		{Kind: HasLogin, Words: []string{"bob"}},
		{Kind: InTeam, Words: []string{"ada"}},
		{Kind: CapacityAllowed, AtMost: 2},
		{Kind: CapacityAllowed, AtMost: 3},
		{Kind: InStateFor, For: 2},
		{Kind: InStateFor, For: 3},
	}
	for i, c := range all {
		for k, other := range all {
			if c.Same(other) != (i == k) {
				t.Errorf("%v and %v ask the same: %t", c, other, c.Same(other))
			}
		}
	}
}

// Colony provisions the labels of states and scales and its marks, and the mark of a granted move only where a guard reads something.
func TestWhichMarksALifecycleNeeds(t *testing.T) {
	for life, want := range map[*Lifecycle]bool{whole(t): true, shipped(t, "prp"): false} {
		labels := life.Labels()
		has := func(label string) bool {
			return slices.ContainsFunc(labels, func(m Mark) bool { return m.Label == label })
		}
		if has(Checked) != want || !has(NeedsHuman) || !has(Forced) {
			t.Errorf("%s has the labels %v", life.Name, labels)
		}
	}
	if got, want := strings.Join(whole(t).StateNames(), " "), "idea ready work stuck done dropped"; got != want {
		t.Errorf("the states are %s, want %s", got, want)
	}
}

// A configuration can let a role ask for more moves of the table, and so for work in more states.
func TestAWidenedRoleActsInMoreStates(t *testing.T) {
	life := whole(t)
	widened, err := life.Widen("thinker", "stuck", "dropped")
	if err != nil {
		t.Fatal(err)
	}
	thinker := Actor{Kind: Executor, Roles: []string{"thinker"}}
	for _, row := range []struct {
		life *Lifecycle
		in   string
		may  Verdict
	}{{life, "[]", NotForRole}, {widened, "[thinker]", Legal}} {
		if in, may := fmt.Sprint(row.life.Roles.In("stuck")), row.life.Judge(thinker, "stuck", "dropped"); in != row.in || may != row.may {
			t.Errorf("%s act in stuck, and may leave it: %s", in, may)
		}
		if in, may := fmt.Sprint(row.life.Roles.In("done")), row.life.Judge(thinker, "stuck", "idea"); in != "[]" || may != NotForRole {
			t.Errorf("%s act in done, and may resume: %s", in, may)
		}
	}
	for _, c := range []struct{ role, from, to, want string }{
		{"thinker", "done", "idea", "not in the table"}, {"painter", "stuck", "idea", "no such role"},
	} {
		if _, err := life.Widen(c.role, c.from, c.to); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// Where a move needs a written reason, a role's request can stand for one: as the file says, and only from where the role works.
func TestWhatARequestStandsFor(t *testing.T) {
	life := shipped(t, "colibri") // the verifier's request for cancelled stands for verify_permanent_fail
	person, bot := Actor{Login: "ada", Kind: Operator}, Actor{Kind: Executor}
	verifier, planner := Actor{Kind: Executor, Roles: []string{"verifier"}}, Actor{Kind: Executor, Roles: []string{"planner"}}
	for _, row := range []struct {
		who      Actor
		from, to string
		want     string
	}{
		{verifier, "verify", "cancelled", "verify_permanent_fail"},
		{bot, "verify", "cancelled", "verify_permanent_fail"}, // any role is its role
		{planner, "verify", "cancelled", ""},
		{person, "verify", "cancelled", ""},
		{verifier, "plan", "cancelled", ""},
		{verifier, "verify", "done", ""},
		{verifier, "verify", "init", ""}, // not in the table
	} {
		if got := life.StandsFor(row.who, row.from, row.to); got != row.want {
			t.Errorf("%v, %s -> %s stands for %q, want %q", row.who, row.from, row.to, got, row.want)
		}
		if got := life.ReasonOf(row.who, row.from, row.to); got != row.want {
			t.Errorf("%v, %s -> %s has the reason %q, want %q", row.who, row.from, row.to, got, row.want)
		}
	}
	life.Roles = slices.Clone(life.Roles)
	for i := range life.Roles {
		life.Roles[i].Reasons = map[string]string{"done": "all_good"}
	}
	if got, asked := life.StandsFor(verifier, "verify", "done"), life.ReasonOf(verifier, "verify", "done"); got != "" || asked != "all_good" {
		t.Errorf("a move that needs no reason stands for %q; its reason is %q", got, asked)
	}
}

// The table's answer to a move that is none: an issue that is there already has nothing to do, unless the table has a round
// for who asks.
func TestAMoveToWhereTheIssueIs(t *testing.T) {
	for _, row := range []struct {
		life, state string
		who         ActorKind
		want        Verdict
	}{
		{"autoralph", "queued", Operator, Same},
		{"autoralph", "refining", Operator, Legal},
		{"autoralph", "refining", Executor, Same},
		{"colony", "done", Operator, Same},
		{"colony", "nowhere", Operator, NotAState},
	} {
		if got := shipped(t, row.life).Judge(Actor{Kind: row.who}, row.state, row.state); got != row.want {
			t.Errorf("%s, %s, %s: %s, want %s", row.life, row.state, row.who, got, row.want)
		}
	}
}

// States that a command or a move leaves only to return to where the issue was.
func TestSideStates(t *testing.T) {
	life := whole(t)
	if got := fmt.Sprint(life.SideStates()); got != "[stuck]" {
		t.Errorf("by a command and by moves: %s", got)
	}
	pairs := life.Pairs
	if life.Pairs = nil; fmt.Sprint(life.SideStates()) != "[stuck]" {
		t.Errorf("by a command alone: %s", life.SideStates())
	}
	life.Pairs = pairs
	if life.Commands = nil; fmt.Sprint(life.SideStates()) != "[stuck]" {
		t.Errorf("by moves alone: %s", life.SideStates())
	}
}

func TestLengthsThatDoNotFitATimeOut(t *testing.T) {
	life := whole(t)
	for _, row := range []struct {
		state  string
		length time.Duration
		want   string
	}{
		{"work", time.Hour, ""},
		{"idea", minTimeOut, ""},
		{"idea", maxTimeOut, ""},
		{"work", minTimeOut - 1, "is not from"},
		{"work", maxTimeOut + 1, "is not from"},
		{"done", time.Hour, `lifecycle whole has no time-out in "done"; there are: "idea", "work"`},
		{"wrk", time.Hour, `lifecycle whole has no time-out in "wrk"; there are: "idea", "work": did you mean "work"?`},
	} {
		got := life.TimeOutMisfit(row.state, row.length)
		if got != row.want && (row.want != "is not from" || !strings.Contains(got, row.want)) {
			t.Errorf("%s in %s: %q, want %q", row.length, row.state, got, row.want)
		}
	}
}
