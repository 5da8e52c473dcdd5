package reconcile

import (
	"fmt"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// However many lifecycles there are, the series stay bounded, nothing that is no state is in a label, and no verdict is left out.
func TestTheSeriesOfVerdictsAreBounded(t *testing.T) {
	t.Parallel()
	registry := prometheus.NewRegistry()
	m := NewMetrics(registry, nil)
	life, err := statemachine.Shipped("colony")
	if err != nil {
		t.Fatal(err)
	}
	modes := []lifecycle.Mode{lifecycle.ModeObserve, lifecycle.ModeWarn, lifecycle.ModeEnforce}
	told := 0.0
	for _, mode := range modes {
		for _, from := range life.States {
			for _, to := range life.States {
				for _, kind := range VerdictKinds() {
					m.verdict(mode, life, Verdict{Kind: kind.Kind, From: from.Name, To: to.Name, By: lifecycle.Actor{Kind: lifecycle.Operator}})
					told++
				}
			}
		}
	}
	for n := range 100 {
		m.verdict(lifecycle.ModeEnforce, life, Verdict{Kind: VerdictRefused, From: "new", To: fmt.Sprint("colony:", n), By: lifecycle.Actor{Kind: lifecycle.Operator}})
		told++
	}
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	counted, series := 0.0, 0
	for _, family := range families {
		if family.GetName() != "colony_verdicts_total" {
			continue
		}
		for _, of := range family.GetMetric() {
			series++
			counted += of.GetCounter().GetValue()
			for _, label := range of.GetLabel() {
				if _, is := life.State(label.GetValue()); label.GetName() == "to" && !is && label.GetValue() != otherState {
					t.Errorf("a label says %q", label.GetValue())
				}
			}
		}
	}
	// Beside those that are kept, there is one without states for each mode and kind.
	if most := seriesKept + len(modes)*len(VerdictKinds()); series > most {
		t.Errorf("there are %d series, want %d at most", series, most)
	}
	if counted != told {
		t.Errorf("%v verdicts are counted, want %v", counted, told)
	}
}
