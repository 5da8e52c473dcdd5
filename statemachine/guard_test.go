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

// guarded is a shipped lifecycle with the guards that some tests need.
func guarded(t *testing.T, guards string) *Table {
	t.Helper()
	text, err := lifecycle.ShippedFile("colony")
	if err != nil {
		t.Fatal(err)
	}
	begin := strings.Index(string(text), "\nguards:\n")
	end := begin + strings.Index(string(text[begin:]), "\n\n")
	life, err := Parse("guarded.yml", slices.Concat(text[:begin], []byte(guards), text[end:]))
	if err != nil {
		t.Fatal(err)
	}
	return life
}

const fourEyes = `
guards:
  - name: four-eyes
    why: Somebody else than the one who asked for the review has to approve.
    from: in-review
    to: merge-pending
    forbids:
      - is: previous-mover
`

const leadsOnly = `
guards:
  - name: leads
    why: A lead has to approve.
    from: in-review
    to: merge-pending
    requires:
      - team: acme/leads
    needs-human: true
`

const entry = `
guards:
  - name: known
    why: Somebody has to know who asks.
    to: new
    requires:
      - team: acme/leads
`

const notYet = `
guards:
  - name: complete
    why: The form has to be filled in before a bot asks for a review.
    from: in-development
    to: in-review
    of: executors
    requires:
      - section: Acceptance
`

// says returns answers: the words are the conditions that hold, all others do not; nothing: none is known.
func says(words string) Answers {
	if words == "unknown" {
		return nil
	}
	return func(_ lifecycle.Asking, c lifecycle.Condition) lifecycle.Answer {
		if words == "unreadable" {
			return lifecycle.Unknown
		}
		return lifecycle.AnswerOf(slices.ContainsFunc(c.Words, func(w string) bool { return slices.Contains(strings.Fields(words), w) }))
	}
}

// What guards make of a log, and what of that comes from the log alone.
func TestFoldWithGuards(t *testing.T) {
	review := []string{"olga +in-review"}
	after := func(more ...string) []string { return append(slices.Clone(review), more...) }
	for _, c := range []struct {
		name, guards string
		log          []string
		answers      string
		state        string
		rejected     string
		pending      string
		granted      string
	}{
		{"who made the move before may not make the next", fourEyes, after("olga +merge-pending"), "unknown", "in-review", "[2] olga in-review>merge-pending guarded", "", ""},
		{"somebody else may", fourEyes, after("omar +merge-pending"), "unknown", "merge-pending", "", "", ""},
		{"a pause between is no move of the work", fourEyes, after("omar +paused", "omar -in-review", "omar +in-review", "omar -paused", "olga +merge-pending"), "unknown", "in-review", "[6] olga in-review>merge-pending guarded", "", ""},
		{"nor does it hold who paused", fourEyes, after("omar +paused", "omar -in-review", "omar +in-review", "omar -paused", "omar +merge-pending"), "unknown", "merge-pending", "", "", ""},
		{"other moves are free", fourEyes, after("olga +changes-requested"), "unknown", "changes-requested", "", "", ""},
		{"a refused swap is one refusal", fourEyes, after("olga +merge-pending", "olga -in-review"), "unknown", "in-review", "[2 3] olga in-review>merge-pending guarded", "", ""},
		{"in the other order too", fourEyes, after("olga -in-review", "olga +merge-pending"), "unknown", "in-review", "[2 3] olga in-review>merge-pending guarded", "", ""},

		{"what nobody knows waits", leadsOnly, after("olga +merge-pending"), "unknown", "in-review", "", "2", ""},
		{"both halves of it", leadsOnly, after("olga +merge-pending", "olga -in-review"), "unknown", "in-review", "", "2", ""},
		{"in the other order too", leadsOnly, after("olga -in-review", "olga +merge-pending"), "unknown", "in-review", "[2] olga in-review> not-in-table withdrawn", "3", ""},
		{"who takes it back waits no more", leadsOnly, after("olga +merge-pending", "olga -merge-pending"), "unknown", "in-review", "", "", ""},
		{"what is read grants it", leadsOnly, after("olga +merge-pending"), "acme/leads", "merge-pending", "", "", "2"},
		{"or refuses it", leadsOnly, after("olga +merge-pending"), "none", "in-review", "[2] olga in-review>merge-pending guarded", "", ""},
		{"what comes after what nobody asked about waits too", leadsOnly, after("olga +merge-pending", "omar +changes-requested"), "unknown", "in-review", "", "2", ""},
		{"a legal move overtakes what cannot be read", leadsOnly, after("olga +merge-pending", "omar +changes-requested"), "unreadable", "changes-requested", "", "", ""},

		{"who takes it back before anyone looked asked for nothing, also from outside the lifecycle", entry, []string{"olga +new", "olga -new"}, "unknown", "unlabeled", "", "", ""},
		{"and where the label of the state is about to come back", leadsOnly, after("omar -in-review", "olga +merge-pending", "olga -merge-pending"), "unknown", "in-review", "[2] omar in-review> not-in-table", "", ""},

		{"a move that Colony finished was granted, whatever is so now", leadsOnly, after("olga +merge-pending", "colony -in-review"), "none", "merge-pending", "", "", ""},
		{"so was one that it marked", leadsOnly, after("olga +merge-pending", "olga -in-review", "colony +colony:checked", "colony -colony:checked"), "none", "merge-pending", "", "", ""},
		{"a mark of somebody else's grants nothing", leadsOnly, after("olga +merge-pending", "olga -in-review", "olga +colony:checked"), "none", "in-review", "[2 3] olga in-review>merge-pending guarded", "", ""},
		{"one mark is the record of one move", leadsOnly, after("olga +merge-pending", "olga -in-review", "colony +colony:checked", "colony -colony:checked", "olga +in-review", "olga -merge-pending", "olga +merge-pending", "olga -in-review"), "none", "in-review", "[8 9] olga in-review>merge-pending guarded", "", ""},
		{"a move that Colony undid was refused, whatever is so now", leadsOnly, after("olga +merge-pending", "olga -in-review", "colony +in-review", "colony -merge-pending"), "acme/leads", "in-review", "[2 3] olga in-review>merge-pending guarded", "", ""},
		{"also half undone", leadsOnly, after("olga +merge-pending", "olga -in-review", "colony +in-review"), "acme/leads", "in-review", "[2 3] olga in-review>merge-pending guarded", "", ""},
		{"and by taking the label off alone", leadsOnly, after("olga +merge-pending", "colony -merge-pending"), "acme/leads", "in-review", "[2] olga in-review>merge-pending guarded", "", ""},
		{"asking again is judged anew", leadsOnly, after("olga +merge-pending", "colony -merge-pending", "olga +merge-pending"), "acme/leads", "merge-pending", "[2] olga in-review>merge-pending guarded", "", "4"},
		{"what Colony does for a command was checked before", leadsOnly, after("for-olga +merge-pending"), "none", "merge-pending", "", "", ""},
		{"a move that is not in the table is not guarded", leadsOnly, after("olga +new"), "none", "in-review", "[2] olga in-review>new not-in-table", "", ""},
		{"a bot's refused move is undone, and no failure", notYet, []string{"olga +in-development", "dev +in-review"}, "none", "in-development", "[2] dev in-development>in-review guarded", "", ""},
		{"people need not care about a guard of bots", notYet, []string{"olga +in-development", "olga +in-review"}, "none", "in-review", "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			log := changes(t, c.log...)
			h := traced(log)
			h.Answers = says(c.answers)
			got := guarded(t, c.guards).Fold(h)
			var pending []string
			for _, a := range got.Pending {
				pending = append(pending, fmt.Sprint(a.EventID))
			}
			is := []string{got.State, rejected(got.Rejections), strings.Join(pending, " "), strings.Trim(fmt.Sprint(got.Granted), "[]")}
			if diff := cmp.Diff([]string{c.state, c.rejected, c.pending, c.granted}, is); diff != "" {
				t.Errorf("state, rejected, pending, granted (-want +got)\n%s", diff)
			}
		})
	}
}

// What a guard decided stays decided: the log that Colony leaves tells it, whatever the facts are later.
func TestVerdictsOfGuardsLast(t *testing.T) {
	life := guarded(t, leadsOnly)
	for _, script := range [][]string{
		{"olga +in-review", "olga +merge-pending"},
		{"olga +in-review", "olga +merge-pending", "olga -in-review"},
		{"olga +in-review", "olga -in-review", "olga +merge-pending"},
		{"olga +in-review", "olga +merge-pending", "omar +changes-requested"},
		{"olga +in-review", "olga +merge-pending", "olga -in-review", "olga +done"},
		{"olga +in-review", "olga +merge-pending", "omar +changes-requested", "olga -merge-pending"},
		{"olga +in-review", "olga +merge-pending", "olga -in-review", "omar +changes-requested", "olga -merge-pending"},
		{"olga +in-review", "olga +merge-pending", "olga -in-review", "rev +changes-requested", "rev +new"},
	} {
		for _, answer := range []string{"acme/leads", "none"} {
			log := changes(t, script...)
			now := log[len(log)-1].At.Add(time.Hour)
			told := map[int64]bool{}
			explained := func(id int64) bool { return told[id] }
			for range 5 { // as often as Colony reconciles
				h := traced(log)
				h.Answers, h.Explained = says(answer), explained
				d, _ := life.Decide(Thresholds{BreakerRejections: 5, BreakerWindow: time.Hour}, Case{Standing: life.Fold(h), Labels: h.Labels, Now: now}, Evidence{
					GuardsRead: true, Facts: Facts{Read: lifecycle.EveryReading()},
					Said: Said{Answered: explained, Stopped: explained, Asked: func(int64) bool { return false }, RefusedCommand: func(time.Time) bool { return false }},
				})
				log = written(log, now, d)
				for _, r := range d.Explain {
					for _, id := range r.IDs {
						told[id] = true
					}
				}
			}
			first := life.Fold(History{Changes: log, Labels: labelsAfter(log), Answers: says(answer), Explained: explained})
			other := life.Fold(History{Changes: log, Labels: labelsAfter(log), Answers: says(map[string]string{"acme/leads": "none", "none": "acme/leads"}[answer]), Explained: explained})
			if first.State != other.State || len(other.Granted)+len(other.Pending) > 0 || trail(first.Trail) != trail(other.Trail) {
				t.Errorf("%v, %s: %s by %s, and later %s by %s, granted %v", script, answer, first.State, trail(first.Trail), other.State, trail(other.Trail), other.Granted)
			}
			if lifecycle.HasLabel(labelsAfter(log), lifecycle.Checked) {
				t.Errorf("%v, %s: the mark is left", script, answer)
			}
		}
	}
}

// written is a log after the writes of a decision: what is added goes first.
func written(log []Change, at time.Time, d Decision) []Change {
	note := func(added bool, label string) {
		log = append(log, Change{Moment: Moment{At: at, ID: int64(len(log) + 1)}, Added: added, Label: label, By: cast["colony"]})
	}
	for _, label := range d.Add {
		if !lifecycle.HasLabel(labelsAfter(log), label) {
			note(true, label)
		}
	}
	for _, label := range d.Remove {
		if lifecycle.HasLabel(labelsAfter(log), label) {
			note(false, label)
		}
	}
	return log
}

// Who made the move before is known for as long as the log is, wherever the horizon is meanwhile: also across a pause.
func TestFourEyesOutlastTheHorizon(t *testing.T) {
	t.Parallel()
	life := guarded(t, fourEyes)
	at := func(hour int, added bool, state, by string) Change {
		return Change{Moment: Moment{At: morning.Add(time.Duration(hour) * time.Hour)}, Added: added, Label: "colony:" + state, By: cast[by]}
	}
	for name, paused := range map[string][]Change{
		"at once": nil,
		"paused":  {at(20, true, "paused", "omar"), at(20, false, "in-review", "colony"), at(60, true, "in-review", "omar"), at(60, false, "paused", "colony")},
	} {
		for by, want := range map[string]string{"olga": "in-review", "omar": "merge-pending"} {
			for horizon := -1; horizon < 100; horizon += 10 {
				log := slices.Concat([]Change{at(0, true, "in-review", "olga")}, paused, []Change{at(100, true, "merge-pending", by)})
				for i := range log {
					log[i].ID = int64(i + 1)
				}
				h := traced(log)
				h.Labels, h.JudgedSince = labelsAfter(log), morning.Add(time.Duration(horizon)*time.Hour)
				if got := life.Fold(h); got.State != want {
					t.Errorf("%s, judged since hour %d: %s brings it to %s, want %s", name, horizon, by, got.State, want)
				}
			}
		}
	}
}

// Two granted moves of which nothing is left to finish are both recorded before what came after them is undone, and stay granted.
func TestEachGrantIsRecordedBeforeAnythingElseIsWritten(t *testing.T) {
	t.Parallel()
	life := guarded(t, `
guards:
  - name: not-a-bug
    why: A bug goes another way.
    to: [ready-for-dev, new]
    forbids:
      - label: bug
`)
	log := changes(t, "olga +planning", "olga +ready-for-dev", "dev -planning", "dev -ready-for-dev", "dev +new", "dev +in-development")
	now := log[len(log)-1].At.Add(time.Hour)
	for round := 0; ; round++ {
		h := traced(log)
		h.Labels, h.Answers = labelsAfter(log), says("none")
		s := life.Fold(h)
		if want := "unlabeled>planning planning>ready-for-dev ready-for-dev>new bad-request:new>failure-blocked"; trail(s.Trail) != want {
			t.Fatalf("after %d rounds the trail is %s, want %s", round, trail(s.Trail), want)
		}
		d, _ := life.Decide(Thresholds{Settle: time.Second}, Case{Standing: s, Labels: h.Labels, Now: now}, Evidence{
			GuardsRead: true, Facts: Facts{Read: lifecycle.EveryReading()},
			Said: Said{Answered: func(int64) bool { return true }, Stopped: func(int64) bool { return true }, Asked: func(int64) bool { return true }},
		})
		if len(d.Add)+len(d.Remove) == 0 {
			if round != 2 || !slices.Equal(h.Labels, []string{"colony:failure-blocked", "colony:needs-human"}) {
				t.Errorf("%d rounds lead to %v", round, h.Labels)
			}
			return
		}
		write := func(label string, added bool) {
			now = now.Add(time.Second)
			log = append(log, Change{Moment: Moment{At: now, ID: int64(len(log) + 1)}, Added: added, Label: label, By: cast["colony"]})
		}
		for _, label := range d.Add {
			write(label, true)
		}
		for _, label := range d.Remove {
			if lifecycle.HasLabel(labelsAfter(log), label) {
				write(label, false)
			}
		}
	}
}

// judging is one reconciliation under guards of an issue that is quiet, as far as nothing else is said.
type judging struct {
	guards  string
	log     []string
	labels  string // what is on the issue, if not what the log leaves
	answers string // what holds, as for says
	// notAsked says that nobody has asked for what guards need, mayWait that another try is worth it, withoutComments that no comment is read,
	// and asked that a person was asked already.
	notAsked, mayWait, withoutComments, asked bool
	explained                                 []int64
	warns                                     bool
	facts                                     []Observation
	later                                     time.Duration // how long after the last change; 0: a minute
}

func (j judging) decide(t *testing.T) (Decision, Needs) {
	t.Helper()
	life, log := guarded(t, j.guards), changes(t, j.log...)
	h := traced(log)
	if j.labels != "" {
		h.Labels = labelList(j.labels)
	}
	h.Stands = j.warns
	h.Explained = func(id int64) bool { return slices.Contains(j.explained, id) }
	if h.Answers = says(j.answers); j.notAsked {
		h.Answers = nil
	}
	read := Evidence{GuardsRead: !j.notAsked, Unreadable: "who is in acme/leads", Facts: Facts{Read: lifecycle.EveryReading(), Observed: j.facts}}
	if !j.withoutComments {
		read.Said = Said{Answered: h.Explained, Stopped: h.Explained, Asked: func(int64) bool { return j.asked }, RefusedCommand: func(time.Time) bool { return false }}
	}
	last := log[len(log)-1].At
	now := last.Add(time.Minute)
	if j.later > 0 {
		now = last.Add(j.later)
	}
	return life.Decide(modelThresholds, Case{Standing: life.Fold(h), Labels: h.Labels, Updated: last, Now: now, MayWait: j.mayWait}, read)
}

// Colony finishes what guards grant and undoes what they refuse, and that is the record of the verdict. Where nothing is left to finish, it puts
// its mark on and takes it off. Nothing else may come before it that could pass for another verdict.
func TestWhatGuardsDecideIsRecordedFirst(t *testing.T) {
	t.Parallel()
	const both = leadsOnly + `
  - name: rest
    why: Somebody of care has to allow a rest.
    to: paused
    requires:
      - team: acme/care
`
	review := func(more ...string) []string { return append([]string{"olga +in-review"}, more...) }
	swapped := review("olga +merge-pending", "olga -in-review")
	for _, c := range []struct {
		name string
		judging
		want string
	}{
		{"a granted move is finished", judging{guards: leadsOnly, log: review("olga +merge-pending"), answers: "acme/leads"}, "-in-review"},
		{"who did both halves left nothing to finish", judging{guards: leadsOnly, log: swapped, answers: "acme/leads"}, "+checked, -checked; then look again"},
		{"a mark that was left on goes", judging{guards: leadsOnly, log: append(swapped, "colony +checked"), answers: "acme/leads"}, "-checked"},
		{"somebody else's mark goes first, as only an event records anything", judging{guards: leadsOnly, log: append(swapped, "omar +checked"), answers: "acme/leads"}, "-checked; then look again"},
		{"a refused move is undone", judging{guards: leadsOnly, log: review("olga +merge-pending"), answers: "none"}, "explain [2], +needs-human, -merge-pending; then look again"},
		{"both halves of it", judging{guards: leadsOnly, log: swapped, answers: "none"}, "explain [2 3], +in-review, +needs-human, -merge-pending; then look again"},
		{"of a guard that asks for nobody", judging{guards: fourEyes, log: swapped, answers: "none"}, "explain [2 3], +in-review, -merge-pending; then look again"},
		{"what a guard refused goes before what was left behind", judging{guards: leadsOnly, log: review("olga +merge-pending", "omar +changes-requested"), answers: "none", explained: []int64{2}}, "-merge-pending, -in-review"},
		{"the mark comes before all that is undone", judging{guards: leadsOnly, log: append(swapped, "olga +new"), answers: "acme/leads"}, "explain [4], +checked, +needs-human, -new, -checked; then look again"},

		{"of two grants without a record the first has its mark alone", judging{guards: both, log: append(swapped, "olga +paused", "olga -merge-pending", "olga +colony:nonsense"), answers: "acme/leads acme/care", explained: []int64{6}}, "+checked, -checked; then look again"},
		{"then the second", judging{guards: both, log: append(swapped, "olga +paused", "olga -merge-pending", "olga +colony:nonsense", "colony +checked", "colony -checked"), answers: "acme/leads acme/care", explained: []int64{6}}, "+checked, -nonsense, -checked; then look again"},
		{"also where finishing the last would be the record of that", judging{guards: both, log: append(swapped, "olga +paused"), answers: "acme/leads acme/care"}, "+checked, -checked; then look again"},
		{"and then it is", judging{guards: both, log: append(swapped, "olga +paused", "colony +checked", "colony -checked"), answers: "acme/leads acme/care"}, "-merge-pending"},
		{"a refusal is explained and undone before a grant is marked", judging{guards: both, log: append(swapped, "olga +paused"), answers: "acme/leads"}, "explain [4], -paused; then look again"},
		{"once it is explained it is undone", judging{guards: both, log: append(swapped, "olga +paused"), answers: "acme/leads", explained: []int64{4}}, "-paused; then look again"},
		{"and then comes the mark", judging{guards: both, log: append(swapped, "olga +paused", "colony -paused"), answers: "acme/leads", explained: []int64{4}}, "+checked, -checked; then look again"},
		{"and before what a later move left behind", judging{guards: leadsOnly, log: append(swapped, "omar +done"), answers: "acme/leads"}, "+checked, -merge-pending, -checked; close as completed; then look again"},
		{"a refusal is undone alone then", judging{guards: both, log: append(swapped, "olga +paused", "olga +colony:nonsense"), answers: "acme/leads", explained: []int64{4, 5}}, "-paused; then look again"},
		{"and a mark that is there goes alone", judging{guards: leadsOnly, log: append(swapped, "omar +checked", "olga +colony:nonsense"), answers: "acme/leads", explained: []int64{5}}, "-checked; then look again"},
		{"before Colony moves the issue itself, the grant is recorded", judging{guards: leadsOnly, log: swapped, answers: "acme/leads", facts: []Observation{{Fact: "pull-request-merged", At: morning.Add(time.Minute)}}}, "+checked, -checked; then look again"},
		{"which finishing does", judging{guards: leadsOnly, log: review("olga +merge-pending"), answers: "acme/leads", facts: []Observation{{Fact: "pull-request-merged", At: morning.Add(time.Minute)}}}, "move merge-pending>done: The pull request was merged; +done, -in-review, -merge-pending"},

		{"finishing a granted move needs no quiet", judging{guards: leadsOnly, log: review("olga +merge-pending", "olga +new"), answers: "acme/leads", later: time.Second}, "requeue at 09:00:22, -in-review"},
		{"unless that would pass for the grant of another", judging{guards: leadsOnly, log: append(swapped, "omar +done", "olga +new"), answers: "acme/leads", later: time.Second}, "requeue at 09:00:42"},
		{"or of one that a guard refused", judging{guards: leadsOnly, log: review("olga +merge-pending", "omar +changes-requested", "olga +colony:nonsense"), answers: "none", explained: []int64{2}, later: time.Second}, "requeue at 09:00:32"},
		{"once that is gone it needs none", judging{guards: leadsOnly, log: review("olga +merge-pending", "colony -merge-pending", "omar +changes-requested", "olga +colony:nonsense"), answers: "none", explained: []int64{2}, later: time.Second}, "requeue at 09:00:42, -in-review"},
		{"nor once the same was granted later", judging{guards: leadsOnly, log: review("olga +merge-pending", "colony -merge-pending", "olga +merge-pending", "colony -in-review", "omar +done", "olga +new"), answers: "acme/leads", explained: []int64{2}, later: time.Second}, "requeue at 09:01:02, -merge-pending"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, deeds(c.decide(t))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// A guard whose conditions GitHub does not tell neither grants nor refuses. Colony tries again, then says so once, and a sweep tries again.
func TestWhatGuardsCannotReadWaits(t *testing.T) {
	t.Parallel()
	asks := judging{guards: leadsOnly, log: []string{"olga +in-review @0s", "olga +merge-pending @1m", "olga -in-review @2m"}, answers: "unreadable"}
	but := func(change func(*judging)) judging {
		j := asks
		change(&j)
		return j
	}
	for _, c := range []struct {
		name string
		judging
		want string
	}{
		{"what nobody asked for is read first", but(func(j *judging) { j.notAsked = true }), "read for 2"},
		{"it is tried again", but(func(j *judging) { j.mayWait = true }), "unread"},
		{"a few times; before anything is said the comments are read", but(func(j *judging) { j.withoutComments = true }), "read the comments"},
		{"then Colony says what it cannot read, and asks a person where the guard does", asks, "undecided; ask in in-review for merge-pending as of 59s, a person: who is in acme/leads; +needs-human"},
		{"once", but(func(j *judging) { j.asked = true }), "undecided"},
		{"a guard that needs no person asks for none", but(func(j *judging) { j.guards = strings.Replace(leadsOnly, "    needs-human: true\n", "", 1) }), "undecided; ask in in-review for merge-pending as of 59s: who is in acme/leads"},
		{"the author of the request takes it back", but(func(j *judging) {
			j.log = append(slices.Clone(j.log), "olga +in-review @3m", "olga -merge-pending @3m")
		}), ""},
		{"another legal move takes its place", but(func(j *judging) { j.log = append(slices.Clone(j.log), "omar +changes-requested @3m") }), "-merge-pending"},
		{"where Colony only warns, what is not known is read all the same", but(func(j *judging) { j.warns, j.notAsked = true, true }), "read for 2"},
		{"and said once, without asking a person", but(func(j *judging) { j.warns = true }), "undecided; ask in in-review for merge-pending as of 59s: who is in acme/leads"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, n := c.decide(t)
			var got []string
			for _, a := range n.Guards {
				got = append(got, fmt.Sprint("read for ", a.EventID))
			}
			if w := d.Wait.Why; w == Unread || w == Undecided {
				got = append(got, string(w))
			}
			for _, a := range d.Ask {
				person := ""
				if a.AsksPerson {
					person = ", a person"
				}
				got = append(got, fmt.Sprintf("ask in %s for %s as of %s%s: %s", a.State, a.To, askedAt(a.IDs[0]).Sub(morning), person, a.Why))
			}
			if w := writes(d, n); w != "" {
				got = append(got, w)
			}
			if diff := cmp.Diff(c.want, strings.Join(got, "; ")); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// What a guard asks for, condition by condition as docs/lifecycle-format.md lists them. What the log tells is never read, and neither is what
// makes no difference any more.
func TestConditionsOfGuards(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		clauses string // of a guard of the move from in-development to in-review
		who     string // asks for it an hour after olga brought the issue to in-development; omar opened the issue
		holds   string // as for says
		granted bool
		read    string // the words of the conditions that were read
	}{
		{"requires: [{is: author}]", "omar", "", true, ""},
		{"requires: [{is: author}]", "olga", "", false, ""},
		{"requires: [{is: previous-mover}]", "olga", "", true, ""},
		{"requires: [{is: previous-mover}]", "omar", "", false, ""},
		{"requires: [{is: [author, previous-mover]}]", "omar", "", true, ""},
		{"requires: [{login: [Omar, ada]}]", "omar", "", true, ""},
		{"requires: [{login: [Omar, ada]}]", "olga", "", false, ""},
		{"requires: [{role: developer}]", "dev", "", true, ""},
		{"requires: [{role: [reviewer, developer]}]", "both", "", true, ""},
		{"requires: [{role: reviewer}]", "dev", "", false, ""},
		{"requires: [{role: developer}]", "bot", "", false, ""}, // the settings give it none
		{"requires: [{role: developer}]", "olga", "", false, ""},
		{"requires: [{by: label}]", "olga", "", true, ""},
		{"requires: [{by: command}]", "olga", "", false, ""},
		{"requires: [{moved-by: people}]", "dev", "", true, ""},
		{"requires: [{moved-by: [executors, colony]}]", "dev", "", false, ""},
		{"requires: [{in-state-for: 1h}]", "dev", "", true, ""},
		{"requires: [{in-state-for: 61m}]", "dev", "", false, ""},

		{"requires: [{team: acme/leads}]", "omar", "acme/leads", true, "acme/leads"},
		{"requires: [{team: acme/leads}]", "omar", "", false, "acme/leads"},
		{"requires: [{login: olga}, {team: acme/leads}]", "omar", "acme/leads", false, ""},
		{"requires: [{login: omar}, {team: acme/leads}]", "omar", "acme/leads", true, "acme/leads"},
		{"requires: [{team: acme/leads}, {label: ready}]", "omar", "acme/leads", false, "acme/leads ready"},
		{"requires: [{team: acme/leads}, {label: ready}]", "omar", "ready", false, "acme/leads"},
		{"forbids: [{label: bug}]", "omar", "", true, "bug"},
		{"forbids: [{label: bug}]", "omar", "bug", false, "bug"},
		{"forbids: [{login: omar}, {label: bug}]", "omar", "", false, ""},
		{"requires: [{team: acme/leads}], forbids: [{label: bug}]", "omar", "acme/leads", true, "acme/leads bug"},
		{"requires: [{team: acme/leads}], forbids: [{label: bug}]", "omar", "acme/leads bug", false, "acme/leads bug"},
		{"requires: [{login: olga}], unless: [{login: omar, why: He knows}]", "omar", "", true, ""},
		{"requires: [{team: acme/leads}], unless: [{login: omar, why: He knows}]", "omar", "", true, ""},
		{"requires: [{login: olga}], unless: [{label: small, why: It is small}]", "omar", "small", true, "small"},
		{"requires: [{login: olga}], unless: [{label: small, why: It is small}]", "omar", "", false, "small"},
		{"requires: [{login: omar}], unless: [{label: small, why: It is small}]", "omar", "", true, ""},
		{"requires: [{team: acme/leads}], unless: [{label: small, why: It is small}]", "omar", "small", true, "small"},
		{"requires: [{team: acme/leads}], unless: [{label: small, why: It is small}]", "omar", "acme/leads", true, "small acme/leads"},
		{"requires: [{team: acme/leads}], unless: [{label: small, why: It is small}]", "omar", "", false, "small acme/leads"},
	} {
		t.Run(c.clauses+" "+c.who+" "+c.holds, func(t *testing.T) {
			life := guarded(t, "\nguards:\n  - {name: one, why: It takes more., from: in-development, to: in-review, "+c.clauses+"}\n")
			h := traced(changes(t, "olga +in-development @0s", c.who+" +in-review @1h"))
			h.Opening = Opening{By: "omar", At: morning.Add(-time.Hour)}
			var read []string
			holds := says(c.holds)
			h.Answers = func(a lifecycle.Asking, c lifecycle.Condition) lifecycle.Answer {
				read = append(read, c.Words...)
				return holds(a, c)
			}
			state := "in-development"
			if c.granted {
				state = "in-review"
			}
			if got := life.Fold(h); got.State != state || strings.Join(read, " ") != c.read {
				t.Errorf("in %s, and %q was read", got.State, read)
			}
			if c.read == "" {
				return
			}
			h.Answers = nil // before anything is read
			if got := life.Fold(h); got.State != "in-development" || len(got.Pending) != 1 {
				t.Errorf("before it is read: in %s, %+v", got.State, got.Pending)
			}
		})
	}
}

// A refusal names each guard that refuses, and asks for a person if one of them does.
func TestARefusalNamesItsGuards(t *testing.T) {
	t.Parallel()
	const three = `
guards:
  - {name: first, why: It takes a lead., to: merge-pending, requires: [{team: acme/leads}]}
  - {name: second, why: It takes care., to: merge-pending, requires: [{team: acme/care}], needs-human: true}
  - {name: third, why: It takes a label., to: merge-pending, requires: [{label: ready}]}
`
	for holds, want := range map[string]string{
		"acme/leads ready":           "[second] true",
		"acme/care":                  "[first third] false",
		"":                           "[first second third] true",
		"acme/leads acme/care ready": "",
	} {
		h := traced(changes(t, "olga +in-review", "omar +merge-pending"))
		h.Answers = says(holds)
		got := ""
		for _, r := range guarded(t, three).Fold(h).Rejections {
			got = fmt.Sprint(r.Guards.Names(), " ", r.AsksPerson)
		}
		if got != want {
			t.Errorf("with %q it is refused by %s, want %s", holds, got, want)
		}
	}
}

// Who made the last move of the work: the writer of a command made its move, and pausing, blocking and going back from there are none.
func TestWhoMovedTheWorkBefore(t *testing.T) {
	t.Parallel()
	pausedBy := func(who string) []string {
		return []string{who + " +paused", "colony -in-review", who + " +in-review", "colony -paused"}
	}
	for _, c := range []struct {
		name string
		log  []string
		by   string // as lifecycle files say it; empty if the log does not tell
	}{
		{"a person, by label", []string{"olga +in-review"}, "people"},
		{"a person, by command", []string{"for-olga +in-review"}, "people"},
		{"a bot, by label", []string{"olga +in-development", "dev +in-review"}, "executors"},
		{"a bot, by command", []string{"olga +in-development", "for-bot +in-review"}, "executors"},
		{"Colony, on its own", []string{"olga +in-development", "colony +in-review"}, "colony"},
		{"whoever paused it meanwhile", slices.Concat([]string{"olga +in-development", "dev +in-review"}, pausedBy("olga")), "executors"},
		{"by command too", slices.Concat([]string{"olga +in-review"}, pausedBy("for-bot")), "people"},
		{"a label from before the log", []string{"bot -in-review", "colony +in-review"}, ""},
	} {
		var held []string
		for _, by := range []string{"people", "executors", "colony"} {
			life := guarded(t, "\nguards:\n  - {name: one, why: It takes more., to: merge-pending, requires: [{moved-by: "+by+"}]}\n")
			if life.Fold(traced(changes(t, append(slices.Clone(c.log), "omar +merge-pending")...))).State == "merge-pending" {
				held = append(held, by)
			}
		}
		if got := strings.Join(held, " "); got != c.by {
			t.Errorf("%s: moved by %q, want %q", c.name, got, c.by)
		}
	}
}

// A fact that stands counts for a guard whenever it began; one that comes once counts if it came since the work was last decided about.
func TestFactsThatGuardsAskFor(t *testing.T) {
	t.Parallel()
	life := colony(t)
	s := life.Fold(traced(changes(t, "olga +in-review @1h")))
	asks := lifecycle.Asking{From: "in-review", To: "merge-pending", At: morning.Add(3 * time.Hour)}
	for _, c := range []struct {
		named, fact string
		at          time.Duration
		want        bool
	}{
		{"review-approved", "review-approved", 2 * time.Hour, true},
		{"review-approved", "review-approved", 30 * time.Minute, false},
		{"review-approved", "checks-passed", 2 * time.Hour, false},
		{"pull-request-opened", "pull-request-opened", 30 * time.Minute, true},
		{"review-approved checks-passed", "checks-passed", 2 * time.Hour, true},
	} {
		facts := Facts{Observed: []Observation{{Fact: lifecycle.Fact(c.fact), At: morning.Add(c.at)}}}
		if got := life.FactHolds(s, asks, strings.Fields(c.named), facts); got != c.want {
			t.Errorf("%s of %s, asked for %s: %t", c.fact, c.at, c.named, got)
		}
	}
}

// What finishes a granted move is its record, so it goes before another name of the state's label.
func TestTheRecordOfAGrantGoesBeforeOldNames(t *testing.T) {
	t.Parallel()
	life := *adopting(t, "colony")
	life.Guards = guarded(t, leadsOnly).Guards
	h := traced(changes(t, "olga +in-review", "omar +Old merge-pending"))
	h.Answers = says("acme/leads")
	d, n := life.Decide(modelThresholds, Case{Standing: life.Fold(h), Labels: h.Labels, Now: morning.Add(time.Hour)}, Evidence{GuardsRead: true, Facts: Facts{Read: lifecycle.EveryReading()}})
	if got, want := writes(d, n), "+merge-pending, -in-review, -Old merge-pending"; got != want {
		t.Errorf("it writes %s, want %s", got, want)
	}
}

// What is older than the horizon, or than the table, is settled: no guard is asked about it. What became of it before is left as
// it is.
func TestGuardsAreNotAskedAboutWhatIsSettled(t *testing.T) {
	t.Parallel()
	request := []string{"olga +in-review @0h", "olga +merge-pending @1h"}
	for name, c := range map[string]struct {
		more           []string
		horizon, begun time.Duration
		state          string
	}{
		"it is judged":               {nil, 0, 0, "in-review"},
		"older than the horizon":     {nil, 2 * time.Hour, 0, "merge-pending"},
		"older than the table":       {nil, 0, 2 * time.Hour, "merge-pending"},
		"refused before the horizon": {[]string{"colony -merge-pending @90m"}, 2 * time.Hour, 0, "in-review"},
		"granted after the horizon":  {[]string{"colony -in-review @90m"}, 80 * time.Minute, 0, "merge-pending"},
	} {
		h := traced(changes(t, append(slices.Clone(request), c.more...)...))
		h.JudgedSince, h.Begun, h.Answers = morning.Add(c.horizon), morning.Add(c.begun), says("none")
		got := guarded(t, leadsOnly).Fold(h)
		if got.State != c.state || len(got.Pending)+len(got.Granted) > 0 {
			t.Errorf("%s: in %s, pending %v, granted %v", name, got.State, got.Pending, got.Granted)
		}
	}
}

// A recorded refusal asked for a person if the mark was there before it: a refusal that asks for one puts it there first.
func TestARecordedRefusalKeepsWhetherItAskedForAPerson(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		guards string
		log    []string
		want   bool
	}{
		"with the mark":                         {leadsOnly, []string{"olga +in-review", "olga +merge-pending", "colony +needs-human", "colony -merge-pending"}, true},
		"which was there before":                {leadsOnly, []string{"olga +in-review", "colony +needs-human", "olga +merge-pending", "colony -merge-pending"}, true},
		"without it":                            {leadsOnly, []string{"olga +in-review", "olga +merge-pending", "colony -merge-pending"}, false},
		"with a mark that came later":           {leadsOnly, []string{"olga +in-review", "olga +merge-pending", "colony -merge-pending", "olga +needs-human"}, false},
		"with a mark that went":                 {leadsOnly, []string{"olga +needs-human", "olga +in-review", "olga -needs-human", "olga +merge-pending", "colony -merge-pending"}, false},
		"another mark":                          {leadsOnly, []string{"olga +in-review", "olga +merge-pending", "colony +forced", "colony -merge-pending"}, false},
		"by a guard that asks for none":         {strings.Replace(leadsOnly, "    needs-human: true\n", "", 1), []string{"olga +in-review", "olga +merge-pending", "colony +needs-human", "colony -merge-pending"}, false},
		"a mark that somebody put there anyhow": {leadsOnly, []string{"olga +in-review", "omar +needs-human", "olga +merge-pending", "colony -merge-pending"}, true},
	} {
		h := traced(changes(t, c.log...))
		h.Answers = says("acme/leads") // whatever is so now
		got := guarded(t, c.guards).Fold(h).Rejections
		if len(got) != 1 || got[0].AsksPerson != c.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// Of the moves that a bot can make, a guard leaves out what it refuses for what the bot is or did. What it refuses until something changes, or by
// one way to ask, remains.
func TestGuardsOfWhatABotCanDo(t *testing.T) {
	const all, without = "[failure-blocked changes-requested human-review-ready]", "[failure-blocked human-review-ready]"
	for condition, want := range map[string]string{
		"forbids: [{is: previous-mover}]":                                   without,
		"requires: [{login: olga}]":                                         without,
		"requires: [{login: olga}, {fact: review-approved}]":                without,
		"requires: [{login: rev}]":                                          all,
		"requires: [{fact: review-approved}]":                               all,
		"requires: [{in-state-for: 24h}]":                                   all,
		"requires: [{by: command}]":                                         all,
		"forbids: [{is: previous-mover}]\n    command: move":                all,
		"forbids: [{is: previous-mover}]\n    unless: [{label: a, why: b}]": all,
	} {
		life := guarded(t, "\nguards:\n  - name: a\n    why: It has to hold.\n    to: changes-requested\n    "+condition+"\n")
		s := life.Fold(traced(changes(t, "olga +in-review")))
		s.Trail[0].By = cast["rev"]
		var got []string
		for _, p := range life.NextAt(s, cast["rev"]) {
			got = append(got, p.To)
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%s: %s, want %s", condition, got, want)
		}
	}
}

// A move that a guard refuses to everyone until Colony makes it itself is offered to no one.
func TestWhatColonyMakesItselfIsNotOffered(t *testing.T) {
	paused := changes(t, "olga +queued", "olga +refining", "olga +approved", "olga +building", "olga +in-review", "olga +paused")
	for _, c := range []struct {
		name    string
		ignored []lifecycle.Reading
		want    string
	}{
		{"Colony completes what is merged", nil, "[in-review]"},
		{"where it follows no pull request, people do", []lifecycle.Reading{lifecycle.ReadPullRequests}, "[completed in-review]"},
	} {
		life := shippedWithGuards(t, "autoralph").With(Options{Ignored: c.ignored})
		s := shipped(t, "autoralph").Fold(traced(paused)) // the guards had no say then
		var got []string
		for _, p := range life.NextAt(s, cast["olga"]) {
			got = append(got, p.To)
		}
		slices.Sort(got)
		if fmt.Sprint(got) != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	// A guard about bots leaves the move to people, and one without such a row to everyone.
	life := shippedWithGuards(t, "colony")
	if merging := life.Fold(traced(changes(t, "olga +merge-pending"))); !slices.ContainsFunc(life.NextAt(merging, cast["bot"]), func(p lifecycle.Pair) bool { return p.To == "done" }) {
		t.Error("a merger is not offered done")
	}
	life = shippedWithGuards(t, "autoralph")
	if building := life.Fold(traced(paused[:4])); !slices.ContainsFunc(life.NextAt(building, cast["olga"]), func(p lifecycle.Pair) bool { return p.To == "in-review" }) {
		t.Error("in-review is not offered")
	}
}
