package inspect_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/app/inspect"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

func shipped(t *testing.T, name string) *statemachine.Table {
	t.Helper()
	life, err := statemachine.Shipped(name)
	if err != nil {
		t.Fatal(err)
	}
	return life
}

// TestSimulatedVerdictsAreThoseOfTheTable simulates each pair of states of each lifecycle for each kind of actor.
func TestSimulatedVerdictsAreThoseOfTheTable(t *testing.T) {
	t.Parallel()
	for _, name := range lifecycle.ShippedNames() {
		life := shipped(t, name)
		for _, from := range life.States {
			for _, to := range life.States {
				if to.Label == "" {
					continue
				}
				for _, kind := range []lifecycle.ActorKind{lifecycle.Operator, lifecycle.Executor, lifecycle.Author} {
					who := lifecycle.Actor{Kind: kind}
					out, err := inspect.Simulate(life, from.Name, who, []string{to.Label})
					if err != nil {
						t.Fatal(err)
					}
					v := out.Verdicts[0]
					at := statemachine.Standing{State: from.Name}
					want := string(life.Rule(at, statemachine.Ask{By: who, To: to.Name}, nil).Verdict)
					if from.Name == to.Name && want != string(lifecycle.Legal) { // the label is there
						want = string(lifecycle.Same)
					}
					if v.Verdict == "not-known" && len(v.Guards) > 0 || v.Verdict == "guarded" {
						continue
					}
					if v.Verdict != want || v.From != from.Name || v.To != to.Name || v.Why == "" {
						t.Errorf("%s: %s -> %s, as %s: %+v, want %s", name, from.Name, to.Name, kind, v, want)
					}
				}
			}
		}
	}
}

func TestLabelsAreSimulatedOneAfterTheOther(t *testing.T) {
	t.Parallel()
	life := shipped(t, "colony")
	dev := lifecycle.Actor{Kind: lifecycle.Executor, Roles: []string{"developer"}}
	out, err := inspect.Simulate(life, "Ready-For-Dev", dev, []string{"bug", "colony:in-development", "colony:in-review", "colony:done", "colony:in-revue"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, v := range out.Verdicts {
		got = append(got, strings.Join([]string{v.Label, v.Verdict, v.From, v.To, v.LedTo}, " "))
	}
	want := []string{
		"bug none ready-for-dev  ",
		"colony:in-development legal ready-for-dev in-development ",
		"colony:in-review legal in-development in-review ",
		"colony:done not-for-role in-review done failure-blocked",
		"colony:in-revue not-a-state failure-blocked  ",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if out.From != "ready-for-dev" || out.To != "failure-blocked" {
		t.Errorf("from %s to %s", out.From, out.To)
	}
	unknown := (*inspect.UnknownError)(nil)
	if _, err := inspect.Simulate(life, "nowhere", dev, nil); !errors.As(err, &unknown) || unknown.Word != "nowhere" {
		t.Errorf("from nowhere: %v", err)
	}
}
