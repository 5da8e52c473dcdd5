package app_test

import (
	"testing"

	"github.com/colony-app/colony/playground"
)

// A lifecycle may give each state a whole name; what begins with colony: is nothing to it then, but for the marks.
func TestLabelsWithNamesOfTheirOwn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.bring(w.people.AdoptingLifecycle())
	i := w.open("ada", "")
	i.label("olivia", "In development")
	w.settle()
	i.label("olivia", "in Review")
	w.settle()
	i.has("In review")
	i.label("olivia", "New")
	w.settle()
	i.has("In review", "colony:needs-human")
	i.colonySays("from `in-review` to `new`")
	i.unlabel("olivia", "In review")
	w.settle()
	i.has("In review", "colony:needs-human")
	i.colonySays("put the label of")
	i.label("olivia", "colony:new", "Merge pending")
	w.settle()
	i.has("Merge pending", "colony:new")
}

// A Colony that has just begun has read no repository's lifecycle: the labels of a state reach it all the same, on and off.
func TestLabelsWithNamesThatAreNotKnownYet(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onDisk(t))
	w.bring(w.people.AdoptingLifecycle())
	i, other := w.open("ada", ""), w.open("ada", "")
	i.label("olivia", "In development")
	other.label("olivia", "In development")
	w.settle()
	w.stopColony()
	w.github.HoldDeliveries()
	i.label("olivia", "In review")
	other.unlabel("olivia", "In development")
	w.start()
	w.github.ReleaseDeliveries(playground.InOrder)
	w.settle()
	i.has("In review")
	other.has("In development", "colony:needs-human")
	other.colonySays("put the label of")
}

// Somebody who puts the old name on means the state: a legal move is finished under the present name, without a word, and an illegal one
// is refused.
func TestAnOldNameMeansItsState(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.bring(w.people.AdoptingLifecycle())
	i := w.open("ada", "")
	i.label("olivia", "status: in development")
	w.settle()
	i.has("In development")
	i.label("olivia", "Status: In Review")
	w.settle()
	i.has("In review")
	i.unlabel("olivia", "In review")
	i.label("olivia", "status: merge pending")
	w.settle()
	i.has("Merge pending")
	if n := len(i.colonyComments()); n != 0 {
		t.Errorf("Colony speaks %d times of what is legal", n)
	}
	i.label("olivia", "status: new")
	w.settle()
	i.has("Merge pending", "colony:needs-human")
	i.colonySays("from `merge-pending` to `new`")
	i.label("olivia", "status: merge pending") // it is there under its present name
	w.settle()
	i.has("Merge pending", "colony:needs-human")
	asked := i.comment("olivia", "/colony:history")
	w.settle()
	i.colonySays("`merge-pending`")
	i.colonyReacts(asked, "+1")
}

// An issue that carries the old name alone keeps its state; once Colony has to do with it, it gets the present name.
func TestAnIssueWithTheOldNameAloneKeepsItsState(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onDisk(t))
	i, both := w.open("olivia", "", "status: in development", "bug"), w.open("olivia", "", "status: in review")
	w.settle()
	i.has("status: in development", "bug")
	w.stopColony()
	both.label("olivia", "In review")
	w.start()
	w.bring(w.people.AdoptingLifecycle())
	w.settle()
	asked, alsoAsked := i.comment("olivia", "/colony:status"), both.comment("olivia", "/colony:status")
	w.settle()
	i.has("In development", "bug")
	both.has("In review")
	i.colonySays("`in-development`")
	i.colonyReacts(asked, "+1")
	both.colonySays("`in-review`")
	both.colonyReacts(alsoAsked, "+1")
	i.label("olivia", "status: in review")
	w.settle()
	i.has("In review", "bug")
	i.label("olivia", "status: new")
	w.settle()
	i.has("In review", "bug", "colony:needs-human")
	i.colonySays("from `in-review` to `new`")
}
