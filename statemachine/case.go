package statemachine

import (
	"slices"

	"github.com/colony-app/colony/lifecycle"
)

// ChangeCase says which of the cases of the fold a change of a label is.
type ChangeCase uint8

// The cases in the order in which the fold asks for them: first of added labels, then of removed ones.
const (
	unconcerned ChangeCase = iota
	onlyItsName
	notYetRead
	isBack
	isForced
	isLateRepair
	wasWithdrawn
	isUnknown
	isAccepted
	reachesLimit
	isStaleRepair
	isRefused
	cameWithForm
	namesNoState
	cameByName
	isElsewhere
	isOtherHalf
	isStaleRemoval
	takesMoveBack
	leavesState
)

// CaseSpec is one row of the cases of the fold: the documentation and the fold share this table. X is the state that the label means.
type CaseSpec struct {
	// Name is the word for the case. Change says which change it is, By who makes it, When what else has to hold, and Outcome what becomes of
	// the issue, for people.
	Name, Change, By, When, Outcome string
	// Warned is the case that it is instead where Colony undoes nothing; zero if it is the same.
	Warned ChangeCase
	// becomes carries the outcome out; nil if nothing becomes of the issue.
	becomes func(*folder, *edit)
}

// Cases returns the cases of the fold in the order in which it asks for them.
func Cases() []CaseSpec { return slices.Clone(cases[unconcerned+1:]) }

// String returns the name of the case; it is empty for a change that concerns no label of a lifecycle.
func (c ChangeCase) String() string { return cases[c].Name }

const (
	added, removed, changed   = "adds X", "removes X", "adds or removes X"
	anyone, butColony, itself = "anyone", "anyone but Colony", "Colony"
	there, staleRead          = "X is accepted", "nothing: Colony wrote it from a stale read, and repairs it in silence"
	unnamed                   = "the label looks like one of a state and names none"
)

var cases = [...]CaseSpec{
	onlyItsName:    {"other-name", changed, anyone, "X is accepted, and its label is there under another of its names", "nothing", 0, nil},
	notYetRead:     {"not-yet-read", changed, anyone, "an earlier request depends on facts that Colony has not read", "nothing yet: Colony reads them and folds again", 0, nil},
	isBack:         {"back", added, anyone, "X is accepted, and that actor cannot begin another round of it, or Colony restores a label that someone else removed", "nothing; if someone else restored X, its removal needs no answer", 0, (*folder).back},
	isForced:       {"forced", added, itself, "its own label `colony:forced` is on the issue", "Colony accepts X: a forced move, also where the table has it", 0, (*folder).accept},
	isLateRepair:   {"late-repair", added, "Colony, within a minute", "a refusal or an old name called for X, someone moved the issue on before X was there, and no command ordered X", staleRead, 0, nil},
	wasWithdrawn:   {"withdrawn", added, butColony, "the table allows it, a guard reads facts, and someone removed X before Colony recorded a verdict", "nothing", isAccepted, nil},
	isUnknown:      {"unknown", added, butColony, "the table allows it, and a guard reads facts that Colony does not know", "X waits, and the issue stays where it is", isAccepted, (*folder).await},
	isAccepted:     {"accepted", added, anyone, "the table allows that actor the move, and no limit or guard ends it", "Colony accepts X: a move of the trail", 0, (*folder).accept},
	reachesLimit:   {"limit", added, "a bot, or Colony without a person's command", "the table allows the move, and a limit of the lifecycle ends it", "refused; Colony accepts the state to which the limit leads", isRefused, (*folder).limit},
	isStaleRepair:  {"stale-repair", added, itself, "otherwise", staleRead, 0, nil},
	isRefused:      {"refused", added, anyone, "otherwise", "refused; after a bot, where bots work and the table leads there, Colony accepts the lifecycle's state for bad requests (`failure-blocked`)", 0, (*folder).refuse},
	cameWithForm:   {"form", added, "the author, within 10 s of the opening", unnamed, "nothing: an issue form added it", 0, nil},
	namesNoState:   {"misnamed", added, butColony, unnamed, "refused, as above", 0, (*folder).refuse},
	cameByName:     {"by-name", removed, itself, "X is not accepted, nor the state just left, and the log has X not there under that name, but a younger label than the table that went without an event", "refused: another label was renamed to X", isElsewhere, (*folder).refuseName},
	isElsewhere:    {"elsewhere", removed, anyone, "X is not accepted", "nothing; a refused request X is withdrawn, unless Colony removed it", 0, (*folder).withdraw},
	isOtherHalf:    {"other-half", removed, anyone, "X is accepted, and a request waits", "nothing: it belongs to the request", 0, (*folder).takeOff},
	isStaleRemoval: {"stale-removal", removed, itself, there, "nothing: Colony repairs it in silence", 0, (*folder).takeOff},
	takesMoveBack:  {"undone", removed, butColony, "X is accepted, and the label of the state before has been there since before the move", "the move is withdrawn", 0, (*folder).takeBack},
	leavesState:    {"left", removed, butColony, "X is accepted, otherwise", "refused; if an allowed label follows, the removal was half of that swap and does not count", 0, (*folder).leaveState},
}

// caseOf names the case of a change.
func (f *folder) caseOf(e *edit) ChangeCase {
	switch {
	case e.onlyName:
		return onlyItsName
	case f.verdicts.frozen:
		return notYetRead
	case !e.Added:
		return f.caseOfRemoval(e)
	case e.isState:
		if f.course.off != nil {
			f.leaveBefore(e)
		}
		f.rule(e)
		return f.caseOfRequest(e)
	case e.own:
		return isStaleRepair
	case f.history.inOpening(e.Change):
		return cameWithForm
	}
	return namesNoState
}

// caseOfRequest names the case of a state's label that was added, by what the laws say of it.
func (f *folder) caseOfRequest(e *edit) ChangeCase {
	allowed, limited := e.ruling.Verdict == lifecycle.Legal, e.ruling.Verdict == lifecycle.LimitReached
	switch {
	case e.name == f.course.state && f.isBack(e):
		return isBack
	case e.ruling.Kind == ForcedMove:
		return isForced
	case (allowed || limited) && e.own && f.isLate(e):
		return isLateRepair
	case e.withdrawn:
		return wasWithdrawn
	case allowed && !e.ruling.Granted():
		return isUnknown
	case allowed:
		return isAccepted
	case limited:
		return reachesLimit
	case e.own:
		return isStaleRepair
	}
	return isRefused
}

// isBack reports whether the label of the present state is there again, and that begins no round. Colony begins a round by taking the label off
// itself: putting it back after someone else took it off begins no round.
func (f *folder) isBack(e *edit) bool {
	return e.own && f.course.offBy != lifecycle.Colony || !e.ruling.InTable()
}

func (f *folder) caseOfRemoval(e *edit) ChangeCase {
	switch {
	case e.own && e.isState && e.absent && e.name != f.course.state && f.board.cameByName(&e.Change) && !f.wasPut(e) && !f.isLeft(e):
		return cameByName
	case e.name != f.course.state:
		return isElsewhere
	case f.holds():
		return isOtherHalf
	case e.own:
		return isStaleRemoval
	case f.beforeIsPresent():
		return takesMoveBack
	}
	return leavesState
}
