package statemachine

import "github.com/colony-app/colony/lifecycle"

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
