package commands

import (
	"slices"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/statemachine"
)

// move is `move <state>`.
func (t *turn) move() {
	word, reason := t.words()
	if word == "" {
		t.refuse(wording.Missing(t.spec.Usage, "a state"))
		return
	}
	if to, ok := t.target(word); ok {
		t.moveTo(to, reason)
	}
}

// declared is a command of the lifecycle file.
func (t *turn) declared(c statemachine.Command) {
	to, reason, ok := t.destination(c)
	if !ok {
		return
	}
	if c.Reason == statemachine.Required && invisible(reason) {
		t.refuse(wording.Missing(t.spec.Usage, "a reason"))
		return
	}
	if t.state() != to && len(c.From) > 0 && !slices.Contains(c.From, t.state()) {
		t.refuse(wording.NotHere(c.Verb, t.state(), c.From))
		return
	}
	if to == "" {
		to, ok = t.previous(c)
		if !ok {
			return
		}
	}
	if t.moveTo(to, reason) && c.FreshStart {
		t.result.FreshStart = c.Verb
	}
}

// destination reads where a declared command leads: the state it names, or the one the lifecycle names. It is empty
// for the previous state.
func (t *turn) destination(c statemachine.Command) (to, reason string, ok bool) {
	word, rest := t.words()
	if c.Target != statemachine.NotTaken && word != "" {
		if named, isState := stateNamed(t.Lifecycle, word); isState {
			return named, rest, true
		}
		// A word that is no state begins the reason, unless the command takes none, or it looks like a state mistyped.
		if _, mistyped := Closest(word, t.Lifecycle.StateNames()); mistyped || c.Reason == statemachine.NotTaken {
			t.target(word)
			return "", "", false
		}
	}
	if c.Target == statemachine.Required {
		t.refuse(wording.Missing(t.spec.Usage, "a state"))
		return "", "", false
	}
	if c.To == statemachine.Previous {
		return "", t.Rest, true
	}
	return c.To, t.Rest, true
}

// previous finds the state before a pause or a block, or where the command leads otherwise. It refuses if the
// log does not tell, or the table has no way back, and the command leads nowhere else.
func (t *turn) previous(c statemachine.Command) (string, bool) {
	if to, ok := t.Lifecycle.Leads(c, t.result.Standing); ok {
		return to, true
	}
	before, _ := t.Lifecycle.Before(t.result.Standing)
	if instead, ok := c.Instead[before]; ok {
		before = instead
	}
	t.refuse(wording.NoPrevious(c.Verb, t.state(), before, t.Lifecycle.NextAt(t.result.Standing, t.Actor)))
	return "", false
}

// moveTo makes a move that the table allows the writer, and reports whether it did; being there already is a success.
func (t *turn) moveTo(to, reason string) bool {
	from := t.state()
	switch verdict := t.Lifecycle.JudgeAt(t.result.Standing, t.Actor, to, !invisible(reason)); verdict {
	case statemachine.Same:
	case statemachine.Legal:
		t.make(Move{From: from, To: to})
		t.result.Legal = t.result.Legal || t.Actor.Kind == statemachine.Operator
	default:
		t.refuseMove(to, verdict)
		t.result.NeedsHuman = true
		return false
	}
	return true
}

func (t *turn) make(m Move) {
	t.result.Moves = append(t.result.Moves, m)
	kind := statemachine.Moved
	if m.Forced {
		kind = statemachine.ForcedMove
	}
	planned := -int64(t.result.Standing.Steps()) - 1 // it has no event yet; GitHub's ids are positive
	t.Orders[planned] = Order{CommentID: planned, By: t.Actor, Verb: t.Verb, Reason: reasonOf(t.Lifecycle, t.Invocation)}
	t.result.Standing = t.result.Standing.Move(statemachine.Move{
		From: m.From, To: m.To, Kind: kind, By: statemachine.Actor{Kind: statemachine.Colony}, At: t.Now, EventID: planned,
		Ordered: t.Actor, Traced: true,
	})
}

// invisible reports whether nothing of a reason would be seen: zero-width characters are none.
func invisible(reason string) bool { return wording.Inline(reason) == "" }

// force is `force <state> <reason>`: the one way around the table, so it says why where people read it.
func (t *turn) force() {
	word, reason := t.words()
	if word == "" || invisible(reason) {
		t.refuse(wording.Missing(t.spec.Usage, "a state and a reason"))
		return
	}
	to, ok := t.target(word)
	if !ok || to == t.state() {
		return
	}
	if t.Lifecycle.Label(to) == "" || t.Lifecycle.ForGood(t.state()) {
		t.refuseMove(to, statemachine.NotInTable)
		return
	}
	t.record(wording.Forced(t.state(), to, t.Actor, reason))
	t.make(Move{From: t.state(), To: to, Forced: true})
	t.result.Legal = t.result.Legal || t.Actor.Kind == statemachine.Operator
}
