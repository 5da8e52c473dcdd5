package blackbox_test

var labelScenarios = []scenario{
	{"a legal move is finished in silence", nil, legalMove},
	{"a swap in the picker, new label first", nil, swapNewFirst},
	{"a swap in the picker, old label first", nil, swapOldFirst},
	{"an illegal edit is undone and explained once", nil, illegalEdit},
	{"an illegal swap is explained once", nil, illegalSwap},
	{"the only state label cannot be taken off", nil, onlyLabelRemoved},
	{"two labels at once", nil, twoAtOnce},
	{"a slip taken back in time is not talked about", []capability{holding}, slipTakenBack},
	{"foreign labels are left alone", nil, foreignLabels},
	{"capitals make no difference", []capability{caselessLabels}, capitals},
	{"an issue opened with a state", nil, openedWithState},
	{"an issue opened with a state it cannot have", []capability{creationEvents}, openedWithIllegalState},
	{"a closed issue keeps its state and is judged", nil, closedIssue},
	{"a reader's label edit is refused by GitHub", []capability{aReader, enforcedRoles}, readerCannotLabel},
}

func legalMove(w *world) {
	i := w.in("in-development")
	i.label(operator, "colony:in-review")
	w.quiet()
	i.has("colony:in-review")
}

func swapNewFirst(w *world) {
	i := w.in("in-development")
	w.heldBack(func() {
		i.label(operator, "colony:in-review")
		i.unlabelUnlessColonyDid(operator, "colony:in-development")
	}, reversed)
	w.quiet()
	i.has("colony:in-review")
}

func swapOldFirst(w *world) {
	i := w.in("in-development")
	w.heldBack(func() {
		i.unlabel(operator, "colony:in-development")
		i.label(operator, "colony:in-review")
	}, reversed)
	w.quiet()
	i.has("colony:in-review")
}

func illegalEdit(w *world) {
	i := w.in("in-review")
	i.label(operator, "bug")
	i.label(operator, "colony:new")
	w.quiet()
	i.has("bug", "colony:in-review", "colony:needs-human")
	i.colonySays(
		w.mention(operator), "from `in-review` to `new`", "`changes-requested`", "/colony:move ",
	)

	i.label(operator, "colony:changes-requested")
	w.quiet()
	i.has("bug", "colony:changes-requested") // a person made a legal move
}

func illegalSwap(w *world) {
	i := w.in("in-review")
	w.heldBack(func() {
		i.unlabel(operator, "colony:in-review")
		i.label(operator, "colony:new")
	}, reversed)
	w.quiet()
	i.has("colony:in-review", "colony:needs-human")
	i.colonySays("from `in-review` to `new`")
}

func onlyLabelRemoved(w *world) {
	i := w.in("ready-for-dev")
	i.unlabel(operator, "colony:ready-for-dev")
	w.quiet()
	i.has("colony:ready-for-dev", "colony:needs-human")
	i.colonySays(w.mention(operator), "`ready-for-dev`", "/colony:move ")
}

func twoAtOnce(w *world) {
	i := w.in("in-review")
	w.heldBack(func() { i.label(operator, "colony:merge-pending", "colony:new") }, reversed)
	w.quiet()
	i.has("colony:merge-pending", "colony:needs-human") // the first was legal, the second was not
	i.colonySays("from `merge-pending` to `new`")
}

func slipTakenBack(w *world) {
	i := w.in("in-review")
	w.heldBack(func() {
		i.label(operator, "colony:new")
		i.unlabel(operator, "colony:new")
	}, reversed)
	w.quiet()
	i.has("colony:in-review")
}

// foreign are labels that are not Colony's, whatever they look like.
var foreign = []string{"bug", "colonial", "colony:urgency/2"}

func foreignLabels(w *world) {
	i := w.in("planning")
	i.label(operator, foreign...)
	w.quiet()
	i.has("colony:planning", "colony:urgency/2", "colonial", "bug")
	i.label(operator, "colony:analyzing")
	w.quiet()
	i.unlabel(operator, "colony:urgency/2")
	w.quiet()
	i.has("colony:analyzing", "colonial", "bug")
}

func capitals(w *world) {
	i := w.in("new")
	i.label(operator, "COLONY:ANALYZING")
	w.quiet()
	i.has("colony:analyzing")
}

func openedWithState(w *world) {
	i := w.open(operator, "It does not work.", "colony:new", "bug")
	w.quiet()
	i.has("colony:new", "bug")
	if !w.sees(creationEvents) {
		return // where the log does not show the first label, its place among later ones is anybody's guess
	}
	i.label(operator, "colony:analyzing")
	w.quiet()
	i.has("colony:analyzing", "bug")
}

func openedWithIllegalState(w *world) {
	i := w.open(operator, "It does not work.", "colony:paused")
	w.quiet()
	i.has("colony:needs-human")
	i.colonySays("from `unlabeled` to `paused`")
}

func closedIssue(w *world) {
	i := w.in("merge-pending")
	i.edit(operator, "closed")
	w.quiet()
	i.has("colony:merge-pending")
	i.label(operator, "colony:done")
	w.quiet()
	i.has("colony:done")
	i.edit(operator, "open")
	w.quiet()
	i.has("colony:done")
	i.label(operator, "colony:new")
	w.quiet()
	i.has("colony:done", "colony:needs-human")
	i.colonySays(w.mention(operator), "`done`", "/colony:force")
}

func readerCannotLabel(w *world) {
	i := w.in("new")
	_, _, err := w.as(reader).Issues.AddLabelsToIssue(ctx, w.owner, w.repo, i.number, []string{"colony:analyzing"})
	if !isStatus(err, refusals...) {
		w.t.Errorf("a reader's label was answered with %v", err)
	}
	w.quiet()
	i.has("colony:new")
}
