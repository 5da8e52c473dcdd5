package reconcile_test

import (
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/lifecycle"
)

func TestLegalMoveIsFinishedInSilence(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "It does not work.")
	i.Label("olivia", "colony:new")
	w.Quiet()
	i.Has("colony:new")

	w.github.ResetCalls()
	i.Label("olivia", "colony:analyzing")
	w.Quiet()
	i.Has("colony:analyzing")
	if reads, writes := w.Cost(); reads > 2 || writes > 1 {
		t.Errorf("an accepted change cost %d reads and %d writes, more than 2 and 1", reads, writes)
	}
}

func TestIllegalMoveByPersonIsUndoneAndExplainedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("olivia", "", "bug")
	i.Label("olivia", "colony:in-review")
	w.Settle()
	i.Has("bug", "colony:in-review")

	w.github.ResetCalls()
	i.Label("olivia", "colony:new")
	w.Quiet()
	i.Has("bug", "colony:in-review", "colony:new") // nothing is refused before the issue is quiet
	w.Settle()
	i.Has("bug", "colony:in-review", "colony:needs-human")
	i.ColonySays("@olivia tried to move the issue from `in-review` to `new`", "`changes-requested`", "/colony:move")
	if reads, writes := w.Cost(); reads > 3 || writes > 4 {
		t.Errorf("a refused change cost %d reads and %d writes, more than 3 and 4", reads, writes)
	}

	i.Label("tara", "colony:changes-requested")
	w.Settle()
	i.Has("bug", "colony:changes-requested") // a person made a legal move
}

// An issue without a state's label looks new, so it always has one, except for one more round in the same state, where
// Colony has to remove the label before it can add it.
func TestLabelsAreAddedBeforeOthersAreTakenOff(t *testing.T) {
	t.Parallel()
	for name, act := range map[string]func(i *issue){
		"a move by label":   func(i *issue) { i.Label("olivia", "colony:merge-pending") },
		"a move by command": func(i *issue) { i.Comment("olivia", "/colony:move merge-pending") },
		"a forced move":     func(i *issue) { i.Comment("mona", "/colony:force planning because") },
		"a refused swap": func(i *issue) {
			i.Label("olivia", "colony:new")
			i.Unlabel("olivia", "colony:in-review")
		},
		"a bad request": func(i *issue) { i.Label("dev[bot]", "colony:done") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			i := w.open("ada", "")
			i.Label("olivia", "colony:in-review")
			w.Settle()
			w.github.HoldDeliveries()
			act(i)
			w.github.ReleaseDeliveries(nil)
			w.Settle()
			w.Settle()
			events, _, err := w.As("mona").Issues.ListIssueEvents(ctx, "acme", "widgets", i.Number, &github.ListOptions{PerPage: 100})
			w.Must(err)
			states, taken := map[string]bool{}, 0
			for _, e := range events {
				label := e.GetLabel().GetName()
				if label == "colony:needs-human" || label == "colony:forced" {
					continue
				}
				switch e.GetEvent() {
				case "labeled":
					states[label] = true
				case "unlabeled":
					delete(states, label)
				}
				if e.GetActor().GetLogin() != "colony[bot]" || e.GetEvent() != "unlabeled" {
					continue
				}
				taken++
				if len(states) == 0 {
					t.Errorf("Colony took %s off, and no label of a state was left", label)
				}
			}
			if taken == 0 {
				t.Error("Colony took nothing off")
			}
			i.Reads()
		})
	}
}

func TestSwapInThePicker(t *testing.T) {
	t.Parallel()
	for name, swap := range map[string]func(i *issue){
		"labeled first":   func(i *issue) { i.Label("olivia", "colony:in-review"); i.Unlabel("olivia", "colony:in-development") },
		"unlabeled first": func(i *issue) { i.Unlabel("olivia", "colony:in-development"); i.Label("olivia", "colony:in-review") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			i := w.open("ada", "")
			i.Label("olivia", "colony:in-development")
			w.Settle()
			w.github.HoldDeliveries()
			swap(i)
			w.github.ReleaseDeliveries(nil)
			w.Settle()
			i.Has("colony:in-review")
		})
	}
}

func TestIllegalSwapIsOneChange(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-review")
	w.Settle()
	i.Unlabel("olivia", "colony:in-review")
	i.Label("olivia", "colony:new")
	w.Settle()
	i.Has("colony:in-review", "colony:needs-human")
	i.ColonySays("from `in-review` to `new`")
}

func TestRemovingTheOnlyStateLabel(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.Label("olivia", "colony:ready-for-dev")
	w.Settle()
	i.Unlabel("olivia", "colony:ready-for-dev")
	w.Settle()
	i.Has("colony:ready-for-dev", "colony:needs-human")
	i.ColonySays("put the label of `ready-for-dev` back")
}

func TestMisclickTakenBackInTimeIsNotTalkedAbout(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-review")
	w.Settle()
	i.Label("olivia", "colony:new")
	i.Unlabel("olivia", "colony:new")
	w.Settle()
	i.Has("colony:in-review")
}

func TestTwoAddedAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-review")
	w.Settle()
	i.Label("olivia", "colony:merge-pending", "colony:new") // the first is legal, the second is not
	w.Settle()
	i.Has("colony:merge-pending", "colony:needs-human")
	i.ColonySays("from `merge-pending` to `new`")
}

func TestExecutorsHandWorkOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	for _, step := range []struct{ by, label string }{
		{"analyzer[bot]", "colony:new"},
		{"analyzer[bot]", "colony:analyzing"},
		{"analyzer[bot]", "colony:ready-for-dev"},
		{"dev[bot]", "colony:in-development"},
		{"dev[bot]", "colony:in-review"},
		{"reviewer[bot]", "colony:changes-requested"},
		{"dev[bot]", "colony:in-development"},
	} {
		i.Label(step.by, step.label)
		w.Settle()
		i.Has(step.label)
	}
}

func TestBadRequestOfAnExecutorIsAFailure(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-development")
	w.Settle()
	i.Label("dev[bot]", "colony:done")
	w.Settle()
	i.Has("colony:failure-blocked", "colony:needs-human")
	i.ColonySays("`dev[bot]` tried to move the issue from `in-development` to `done`", "`failure-blocked`", "/colony:retry")
}

func TestBotThatFinishesLateDoesNotBreakAPause(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-development")
	w.Settle()
	i.Label("olivia", "colony:paused")
	w.Settle()
	i.Has("colony:paused")
	i.Label("dev[bot]", "colony:in-review")
	w.Settle()
	i.Has("colony:paused")
	i.ColonySays("`dev[bot]`", "The issue is back in `paused`")
}

func TestLabelsFromBeforeTheInstallationAreSettled(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t)
	i := w.open("olivia", "", "colony:done")
	i.Label("olivia", "colony:new") // nobody judged it then
	i.Unlabel("olivia", "colony:done")
	both := w.open("ada", "")
	both.Label("olivia", "colony:in-review", "colony:planning")
	w.clock.Advance(hour)
	w.start()
	w.install()
	i.Has("colony:new")
	i.Label("olivia", "colony:analyzing")
	w.Settle()
	i.Has("colony:analyzing")
	both.Label("olivia", "bug") // wakes nobody
	w.Settle()
	both.Has("bug", "colony:in-review", "colony:planning")
	both.Label("olivia", "colony:analyzing") // planning was labelled last: it counts
	w.Settle()
	both.Has("bug", "colony:analyzing")
}

func TestMixedCaseAndForeignLabels(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("olivia", "", "colony:whatever", "urgent")
	i.Label("olivia", "Colony:New")
	w.Settle()
	i.Label("olivia", "COLONY:ANALYZING")
	w.Settle()
	i.Has("colony:analyzing", "colony:whatever", "urgent")
}

func TestPullRequestsAreNotJudged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	number := w.PullRequest("olivia")
	i := w.Heed(number)
	i.Label("olivia", "colony:done", "colony:new")
	i.Comment("olivia", "/colony:move analyzing")
	w.Settle()
	i.Has("colony:done", "colony:new")
}

func TestDeletedStateLabelComesBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-review")
	w.Settle()
	_, err := w.As("olivia").Issues.DeleteLabel(ctx, "acme", "widgets", "colony:in-review")
	w.Must(err)
	w.Settle()
	i.Has("colony:in-review")
	label, _, err := w.As("olivia").Issues.GetLabel(ctx, "acme", "widgets", "colony:in-review")
	w.Must(err)
	if label.GetColor() != "006b75" || label.GetDescription() == "" {
		t.Errorf("the label came back as %s %q", label.GetColor(), label.GetDescription())
	}
}

func TestRenamedStateLabelGetsItsNameBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-review")
	w.Settle()
	w.RenameLabel("colony:in-review", "reviewing")
	w.Settle()
	i.Has("colony:in-review")
}

func TestClosedAndReopenedIssuesKeepTheirState(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.Label("olivia", "colony:merge-pending")
	w.Settle()
	i.Edit("olivia", "closed")
	w.Settle()
	i.Has("colony:merge-pending")
	i.Label("olivia", "colony:done") // closed issues are judged like others
	w.Settle()
	i.Has("colony:done")
	i.Edit("olivia", "open")
	w.Settle()
	i.Has("colony:done")
}

func TestTransferredIssueTakesItsStateAlong(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.github.AddRepository("acme", "gadgets")
	w.github.SetPermission("acme", "gadgets", "olivia", "write")
	w.github.SetPermission("acme", "gadgets", "mona", "maintain")
	w.OptsIn("gadgets") // GitHub takes along the labels that are there too
	w.Settle()
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-review")
	w.Settle()
	number, err := w.github.TransferIssue("acme", "widgets", i.Number, "gadgets", "mona")
	w.Must(err)
	w.Issues = nil
	w.Settle()
	moved, _, err := w.As("mona").Issues.Get(ctx, "acme", "gadgets", number)
	w.Must(err)
	if len(moved.Labels) != 1 || moved.Labels[0].GetName() != "colony:in-review" {
		t.Errorf("the labels after the transfer: %v", moved.Labels)
	}
}

// Who can rename labels goes neither around the table nor past a guard with that, in no order, and hears of it.
func TestARenamedLabelMovesNoIssue(t *testing.T) {
	t.Parallel()
	for name, guard := range map[string]string{
		"around the table": "",
		"past a guard":     "\nguards:\n  - {name: maintainers, to: new, why: A maintainer decides., requires: [{permission: maintain}]}\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			if guard != "" {
				w.github.Commit("widgets", ".github/colony.yml", "lifecycle: colony\nclose: true\n"+guard)
				w.Settle()
			}
			i := w.open("ada", "")
			i.Label("mona", "colony:done")
			w.Settle()
			w.github.HoldDeliveries()
			i.Label("olivia", "innocent")
			w.RenameLabel("colony:new", "elsewhere")
			w.RenameLabel("innocent", "colony:new")
			i.Unlabel("olivia", "colony:done")
			w.github.ReleaseDeliveries(nil)
			for range 3 {
				w.clock.Advance(time.Minute)
				w.Settle()
			}
			i.Has("colony:done", "colony:needs-human")
			i.ColonySays("put the label of `done` back")
			i.ColonySays("another label got its name")
			said := len(i.ColonyComments())
			w.restart(true)
			w.Settle()
			i.Has("colony:done", "colony:needs-human")
			if more := len(i.ColonyComments()); more != said {
				t.Errorf("Colony wrote %d comments, and %d after it started again", said, more)
			}
		})
	}
}

// Where Colony only warns, a label that was renamed into a state's stays, and no move before it is held against anyone.
func TestARenamedLabelAccusesNoOneWhereColonyOnlyWarns(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Asks(lifecycle.ModeWarn)
	w.clock.Advance(hour)
	i := w.open("ada", "")
	for _, label := range []string{"colony:new", "colony:analyzing", "innocent"} {
		i.Label("olivia", label)
		w.Settle()
		w.clock.Advance(hour)
	}
	w.RenameLabel("colony:merge-pending", "elsewhere")
	w.RenameLabel("innocent", "colony:merge-pending")
	w.Settle()
	w.Sweep()
	i.Has("colony:analyzing", "colony:merge-pending")
	id := i.Comment("olivia", "/colony:move merge-pending")
	w.Settle()
	i.Has("colony:merge-pending")
	i.ColonyReacts(id, "+1")
	if said := i.ColonyComments(); len(said) > 0 {
		t.Errorf("Colony says %s", said[0].GetBody())
	}
}
