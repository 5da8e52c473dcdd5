package statemachine

import (
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/lifecycle"
	"github.com/google/go-cmp/cmp"
)

// A row that leads nowhere asks once: before Colony asks, it has to know what it asked.
func TestARowThatAsksAsksOnce(t *testing.T) {
	life, err := Parse("x.yml", []byte(strings.Replace(errands, "\ntriggers:\n", `
triggers:
  - {on: sub-issues-closed, in: doing, asks-person: true, why: Nobody knows whether it is over}
`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	olga := lifecycle.Actor{Login: "olga", Kind: lifecycle.Operator}
	in := Case{
		Standing: Standing{State: "todo"}.Move(Move{From: "todo", To: "doing", Kind: Moved, By: olga, Moment: Moment{At: at, ID: 1}}),
		Labels:   []string{"colony:doing"}, Now: at.Add(time.Minute),
	}
	read := Evidence{Facts: Facts{Read: []lifecycle.Reading{lifecycle.ReadDependencies, lifecycle.ReadPullRequests, lifecycle.ReadSubIssues}}}
	if d, n := life.Decide(Thresholds{}, in, read); n.Said || len(d.Ask) > 0 || len(d.Add) > 0 {
		t.Errorf("without the fact there is nothing to ask: %+v, %v", d, n)
	}
	read.Facts.Observed = []Observation{{Fact: "sub-issues-closed", At: at, About: "#7"}}
	if d, n := life.Decide(Thresholds{}, in, read); !n.Said || len(d.Ask) > 0 || len(d.Add) > 0 {
		t.Errorf("before it is known what was asked: %+v, %v", d, n)
	}
	var asked bool
	read.Answered, read.Asked = func(int64) bool { return false }, func(int64) bool { return asked }
	want := []Asked{{State: "doing", Why: "Nobody knows whether it is over", AsksPerson: true, About: "#7", IDs: []int64{questionID(at, "sub-issues-closed", "Nobody knows whether it is over", "#7")}}}
	d, n := life.Decide(Thresholds{}, in, read)
	if diff := cmp.Diff(want, d.Ask); diff != "" || n.Said || !lifecycle.HasLabel(d.Add, lifecycle.NeedsHuman) {
		t.Errorf("once it is known (-want +asked):\n%s\n%+v", diff, d)
	}
	asked = true
	if d, n := life.Decide(Thresholds{}, in, read); n.Said || len(d.Ask) > 0 {
		t.Errorf("a second time: %+v, %v", d, n)
	}
}

// Two rows of a state ask about the same thing in the same second, and one asks about another thing that became so in that second: each is
// asked once, and what was asked about once stays asked when the rest of it is over.
func TestQuestionsOfOneSecondAreTold(t *testing.T) {
	at := morning.Add(time.Minute)
	ids := map[int64]bool{questionID(at, "files-overlap", "first", "#12"): true, questionID(at, "files-overlap", "second", "#12"): true, questionID(at, "files-overlap", "first", "#15"): true}
	if len(ids) != 3 {
		t.Fatalf("they have the ids %v", ids)
	}
	for id := range ids {
		if !askedAt(id).Equal(at) || id >= 1<<53 {
			t.Errorf("%d is of %v", id, askedAt(id))
		}
	}
	life := adopting(t, "colony")
	in := Case{Standing: life.Fold(traced(changes(t, "olga +dependency-blocked"))), Labels: []string{"colony:dependency-blocked"}, Now: morning.Add(time.Hour)}
	told := map[int64]bool{}
	read := Evidence{Said: Said{Answered: func(int64) bool { return false }, Asked: func(id int64) bool { return told[id] }}, Facts: Facts{Read: lifecycle.EveryReading()}}
	for _, c := range []struct {
		overlaps []string
		told     string
	}{{[]string{"#12"}, "#12"}, {[]string{"#12"}, ""}, {[]string{"#15"}, "#15"}, {[]string{"#12", "#15"}, ""}, {[]string{"#15", "#16"}, "#15, #16"}, {[]string{"#16"}, ""}} {
		read.Facts.Observed = nil
		for _, about := range c.overlaps {
			read.Facts.Observed = append(read.Facts.Observed, Observation{Fact: "files-overlap", At: at, About: about})
		}
		d, _ := life.Decide(Thresholds{}, in, read)
		got := ""
		for _, a := range d.Ask {
			got += a.About
			for _, id := range a.IDs {
				told[id] = true
			}
		}
		if got != c.told {
			t.Errorf("while %v overlap Colony tells of %q, want %q", c.overlaps, got, c.told)
		}
	}
}

// A row without `to` moves nothing: Colony says why the issue stays, once for each time that the fact begins to hold.
func TestRowsThatLeadNowhere(t *testing.T) {
	const (
		dropped  = "All subtasks are closed, but not all are completed: somebody has to decide whether the work is done without them"
		none     = "The issue waits for subtasks, and has none: a person has to add them, or to decide whether the work is done without"
		overlaps = "An older pull request of another issue changes the same files, and goes first"
	)
	waiting, blocked := []string{"olga +waiting-for-subtasks @0s"}, []string{"olga +dependency-blocked @0s"}
	unjudged := []string{"olga +in-review @0s", "dev +waiting-for-subtasks @10s", "olga -in-review @10s"} // the log leads to in-review
	seeAll(t, []struct {
		name string
		observation
		want string
	}{
		{"a person is asked", observation{life: "colony", log: waiting, facts: []string{"sub-issues-dropped @1m #4"}}, "ask a person about #4: " + dropped + "; +needs-human"},
		{"once", observation{life: "colony", log: waiting, facts: []string{"sub-issues-dropped @1m #4"}, asked: []time.Duration{time.Minute}}, ""},
		{"the mark is there already", observation{life: "colony", log: append(waiting, "olga +needs-human @10s"), facts: []string{"sub-issues-dropped @1m #4"}}, "ask a person about #4: " + dropped},
		{"about all of it at once, each named once", observation{life: "colony", log: waiting, facts: []string{"sub-issues-dropped @2m #5", "sub-issues-dropped @1m #4", "sub-issues-dropped @1m #5"}}, "ask a person about #4, #5: " + dropped + "; +needs-human"},
		{"again when more of it comes to be so", observation{life: "colony", log: waiting, facts: []string{"sub-issues-dropped @2m #5", "sub-issues-dropped @1m #4"}, asked: []time.Duration{time.Minute}}, "ask a person about #4, #5: " + dropped + "; +needs-human"},
		{"and then not again", observation{life: "colony", log: waiting, facts: []string{"sub-issues-dropped @1m #4", "sub-issues-dropped @2m #5"}, asked: []time.Duration{time.Minute, 2 * time.Minute}}, ""},
		{"what held before counts from when the issue came there", observation{life: "colony", log: []string{"olga +waiting-for-subtasks @1h"}, facts: []string{"sub-issues-dropped @1m #4"}, asked: []time.Duration{time.Minute}}, "ask a person about #4: " + dropped + "; +needs-human"},
		{"and not again after that", observation{life: "colony", log: []string{"olga +waiting-for-subtasks @1h"}, facts: []string{"sub-issues-dropped @1m #4"}, asked: []time.Duration{time.Hour}}, ""},
		{"what was so before Colony judges is settled", observation{life: "colony", log: waiting, facts: []string{"sub-issues-dropped @1m #4"}, since: time.Hour, later: time.Hour}, ""},
		{"nor does it become new where what is settled gives the state", observation{life: "colony", log: unjudged, facts: []string{"sub-issues-dropped @1m #4"}, since: time.Hour, later: time.Hour}, ""},
		{"what came to be so since is told as of then", observation{life: "colony", log: unjudged, facts: []string{"sub-issues-dropped @90m #4"}, since: time.Hour, later: time.Hour, asked: []time.Duration{90 * time.Minute}}, ""},
		{"a closed issue is left alone", observation{life: "colony", log: waiting, facts: []string{"sub-issues-dropped @1m #4"}, closed: true}, ""},
		{"and one that stood there before Colony came", observation{life: "colony", log: waiting, facts: []string{"sub-issues-dropped @1m #4"}, installed: 30 * time.Second, later: time.Hour}, ""},
		{"in another state it asks nothing", observation{life: "colony", log: []string{"olga +in-review"}, facts: []string{"sub-issues-dropped @1m #4"}}, ""},
		{"another fact neither", observation{life: "colony", log: waiting, facts: []string{"sub-issues-open @1m #4"}}, ""},
		{"a row that asks nobody only says why", observation{life: "colony", log: blocked, facts: []string{"files-overlap @1m #7"}}, "say about #7: " + overlaps},
		{"what it was said of stays said", observation{life: "colony", log: blocked, facts: []string{"files-overlap @1m #7"}, asked: []time.Duration{time.Minute}}, ""},
		{"before that the comments are read", observation{life: "colony", log: blocked, facts: []string{"files-overlap @1m #7"}, withoutComments: true}, "read the comments"},
		{"who moves on has nothing to be told", observation{life: "colony", log: blocked, facts: []string{"files-overlap @1m #7", "dependency-dropped @1m #3"}}, "move dependency-blocked>failure-blocked: An issue that this one depends on was closed as not planned, or deleted: somebody has to decide whether it is still needed, a person is asked for #3; +failure-blocked, -dependency-blocked"},

		{"without subtasks a person is asked", observation{life: "colony", log: waiting, facts: []string{"sub-issues-none"}, later: time.Minute}, "ask a person about : " + none + "; +needs-human"},
		{"but not before there was time to make them", observation{life: "colony", log: waiting, facts: []string{"sub-issues-none"}, later: 59 * time.Second}, ""},
		{"since the last one went", observation{life: "colony", log: waiting, facts: []string{"sub-issues-none @1h"}, later: 60*time.Minute + 59*time.Second}, ""},

		// Facts during which a row does nothing.
		{"the dependencies are completed", observation{life: "colony", log: blocked, facts: []string{"dependencies-closed #3"}}, "move dependency-blocked>ready-for-dev: The dependencies are completed for #3; +ready-for-dev, -dependency-blocked"},
		{"but another pull request goes first", observation{life: "colony", log: blocked, facts: []string{"dependencies-closed #3", "files-overlap @1m #7"}}, "say about #7: " + overlaps},

		// Facts that keep an issue where it is.
		{"an open dependency keeps it from its turn, without a word", observation{life: "colibri", log: []string{"olga +init"}, facts: []string{"dependency-open @1m #3"}}, "kept from capacity"},
		{"a completed one does not", observation{life: "colibri", log: []string{"olga +init"}, facts: []string{"dependencies-closed @1m #3"}}, ""},
		{"nor in another state", observation{life: "colibri", log: []string{"olga +init", "olga +gather", "colony -init"}, facts: []string{"dependency-open @1m #3"}}, ""},
	})
}

// What a row says of all its states is said once while the issue goes from one of them to another, and again where a person is asked.
func TestARowOfSeveralStatesSpeaksOnce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		row, want string
	}{
		{"{on: files-overlap, in: [doing, asked], why: Others change the same files}", "doing 1m0s, asked 1m0s, todo, doing 4m0s"},
		{"{on: files-overlap, in: [doing, asked], asks-person: true, why: Others change the same files}", "doing 1m0s, asked 2m0s, todo, doing 4m0s"},
	} {
		life, err := Parse("errands.yml", []byte(strings.Replace(errands, "\ntriggers:\n", "\ntriggers:\n  - "+c.row+"\n", 1)))
		if err != nil {
			t.Fatal(err)
		}
		s, got := Standing{State: "todo"}, ""
		for i, to := range []string{"doing", "asked", "todo", "doing"} {
			s = s.Move(Move{From: s.State, To: to, Kind: Moved, By: cast["olga"], Moment: Moment{At: morning.Add(time.Duration(i+1) * time.Minute), ID: int64(i + 1)}})
			in := input{life: life, Case: Case{Standing: s}, Evidence: Evidence{Facts: Facts{Observed: []Observation{{Fact: "files-overlap", At: morning, About: "#7"}}}}}
			if got += ", " + to; to != "todo" {
				asked, _ := in.asks()
				for _, a := range asked {
					got += " " + askedAt(a.IDs[0]).Sub(morning).String()
				}
			}
		}
		if got = strings.TrimPrefix(got, ", "); got != c.want {
			t.Errorf("%s: it is told as of %s, want %s", c.row, got, c.want)
		}
	}
}
