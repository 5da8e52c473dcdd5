package sweep

import (
	"testing"
	"time"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/statemachine"
)

// What a repository has to be like for a sweep to list no changes.
func TestWhatAQuietRepositoryIs(t *testing.T) {
	t.Parallel()
	plain, reflects := &statemachine.Table{}, &statemachine.Table{}
	reflects.Reflection = &lifecycle.Reflection{}
	before := began.Add(-time.Hour)
	for name, row := range map[string]struct {
		until time.Time
		told  issues.Activity
		life  *statemachine.Table
		want  bool
	}{
		"nothing happened":                         {began, issues.Activity{Changed: before}, plain, false},
		"it has no issue":                          {began, issues.Activity{}, plain, false},
		"it was never swept":                       {time.Time{}, issues.Activity{Changed: before}, plain, true},
		"an issue changed":                         {began, issues.Activity{Changed: began}, plain, true},
		"an issue changed while clocks can differ": {began, issues.Activity{Changed: began.Add(-sweepOverlap)}, plain, true},
		"a reflection can come due":                {began, issues.Activity{Changed: before}, reflects, true},
		"no reflection can come due":               {began, issues.Activity{Changed: began.Add(-73 * time.Hour)}, reflects, false},
	} {
		known := &record{Until: row.until}
		if got := known.changed(row.told, policy.Policy{Lifecycle: row.life}, began.Add(-72*time.Hour)); got != row.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// Repositories come to their full sweep one after the other, each at the latest after quietFor.
func TestWhenAQuietRepositoryIsSweptInFull(t *testing.T) {
	t.Parallel()
	due := map[time.Duration]int{}
	for id := range int64(360) {
		known := &record{Full: began}
		after := time.Duration(0)
		for !known.fullDue(issues.Repository{ID: id}, began.Add(after)) {
			after += 10 * time.Minute
		}
		due[after]++
	}
	for after, repositories := range due {
		if after <= quietFor/2 || after > quietFor || repositories != 10 {
			t.Errorf("%d come to their turn after %s", repositories, after)
		}
	}
	if !(&record{Full: began, UnderWay: &underWay{}}).fullDue(widgets, began) {
		t.Error("one that is under way goes on")
	}
}
