package demo

import "github.com/colony-app/colony/policy"

// The issues of the board that the story of prp is about, by number.
const (
	prpObsolete = iota + 1
	prpErrors
	prpSkipped
	prpRetried
	prpBroken
	prpUnread
	prpOpening // from here on opened in the story
	prpStuck
	prpDropped
	prpAgain
	prpDelta // and four more that the delta session leaves out
)

var prpProduction = Production{
	Lifecycle: "prp",
	People: with(
		Person{Login: "research-bot", Role: "researcher", Bot: true, Does: "takes colony:planned and researches it"},
		Person{Login: "build-bot", Role: "implementer", Bot: true, Does: "implements in colony:implementing"},
		Person{Login: "retry-bot", Role: "retrier", Bot: true, Does: "tries again in colony:retrying"},
		Person{Login: "delta-bot", Role: "delta-analyst", Bot: true, Does: "finds out what a new plan leaves out, and marks it colony:obsolete"},
	),
	Tries: []string{
		"An illegal move: as tara, put `colony:complete` on #1 (Ship widgets abroad). Colony takes it off again and explains.",
		"A limit: as build-bot and retry-bot, put `colony:retrying` and `colony:implementing` on #2 (Import the old orders) in turn. The fourth retry fails it for good.",
		"The end: as tara, write `/colony:obsolete` on #1, and then, as olivia, `/colony:force planned I changed my mind`.",
		"Questions: as rita, write `/colony:status` or `/colony:history` on any issue.",
	},
	follow: policy.DefaultFollow(),
	board: []opened{
		{"ada", "Ship widgets abroad", "Customs, and all that.", []moved{{Maintainer, "planned"}}},
		{"ada", "Import the old orders", "From the system before this one.", []moved{{Maintainer, "planned"}, {"research-bot", "researching"}, {"research-bot", "implementing"}}},
		{"ada", "Widgets for children", "Small ones.", []moved{{Maintainer, "planned"}, {"research-bot", "researching"}}},
		{
			"ada", "Send receipts by mail", "With the invoice.",
			[]moved{{Maintainer, "planned"}, {"research-bot", "researching"}, {"research-bot", "implementing"}, {"build-bot", "retrying"}},
		},
		{"ada", "Read the label printer", "It speaks a language of its own.", []moved{{Maintainer, "planned"}, {"research-bot", "researching"}, {"research-bot", "implementing"}}},
		{"ada", "A logo for the van", "The van is white.", nil},
	},
	untouched: []int{prpUnread},
	story: []scene{
		{
			chapter: "Without errors",
			tells:   "A new issue is outside of the lifecycle until somebody lets it in.",
			issue:   prpOpening,
			acts:    []act{opens("Count the widgets", "Nobody knows how many there are."), puts("tara", "planned")},
			sees:    Sight{Labels: on("planned")},
		},
		{
			tells: "It is researched, implemented, and complete.",
			issue: prpOpening,
			acts:  []act{puts("research-bot", "researching"), puts("research-bot", "implementing"), puts("build-bot", "complete")},
			sees:  Sight{Labels: on("complete")},
		},
		{
			tells: "Once complete, always complete.",
			issue: prpOpening,
			acts:  []act{picks("complete", "researching")},
			sees:  Sight{Labels: on("complete", "needs-human"), Says: []string{"@tara", "`complete` is final", "open a new issue"}},
		},
		{
			tells: "Not even by force.",
			issue: prpOpening,
			acts:  []act{writes("olivia", "/colony:force planned we forgot the blue ones")},
			sees:  Sight{Labels: on("complete", "needs-human"), Reaction: refused, Says: []string{"has no `/colony:force`", "open a new issue"}},
		},

		{
			chapter: "Errors that pass",
			tells:   "An error stops the work; the next attempt begins.",
			issue:   prpErrors,
			acts:    []act{puts("build-bot", "retrying"), puts("retry-bot", "implementing")},
			sees:    Sight{Labels: on("implementing")},
		},
		{
			tells: "And twice more.",
			issue: prpErrors,
			acts:  []act{puts("build-bot", "retrying"), puts("retry-bot", "implementing"), puts("build-bot", "retrying"), puts("retry-bot", "implementing")},
			sees:  Sight{Labels: on("implementing")},
		},
		{
			tells: "Anyone can see how often.",
			issue: prpErrors,
			acts:  []act{writes("rita", "/colony:status")},
			sees:  Sight{Labels: on("implementing"), Reaction: accepted, Says: []string{"◐ **`implementing`**", "retries: 3 of at most 3"}},
		},
		{
			tells: "There is no fourth retry: the work has failed.",
			issue: prpErrors,
			acts:  []act{puts("build-bot", "retrying")},
			sees: Sight{Labels: on("failed", "needs-human"), Says: []string{
				"from `implementing` to `retrying`", "the limit of 3 retries", "set the issue to `failed`",
			}},
		},
		{
			tells: "A retry may also succeed at once.",
			issue: prpRetried,
			acts:  []act{puts("retry-bot", "complete")},
			sees:  Sight{Labels: on("complete")},
		},
		{
			tells: "And some errors do not pass.",
			issue: prpBroken,
			acts:  []act{puts("build-bot", "failed")},
			sees:  Sight{Labels: on("failed")},
		},
		{
			tells: "Once failed, always failed.",
			issue: prpBroken,
			acts:  []act{picks("failed", "retrying")},
			sees:  Sight{Labels: on("failed", "needs-human"), Says: []string{"@tara", "`failed` is final", "open a new issue"}},
		},
		{
			tells: "A retry that meets such an error ends there as well.",
			issue: prpStuck,
			acts: []act{
				opens("Import the old customers", "They are on paper."), puts("research-bot", "planned"), puts("research-bot", "researching"),
				puts("research-bot", "implementing"), puts("build-bot", "retrying"), puts("retry-bot", "failed"),
			},
			sees: Sight{Labels: on("failed")},
		},

		{
			chapter: "No short cuts",
			tells:   "Researched work is not complete. There is no state for failed requests here, so Colony takes the label off again and asks for a person.",
			issue:   prpSkipped,
			acts:    []act{puts("research-bot", "complete")},
			sees: Sight{Labels: on("needs-human", "researching"), Says: []string{
				"`research-bot[bot]`", "from `researching` to `complete`", "the lifecycle has no such move", "`implementing`",
			}},
		},
		{
			tells: "Nor may a bot say that nobody wants its work.",
			issue: prpDropped,
			acts: []act{
				opens("Print the price in roman numerals", "For the jubilee."), puts("research-bot", "planned"), puts("research-bot", "researching"),
				puts("research-bot", "implementing"), puts("build-bot", "obsolete"),
			},
			sees: Sight{Labels: on("implementing", "needs-human"), Says: []string{
				"`build-bot[bot]`", "from `implementing` to `obsolete`", "the role `implementer`", "`retrying`, `complete`, `failed`",
			}},
		},
		{
			tells: "Anyone can ask for the way there.",
			issue: prpSkipped,
			acts:  []act{writes("rita", "/colony:why complete")},
			sees:  Sight{Labels: on("needs-human", "researching"), Reaction: accepted, Says: []string{"`researching` → `implementing` → `complete`"}},
		},
		{
			tells: "A person decides, by the label.",
			issue: prpSkipped,
			acts:  []act{picks("researching", "obsolete")},
			sees:  Sight{Labels: on("obsolete")},
		},

		{
			chapter: "What nobody wants any more",
			tells:   "A bot that has no role of its own may ask for what any role may. But it is not the delta analysis, says the lifecycle's guard.",
			issue:   prpObsolete,
			acts:    []act{puts(checker, "obsolete")},
			sees:    Sight{Labels: on("planned"), Says: []string{"`ci[bot]`", "the guard `delta-analysis` refuses it: Only a delta analysis and people say that work is not wanted any more"}},
		},
		{
			tells: "Obsolete from every active state, with a command and for a reason.",
			issue: prpObsolete,
			acts:  []act{writes("tara", "/colony:obsolete the new plan has no customs")},
			sees:  Sight{Labels: on("obsolete"), Reaction: accepted},
		},
		{
			tells: "What is implemented can be obsolete,",
			issue: prpDropped,
			acts:  []act{picks("implementing", "obsolete")},
			sees:  Sight{Labels: on("obsolete")},
		},
		{
			tells: "and so can what is tried again.",
			issue: prpAgain,
			acts: []act{
				opens("Import the old suppliers", "They are on paper as well."), puts("research-bot", "planned"), puts("research-bot", "researching"),
				puts("research-bot", "implementing"), puts("build-bot", "retrying"), writes("tara", "/colony:obsolete the suppliers are gone"),
			},
			sees: Sight{Labels: on("obsolete"), Reaction: accepted},
		},
		{
			tells: "Once obsolete, always obsolete.",
			issue: prpDropped,
			acts:  []act{picks("obsolete", "implementing")},
			sees:  Sight{Labels: on("needs-human", "obsolete"), Says: []string{"@tara", "`obsolete` is final", "open a new issue"}},
		},
		{
			tells: "A bot comes late. Colony says so, treats it as no failure, and asks nobody.",
			issue: prpAgain,
			acts:  []act{puts("retry-bot", "implementing")},
			sees:  Sight{Labels: on("obsolete"), Says: []string{"`retry-bot[bot]`", "from `obsolete` to `implementing`"}},
		},
		{
			tells: "The history has it.",
			issue: prpObsolete,
			acts:  []act{writes("ada", "/colony:history")},
			sees:  Sight{Labels: on("obsolete"), Reaction: accepted, Says: []string{"`planned` → `obsolete`, by `tara` with `/colony:obsolete`: the new plan has no customs"}},
		},

		{
			chapter: "A delta session",
			tells:   "What a new plan leaves out, the delta analysis says: before it was begun,",
			issue:   prpDelta,
			acts:    []act{opens("Wrap the widgets in paper", "The old plan has paper."), puts("tara", "planned"), puts("delta-bot", "obsolete")},
			sees:    Sight{Labels: on("obsolete")},
		},
		{
			tells: "while it is researched,",
			issue: prpDelta + 1,
			acts:  []act{opens("Print on the paper", "In two colours."), puts("tara", "planned"), puts("research-bot", "researching"), puts("delta-bot", "obsolete")},
			sees:  Sight{Labels: on("obsolete")},
		},
		{
			tells: "while it is implemented,",
			issue: prpDelta + 2,
			acts: []act{
				opens("Fold the paper", "By a machine."), puts("tara", "planned"), puts("research-bot", "researching"),
				puts("research-bot", "implementing"), puts("delta-bot", "obsolete"),
			},
			sees: Sight{Labels: on("obsolete")},
		},
		{
			tells: "and while it is tried again.",
			issue: prpDelta + 3,
			acts: []act{
				opens("Buy the paper", "From whom?"), puts("tara", "planned"), puts("research-bot", "researching"),
				puts("research-bot", "implementing"), puts("build-bot", "retrying"), puts("delta-bot", "obsolete"),
			},
			sees: Sight{Labels: on("obsolete")},
		},
		{
			tells: "And the issue that nobody took in has not changed.",
			issue: prpUnread,
		},
	},
}
