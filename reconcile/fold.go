package reconcile

import (
	"time"

	"github.com/colony-app/colony/statemachine"
)

// fold finds out where the issue stands by what was read of it. Whose commands made its moves is found out anew: there may be others.
func (rc *reconciliation) fold() { rc.standing, rc.attributions = rc.foldSince(rc.judgedSince), nil }

// foldSince finds out where the issue stands if what changed before a time is settled.
func (rc *reconciliation) foldSince(judgedSince time.Time) statemachine.Standing {
	history := rc.view.History(judgedSince)
	history.Ordered, history.Answers, history.Explained = rc.requesterOf, rc.conditions.answer, rc.isExplained
	history.Stands = !rc.settings.Mode.Undoes()
	return rc.settings.Lifecycle.Fold(history)
}
