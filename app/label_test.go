package app_test

import (
	"testing"

	"github.com/google/go-github/v62/github"
)

func TestLegalMoveIsFinishedInSilence(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "It does not work.")
	i.label("olivia", "colony:new")
	w.quiet()
	i.has("colony:new")

	w.github.ResetCalls()
	i.label("olivia", "colony:analyzing")
	w.quiet()
	i.has("colony:analyzing")
	if reads, writes := w.calls(); reads > 2 || writes > 1 {
		t.Errorf("an accepted change cost %d reads and %d writes, more than 2 and 1", reads, writes)
	}
}

func TestIllegalMoveByPersonIsUndoneAndExplainedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("olivia", "", "bug")
	i.label("olivia", "colony:in-review")
	w.settle()
	i.has("bug", "colony:in-review")

	w.github.ResetCalls()
	i.label("olivia", "colony:new")
	w.quiet()
	i.has("bug", "colony:in-review", "colony:new") // nothing is refused before the issue is quiet
	w.settle()
	i.has("bug", "colony:in-review", "colony:needs-human")
	i.colonySays("@olivia tried to move the issue from `in-review` to `new`", "`changes-requested`", "/colony:move")
	if reads, writes := w.calls(); reads > 3 || writes > 4 {
		t.Errorf("a refused change cost %d reads and %d writes, more than 3 and 4", reads, writes)
	}

	i.label("tara", "colony:changes-requested")
	w.settle()
	i.has("bug", "colony:changes-requested") // a person made a legal move
}

// An issue without a state's label looks new, so it always has one, except for one more round in the same state, where
// Colony has to remove the label before it can add it.
func TestLabelsAreAddedBeforeOthersAreTakenOff(t *testing.T) {
	t.Parallel()
	for name, act := range map[string]func(i *issue){
		"a move by label":   func(i *issue) { i.label("olivia", "colony:merge-pending") },
		"a move by command": func(i *issue) { i.comment("olivia", "/colony:move merge-pending") },
		"a forced move":     func(i *issue) { i.comment("mona", "/colony:force planning because") },
		"a refused swap": func(i *issue) {
			i.label("olivia", "colony:new")
			i.unlabel("olivia", "colony:in-review")
		},
		"a bad request": func(i *issue) { i.label("dev[bot]", "colony:done") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			i := w.open("ada", "")
			i.label("olivia", "colony:in-review")
			w.settle()
			w.github.HoldDeliveries()
			act(i)
			w.github.ReleaseDeliveries(nil)
			w.settle()
			w.settle()
			events, _, err := w.as("mona").Issues.ListIssueEvents(ctx, "acme", "widgets", i.number, &github.ListOptions{PerPage: 100})
			w.must(err)
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
			i.reads()
		})
	}
}

func TestSwapInThePicker(t *testing.T) {
	t.Parallel()
	for name, swap := range map[string]func(i *issue){
		"labeled first":   func(i *issue) { i.label("olivia", "colony:in-review"); i.unlabel("olivia", "colony:in-development") },
		"unlabeled first": func(i *issue) { i.unlabel("olivia", "colony:in-development"); i.label("olivia", "colony:in-review") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			i := w.open("ada", "")
			i.label("olivia", "colony:in-development")
			w.settle()
			w.github.HoldDeliveries()
			swap(i)
			w.github.ReleaseDeliveries(nil)
			w.settle()
			i.has("colony:in-review")
		})
	}
}

func TestIllegalSwapIsOneChange(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.label("olivia", "colony:in-review")
	w.settle()
	i.unlabel("olivia", "colony:in-review")
	i.label("olivia", "colony:new")
	w.settle()
	i.has("colony:in-review", "colony:needs-human")
	i.colonySays("from `in-review` to `new`")
}

func TestRemovingTheOnlyStateLabel(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.label("olivia", "colony:ready-for-dev")
	w.settle()
	i.unlabel("olivia", "colony:ready-for-dev")
	w.settle()
	i.has("colony:ready-for-dev", "colony:needs-human")
	i.colonySays("put the label of `ready-for-dev` back")
}

func TestMisclickTakenBackInTimeIsNotTalkedAbout(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.label("olivia", "colony:in-review")
	w.settle()
	i.label("olivia", "colony:new")
	i.unlabel("olivia", "colony:new")
	w.settle()
	i.has("colony:in-review")
}

func TestTwoAddedAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.label("olivia", "colony:in-review")
	w.settle()
	i.label("olivia", "colony:merge-pending", "colony:new") // the first is legal, the second is not
	w.settle()
	i.has("colony:merge-pending", "colony:needs-human")
	i.colonySays("from `merge-pending` to `new`")
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
		i.label(step.by, step.label)
		w.settle()
		i.has(step.label)
	}
}

func TestBadRequestOfAnExecutorIsAFailure(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.label("olivia", "colony:in-development")
	w.settle()
	i.label("dev[bot]", "colony:done")
	w.settle()
	i.has("colony:failure-blocked", "colony:needs-human")
	i.colonySays("`dev[bot]` tried to move the issue from `in-development` to `done`", "`failure-blocked`", "/colony:retry")
}

func TestBotThatFinishesLateDoesNotBreakAPause(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.label("olivia", "colony:in-development")
	w.settle()
	i.label("olivia", "colony:paused")
	w.settle()
	i.has("colony:paused")
	i.label("dev[bot]", "colony:in-review")
	w.settle()
	i.has("colony:paused")
	i.colonySays("`dev[bot]`", "The issue is back in `paused`")
}

func TestLabelsFromBeforeTheInstallationAreSettled(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t)
	i := w.open("olivia", "", "colony:done")
	i.label("olivia", "colony:new") // nobody judged it then
	i.unlabel("olivia", "colony:done")
	both := w.open("ada", "")
	both.label("olivia", "colony:in-review", "colony:planning")
	w.clock.Advance(hour)
	w.start()
	w.install()
	i.has("colony:new")
	i.label("olivia", "colony:analyzing")
	w.settle()
	i.has("colony:analyzing")
	both.label("olivia", "bug") // wakes nobody
	w.settle()
	both.has("bug", "colony:in-review", "colony:planning")
	both.label("olivia", "colony:analyzing") // planning was labelled last: it counts
	w.settle()
	both.has("bug", "colony:analyzing")
}

func TestMixedCaseAndForeignLabels(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("olivia", "", "colony:whatever", "urgent")
	i.label("olivia", "Colony:New")
	w.settle()
	i.label("olivia", "COLONY:ANALYZING")
	w.settle()
	i.has("colony:analyzing", "colony:whatever", "urgent")
}

func TestPullRequestsAreNotJudged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	number := w.pullRequest("olivia")
	i := &issue{world: w, number: number, comments: map[int64]bool{}, reactions: map[int64]bool{}}
	w.issues = append(w.issues, i)
	i.label("olivia", "colony:done", "colony:new")
	i.comment("olivia", "/colony:move analyzing")
	w.settle()
	i.has("colony:done", "colony:new")
}

func TestDeletedStateLabelComesBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.label("olivia", "colony:in-review")
	w.settle()
	_, err := w.as("olivia").Issues.DeleteLabel(ctx, "acme", "widgets", "colony:in-review")
	w.must(err)
	w.settle()
	i.has("colony:in-review")
	label, _, err := w.as("olivia").Issues.GetLabel(ctx, "acme", "widgets", "colony:in-review")
	w.must(err)
	if label.GetColor() != "006b75" || label.GetDescription() == "" {
		t.Errorf("the label came back as %s %q", label.GetColor(), label.GetDescription())
	}
}

func TestRenamedStateLabelGetsItsNameBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.label("olivia", "colony:in-review")
	w.settle()
	w.editLabel("colony:in-review", "reviewing")
	w.settle()
	i.has("colony:in-review")
}

func TestClosedAndReopenedIssuesKeepTheirState(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.label("olivia", "colony:merge-pending")
	w.settle()
	i.edit("olivia", "closed")
	w.settle()
	i.has("colony:merge-pending")
	i.label("olivia", "colony:done") // closed issues are judged like others
	w.settle()
	i.has("colony:done")
	i.edit("olivia", "open")
	w.settle()
	i.has("colony:done")
}

func TestTransferredIssueTakesItsStateAlong(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.github.AddRepository("acme", "gadgets")
	w.github.SetPermission("acme", "gadgets", "olivia", "write")
	w.github.SetPermission("acme", "gadgets", "mona", "maintain")
	w.optsIn("gadgets") // GitHub takes along the labels that are there too
	w.settle()
	i := w.open("ada", "")
	i.label("olivia", "colony:in-review")
	w.settle()
	number, err := w.github.TransferIssue("acme", "widgets", i.number, "gadgets", "mona")
	w.must(err)
	w.issues = nil
	w.settle()
	moved, _, err := w.as("mona").Issues.Get(ctx, "acme", "gadgets", number)
	w.must(err)
	if len(moved.Labels) != 1 || moved.Labels[0].GetName() != "colony:in-review" {
		t.Errorf("the labels after the transfer: %v", moved.Labels)
	}
}
