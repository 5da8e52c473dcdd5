package statemachine

import (
	"slices"
)

// DispatchMove returns the move that Colony makes with an issue whose turn it is, given what is to be done about it anyhow: to where the
// row leads or, if the issue has been there as often as it may, where the limit leads. An issue about which there is anything else
// to do is not moved, nor one that stood there before Colony came.
func (l *Lifecycle) DispatchMove(row Dispatch, s Standing, d Decision) (a Automatic, ok bool) {
	if !slices.Contains(row.From, s.State) || !d.Settled() || d.Kept || s.Untouched() {
		return Automatic{}, false
	}
	a = Automatic{From: s.State, To: row.To, Why: whyDispatched}
	if limit, over := l.exhausted(s, Colony, row.To); over {
		a = Automatic{From: s.State, To: limit.Instead, Why: limit.Why, AsksPerson: true}
	}
	return a, l.JudgeAt(s, Actor{Kind: Colony}, a.To, true) == Legal
}

// waits reports whether anything that was read keeps an issue where it is although there is capacity.
func (l *Lifecycle) waits(in *input) bool {
	return slices.ContainsFunc(l.Triggers, func(t Trigger) bool {
		return t.Holds && slices.Contains(t.In, in.Standing.State) && !suspended(t, in.Facts) &&
			slices.ContainsFunc(in.Facts.Observed, func(o Observation) bool { return o.Fact == t.On })
	})
}
