package statemachine

import (
	"slices"

	"github.com/colony-app/colony/lifecycle"
)

// DispatchMove returns the move that Colony makes with an issue whose turn it is, given what is to be done about it anyhow. It goes to where the
// row leads or, if the issue has been there as often as allowed, where the limit leads. An issue about which there is anything else to do is not
// moved, nor one that was there before Colony came.
func (t *Table) DispatchMove(row lifecycle.Dispatch, s Standing, d Decision) (a Automatic, ok bool) {
	if !slices.Contains(row.From, s.State) || !d.Settled() || d.Kept || s.Untouched() {
		return Automatic{}, false
	}
	a = t.limited(s, Automatic{From: s.State, To: row.To, Why: whyDispatched})
	return a, t.allows(s, a)
}

// keeps reports whether anything that was read keeps an issue where it is although there is capacity.
func (in *input) keeps() bool {
	return slices.ContainsFunc(in.life.Triggers, func(row lifecycle.Trigger) bool {
		return row.Holds && slices.Contains(row.In, in.Standing.State) && !suspended(row, in.Facts) && len(in.Facts.named(string(row.On))) > 0
	})
}
