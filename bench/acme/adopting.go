package acme

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// AdoptingLifecycle is the shipped lifecycle with whole names for labels, as a repository can have had them: "status: in review".
func (g *GitHub) AdoptingLifecycle() string {
	g.t.Helper()
	life, err := statemachine.Shipped("colony")
	g.Must(err)
	text, err := lifecycle.ShippedFile("colony")
	g.Must(err)
	s := string(text)
	for _, state := range life.States {
		if state.Label != "" {
			s = strings.Replace(s, "label: "+state.Label+"\n", fmt.Sprintf("label: %q\n    previously: [%q]\n", NameOf(state.Name), OldNameOf(state.Name)), 1)
		}
	}
	return s
}

// NameOf is the label of a state in the adopting lifecycle.
func NameOf(state string) string {
	return strings.ToUpper(state[:1]) + strings.ReplaceAll(state[1:], "-", " ")
}

// OldNameOf is the earlier label of a state.
func OldNameOf(state string) string { return "status: " + strings.ReplaceAll(state, "-", " ") }

// Had is an issue as a repository had it before Colony came.
type Had struct {
	Number int
	State  string
	Closed bool
}

// unknownState is a label that no lifecycle has.
const unknownState = "status: unknown"

// HadIssues fills acme/widgets with issues as it had them before Colony came: open and closed, moved once, with earlier labels for states and
// with labels that do not concern Colony.
func (g *GitHub) HadIssues(n int) []Had {
	g.t.Helper()
	life, err := statemachine.Shipped("colony")
	g.Must(err)
	states := slices.DeleteFunc(life.StateNames(), func(s string) bool { return life.Label(s) == "" })
	for _, s := range states {
		g.MakeLabel(OldNameOf(s), "Ours.")
	}
	g.MakeLabel(unknownState, "Nobody knows.")
	all := make([]Had, n)
	for i := range all {
		state, before := states[i%len(states)], states[(i+3)%len(states)]
		number := g.Open("olivia", "bug", OldNameOf(before))
		g.Label(number, "olivia", OldNameOf(state))
		g.Unlabel(number, "olivia", OldNameOf(before))
		if i%5 == 0 {
			g.Label(number, "olivia", unknownState)
		}
		all[i] = Had{number, state, i%4 == 3}
		if all[i].Closed {
			g.CloseIssue(number, "olivia")
		}
	}
	g.Advance(time.Hour)
	return all
}

// KeepState checks that issues carry the present label of their state, and the labels that do not concern Colony.
func (g *GitHub) KeepState(all []Had) {
	g.t.Helper()
	for i, h := range all {
		want := []string{NameOf(h.State), "bug"}
		if i%5 == 0 {
			want = append(want, unknownState)
		}
		slices.Sort(want)
		if is := g.LabelsOf(h.Number); !slices.Equal(is, want) {
			g.t.Errorf("#%d has %q, want %q", h.Number, is, want)
		}
	}
}
