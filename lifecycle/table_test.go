package lifecycle

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

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

// The counts, derived by hand from the source document "Lifecycle":
//
//   - its table "Transitions" has 12 rows between two named states, one of them a round in refining
//   - the row "any active -> PAUSED": seven states are neither an end nor a side state; fixing-checks has its own row, so 6 more
//   - the rows "(previous state)": paused and failed return to each of the seven, 2*7 = 14. The diagram draws only six of
//     each and forgets fixing-checks; the table rules
//   - "FAILED: An error occurred": from the other states in which a role works, 3 more
//   - a merge wins from every state that may have a pull request: in-review is in the table already, addressing-feedback,
//     fixing-checks, failed and paused are 4 more
//
// 12 + 6 + 14 + 3 + 4 = 39, and one pair more by which issues enter the lifecycle, because queued has a label.
func TestAutoralphHasThePairsOfItsSource(t *testing.T) {
	active := "queued refining approved building in-review addressing-feedback fixing-checks"
	var want []string
	want = append(want, each("outside", "queued")...)
	want = append(want, each("queued", "refining")...)
	want = append(want, each("refining", "refining approved failed")...)
	want = append(want, each("approved", "building")...)
	want = append(want, each("building", "in-review failed")...)
	want = append(want, each("in-review", "addressing-feedback fixing-checks completed")...)
	want = append(want, each("addressing-feedback", "in-review completed failed")...)
	want = append(want, each("fixing-checks", "in-review completed failed")...)
	for from := range strings.FieldsSeq(active) {
		want = append(want, each(from, "paused")...)
	}
	want = append(want, each("paused", active+" completed")...)
	want = append(want, each("failed", active+" completed")...)
	hasPairs(t, "autoralph", 40, want, map[Kind]int{Enter: 1, Forward: 9, Again: 1, Backward: 8, Pause: 7, Resume: 14})
	executorsMay(t, "autoralph", map[string][]string{
		"refiner": {"outside queued", "queued refining", "refining failed"},
		"builder": append(each("approved", "building"), each("building", "in-review failed")...),
		"fixer":   append(each("addressing-feedback", "in-review failed"), each("fixing-checks", "in-review failed")...),
	})
}

// The counts, derived by hand from the source document "Task Pipeline": the drawing has 6 arrows from INIT to DONE, and the
// retry that re-enters GATHER makes the "seven forward transitions" of its text. CANCELLED can be reached from each of
// the 6 states that are no end. 7 + 6 = 13, and the entry into init.
func TestColibriHasThePairsOfItsSource(t *testing.T) {
	order := strings.Fields("outside init gather analyze plan apply verify done")
	var want []string
	for i, from := range order[:7] {
		want = append(want, each(from, order[i+1])...)
	}
	want = append(want, each("verify", "gather")...)
	for _, from := range order[1:7] {
		want = append(want, each(from, "cancelled")...)
	}
	hasPairs(t, "colibri", 14, want, map[Kind]int{Enter: 1, Forward: 6, Backward: 1, Abandon: 6})
	executorsMay(t, "colibri", map[string][]string{
		"gatherer": {"outside init", "init gather", "init cancelled", "gather analyze", "gather cancelled"},
		"analyst":  {"analyze plan", "analyze cancelled"},
		"planner":  {"plan apply", "plan cancelled"},
		"applier":  {"apply verify", "apply cancelled"},
		"verifier": each("verify", "done gather cancelled"),
	})
	life := shipped(t, "colibri")
	for _, p := range life.Pairs {
		if (p.Reason == Required) != (p.To == "cancelled") {
			t.Errorf("%s -> %s: reason %q", p.From, p.To, p.Reason)
		}
	}
}

// The counts, derived by hand from the source document "Status Lifecycle and Transitions Analysis": its matrix has 8 pairs, and
// its section "Delta Session Behavior" adds the 4 from the states that are no end to obsolete. 8 + 4 = 12, and the entry.
func TestPRPHasThePairsOfItsSource(t *testing.T) {
	columns := strings.Fields("planned researching implementing retrying complete failed obsolete")
	matrix := map[string]string{ // as the document prints it, with the rule of the delta sessions in the last column
		"planned":      "-x....o",
		"researching":  ".-x...o",
		"implementing": "..-xxxo",
		"retrying":     "..x-xxo",
		"complete":     "....-..",
		"failed":       ".....-.",
		"obsolete":     "......-",
	}
	want := []string{"outside planned"}
	for from, row := range matrix {
		for i, mark := range row {
			if mark == 'x' || mark == 'o' {
				want = append(want, from+" "+columns[i])
			}
		}
	}
	hasPairs(t, "prp", 13, want, map[Kind]int{Enter: 1, Forward: 6, Backward: 2, Abandon: 4})
	executorsMay(t, "prp", map[string][]string{
		"researcher":  {"outside planned", "planned researching", "researching implementing"},
		"implementer": each("implementing", "retrying complete failed"),
		"retrier":     each("retrying", "implementing complete failed"),
		// A guard keeps executors without a role from what this one may.
		"delta-analyst": {"planned obsolete", "researching obsolete", "implementing obsolete", "retrying obsolete"},
	})
}

// How many pairs each document has, beside the entry of the lifecycles whose first state has a label. The document of autoralph has 35;
// the merge out of failed is Colony's own.
func TestTheShippedLifecyclesHaveAsManyPairsAsTheirDocuments(t *testing.T) {
	for _, want := range []struct {
		lifecycle      string
		pairs, entries int
		beside         []string // pairs that the document does not have
	}{
		{"autoralph", 38, 1, []string{"failed completed"}},
		{"colibri", 13, 1, nil},
		{"colony", 162, 0, nil},
		{"prp", 12, 1, nil},
	} {
		pairs, entries, beside := 0, 0, []string(nil)
		for _, p := range shipped(t, want.lifecycle).Pairs {
			switch pair := p.From + " " + p.To; {
			case slices.Contains(want.beside, pair):
				beside = append(beside, pair)
			case p.Kind == Enter:
				entries++
			default:
				pairs++
			}
		}
		if pairs != want.pairs || entries != want.entries || !slices.Equal(beside, want.beside) {
			t.Errorf("%s has %d pairs, %d entries and %q; want %d, %d and %q", want.lifecycle, pairs, entries, beside, want.pairs, want.entries, want.beside)
		}
	}
}

// each writes the moves from one state to several.
func each(from, to string) []string {
	var moves []string
	for t := range strings.FieldsSeq(to) {
		moves = append(moves, from+" "+t)
	}
	return moves
}

func hasPairs(t *testing.T, name string, number int, want []string, kinds map[Kind]int) {
	t.Helper()
	life := shipped(t, name)
	sameMoves(t, "an operator of "+name, want, legalMoves(life, Actor{Kind: Operator}))
	sameMoves(t, "Colony in "+name, want, legalMoves(life, Actor{Kind: Colony}))
	sameMoves(t, "an author in "+name, nil, legalMoves(life, Actor{Kind: Author}))
	got := map[Kind]int{}
	for _, p := range life.Pairs {
		got[p.Kind]++
		if p.Why == "" || p.Source == "" && p.Kind != Enter {
			t.Errorf("%s: %s -> %s does not say why or where it comes from", name, p.From, p.To)
		}
	}
	if diff := cmp.Diff(kinds, got); diff != "" {
		t.Errorf("%s: pairs by kind (-want +got):\n%s", name, diff)
	}
	if len(life.Pairs) != number || len(want) != number {
		t.Errorf("%s: %d pairs, by the document %d, want %d", name, len(life.Pairs), len(want), number)
	}
}

func executorsMay(t *testing.T, name string, roles map[string][]string) {
	t.Helper()
	life := shipped(t, name)
	everything := []string{}
	for role, want := range roles {
		everything = append(everything, want...)
		sameMoves(t, role, want, legalMoves(life, Actor{Kind: Executor, Roles: []string{role}}))
	}
	sameMoves(t, "an executor of "+name+" bound to no role", everything, legalMoves(life, Actor{Kind: Executor}))
	if len(life.Roles) != len(roles) {
		t.Errorf("%s has %d roles, want %d", name, len(life.Roles), len(roles))
	}
}

// The colours and signs of the source's "Detailed Status Definitions": the hue of each label is the one the document names.
func TestPRPHasTheColoursAndSignsOfItsSource(t *testing.T) {
	life := shipped(t, "prp")
	for _, want := range []struct{ state, sign, colour string }{
		{"planned", "○", "gray"},
		{"researching", "◐", "cyan"},
		{"implementing", "◐", "blue"},
		{"retrying", "↻", "yellow"},
		{"complete", "✓", "green"},
		{"failed", "✗", "red"},
		{"obsolete", "⊘", "gray"}, // "dim"
	} {
		s, _ := life.State(want.state)
		if s.Glyph != want.sign || hue(t, s.Color) != want.colour {
			t.Errorf("%s has the sign %s and the colour %s (%s), want %s and %s", s.Name, s.Glyph, s.Color, hue(t, s.Color), want.sign, want.colour)
		}
	}
}

// hue names a colour by its strongest parts.
func hue(t *testing.T, color string) string {
	t.Helper()
	var r, g, b int
	if _, err := fmt.Sscanf(color, "%02x%02x%02x", &r, &g, &b); err != nil {
		t.Fatal(err)
	}
	strong := func(part int) bool { return part*5 > max(r, g, b)*3 }
	switch [3]bool{strong(r), strong(g), strong(b)} {
	case [3]bool{true, true, true}:
		return "gray"
	case [3]bool{false, true, true}:
		return "cyan"
	case [3]bool{true, true, false}:
		return "yellow"
	case [3]bool{true, false, false}:
		return "red"
	case [3]bool{false, true, false}:
		return "green"
	case [3]bool{false, false, true}:
		return "blue"
	}
	return "purple"
}

// These are the design's limits, commands and ends of each lifecycle, beside its table.
func TestWhatHappensByItselfIsWhatTheDocumentsSay(t *testing.T) {
	limits := map[string]string{
		"autoralph": "fix attempts: in-review>fixing-checks 3 then paused",
		"colibri":   "attempts: verify>gather counted",
		"colony": "review cycles: in-review>changes-requested 5 then failure-blocked; " +
			"returns to the queue: in-development,in-review>ready-for-dev 3 then failure-blocked; " +
			"returns to the analysis: in-development>analyzing 3 then failure-blocked; " +
			"development attempts: ready-for-dev,changes-requested>in-development 10 then failure-blocked; " +
			"failed merges: merge-pending>in-review 3 then failure-blocked",
		"prp": "retries: >retrying 3 then failed",
	}
	closes := map[string]string{
		"autoralph": "completed completed", "colibri": "done completed cancelled not_planned", "prp": "complete completed obsolete not_planned",
	}
	for _, name := range ShippedNames() {
		life := shipped(t, name)
		var written, closed []string
		for _, l := range life.Limits {
			text := l.Name + ": " + strings.Join(l.From, ",") + ">" + l.To + " counted"
			if l.AtMost > 0 {
				text = strings.TrimSuffix(text, "counted") + fmt.Sprintf("%d then %s", l.AtMost, l.Instead)
			}
			written = append(written, text)
		}
		if diff := cmp.Diff(limits[name], strings.Join(written, "; ")); diff != "" {
			t.Errorf("%s: limits (-want +got)\n%s", name, diff)
		}
		for _, s := range life.States {
			if s.Closes != "" {
				closed = append(closed, s.Name, string(s.Closes))
			}
		}
		if diff := cmp.Diff(closes[name], strings.Join(closed, " ")); name != "colony" && diff != "" {
			t.Errorf("%s: closes (-want +got)\n%s", name, diff)
		}
		if life.Final != (name == "colibri" || name == "prp") {
			t.Errorf("%s: the ends are for ever: %v", name, life.Final)
		}
	}
}

// The source's forward order, and its table "Per-Executor Valid Transitions" with the claims of the design, and with what other parts
// say of the analyzer (epics), of the developer's work (scope) and of work that fails: written here once more, independently of the lifecycle
// file.
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
		"analyzer": {"unlabeled new", "new analyzing", "analyzing needs-clarification", "analyzing ready-for-dev", "analyzing planning", "analyzing failure-blocked"},
		"planner":  {"unlabeled new", "new planning", "planning ready-for-dev", "planning waiting-for-subtasks", "planning failure-blocked"},
		"developer": {
			"ready-for-dev in-development", "changes-requested in-development", "in-development needs-clarification", "in-development in-review",
			"ready-for-dev new", "ready-for-dev planning", "changes-requested new", "changes-requested planning", "in-development new", "in-development planning",
			"in-development failure-blocked", "in-development ready-for-dev", "in-development analyzing", "in-development dependency-blocked",
		},
		"reviewer": {"in-review changes-requested", "in-review human-review-ready", "in-review failure-blocked"},
		"merger":   {"merge-pending done", "merge-pending in-review", "merge-pending failure-blocked"},
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
	for _, from := range life.everywhere() {
		for _, p := range life.Next(who, from.Name) {
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

func TestOnlyTerminalStatesAreDeadEndsAndAllAreReached(t *testing.T) {
	for _, name := range ShippedNames() {
		life := shipped(t, name)
		reached := life.ways(func(Pair) bool { return true }).From(life.Initial)
		for _, s := range life.States {
			out := slices.DeleteFunc(life.Next(Actor{Kind: Operator}, s.Name), func(p Pair) bool { return p.To == s.Name })
			if (s.Type == Terminal) != (len(out) == 0) {
				t.Errorf("%s: %s is %s and has %d ways out", name, s.Name, s.Type, len(out))
			}
			if s.Name != life.Initial && reached[s.Name] == "" {
				t.Errorf("%s: no way leads from %s to %s", name, life.Initial, s.Name)
			}
		}
	}
	life := colony(t)
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
