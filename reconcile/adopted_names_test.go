package reconcile_test

import (
	"testing"

	"github.com/colony-app/colony/playground"
)

// A lifecycle may give each state a whole name; what begins with colony: is nothing to it then, but for the marks.
func TestLabelsWithNamesOfTheirOwn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Bring(w.AdoptingLifecycle())
	i := w.open("ada", "")
	i.Label("olivia", "In development")
	w.Settle()
	i.Label("olivia", "in Review")
	w.Settle()
	i.Has("In review")
	i.Label("olivia", "New")
	w.Settle()
	i.Has("In review", "colony:needs-human")
	i.ColonySays("from `in-review` to `new`")
	i.Unlabel("olivia", "In review")
	w.Settle()
	i.Has("In review", "colony:needs-human")
	i.ColonySays("put the label of")
	i.Label("olivia", "colony:new", "Merge pending")
	w.Settle()
	i.Has("Merge pending", "colony:new")
}

// A Colony that has just begun has read no repository's lifecycle: the labels of a state reach it all the same, on and off.
func TestLabelsWithNamesThatAreNotKnownYet(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Bring(w.AdoptingLifecycle())
	i, other := w.open("ada", ""), w.open("ada", "")
	i.Label("olivia", "In development")
	other.Label("olivia", "In development")
	w.Settle()
	w.stopColony()
	w.github.HoldDeliveries()
	i.Label("olivia", "In review")
	other.Unlabel("olivia", "In development")
	w.start()
	w.github.ReleaseDeliveries(playground.InOrder)
	w.Settle()
	i.Has("In review")
	other.Has("In development", "colony:needs-human")
	other.ColonySays("put the label of")
}

// Somebody who puts the old name on means the state: a legal move is finished under the present name, without a word, and an illegal one
// is refused.
func TestAnOldNameMeansItsState(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Bring(w.AdoptingLifecycle())
	i := w.open("ada", "")
	i.Label("olivia", "status: in development")
	w.Settle()
	i.Has("In development")
	i.Label("olivia", "Status: In Review")
	w.Settle()
	i.Has("In review")
	i.Unlabel("olivia", "In review")
	i.Label("olivia", "status: merge pending")
	w.Settle()
	i.Has("Merge pending")
	if n := len(i.ColonyComments()); n != 0 {
		t.Errorf("Colony speaks %d times of what is legal", n)
	}
	i.Label("olivia", "status: new")
	w.Settle()
	i.Has("Merge pending", "colony:needs-human")
	i.ColonySays("from `merge-pending` to `new`")
	i.Label("olivia", "status: merge pending") // it is there under its present name
	w.Settle()
	i.Has("Merge pending", "colony:needs-human")
	asked := i.Comment("olivia", "/colony:history")
	w.Settle()
	i.ColonySays("`merge-pending`")
	i.ColonyReacts(asked, "+1")
}

// An issue that carries the old name alone keeps its state; once Colony has to do with it, it gets the present name.
func TestAnIssueWithTheOldNameAloneKeepsItsState(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i, both := w.open("olivia", "", "status: in development", "bug"), w.open("olivia", "", "status: in review")
	w.Settle()
	i.Has("status: in development", "bug")
	w.stopColony()
	both.Label("olivia", "In review")
	w.start()
	w.Bring(w.AdoptingLifecycle())
	w.Settle()
	asked, alsoAsked := i.Comment("olivia", "/colony:status"), both.Comment("olivia", "/colony:status")
	w.Settle()
	i.Has("In development", "bug")
	both.Has("In review")
	i.ColonySays("`in-development`")
	i.ColonyReacts(asked, "+1")
	both.ColonySays("`in-review`")
	both.ColonyReacts(alsoAsked, "+1")
	i.Label("olivia", "status: in review")
	w.Settle()
	i.Has("In review", "bug")
	i.Label("olivia", "status: new")
	w.Settle()
	i.Has("In review", "bug", "colony:needs-human")
	i.ColonySays("from `in-review` to `new`")
}
