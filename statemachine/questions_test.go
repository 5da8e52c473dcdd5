package statemachine

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/lifecycle"
)

// standing is where a log leaves an issue of a shipped lifecycle.
func standing(t *testing.T, life *Table, log ...string) Standing {
	t.Helper()
	return life.Fold(traced(changes(t, log...)))
}

// A command that names no state leads back to where the issue came from, or to where the lifecycle says instead: docs/lifecycle-format.md,
// Commands.
func TestWhereACommandLeads(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, life, verb string
		log              []string
		want             string // empty: nowhere
	}{
		{"to its state", "colony", "pause", []string{"olga +in-review"}, "paused"},
		{"back", "colony", "resume", []string{"olga +in-review", "olga +paused"}, "in-review"},
		{"a block during a pause does not hide from where it came", "autoralph", "resume", []string{"olga +queued", "olga +refining", "olga +paused"}, "refining"},
		{"back, where the table leads", "colony", "retry", []string{"olga +analyzing", "olga +failure-blocked"}, "analyzing"},
		{"instead of development to its queue", "colony", "retry", []string{"olga +in-development", "olga +failure-blocked"}, "ready-for-dev"},
		{"otherwise to the queue, where the table has no way back", "colony", "retry", []string{"olga +failure-blocked"}, "ready-for-dev"},
		{"otherwise to the queue, where the log does not tell", "colony", "retry", []string{"olga -failure-blocked"}, "ready-for-dev"},
		{"nowhere, where the log does not tell", "colony", "resume", []string{"olga -paused"}, ""},
		{"nowhere, where nothing leads back", "colony", "resume", []string{"olga +new"}, ""},
	} {
		life := lifeOf(t, c.life)
		at := slices.IndexFunc(life.Commands, func(command lifecycle.Command) bool { return command.Verb == c.verb })
		to, ok := life.Leads(life.Commands[at], standing(t, life, c.log...))
		if to != c.want || ok != (c.want != "") {
			t.Errorf("%s: %s leads to %q, %t, want %q", c.name, c.verb, to, ok, c.want)
		}
	}
}

// The last decision about the work is a person's move, by label or by a command, that is no pause, block or way back: docs/lifecycle-format.md,
// Facts.
func TestLastDecisionAboutTheWork(t *testing.T) {
	t.Parallel()
	life := colony(t)
	for _, c := range []struct {
		name string
		log  []string
		want time.Duration // since the morning; 0: there is none
	}{
		{"nobody moved it", nil, 0},
		{"by label", []string{"olga +analyzing @1h"}, time.Hour},
		{"by a command", []string{"olga +analyzing @1h", "for-olga +ready-for-dev @2h"}, 2 * time.Hour},
		{"no bot's", []string{"olga +analyzing @1h", "bot +ready-for-dev @2h", "for-bot +in-development @3h"}, time.Hour},
		{"none of Colony's own", []string{"olga +in-development @1h", "colony +dependency-blocked @2h"}, time.Hour},
		{"a forced move", []string{"olga +done @1h", "colony +colony:forced @2h", "colony +new @2h"}, 2 * time.Hour},
		{"a forced pause", []string{"olga +done @1h", "colony +colony:forced @2h", "colony +paused @2h"}, 2 * time.Hour},
		{"no pause", []string{"olga +analyzing @1h", "olga +paused @2h"}, time.Hour},
		{"and no way back from it", []string{"olga +analyzing @1h", "olga +paused @2h", "olga -analyzing @2h", "omar +analyzing @3h"}, time.Hour},
		{"but another way out of it", []string{"olga +analyzing @1h", "olga +paused @2h", "olga -analyzing @2h", "omar +planning @3h"}, 3 * time.Hour},
		{"but what a retry would do instead is one", []string{"olga +in-development @1h", "olga +paused @2h", "olga -in-development @2h", "omar +ready-for-dev @3h"}, 3 * time.Hour},
		{"a resume to who knows where", []string{"bot -paused @1h", "olga +in-review @2h"}, 0},
		{"but another move from there", []string{"bot -failure-blocked @1h", "olga +done @2h"}, 2 * time.Hour},
		{"no block", []string{"olga +in-development @1h", "omar +failure-blocked @2h"}, time.Hour},
		{"and no retry, where it leads instead", []string{"olga +in-development @1h", "dev +failure-blocked @2h", "olga +ready-for-dev @3h"}, time.Hour},
		{"but that where it leads back", []string{"olga +in-review @1h", "rev +failure-blocked @2h", "olga +ready-for-dev @3h"}, 3 * time.Hour},
		{"no retry to where it leads otherwise", []string{"olga +failure-blocked @2h", "olga +ready-for-dev @3h"}, 0},
	} {
		got := life.LastDecision(standing(t, life, c.log...), morning.Add(24*time.Hour))
		if c.want == 0 && !got.IsZero() || c.want > 0 && !got.Equal(morning.Add(c.want)) {
			t.Errorf("%s: the last decision is of %s, want %s", c.name, got, c.want)
		}
	}
	twice := standing(t, life, "olga +analyzing @1h", "olga +planning @3h")
	for until, want := range map[time.Duration]time.Duration{time.Hour: time.Hour, 2 * time.Hour: time.Hour, 3 * time.Hour: 3 * time.Hour} {
		if got := life.LastDecision(twice, morning.Add(until)); !got.Equal(morning.Add(want)) {
			t.Errorf("up to %s the last decision is of %s, want %s", until, got, want)
		}
	}
}

// A fact is new if a row moves the issue for it, and nothing has answered it yet.
func TestWhichFactsAreNew(t *testing.T) {
	t.Parallel()
	life := colony(t)
	for _, c := range []struct {
		state, fact string
		at          time.Duration
		want        bool
	}{
		{"in-review", "review-changes-requested", 2 * time.Hour, true},
		{"in-review", "review-changes-requested", 30 * time.Minute, false},
		{"in-review", "author-replied", 2 * time.Hour, false},
		{"new", "review-changes-requested", 2 * time.Hour, false},
		{"dependency-blocked", "files-overlap", 2 * time.Hour, false}, // its row leads nowhere
		{"dependency-blocked", "dependencies-closed", 0, true},
	} {
		if got := life.Counts(standing(t, life, "olga +"+c.state+" @1h"), Observation{Fact: lifecycle.Fact(c.fact), At: morning.Add(c.at)}); got != c.want {
			t.Errorf("%s of %s is new in %s: %t", c.fact, c.at, c.state, got)
		}
	}
}

// Colony tells of the moves that it made for a reason of its own, once they are judged; comments tell which of them commands made.
func TestWhichMovesColonyMayAnnounce(t *testing.T) {
	t.Parallel()
	life := lifeOf(t, "autoralph")
	log := append(autoralphAt("in-review"), "colony +paused @3m", "colony -in-review @3m", "olga +in-review @4m", "colony -paused @4m", "colony +paused @5m")
	h := traced(changes(t, log...))
	if got := life.MayAnnounce(life.Fold(h)); !slices.Equal(got, []int64{10, 14}) {
		t.Errorf("it may announce %v", got)
	}
	h.JudgedSince = morning.Add(4 * time.Minute)
	if got := life.MayAnnounce(life.Fold(h)); !slices.Equal(got, []int64{14}) {
		t.Errorf("after the horizon passed the first it may announce %v", got)
	}
}

// What only the log decides can be asked without reading anything: guards that need more are left out, others stay.
func TestGuardsByTheLogAlone(t *testing.T) {
	t.Parallel()
	both := guarded(t, fourEyes+`  - name: leads
    why: A lead has to approve.
    to: merge-pending
    requires:
      - team: acme/leads
`)
	h := traced(changes(t, "olga +in-review", "omar +merge-pending"))
	h.Answers = says("none")
	if got := both.Fold(h).State; got != "in-review" {
		t.Errorf("who is no lead brings it to %s", got)
	}
	byLog := both.GuardedByLog()
	if got := byLog.Fold(h).State; got != "merge-pending" {
		t.Errorf("by the log alone it is in %s", got)
	}
	h = traced(changes(t, "olga +in-review", "olga +merge-pending"))
	if got := byLog.Fold(h).State; got != "in-review" {
		t.Errorf("who asked for the review brings it to %s", got)
	}
	if len(both.Guards) != 2 {
		t.Error("the table itself was changed")
	}
	if only := guarded(t, fourEyes); only.GuardedByLog() != only {
		t.Error("a table whose guards ask the log only is copied")
	}
}

// What holds an issue up, named for people: at most ten of a kind.
func TestWhatHoldsAnIssueUp(t *testing.T) {
	t.Parallel()
	facts := Facts{Observed: []Observation{
		{Fact: "files-overlap", About: "#40"}, {Fact: "dependency-open", About: "#1"}, {Fact: "review-approved", About: "rita"}, {Fact: "dependency-open", About: "acme/gears#2"},
	}}
	want := []Blocker{{"open dependencies", "#1, acme/gears#2"}, {"older pull requests that change the same files", "#40"}}
	if got := facts.Blockers(); !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
	if got := (Facts{}).Blockers(); len(got) != 0 {
		t.Errorf("without facts it is held up by %v", got)
	}
	for many, want := range map[int]string{
		10: "#1, #1, #1, #1, #1, #1, #1, #1, #1, #1",
		11: "#1, #1, #1, #1, #1, #1, #1, #1, #1, #1, 1 more",
		13: "#1, #1, #1, #1, #1, #1, #1, #1, #1, #1, 3 more",
	} {
		facts := Facts{Observed: slices.Repeat([]Observation{{Fact: "sub-issues-open", About: "#1"}}, many)}
		if got := facts.Blockers(); len(got) != 1 || got[0].Names != want {
			t.Errorf("%d sub-issues are %v", many, got)
		}
	}
}

// What guards wait for is named by what the facts are about that they forbid, but not who edited, pushed or wrote something.
func TestWhatGuardsWaitFor(t *testing.T) {
	t.Parallel()
	forbids := func(facts ...string) lifecycle.Guard {
		return lifecycle.Guard{Forbids: []lifecycle.Condition{{Kind: lifecycle.HasFact, Words: facts}}}
	}
	facts := Facts{Observed: []Observation{
		{Fact: "dependency-open", About: "#1"},
		{Fact: "text-changed", About: "ada"},
		{Fact: "head-changed", About: "ada"},
		{Fact: "author-edited", About: "ada"},
		{Fact: "pull-request-pushed", About: "ada"},
		{Fact: "person-replied", About: "ada"},
		{Fact: "review-changes-requested", About: "rita"},
		{Fact: "files-overlap"},
	}}
	for want, guards := range map[string][]lifecycle.Guard{
		"":         {forbids("text-changed", "head-changed"), forbids("author-edited", "pull-request-pushed", "person-replied", "files-overlap")},
		"#1, rita": {forbids("text-changed", "dependency-open"), forbids("review-changes-requested")},
	} {
		if got := facts.AwaitedBy(guards); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// What waits for a fact is stuck if nothing was found that holds it up, or a person has to decide about that; and never before it was read.
func TestWhatIsStuck(t *testing.T) {
	t.Parallel()
	life := shipped(t, "colony")
	for name, c := range map[string]struct {
		state string
		facts Facts
		want  bool
	}{
		"nothing holds it up":            {"dependency-blocked", Facts{Read: life.Readings("dependency-blocked", false)}, true},
		"a dependency does":              {"dependency-blocked", Facts{Read: life.Readings("dependency-blocked", false), Observed: []Observation{{Fact: "dependency-open"}}}, false},
		"nothing was read":               {"dependency-blocked", Facts{}, false},
		"not all was read":               {"dependency-blocked", Facts{Read: []lifecycle.Reading{lifecycle.ReadDependencies}}, false},
		"it is taken to be as it was":    {"dependency-blocked", Facts{Read: life.Readings("dependency-blocked", false), Assumed: true}, false},
		"a subtask is open":              {"waiting-for-subtasks", Facts{Read: life.Readings("waiting-for-subtasks", false), Observed: []Observation{{Fact: "sub-issues-open"}}}, false},
		"a person decides without it":    {"waiting-for-subtasks", Facts{Read: life.Readings("waiting-for-subtasks", false), Observed: []Observation{{Fact: "sub-issues-dropped"}}}, true},
		"or whether there is a need for": {"waiting-for-subtasks", Facts{Read: life.Readings("waiting-for-subtasks", false), Observed: []Observation{{Fact: "sub-issues-none"}}}, true},
	} {
		if got := c.facts.Stuck(life, c.state); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// A limit keeps everybody but people from one more such move.
func TestWhichLimitIsExhausted(t *testing.T) {
	t.Parallel()
	life := colony(t)
	for rounds, want := range map[int]bool{0: false, 4: false, 5: true} {
		limit, count, ok := life.Exhausted(standing(t, life, cycles(rounds)...), "changes-requested")
		if ok != want || ok && (limit.Name != "review cycles" || count != rounds) {
			t.Errorf("after %d rounds %d of %s are used up: %t", rounds, count, limit.Name, ok)
		}
	}
	if _, _, ok := life.Exhausted(standing(t, life, cycles(5)...), "merge-pending"); ok {
		t.Error("another move has no limit")
	}
}

// An issue that stood where it is when Colony came is not moved for any fact, so nothing is read for it.
func TestWhatIsReadForAnIssue(t *testing.T) {
	t.Parallel()
	life := lifeOf(t, "autoralph")
	names := func(s Standing) string {
		var out []string
		for _, r := range (&input{life: life, Case: Case{Standing: s}}).readings() {
			out = append(out, string(r))
		}
		return strings.Join(out, " ")
	}
	h := traced(changes(t, autoralphAt("in-review")...))
	if got := names(life.Fold(h)); got != "pull-requests reviews checks" {
		t.Errorf("in review are read: %s", got)
	}
	h.Installed = morning.Add(time.Hour)
	if got := names(life.Fold(h)); got != "" {
		t.Errorf("of an issue that stood there before Colony came are read: %s", got)
	}
}

// Each kind of write is something to do.
func TestADecisionWithoutWritesIsNothing(t *testing.T) {
	t.Parallel()
	for name, d := range map[string]Decision{
		"a refusal to explain":       {Explain: []Rejection{{}}},
		"a move to announce":         {Announce: []Announcement{{}}},
		"a stop to tell of":          {HaltUnsaid: true},
		"a label to add":             {LabelEdits: LabelEdits{Add: []string{"colony:new"}}},
		"a label to remove":          {LabelEdits: LabelEdits{Remove: []string{"colony:new"}}},
		"one more round":             {LabelEdits: LabelEdits{Repeat: "colony:new"}},
		"an issue to close":          {Close: "completed"},
		"a question to ask somebody": {Ask: []Asked{{}}},
	} {
		if d.Nothing() || d.Settled() {
			t.Errorf("%s is nothing", name)
		}
	}
	for name, d := range map[string]Decision{
		"a stop that was told of": {Halted: &Rejection{}},
		"a wait":                  {Wait: Wait{Why: Quiet}},
	} {
		if !d.Nothing() || d.Settled() {
			t.Errorf("%s: nothing is %t, settled %t", name, d.Nothing(), d.Settled())
		}
	}
	if rests := (Decision{State: "new", Kept: true}); !rests.Nothing() || !rests.Settled() {
		t.Error("an issue that rests is not settled")
	}
}
