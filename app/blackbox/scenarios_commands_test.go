package blackbox_test

var commandScenarios = []scenario{
	{"status tells where an issue stands", nil, status},
	{"move", nil, move},
	{"a move that the table does not have", nil, illegalMoveByCommand},
	{"pause and resume", nil, pauseAndResume},
	{"block and retry", nil, blockAndRetry},
	{"an unknown command", nil, unknownCommand},
	{"an unknown state", nil, unknownState},
	{"a reader may ask and not move", []capability{aReader}, readersCommands},
	{"force without the right", []capability{mereOperator, editTimes}, forceWithoutRight},
	{"force with the right and a reason", []capability{aMaintainer, editTimes}, force},
	{"several commands in one comment", nil, severalCommands},
	{"commands that are shown are not run", nil, shownCommands},
	{"a command in the opening text", nil, openingCommand},
	{"a comment edited into a command is not run", nil, editedComment},
}

func status(w *world) {
	i := w.in("analyzing")
	i.colonyReacts(i.commentAndWait(author, "/colony:status"), "+1")
	i.has("colony:analyzing")
	i.colonySays("`analyzing`", w.login(operator), "`unlabeled` → `analyzing`")
}

func move(w *world) {
	i := w.in("new")
	i.colonyReacts(i.commentAndWait(operator, "Let us begin.", "", "/colony:move analyzing"), "+1")
	i.has("colony:analyzing")
	i.colonyReacts(i.commentAndWait(operator, "/Colony MOVE ready-for-dev"), "+1")
	i.has("colony:ready-for-dev")
}

func illegalMoveByCommand(w *world) {
	i := w.in("in-review")
	i.colonyReacts(i.commentAndWait(operator, "/colony:move new"), "confused")
	i.has("colony:in-review", "colony:needs-human")
	i.colonySays("`in-review` to `new`", "`changes-requested`", "/colony:move ")
	i.colonyReacts(i.commentAndWait(operator, "/colony:move changes-requested"), "+1")
	i.has("colony:changes-requested")
}

func pauseAndResume(w *world) {
	i := w.in("in-review")
	i.colonyReacts(i.commentAndWait(operator, "/colony:pause until Monday"), "+1")
	i.has("colony:paused")
	i.colonyReacts(i.commentAndWait(operator, "/colony:resume"), "+1")
	i.has("colony:in-review")
}

func blockAndRetry(w *world) {
	i := w.in("in-development")
	i.colonyReacts(i.commentAndWait(operator, "/colony:block the build machine is down"), "+1")
	i.has("colony:failure-blocked")
	i.colonyReacts(i.commentAndWait(operator, "/colony:retry"), "+1")
	i.has("colony:ready-for-dev") // a developer's workspace is gone
	i.colonyReacts(i.commentAndWait(operator, "/colony:retry"), "confused")
	i.has("colony:ready-for-dev")
	i.colonySays("`/colony:retry`", "`failure-blocked`", "`ready-for-dev`")
}

func unknownCommand(w *world) {
	i := w.in("new")
	i.colonyReacts(i.commentAndWait(operator, "/colony:stauts"), "confused")
	i.has("colony:new")
	i.colonySays("`stauts`", "`/colony:status`")
}

func unknownState(w *world) {
	i := w.in("new")
	i.colonyReacts(i.commentAndWait(operator, "/colony:move analysing"), "confused")
	i.has("colony:new")
	i.colonySays("`analysing`", "`analyzing`")
}

func readersCommands(w *world) {
	i := w.in("new")
	i.colonyReacts(i.commentAndWait(reader, "/colony:move analyzing"), "-1")
	i.has("colony:new")
	i.colonyReacts(i.commentAndWait(reader, "/colony:why analyzing"), "+1")
	i.has("colony:new")
	i.colonySays("`new` to `analyzing`", w.login(reader))
}

func forceWithoutRight(w *world) {
	i := w.in("done")
	i.colonyReacts(i.commentAndWait(operator, "/colony:force in-development it was merged by mistake"), "-1")
	i.has("colony:done")
}

func force(w *world) {
	i := w.in("done")
	i.colonyReacts(i.commentAndWait(maintainer, "/colony:force in-development"), "confused")
	i.colonySays("/colony:force <state> <reason>")
	i.colonyReacts(i.commentAndWait(maintainer, "/colony:force in-development it was merged by mistake"), "+1")
	i.has("colony:in-development")
	i.colonySays(w.login(maintainer), "from `done` to `in-development`", "it was merged by mistake")
}

func severalCommands(w *world) {
	i := w.in("new")
	i.colonyReacts(i.commentAndWait(operator, "/colony:move analyzing", "/colony:move ready-for-dev", "/colony:pause", "/colony:status"), "+1")
	i.has("colony:paused")
	i.colonySays("`paused`", "`ready-for-dev` → `paused`")
}

func shownCommands(w *world) {
	i := w.in("new")
	i.comment(operator,
		"Write `/colony:move done` like this:", "",
		"```", "/colony:move analyzing", "```", "",
		"    /colony:move analyzing", "",
		"> /colony:move analyzing", "",
		"<!--", "/colony:move analyzing", "-->", "",
		"I would not /colony:move analyzing yet.")
	w.quiet()
	i.has("colony:new")
}

func openingCommand(w *world) {
	i := w.open(operator, "It does not work.\n\n/colony:move new")
	w.quiet()
	i.colonyReacts(0, "+1")
	i.has("colony:new")
}

func editedComment(w *world) {
	i := w.in("new")
	id := i.commentAndWait(operator, "What now?")
	i.editComment(operator, id, "/colony:move analyzing")
	w.quiet()
	i.colonyReacts(id, "confused")
	i.has("colony:new")
	if i.sees(editTimes) {
		i.colonySays("did not run", "edited", "new comment")
	}
}
