package wording

import (
	"slices"
	"strings"
	"time"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// Reply joins the answers to the commands of one comment into one comment with its marker.
func Reply(commentID int64, blocks []string, verdicts ...RecordedMove) string {
	return strings.Join(blocks, "\n\n---\n\n") + "\n\n" + Marker(Answers, commentID) + recorded(verdicts)
}

// NoMoreAnswers ends the answers to a comment that asks too much.
func NoMoreAnswers(most int) string { return render("no_more_answers", map[string]int{"Most": most}) }

// Excess says that a comment has more commands than are run, and from which line on they are left out.
func Excess(most, line int) string {
	return render("excess", map[string]int{"Most": most, "Line": line})
}

// Step is one move of the trail for people: who made it, also when Colony carried it out on a command.
type Step struct {
	From, To string
	Kind     statemachine.MoveKind
	By       lifecycle.Actor
	At       time.Time
	// Command and Reason are filled if the move was made by a command.
	Command, Reason string
	// Link is where the cause of a move of Colony's can be seen; can be empty.
	Link string
}

// Status is what `status` and `history` tell.
type Status struct {
	State lifecycle.State
	// Known says that the log tells who put the issue into its state.
	Known   bool
	Entered Step
	Past
	Choice
	Tally
	Hindrance
	statemachine.Access

	Requester  lifecycle.Actor
	NeedsHuman bool
	Halted     bool
	// TimesOut is when the issue will have been in its state for too long; zero if it can stay.
	TimesOut time.Time
}

// Choice is what can be asked for.
type Choice struct {
	Next []lifecycle.Pair
	// Operator is what a person with triage access can do.
	Operator []lifecycle.Pair
	// Guarded tells what some of the allowed next moves take.
	Guarded []GuardedMoves
}

// Tally is what is counted on an issue.
type Tally struct {
	Counts []Count
	// Failing is a bad request that came more than once since a person last decided about the work; nil if no request did.
	Failing *Failing
	// Levels tells where the issue is on each scale of the lifecycle.
	Levels []Level
}

// Hindrance is what an issue waits for.
type Hindrance struct {
	// Blockers tells what holds the issue up.
	Blockers []statemachine.Blocker
	// Withheld is a move that Colony would make there and does not, because it only warns; nil without such a move.
	Withheld *statemachine.Automatic
	// Capacities tells how full the states are that have to do with the present one.
	Capacities []Capacity
	// SubIssues is how many of the issue's sub-issues are closed; without any, nothing is said.
	SubIssues Progress
	// Question is the address of the question that the issue waits for; empty if that is not known. It is for `why`.
	Question string
	// Stuck is that of advice.Request. It is for `why`.
	Stuck bool
}

// Past is the last moves of an issue, oldest first.
type Past struct {
	Steps []Step
	// Left is how many older moves are not listed.
	Left int
}

// GuardedMoves is a guard, and to which states it guards the way.
type GuardedMoves struct {
	lifecycle.Guard
	States []string
}

// GuardedNext lists the guards of moves that an actor can ask for from a state, in the order of the file.
func GuardedNext(l *statemachine.Table, who lifecycle.Actor, from string, next []lifecycle.Pair) []GuardedMoves {
	var all []GuardedMoves
	for _, p := range next {
		for _, g := range l.Guards.Of(who, from, p.To) {
			i := slices.IndexFunc(all, func(m GuardedMoves) bool { return m.Name == g.Name })
			if i < 0 {
				i = len(all)
				all = append(all, GuardedMoves{Guard: g})
			}
			all[i].States = append(all[i].States, p.To)
		}
	}
	return all
}

// Progress is how many of some issues are done.
type Progress struct{ Done, Total int }

// Failing is a move that was asked for without right, and how often.
type Failing struct {
	From, To string
	Times    int
}

// Count is how often an issue made a move that is counted, since a person last stepped in, or in its life.
type Count struct {
	lifecycle.Limit
	Count int
}

// Counted returns the counts in the life of the issue, or the others.
func (s Status) Counted(forLife bool) []Count {
	return slices.DeleteFunc(slices.Clone(s.Counts), func(c Count) bool { return c.ForLife != forLife })
}

// Level is where an issue is on a scale, in addition to its state.
type Level struct {
	Name      string
	Level, Of int
}

// RenderStatus answers `status`.
func RenderStatus(s Status) string { return render("status", s) }

// RenderHistory answers `history`.
func RenderHistory(s Status) string { return render("history", s) }

// HelpRow is one command in `help`.
type HelpRow struct{ Usage, Help, Who string }

// RenderHelp answers `help`.
func RenderHelp(lifecycle, summary string, rows []HelpRow) string {
	return render("help", map[string]any{"Lifecycle": lifecycle, "Summary": summary, "Rows": rows})
}

// UnknownVerb answers a verb that does not exist.
func UnknownVerb(verb, suggestion string) string {
	return render("unknown_verb", map[string]string{"Verb": verb, "Suggestion": suggestion})
}

// UnknownState answers a word that is no state.
func UnknownState(word, suggestion string, known []string) string {
	return render("unknown_state", map[string]any{
		"Word": word, "Suggestion": suggestion, "Known": codes(known, ", "), "Count": len(known),
	})
}

// Missing answers a command that lacks what it needs.
func Missing(usage, what string) string {
	return render("missing", map[string]string{"Usage": usage, "What": what})
}

// NotPermitted answers a comment that moved the issue, and that asked for a force for which its writer lacks the permission.
func NotPermitted(a statemachine.Access) string { return render("not_permitted", a) }

// NotHere answers a command that does not start in the present state.
func NotHere(verb, state string, starts []string) string {
	return render("not_here", map[string]string{"Verb": verb, "State": state, "Starts": codes(starts, ", ")})
}

// NoPrevious answers a command that returns to a state which the log does not tell, or which cannot be returned to.
func NoPrevious(verb, state, previous string, next []lifecycle.Pair) string {
	return render("no_previous", map[string]any{"Verb": verb, "State": state, "Previous": previous, "Next": next})
}

// Late says that the commands of a comment were run long after it was written.
func Late(written time.Time) string {
	return render("late", map[string]time.Time{"Written": written})
}

// Forced records a move that overrides the workflow. Closed says that the issue is closed, and not at the end of its lifecycle.
func Forced(from, to string, by lifecycle.Actor, reason string, closed bool) string {
	return render("forced", map[string]any{"From": from, "To": to, "By": by, "Reason": reason, "Closed": closed})
}
