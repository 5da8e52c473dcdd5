package lifecycle

import (
	"slices"
	"testing"
)

// The columns of the table must agree about any two facts.
func TestFactsFitTogether(t *testing.T) {
	t.Parallel()
	for _, s := range FactSpecs() {
		if !together(s.Fact, s.Fact) {
			t.Errorf("%s excludes what it implies", s.Fact)
		}
		for _, other := range slices.Concat(s.Implies, s.Excludes) {
			if _, known := SpecOf(other); !known || other == s.Fact {
				t.Errorf("%s speaks of %q", s.Fact, other)
			}
		}
	}
	for _, pair := range [][2]Fact{
		{"pull-request-missing", "pull-request-ready"}, {"pull-request-conflicting", "pull-request-closed"}, {"dependencies-closed", "dependency-cycle"},
	} {
		if together(pair[0], pair[1]) || together(pair[1], pair[0]) {
			t.Errorf("%s and %s can hold at the same time", pair[0], pair[1])
		}
	}
	if !together("dependency-open", "dependency-dropped") {
		t.Error("of two dependencies one can be open and one dropped")
	}
}
