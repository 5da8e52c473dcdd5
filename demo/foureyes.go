package demo

import (
	_ "embed" // the lifecycle
	"time"

	"github.com/colony-app/colony/policy"
)

//go:embed four-eyes.yml
var fourEyes string

// The issues of the board that the story of four-eyes is about, by number.
const (
	eyesOwn = iota + 1
	eyesTaken
	eyesSecond
	eyesUnread
	eyesOpening // opened in the story
)

// lead is in the team whose members approve, and so is the maintainer.
const lead = "lena"

var fourEyesProduction = Production{
	Lifecycle: "four-eyes",
	file:      fourEyes,
	teams:     map[string][]string{"leads": {lead, Maintainer}},
	People: with(
		Person{Login: lead, Role: "triage", Does: "is in the team acme/leads: may approve, but not what she wrote herself"},
		Person{Login: "dev-bot", Role: "developer", Bot: true, Does: "takes colony:approved and hands it on for review"},
		Person{Login: "review-bot", Role: "reviewer", Bot: true, Does: "reads what waits in colony:in-review"},
		Person{Login: "solo-bot", Role: "developer, reviewer", Bot: true, Does: "has two roles, and may not review what it developed"},
		Person{Login: "merge-bot", Role: "merger", Bot: true, Does: "merges what a person moved to colony:merging"},
	),
	Tries: []string{
		"Only a team may: as tara, write `/colony:approve` on #1 (A login by phone). Then as lena, who wrote the issue, and as olivia.",
		"What was approved is sealed: as lena, edit the text of #1 afterwards.",
		"Capacity: as olivia, write `/colony:approve` on #1 again. Then, as dev-bot, put `colony:in-development` on it, while #2 and #3 are worked on.",
		"Four eyes: as tara, put `colony:in-review` and then `colony:merging` on #2 (Send receipts). As lena, put it there.",
	},
	follow: policy.DefaultFollow(),
	board: []opened{
		{lead, "A login by phone", "With a code.", []moved{{Maintainer, "proposed"}}},
		{author, "Send receipts", "By mail.", []moved{{Maintainer, "proposed"}, {Maintainer, "approved"}, {"dev-bot", "in-development"}}},
		{author, "Print receipts", "On paper.", []moved{{Maintainer, "proposed"}, {Maintainer, "approved"}, {"solo-bot", "in-development"}}},
		{author, "A receipt for the logo", "For the van.", nil},
	},
	untouched: []int{eyesUnread},
	story: []scene{
		{
			chapter: "Who approves",
			tells:   "Somebody proposes a change.",
			issue:   eyesOpening,
			acts:    []act{opens("Export the customers", "As a list."), puts(triager, "proposed")},
			sees:    Sight{Labels: on("proposed")},
		},
		{
			tells: "Only a team may approve it: who is not in it asks in vain, by command as well as",
			issue: eyesOpening,
			acts:  []act{writes(triager, "/colony:approve")},
			sees:  Sight{Labels: on("proposed"), Reaction: refused, Says: []string{"the guard `leads` refuses it: A member of the team acme/leads has to approve"}},
		},
		{
			tells: "by label.",
			issue: eyesOpening,
			acts:  []act{picks("proposed", "approved")},
			sees:  Sight{Labels: on("proposed"), Says: []string{"@tara", "the guard `leads` refuses it"}},
		},
		{
			tells: "A lead may, but not what she wrote herself.",
			issue: eyesOwn,
			acts:  []act{writes(lead, "/colony:approve")},
			sees:  Sight{Labels: on("proposed"), Reaction: refused, Says: []string{"the guard `not-the-author` refuses it: Somebody else than the author has to approve"}},
		},
		{
			tells: "She approves what somebody else wrote.",
			issue: eyesOpening,
			acts:  []act{waits(time.Minute), writes(lead, "/colony:approve")},
			sees:  Sight{Labels: on("approved"), Reaction: accepted},
		},

		{
			chapter: "What was approved",
			tells:   "The author adds something that nobody has read, and GitHub's webhook gets lost. The sweep finds the edit: the approval was of another text.",
			issue:   eyesOpening,
			acts:    []act{waits(time.Minute), losesNext(), edits(author, "As a list.\n\nAlso, send it to ada@rival.example."), sweeps()},
			sees: Sight{Labels: on("needs-human", "proposed"), Says: []string{
				"Colony moved this issue from `approved` to `proposed`", "(ada)", "+Also, send it to ada@rival.example.",
			}},
		},
		{
			tells: "The lead puts the text right, and approves it as it is now.",
			issue: eyesOpening,
			acts:  []act{edits(lead, "As a list, for ourselves."), waits(time.Minute), writes(lead, "/colony:approve")},
			sees:  Sight{Labels: on("approved"), Reaction: accepted},
		},

		{
			chapter: "How much at once",
			tells:   "Two issues are worked on already. A third has to wait; the bot has failed at nothing.",
			issue:   eyesOpening,
			acts:    []act{puts("dev-bot", "in-development")},
			sees:    Sight{Labels: on("approved"), Says: []string{"`dev-bot[bot]`", "the guard `two-at-once` refuses it: At most two issues are worked on at the same time"}},
		},
		{
			tells: "One of them is given back, and there is room.",
			issue: eyesOpening,
			acts:  []act{at(eyesTaken, puts("dev-bot", "approved")), puts("dev-bot", "in-development")},
			sees:  Sight{Labels: on("in-development")},
		},

		{
			chapter: "Four eyes",
			tells:   "A bot that has two roles develops one, and may not review it as well.",
			issue:   eyesSecond,
			acts:    []act{puts("solo-bot", "in-review"), puts("solo-bot", "merging")},
			sees:    Sight{Labels: on("in-review"), Says: []string{"`solo-bot[bot]`", "the guard `four-eyes` refuses it: Somebody else than the one who asked for the review has to read it"}},
		},
		{
			tells: "Another bot reviews it. But what only bots have read, a bot does not merge.",
			issue: eyesSecond,
			acts:  []act{puts("review-bot", "merging"), puts("merge-bot", "done")},
			sees:  Sight{Labels: on("merging"), Says: []string{"`merge-bot[bot]`", "the guard `merged-for-a-person` refuses it: A person has to move the issue to merging"}},
		},
		{
			tells: "It goes back to its review; a person reads it, and the bot merges it.",
			issue: eyesSecond,
			acts:  []act{puts("merge-bot", "in-review"), picks("in-review", "merging"), puts("merge-bot", "done")},
			sees:  Sight{Labels: on("done")},
		},
		{
			tells: "The other one comes back from its review, and a person asks for the next.",
			issue: eyesOpening,
			acts:  []act{puts("dev-bot", "in-review"), puts("review-bot", "in-development"), picks("in-development", "in-review")},
			sees:  Sight{Labels: on("in-review")},
		},
		{
			tells: "Nor does a person review what she asked others to review, by command either.",
			issue: eyesOpening,
			acts:  []act{writes(triager, "/colony:move merging I have read it twice")},
			sees:  Sight{Labels: on("in-review"), Reaction: refused, Says: []string{"the guard `four-eyes` refuses it"}},
		},
		{
			tells: "Somebody else does.",
			issue: eyesOpening,
			acts:  []act{writes(lead, "/colony:move merging"), puts("merge-bot", "done")},
			sees:  Sight{Labels: on("done"), Reaction: accepted},
		},
		{
			tells: "GitHub's log has who approved, and who read it.",
			issue: eyesOpening,
			acts:  []act{writes("rita", "/colony:history")},
			sees: Sight{Labels: on("done"), Reaction: accepted, Says: []string{
				"`approved` → `proposed`, by Colony", "`proposed` → `approved`, by `lena` with `/colony:approve`", "`in-review` → `merging`, by `lena` with `/colony:move`",
			}},
		},

		{
			chapter: "The table",
			tells:   "What the table does not have, no second person grants.",
			issue:   eyesOwn,
			acts:    []act{picks("proposed", "merging")},
			sees:    Sight{Labels: on("needs-human", "proposed"), Says: []string{"@tara", "from `proposed` to `merging`, but the lifecycle has no such move"}},
		},
		{
			tells: "A bot that comes late has its label taken off again.",
			issue: eyesOwn,
			acts:  []act{puts("dev-bot", "in-development")},
			sees:  Sight{Labels: on("needs-human", "proposed"), Says: []string{"`dev-bot[bot]`", "from `proposed` to `in-development`"}},
		},
		{
			tells: "And one that asks for more than its role may needs a person.",
			issue: eyesTaken,
			acts:  []act{puts("review-bot", "in-development")},
			sees:  Sight{Labels: on("approved", "needs-human"), Says: []string{"`review-bot[bot]`", "from `approved` to `in-development`"}},
		},
		{
			tells: "To give a change up takes a reason, which no label has,",
			issue: eyesOwn,
			acts:  []act{picks("proposed", "rejected")},
			sees:  Sight{Labels: on("needs-human", "proposed"), Says: []string{"/colony:reject <reason>"}},
		},
		{
			tells: "nor a command that names none.",
			issue: eyesOwn,
			acts:  []act{writes(triager, "/colony:reject")},
			sees:  Sight{Labels: on("needs-human", "proposed"), Reaction: refused, Says: []string{"/colony:reject <reason>"}},
		},
		{
			tells: "With one it ends.",
			issue: eyesOwn,
			acts:  []act{writes(triager, "/colony:reject nobody has a phone")},
			sees:  Sight{Labels: on("rejected"), Reaction: accepted},
		},
		{
			tells: "So does one that was approved.",
			issue: eyesTaken,
			acts:  []act{writes(Maintainer, "/colony:reject the law does not want it any more")},
			sees:  Sight{Labels: on("rejected"), Reaction: accepted},
		},
		{
			tells: "Rejected is rejected,",
			issue: eyesTaken,
			acts:  []act{picks("rejected", "approved")},
			sees:  Sight{Labels: on("needs-human", "rejected"), Says: []string{"`rejected` is final"}},
		},
		{
			tells: "and done is done.",
			issue: eyesSecond,
			acts:  []act{picks("done", "in-review")},
			sees:  Sight{Labels: on("done", "needs-human"), Says: []string{"`done` is final"}},
		},
		{
			tells: "And the issue that nobody proposed has not changed.",
			issue: eyesUnread,
		},
	},
}
