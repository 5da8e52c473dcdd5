package statemachine

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// columns are everybody who may ask for a move, as the golden file's columns.
func columns(life *Lifecycle) (names []string, actors []Actor) {
	names, actors = []string{"operator"}, []Actor{{Kind: Operator}}
	for _, r := range life.Roles {
		names, actors = append(names, r.Name), append(actors, Actor{Kind: Executor, Roles: []string{r.Name}})
	}
	names = append(names, "executor", "author", "colony")
	return names, append(actors, Actor{Kind: Executor}, Actor{Kind: Author}, Actor{Kind: Colony})
}

var verdictLetters = map[Verdict]string{Legal: "L", NotForRole: "r", NotInTable: ".", Same: "="}

// Every ordered pair of states, for everybody who may ask. L is legal, r is in the table but not for this role,
// . is not in the table, = is no move.
func TestEveryPairForEverybody(t *testing.T) {
	for _, name := range ShippedNames() {
		life, err := Shipped(name)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		who, actors := columns(life)
		fmt.Fprintf(&b, "# L legal, r not for this role, . not in the table, = the same state\n")
		for i, w := range who {
			fmt.Fprintf(&b, "# column %d: %s\n", i+1, w)
		}
		for _, from := range life.StateNames() {
			for _, to := range life.StateNames() {
				verdicts := ""
				for _, a := range actors {
					verdicts += verdictLetters[life.Judge(a, from, to)]
				}
				pair, _ := life.Pair(from, to)
				b.WriteString(strings.TrimRight(fmt.Sprintf("%-20s %-20s %s %s", from, to, verdicts, pair.Kind), " ") + "\n")
			}
		}
		golden(t, name+".matrix", b.Bytes())
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs (-want +got); rewrite it with -update if the table was meant to change:\n%s", file, diff)
	}
}

// The counts, derived by hand from the source document "Pipeline States":
//
//   - forward: the order has 15 states (paused is not in it), any later one is reachable: 15*14/2 = 105
//   - backward: the tables list 3 (Review Cycles) + 6 (Recovery and Rollback) + 6 (Re-analysis) + 10 (Dependency and
//     Scope Management) + 3 (Planning and Escalation) = 28. The prose beside failure-blocked -> ready-for-dev names
//     six further targets, of which in-review, changes-requested and merge-pending lie later in the order and so
//     are forward pairs already; analyzing, planning and new are 3 more. The diagram adds changes-requested,
//     in-review, merge-pending and human-review-ready -> failure-blocked and in-development -> needs-clarification:
//     5 more. 28 + 3 + 5 = 36
//   - pause: 7 pauseable states
//   - resume: to any of the 16 states except paused and unlabeled: 14
func TestColonyHasThePairsOfItsSource(t *testing.T) {
	life := colony(t)
	got, sources := map[Kind]int{}, map[string]int{}
	for _, p := range life.Pairs {
		got[p.Kind]++
		sources[p.Source]++
		if p.Why == "" || p.Source == "" {
			t.Errorf("%s -> %s does not say why or where it comes from", p.From, p.To)
		}
	}
	if diff := cmp.Diff(map[Kind]int{Forward: 105, Backward: 36, Pause: 7, Resume: 14}, got); diff != "" {
		t.Errorf("pairs by kind (-want +got):\n%s", diff)
	}
	want := map[string]int{
		"Forward Progression": 105, "Review Cycles": 3, "Recovery and Rollback": 6, "Re-analysis": 6,
		"Dependency and Scope Management": 10, "Planning and Escalation": 3,
		"Recovery and Rollback, the targets named in the prose; State Machine Diagram": 3,
		"State Machine Diagram": 5, "Pause and Resume": 21,
	}
	if diff := cmp.Diff(want, sources); diff != "" {
		t.Errorf("pairs by source (-want +got):\n%s", diff)
	}
	if len(life.Pairs) != 162 {
		t.Errorf("%d pairs, want 162", len(life.Pairs))
	}
}

// The source's forward order, and its table "Per-Executor Valid Transitions" with the claims of the design: written
// here once more, independently of the lifecycle file.
func TestColonyFollowsItsSource(t *testing.T) {
	life := colony(t)
	order := strings.Fields("unlabeled new planning analyzing needs-clarification ready-for-dev dependency-blocked failure-blocked in-development changes-requested in-review merge-pending human-review-ready waiting-for-subtasks done")
	for i, from := range order {
		for _, to := range order[i+1:] {
			if p, ok := life.Pair(from, to); !ok || p.Kind != Forward {
				t.Errorf("%s -> %s is not a forward pair", from, to)
			}
		}
	}
	executors := map[string][]string{
		"analyzer":  {"unlabeled new", "new analyzing", "analyzing needs-clarification", "analyzing ready-for-dev"},
		"planner":   {"unlabeled new", "new planning", "planning ready-for-dev", "planning waiting-for-subtasks"},
		"developer": {"ready-for-dev in-development", "changes-requested in-development", "in-development needs-clarification", "in-development in-review"},
		"reviewer":  {"in-review changes-requested", "in-review human-review-ready"},
		"merger":    {"merge-pending done"},
	}
	everything := []string{}
	for role, want := range executors {
		everything = append(everything, want...)
		sameMoves(t, role, want, legalMoves(life, Actor{Kind: Executor, Roles: []string{role}}))
	}
	sameMoves(t, "an executor bound to no role", everything, legalMoves(life, Actor{Kind: Executor}))
	sameMoves(t, "author", nil, legalMoves(life, Actor{Kind: Author}))
	sameMoves(t, "operator against colony", legalMoves(life, Actor{Kind: Operator}), legalMoves(life, Actor{Kind: Colony}))
}

func legalMoves(life *Lifecycle, who Actor) []string {
	var moves []string
	for _, from := range life.StateNames() {
		for _, p := range life.Next(who, from) {
			moves = append(moves, p.From+" "+p.To)
		}
	}
	return moves
}

func sameMoves(t *testing.T, who string, want, got []string) {
	t.Helper()
	clean := func(moves []string) []string {
		moves = slices.Clone(moves)
		slices.Sort(moves)
		return slices.Compact(moves)
	}
	if diff := cmp.Diff(clean(want), clean(got)); diff != "" {
		t.Errorf("%s may move (-want +got):\n%s", who, diff)
	}
}

func TestOnlyTerminalStatesAreDeadEnds(t *testing.T) {
	life := colony(t)
	for _, s := range life.States {
		next := life.Next(Actor{Kind: Operator}, s.Name)
		if (s.Type == Terminal) != (len(next) == 0) {
			t.Errorf("%s is %s and has %d ways out", s.Name, s.Type, len(next))
		}
	}
	sameMoves(t, "operator in waiting-for-subtasks", []string{"waiting-for-subtasks done"},
		slices.DeleteFunc(legalMoves(life, Actor{Kind: Operator}), func(m string) bool { return !strings.HasPrefix(m, "waiting-for-subtasks ") }))
}

func TestLabelsFitGitHubAndSayWhoManagesThem(t *testing.T) {
	for _, name := range ShippedNames() {
		life, err := Shipped(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range life.Labels() {
			if n := utf8.RuneCountInString(l.Description); n == 0 || n > 100 {
				t.Errorf("%s: the description of %s has %d characters", name, l.Label, n)
			}
			if !strings.Contains(l.Description, "Colony") {
				t.Errorf("%s: the description of %s does not say that Colony manages it: %q", name, l.Label, l.Description)
			}
			if _, isState := life.StateOf(l.Label); isState && !strings.Contains(l.Description, "Managed by Colony") {
				t.Errorf("%s: the description of %s does not say that it is managed: %q", name, l.Label, l.Description)
			}
			if len(l.Color) != 6 {
				t.Errorf("%s: the colour of %s is %q", name, l.Label, l.Color)
			}
		}
	}
}

func TestWordsThatAreNoState(t *testing.T) {
	life := colony(t)
	for _, pair := range [][2]string{{"new", "nowhere"}, {"nowhere", "new"}, {"", "new"}, {"colony:new", "done"}} {
		if got := life.Judge(Actor{Kind: Operator}, pair[0], pair[1]); got != NotAState {
			t.Errorf("%s -> %s: %s", pair[0], pair[1], got)
		}
	}
	for _, mark := range []string{NeedsHuman, Forced, "colony:urgency/2", "bug", ""} {
		if s, ok := life.StateOf(mark); ok {
			t.Errorf("label %q is taken for state %s", mark, s.Name)
		}
	}
	if s, ok := life.StateOf("Colony:IN-Review"); !ok || s.Name != "in-review" {
		t.Errorf("labels do not compare without regard to case")
	}
}

func TestWideningARoleStaysInsideTheTable(t *testing.T) {
	life := colony(t)
	reviewer := Actor{Kind: Executor, Roles: []string{"reviewer"}}
	wide, err := life.Widen("reviewer", "in-review", "merge-pending")
	if err != nil {
		t.Fatal(err)
	}
	if got := wide.Judge(reviewer, "in-review", "merge-pending"); got != Legal {
		t.Errorf("the widened move is %s", got)
	}
	if got := life.Judge(reviewer, "in-review", "merge-pending"); got != NotForRole {
		t.Errorf("widening changed the lifecycle it started from: %s", got)
	}
	if got := wide.Judge(Actor{Kind: Executor, Roles: []string{"merger"}}, "in-review", "merge-pending"); got != NotForRole {
		t.Errorf("widening one role widened another: %s", got)
	}
	if _, err := life.Widen("reviewer", "done", "new"); err == nil {
		t.Error("a role was widened beyond the table")
	}
	if _, err := life.Widen("juggler", "in-review", "merge-pending"); err == nil {
		t.Error("an unknown role was widened")
	}
}
