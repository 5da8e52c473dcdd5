package statemachine

import (
	"testing"
	"time"

	"github.com/colony-app/colony/lifecycle"
)

func developing(t *testing.T, most int) (*Table, lifecycle.Dispatch) {
	t.Helper()
	row := lifecycle.Dispatch{From: []string{"ready-for-dev", "changes-requested"}, To: "in-development", AtMost: most}
	life := colony(t).With(Options{Dispatch: []lifecycle.Dispatch{row}})
	if len(life.Dispatch) != 1 {
		t.Fatal(life.Dispatch)
	}
	return life, row
}

// Setting a capacity judges the past anew, because Colony's moves count otherwise; changing it does not.
func TestFingerprintOfDispatch(t *testing.T) {
	three, _ := developing(t, 3)
	four, _ := developing(t, 4)
	none := three.With(Options{})
	if three.Fingerprint() != four.Fingerprint() {
		t.Error("another capacity judges otherwise")
	}
	if three.Fingerprint() == none.Fingerprint() || none.Fingerprint() != shippedWithGuards(t, "colony").Fingerprint() {
		t.Error("a capacity judges as none does")
	}
}

func TestDispatchMove(t *testing.T) {
	life, row := developing(t, 1)
	// Ten failed attempts, none a person's: each goes back for changes, as only two may for other reasons.
	var attempts []Move
	attempts = append(attempts, Move{From: "new", To: "ready-for-dev", Kind: Moved, By: lifecycle.Actor{Kind: lifecycle.Operator}, Moment: Moment{At: morning}})
	for n := range 10 {
		at := morning.Add(time.Duration(n+1) * time.Hour)
		attempts = append(attempts,
			Move{From: "ready-for-dev", To: "in-development", Kind: Moved, By: lifecycle.Actor{Kind: lifecycle.Colony}, Moment: Moment{At: at}},
			Move{From: "in-development", To: "changes-requested", Kind: Moved, By: lifecycle.Actor{Kind: lifecycle.Executor}, Moment: Moment{At: at}},
		)
	}
	person := append(append([]Move(nil), attempts...), Move{From: "changes-requested", To: "ready-for-dev", Kind: Moved, By: lifecycle.Actor{Kind: lifecycle.Operator}, Moment: Moment{At: morning.Add(11 * time.Hour)}})
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
		{"something is to be undone", Standing{State: "ready-for-dev"}, Decision{LabelEdits: LabelEdits{Remove: []string{"colony:done"}}}, ""},
		{"something may have to be undone", Standing{State: "ready-for-dev"}, Decision{Wait: Wait{Why: Quiet, Until: morning}}, ""},
		{"Colony is stopped", Standing{State: "ready-for-dev"}, Decision{Halted: &Rejection{}}, ""},
		{"a row keeps it where it is", Standing{State: "ready-for-dev"}, Decision{Kept: true}, ""},
		{"the log lags behind", Standing{State: "ready-for-dev"}, Decision{Wait: Wait{Why: Lag}}, ""},
		{"a guard's facts are unread", Standing{State: "ready-for-dev"}, Decision{Wait: Wait{Why: Unread}}, ""},
		{"a forced move is under way", Standing{State: "ready-for-dev"}, Decision{Wait: Wait{Why: Held}}, ""},
		{"too often", Standing{State: "changes-requested", Trail: attempts}, Decision{}, "changes-requested -> failure-blocked, asks a person"},
		{"too often until a person came", Standing{State: "ready-for-dev", Trail: person}, Decision{}, "ready-for-dev -> in-development"},
	} {
		t.Run(r.name, func(t *testing.T) {
			a, ok := life.DispatchMove(row, r.standing, r.decision)
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
