package cli

import (
	"strings"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// glyphs lists the signs of the states of some lifecycles, by their labels, for the page of the playground. A label with which two of them
// mean different things has none.
func glyphs(lifecycles ...*statemachine.Table) map[string]string {
	signs := map[string]string{}
	for _, life := range lifecycles {
		for _, s := range life.States {
			if s.Label == "" {
				continue
			}
			label := strings.ToLower(s.Label)
			if sign, known := signs[label]; known && sign != s.Glyph {
				signs[label] = ""
				continue
			}
			signs[label] = s.Glyph
		}
	}
	return signs
}

func shipped() []*statemachine.Table {
	var all []*statemachine.Table
	for _, name := range lifecycle.ShippedNames() {
		if life, err := statemachine.Shipped(name); err == nil { // a test reads each of them
			all = append(all, life)
		}
	}
	return all
}
