package statemachine

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestDispatchingTakesOnlyWhatFits(t *testing.T) {
	life := colony(t)
	for _, row := range []struct {
		name string
		rows []Dispatch
		want []string
	}{
		{"one", []Dispatch{{[]string{"ready-for-dev", "changes-requested"}, "in-development", 3}}, nil},
		{"one a role", []Dispatch{{[]string{"ready-for-dev"}, "in-development", 3}, {[]string{"new"}, "analyzing", 1}}, nil},
		{"no capacity", []Dispatch{{[]string{"new"}, "analyzing", 0}}, []string{"0 at-most 0: at-most 0 is not from 1 to 1000"}},
		{"too much", []Dispatch{{[]string{"new"}, "analyzing", 1001}}, []string{"0 at-most 0: at-most 1001 is not from 1 to 1000"}},
		{"from nowhere", []Dispatch{{nil, "analyzing", 1}}, []string{"0  0: from is missing: the states in which issues wait"}},
		{"to nowhere", []Dispatch{{[]string{"new"}, "asleep", 1}}, []string{`0 to 0: "asleep" is no state of lifecycle colony`}},
		{"to the end", []Dispatch{{[]string{"new"}, "done", 1}}, []string{`0 to 0: "done" is terminal, so there is never room again`}},
		{"from no state", []Dispatch{{[]string{"new", "asleep"}, "analyzing", 1}}, []string{`0 from 1: "asleep" is no state of lifecycle colony`}},
		{"from outside of the labels", []Dispatch{{[]string{"unlabeled"}, "new", 1}}, []string{`0 from 0: "unlabeled" has no label, so the issues in it cannot be listed`}},
		{"not in the table", []Dispatch{{[]string{"in-review", "done"}, "in-development", 1}}, []string{
			"0 from 0: in-review -> in-development is not in the table of lifecycle colony", "0 from 1: done -> in-development is not in the table of lifecycle colony",
		}},
		{"to itself", []Dispatch{{[]string{"new"}, "new", 1}}, []string{"0 from 0: new -> new is not in the table of lifecycle colony"}},
		{"the same from twice", []Dispatch{{[]string{"new", "new"}, "analyzing", 1}}, []string{`0 from 1: "new" is listed twice`}},
		{"the same to twice", []Dispatch{{[]string{"new"}, "analyzing", 1}, {[]string{"needs-clarification"}, "analyzing", 1}}, []string{`1 to 0: an earlier row leads to "analyzing" already`}},
	} {
		t.Run(row.name, func(t *testing.T) {
			moving, misfits := life.Dispatching(row.rows)
			var got []string
			for _, m := range misfits {
				got = append(got, fmt.Sprintf("%d %s %d: %s", m.Row, m.Setting, m.Index, m.Message))
			}
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			wrong := map[int]bool{}
			for _, m := range misfits {
				wrong[m.Row] = true
			}
			if len(moving.Dispatch) != len(row.rows)-len(wrong) || len(life.Dispatch) != 0 {
				t.Errorf("%d of %d rows are in force, and %d elsewhere", len(moving.Dispatch), len(row.rows), len(life.Dispatch))
			}
		})
	}
}

func developing(t *testing.T, most int) (*Lifecycle, Dispatch) {
	t.Helper()
	row := Dispatch{[]string{"ready-for-dev", "changes-requested"}, "in-development", most}
	life, misfits := colony(t).Dispatching([]Dispatch{row})
	if len(misfits) > 0 {
		t.Fatal(misfits)
	}
	return life, row
}

// Setting a capacity judges the past anew, because Colony's moves count otherwise; changing it does not.
func TestFingerprintOfDispatch(t *testing.T) {
	three, _ := developing(t, 3)
	four, _ := developing(t, 4)
	none, _ := three.Dispatching(nil)
	if three.Fingerprint() != four.Fingerprint() {
		t.Error("another capacity judges otherwise")
	}
	if three.Fingerprint() == none.Fingerprint() || none.Fingerprint() != colony(t).Fingerprint() {
		t.Error("a capacity judges as none does")
	}
}

func TestDispatchMove(t *testing.T) {
	life, row := developing(t, 1)
	// Ten failed attempts, none a person's: each goes back for changes, as only two may for other reasons.
	var attempts []Move
	attempts = append(attempts, Move{From: "new", To: "ready-for-dev", Kind: Moved, By: Actor{Kind: Operator}, At: morning})
	for n := range 10 {
		at := morning.Add(time.Duration(n+1) * time.Hour)
		attempts = append(attempts,
			Move{From: "ready-for-dev", To: "in-development", Kind: Moved, By: Actor{Kind: Colony}, At: at},
			Move{From: "in-development", To: "changes-requested", Kind: Moved, By: Actor{Kind: Executor}, At: at},
		)
	}
	person := append(append([]Move(nil), attempts...), Move{From: "changes-requested", To: "ready-for-dev", Kind: Moved, By: Actor{Kind: Operator}, At: morning.Add(11 * time.Hour)})
	for _, r := range []struct {
		name     string
		standing Standing
		decision Decision
		want     string
	}{
		{"it is next", Standing{State: "ready-for-dev"}, Decision{}, "ready-for-dev -> in-development"},
		{"for the changes", Standing{State: "changes-requested"}, Decision{}, "changes-requested -> in-development"},
		{"elsewhere", Standing{State: "new"}, Decision{}, ""},
		{"there already", Standing{State: "in-development"}, Decision{}, ""},
		{"something is to be undone", Standing{State: "ready-for-dev"}, Decision{Remove: []string{"colony:done"}}, ""},
		{"something may have to be undone", Standing{State: "ready-for-dev"}, Decision{RequeueAt: morning}, ""},
		{"Colony is stopped", Standing{State: "ready-for-dev"}, Decision{Halted: &Rejection{}}, ""},
		{"a row keeps it where it is", Standing{State: "ready-for-dev"}, Decision{Waits: true}, ""},
		{"the log lags behind", Standing{State: "ready-for-dev"}, Decision{Lagging: true}, ""},
		{"too often", Standing{State: "changes-requested", Trail: attempts}, Decision{}, "changes-requested -> failure-blocked, asks a person"},
		{"too often until a person came", Standing{State: "ready-for-dev", Trail: person}, Decision{}, "ready-for-dev -> in-development"},
	} {
		t.Run(r.name, func(t *testing.T) {
			a, ok, _ := life.DispatchMove(row, r.standing, r.decision)
			got := ""
			if ok {
				got = a.From + " -> " + a.To
				if a.AsksPerson {
					got += ", asks a person"
				}
			}
			if got != r.want {
				t.Errorf("got %q, want %q", got, r.want)
			}
		})
	}
}

func TestAlone(t *testing.T) {
	life := colony(t)
	for labels, want := range map[string]string{"": "", "bug": "", "colony:new bug": "new", "COLONY:New": "new", "colony:new colony:analyzing": "", "colony:new colony:needs-human": "new"} {
		if got, _ := life.Alone(strings.Fields(labels)); got != want {
			t.Errorf("%q: %q, want %q", labels, got, want)
		}
	}
}
