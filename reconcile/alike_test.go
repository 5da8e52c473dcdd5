package reconcile

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/advice"
	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/statemachine"
)

var (
	aPerson   = lifecycle.Actor{Login: "olivia", Kind: lifecycle.Operator}
	theColony = lifecycle.Actor{Login: "colony[bot]", Kind: lifecycle.Colony}
	firstDay  = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
)

// stage is one issue of which everything that matters is in memory: its log, its labels, and who ordered what.
type stage struct {
	life      *statemachine.Table
	now       time.Time
	log       []statemachine.Change
	labels    []string
	ordered   map[int64]lifecycle.Actor
	explained map[int64]bool
	comments  int
	closed    bool
	// holds is the answer to every condition that has to be read.
	holds lifecycle.Answer
}

// at returns a stage on which an issue has been in a state for as long as anybody knows.
func at(life *statemachine.Table, state string, holds lifecycle.Answer) *stage {
	s := &stage{life: life, now: firstDay.Add(time.Hour), ordered: map[int64]lifecycle.Actor{}, explained: map[int64]bool{}, holds: holds}
	if label := life.Label(state); label != "" {
		s.labels = []string{label}
	}
	return s
}

func (s *stage) changes(by lifecycle.Actor, label string, added bool) {
	if lifecycle.HasLabel(s.labels, label) == added {
		return
	}
	s.now = s.now.Add(time.Second)
	s.log = append(s.log, statemachine.Change{Moment: statemachine.Moment{At: s.now, ID: int64(len(s.log) + 1)}, Added: added, Label: label, By: by})
	if added {
		s.labels = append(s.labels, label)
	} else {
		s.labels = slices.DeleteFunc(s.labels, func(l string) bool { return lifecycle.SameLabel(l, label) })
	}
}

func (s *stage) answer(lifecycle.Asking, lifecycle.Condition) lifecycle.Answer {
	return s.holds
}

func (s *stage) standing() statemachine.Standing {
	return s.life.Fold(statemachine.History{
		Changes: s.log, Labels: s.labels, Terms: statemachine.Terms{JudgedSince: firstDay}, Answers: s.answer,
		Ordered:   func(id int64) (lifecycle.Actor, bool) { return s.ordered[id], true },
		Explained: func(id int64) bool { return s.explained[id] },
	})
}

// write makes writes, for whoever ordered them.
func (s *stage) write(writes []issues.Write, by lifecycle.Actor) {
	for _, w := range writes {
		if w.Comment != "" {
			s.comments++
			if diff := cmp.Diff(map[wording.MarkerKind][]int64{w.Purpose.Kind: w.Purpose.IDs}, wording.Markers(w.Comment)); diff != "" {
				panic("a comment's purpose is not what its marker says (-purpose +marker):\n" + diff)
			}
		}
		s.closed = s.closed || w.Close != ""
		for _, label := range w.Add {
			s.changes(theColony, label, true)
			s.ordered[int64(len(s.log))] = by
		}
		if w.Remove != "" {
			s.changes(theColony, w.Remove, false)
		}
	}
}

// settles does what Colony does until there is nothing to do.
func (s *stage) settles(t *testing.T) {
	t.Helper()
	for range 10 {
		standing := s.standing()
		d, need := s.life.Decide(statemachine.Thresholds{BreakerRejections: 5, BreakerWindow: time.Hour}, statemachine.Case{
			Standing: standing, Labels: s.labels, Updated: s.now, Now: s.now, Closed: s.closed,
		}, statemachine.Evidence{
			GuardsRead: true, Facts: statemachine.Facts{Read: lifecycle.EveryReading()},
			Said: statemachine.Said{
				Answered:       func(id int64) bool { return s.explained[id] },
				Stopped:        func(id int64) bool { return s.explained[id] },
				Commanded:      func(id int64) bool { return s.ordered[id].Kind != "" },
				RefusedCommand: func(time.Time) bool { return true },
				Asked:          func(int64) bool { return false },
			},
		})
		if !need.IsZero() {
			t.Fatalf("all is known, and yet the decision needs %s", need)
		}
		if d.Nothing() {
			return
		}
		s.write(WritesOf(Settings{Policy: policy.Policy{Lifecycle: s.life}}, standing, d), lifecycle.Actor{})
		for _, r := range d.Explain {
			for _, id := range r.IDs {
				s.explained[id] = true
			}
		}
		for _, a := range d.Announce {
			s.explained[a.ID] = true
		}
	}
	t.Fatalf("Colony does not come to an end: %v", s.log)
}

// commands writes a command as a comment, and runs it.
func (s *stage) commands(by lifecycle.Actor, text string) {
	standing := s.standing()
	s.now = s.now.Add(time.Second)
	result := commands.Run(commands.Env{
		Lifecycle: s.life, Standing: standing, Now: s.now, Labels: s.labels,
		Rule: func(standing statemachine.Standing, a statemachine.Ask) statemachine.Ruling {
			return s.life.Rule(standing, a, s.answer)
		},
	}, commands.Requester{Actor: by, Right: commands.MayMove}, commands.Parse(text))
	s.write(WritesOfCommands(s.life, 1, false, result, s.labels), by)
}

// outcomeOf is what people see in the end.
func (s *stage) outcome() string {
	labels := slices.DeleteFunc(slices.Clone(s.labels), func(l string) bool { return lifecycle.SameLabel(l, lifecycle.NeedsHuman) })
	return fmt.Sprintf("in %s, labels %v, closed: %v, a person is asked for: %v, comments: %d", s.standing().State, labels, s.closed, lifecycle.HasLabel(s.labels, lifecycle.NeedsHuman), s.comments)
}

// askers are a person, and an executor in each role, in all and in none.
func askers(life *statemachine.Table) map[string]lifecycle.Actor {
	all := map[string]lifecycle.Actor{"a person": aPerson, "an executor": {Login: "bot[bot]", Kind: lifecycle.Executor}}
	for _, r := range life.Roles {
		all["a "+r.Name] = lifecycle.Actor{Login: r.Name + "[bot]", Kind: lifecycle.Executor, Roles: []string{r.Name}}
	}
	return all
}

// Whoever asks for a state gets the same by label and by command: the issue ends in the same state with the same labels, a person is asked
// for or not, and Colony writes a comment or none. It is so from every state to every one, itself included, for a person and for an executor in
// every role, whether what guards read holds or not.
func TestARequestIsTheSameByLabelAndByCommand(t *testing.T) {
	t.Parallel()
	for _, name := range lifecycle.ShippedNames() {
		life, err := statemachine.Shipped(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			led, granted := 0, 0
			for who, actor := range askers(life) {
				for _, from := range append(life.StateNames(), lifecycle.Outside) {
					if _, known := life.State(from); !known {
						continue
					}
					for _, to := range life.StateNames() {
						if life.Label(to) == "" {
							continue
						}
						for _, holds := range []lifecycle.Answer{lifecycle.Yes, lifecycle.No} {
							byLabel, byCommand := at(life, from, holds), at(life, from, holds)
							alike(t, fmt.Sprintf("%s asks for %s -> %s", who, from, to), byLabel, byCommand, actor, to)
							switch byLabel.standing().State {
							case from:
							case to:
								granted++
							case life.BadRequest:
								led++
							}
						}
					}
				}
			}
			if granted == 0 || led == 0 && life.BadRequest != "" {
				t.Errorf("%d requests were granted, and %d led elsewhere", granted, led)
			}
		})
	}
}

// alike asks by label on one stage and by command on the other.
func alike(t *testing.T, what string, byLabel, byCommand *stage, actor lifecycle.Actor, to string) {
	t.Helper()
	byLabel.changes(actor, byLabel.life.Label(to), true)
	byLabel.settles(t)
	byCommand.commands(actor, "/colony:move "+to)
	byCommand.settles(t)
	if label, command := byLabel.outcome(), byCommand.outcome(); label != command {
		t.Errorf("%s\n  by label:   %s\n  by command: %s", what, label, command)
	}
}

// A limit leads a bot's request elsewhere, by label and by command, and no person's by either.
func TestALimitIsTheSameByLabelAndByCommand(t *testing.T) {
	t.Parallel()
	led := map[string]int{}
	for _, name := range lifecycle.ShippedNames() {
		life, err := statemachine.Shipped(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, limit := range life.Limits {
			once := life.With(statemachine.Options{Limits: map[string]int{limit.Name: 1}})
			for _, p := range once.Pairs {
				if limit.AtMost == 0 || !slices.ContainsFunc(once.Limits.Bounding(p.From, p.To), func(l lifecycle.Limit) bool { return l.Name == limit.Name }) {
					continue
				}
				for who, actor := range askers(life) {
					what := fmt.Sprintf("%s: %s asks for %s -> %s once more than %q allows", name, who, p.From, p.To, limit.Name)
					byLabel, byCommand := usedUp(t, once, p), usedUp(t, once, p)
					alike(t, what, byLabel, byCommand, actor, p.To)
					state := byCommand.standing().State
					if actor.Kind == lifecycle.Operator && state != p.To {
						t.Errorf("%s: the command ended in %s, although people are not limited", what, state)
					}
					if actor.Kind == lifecycle.Executor && life.Judge(actor, p.From, p.To) == lifecycle.Legal {
						led[name]++
						if state != limit.Instead {
							t.Errorf("%s: the issue is in %s, want %s", what, state, limit.Instead)
						}
					}
				}
			}
		}
	}
	if led["colony"] == 0 || led["prp"] == 0 {
		t.Errorf("limits led elsewhere this often: %v", led)
	}
}

// usedUp is an issue that made a move for bots once, and is back from where the move begins.
func usedUp(t *testing.T, life *statemachine.Table, p lifecycle.Pair) *stage {
	t.Helper()
	s := at(life, p.From, lifecycle.Yes)
	bot := lifecycle.Actor{Login: "bot[bot]", Kind: lifecycle.Executor}
	back := advice.Route(life, statemachine.Standing{State: p.To}, theColony, p.From)
	if back == nil {
		t.Fatalf("no way leads back from %s to %s", p.To, p.From)
	}
	from := p.From
	for _, to := range back {
		s.changes(theColony, life.Label(to), true)
		s.ordered[int64(len(s.log))] = bot
		s.changes(theColony, life.Label(from), false)
		from = to
	}
	if standing := s.standing(); standing.State != p.From {
		t.Fatalf("the issue is in %s, want %s", standing.State, p.From)
	}
	return s
}
