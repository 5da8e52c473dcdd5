package commands_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/long"
	"github.com/colony-app/colony/statemachine"
)

// scene is one issue on a GitHub that keeps whole seconds, with people who edit labels and write commands, and a Colony
// that is killed between any two of its writes. It knows what AttributeMoves has to find out: which commands made their moves.
type scene struct {
	t       *rapid.T
	life    *statemachine.Table
	now     time.Time
	nextID  int64
	changes []statemachine.Change
	labels  []string
	written []*remark
	story   []string
}

// remark is a comment with commands.
type remark struct {
	commands.CommandComment
	// moves holds, by event, how many of its first commands were run once that move was made.
	moves map[int64]int
}

// ran is how many of a comment's first commands were run: the last of them made a move, though somebody may have taken it
// back while Colony was still moving the issue.
func (r *remark) ran() int {
	most := 0
	for _, first := range r.moves {
		most = max(most, first)
	}
	return most
}

var (
	operator = lifecycle.Actor{Login: "olivia", Kind: lifecycle.Operator}
	colony   = lifecycle.Actor{Login: "colony[bot]", Kind: lifecycle.Colony}
)

func (s *scene) note(format string, args ...any) {
	s.story = append(s.story, s.now.Format("05 ")+fmt.Sprintf(format, args...))
}

func (s *scene) has(label string) bool { return slices.Contains(s.labels, label) }

func (s *scene) add(by lifecycle.Actor, label string) {
	if !s.has(label) {
		s.labels = append(s.labels, label)
		s.record(by, label, true)
	}
}

func (s *scene) remove(by lifecycle.Actor, label string) {
	if s.has(label) {
		s.labels = slices.DeleteFunc(s.labels, func(l string) bool { return l == label })
		s.record(by, label, false)
	}
}

func (s *scene) record(by lifecycle.Actor, label string, added bool) {
	s.nextID++
	s.changes = append(s.changes, statemachine.Change{Moment: statemachine.Moment{At: s.now, ID: s.nextID}, Added: added, Label: label, By: by})
	s.note("%s: %s, added %t", by.Login, label, added)
}

func (s *scene) standing() statemachine.Standing {
	return s.life.Fold(statemachine.History{Changes: s.changes, Labels: s.labels, Ordered: s.ordered})
}

// ordered is statemachine.History.Ordered: the truth, as AttributeMoves finds it out.
func (s *scene) ordered(eventID int64) (by lifecycle.Actor, known bool) {
	for _, r := range s.written {
		if _, made := r.moves[eventID]; made {
			return r.Requester.Actor, true
		}
	}
	return lifecycle.Actor{}, true
}

// tick lets a second pass, or none.
func (s *scene) tick() {
	s.now = s.now.Add(time.Duration(rapid.IntRange(0, 1).Draw(s.t, "seconds")) * time.Second)
}

// person moves the issue by label, legally; with half a swap the old label stays. People need a second of their own:
// within one second of commands, GitHub's times do not show who was first.
func (s *scene) person() {
	s.now = s.now.Add(time.Second)
	defer func() { s.now = s.now.Add(time.Second) }()
	state := s.standing().State
	next := s.life.Next(operator, state)
	if len(next) == 0 {
		return
	}
	to := rapid.SampledFrom(next).Draw(s.t, "to").To
	s.add(operator, s.life.Label(to))
	if rapid.Bool().Draw(s.t, "whole swap") {
		s.remove(operator, s.life.Label(state))
	}
}

// takeBack takes the label of the last move off, where that withdraws the move: the label before it is still there.
func (s *scene) takeBack() {
	standing := s.standing()
	last, moved := standing.Since()
	if !moved || !s.has(s.life.Label(last.From)) {
		return
	}
	s.now = s.now.Add(time.Second)
	s.remove(operator, s.life.Label(standing.State))
	s.now = s.now.Add(time.Second)
}

var texts = []string{
	"/colony:pause", "/colony:resume", "/colony:retry", "/colony:block", "/colony:status", "/colony:paus",
	"/colony:move in-review", "/colony:move in-development", "/colony:move new", "/colony:resume analyzing", "/colony:reanalyze",
	"/colony:force in-review because", "/colony:force new because",
}

func (s *scene) write() {
	text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(texts), 1, 3).Draw(s.t, "text"), "\n\n")
	s.note("comment %d: %q", len(s.written), text)
	s.written = append(s.written, &remark{moves: map[int64]int{}, CommandComment: commands.CommandComment{
		CommentID: int64(len(s.written) + 1), Invocations: commands.Parse(text), At: s.now,
		Requester: commands.Requester{Actor: operator, Right: commands.MayForce},
	}})
}

// write is one write of Colony's; ran says, for one that begins a move, which command makes it.
type write struct {
	add, remove string
	by          *remark
	ran         int
	receipt     bool
}

// reconcile is one reconciliation of the issue. It is killed before the write of that number, and reports whether it was.
func (s *scene) reconcile(killed int) bool {
	standing := s.standing()
	decision, _ := s.life.Decide(statemachine.Thresholds{BreakerRejections: 1000}, statemachine.Case{
		Standing: standing, Labels: s.labels, Updated: s.now, Now: s.now,
	}, statemachine.Evidence{
		Said:  statemachine.Said{Answered: func(int64) bool { return true }, RefusedCommand: func(time.Time) bool { return true }, ForcePending: s.forcePending()},
		Facts: statemachine.Facts{Read: lifecycle.EveryReading()},
	})
	var writes []write
	for _, label := range decision.Add {
		writes = append(writes, write{add: label})
	}
	for _, label := range decision.Remove {
		writes = append(writes, write{remove: label})
	}
	if !s.apply(writes, &killed) {
		return true
	}
	standing.State = decision.State

	_, run := commands.AttributeMoves(s.life, standing, s.comments())
	for i, r := range s.written {
		if !r.Done.IsZero() {
			continue
		}
		if ran := r.ran(); run[i] != ran {
			s.t.Fatalf("AttributeMoves says that %d commands of comment %d were run, and %d were:\n%s", run[i], i, ran, strings.Join(s.story, "\n"))
		}
		env := commands.Env{Lifecycle: s.life, Standing: standing, Now: s.now}
		rest := r.Invocations[run[i]:]
		result := commands.Run(env, r.Requester, rest)
		if !s.apply(s.writesOf(r, run[i], env, result), &killed) {
			return true
		}
		standing = result.Standing
	}
	return false
}

func (s *scene) comments() []commands.CommandComment {
	var comments []commands.CommandComment
	for _, r := range s.written {
		comments = append(comments, r.CommandComment)
	}
	return comments
}

func (s *scene) forcePending() bool {
	return slices.ContainsFunc(s.written, func(r *remark) bool {
		return r.Done.IsZero() && slices.ContainsFunc(r.Invocations, func(i commands.Invocation) bool { return i.Verb == "force" })
	})
}

// writesOf lists the writes of a comment's commands as package app makes them.
func (s *scene) writesOf(r *remark, run int, env commands.Env, result commands.Result) []write {
	var writes []write
	if s.has(lifecycle.Forced) { // left open: what follows is not forced, or opens a bracket of its own
		writes = append(writes, write{remove: lifecycle.Forced})
	}
	for made, m := range result.Moves {
		if m.Forced {
			writes = append(writes, write{add: lifecycle.Forced})
		}
		ran := run + 1
		for len(commands.Run(env, r.Requester, r.Invocations[run:ran]).Moves) <= made {
			ran++
		}
		writes = append(writes, write{add: s.life.Label(m.To), by: r, ran: ran})
		if from := s.life.Label(m.From); from != "" {
			writes = append(writes, write{remove: from})
		}
		if m.Forced {
			writes = append(writes, write{remove: lifecycle.Forced})
		}
	}
	return append(writes, write{by: r, receipt: true})
}

// apply makes writes until Colony is killed.
func (s *scene) apply(writes []write, killed *int) bool {
	for _, w := range writes {
		if *killed == 0 {
			s.note("Colony is killed")
			return false
		}
		*killed--
		s.tick()
		switch {
		case w.receipt:
			w.by.Done = s.now
			s.note("receipt on comment %d", w.by.CommentID-1)
		case w.add != "":
			s.add(colony, w.add)
			if w.by != nil {
				w.by.moves[s.nextID] = w.ran
			}
		default:
			s.remove(colony, w.remove)
		}
	}
	return true
}

// TestACommandRunsOnce kills Colony between any two writes, while people move the issue by label, and checks before every
// command that AttributeMoves knows exactly which ones were run.
func TestACommandRunsOnce(t *testing.T) {
	life := colonyLifecycle(t)
	long.Check(t, func(t *rapid.T) {
		s := &scene{t: t, life: life, now: time.Date(2026, 1, 2, 3, 4, 0, 0, time.UTC)}
		s.add(operator, life.Label(rapid.SampledFrom([]string{"in-development", "in-review", "analyzing", "needs-clarification"}).Draw(t, "start")))
		for range rapid.IntRange(2, 24).Draw(t, "steps") {
			s.tick()
			switch rapid.IntRange(0, 4).Draw(t, "step") {
			case 0:
				s.person()
			case 1:
				s.write()
			case 2:
				s.takeBack()
			default:
				s.reconcile(rapid.IntRange(0, 12).Draw(t, "killed after"))
			}
		}
		for s.reconcile(rapid.IntRange(5, 60).Draw(t, "killed after")) {
		}
	})
}

// trail builds a standing of moves, each a second after the one before.
func trail(start string, moves ...statemachine.Move) statemachine.Standing {
	standing := statemachine.Standing{State: start}
	for i, m := range moves {
		m.From, m.ID, m.At = standing.State, int64(i+1), second(i+1)
		if m.Kind == "" {
			m.Kind = statemachine.Moved
		}
		standing = standing.Move(m)
	}
	return standing
}

// onClosed has every move made on a closed issue.
func onClosed(s statemachine.Standing) statemachine.Standing {
	for i := range s.Trail {
		s.Trail[i].Closed = true
	}
	return s
}

func second(n int) time.Time { return time.Date(2026, 1, 2, 3, 4, n, 0, time.UTC) }

func byColony(to string) statemachine.Move { return statemachine.Move{To: to, By: colony} }

func byOlivia(to string) statemachine.Move { return statemachine.Move{To: to, By: operator} }

// comment is a comment with commands; done 0 means that it has no receipt.
func comment(text string, at, done int) commands.CommandComment {
	w := commands.CommandComment{
		CommentID: int64(100 + at), At: second(at), Invocations: commands.Parse(text),
		Requester: commands.Requester{Actor: operator, Right: commands.MayForce},
	}
	if done > 0 {
		w.Done = second(done)
	}
	return w
}

// ofBot is a comment of a bot.
func ofBot(text string, at, done int) commands.CommandComment {
	w := comment(text, at, done)
	w.Requester = anyBot
	return w
}

// permitted is a comment of that id whose writer is known to have the right to move.
func permitted(w commands.CommandComment, id int64) commands.CommandComment {
	w.CommentID, w.Permitted = id, true
	return w
}

func TestAttributeMoves(t *testing.T) {
	life := colonyLifecycle(t)
	tests := map[string]struct {
		standing statemachine.Standing
		comments []commands.CommandComment
		orders   map[int64]string // by event: comment, verb and reason
		run      []int
	}{
		"nothing": {trail("new"), nil, map[int64]string{}, []int{}},
		"moved, without a receipt": {
			trail("in-development", byColony("paused")),
			[]commands.CommandComment{comment("/colony:pause the vendor", 0, 0)},
			map[int64]string{1: "100 pause the vendor"},
			[]int{1},
		},
		"a bot's bad command led elsewhere": {
			trail("in-review", byColony("failure-blocked")),
			[]commands.CommandComment{ofBot("/colony:move done because", 0, 0)},
			map[int64]string{1: "100 move because bad-request"},
			[]int{1},
		},
		"a bot's bad command on a closed issue did not": {
			onClosed(trail("in-review", byColony("failure-blocked"))),
			[]commands.CommandComment{ofBot("/colony:pause", 0, 1), comment("/colony:block", 0, 1)},
			map[int64]string{1: "100 block "},
			[]int{0, 1},
		},
		"unless somebody closed it while the command ran": {
			onClosed(trail("in-review", byColony("failure-blocked"))),
			[]commands.CommandComment{ofBot("/colony:pause", 0, 1)},
			map[int64]string{1: "100 pause  bad-request"},
			[]int{1},
		},
		"a person's did not": {
			trail("in-review", byColony("failure-blocked")),
			[]commands.CommandComment{comment("/colony:move new", 0, 0)},
			map[int64]string{},
			[]int{0},
		},
		"a limit led a bot's command elsewhere, however often that was": {
			trail("in-review", byColony("failure-blocked")),
			[]commands.CommandComment{ofBot("/colony:move changes-requested", 0, 0)},
			map[int64]string{1: "100 move  exhausted"},
			[]int{1},
		},
		"but no person's": {
			trail("in-review", byColony("failure-blocked")),
			[]commands.CommandComment{comment("/colony:move changes-requested", 0, 0)},
			map[int64]string{},
			[]int{0},
		},
		"not moved": {
			trail("in-development"),
			[]commands.CommandComment{comment("/colony:pause", 0, 0)},
			map[int64]string{},
			[]int{0},
		},
		"a person made the move": {
			trail("in-development", byOlivia("paused")),
			[]commands.CommandComment{comment("/colony:pause", 0, 0)},
			map[int64]string{},
			[]int{0},
		},
		"the move is older than the comment": {
			trail("in-development", byColony("paused")),
			[]commands.CommandComment{comment("/colony:pause", 2, 0)},
			map[int64]string{},
			[]int{0},
		},
		"the move is newer than the receipt": {
			trail("in-development", byOlivia("in-review"), byColony("paused")),
			[]commands.CommandComment{comment("/colony:pause", 0, 1)},
			map[int64]string{},
			[]int{0},
		},
		"the first of three": {
			trail("in-development", byColony("paused")),
			[]commands.CommandComment{comment("/colony:pause\n\n/colony:resume\n\n/colony:pause", 0, 0)},
			map[int64]string{1: "100 pause "},
			[]int{1},
		},
		"the last of three, the others move nothing": {
			trail("in-development", byColony("paused")),
			[]commands.CommandComment{comment("/colony:status\n\n/colony:move in-development\n\n/colony:pause", 0, 0)},
			map[int64]string{1: "100 pause "},
			[]int{3},
		},
		"two comments want the same, one move": {
			trail("in-development", byColony("paused"), byOlivia("in-development")),
			[]commands.CommandComment{comment("/colony:pause a", 0, 0), comment("/colony:pause b", 1, 0)},
			map[int64]string{1: "100 pause a"},
			[]int{1, 0},
		},
		"the one with a receipt made it": {
			trail("in-development", byColony("paused"), byOlivia("in-development")),
			[]commands.CommandComment{comment("/colony:pause a", 0, 0), comment("/colony:pause b", 1, 3)},
			map[int64]string{1: "101 pause b"},
			[]int{0, 1},
		},
		"what moved nothing does not take a later one's move": {
			trail("new", byColony("in-review"), byColony("paused")),
			[]commands.CommandComment{comment("/colony:pause\n\n/colony:move in-review", 0, 2), comment("/colony:pause", 0, 0)},
			map[int64]string{1: "100 move ", 2: "100 pause "},
			[]int{2, 1},
		},
		"a move that nobody ordered": {
			trail("in-development", byColony("failure-blocked"), byColony("analyzing")),
			[]commands.CommandComment{comment("/colony:move analyzing", 0, 0)},
			map[int64]string{2: "100 move "},
			[]int{1},
		},
		"what was settled ends what is known": {
			trail("in-development", byColony("failure-blocked"), statemachine.Move{To: "in-review", Kind: statemachine.Settled}, byColony("paused")),
			[]commands.CommandComment{comment("/colony:block", 0, 0), comment("/colony:pause", 2, 0)},
			map[int64]string{1: "100 block ", 3: "102 pause "},
			[]int{1, 1},
		},
		"back to what was before": {
			trail("in-development", byOlivia("in-review"), byColony("failure-blocked"), byColony("in-review")),
			[]commands.CommandComment{comment("/colony:block", 1, 2), comment("/colony:retry it was the network", 2, 0)},
			map[int64]string{2: "101 block ", 3: "102 retry it was the network"},
			[]int{1, 1},
		},
		"back to what was named, with a reason": {
			trail("in-development", byColony("failure-blocked"), byColony("planning")),
			[]commands.CommandComment{comment("/colony:retry planning too large", 1, 0)},
			map[int64]string{2: "101 retry too large"},
			[]int{1},
		},
		"a stranger's command leaves a move to the one who may move, receipts or not": {
			trail("paused", byColony("analyzing"), byColony("failure-blocked")),
			[]commands.CommandComment{
				comment("/colony:reanalyze", 0, 0), ofBot("/colony:block it burns", 0, 2), permitted(comment("/colony:reanalyze\n\n/colony:block", 0, 0), 103),
			},
			map[int64]string{1: "103 reanalyze ", 2: "103 block "},
			[]int{0, 0, 2},
		},
		"unless nobody else can have made it": {
			trail("in-development", byColony("paused")),
			[]commands.CommandComment{comment("/colony:pause", 0, 0), permitted(comment("/colony:resume", 0, 0), 103)},
			map[int64]string{1: "100 pause "},
			[]int{1, 0},
		},
		"forced": {
			trail("done", statemachine.Move{To: "new", By: colony, Kind: statemachine.ForcedMove}),
			[]commands.CommandComment{comment("/colony:move new", 0, 0), comment("/colony:force new the customer is back", 0, 0)},
			map[int64]string{1: "100 force the customer is back"},
			[]int{0, 1},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			orders, run := commands.AttributeMoves(life, test.standing, test.comments)
			got := map[int64]string{}
			for id, o := range orders {
				got[id] = fmt.Sprintf("%d %s %s", o.CommentID, o.Verb, o.Reason)
				if o.Led != "" {
					got[id] += " " + string(o.Led)
				}
			}
			if diff := cmp.Diff(test.orders, got); diff != "" {
				t.Errorf("moves (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.run, run); diff != "" {
				t.Errorf("run (-want +got):\n%s", diff)
			}
		})
	}
}

func colonyLifecycle(t testing.TB) *statemachine.Table {
	t.Helper()
	life, err := statemachine.Shipped("colony")
	if err != nil {
		t.Fatal(err)
	}
	return life
}
