package statemachine

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/lifecycle"
	"github.com/google/go-cmp/cmp"
)

// errands is a lifecycle with what no shipped one has: time-outs, and triggers that can move an issue in a loop.
const errands = `
name: errands
summary: Small errands.
initial: todo
states:
  - {name: todo, type: active, label: "colony:todo", color: aaaaaa, description: To do., meaning: It waits.}
  - {name: doing, type: active, label: "colony:doing", color: bbbbbb, description: Doing., meaning: It is done just now.}
  - {name: asked, type: awaiting-human, label: "colony:asked", color: cccccc, description: Asked., meaning: Somebody was asked.}
  - {name: over, type: terminal, label: "colony:over", color: dddddd, description: Over., meaning: It is over., closes: completed}
transitions:
  - kind: forward
    source: Test
    pairs:
      - {from: todo, to: doing, why: Taken}
      - {from: doing, to: asked, why: A question}
      - {from: [doing, asked], to: over, why: Done}
  - kind: backward
    source: Test
    pairs:
      - {from: [asked, doing], to: todo, why: Back}
executors:
  - {role: runner, works-in: doing, requests: [asked, over], claims: [{from: todo, to: doing}, {from: outside, to: todo}]}
time-outs:
  - {in: asked, after: 48h, to: todo, why: Nobody answered}
  - {in: doing, after: 2h, to: over, why: Long enough}
triggers:
  - {on: pull-request-opened, in: todo, to: doing, why: Somebody works on it}
  - {on: dependency-open, in: doing, to: asked, why: It waits for another}
  - {on: sub-issues-closed, in: asked, to: todo, why: All parts are there}
`

// lifeOf returns a shipped lifecycle, or errands.
func lifeOf(t testing.TB, name string) *Table {
	t.Helper()
	if bare, with := strings.CutSuffix(name, " with its guards"); with {
		return shippedWithGuards(t, bare)
	}
	if name != "errands" {
		return shipped(t, name)
	}
	life, err := Parse("errands.yml", []byte(errands))
	if err != nil {
		t.Fatal(err)
	}
	return life
}

// often repeats a script.
func often(times int, script ...string) []string {
	var out []string
	for range times {
		out = append(out, script...)
	}
	return out
}

// What the table alone does not say: limits, returns, reasons, rounds, the place outside, ends that are for ever.
func TestFoldBeyondTheTable(t *testing.T) {
	retried := slices.Concat([]string{"bot +planned", "bot +researching", "bot +implementing"}, often(3, "bot +retrying", "bot +implementing"))
	verified := []string{"olga +init", "bot +gather", "bot +analyze", "bot +plan", "bot +apply", "bot +verify"}
	fixed := slices.Concat([]string{"olga +queued", "bot +refining", "olga +approved", "bot +building", "bot +in-review"}, often(3, "colony +fixing-checks", "bot +in-review"))
	building := []string{"olga +queued", "olga +refining", "olga +approved", "olga +building"}
	refining := []string{"olga +queued", "bot +refining", "colony -queued"}
	for _, c := range []struct {
		name     string
		life     string
		log      []string
		last     string // of the trail
		rejected string
	}{
		{"as often as the limit allows", "prp", retried[:8], "implementing>retrying", ""},
		{"and once more leads elsewhere", "prp", append(slices.Clone(retried), "bot +retrying"), "exhausted:implementing>failed", "[10] bot implementing>retrying limit-reached led to failed"},
		{"a person is not limited", "prp", append(slices.Clone(retried), "olga +retrying"), "implementing>retrying", ""},
		{"nor is a command that Colony ran", "prp", append(slices.Clone(retried), "colony +retrying"), "implementing>retrying", ""},
		{"a person's move does not begin a count for life anew", "prp", append(slices.Clone(retried[:8]), "olga +implementing", "bot +retrying"), "exhausted:implementing>failed", "[10] bot implementing>retrying limit-reached led to failed"},
		{"nor does a command's", "prp", append(slices.Clone(retried[:8]), "colony +implementing", "bot +retrying"), "exhausted:implementing>failed", "[10] bot implementing>retrying limit-reached led to failed"},
		{"what is refused does not", "prp", append(slices.Clone(retried), "olga +planned", "bot +retrying"), "exhausted:implementing>failed", "[10] olga implementing>planned not-in-table; [11] bot implementing>retrying limit-reached led to failed"},
		{"a move that was taken back does not count", "prp", slices.Concat(retried[:7], []string{"colony -retrying", "bot +retrying", "bot -retrying", "bot +retrying"}), "implementing>retrying", ""},
		{"a limit that only counts bounds nothing", "colibri", slices.Concat(verified, often(9, "bot +gather", "bot +analyze", "bot +plan", "bot +apply", "bot +verify")), "apply>verify", ""},
		{"automatic moves are limited", "autoralph", append(slices.Clone(fixed), "colony +fixing-checks"), "exhausted:in-review>paused", "[12] colony[bot] in-review>fixing-checks limit-reached led to paused"},
		{"after that a person resumes, and it is not", "autoralph", append(slices.Clone(fixed), "colony +paused", "olga +in-review", "colony +fixing-checks"), "in-review>fixing-checks", ""},
		{"one half of a swap beyond it is the swap's", "colony", append(cycles(5), "olga -in-review", "rev +changes-requested"), "exhausted:in-review>failure-blocked", "[32] olga in-review> not-in-table withdrawn; [33] rev in-review>changes-requested limit-reached led to failure-blocked"},
		{"who may not ask at all meets no limit", "colony", append(cycles(5), "dev +changes-requested"), "bad-request:in-review>failure-blocked", "[32] dev in-review>changes-requested not-for-role led to failure-blocked"},
		{"review cycles of the first lifecycle", "colony", slices.Concat([]string{"olga +in-review"}, often(5, "rev +changes-requested", "dev +in-development", "dev +in-review"), []string{"rev +changes-requested"}), "exhausted:in-review>failure-blocked", "[17] rev in-review>changes-requested limit-reached led to failure-blocked"},
		{"a pause and the return from it are no intervention", "colony", slices.Concat([]string{"olga +in-review"}, often(5, "rev +changes-requested", "dev +in-development", "dev +in-review"), []string{"olga +paused", "colony -in-review", "olga +in-review", "colony -paused", "rev +changes-requested"}), "exhausted:in-review>failure-blocked", "[21] rev in-review>changes-requested limit-reached led to failure-blocked"},
		{"nor are they by commands", "colony", slices.Concat([]string{"olga +in-review"}, often(5, "rev +changes-requested", "dev +in-development", "dev +in-review"), []string{"for-olga +paused", "colony -in-review", "for-olga +in-review", "colony -paused", "rev +changes-requested"}), "exhausted:in-review>failure-blocked", "[21] rev in-review>changes-requested limit-reached led to failure-blocked"},
		{"a retry of what failed is one", "colony", slices.Concat([]string{"olga +in-review"}, often(5, "rev +changes-requested", "dev +in-development", "dev +in-review"), []string{"rev +failure-blocked", "colony -in-review", "olga +in-review", "colony -failure-blocked", "rev +changes-requested"}), "in-review>changes-requested", ""},

		{"a pause returns to where it came from", "autoralph", append(slices.Clone(building), "olga +paused", "olga +building"), "paused>building", ""},
		{"and nowhere else", "autoralph", append(slices.Clone(building), "olga +paused", "olga +approved"), "building>paused", "[6] olga paused>approved not-previous"},
		{"Colony neither", "autoralph", append(slices.Clone(building), "olga +paused", "colony +approved"), "building>paused", ""},
		{"but a merge wins", "autoralph", append(slices.Clone(building), "olga +in-review", "olga +paused", "colony +completed"), "paused>completed", ""},
		{"a failure is retried from where it came from", "autoralph", append(slices.Clone(building), "bot +failed", "olga +building"), "failed>building", ""},
		{"and from nowhere else", "autoralph", append(slices.Clone(building), "bot +failed", "olga +queued"), "building>failed", "[6] olga failed>queued not-previous"},
		{"an unknown state before allows all of them", "autoralph", []string{"olga -paused", "olga +approved"}, "paused>approved", "[1] olga paused> not-in-table withdrawn"},

		{"a label gives no reason", "colibri", []string{"olga +init", "olga +cancelled"}, "outside>init", "[2] olga init>cancelled needs-reason"},
		{"a command does", "colibri", []string{"olga +init", "colony +cancelled"}, "init>cancelled", ""},
		{"a request stands for one", "colibri", append(slices.Clone(verified), "bot +cancelled"), "verify>cancelled because verify_permanent_fail", ""},
		{"but only where the role works", "colibri", append(slices.Clone(verified[:3]), "bot +cancelled"), "gather>analyze", "[4] bot analyze>cancelled needs-reason"},
		{"no step is skipped", "colibri", append(slices.Clone(verified[:3]), "olga +apply"), "gather>analyze", "[4] olga analyze>apply not-in-table"},

		{"a person begins another round", "autoralph", append(slices.Clone(refining), "olga -refining", "olga +refining"), "refining>refining", "[4] olga refining> not-in-table withdrawn"},
		{"Colony does, by the label off and on", "autoralph", append(slices.Clone(refining), "colony -refining", "colony +refining"), "refining>refining", ""},
		{"but not where it puts back what was taken off", "autoralph", append(slices.Clone(refining), "olga -refining", "colony +refining"), "queued>refining", "[4] olga refining> not-in-table"},
		{"also if something else was refused meanwhile", "autoralph", append(slices.Clone(refining), "olga -refining", "omar +building", "colony +refining"), "queued>refining", "[4] olga refining> not-in-table; [5] omar refining>building not-in-table"},
		{"nor where the log does not show who took it off", "autoralph", append(slices.Clone(refining), "colony +refining"), "queued>refining", ""},
		{"nor does a bot that puts its label back", "autoralph", append(slices.Clone(refining), "bot -refining", "bot +refining"), "queued>refining", "[4] bot refining> not-in-table withdrawn"},
		{"also where Colony took it off itself before that", "autoralph", append(slices.Clone(refining), "colony -refining", "bot +refining", "olga -refining", "colony +refining"), "queued>refining", "[6] olga refining> not-in-table"},
		{"a round that the table does not have is refused", "autoralph", []string{"olga +queued", "olga -queued", "olga +queued"}, "outside>queued", "[2] olga queued> not-in-table withdrawn"},

		{"an issue without a label is outside", "autoralph", []string{"olga +bug"}, "", ""},
		{"a bot takes it in", "autoralph", []string{"bot +queued"}, "outside>queued", ""},
		{"and can bring it nowhere else", "autoralph", []string{"bot +building"}, "", "[1] bot outside>building not-in-table"},
		{"a person can neither", "autoralph", []string{"olga +building"}, "", "[1] olga outside>building not-in-table"},
		{"nothing leads back outside", "autoralph", []string{"olga +queued", "olga -queued"}, "outside>queued", "[2] olga queued> not-in-table"},

		{"an end is for ever, also for a forced move", "prp", []string{"olga +planned", "olga +obsolete", "colony +colony:forced", "colony +planned"}, "planned>obsolete", ""},
		{"what is no end can be forced", "prp", []string{"olga +planned", "colony +colony:forced", "colony +complete"}, "forced:planned>complete", ""},
		{"where ends are not for ever they can be forced open", "autoralph", append(slices.Clone(building), "olga +in-review", "olga +completed", "colony +colony:forced", "colony +in-review"), "forced:completed>in-review", ""},

		{"a bad request leads where the table leads", "autoralph", append(slices.Clone(building), "bot +completed"), "bad-request:building>failed", "[5] bot building>completed not-in-table led to failed"},
		{"and elsewhere only asks for a person", "autoralph", []string{"olga +queued", "bot +approved"}, "outside>queued", "[2] bot queued>approved not-in-table"},
	} {
		t.Run(c.name, func(t *testing.T) {
			log := changes(t, c.log...)
			got := lifeOf(t, c.life).Fold(traced(log))
			last := ""
			if m, ok := got.Since(); ok {
				last = trail([]Move{m})
				if m.Reason != "" {
					last += " because " + m.Reason
				}
			}
			if diff := cmp.Diff(c.last, last); diff != "" {
				t.Errorf("last move (-want +got)\n%s", diff)
			}
			if diff := cmp.Diff(c.rejected, rejected(got.Rejections)); diff != "" {
				t.Errorf("rejections (-want +got)\n%s", diff)
			}
		})
	}
}

// A configuration that lets a role undo its work brings no loop without an end.
func TestLimitsBindWidenedRoles(t *testing.T) {
	for _, c := range []struct {
		role, from, to string
		begin          []string
		round          []string
	}{
		{"developer", "in-development", "ready-for-dev", []string{"olga +in-development"}, []string{"bot +ready-for-dev", "bot +in-development"}},
		{"merger", "merge-pending", "in-review", []string{"olga +merge-pending"}, []string{"bot +in-review", "bot +merge-pending"}},
	} {
		life, err := colony(t).Widen(c.role, c.from, c.to)
		if err != nil {
			t.Fatal(err)
		}
		if c.role == "merger" {
			if life, err = life.Widen("reviewer", "in-review", "merge-pending"); err != nil {
				t.Fatal(err)
			}
		}
		for rounds, want := range []string{c.to, c.to, c.to, "failure-blocked"} {
			log := changes(t, slices.Concat(c.begin, often(rounds, c.round...), c.round[:1])...)
			if got := life.Fold(traced(log)).State; got != want {
				t.Errorf("%s -> %s after %d rounds leads to %s, want %s", c.from, c.to, rounds, got, want)
			}
		}
	}
}

// The numbers that /colony:status shows.
func TestCount(t *testing.T) {
	verified := []string{"olga +init", "bot +gather", "bot +analyze", "bot +plan", "bot +apply", "bot +verify"}
	again := []string{"bot +gather", "bot +analyze", "bot +plan", "bot +apply", "bot +verify"}
	fixed := []string{"colony +fixing-checks", "bot +in-review"}
	reviewed := []string{"olga +queued", "bot +refining", "olga +approved", "bot +building", "bot +in-review"}
	for _, c := range []struct {
		name string
		life string
		log  []string
		want int
	}{
		{"the first attempt is none of the retries", "colibri", verified, 0},
		{"each retry counts", "colibri", slices.Concat(verified, often(3, again...)), 3},
		{"the one under way too", "colibri", slices.Concat(verified, again, again[:1]), 2},
		{"a person's retry counts too, over the life of the task", "colibri", slices.Concat(verified, again, []string{"olga +gather"}), 2},
		{"and so does what follows", "colibri", slices.Concat(verified, again, []string{"olga +gather"}, again[1:], again), 3},
		{"a person's move leaves the retries as they are", "prp", []string{"bot +planned", "bot +researching", "bot +implementing", "bot +retrying", "olga +implementing", "bot +retrying"}, 2},
		{"elsewhere a person's move begins anew", "autoralph", slices.Concat(reviewed, fixed, []string{"olga +addressing-feedback", "olga +in-review"}), 0},
		{"and what follows is counted from there", "autoralph", slices.Concat(reviewed, fixed, []string{"olga +addressing-feedback", "olga +in-review"}, fixed), 1},
		{"a command is a person's", "autoralph", slices.Concat(reviewed, fixed, []string{"colony +paused", "colony +in-review"}), 0},
		{"a forced move too", "autoralph", slices.Concat(reviewed, fixed, []string{"colony +colony:forced", "colony +queued"}), 0},
		{"automatic moves count", "autoralph", slices.Concat(reviewed, fixed, fixed), 2},
		{"what is settled begins anew", "autoralph", slices.Concat(reviewed, fixed, fixed, []string{"olga -in-review @1m", "olga +approved @2m", "bot +building @50h"}), 0},
		{"a pause and the return from it begin nothing anew", "autoralph", slices.Concat(reviewed, fixed, fixed[:1], []string{"olga +paused", "olga +fixing-checks"}), 2},
		{"a bad request is nobody's intervention", "autoralph", slices.Concat(reviewed, fixed, []string{"bot +completed"}), 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			life := lifeOf(t, c.life)
			log := changes(t, c.log...)
			history := traced(log)
			if last := log[len(log)-1].At; last.Sub(morning) > time.Hour {
				history.JudgedSince = last
			}
			if got := life.Count(life.Limits[0], life.Fold(history)); got != c.want {
				t.Errorf("%s: %d, want %d", life.Limits[0].Name, got, c.want)
			}
		})
	}
}

// The moves that Colony offers an actor are what the table and the way the issue came allow, and guards that
// look only at the bot.
func TestNextAt(t *testing.T) {
	for _, c := range []struct {
		name string
		life string
		log  []string
		who  string
		want string
	}{
		{"a pause is left to where it came from", "autoralph", []string{"olga +queued", "olga +paused"}, "olga", "queued completed"},
		{"an unknown state before leaves all", "autoralph", nil, "olga", "queued"},
		{"an exhausted limit is left out for who it binds", "prp", slices.Concat([]string{"bot +planned", "bot +researching", "bot +implementing"}, often(3, "bot +retrying", "bot +implementing")), "bot", "complete failed obsolete"},
		{"and not for a person", "prp", slices.Concat([]string{"bot +planned", "bot +researching", "bot +implementing"}, often(3, "bot +retrying", "bot +implementing")), "olga", "retrying complete failed obsolete"},
		{"what needs a reason is among them", "colibri", []string{"olga +init"}, "olga", "gather cancelled"},
		{"a guard about roles counts for a bot", "colibri with its guards", []string{"olga +init"}, "bot", ""},
		{"one move only, where it is about one", "prp with its guards", []string{"bot +planned", "bot +researching"}, "bot", "implementing"},
		{"and not for a person", "prp with its guards", []string{"bot +planned", "bot +researching"}, "olga", "implementing obsolete"},
	} {
		t.Run(c.name, func(t *testing.T) {
			life := lifeOf(t, c.life)
			log := changes(t, c.log...)
			var got []string
			for _, p := range life.NextAt(life.Fold(traced(log)), cast[c.who]) {
				got = append(got, p.To)
			}
			if diff := cmp.Diff(c.want, strings.Join(got, " ")); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestJudgeAtAsksForTheReason(t *testing.T) {
	life := shipped(t, "colibri")
	at := Standing{State: "verify"}
	bound := lifecycle.Actor{Kind: lifecycle.Executor, Roles: []string{"planner"}}
	for _, c := range []struct {
		who    lifecycle.Actor
		reason bool
		want   lifecycle.Verdict
	}{
		{cast["olga"], false, lifecycle.NeedsReason},
		{cast["olga"], true, lifecycle.Legal},
		{cast["bot"], false, lifecycle.Legal}, // its request stands for one
		{bound, true, lifecycle.NotForRole},
		{cast["colony"], false, lifecycle.Legal}, // a command gave one
		{cast["arthur"], true, lifecycle.NotForRole},
	} {
		if got := life.Rule(at, Ask{By: c.who, To: "cancelled", Reason: c.reason}, nil).Verdict; got != c.want {
			t.Errorf("%+v with reason %v: %s, want %s", c.who, c.reason, got, c.want)
		}
	}
}

// observation is one reconciliation of an issue and what is around it.
type observation struct {
	life            string
	log             []string
	labels          string   // what is on the issue, if not what the log leaves
	facts           []string // "review-approved @10m #12", the time since the morning
	unread          bool     // nobody read the facts
	later           time.Duration
	answers         []int64
	commanded       []int64
	withoutComments bool          // the comments were not read
	since           time.Duration // what is judged
	closed          bool
	reopened        time.Duration
	installed       time.Duration   // when Colony came; zero: it was always there
	warns           bool            // Colony undoes nothing
	asked           []time.Duration // what a person was asked about already, by the time at which that came to be so
}

func (g observation) decide(t *testing.T) (Decision, Needs) {
	t.Helper()
	life := lifeOf(t, g.life)
	log := changes(t, g.log...)
	labels := labelsAfter(log)
	if g.labels != "" {
		labels = labelList(g.labels)
	}
	history := traced(log)
	history.Labels, history.JudgedSince = labels, morning.Add(g.since)
	history.Stands = g.warns
	if g.reopened > 0 {
		history.Closures = []Closure{{Moment: Moment{At: morning.Add(g.reopened)}}}
	}
	if g.installed > 0 {
		history.Installed = morning.Add(g.installed)
	}
	in := Case{Standing: life.Fold(history), Labels: labels, Updated: morning, Closed: g.closed}
	var read Evidence
	if len(log) > 0 {
		in.Updated = log[len(log)-1].At
	}
	in.Now = in.Updated.Add(g.later)
	if !g.withoutComments {
		read.Answered = func(id int64) bool { return slices.Contains(g.answers, id) }
		read.Stopped = read.Answered
		read.Commanded = func(id int64) bool { return slices.Contains(g.commanded, id) }
		read.Asked = func(id int64) bool { return slices.Contains(g.asked, askedAt(id).Sub(morning)) }
	}
	if !g.unread {
		read.Facts.Read = lifecycle.EveryReading()
	}
	for _, text := range g.facts {
		fields := strings.Fields(text)
		o := Observation{Fact: lifecycle.Fact(fields[0])}
		for _, f := range fields[1:] {
			if at, ok := strings.CutPrefix(f, "@"); ok {
				offset, err := time.ParseDuration(at)
				if err != nil {
					t.Fatal(err)
				}
				o.At = morning.Add(offset)
			} else {
				o.About = f
			}
		}
		read.Facts.Observed = append(read.Facts.Observed, o)
	}
	return life.Decide(modelThresholds, in, read)
}

// deeds shows what Colony does automatically, and then the writes.
func deeds(d Decision, n Needs) string {
	var out []string
	if len(n.Facts) > 0 {
		out = append(out, fmt.Sprint("read ", n.Facts))
	}
	person := func(a Automatic) string {
		if a.AsksPerson {
			return ", a person is asked"
		}
		return ""
	}
	for _, told := range d.Announce {
		out = append(out, fmt.Sprintf("announce %d %s>%s: %s%s", told.ID, told.From, told.To, told.Why, person(told.Automatic)))
	}
	if a := d.Automatic; a != nil {
		text := fmt.Sprintf("move %s>%s: %s%s", a.From, a.To, a.Why, person(*a))
		if a.About != "" {
			text += " for " + a.About
		}
		out = append(out, text)
	}
	if a := d.Withheld; a != nil {
		out = append(out, fmt.Sprintf("withhold %s>%s: %s", a.From, a.To, a.Why))
	}
	if d.Repeat != "" {
		out = append(out, "again "+strings.TrimPrefix(d.Repeat, "colony:"))
	}
	for _, a := range d.Ask {
		whom := "say"
		if a.AsksPerson {
			whom = "ask a person"
		}
		out = append(out, fmt.Sprintf("%s about %s: %s", whom, a.About, a.Why))
	}
	if d.Kept {
		out = append(out, "kept from capacity")
	}
	if w := writes(d, n); w != "" {
		out = append(out, w)
	}
	if d.Close != "" {
		out = append(out, "close as "+string(d.Close))
	}
	if d.Wait.Why == Held {
		out = append(out, "then look again")
	}
	return strings.Join(out, "; ")
}

func seeAll(t *testing.T, cases []struct {
	name string
	observation
	want string
},
) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, deeds(c.decide(t))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// autoralphAt brings an issue of autoralph to a state, tidied: the last move is a bot's where a bot can make it.
func autoralphAt(state string) []string {
	way := []string{"olga +queued", "bot +refining", "colony -queued", "olga +approved", "colony -refining", "bot +building", "colony -approved", "bot +in-review", "colony -building"}
	for i, line := range way {
		if strings.HasSuffix(line, " +"+state) {
			return way[:min(i+2, len(way))]
		}
	}
	return way
}

func TestTriggers(t *testing.T) {
	refining, inReview := autoralphAt("refining"), autoralphAt("in-review") // entered at 10s and at 70s
	then := func(log []string, more ...string) []string { return append(slices.Clone(log), more...) }
	conflict := "The pull request conflicts with its base: somebody has to resolve that, and then to resume the issue"
	seeAll(t, []struct {
		name string
		observation
		want string
	}{
		// Since the issue entered its state.
		{"a reply begins a round", observation{life: "autoralph", log: refining, facts: []string{"person-replied @11s arthur"}}, "move refining>refining: A person replied for arthur; again refining"},
		{"one from before the state does not", observation{life: "autoralph", log: refining, facts: []string{"person-replied @10s arthur"}}, ""},
		{"nor one from before the last round", observation{life: "autoralph", log: then(refining, "colony -refining @1m", "colony +refining @1m"), facts: []string{"person-replied @30s arthur"}}, ""},
		{"the next does", observation{life: "autoralph", log: then(refining, "colony -refining @1m", "colony +refining @1m"), facts: []string{"person-replied @61s arthur"}}, "move refining>refining: A person replied for arthur; again refining"},
		{"a review that asks for changes", observation{life: "autoralph", log: inReview, facts: []string{"review-changes-requested @2m rita"}}, "move in-review>addressing-feedback: A review requested changes for rita; +addressing-feedback, -in-review"},
		{"an old one does not ask again", observation{life: "autoralph", log: then(inReview, "colony +addressing-feedback @3m", "colony -in-review @3m", "bot +in-review @9m", "colony -addressing-feedback @9m"), facts: []string{"review-changes-requested @2m rita"}}, ""},
		{"an unknown beginning counts what is judged", observation{life: "autoralph", labels: "refining", since: time.Second, facts: []string{"person-replied @2s arthur"}, later: time.Minute}, "move refining>refining: A person replied for arthur; again refining"},
		{"and not what is older", observation{life: "autoralph", labels: "refining", since: 2 * time.Second, facts: []string{"person-replied @2s arthur"}, later: time.Minute}, ""},

		// Since a person last moved the issue, or the row did.
		{"checks that failed", observation{life: "autoralph", log: inReview, facts: []string{"checks-failed @2m #7"}}, "move in-review>fixing-checks: Checks of the pull request failed for #7; +fixing-checks, -in-review"},
		{"also if they did before the state", observation{life: "autoralph", log: inReview, facts: []string{"checks-failed @65s"}}, "move in-review>fixing-checks: Checks of the pull request failed; +fixing-checks, -in-review"},
		{"but not before a person's move", observation{life: "autoralph", log: inReview, facts: []string{"checks-failed @30s"}}, ""},
		{"the same failure is not fixed twice", observation{life: "autoralph", log: then(inReview, "colony +fixing-checks @3m", "colony -in-review @3m", "bot +in-review @9m", "colony -fixing-checks @9m"), facts: []string{"checks-failed @2m"}}, ""},
		{"a new one is", observation{life: "autoralph", log: then(inReview, "colony +fixing-checks @3m", "colony -in-review @3m", "bot +in-review @9m", "colony -fixing-checks @9m"), facts: []string{"checks-failed @8m"}}, "move in-review>fixing-checks: Checks of the pull request failed; +fixing-checks, -in-review"},
		{"a pause hides no failure", observation{life: "autoralph", log: then(inReview, "olga +paused @3m", "colony -in-review @3m", "for-olga +in-review @9m", "colony -paused @9m"), facts: []string{"checks-failed @8m"}}, "move in-review>fixing-checks: Checks of the pull request failed; +fixing-checks, -in-review"},
		{"a merge wins", observation{life: "autoralph", log: inReview, facts: []string{"checks-failed @2m", "review-changes-requested @2m", "pull-request-merged @2m #7"}}, "move in-review>completed: The pull request was merged for #7; +completed, -in-review"},
		{"also over a pause", observation{life: "autoralph", log: then(inReview, "olga +paused @3m", "colony -in-review @3m"), facts: []string{"pull-request-merged @4m #7"}}, "move paused>completed: The pull request was merged for #7; +completed, -paused"},

		// As long as they hold.
		{"a conflict pauses and asks for a person", observation{life: "autoralph", log: inReview, facts: []string{"pull-request-conflicting #7"}}, "move in-review>paused: " + conflict + ", a person is asked for #7; +paused, -in-review"},
		{"who resumes in spite of it is right", observation{life: "autoralph", log: then(inReview, "colony +paused @3m", "colony -in-review @3m", "olga +in-review @9m", "colony -paused @9m"), answers: []int64{10}, facts: []string{"pull-request-conflicting #7"}}, ""},
		{"also by the command", observation{life: "autoralph", log: then(inReview, "colony +paused @3m", "colony -in-review @3m", "colony +needs-human @3m", "for-olga +in-review @9m", "colony -paused @9m"), answers: []int64{10}, facts: []string{"pull-request-conflicting #7"}}, ""},
		{"also in the next state of the row", observation{life: "autoralph", log: then(inReview, "colony +paused @3m", "colony -in-review @3m", "olga +in-review @9m", "colony -paused @9m", "colony +fixing-checks @10m", "colony -in-review @10m"), answers: []int64{10}, facts: []string{"pull-request-conflicting #7"}}, ""},
		{"until one comes that was not there then", observation{life: "autoralph", log: then(inReview, "colony +paused @3m", "colony -in-review @3m", "olga +in-review @9m", "colony -paused @9m"), answers: []int64{10}, facts: []string{"pull-request-conflicting @10m #7"}}, "move in-review>paused: " + conflict + ", a person is asked for #7; +paused, -in-review"},
		{"or the issue comes back from elsewhere", observation{life: "colony", log: []string{"olga +human-review-ready @1m", "colony +merge-pending @3m", "colony -human-review-ready @3m", "olga +human-review-ready @9m", "colony -merge-pending @9m", "olga +analyzing @20m", "colony -human-review-ready @20m", "olga +human-review-ready @30m", "colony -analyzing @30m"}, facts: []string{"pull-request-conflicting #7"}}, "move human-review-ready>merge-pending: The pull request no longer merges cleanly for #7; +merge-pending, -human-review-ready"},
		{"the work comes before the conflict, so that resuming returns to it", observation{life: "autoralph", log: inReview, facts: []string{"pull-request-conflicting", "checks-failed @2m"}}, "move in-review>fixing-checks: Checks of the pull request failed; +fixing-checks, -in-review"},

		// When they are reconciled.
		{"what may matter is read first", observation{life: "autoralph", log: refining, unread: true}, "read [comments]"},
		{"each reading once", observation{life: "autoralph", log: inReview, unread: true}, "read [pull-requests reviews checks]"},
		{"a state without triggers needs none", observation{life: "autoralph", log: autoralphAt("building"), unread: true}, ""},
		{"no fact, no move", observation{life: "autoralph", log: inReview}, ""},
		{"a fact of another state is none here", observation{life: "autoralph", log: inReview, facts: []string{"author-replied @9m"}}, ""},
		{"what was refused is put right first", observation{life: "autoralph", log: then(inReview, "olga +building @2m"), later: time.Minute, facts: []string{"checks-failed @3m"}}, "explain [10], +needs-human, -building; then look again"},
		{"so is a label that is there already: only an event moves the issue", observation{life: "autoralph", log: then(autoralphAt("building"), "olga +completed @1m", "bot +in-review @2m", "colony -building @2m"), answers: []int64{8}, facts: []string{"pull-request-merged @3m"}, later: time.Minute}, "+needs-human, -completed; then look again"},
		{"so is a label that is missing", observation{life: "autoralph", log: then(inReview, "olga -in-review @2m"), answers: []int64{10}, later: time.Minute, facts: []string{"checks-failed @3m"}}, "+in-review, +needs-human; then look again"},

		{"so is a bracket that is still open: within it the move would be forced", observation{life: "autoralph", log: then(inReview, "colony +forced @2m"), facts: []string{"checks-failed @3m"}}, "-forced; then look again"},
		{"unless the mark has gone", observation{life: "autoralph", log: then(inReview, "colony +forced @2m"), labels: "in-review", later: time.Minute, facts: []string{"checks-failed @3m"}}, "move in-review>fixing-checks: Checks of the pull request failed; +fixing-checks, -in-review"},
		{"one that somebody else opened is none", observation{life: "autoralph", log: then(inReview, "olga +forced @2m"), facts: []string{"checks-failed @3m"}}, "move in-review>fixing-checks: Checks of the pull request failed; +fixing-checks, -forced, -in-review"},

		// Where it only warns.
		{"Colony blocks nothing where it only warns", observation{life: "autoralph", log: inReview, facts: []string{"pull-request-conflicting #7"}, warns: true}, "withhold in-review>paused: " + conflict},
		{"but moves on what can go on", observation{life: "autoralph", log: inReview, facts: []string{"checks-failed @2m"}, warns: true}, "move in-review>fixing-checks: Checks of the pull request failed; +fixing-checks, -in-review"},
		{"not to a state whose label is there already", observation{life: "autoralph", log: then(inReview, "olga +completed @2m", "olga -in-review @2m", "omar +in-review @3m"), answers: []int64{12}, later: time.Minute, facts: []string{"pull-request-merged @9m"}, warns: true}, "withhold in-review>completed: The pull request was merged"},

		// What it announces.
		{"a pause of its own is announced once", observation{life: "autoralph", log: then(inReview, "colony +paused @3m", "colony -in-review @3m")}, "announce 10 in-review>paused: " + conflict + ", a person is asked; +needs-human"},
		{"the comments are read for it", observation{life: "autoralph", log: then(inReview, "colony +paused @3m", "colony -in-review @3m"), withoutComments: true}, "read the comments"},
		{"said once", observation{life: "autoralph", log: then(inReview, "colony +paused @3m", "colony -in-review @3m", "colony +needs-human @3m"), answers: []int64{10}}, ""},
		{"killed after the comment: the mark follows", observation{life: "autoralph", log: then(inReview, "colony +paused @3m", "colony -in-review @3m"), answers: []int64{10}}, "+needs-human"},
		{"a mark that is asked for stays, no matter who moved the issue before", observation{life: "autoralph", log: then(inReview, "rita +needs-human @1m", "olga +addressing-feedback @2m", "colony -in-review @2m", "colony +paused @3m", "colony -addressing-feedback @3m"), answers: []int64{13}}, ""},
		{"until a person moves it", observation{life: "autoralph", log: then(inReview, "colony +paused @3m", "colony -in-review @3m", "colony +needs-human @3m", "olga +in-review @4m", "colony -paused @4m"), answers: []int64{10}}, "-needs-human"},
		{"a command's is the command's", observation{life: "autoralph", log: then(inReview, "colony +paused @3m", "colony -in-review @3m"), commanded: []int64{10}}, ""},
		{"what is too old to be judged is not told", observation{life: "autoralph", log: then(inReview, "colony +paused @3m", "colony -in-review @3m"), since: 4 * time.Minute}, ""},
		{"a merge needs no words", observation{life: "autoralph", log: then(inReview, "colony +completed @3m", "colony -in-review @3m"), closed: true}, ""},
		{"the reason that a request stands for is announced", observation{life: "colibri", log: []string{"olga +init", "bot +gather", "bot +analyze", "bot +plan", "bot +apply", "bot +verify", "bot +cancelled", "colony -init", "colony -gather", "colony -analyze", "colony -plan", "colony -apply", "colony -verify"}, closed: true}, "announce 7 verify>cancelled: verify_permanent_fail"},
	})
}

func TestLimitsOfWhatHappensByItself(t *testing.T) {
	fixed := func(times int) []string {
		return append(autoralphAt("in-review"), often(times, "colony +fixing-checks", "colony -in-review", "bot +in-review", "colony -fixing-checks")...)
	}
	const why = "The fix attempts are used up and the checks still fail: a person has to help"
	seeAll(t, []struct {
		name string
		observation
		want string
	}{
		{"the third attempt is made", observation{life: "autoralph", log: fixed(2), facts: []string{"checks-failed @1h #7"}}, "move in-review>fixing-checks: Checks of the pull request failed for #7; +fixing-checks, -in-review"},
		{"instead of the fourth the issue is paused", observation{life: "autoralph", log: fixed(3), facts: []string{"checks-failed @1h #7"}}, "move in-review>paused: " + why + ", a person is asked for #7; +paused, -in-review"},
		{"and announced as that", observation{life: "autoralph", log: append(fixed(3), "colony +paused", "colony -in-review")}, "announce 22 in-review>paused: " + why + ", a person is asked; +needs-human"},
		{"a merge after it needs no words", observation{life: "autoralph", log: append(fixed(3), "colony +completed", "colony -in-review"), closed: true}, ""},
		{"a merge is not limited", observation{life: "autoralph", log: fixed(3), facts: []string{"checks-failed @1h", "pull-request-merged @1h"}}, "move in-review>completed: The pull request was merged; +completed, -in-review"},
		{"a request beyond a limit is explained, with where it led", observation{life: "prp", log: slices.Concat([]string{"bot +planned", "bot +researching", "bot +implementing"}, often(3, "bot +retrying", "bot +implementing"), []string{"colony -planned", "colony -researching", "colony -retrying", "bot +retrying"}), later: time.Minute}, "explain [13], +failed, +needs-human, -implementing, -retrying"},
	})
}

// Where a limit names the state to which issues return, a command returns there. By label the state before is allowed as well.
func TestALimitSaysWhereItLeadsBackTo(t *testing.T) {
	fixed := func(times int, then ...string) []string {
		return append(append(autoralphAt("in-review"), often(times, "colony +fixing-checks", "colony -in-review", "bot +in-review", "colony -fixing-checks")...), then...)
	}
	life := shipped(t, "autoralph")
	for name, c := range map[string]struct {
		log  []string
		want string
		also string
	}{
		"after the limit":                     {fixed(3, "colony +paused", "colony -in-review"), "fixing-checks", "in-review"},
		"also if a person failed it there":    {fixed(3, "colony +paused", "colony -in-review", "olga +colony:forced", "olga +failed", "colony -paused"), "fixing-checks", "in-review"},
		"a conflict before that":              {fixed(2, "colony +paused", "colony -in-review"), "in-review", ""},
		"a person who pauses it":              {fixed(3, "olga +paused", "colony -in-review"), "in-review", ""},
		"a person who paused it, and resumed": {fixed(3, "colony +paused", "colony -in-review", "olga +in-review", "colony -paused", "olga +paused", "colony -in-review"), "in-review", ""},
	} {
		s := life.Fold(History{Changes: changes(t, c.log...), Labels: []string{"colony:paused"}})
		if back, ok := backFrom(life, s); !ok || back != c.want {
			t.Errorf("%s: back to %q, %v, want %q", name, back, ok, c.want)
		}
		for _, state := range []string{"in-review", "fixing-checks", "building"} {
			ruling := life.Rule(s, Ask{By: lifecycle.Actor{Login: "olga", Kind: lifecycle.Operator}, To: state}, nil)
			if allowed := state == c.want || state == c.also; (ruling.Verdict == lifecycle.Legal) != allowed {
				t.Errorf("%s: %s is %s", name, state, ruling.Verdict)
			}
		}
	}
}

func TestTimeOuts(t *testing.T) {
	asked := []string{"olga +todo @0s", "bot +doing @1m", "colony -todo @1m", "bot +asked @1h", "colony -doing @1h"}
	back := append(slices.Clone(asked), "colony +todo @49h", "colony -asked @49h")
	const told = "announce 6 asked>todo: Nobody answered, a person is asked; +needs-human"
	seeAll(t, []struct {
		name string
		observation
		want string
	}{
		{"not before its time", observation{life: "errands", log: asked, later: 48*time.Hour - time.Second}, ""},
		{"at its time", observation{life: "errands", log: asked, later: 48 * time.Hour}, "move asked>todo: Nobody answered, a person is asked for 48h; +todo, -asked"},
		{"however late", observation{life: "errands", log: asked, later: 500 * time.Hour}, "move asked>todo: Nobody answered, a person is asked for 48h; +todo, -asked"},
		{"it comes before the triggers", observation{life: "errands", log: asked, later: 48 * time.Hour, facts: []string{"sub-issues-closed"}}, "move asked>todo: Nobody answered, a person is asked for 48h; +todo, -asked"},
		{"before that the triggers count", observation{life: "errands", log: asked, later: time.Hour, facts: []string{"sub-issues-closed #3"}}, "move asked>todo: All parts are there for #3; +todo, -asked"},
		{"each state has its own", observation{life: "errands", log: asked[:3], later: 2 * time.Hour}, "move doing>over: Long enough, a person is asked for 2h; +over, -doing"},
		{"a state without one waits", observation{life: "errands", log: asked[:1], later: 999 * time.Hour}, ""},
		{"nobody knows since when", observation{life: "errands", labels: "asked", later: 999 * time.Hour}, ""},
		{"what is settled neither", observation{life: "errands", log: []string{"olga +todo @0s", "olga -todo @1h", "olga +asked @1h"}, since: 2 * time.Hour, later: 999 * time.Hour}, ""},
		{"it is announced", observation{life: "errands", log: back}, told},
		{"and not for a trigger's move", observation{life: "errands", log: append(slices.Clone(asked), "colony +todo @3h", "colony -asked @3h")}, ""},
		{"nor for a trigger's after a reopening, from which the time counts", observation{life: "errands", log: back, reopened: 48 * time.Hour}, ""},
		{"a reopening after it takes nothing back", observation{life: "errands", log: back, reopened: 50 * time.Hour}, told},
		{"GitHub's clock can be behind", observation{life: "errands", log: append(slices.Clone(asked), "colony +todo @48h59m58s", "colony -asked @48h59m58s")}, told},
		{"nor for one that leads elsewhere, however late", observation{life: "errands", log: append(slices.Clone(asked[:3]), "colony +asked @5h", "colony -doing @5h")}, ""},
		{"nor for a command's", observation{life: "errands", log: back, commanded: []int64{6}}, ""},
	})
	life := lifeOf(t, "errands")
	at, ok := life.TimesOut(life.Fold(History{Changes: changes(t, asked...), Labels: []string{"colony:asked"}}))
	if !ok || !at.Equal(morning.Add(49*time.Hour)) {
		t.Errorf("the time is over at %s, %v", at, ok)
	}
	reopened := []Closure{{Moment: Moment{At: morning.Add(2 * time.Hour), ID: 90}, Closed: true}, {Moment: Moment{At: morning.Add(99 * time.Hour), ID: 91}}}
	at, ok = life.TimesOut(life.Fold(History{Changes: changes(t, asked...), Labels: []string{"colony:asked"}, Closures: reopened}))
	if !ok || !at.Equal(morning.Add(147*time.Hour)) {
		t.Errorf("after it was opened again, the time is over at %s, %v", at, ok)
	}
	if at, ok := life.TimesOut(life.Fold(History{Changes: changes(t, asked...), Labels: []string{"colony:asked"}, Closures: reopened[:1]})); ok {
		t.Errorf("while it is closed, the time is over at %s", at)
	}
	closing := []Closure{{Moment: Moment{At: morning.Add(49*time.Hour - time.Second), ID: 5}, Closed: true}} // a moment before Colony moves it
	moved := life.Fold(History{Changes: changes(t, back...), Labels: []string{"colony:todo"}, Closures: closing})
	if row, ok := TimedOut(life, moved, len(moved.Trail)-1); !ok || row.To != "todo" {
		t.Errorf("the move to %s was for no timeout", moved.State)
	}
	if _, ok := life.TimesOut(Standing{State: "todo", Trail: []Move{{To: "todo", Moment: Moment{At: morning}}}}); ok {
		t.Error("a state without a time-out has a time")
	}
}

// Colony stops triggers that move an issue in a loop like two bots that fight.
func TestLoopsAreStopped(t *testing.T) {
	facts := []string{"pull-request-opened", "dependency-open", "sub-issues-closed"}
	steps := []string{"colony +doing", "colony -todo", "colony +asked", "colony -doing", "colony +todo", "colony -asked"}
	circling := func(moves int, every time.Duration) []string {
		log := []string{"olga +todo @0s"}
		for i := range moves {
			at := time.Minute + time.Duration(i)*every
			log = append(log, fmt.Sprintf("%s @%s", steps[2*(i%3)], at), fmt.Sprintf("%s @%s", steps[2*(i%3)+1], at))
		}
		return log
	}
	seeAll(t, []struct {
		name string
		observation
		want string
	}{
		{"five moves within the window are made", observation{life: "errands", log: circling(4, time.Minute), facts: facts}, "move doing>asked: It waits for another; +asked, -doing"},
		{"so is the sixth", observation{life: "errands", log: circling(5, time.Minute), facts: facts}, "move asked>todo: All parts are there; +todo, -asked"},
		{"then it is said, a person is asked, and nothing is moved", observation{life: "errands", log: circling(6, time.Minute), facts: facts, later: time.Minute}, "halted by [12], say so, +needs-human"},
		{"six in the window's full length are too many", observation{life: "errands", log: circling(6, 6*time.Minute), facts: facts, answers: []int64{12}, later: time.Minute}, "halted by [12], +needs-human"},
		{"those before Colony came do not count", observation{life: "errands", log: circling(6, time.Minute), facts: facts, installed: 90 * time.Second, later: time.Minute}, "move todo>doing: Somebody works on it; +doing, -todo"},
		{"said once", observation{life: "errands", log: circling(6, time.Minute), facts: facts, answers: []int64{12}, later: time.Minute}, "halted by [12], +needs-human"},
		{"it stays so", observation{life: "errands", log: append(circling(6, time.Minute), "colony +needs-human @10m"), facts: facts, answers: []int64{12}, later: 24 * time.Hour}, "halted by [12]"},
		{"until what caused the last of them is over", observation{life: "errands", log: circling(6, time.Minute), facts: facts[:2], answers: []int64{12}, later: time.Minute}, "move todo>doing: Somebody works on it; +doing, -todo"},
		{"which has to be read", observation{life: "errands", log: circling(6, time.Minute), unread: true, answers: []int64{12}, later: time.Minute}, "read [sub-issues]"},
		{"slow rounds are none", observation{life: "errands", log: circling(6, 10*time.Minute), facts: facts}, "move todo>doing: Somebody works on it; +doing, -todo"},
		{"a person's move starts it again", observation{life: "errands", log: append(circling(6, time.Minute), "olga +doing @10m", "colony -todo @10m"), facts: facts, answers: []int64{12}}, "move doing>asked: It waits for another; +asked, -doing"},
		{"a bot's does not", observation{life: "errands", log: append(circling(6, time.Minute), "bot +doing @10m", "colony -todo @10m"), facts: facts, answers: []int64{12}, later: time.Minute}, "halted by [12], +needs-human"},
	})
}

// A cause that several rows share is said once.
func TestACauseOfSeveralRowsIsSaidOnce(t *testing.T) {
	life := shipped(t, "colony")
	stop := Rejection{From: "dependency-blocked", To: "ready-for-dev"}
	want := "The dependencies are completed; or: Nothing is left that the issue waited for"
	if got := (Facts{}).LoopCause(life, stop).Why; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestClosing(t *testing.T) {
	done := []string{"olga +init", "bot +gather", "colony -init", "bot +analyze", "colony -gather", "bot +plan", "colony -analyze", "bot +apply", "colony -plan", "bot +verify", "colony -apply", "bot +done", "colony -verify"} // at 110s
	byMerge := append(autoralphAt("in-review"), "colony +completed @2m", "colony -in-review @2m")
	again := "say about : It is open again, but nothing leads out of completed: open a new issue for what is left"
	seeAll(t, []struct {
		name string
		observation
		want string
	}{
		{"an end closes the issue", observation{life: "colibri", log: done}, "close as completed"},
		{"once", observation{life: "colibri", log: done, closed: true}, ""},
		{"also while a label is still to be taken off", observation{life: "colibri", log: done[:12]}, "-verify; close as completed"},
		{"an end may be one that nobody planned", observation{life: "colibri", log: []string{"olga +init", "colony +cancelled", "colony -init"}}, "close as not_planned"},
		{"where Colony has stopped it closes nothing", observation{life: "colibri", log: slices.Concat(done, often(6, "bot +plan", "colony -plan")), answers: []int64{14, 16, 18, 20, 22, 24}, later: time.Minute}, "halted by [24], +needs-human"},
		{"what is no end closes nothing", observation{life: "colibri", log: done[:11]}, ""},
		{"nor an end that says nothing of it", observation{life: "prp", log: []string{"olga +planned", "olga +researching", "colony -planned", "olga +implementing", "colony -researching", "olga +failed", "colony -implementing"}}, ""},
		{"who opens it again is right", observation{life: "colibri", log: done, reopened: 3 * time.Minute}, ""},
		{"who did so before the end is not", observation{life: "colibri", log: done, reopened: time.Minute}, "close as completed"},
		{"nor who did before the merge that led there", observation{life: "autoralph", log: byMerge, reopened: time.Minute, facts: []string{"pull-request-merged @90s"}}, "close as completed"},
		{"nor where the merge is gone", observation{life: "autoralph", log: byMerge, reopened: time.Minute}, "close as completed"},
		{"who does after the merge is, however late Colony comes", observation{life: "autoralph", log: byMerge, reopened: 95 * time.Second, facts: []string{"pull-request-merged @90s", "issue-reopened @95s"}}, again},
		{"within its second too", observation{life: "autoralph", log: byMerge, reopened: 90 * time.Second, facts: []string{"pull-request-merged @90s", "issue-reopened @90s"}}, again},
		{"the merge is read for that", observation{life: "autoralph", log: byMerge, reopened: time.Minute, unread: true}, "read [closing pull-requests]"},
		{"and not where nobody opened the issue again", observation{life: "autoralph", log: byMerge, unread: true}, "close as completed"},
		{"nor after a person's move to the end", observation{life: "colibri", log: done, reopened: time.Minute, unread: true}, "read [closing]"},
		{"what leads only closed issues to their end came before", observation{life: "prp", log: []string{"olga +planned", "olga +researching", "colony -planned", "olga +implementing", "colony -researching", "colony +complete @3m", "colony -implementing @3m"}, reopened: 2 * time.Minute, facts: []string{"issue-reopened @2m"}}, "say about : It is open again, but this state is for ever: open a new issue for what is left"},
		{"before the merge is read nothing is closed", observation{life: "autoralph", log: append(slices.Clip(byMerge), "olga +building @5m"), reopened: time.Minute, unread: true, later: time.Hour}, "explain [12], +needs-human, -building; then look again"},
		{"what is too old to be judged stays as it is", observation{life: "colibri", log: done, since: 2 * time.Minute}, ""},
		{"what has no beginning does too", observation{life: "colibri", labels: "done", later: time.Hour}, ""},
		{"Colony's own move closes with the next reconciliation", observation{life: "autoralph", log: autoralphAt("in-review"), facts: []string{"pull-request-merged @9m"}}, "move in-review>completed: The pull request was merged; +completed, -in-review"},
		{"which is this one", observation{life: "autoralph", log: append(autoralphAt("in-review"), "colony +completed", "colony -in-review")}, "close as completed"},
	})
}

// Outside of the lifecycle there is no label to be put back.
func TestDecideOutside(t *testing.T) {
	seeAll(t, []struct {
		name string
		observation
		want string
	}{
		{"an issue that is not in the lifecycle is left alone", observation{life: "autoralph", log: []string{"olga +bug"}}, ""},
		{"the way in is queued", observation{life: "autoralph", log: []string{"olga +queued"}}, ""},
		{"a label further on is taken off again", observation{life: "autoralph", log: []string{"olga +building"}, later: time.Minute}, "explain [1], +needs-human, -building"},
		{"a bot's without asking for a person", observation{life: "autoralph", log: []string{"bot +building"}, later: time.Minute}, "explain [1], -building"},
		{"what was taken off is put back", observation{life: "autoralph", log: []string{"olga +queued", "olga -queued"}, later: time.Minute}, "explain [2], +queued, +needs-human"},
	})
}

// Colony undoes and explains a bad request that leads nowhere, and asks a person: the work failed.
func TestBadRequestsThatLeadNowhere(t *testing.T) {
	seeAll(t, []struct {
		name string
		observation
		want string
	}{
		{"without a state for it", observation{life: "colibri", log: []string{"olga +init", "bot +gather", "colony -init", "bot +done"}, later: time.Minute}, "explain [4], +needs-human, -done"},
		{"where the table does not lead to it", observation{life: "autoralph", log: []string{"olga +queued", "bot +approved"}, later: time.Minute}, "explain [2], +needs-human, -approved"},
		{"a bot that comes late is only told", observation{life: "autoralph", log: append(autoralphAt("refining"), "olga +paused", "colony -refining", "bot +approved"), later: time.Minute}, "explain [6], -approved; then look again"},
	})
}

func TestOrderOfWhatWaits(t *testing.T) {
	life := shipped(t, "colibri")
	for _, c := range []struct {
		labels string
		want   int
	}{
		{"urgency/2 importance/2", 0},
		{"urgency/3 importance/3 bug", 0},
		{"URGENCY/3 Importance/2", 0},
		{"importance/2", 1},
		{"importance/3 urgency/1", 1},
		{"urgency/2", 2},
		{"urgency/3 importance/1", 2},
		{"", 3},
		{"urgency/1 importance/1", 3},
		{"urgency/0 urgency/2 importance/0", 2}, // of several levels the highest counts
		{"urgency/4 importance/9", 3},           // there are no such levels
	} {
		if got := life.Rank(labelList(c.labels)); got != c.want {
			t.Errorf("%q has rank %d, want %d", c.labels, got, c.want)
		}
	}
	if got := colony(t).Rank(labelList("urgency/3")); got != 0 {
		t.Errorf("without a priority all issues are the same, and not of rank %d", got)
	}

	candidate := func(number int, created time.Duration, labels string) lifecycle.Candidate {
		return lifecycle.Candidate{Number: number, Created: morning.Add(created), Labels: labelList(labels)}
	}
	waiting := []lifecycle.Candidate{
		candidate(1, 0, ""),
		candidate(2, 0, "urgency/3"),
		candidate(3, time.Hour, "urgency/2 importance/2"),
		candidate(4, time.Minute, "importance/3"),
		candidate(9, time.Second, "importance/2"),
		candidate(8, time.Minute, "importance/2 urgency/0"),
		candidate(7, 2*time.Hour, "urgency/3 importance/3"),
		candidate(6, 0, "importance/1"),
	}
	life.Order(waiting)
	var got []int
	for _, w := range waiting {
		got = append(got, w.Number)
	}
	if diff := cmp.Diff([]int{3, 7, 9, 4, 8, 2, 1, 6}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestScalesAreLabelsAndNeverStates(t *testing.T) {
	life := shipped(t, "colibri")
	var got []string
	for _, l := range life.Labels() {
		if strings.Contains(l.Label, "/") {
			got = append(got, fmt.Sprintf("%s: %s", l.Label, l.Description))
			if s, isState := life.StateOf(l.Label); isState {
				t.Errorf("%s is taken for state %s", l.Label, s.Name)
			}
		}
	}
	if len(got) != 8 || got[2] != "colony:urgency/2: Urgency, for Colony's order of work: 2 of 0 to 3." || !strings.HasPrefix(got[7], "colony:importance/3: ") {
		t.Errorf("the labels of the scales are\n%s", strings.Join(got, "\n"))
	}
}

// Colony moves nothing that stood where it is when Colony came, until somebody moves it: docs/design.md, Since when.
func TestWhatStoodWhenColonyCameStays(t *testing.T) {
	const fix = "move in-review>fixing-checks: Checks of the pull request failed; +fixing-checks, -in-review"
	inReview := autoralphAt("in-review") // since 70s
	failed := []string{"checks-failed @9h"}
	seeAll(t, []struct {
		name string
		observation
		want string
	}{
		{"it came to its state before", observation{life: "autoralph", log: inReview, installed: time.Hour, later: 9 * time.Hour, facts: failed}, ""},
		{"it came there since", observation{life: "autoralph", log: inReview, installed: 70 * time.Second, facts: failed}, fix},
		{"what is moved since is moved on", observation{life: "autoralph", log: append(inReview[:9:9], "colony +fixing-checks @2h", "colony -in-review @2h", "bot +in-review @3h", "colony -fixing-checks @3h"), installed: time.Hour, facts: failed}, fix},
		{"also once that is settled", observation{life: "autoralph", log: []string{"olga +queued @0s", "olga +in-review @2h", "olga -queued @2h"}, installed: time.Hour, since: 3 * time.Hour, later: 9 * time.Hour, facts: failed}, fix},
		{"what is settled and came before is not", observation{life: "autoralph", log: []string{"olga +queued @0s", "olga +in-review @2h", "olga -queued @2h"}, installed: 150 * time.Minute, since: 3 * time.Hour, later: 9 * time.Hour, facts: failed}, ""},
		{"nor is what came before and whose label somebody put back since", observation{life: "autoralph", log: append(inReview[:9:9], "olga -in-review @2h", "olga +in-review @2h"), installed: time.Hour, later: 9 * time.Hour, facts: failed}, ""},
		{"no time-out ends it", observation{life: "errands", log: []string{"olga +todo @0s", "bot +doing @1m", "colony -todo @1m"}, installed: time.Hour, later: 9 * time.Hour}, ""},
	})
}

// The record of a move names what it is made for, and all that lasts and asks for it too.
func TestAMoveNamesItsCauses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		facts []Observation
		want  []string
	}{
		"what lasts, sorted": {
			[]Observation{{Fact: "dependency-open", About: "#9"}, {Fact: "files-overlap", About: "#7: paint.txt"}, {Fact: "dependency-open", About: "#8"}},
			[]string{"dependency-open #8", "dependency-open #9", "files-overlap #7"},
		},
		"what leads elsewhere is no cause": {
			[]Observation{{Fact: "dependency-open", About: "#9"}, {Fact: "dependency-cycle", About: "#9"}}, []string{"dependency-cycle #9"},
		},
		"more than four": {
			[]Observation{{Fact: "dependency-open", About: "#5"}, {Fact: "dependency-open", About: "#6"}, {Fact: "dependency-open", About: "#7"}, {Fact: "dependency-open", About: "#8"}, {Fact: "dependency-open", About: "#9"}}, nil,
		},
	} {
		in := &input{Case: Case{Standing: Standing{State: "ready-for-dev"}}, Evidence: Evidence{Facts: Facts{Observed: c.facts}}, life: shipped(t, "colony")}
		if a, ok := in.triggered(); !ok || !slices.Equal(a.Causes, c.want) {
			t.Errorf("%s: %v, %v", name, a, ok)
		}
	}
}
