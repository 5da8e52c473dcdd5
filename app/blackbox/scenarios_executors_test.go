package blackbox_test

var executorScenarios = []scenario{
	{"executors hand work on", []capability{aBot}, executorsHandOn},
	{"a bad request of an executor is a failure", []capability{aBot}, badRequest},
	{"a bot that is late does not break a pause", []capability{aBot}, lateBot},
	{"a bot's command follows the bot's table", []capability{aBot}, botCommand},
}

func executorsHandOn(w *world) {
	i := w.open(author, "It does not work.")
	for _, state := range []string{"new", "analyzing", "ready-for-dev", "in-development", "in-review", "changes-requested", "in-development"} {
		i.label(bot, "colony:"+state)
		w.quiet()
		i.has("colony:" + state)
	}
}

func badRequest(w *world) {
	i := w.in("in-development")
	i.label(bot, "colony:done")
	w.quiet()
	i.has("colony:failure-blocked", "colony:needs-human")
	i.colonySays(
		w.login(bot), "from `in-development` to `done`", "`developer`", "`failure-blocked`", "/colony:retry",
	)

	i.colonyReacts(i.commentAndWait(operator, "/colony:retry"), "+1")
	i.has("colony:ready-for-dev")
}

func lateBot(w *world) {
	i := w.in("in-development")
	i.label(operator, "colony:paused")
	w.quiet()
	i.has("colony:paused")
	i.label(bot, "colony:in-review")
	w.quiet()
	i.has("colony:paused")
	i.colonySays(w.login(bot), "from `paused` to `in-review`", "may not move it from there")
}

func botCommand(w *world) {
	i := w.in("in-development")
	i.colonyReacts(i.commentAndWait(bot, "/colony:move in-review"), "+1")
	i.has("colony:in-review")
	i.colonyReacts(i.commentAndWait(bot, "/colony:move done"), "confused")
	i.has("colony:failure-blocked", "colony:needs-human")
	i.colonySays("`in-review` to `done`", "`reviewer`", "`failure-blocked`")
}
