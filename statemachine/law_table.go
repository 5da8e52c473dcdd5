package statemachine

import (
	"slices"

	"github.com/colony-app/colony/lifecycle"
)

// table is the law of the table of moves. A bot's bad request where bots work is a failure of the work; anywhere else the bot is only notified.
func (r *request) table() (ruled bool) {
	t, from, to, by := r.life, r.at.State, r.ask.To, r.ask.By.Kind
	switch r.Verdict = r.inTable(); r.Verdict {
	case lifecycle.Legal:
		r.AsksPerson = by == lifecycle.Executor && to == t.BadRequest && to != from // work that failed
		return false
	case lifecycle.Same:
		return true
	case lifecycle.NotPrevious:
		r.Before, _ = t.Before(r.at)
	}
	failed := by == lifecycle.Executor && to != "" && t.ExecutorsAct(from) && !r.closedEarly()
	r.AsksPerson = failed || by == lifecycle.Operator && r.Verdict != lifecycle.NotAState
	if pair, canBlock := t.Pair(from, t.BadRequest); failed && canBlock && !pair.OnlyPrevious {
		r.LedTo, r.Kind = t.BadRequest, BadRequest
	}
	return true
}

// inTable says whether the table has the move for the actor.
func (r *request) inTable() lifecycle.Verdict {
	t, from, to, by := r.life, r.at.State, r.ask.To, r.ask.By
	if to == "" {
		return lifecycle.NotInTable
	}
	if verdict := t.Judge(by, from, to); verdict != lifecycle.Legal {
		return verdict
	}
	pair, _ := t.Pair(from, to)
	if pair.OnlyPrevious {
		before, known := t.Before(r.at)
		if back, _ := backFrom(t, r.at); known && before != to && back != to {
			return lifecycle.NotPrevious
		}
	}
	if pair.Reason == lifecycle.Required && !r.ask.Reason && by.Kind != lifecycle.Colony && t.ReasonOf(by, from, to) == "" {
		return lifecycle.NeedsReason
	}
	return lifecycle.Legal
}

// Before returns the state that an issue came from, leaving out the states that are left only to return: an issue that was
// blocked while it was paused goes back to what it was doing before both. ok is false if the log does not tell.
func (t *Table) Before(s Standing) (state string, ok bool) { return s.Previous(t.SideStates()...) }

// backFrom returns the state to which a command brings an issue back: where a limit led that names one, that, and else the one before.
func backFrom(t *Table, s Standing) (state string, ok bool) {
	state, ok = t.Before(s)
	for i, m := range slices.Backward(s.Trail) {
		if !ok || m.From != state {
			continue
		}
		for _, limit := range t.Limits {
			led := limit.AtMost > 0 && limit.Instead == m.To && limit.CountsFrom(m.From) && (m.Kind == Exhausted || t.own(m))
			if led && limit.BackTo != "" && t.Count(limit, s.before(i)) >= limit.AtMost {
				return limit.BackTo, true
			}
		}
		break
	}
	return state, ok
}

// Leads returns the state that a command leads to if it names none. ok is false for one that returns to the state before, if the log
// does not tell which that is, or the table has no way back, and the command leads nowhere else.
func (t *Table) Leads(c lifecycle.Command, s Standing) (to string, ok bool) {
	if c.To != lifecycle.Previous {
		return c.To, true
	}
	before, known := backFrom(t, s)
	if instead, replaced := c.Instead[before]; replaced {
		before = instead
	}
	if _, legal := t.Pair(s.State, before); known && legal {
		return before, true
	}
	return c.Otherwise, c.Otherwise != ""
}
