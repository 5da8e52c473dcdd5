package app_test

import (
	"testing"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/policy"
)

// Where a server enforces and the repository has no file of its own, the label that says since when is made at once; another one when it
// is about to be put on an issue. A repository that opts in gets them all.
func TestLabelsAreMadeWhenTheyAreNeeded(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t)
	w.start()
	w.install()
	if n := w.provisioned("widgets"); n != 1 {
		t.Errorf("%d labels after the installation, want one", n)
	}
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-review")
	w.Settle()
	i.Has("colony:in-review")
	i.Label("olivia", "colony:new")
	w.Settle()
	i.Has("colony:in-review", "colony:needs-human")
	i.ColonySays("from `in-review` to `new`")
	if n := w.provisioned("widgets"); n != 4 { // what olivia put on is there, so that it has to look right
		t.Errorf("%d labels after two moves, want four", n)
	}
	i.Comment("olivia", "/colony:pause")
	w.Settle()
	i.Has("colony:paused")
	i.ColonyReacts(i.AllComments()[len(i.AllComments())-1].GetID(), "+1")
	if n := w.provisioned("widgets"); n != 5 {
		t.Errorf("%d labels after a pause, want five", n)
	}

	w.OptsIn("widgets")
	w.Settle()
	if n := w.provisioned("widgets"); n < 17 {
		t.Errorf("%d labels after the repository opted in", n)
	}
}

// The owner's file speaks for all of its repositories, and makes no labels in them; the label of a request has to be there to be put on.
func TestTheOwnersFileMakesNoLabels(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t, func(c *config.Config) {
		c.Intake = policy.Intake{When: policy.Labelled, Labels: []string{"colony:enqueue"}}
	})
	w.github.AddRepository("acme", ".github")
	w.OptsIn(".github")
	w.start()
	w.install()
	if own, other := w.provisioned(".github"), w.provisioned("widgets"); own < 17 || other != 2 {
		t.Errorf("%d labels in the owner's repository, want all, and %d in another one, want those of the request and of the beginning", own, other)
	}
}
