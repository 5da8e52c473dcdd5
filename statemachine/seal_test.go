package statemachine

import (
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/lifecycle"
)

const sealedRows = `name: tiny
summary: A small lifecycle.
initial: start
states:
  - {name: start, type: active, meaning: It begins.}
  - {name: ready, type: active, label: "colony:ready", color: cccccc, description: Ready., meaning: It waits., sealed: true}
  - {name: work, type: active, label: "colony:work", color: cccccc, description: Work., meaning: It is worked on.}
  - {name: paused, type: blocked, recovery: manual, label: "colony:paused", color: cccccc, description: Rests., meaning: It rests.}
  - {name: end, type: terminal, label: "colony:end", color: bbbbbb, description: The end., meaning: It is over.}
forward:
  - {source: Test, order: [start, ready, work, end]}
transitions:
  - {kind: pause, pairs: [{from: [ready, work], to: paused, why: It rests}]}
  - {kind: resume, pairs: [{from: paused, to: [ready, work], only: previous, why: Go on}]}
commands:
  - {verb: pause, to: paused, help: Pause it.}
  - {verb: resume, from: paused, to: previous, help: Go on.}
triggers:
  - {on: text-changed, in: ready, to: paused, why: It changed}
`

// The approval is the move into the sealed state. A pause is no break of the seal, so coming back from it approves nothing; coming back
// from where the seal led is how a person approves what is there now.
func TestApproval(t *testing.T) {
	life, err := Parse("x.yml", []byte(sealedRows))
	if err != nil {
		t.Fatal(err)
	}
	person, second := lifecycle.Actor{Login: "olivia", Kind: lifecycle.Operator}, lifecycle.Actor{Login: "tara", Kind: lifecycle.Operator}
	bot := lifecycle.Actor{Login: "colony[bot]", Kind: lifecycle.Colony}
	move := func(by lifecycle.Actor, from, to string) Move { return Move{From: from, To: to, Kind: Moved, By: by} }
	ordered := func(by lifecycle.Actor, from, to string) Move {
		return Move{From: from, To: to, Kind: Moved, By: bot, Ordered: by}
	}
	alone := func(from, to string) Move { return Move{From: from, To: to, Kind: Moved, By: bot} }
	for name, c := range map[string]struct {
		trail []Move
		at    int // the place of the approval; -1: there is none
		by    string
	}{
		"nobody moved it":                        {nil, -1, ""},
		"by label":                               {[]Move{move(person, "start", "ready")}, 0, "olivia"},
		"by a command":                           {[]Move{ordered(person, "start", "ready")}, 0, "olivia"},
		"by Colony on its own":                   {[]Move{alone("start", "ready")}, 0, ""},
		"twice":                                  {[]Move{move(person, "start", "ready"), move(person, "ready", "work"), {From: "work", To: "ready", Kind: ForcedMove, By: bot, Ordered: second}}, 2, "tara"},
		"not sealed":                             {[]Move{move(person, "start", "ready"), move(bot, "ready", "work")}, -1, ""},
		"a pause by label":                       {[]Move{move(person, "start", "ready"), move(second, "ready", "paused"), move(second, "paused", "ready")}, 0, "olivia"},
		"a pause by command":                     {[]Move{move(person, "start", "ready"), ordered(second, "ready", "paused"), ordered(second, "paused", "ready")}, 0, "olivia"},
		"a break and a return":                   {[]Move{move(person, "start", "ready"), alone("ready", "paused"), move(second, "paused", "ready")}, 2, "tara"},
		"a break, a return by command":           {[]Move{move(person, "start", "ready"), alone("ready", "paused"), ordered(second, "paused", "ready")}, 2, "tara"},
		"a break, a return, a pause":             {[]Move{move(person, "start", "ready"), alone("ready", "paused"), move(second, "paused", "ready"), move(person, "ready", "paused"), move(person, "paused", "ready")}, 2, "tara"},
		"settled":                                {[]Move{{From: "start", To: "ready", Kind: Settled}}, 0, ""},
		"settled in a pause":                     {[]Move{{From: "start", To: "paused", Kind: Settled}, move(second, "paused", "ready")}, 1, "tara"},
		"by a command, and a pause by a command": {[]Move{ordered(person, "start", "ready"), ordered(second, "ready", "paused"), ordered(second, "paused", "ready")}, 0, "olivia"},
	} {
		s := Standing{State: "start"}
		at := func(i int) time.Time { return time.Date(2026, 3, 1, 12, i+1, 0, 0, time.UTC) }
		for i, m := range c.trail {
			m.At, m.ID = at(i), int64(i+1)
			s = s.Move(m)
		}
		if len(c.trail) == 0 {
			s.State = "ready"
		}
		m, ok := life.Approval(s)
		if ok != (c.at >= 0) || ok && !m.At.Equal(at(c.at)) {
			t.Errorf("%s: %+v, %t", name, m, ok)
		}
		if got := m.Maker().Login; ok && got != c.by {
			t.Errorf("%s: approved by %q, not by %q", name, got, c.by)
		}
	}
}

// A row that asks nothing of what was approved breaks no seal: to come back from where it led approves nothing.
func TestAMoveForAnotherReasonBreaksNoSeal(t *testing.T) {
	rows := strings.NewReplacer(
		"  - {name: end,", "  - {name: held, type: blocked, recovery: auto, label: \"colony:held\", color: cccccc, description: Held., meaning: It waits for another.}\n  - {name: end,",
		"{from: [ready, work], to: paused, why: It rests}", "{from: [ready, work], to: [paused, held], why: It rests}",
		"{from: paused, to: [ready, work], only: previous, why: Go on}", "{from: [paused, held], to: [ready, work], only: previous, why: Go on}",
		"triggers:\n", "triggers:\n  - {on: dependency-open, in: ready, to: held, why: It waits}\n",
	).Replace(sealedRows)
	life, err := Parse("x.yml", []byte(rows))
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	olivia, tara, colony := lifecycle.Actor{Login: "olivia", Kind: lifecycle.Operator}, lifecycle.Actor{Login: "tara", Kind: lifecycle.Operator}, lifecycle.Actor{Login: "colony[bot]", Kind: lifecycle.Colony}
	s := Standing{State: "start"}.
		Move(Move{From: "start", To: "ready", Kind: Moved, By: olivia, Moment: Moment{At: at, ID: 1}}).
		Move(Move{From: "ready", To: "held", Kind: Moved, By: colony, Moment: Moment{At: at.Add(time.Minute), ID: 2}}).
		Move(Move{From: "held", To: "ready", Kind: Moved, By: tara, Moment: Moment{At: at.Add(2 * time.Minute), ID: 3}})
	if m, ok := life.Approval(s); !ok || m.ID != 1 {
		t.Errorf("the approval is %+v, %t", m, ok)
	}
}

// Before a decision about a sealed issue it is read what was changed since the approval.
func TestASealedIssueMovesOnceItsTextChanged(t *testing.T) {
	life, err := Parse("x.yml", []byte(sealedRows))
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	bot := lifecycle.Actor{Login: "colony[bot]", Kind: lifecycle.Colony}
	standing := Standing{State: "start"}.Move(Move{From: "start", To: "ready", Kind: Moved, By: bot, Ordered: lifecycle.Actor{Login: "olivia", Kind: lifecycle.Operator}, Moment: Moment{At: at, ID: 1}})
	in := Case{Standing: standing, Labels: []string{"colony:ready"}, Now: at.Add(time.Hour)}
	read := Evidence{Said: Said{Answered: func(int64) bool { return true }}}
	if _, n := life.Decide(Thresholds{}, in, read); len(n.Facts) != 1 || n.Facts[0] != lifecycle.ReadEdits {
		t.Errorf("before the edits are read: %+v", n)
	}
	read.Facts = Facts{Read: []lifecycle.Reading{lifecycle.ReadEdits}}
	if d, n := life.Decide(Thresholds{}, in, read); !d.Nothing() || !n.IsZero() {
		t.Errorf("without an edit: %+v", d)
	}
	read.Facts.Observed = []Observation{{Fact: "text-changed", At: at, About: "ada"}} // in the second of the approval
	if d, _ := life.Decide(Thresholds{}, in, read); d.Automatic == nil || d.Automatic.To != "paused" || !d.Automatic.AsksPerson {
		t.Errorf("after an edit: %+v", d)
	}
	in.Closed = true
	if d, n := life.Decide(Thresholds{}, in, read); !d.Nothing() || !n.IsZero() {
		t.Errorf("of a closed issue: %+v", d)
	}
	in.Closed, in.Standing.Installed = false, at.Add(time.Minute)
	read.Facts = Facts{}
	if d, n := life.Decide(Thresholds{}, in, read); !d.Nothing() || !n.IsZero() {
		t.Errorf("of an issue that stood there before Colony came: %+v", d)
	}
}

// Bots that approve and edit do not do so for ever: the breaker counts what breaks a seal.
func TestBrokenSealsTripTheBreaker(t *testing.T) {
	life, err := Parse("x.yml", []byte(sealedRows))
	if err != nil {
		t.Fatal(err)
	}
	if !life.IsRestless("ready", "paused") {
		t.Error("a row that holds what was approved can move an issue again and again")
	}
	if left := life.With(Options{Ignored: lifecycle.EveryReading()}).Triggers.Seals("ready"); len(left) != 1 {
		t.Errorf("what nobody follows: %v", left)
	}
}

func TestAMoveBrokeASealForTheReasonOfItsRow(t *testing.T) {
	life, err := Parse("x.yml", []byte(sealedRows))
	if err != nil {
		t.Fatal(err)
	}
	row := life.Triggers.Seals("ready")[0]
	for _, c := range []struct {
		from, to, why string
		want          bool
	}{
		{"ready", row.To, row.Why, true},
		{"ready", row.To, "", true},
		{"ready", row.To, "Another reason", false},
		{row.To, "ready", row.Why, false},
	} {
		if got := life.BrokeSeal(c.from, c.to, c.why); got != c.want {
			t.Errorf("%s -> %s, %q broke a seal: %t", c.from, c.to, c.why, got)
		}
	}
}

// Which approval held before a move, and who made it.
func TestTheApprovalBeforeAMove(t *testing.T) {
	life, err := Parse("x.yml", []byte(sealedRows))
	if err != nil {
		t.Fatal(err)
	}
	s := life.Fold(traced(changes(t, "olga +ready", "colony +paused", "colony -ready", "omar +ready", "colony -paused", "colony +paused")))
	for id, want := range map[int64]int64{1: 0, 2: 1, 4: 0, 6: 4, 9: 0} {
		m, ok := life.ApprovalBefore(s, id)
		if m.ID != want || ok != (want > 0) {
			t.Errorf("before event %d it was approved by %+v, %t", id, m, ok)
		}
	}
	for want, m := range map[string]Move{
		"olga": {By: cast["olga"], Kind: Moved}, "omar": {By: cast["colony"], Ordered: cast["omar"], Kind: Moved}, "": {By: cast["colony"], Kind: Moved},
	} {
		settled := m
		settled.Kind = Settled
		if m.Maker().Login != want || settled.Maker().Login != "" {
			t.Errorf("%+v is made by %q, and by %q if it is settled", m, m.Maker().Login, settled.Maker().Login)
		}
	}
}
