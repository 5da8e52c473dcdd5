package replay

import (
	"slices"
	"time"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
)

// Kind is what Colony would have done.
type Kind string

// The kinds.
const (
	Finishes  Kind = "finished"
	Warns     Kind = "warned"
	Withholds Kind = "withheld"
	Refuses   Kind = "refused"
	Blocks    Kind = "blocked"
	Moves     Kind = "moved"
	Asks      Kind = "asked"
	Reminds   Kind = "reminded"
	Stops     Kind = "stopped"
)

// KindSpec is one row of the vocabulary of replays.
type KindSpec struct {
	Kind    Kind
	Title   string
	Meaning string
	// Only is the mode in which Colony does it; empty: in all that write.
	Only lifecycle.Mode
}

// KindsIn returns what Colony does in a mode, the most telling first.
func KindsIn(mode lifecycle.Mode) []KindSpec {
	return slices.DeleteFunc(KindSpecs(), func(s KindSpec) bool { return s.Only != "" && s.Only != mode })
}

// KindSpecs returns what Colony does, with what each means to people, the most telling first.
func KindSpecs() []KindSpec {
	return []KindSpec{
		{Blocks, "blocked", "Colony would have taken a bot's request for failed work: it moves the issue to where the lifecycle sends bad requests, and explains that.", lifecycle.ModeEnforce},
		{Refuses, "refused", "Colony would have undone a change of a label, or not run a command, and explained that.", ""},
		{Stops, "stopped", "Colony would have stopped undoing changes on the issue until a person makes a legal move: too many were undone in too little time.", lifecycle.ModeEnforce},
		{Warns, "warned", "Where Colony only warns, it would have said that a change is illegal, and let it stand.", lifecycle.ModeWarn},
		{Withholds, "withheld", "Where Colony only warns, it would have left out a move of its own that blocks the issue.", lifecycle.ModeWarn},
		{Moves, "moved on its own", "Colony would have moved the issue without being asked.", ""},
		{Asks, "asked of people", "Colony would have put `colony:needs-human` on the issue.", lifecycle.ModeEnforce},
		{Reminds, "reminded", "Colony would have asked who ended the issue for the written reflection that the lifecycle wants.", ""},
		{Finishes, "finished", "Colony would have finished a legal move: removed the label that it left behind, or run a command.", ""},
	}
}

// Finding is one thing that Colony would have done.
type Finding struct {
	Kind     Kind
	At       time.Time
	By       lifecycle.Actor // whose doing it answers
	From, To string
	// Reason is the verdict of the table, or why Colony moves the issue or asks a person.
	Reason string
	// EventID is the real event that it is about, CommentID the comment; 0 without one. A refused swap is about two events.
	EventID, CommentID int64
	EventIDs           []int64
}

// The reasons that are not the table's.
const (
	Removed         = "label-removed"   // someone took the label of the state off
	BadCommand      = "command-refused" // the command asks for what cannot be done
	NotPermitted    = "not-permitted"   // its writer is not allowed to
	TooMany         = "too-many-refusals"
	LeftBehind      = "label-left-behind"
	CommandRun      = "command"
	AsksForRefusal  = "after-a-refusal"
	AsksForMove     = "after-a-move"
	AsksForFact     = "for-a-fact"
	AsksForStop     = "after-it-stopped"
	LacksReflection = "reflection-missing"
	LimitReached    = string(lifecycle.LimitReached)
)

// LeftOut is what a replay cannot know.
type LeftOut string

// What is left out. Facts that a log does not keep have a word each: what has to be read for them.
const (
	LeftEdited   LeftOut = "edited-comments"
	LeftUnknown  LeftOut = "unknown-rights"
	LeftLinks    LeftOut = "link-commands"
	LeftOpening  LeftOut = "opening-commands"
	LeftOwnMove  LeftOut = "own-moves"
	LeftRestless LeftOut = "restless"
	LeftGuards   LeftOut = "guards"
)

// LeftOutSpecs says what each means.
func LeftOutSpecs() map[LeftOut]string {
	specs := map[LeftOut]string{
		LeftEdited:   "Comments with commands that were edited later: what they said then is not known.",
		LeftUnknown:  "Commands whose writer's right could not be read.",
		LeftLinks:    "Commands that say what an issue depends on: what they name is not read.",
		LeftOpening:  "Commands in opening texts, run as the texts are now: they may have been edited.",
		LeftOwnMove:  "Moves that a Colony made there in fact, and for which this lifecycle has no row.",
		LeftGuards:   "Moves that a guard grants or refuses by what GitHub said then, which no log tells: they count as granted.",
		LeftRestless: "Issues whose replay did not come to rest.",
	}
	for _, r := range lifecycle.EveryReading() {
		if r != lifecycle.ReadComments {
			specs[LeftOut(r)] = "Rows of the lifecycle that need " + string(r) + ": a log does not keep these facts, so no move by them is counted."
		}
	}
	return specs
}

// Cost is what enforcing would have asked of GitHub.
type Cost struct {
	Reads  int `json:"reads"`
	Writes int `json:"writes"`
}

// Outcome is what a replay of one issue comes to.
type Outcome struct {
	Ref      issues.Ref
	Findings []Finding
	// Legal counts the allowed moves of people and bots, Events what happened to the issue that Colony reconciles for.
	Legal, Events int
	Cost          Cost
	LeftOut       map[LeftOut]int
	// State and Labels are those of the simulated issue at the end.
	State  string
	Labels []string
}

func (o *Outcome) find(f Finding) { o.Findings = append(o.Findings, f) }
