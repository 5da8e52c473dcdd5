package reconcile

import (
	"slices"
	"testing"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/statemachine"
)

// A process knows for whom it put a label on, once the log shows the event. It knows nothing of earlier events, or of another process's.
func TestRecentWritesTellWhoOrderedThem(t *testing.T) {
	recent := &remembered{}
	label := func(id int64, name string) statemachine.Change {
		return statemachine.Change{Moment: statemachine.Moment{At: firstDay, ID: id}, Added: true, Label: name, By: theColony}
	}
	before := []statemachine.Change{label(1, "colony:new"), {Moment: statemachine.Moment{At: firstDay, ID: 2}, Label: "colony:new", By: theColony}}
	add := func(name string, by requester) {
		recent.wrote(nil, before, []issues.Write{{Add: []string{name}}}, by, firstDay)
	}
	add("colony:new", requester{aPerson, firstDay})
	add("colony:paused", requester{})
	log := slices.Concat(before, []statemachine.Change{label(3, "colony:new"), label(4, "Colony:Paused"), label(5, "colony:new"), label(6, "colony:done")})
	for id, want := range map[int64]string{1: "unknown", 3: "olivia", 4: "", 5: "unknown", 6: "unknown"} {
		by, known := recent.wroteFor(log, id)
		got := by.Login
		if !known {
			got = "unknown"
		}
		if got != want {
			t.Errorf("event %d was ordered by %q, not %q", id, got, want)
		}
	}
}
