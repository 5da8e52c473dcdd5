package demo

import (
	"fmt"
	"time"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
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
	// Nobody can open a pull request on the demo's page, so that no trigger uses them here.
	follow:    policy.Follow{lifecycle.ReadComments, lifecycle.ReadEdits, lifecycle.ReadDependencies, lifecycle.ReadCycles, lifecycle.ReadEarly, lifecycle.ReadSubIssues},
	board:     colonyBoard,
	story:     colonyStory,
	untouched: []int{unread, dropped, circular, blocking, part, shed, unnoticed},
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
	opening = 10 // from here on opened in the story
)

// What the story opens before there are pull requests, which have numbers of their own.
const (
	ordered = opening + 1 + iota
	returning
	pausing
	resumed
	edited
	racing
	dropped
	overtaken
	cyclic
	circular
	chasing
	blocking
	whole
	part
	smaller
	shed
	oversized
	hasty
	unnoticed
	unproposed
	mergedEarly
	mergedInReview
	mergedPending
	mergedReady
	dismissed
	reviewed
	attempted
	unmergeable
	slowAnalysis
	slowDevelopment
)

// pullSettings is how a repository lets pull requests move issues, and has executors do what the source document leaves to workers
// of its own.
const pullSettings = `lifecycle: colony
follow: [comments, edits, pull-requests, reviews, checks, files, dependencies, dependency-cycles, early-dependencies, sub-issues]
executors:
  widen:
    - {role: developer, from: in-development, to: ready-for-dev}
    - {role: reviewer, from: in-review, to: merge-pending}
`

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
		tells: "GitHub's log of the labels has the moves, and who made them. Anyone may ask.",
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
		chapter: "From the first state to the last",
		tells:   "The order of the states is the way forward. A person may take each step of it.",
		issue:   ordered,
		acts: []act{
			opens("Tidy the shelves", "All of them."),
			walks("tara", "", "new", "planning", "analyzing", "needs-clarification", "ready-for-dev", "dependency-blocked", "failure-blocked", "in-development",
				"changes-requested", "in-review", "merge-pending", "human-review-ready", "waiting-for-subtasks", "done"),
		},
		sees: Sight{Labels: on("done")},
	},
	{
		tells: "There is no way out of the last.",
		issue: ordered,
		acts:  []act{picks("done", "in-review")},
		sees:  Sight{Labels: on("done", "needs-human"), Says: []string{"@tara", "`done` is final"}},
	},
	{
		tells: "The ways back are exceptions, each with its reason: for reviews,",
		issue: returning,
		acts: []act{
			opens("Tidy the drawers", "All of them."), walks("tara", "", "in-review", "changes-requested", "in-development", "merge-pending", "in-review"),
		},
		sees: Sight{Labels: on("in-review")},
	},
	{
		tells: "to recover,",
		issue: returning,
		acts: []act{walks("tara", "in-review", "ready-for-dev", "in-development", "ready-for-dev", "merge-pending", "ready-for-dev", "human-review-ready",
			"ready-for-dev", "dependency-blocked", "ready-for-dev", "failure-blocked", "ready-for-dev")},
		sees: Sight{Labels: on("ready-for-dev")},
	},
	{
		tells: "to analyse again,",
		issue: returning,
		acts: []act{walks("tara", "ready-for-dev", "in-development", "analyzing", "needs-clarification", "analyzing", "changes-requested", "analyzing",
			"in-review", "analyzing", "merge-pending", "analyzing", "human-review-ready", "analyzing")},
		sees: Sight{Labels: on("analyzing")},
	},
	{
		tells: "for dependencies and for work that is larger than it seemed,",
		issue: returning,
		acts: []act{walks("tara", "analyzing", "new", "needs-clarification", "new", "ready-for-dev", "new", "changes-requested", "new", "in-development", "new",
			"ready-for-dev", "planning", "changes-requested", "planning", "in-development", "planning", "in-development", "dependency-blocked", "in-development", "failure-blocked")},
		sees: Sight{Labels: on("failure-blocked")},
	},
	{
		tells: "to plan,",
		issue: returning,
		acts: []act{walks("tara", "failure-blocked", "planning", "analyzing", "planning", "needs-clarification", "planning", "human-review-ready",
			"merge-pending")},
		sees: Sight{Labels: on("merge-pending")},
	},
	{
		tells: "and for failures, and what comes after them.",
		issue: returning,
		acts: []act{walks("tara", "merge-pending", "failure-blocked", "new", "failure-blocked", "analyzing", "failure-blocked", "planning", "changes-requested",
			"failure-blocked", "in-review", "failure-blocked", "human-review-ready", "failure-blocked", "in-development", "needs-clarification")},
		sees: Sight{Labels: on("needs-clarification")},
	},

	{
		chapter: "A person's mistake",
		tells:   "The table has no way back from ready-for-dev to analyzing: Colony restores the labels, explains, and asks for a person.",
		issue:   ready,
		acts:    []act{picks("ready-for-dev", "analyzing")},
		sees: Sight{Labels: on("needs-human", "ready-for-dev"), Says: []string{
			"@tara", "from `ready-for-dev` to `analyzing`", "`planning`, `dependency-blocked`, `failure-blocked`", "/colony:move",
		}},
	},
	{
		tells: "The next legal move of a person takes that back.",
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
		tells: "A command is no way round that.",
		issue: price,
		acts:  []act{puts("dev-bot", "in-development"), writes("dev-bot", "/colony:move done")},
		sees: Sight{Labels: on("failure-blocked", "needs-human"), Reaction: refused, Says: []string{
			"from `in-development` to `done`, but to `failure-blocked`", "the role `developer`", "/colony:retry",
		}},
	},

	{
		chapter: "Work that failed",
		tells:   "A bot that says what failed has made no mistake. Colony has nothing to say, and asks for a person.",
		issue:   price,
		acts: []act{
			writes("tara", "/colony:retry"), puts("dev-bot", "in-development"),
			says("dev-bot", "The build failed: no such file price.go"), puts("dev-bot", "failure-blocked"),
		},
		sees: Sight{Labels: on("failure-blocked", "needs-human"), Reaction: accepted},
	},
	{
		tells: "Every role may say so where it works.",
		issue: price,
		acts: []act{hops("failure-blocked", moved{"tara", "analyzing"}, moved{"analyzer-bot", "failure-blocked"}, moved{"tara", "planning"}, moved{"planner-bot", "failure-blocked"},
			moved{"tara", "in-review"}, moved{"review-bot", "failure-blocked"}, moved{"tara", "merge-pending"}, moved{"merge-bot", "failure-blocked"})},
		sees: Sight{Labels: on("failure-blocked", "needs-human")},
	},
	{
		tells: "With a command, the reason stays where people read it.",
		issue: price,
		acts: []act{
			walks("tara", "failure-blocked", "in-development"), writes("dev-bot", "/colony:block the cost cap is reached"), writes("rita", "/colony:status"),
		},
		sees: Sight{Labels: on("failure-blocked", "needs-human"), Reaction: accepted, Says: []string{
			"**`failure-blocked`**", "by `dev-bot[bot]` with `/colony:block`: the cost cap is reached",
		}},
	},
	{
		tells: "A person raises the cap.",
		issue: price,
		acts:  []act{writes("tara", "/colony:retry")},
		sees:  Sight{Labels: on("ready-for-dev"), Reaction: accepted},
	},

	{
		chapter: "Pause and resume",
		tells:   "Anyone who may move the issue can pause the work.",
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
		tells: "A person can pause an issue in seven states, and resume it into any state but the one without a label.",
		issue: pausing,
		acts: []act{
			opens("Tidy the cellar", "There are mice."),
			walks("olivia", "", "planning", "paused", "analyzing", "paused", "ready-for-dev", "paused", "in-development", "paused", "changes-requested", "paused",
				"in-review", "paused", "merge-pending", "paused", "new", "planning", "paused", "needs-clarification", "ready-for-dev", "paused",
				"dependency-blocked", "in-development", "paused", "failure-blocked", "in-development", "paused", "human-review-ready", "merge-pending", "paused",
				"waiting-for-subtasks"),
		},
		sees: Sight{Labels: on("waiting-for-subtasks")},
	},
	{
		tells: "In the other states nobody can pause it.",
		issue: pausing,
		acts:  []act{writes("tara", "/colony:pause")},
		sees: Sight{Labels: on("needs-human", "waiting-for-subtasks"), Reaction: refused, Says: []string{
			"`waiting-for-subtasks` to `paused`", "`done`",
		}},
	},
	{
		tells: "A command can name where it goes on.",
		issue: resumed,
		acts: []act{
			opens("Tidy the roof", "There are birds."), walks("olivia", "", "planning", "paused", "planning", "paused"), writes("olivia", "/colony:resume done the birds may stay"),
		},
		sees: Sight{Labels: on("done"), Reaction: accepted},
	},

	{
		chapter: "Commands",
		tells:   "People with read access cannot move issues.",
		issue:   crash,
		acts:    []act{writes("rita", "/colony:pause")},
		sees:    Sight{Labels: on("analyzing"), Reaction: notPermitted},
	},
	{
		tells: "Colony takes an unknown word for a slip.",
		issue: crash,
		acts:  []act{writes("tara", "/colony:paus")},
		sees:  Sight{Labels: on("analyzing"), Reaction: refused, Says: []string{"`paus`", "Did you mean `/colony:pause`?"}},
	},
	{
		tells: "Colony does not run a command that a comment only shows.",
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
		tells: "A command cannot make a move that is not in the table either.",
		issue: epic,
		acts:  []act{writes("olivia", "/colony:move in-development")},
		sees: Sight{Labels: on("needs-human", "waiting-for-subtasks"), Reaction: refused, Says: []string{
			"`waiting-for-subtasks` to `in-development`", "`done`",
		}},
	},
	{
		tells: "Only maintainers of the repository may go around the table.",
		issue: epic,
		acts:  []act{writes("tara", "/colony:force in-development the last subtask was dropped")},
		sees:  Sight{Labels: on("needs-human", "waiting-for-subtasks"), Reaction: notPermitted},
	},
	{
		tells: "They have to say why, and Colony keeps the reason.",
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
		tells: "A developer asks. The author writes what is missing into the issue itself: that is an answer, too.",
		issue: edited,
		acts: []act{
			opens("A sign above the door", "It should be large."),
			hops("", moved{"planner-bot", "new"}, moved{"planner-bot", "planning"}, moved{"planner-bot", "ready-for-dev"}, moved{"dev-bot", "in-development"}, moved{"dev-bot", "needs-clarification"}),
			edits("ada", "It should be two metres wide."),
		},
		sees: Sight{Labels: on("analyzing")},
	},
	{
		tells: "A person can stop what is wrong; it goes on where it was.",
		issue: edited,
		acts:  []act{writes("tara", "/colony:block the landlord has to agree"), writes("tara", "/colony:retry he does")},
		sees:  Sight{Labels: on("analyzing"), Reaction: accepted},
	},
	{
		tells: "Work can begin afresh, or from the analysis.",
		issue: edited,
		acts: []act{
			walks("tara", "analyzing", "ready-for-dev", "in-development"), writes("tara", "/colony:reimplement in wood"),
			walks("tara", "ready-for-dev", "in-development"), writes("tara", "/colony:reanalyze in wood or in stone?"),
		},
		sees: Sight{Labels: on("analyzing"), Reaction: accepted},
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
		tells: "Now it depends on another one.",
		issue: ready,
		acts:  []act{writes("tara", fmt.Sprintf("/colony:depends-on #%d", unread))},
		sees:  Sight{Labels: on("dependency-blocked"), Reaction: accepted},
	},
	{
		tells: "A dependency that is not needed holds nothing up.",
		issue: ready,
		acts:  []act{writes("tara", fmt.Sprintf("/colony:independent-of #9 #%d", unread))},
		sees:  Sight{Labels: on("ready-for-dev"), Reaction: accepted},
	},
	{
		tells: "What is next? The oldest of those that wait, as the lifecycle has no priorities.",
		issue: unread,
		acts:  []act{writes("rita", "/colony:next")},
		sees:  Sight{Reaction: accepted, Says: []string{"`new`", "`ready-for-dev`"}},
	},

	{
		tells: "A dependency may turn up while the work is under way.",
		issue: racing,
		acts: []act{
			opens("Draw the widgets in 3D", "With a light from the left."), opens("Find a library that draws", "A small one."),
			walks("tara", "", "ready-for-dev", "in-development"), writes("tara", fmt.Sprintf("/colony:depends-on #%d", dropped)),
		},
		sees: Sight{Labels: on("dependency-blocked"), Reaction: accepted},
	},
	{
		tells: "Where it will never be completed, a person has to decide.",
		issue: racing,
		acts:  []act{drops(dropped)},
		sees: Sight{Labels: on("failure-blocked", "needs-human"), Says: []string{
			"Colony moved this issue from `dependency-blocked` to `failure-blocked`", "closed as not planned",
		}},
	},
	{
		tells: "Also where that is known before the work begins.",
		issue: overtaken,
		acts:  []act{opens("Let the widgets turn", "Clockwise."), writes("tara", fmt.Sprintf("/colony:depends-on #%d", dropped)), puts("tara", "ready-for-dev")},
		sees: Sight{Labels: on("failure-blocked", "needs-human"), Reaction: accepted, Says: []string{
			"Colony moved this issue from `ready-for-dev` to `failure-blocked`", "closed as not planned",
		}},
	},
	{
		tells: "Two issues that wait for each other can never begin. Colony refuses a command that would do that.",
		issue: cyclic,
		acts: []act{
			opens("The hen", ""), opens("The egg", fmt.Sprintf("Depends on #%d.", cyclic)), puts("tara", "ready-for-dev"),
			writes("tara", fmt.Sprintf("/colony:depends-on #%d", circular)),
		},
		sees: Sight{Labels: on("ready-for-dev"), Reaction: refused, Says: []string{"each would wait for the other", "/colony:independent-of"}},
	},
	{
		tells: "If someone writes it into the text all the same, Colony asks for a person.",
		issue: cyclic,
		acts:  []act{edits("ada", fmt.Sprintf("Depends on #%d.", circular))},
		sees: Sight{Labels: on("failure-blocked", "needs-human"), Says: []string{
			"Colony moved this issue from `ready-for-dev` to `failure-blocked`", "none of them can begin",
		}},
	},
	{
		tells: "The same where an issue waits already, once the other waits for it.",
		issue: chasing,
		acts: []act{
			opens("The dog", ""), opens("The cat", ""), puts("tara", "ready-for-dev"), writes("tara", fmt.Sprintf("/colony:depends-on #%d", blocking)),
			at(blocking, edits("ada", fmt.Sprintf("Depends on #%d.", chasing))), sweeps(),
		},
		sees: Sight{Labels: on("failure-blocked", "needs-human"), Reaction: accepted, Says: []string{
			"Colony moved this issue from `dependency-blocked` to `failure-blocked`", "none of them can begin",
		}},
	},
	{
		tells: "A planner splits an epic, and the last of its parts that is closed completes it.",
		issue: whole,
		acts: []act{
			opens("Open a second shop", "In the next town."), opens("Rent a house there", "With a window."),
			hops("", moved{"planner-bot", "new"}, moved{"planner-bot", "planning"}, moved{"planner-bot", "waiting-for-subtasks"}), adopts("olivia", part), closes(part),
		},
		sees: Sight{Labels: on("done")},
	},

	{
		tells: "If a part is dropped, a person decides whether the epic is done without it.",
		issue: smaller,
		acts: []act{
			opens("Open a shop on the moon", "Next year."), opens("Rent a house there", "With air."),
			hops("", moved{"planner-bot", "new"}, moved{"planner-bot", "planning"}, moved{"planner-bot", "waiting-for-subtasks"}), adopts("olivia", shed), drops(shed),
		},
		sees: Sight{Labels: on("waiting-for-subtasks", "needs-human"), Says: []string{"Colony leaves this issue in `waiting-for-subtasks`", fmt.Sprintf("#%d", shed)}},
	},

	{
		tells: "If the analyzer or a developer finds the work larger than it seemed, it goes to the planner, or back to new.",
		issue: oversized,
		acts: []act{
			opens("Support every currency", "And every country."),
			hops("", moved{"analyzer-bot", "new"}, moved{"analyzer-bot", "analyzing"}, moved{"analyzer-bot", "planning"}, moved{"planner-bot", "ready-for-dev"},
				moved{"dev-bot", "planning"}, moved{"planner-bot", "ready-for-dev"}, moved{"dev-bot", "new"}, moved{"analyzer-bot", "analyzing"},
				moved{"analyzer-bot", "ready-for-dev"}, moved{"dev-bot", "in-development"}, moved{"dev-bot", "planning"}, moved{"planner-bot", "ready-for-dev"},
				moved{"dev-bot", "in-development"}, moved{"dev-bot", "new"}, moved{"analyzer-bot", "analyzing"}, moved{"analyzer-bot", "ready-for-dev"},
				moved{"dev-bot", "in-development"}, moved{"dev-bot", "in-review"}, moved{"review-bot", "changes-requested"}, moved{"dev-bot", "planning"},
				moved{"planner-bot", "ready-for-dev"}, moved{"dev-bot", "in-development"}, moved{"dev-bot", "in-review"}, moved{"review-bot", "changes-requested"},
				moved{"dev-bot", "new"}),
		},
		sees: Sight{Labels: on("new")},
	},
	{
		tells: "An issue is not analysed while it depends on an open one.",
		issue: hasty,
		acts: []act{
			opens("Paint the fence", "In white."), opens("Build the fence", "In wood."), hops("", moved{"analyzer-bot", "new"}, moved{"analyzer-bot", "analyzing"}),
			writes("tara", fmt.Sprintf("/colony:depends-on #%d", unnoticed)),
		},
		sees: Sight{Labels: on("new"), Reaction: accepted},
	},
	{
		tells: "Nor does anyone ask its author.",
		issue: hasty,
		acts: []act{
			writes("tara", fmt.Sprintf("/colony:independent-of #%d", unnoticed)), hops("new", moved{"analyzer-bot", "analyzing"}, moved{"analyzer-bot", "needs-clarification"}),
			writes("tara", fmt.Sprintf("/colony:depends-on #%d", unnoticed)),
		},
		sees: Sight{Labels: on("new"), Reaction: accepted},
	},

	{
		chapter: "Pull requests",
		tells:   "In this repository pull requests move issues, and bots return work that came to nothing.",
		issue:   unread,
		acts: []act{
			opens("Sort the spare parts", ""), opens("Weigh the widgets", ""), opens("Name the colours", ""), opens("Round the prices", ""),
			opens("Number the drawers", ""), opens("Count the screws", ""), opens("Oil the hinges", ""), opens("Paint the door", ""),
			opens("Mend the bell", ""), opens("Read the meter", ""), opens("Wind the clock", ""), settles("olivia", pullSettings),
		},
	},
	{
		tells: "Without a pull request there is nothing to review.",
		issue: unproposed,
		acts: []act{
			puts("tara", "ready-for-dev"), puts("dev-bot", "in-development"), puts("dev-bot", "in-review"),
			puts("dev-bot", "in-development"), puts("dev-bot", "in-review"), puts("dev-bot", "in-development"), puts("dev-bot", "in-review"),
		},
		sees: Sight{Labels: on("ready-for-dev")},
	},
	{
		tells: "That came to nothing three times. Anyone can see it.",
		issue: unproposed,
		acts:  []act{writes("rita", "/colony:status")},
		sees:  Sight{Labels: on("ready-for-dev"), Reaction: accepted, Says: []string{"returns to the queue: 3 of at most 3"}},
	},
	{
		tells: "A fourth time would be the same.",
		issue: unproposed,
		acts:  []act{puts("dev-bot", "in-development"), puts("dev-bot", "in-review")},
		sees: Sight{Labels: on("failure-blocked", "needs-human"), Says: []string{
			"Colony moved this issue from `in-review` to `failure-blocked`", "would fail in the same way again",
		}},
	},
	{
		tells: "A reviewer wants changes on GitHub: that moves the issue. A merge wins over that.",
		issue: mergedEarly,
		acts: []act{
			puts("tara", "in-development"), proposes("dev-bot", "scales"), puts("dev-bot", "in-review"),
			wantsChanges("In grams, please."), merges(),
		},
		sees: Sight{Labels: on("done")},
	},
	{
		tells: "Merged during the review,",
		issue: mergedInReview,
		acts:  []act{puts("tara", "in-development"), proposes("dev-bot", "colours"), puts("dev-bot", "in-review"), merges()},
		sees:  Sight{Labels: on("done")},
	},
	{
		tells: "by a person instead of the merger,",
		issue: mergedPending,
		acts:  []act{proposes("dev-bot", "prices"), puts("tara", "merge-pending"), merges()},
		sees:  Sight{Labels: on("done")},
	},
	{
		tells: "or as soon as it is approved: the issue is done.",
		issue: mergedReady,
		acts:  []act{proposes("dev-bot", "drawers"), puts("tara", "human-review-ready"), merges()},
		sees:  Sight{Labels: on("done")},
	},
	{
		tells: "A pull request that no longer merges cleanly goes to the merger. GitHub sends no webhook for that, so the sweep finds it.",
		issue: dismissed,
		acts:  []act{proposes("dev-bot", "screws"), puts("tara", "human-review-ready"), conflicts("olivia"), sweeps()},
		sees:  Sight{Labels: on("merge-pending")},
	},
	{
		tells: "Closed without a merge, the work begins afresh;",
		issue: dismissed,
		acts:  []act{dismisses()},
		sees:  Sight{Labels: on("ready-for-dev")},
	},
	{
		tells: "also where only the approval was missing.",
		issue: dismissed,
		acts:  []act{proposes("dev-bot", "nails"), puts("tara", "human-review-ready"), dismisses()},
		sees:  Sight{Labels: on("ready-for-dev")},
	},

	{
		tells: "Two pull requests that change the same file get into each other's way: the older one goes first,",
		issue: dismissed,
		acts:  []act{at(slowDevelopment, proposes("dev-bot", "clock")), proposes("dev-bot", "tacks"), sharing("dev-bot", "clock", "tacks")},
		sees: Sight{Labels: on("dependency-blocked"), Says: []string{
			"Colony leaves this issue in `dependency-blocked`", "An older pull request of another issue changes the same files", "shared.txt",
		}},
	},
	{
		tells: "and the other issue goes on once that one is closed.",
		issue: dismissed,
		acts:  []act{at(slowDevelopment, dismisses())},
		sees:  Sight{Labels: on("ready-for-dev")},
	},
	{
		tells: "The same while the work is under way.",
		issue: dismissed,
		acts: []act{
			at(slowDevelopment, proposes("dev-bot", "hands")), dismisses(), puts("dev-bot", "in-development"), proposes("dev-bot", "pins"),
			sharing("dev-bot", "hands", "pins"),
		},
		sees: Sight{Labels: on("dependency-blocked"), Says: []string{"Colony leaves this issue in `dependency-blocked`", "shared.txt"}},
	},
	{
		tells: "That one closed, too.",
		issue: dismissed,
		acts:  []act{at(slowDevelopment, dismisses())},
		sees:  Sight{Labels: on("ready-for-dev")},
	},

	{
		chapter: "Rounds that lead nowhere",
		tells:   "Five times the reviewer sends it back.",
		issue:   reviewed,
		acts: []act{
			puts("tara", "in-development"), proposes("dev-bot", "hinges"), hops("in-development", append([]moved{{"dev-bot", "in-review"}}, rounds(5)...)...),
			writes("rita", "/colony:status"),
		},
		sees: Sight{Labels: on("in-review"), Reaction: accepted, Says: []string{"review cycles: 5 of at most 5"}},
	},
	{
		tells: "A sixth time somebody should look.",
		issue: reviewed,
		acts:  []act{puts("review-bot", "changes-requested")},
		sees: Sight{Labels: on("failure-blocked", "needs-human"), Says: []string{
			"from `in-review` to `changes-requested`", "the limit of 5 review cycles", "set the issue to `failure-blocked`",
		}},
	},
	{
		tells: "Ten attempts, which ended in different ways: five reviews, three rollbacks, and a question.",
		issue: attempted,
		acts: []act{
			puts("tara", "ready-for-dev"), puts("dev-bot", "in-development"), proposes("dev-bot", "door"),
			hops("in-development", append([]moved{{"dev-bot", "in-review"}}, rounds(5)[:14]...)...),
			hops("in-development", moved{"dev-bot", "ready-for-dev"}, moved{"dev-bot", "in-development"}, moved{"dev-bot", "ready-for-dev"},
				moved{"dev-bot", "in-development"}, moved{"dev-bot", "ready-for-dev"}, moved{"dev-bot", "in-development"}, moved{"dev-bot", "needs-clarification"}),
			says("ada", "Green."), hops("analyzing", moved{"analyzer-bot", "ready-for-dev"}, moved{"dev-bot", "in-development"}), writes("rita", "/colony:status"),
		},
		sees: Sight{Labels: on("in-development"), Reaction: accepted, Says: []string{"development attempts: 10 of at most 10"}},
	},
	{
		tells: "An eleventh time somebody should look.",
		issue: attempted,
		acts: []act{
			puts("dev-bot", "needs-clarification"), says("ada", "A dark green."), puts("analyzer-bot", "ready-for-dev"), puts("dev-bot", "in-development"),
		},
		sees: Sight{Labels: on("failure-blocked", "needs-human"), Says: []string{
			"from `ready-for-dev` to `in-development`", "the limit of 10 development attempts", "set the issue to `failure-blocked`",
		}},
	},
	{
		tells: "Three times it cannot be merged and goes back to the reviewer.",
		issue: unmergeable,
		acts: []act{
			proposes("dev-bot", "bell"), puts("tara", "merge-pending"),
			hops("merge-pending", moved{"merge-bot", "in-review"}, moved{"review-bot", "merge-pending"}, moved{"merge-bot", "in-review"},
				moved{"review-bot", "merge-pending"}, moved{"merge-bot", "in-review"}, moved{"review-bot", "merge-pending"}),
			writes("rita", "/colony:status"),
		},
		sees: Sight{Labels: on("merge-pending"), Reaction: accepted, Says: []string{"failed merges: 3 of at most 3"}},
	},
	{
		tells: "No person has approved it meanwhile, so the merger may not say that it is done.",
		issue: unmergeable,
		acts:  []act{puts("merge-bot", "done")},
		sees: Sight{Labels: on("merge-pending"), Says: []string{
			"`merge-bot[bot]`", "the guard `approved-by-a-person` refuses it: A person has to approve first",
		}},
	},
	{
		tells: "Then the automatic merge is exhausted.",
		issue: unmergeable,
		acts:  []act{puts("merge-bot", "in-review")},
		sees: Sight{Labels: on("failure-blocked", "needs-human"), Says: []string{
			"from `merge-pending` to `in-review`", "the limit of 3 failed merges", "set the issue to `failure-blocked`",
		}},
	},

	{
		chapter: "Webhooks that go astray",
		tells:   "GitHub loses a webhook: Colony does not know, and the old label stays beside the new one.",
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
		tells: "Webhooks may come twice and in any order. They only say which issue to check.",
		issue: crash,
		acts:  []act{confuses(swaps("tara", "analyzing", "needs-clarification"), swaps("olivia", "needs-clarification", "ready-for-dev"))},
		sees:  Sight{Labels: on("ready-for-dev")},
	},
	{
		chapter: "Time",
		tells:   "An analyzer that says nothing for a day has stopped. The sweep finds it.",
		issue:   slowAnalysis,
		acts:    []act{puts("analyzer-bot", "new"), puts("analyzer-bot", "analyzing"), waits(25 * time.Hour), sweeps()},
		sees: Sight{Labels: on("failure-blocked", "needs-human"), Says: []string{
			"Colony moved this issue from `analyzing` to `failure-blocked`", "not handed on within a day",
		}},
	},
	{
		tells: "A developer may take three days.",
		issue: slowDevelopment,
		acts:  []act{puts("tara", "ready-for-dev"), puts("dev-bot", "in-development"), waits(73 * time.Hour), sweeps()},
		sees: Sight{Labels: on("failure-blocked", "needs-human"), Says: []string{
			"Colony moved this issue from `in-development` to `failure-blocked`", "not handed on within three days",
		}},
	},
	{
		tells: "And the issue that nobody touched has not changed.",
		issue: unread,
	},
}

// rounds are reviews that want changes, each answered by an attempt to make them.
func rounds(n int) []moved {
	var moves []moved
	for range n {
		moves = append(moves, moved{"review-bot", "changes-requested"}, moved{"dev-bot", "in-development"}, moved{"dev-bot", "in-review"})
	}
	return moves
}
