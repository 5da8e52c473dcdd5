package lifecycle

import (
	"fmt"
	"strings"
	"testing"

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
		{"no capacity", []Dispatch{{[]string{"new"}, "analyzing", 0}}, []string{"[0 at-most]: at-most 0 is not from 1 to 1000"}},
		{"too much", []Dispatch{{[]string{"new"}, "analyzing", 1001}}, []string{"[0 at-most]: at-most 1001 is not from 1 to 1000"}},
		{"from nowhere", []Dispatch{{nil, "analyzing", 1}}, []string{"[0]: from is missing: the states in which issues wait"}},
		{"to nowhere", []Dispatch{{[]string{"new"}, "asleep", 1}}, []string{`[0 to]: "asleep" is no state of lifecycle colony`}},
		{"to the end", []Dispatch{{[]string{"new"}, "done", 1}}, []string{`[0 to]: "done" is terminal, so there is never room again`}},
		{"from no state", []Dispatch{{[]string{"new", "asleep"}, "analyzing", 1}}, []string{`[0 from 1]: "asleep" is no state of lifecycle colony`}},
		{"from outside of the labels", []Dispatch{{[]string{"unlabeled"}, "new", 1}}, []string{`[0 from 0]: "unlabeled" has no label, so the issues in it cannot be listed`}},
		{"not in the table", []Dispatch{{[]string{"in-review", "done"}, "in-development", 1}}, []string{
			"[0 from 0]: in-review -> in-development is not in the table of lifecycle colony", "[0 from 1]: done -> in-development is not in the table of lifecycle colony",
		}},
		{"to itself", []Dispatch{{[]string{"new"}, "new", 1}}, []string{"[0 from 0]: new -> new is not in the table of lifecycle colony"}},
		{"the same from twice", []Dispatch{{[]string{"new", "new"}, "analyzing", 1}}, []string{`[0 from 1]: "new" is listed twice`}},
		{"the same to twice", []Dispatch{{[]string{"new"}, "analyzing", 1}, {[]string{"needs-clarification"}, "analyzing", 1}}, []string{`[1 to]: an earlier row leads to "analyzing" already`}},
	} {
		t.Run(row.name, func(t *testing.T) {
			fitting, misfits := life.FitDispatch(row.rows)
			var got []string
			for _, m := range misfits {
				got = append(got, fmt.Sprintf("%v: %s", m.Path, m.Message))
			}
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			wrong := map[any]bool{}
			for _, m := range misfits {
				wrong[m.Path[0]] = true
			}
			if len(fitting) != len(row.rows)-len(wrong) {
				t.Errorf("%d of %d rows fit", len(fitting), len(row.rows))
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
