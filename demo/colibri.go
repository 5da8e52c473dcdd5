package demo

import (
	"time"

	"github.com/colony-app/colony/policy"
)

// The issues of the board that the story of colibri is about, by number.
const (
	colibriSecond = iota + 1
	colibriFirst
	colibriApplied
	colibriVerified
	colibriGathered
	colibriUnread
	colibriOpening // from here on opened in the story
	colibriInit
	colibriGather
	colibriPlan
	colibriApply
	colibriEmpty
)

var colibriProduction = Production{
	Lifecycle: "colibri",
	People: with(
		Person{Login: "gather-bot", Role: "gatherer", Bot: true, Does: "takes colony:init and collects the context"},
		Person{Login: "analyst-bot", Role: "analyst", Bot: true, Does: "frames the problem in colony:analyze"},
		Person{Login: "plan-bot", Role: "planner", Bot: true, Does: "writes the packet of work in colony:plan"},
		Person{Login: "apply-bot", Role: "applier", Bot: true, Does: "carries it out in colony:apply"},
		Person{Login: "verify-bot", Role: "verifier", Bot: true, Does: "checks the result in colony:verify"},
	),
	Tries: []string{
		"No skipping: as tara, put `colony:apply` on #5 (Rename the shop). Colony takes it off again and explains.",
		"A reason: as tara, put `colony:cancelled` on #5, then write `/colony:cancel the shop keeps its name`.",
		"What is next: as rita, write `/colony:next` on any issue.",
		"An attempt: as verify-bot, put `colony:gather` on #4 (Pay by card), then write `/colony:status` as rita.",
	},
	follow: policy.DefaultFollow(),
	board: []opened{
		{"ada", "Paint the widgets", "In red.", []moved{{Maintainer, "init"}}},
		{"ada", "Refund what was paid twice", "Before the end of the month.", []moved{{Maintainer, "init"}}},
		{
			"ada", "Move to the new server", "The old one is loud.",
			[]moved{{Maintainer, "init"}, {"gather-bot", "gather"}, {"gather-bot", "analyze"}, {"analyst-bot", "plan"}, {"plan-bot", "apply"}},
		},
		{
			"ada", "Pay by card", "Not only by cheque.",
			[]moved{{Maintainer, "init"}, {"gather-bot", "gather"}, {"gather-bot", "analyze"}, {"analyst-bot", "plan"}, {"plan-bot", "apply"}, {"apply-bot", "verify"}},
		},
		{"ada", "Rename the shop", "To something shorter.", []moved{{Maintainer, "init"}, {"gather-bot", "gather"}, {"gather-bot", "analyze"}}},
		{"ada", "A logo for the van", "The van is white.", nil},
	},
	untouched: []int{colibriUnread},
	warns:     []string{"ended without the reflection that its lifecycle asks for"},
	story: []scene{
		{
			chapter: "Step by step",
			tells:   "A task is accepted, its context collected, the problem framed, the work planned.",
			issue:   colibriOpening,
			acts: []act{
				opens("Tell customers when a widget is back", "By mail."), puts("tara", "init"),
				puts("gather-bot", "gather"), puts("gather-bot", "analyze"), puts("analyst-bot", "plan"), puts("plan-bot", "apply"),
			},
			sees: Sight{Labels: on("apply")},
		},
		{
			tells: "Nobody can skip the verification, not even a maintainer of the repository.",
			issue: colibriOpening,
			acts:  []act{writes("olivia", "/colony:move done")},
			sees:  Sight{Labels: on("apply", "needs-human"), Reaction: refused, Says: []string{"`apply` to `done`", "the lifecycle has no such move", "`verify`"}},
		},
		{
			tells: "So it is verified, and done.",
			issue: colibriOpening,
			acts:  []act{picks("apply", "verify"), puts("verify-bot", "done")},
			sees:  Sight{Labels: on("done")},
		},
		{
			tells: "The bot that ended it writes its reflection. Colony does not answer.",
			issue: colibriOpening,
			acts:  []act{writes("verify-bot", "Reflection: the mail went out to the tester; the template had to be escaped.")},
			sees:  Sight{Labels: on("done")},
		},
		{
			tells: "Done is final, by label",
			issue: colibriOpening,
			acts:  []act{picks("done", "gather")},
			sees:  Sight{Labels: on("done", "needs-human"), Says: []string{"@tara", "`done` is final", "open a new issue"}},
		},
		{
			tells: "and by command, even for a maintainer of the repository: nobody goes round this table.",
			issue: colibriOpening,
			acts:  []act{writes("olivia", "/colony:force plan the template is ugly")},
			sees:  Sight{Labels: on("done", "needs-human"), Reaction: refused, Says: []string{"has no `/colony:force`", "open a new issue"}},
		},

		{
			chapter: "No skipping",
			tells:   "Without a packet of work there is nothing to apply. There is no state for failed requests, so Colony takes the label off again and asks for a person.",
			issue:   colibriGathered,
			acts:    []act{puts("analyst-bot", "apply")},
			sees: Sight{Labels: on("analyze", "needs-human"), Says: []string{
				"`analyst-bot[bot]`", "the lifecycle has no such move", "may move it to: `plan`",
			}},
		},

		{
			tells: "Nor can a person skip a step.",
			issue: colibriGathered,
			acts:  []act{picks("analyze", "verify")},
			sees:  Sight{Labels: on("analyze", "needs-human"), Says: []string{"@tara", "from `analyze` to `verify`, but the lifecycle has no such move"}},
		},
		{
			tells: "And the analyst may not give it up.",
			issue: colibriGathered,
			acts:  []act{puts("analyst-bot", "cancelled")},
			sees:  Sight{Labels: on("analyze", "needs-human"), Says: []string{"`analyst-bot[bot]`", "the role `analyst`", "`plan`"}},
		},

		{
			chapter: "Giving up",
			tells:   "A label cannot say why.",
			issue:   colibriGathered,
			acts:    []act{picks("analyze", "cancelled")},
			sees:    Sight{Labels: on("analyze", "needs-human"), Says: []string{"needs a written reason", "/colony:cancel <reason>"}},
		},
		{
			tells: "The command needs one, too.",
			issue: colibriGathered,
			acts:  []act{writes("tara", "/colony:cancel")},
			sees:  Sight{Labels: on("analyze", "needs-human"), Reaction: refused, Says: []string{"needs a reason", "/colony:cancel <reason>"}},
		},
		{
			tells: "With a reason it is cancelled, and the reason is its reflection.",
			issue: colibriGathered,
			acts:  []act{writes("tara", "/colony:cancel the shop keeps its name")},
			sees:  Sight{Labels: on("cancelled"), Reaction: accepted},
		},

		{
			tells: "Cancelled is final as well.",
			issue: colibriGathered,
			acts:  []act{picks("cancelled", "plan")},
			sees:  Sight{Labels: on("cancelled", "needs-human"), Says: []string{"@tara", "`cancelled` is final"}},
		},
		{
			tells: "A bot comes late. Colony says so, and treats it as no failure.",
			issue: colibriGathered,
			acts:  []act{puts("analyst-bot", "plan")},
			sees:  Sight{Labels: on("cancelled", "needs-human"), Says: []string{"`analyst-bot[bot]`", "from `cancelled` to `plan`"}},
		},
		{
			tells: "Every state but the two ends can be cancelled: the first,",
			issue: colibriInit,
			acts:  []act{opens("A newspaper of the shop", "Weekly."), puts("gather-bot", "init"), writes("tara", "/colony:cancel nobody reads it")},
			sees:  Sight{Labels: on("cancelled"), Reaction: accepted},
		},
		{
			tells: "the one in which the context is collected,",
			issue: colibriGather,
			acts: []act{
				opens("A shop on wheels", "For the country."), hops("", moved{"gather-bot", "init"}, moved{"gather-bot", "gather"}),
				writes("tara", "/colony:cancel the wheels are too dear"),
			},
			sees: Sight{Labels: on("cancelled"), Reaction: accepted},
		},
		{
			tells: "that of the plan,",
			issue: colibriPlan,
			acts: []act{
				opens("A shop on the moon", "For tourists."),
				hops("", moved{"gather-bot", "init"}, moved{"gather-bot", "gather"}, moved{"gather-bot", "analyze"}, moved{"analyst-bot", "plan"}),
				writes("tara", "/colony:cancel there is no air"),
			},
			sees: Sight{Labels: on("cancelled"), Reaction: accepted},
		},
		{
			tells: "and that of the work.",
			issue: colibriApply,
			acts: []act{
				opens("A bell at the door", "It should ring twice."),
				hops("", moved{"gather-bot", "init"}, moved{"gather-bot", "gather"}, moved{"gather-bot", "analyze"}, moved{"analyst-bot", "plan"}, moved{"plan-bot", "apply"}),
				writes("tara", "/colony:cancel the neighbours sleep"),
			},
			sees: Sight{Labels: on("cancelled"), Reaction: accepted},
		},

		{
			chapter: "Attempts",
			tells:   "A check failed for a cause that passes: the task begins again.",
			issue:   colibriVerified,
			acts:    []act{puts("verify-bot", "gather")},
			sees:    Sight{Labels: on("gather")},
		},
		{
			tells: "The attempts are counted.",
			issue: colibriVerified,
			acts:  []act{writes("rita", "/colony:status")},
			sees:  Sight{Labels: on("gather"), Reaction: accepted, Says: []string{"attempts: 1", "urgency 0 of 3, importance 0 of 3"}},
		},
		{
			tells: "A bot that nobody gave a role does not go on with the work of others.",
			issue: colibriApplied,
			acts:  []act{puts(checker, "verify")},
			sees:  Sight{Labels: on("apply"), Says: []string{"`ci[bot]`", "the guard `dedicated` refuses it: An executor has one role here"}},
		},
		{
			tells: "Another task fails for good: the verifier's request has a reason in the lifecycle, and Colony records it.",
			issue: colibriApplied,
			acts:  []act{puts("apply-bot", "verify"), puts("verify-bot", "cancelled")},
			sees:  Sight{Labels: on("cancelled"), Says: []string{"`verify-bot[bot]` moved this issue from `verify` to `cancelled`", "verify_permanent_fail"}},
		},

		{
			chapter: "What is next",
			tells:   "The oldest waits longest, unless another is urgent and important.",
			issue:   colibriFirst,
			acts:    []act{puts("tara", "urgency/3"), puts("tara", "importance/2"), writes("rita", "/colony:next")},
			sees: Sight{
				Labels: on("importance/2", "init", "urgency/3"), Reaction: accepted,
				Says: []string{"`#2`", "Refund what was paid twice", "`#1`", "Paint the widgets"},
			},
		},
		{
			tells: "An issue can depend on another one, but not on itself.",
			issue: colibriSecond,
			acts:  []act{writes("tara", "/colony:depends-on #2"), writes("tara", "/colony:depends-on #1")},
			sees:  Sight{Labels: on("init"), Reaction: refused, Says: []string{"itself"}},
		},
		{
			tells: "As long as that is open, nobody begins.",
			issue: colibriSecond,
			acts:  []act{puts("gather-bot", "gather")},
			sees:  Sight{Labels: on("init"), Says: []string{"`gather-bot[bot]`", "the guard `links-resolved` refuses it: All issues that it depends on have to be completed"}},
		},
		{
			tells: "A command takes the dependency back.",
			issue: colibriSecond,
			acts:  []act{writes("tara", "/colony:independent-of #2")},
			sees:  Sight{Labels: on("init"), Reaction: accepted},
		},
		{
			tells: "Nor does anybody begin what is not written down.",
			issue: colibriEmpty,
			acts:  []act{opens("A clock", ""), puts("gather-bot", "init"), puts("gather-bot", "gather")},
			sees:  Sight{Labels: on("init"), Says: []string{"the guard `inputs-there` refuses it: The text of the issue has to say what to do"}},
		},
		{
			tells: "Once it is, it begins.",
			issue: colibriEmpty,
			acts:  []act{edits("ada", "It should show the time of the shop."), puts("gather-bot", "gather")},
			sees:  Sight{Labels: on("gather")},
		},
		{
			chapter: "What nobody wrote down",
			tells:   "If you end a task without a reflection, Colony asks you for it, once. The sweep finds it after an hour.",
			issue:   colibriSecond,
			acts: []act{
				puts("gather-bot", "gather"), puts("gather-bot", "analyze"), puts("analyst-bot", "plan"), puts("plan-bot", "apply"),
				puts("apply-bot", "verify"), puts("verify-bot", "done"), waits(2 * time.Hour), sweeps(), waits(time.Hour), sweeps(),
			},
			sees: Sight{Labels: on("done"), Says: []string{"Reflection:"}},
		},

		{
			tells: "And the issue that nobody took in has not changed.",
			issue: colibriUnread,
		},
	},
}
