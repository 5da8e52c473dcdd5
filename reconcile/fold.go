package reconcile

import (
	"time"

	"github.com/colony-app/colony/statemachine"
)

// fold finds out the standing of the issue by what was read of it. Whose commands made its moves is found out again: there might be others.
func (q *inquiry) fold() { q.standing, q.orders.made = q.foldSince(q.judgedSince), nil }

// foldSince finds out the standing of the issue if what changed before a time is final.
func (q *inquiry) foldSince(judgedSince time.Time) statemachine.Standing {
	history := q.view.History(judgedSince)
	history.Ordered, history.Answers, history.Explained = q.requesterOf, q.conditions.answer, q.isExplained
	history.Stands = !q.settings.Mode.Undoes()
	return q.settings.Lifecycle.Fold(history)
}
