package reconcile_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/acme"
)

// transfer moves an issue to another repository, whose owner is tara.
func (w *world) transfer(from, to string, number int) (there int) {
	w.t.Helper()
	there, err := w.github.TransferIssue("acme", from, number, to, "mona")
	w.Must(err)
	w.Issues = nil
	w.Settle()
	w.clock.Advance(time.Minute)
	return there
}

// elsewhere is a repository in which tara does what she likes.
func (w *world) elsewhere(labels ...string) {
	w.t.Helper()
	w.github.AddRepository("acme", "mine")
	w.github.SetPermission("acme", "mine", "tara", "admin")
	for _, label := range labels {
		_, _, err := w.As("tara").Issues.CreateLabel(context.Background(), "acme", "mine", &github.Label{Name: &label, Color: new("ededed")})
		w.Must(err)
	}
	w.Settle()
}

// labelThere puts a label on an issue of the other repository.
func (w *world) labelThere(number int, label string) {
	w.t.Helper()
	_, _, err := w.As("tara").Issues.AddLabelsToIssue(context.Background(), "acme", "mine", number, []string{label})
	w.Must(err)
	w.Settle()
	w.clock.Advance(time.Minute)
}

// What a guard refuses in a repository cannot be had by a way through another one.
func TestATransferGoesRoundNoGuard(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Guard(acme.Leads)
	w.elsewhere("colony:in-review", "colony:merge-pending")
	i := w.stateful("colony:in-review")
	there := w.transfer("widgets", "mine", i.Number)
	w.labelThere(there, "colony:merge-pending")
	back := w.Heed(w.transfer("mine", "widgets", there))
	w.Settle()
	back.Has("colony:in-review", "colony:needs-human")
	back.ColonySays("back to `in-review`", "transferred it when it was in `merge-pending`", "move it to `merge-pending`")
	w.start()
	w.Sweep()
	back.Label("tara", "colony:merge-pending")
	w.Settle()
	back.Has("colony:in-review", "colony:needs-human")
	back.ColonySays("leads")
	back.Label("mona", "colony:merge-pending")
	w.Settle()
	back.Has("colony:merge-pending")
}

// What is sealed was approved in this repository.
func TestATransferApprovesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows, func(c *config.Config) { c.Lifecycle = "autoralph" })
	w.elsewhere("colony:refining", "colony:approved")
	i := w.open("ada", "Paint it.")
	i.Through("autoralph", "refining")
	w.Settle()
	there := w.transfer("widgets", "mine", i.Number)
	w.labelThere(there, "colony:approved")
	back := w.Heed(w.transfer("mine", "widgets", there))
	w.Settle()
	back.Has("colony:needs-human", "colony:refining")
	back.ColonySays("transferred it when it was in", "check that it is right here, too")
	approve := back.Comment("olivia", "/colony:approve")
	w.Settle()
	back.ColonyReacts(approve, "+1")
	w.Sweep()
	back.Has("colony:approved")
}

// Where Colony set an issue back, it arrives in the state before, and that is no news at the next transfer.
func TestATransferIsExplainedWhereItSetsTheIssueBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Colibri)
	w.elsewhere("colony:apply", "colony:plan")
	i := w.open("ada", "Paint it.")
	i.Through("colibri", "apply")
	w.Settle()
	w.clock.Advance(time.Minute)
	there := w.transfer("widgets", "mine", i.Number)
	back := w.Heed(w.transfer("mine", "widgets", there))
	w.Settle()
	w.Sweep()
	back.Has("colony:needs-human", "colony:plan")
	if said := back.ColonyComments(); len(said) != 1 {
		t.Errorf("Colony wrote %d comments", len(said))
	}
	back.ColonySays("transferred it when it was in `apply`")
}
