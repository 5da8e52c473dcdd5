package cli

import (
	"strings"

	"github.com/colony-app/colony/statemachine"
)

// glyphs lists the signs of the states of some lifecycles that come with Colony, by their labels, for the page of the playground. A
// label with which two of them mean different things has none.
func glyphs(lifecycles ...string) map[string]string {
	signs := map[string]string{}
	for _, name := range lifecycles {
		life, err := statemachine.Shipped(name)
		if err != nil {
			continue // who needs the lifecycle itself says so
		}
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
