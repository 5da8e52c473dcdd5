package demo

import (
	"github.com/colony-app/colony/app/rules"
	"github.com/colony-app/colony/statemachine"
)

// colonyProduction is the demo of the lifecycle that Colony has by default.
var colonyProduction = Production{
	Lifecycle: "colony",
	People: with(
		Person{Login: "analyzer-bot", Role: "analyzer", Bot: true, Does: "takes colony:new, analyses it, hands it on"},
		Person{Login: "planner-bot", Role: "planner", Bot: true, Does: "takes colony:new of epic scale, splits it"},
		Person{Login: "dev-bot", Role: "developer", Bot: true, Does: "takes colony:ready-for-dev, implements it"},
		Person{Login: "review-bot", Role: "reviewer", Bot: true, Does: "reviews colony:in-review"},
		Person{Login: "merge-bot", Role: "merger", Bot: true, Does: "merges colony:merge-pending"},
	),
	Tries: []string{
		"A legal move: as tara, put `colony:in-review` on #6 (Show the price beside the name). Colony takes the old label off.",
		"An illegal one: as tara, put `colony:new` on #8 (A new catalogue). Colony takes it off again and explains.",
		"A bot's bad request: as analyzer-bot, put `colony:done` on #3 (Crash when a widget has no name). It is failure-blocked until somebody writes `/colony:retry`.",
		"Commands: as olivia, write `/colony:pause` in a comment on #7 (Round corners), then `/colony:resume`.",
		"Questions: as rita, write `/colony:status` on any issue, or `/colony:why done`, or `/colony:help`.",
	},
	// Nobody can open a pull request on the demo's page, so that nothing goes by them here.
	follow:    rules.Follow{statemachine.ReadComments, statemachine.ReadEdits, statemachine.ReadDependencies, statemachine.ReadCycles, statemachine.ReadSubIssues},
	board:     colonyBoard,
	story:     colonyStory,
	untouched: []int{unread},
}

var colonyBoard = []opened{
	{
		"ada", "Widgets lose their colour after a restart",
		"Every widget is grey once the server was restarted.", nil,
	},
	{
		"ada", "Import widgets from a spreadsheet",
		"We have about 400 of them in one.",
		[]moved{{Maintainer, "new"}},
	},
	{
		"ada", "Crash when a widget has no name",
		"Leave the name empty and press Save.",
		[]moved{{Maintainer, "new"}, {"analyzer-bot", "analyzing"}},
	},
	{
		"ada", "Make it faster",
		"It is slow.",
		[]moved{{Maintainer, "new"}, {"analyzer-bot", "analyzing"}, {"analyzer-bot", "needs-clarification"}},
	},
	{
		"ada", "Export widgets as CSV",
		"One row for each widget.",
		[]moved{{Maintainer, "new"}, {"analyzer-bot", "analyzing"}, {"analyzer-bot", "ready-for-dev"}},
	},
	{
		"ada", "Show the price beside the name",
		"In the currency of the shop.",
		[]moved{{Maintainer, "new"}, {"analyzer-bot", "analyzing"}, {"analyzer-bot", "ready-for-dev"}, {"dev-bot", "in-development"}},
	},
	{
		"ada", "Round corners",
		"They are sharp.",
		[]moved{{Maintainer, "new"}, {"analyzer-bot", "analyzing"}, {"analyzer-bot", "ready-for-dev"}, {"dev-bot", "in-development"}, {"dev-bot", "in-review"}},
	},
	{
		"ada", "A new catalogue",
		"Pages, search, pictures.",
		[]moved{{Maintainer, "new"}, {"planner-bot", "planning"}, {"planner-bot", "waiting-for-subtasks"}},
	},
	{
		"ada", "Upgrade the database driver",
		"Version 9 is out.",
		[]moved{{Maintainer, "new"}, {"analyzer-bot", "analyzing"}, {"analyzer-bot", "ready-for-dev"}, {Maintainer, "paused"}},
	},
}

// The issues of the board that the story is about, by number.
const (
	unread  = 1
	taken   = 2
	crash   = 3
	vague   = 4
	ready   = 5
	price   = 6
	corners = 7
	epic    = 8
	opening = 10 // opened in the story
)

var colonyStory = []scene{
	{
		chapter: "The happy path",
		tells:   "A new issue is nobody's business yet.",
		issue:   opening,
		acts:    []act{opens("The list forgets its order", "I sort it by price, reload, and it is sorted by name.")},
	},
	{
		tells: "Bots claim work by its label. Colony takes the old label off.",
		issue: opening,
		acts:  []act{puts("analyzer-bot", "new"), puts("analyzer-bot", "analyzing")},
		sees:  Sight{Labels: on("analyzing")},
	},
	{
		tells: "The analysis is done, a developer takes over.",
		issue: opening,
		acts:  []act{puts("analyzer-bot", "ready-for-dev"), puts("dev-bot", "in-development")},
		sees:  Sight{Labels: on("in-development")},
	},
	{
		tells: "The review goes one round.",
		issue: opening,
		acts:  []act{puts("dev-bot", "in-review"), puts("review-bot", "changes-requested"), puts("dev-bot", "in-development"), puts("dev-bot", "in-review")},
		sees:  Sight{Labels: on("in-review")},
	},
	{
		tells: "The reviewer is content, and a person approves with a command.",
		issue: opening,
		acts:  []act{puts("review-bot", "human-review-ready"), writes("olivia", "Looks good to me.\n\n/colony:move merge-pending")},
		sees:  Sight{Labels: on("merge-pending"), Reaction: accepted},
	},
	{
		tells: "Merged.",
		issue: opening,
		acts:  []act{puts("merge-bot", "done")},
		sees:  Sight{Labels: on("done")},
	},
	{
		tells: "The labels remember how it went, and who did it. Everybody may ask.",
		issue: opening,
		acts:  []act{writes("ada", "/colony:history")},
		sees: Sight{Labels: on("done"), Reaction: accepted, Says: []string{
			"`analyzing` → `ready-for-dev`, by `analyzer-bot[bot]`",
			"`in-review` → `changes-requested`, by `review-bot[bot]`",
			"`human-review-ready` → `merge-pending`, by `olivia` with `/colony:move`",
			"`merge-pending` → `done`, by `merge-bot[bot]`",
		}},
	},

	{
		chapter: "A person's mistake",
		tells:   "The table has no way back from ready-for-dev to analyzing: Colony restores the labels, explains, and asks for a person.",
		issue:   ready,
		acts:    []act{picks("ready-for-dev", "analyzing")},
		sees: Sight{Labels: on("needs-human", "ready-for-dev"), Says: []string{
			"`tara`", "from `ready-for-dev` to `analyzing`", "`planning`, `dependency-blocked`, `failure-blocked`", "/colony:move",
		}},
	},
	{
		tells: "The next legal move of a person settles it.",
		issue: ready,
		acts:  []act{picks("ready-for-dev", "new")},
		sees:  Sight{Labels: on("new")},
	},

	{
		chapter: "A bot's mistake",
		tells:   "A developer cannot declare its own work done. The work failed, and a person has to look.",
		issue:   price,
		acts:    []act{puts("dev-bot", "done")},
		sees: Sight{Labels: on("failure-blocked", "needs-human"), Says: []string{
			"`dev-bot[bot]`", "from `in-development` to `done`", "the role `developer`", "`failure-blocked`", "/colony:retry",
		}},
	},
	{
		tells: "A person looked. The developer's workspace is gone, so the work is queued again.",
		issue: price,
		acts:  []act{writes("tara", "/colony:retry the bot was misconfigured")},
		sees:  Sight{Labels: on("ready-for-dev"), Reaction: accepted},
	},
	{
		tells: "Why was that?",
		issue: price,
		acts:  []act{writes("rita", "/colony:status")},
		sees: Sight{Labels: on("ready-for-dev"), Reaction: accepted, Says: []string{
			"**`ready-for-dev`**", "by `tara` with `/colony:retry`: the bot was misconfigured", "`in-development` → `failure-blocked`, by `dev-bot[bot]`",
		}},
	},

	{
		chapter: "Pause and resume",
		tells:   "Work can be paused by whoever may move it.",
		issue:   corners,
		acts:    []act{writes("tara", "/colony:pause until the design is there")},
		sees:    Sight{Labels: on("paused"), Reaction: accepted},
	},
	{
		tells: "A bot that finishes late does not break a pause. It has done nothing wrong either, so nothing is blocked.",
		issue: corners,
		acts:  []act{puts("review-bot", "human-review-ready")},
		sees: Sight{Labels: on("paused"), Says: []string{
			"`review-bot[bot]`", "from `paused` to `human-review-ready`", "/colony:resume",
		}},
	},
	{
		tells: "It goes on where it was.",
		issue: corners,
		acts:  []act{writes("olivia", "/colony:resume")},
		sees:  Sight{Labels: on("in-review"), Reaction: accepted},
	},

	{
		chapter: "Commands",
		tells:   "Whoever can only read moves nothing.",
		issue:   crash,
		acts:    []act{writes("rita", "/colony:pause")},
		sees:    Sight{Labels: on("analyzing"), Reaction: notPermitted},
	},
	{
		tells: "A word that is no command is taken for a slip.",
		issue: crash,
		acts:  []act{writes("tara", "/colony:paus")},
		sees:  Sight{Labels: on("analyzing"), Reaction: refused, Says: []string{"`paus`", "Did you mean `/colony:pause`?"}},
	},
	{
		tells: "A command that is only shown is no command.",
		issue: crash,
		acts:  []act{writes("tara", "To stop the work, write `/colony:pause`, like this:\n\n    /colony:pause until tomorrow")},
		sees:  Sight{Labels: on("analyzing")},
	},
	{
		tells: "The table explains itself.",
		issue: crash,
		acts:  []act{writes("rita", "/colony:why in-review")},
		sees:  Sight{Labels: on("analyzing"), Reaction: accepted, Says: []string{"`analyzing` to `in-review`"}},
	},
	{
		tells: "A move that the table refuses is refused to a command as well.",
		issue: epic,
		acts:  []act{writes("olivia", "/colony:move in-development")},
		sees: Sight{Labels: on("needs-human", "waiting-for-subtasks"), Reaction: refused, Says: []string{
			"`waiting-for-subtasks` to `in-development`", "`done`",
		}},
	},
	{
		tells: "The one way round the table is for those who maintain the repository, and not for others.",
		issue: epic,
		acts:  []act{writes("tara", "/colony:force in-development the last subtask was dropped")},
		sees:  Sight{Labels: on("needs-human", "waiting-for-subtasks"), Reaction: notPermitted},
	},
	{
		tells: "They have to say why, and it is kept.",
		issue: epic,
		acts:  []act{writes("olivia", "/colony:force in-development the last subtask was dropped")},
		sees: Sight{Labels: on("in-development"), Reaction: accepted, Says: []string{
			"`olivia`", "`waiting-for-subtasks` to `in-development`", "the last subtask was dropped",
		}},
	},

	{
		chapter: "The world moves issues",
		tells:   "The analyzer asked what is slow. The author answers: that sends the issue back to it.",
		issue:   vague,
		acts:    []act{says("ada", "The list of widgets, with more than a hundred of them.")},
		sees:    Sight{Labels: on("analyzing")},
	},
	{
		tells: "Work that depends on an open issue waits for it.",
		issue: ready,
		acts:  []act{writes("tara", "/colony:move ready-for-dev\n/colony:depends-on #9")},
		sees:  Sight{Labels: on("dependency-blocked"), Reaction: accepted},
	},
	{
		tells: "Once that one is completed, it goes on.",
		issue: ready,
		acts:  []act{closes(9)},
		sees:  Sight{Labels: on("ready-for-dev")},
	},
	{
		tells: "What is next? The oldest of those that wait, as the lifecycle has no priorities.",
		issue: unread,
		acts:  []act{writes("rita", "/colony:next")},
		sees:  Sight{Reaction: accepted, Says: []string{"`new`", "`ready-for-dev`"}},
	},

	{
		chapter: "Webhooks that go astray",
		tells:   "A webhook is lost: Colony does not know, and the old label stays beside the new one.",
		issue:   taken,
		acts:    []act{losesNext(), puts("planner-bot", "planning")},
		sees:    Sight{Labels: on("new", "planning")},
	},
	{
		tells: "Nothing is lost for good: GitHub keeps the webhook for three days, and the state is in the labels' log anyway.",
		issue: taken,
		acts:  []act{redelivers()},
		sees:  Sight{Labels: on("planning")},
	},
	{
		tells: "Webhooks may come twice and in any order. They only say where to look.",
		issue: crash,
		acts:  []act{confuses(swaps("tara", "analyzing", "needs-clarification"), swaps("olivia", "needs-clarification", "ready-for-dev"))},
		sees:  Sight{Labels: on("ready-for-dev")},
	},
	{
		tells: "And the issue that nobody touched is as it was.",
		issue: unread,
	},
}
