package commands

import (
	"slices"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// move is `move <state>`.
func (e *execution) move() {
	word, reason := e.words()
	if word == "" {
		e.refuse(wording.Missing(e.spec.Usage, "a state"))
		return
	}
	if to, ok := e.wanted(word); ok {
		e.moveTo(to, reason)
	}
}

// declared is a command of the lifecycle file.
func (e *execution) declared(c lifecycle.Command) {
	to, reason, ok := e.destination(c)
	if !ok {
		return
	}
	if c.Reason == lifecycle.Required && unwritten(reason) && !e.isBadRequest(to) {
		e.refuse(wording.Missing(e.spec.Usage, "a reason"))
		return
	}
	if e.state() != to && len(c.From) > 0 && !slices.Contains(c.From, e.state()) {
		e.refuse(wording.NotHere(c.Verb, e.state(), c.From))
		return
	}
	if e.state() == to && c.To == lifecycle.Previous && slices.Contains(c.From, to) {
		e.noWayBack(c, to)
		return
	}
	if to == "" {
		to, ok = e.previous(c)
		if !ok {
			return
		}
	}
	if e.moveTo(to, reason) && c.FreshStart {
		e.result.FreshStart = c.Verb
	}
}

// isBadRequest reports whether a bot asks for a state that it would not get by label either. How it wrote the command is of no interest then.
func (e *execution) isBadRequest(to string) bool {
	if e.Actor.Kind != lifecycle.Executor || to == "" {
		return false
	}
	verdict := e.Lifecycle.Rule(e.result.Standing, statemachine.Ask{By: e.Actor, To: to, Unordered: e.Unordered}, nil).Verdict
	return verdict != lifecycle.Legal && verdict != lifecycle.Same
}

// destination reads where a declared command leads: the state it names, or the one the lifecycle names. It is empty
// for the previous state.
func (e *execution) destination(c lifecycle.Command) (to, reason string, ok bool) {
	word, rest := e.words()
	if c.Target != lifecycle.NotTaken && word != "" {
		if named, isState := stateNamed(e.Lifecycle, word); isState {
			return named, rest, true
		}
		// A word that is no state begins the reason, unless the command takes none, or it looks like a state mistyped.
		if _, mistyped := lifecycle.Closest(unmarked(word), e.Lifecycle.StateNames()); mistyped || c.Reason == lifecycle.NotTaken {
			if len(c.From) > 0 && !slices.Contains(c.From, e.state()) { // it would not run here with any state
				e.target(word)
			} else {
				e.wanted(word)
			}
			return "", "", false
		}
	}
	if c.Target == lifecycle.Required {
		e.refuse(wording.Missing(e.spec.Usage, "a state"))
		return "", "", false
	}
	if c.To == lifecycle.Previous {
		return "", e.Rest, true
	}
	return c.To, e.Rest, true
}

// previous finds the state before a pause or a block, or where the command leads otherwise. It refuses if the
// log does not tell, or the table has no way back, and the command leads nowhere else.
func (e *execution) previous(c lifecycle.Command) (string, bool) {
	if to, ok := e.Lifecycle.Leads(c, e.result.Standing); ok {
		return to, true
	}
	before, _ := e.Lifecycle.Before(e.result.Standing)
	if instead, ok := c.Instead[before]; ok {
		before = instead
	}
	e.noWayBack(c, before)
	return "", false
}

// noWayBack refuses a command that would return to a state, which is empty if the log does not tell.
func (e *execution) noWayBack(c lifecycle.Command, previous string) {
	e.refuse(wording.NoPrevious(c.Verb, e.state(), previous, e.Lifecycle.NextAt(e.result.Standing, e.Actor)))
}

// rule asks the laws what becomes of a request.
func (e *execution) rule(to, reason string) statemachine.Ruling {
	a := statemachine.Ask{By: e.Actor, To: to, Reason: !unwritten(reason), Unordered: e.Unordered, At: e.Now, Command: e.Verb}
	if e.Rule == nil {
		return e.Lifecycle.Rule(e.result.Standing, a, nil)
	}
	return e.Rule(e.result.Standing, a)
}

// moveTo makes a move that is granted to the writer, and reports whether it did; being there already is a success. What becomes of all
// else is what would become of the label.
func (e *execution) moveTo(to, reason string) bool {
	from := e.state()
	switch r := e.rule(to, reason); {
	case r.Verdict == lifecycle.Same:
		putBack(e)
		return true
	case r.Granted():
		e.make(Move{From: from, To: to})
		if pair, _ := e.Lifecycle.Pair(from, to); pair.FreshStart {
			e.result.FreshStart = e.Verb
		}
		if why := e.Lifecycle.StandsFor(e.Actor, from, to); why != "" && unwritten(reason) {
			e.record(wording.Told(from, to, why, e.Actor))
		}
		e.granted()
		e.result.NeedsHuman = e.result.NeedsHuman || r.AsksPerson
		return true
	case r.Verdict == lifecycle.Legal: // guards do not know
		e.lead(r)
		e.refuse(wording.NotChecked(from, to, r.Guards.Open))
		e.result.Unread = true
	default:
		e.refuseMove(to, r)
	}
	return false
}

// putBack asks for the label of the state in which the issue is, if it is not there.
func putBack(e *execution) {
	if e.Lifecycle.Label(e.state()) != "" && len(e.Lifecycle.OnIssue(e.Labels, e.state())) == 0 {
		e.result.PutBack = e.state()
	}
}

// granted notes an allowed move: after one of a person, no one is needed for what was refused before.
func (e *execution) granted() {
	if e.Actor.Kind == lifecycle.Operator {
		e.result.Legal, e.result.NeedsHuman = true, false
	}
}

func (e *execution) make(m Move) {
	e.result.Moves = append(e.result.Moves, m)
	kind := statemachine.Moved
	if m.Forced {
		kind = statemachine.ForcedMove
	}
	planned := -int64(len(e.result.Standing.Trail)) - 1 // it has no event yet; GitHub's ids are positive
	e.Attributions[planned] = MoveAttribution{CommentID: planned, By: e.Actor, Verb: e.Verb, Reason: reasonFor(e.Lifecycle, e.Invocation, e.Actor, m.From, m.To), Led: m.Led}
	e.result.Standing = e.result.Standing.Move(statemachine.Move{
		From: m.From, To: m.To, Kind: kind, By: lifecycle.Actor{Kind: lifecycle.Colony}, Moment: statemachine.Moment{At: e.Now, ID: planned},
		Ordered: e.Actor,
	})
}

// force is `force <state> <reason>`: it alone overrides the workflow, so it says why where people read it.
func (e *execution) force() {
	if e.Lifecycle.Force.Off {
		e.refuse(wording.NoForce(e.Lifecycle, e.result.Standing, ""))
		return
	}
	word, reason := e.words()
	if word == "" || unwritten(reason) {
		e.refuse(wording.Missing(e.spec.Usage, "a state and a reason"))
		return
	}
	to, ok := e.target(word)
	if !ok {
		return
	}
	if to == e.state() {
		putBack(e)
		return
	}
	switch r := e.Lifecycle.Rule(e.result.Standing, statemachine.Ask{By: e.Actor, To: to, Forced: true}, nil); {
	case r.Kind == statemachine.ForcedMove:
		e.record(wording.Forced(e.state(), to, e.Actor, reason, e.result.Standing.Closed && !e.Lifecycle.IsEnd(to)))
		e.result.Recorded = append(e.result.Recorded, wording.RecordForced(e.Actor, e.state(), to, reason))
		e.make(Move{From: e.state(), To: to, Forced: true})
		e.granted()
	case e.Lifecycle.Label(to) == "" || e.Lifecycle.ForGood(e.state()):
		e.refuseMove(to, statemachine.Ruling{Verdict: lifecycle.NotInTable})
	default:
		e.refuse(wording.NoForce(e.Lifecycle, e.result.Standing, to))
	}
}
