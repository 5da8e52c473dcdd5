package statemachine

import (
	"testing"

	"github.com/colony-app/colony/lifecycle"
)

func TestOutcomeOfLabels(t *testing.T) {
	t.Parallel()
	life := shippedWithGuards(t, "prp")
	for _, c := range []struct {
		want   lifecycle.Outcome
		labels []string
	}{
		{lifecycle.Untold, nil},
		{lifecycle.Untold, []string{"bug", "colony:failed"}},
		{lifecycle.UnderWay, []string{"colony:researching"}},
		{lifecycle.UnderWay, []string{"colony:complete", "colony:researching"}},
		{lifecycle.Completed, []string{"bug", "colony:complete"}},
		{lifecycle.Dropped, []string{"colony:obsolete"}},
	} {
		if got := OutcomeOf(life, c.labels); got != c.want {
			t.Errorf("%v: %q, want %q", c.labels, got, c.want)
		}
	}
}
