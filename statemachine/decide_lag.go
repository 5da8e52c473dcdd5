package statemachine

import (
	"slices"
	"time"

	"github.com/colony-app/colony/lifecycle"
)

// GitHub shows the labels of an issue earlier than the events that changed them. Until the log can be complete, nothing is written that
// depends on the missing events.

// awaitLog waits while the log does not explain the labels.
func (d *decider) awaitLog() (ends bool) {
	return d.MayWait && d.lagging() && d.waits(Wait{Why: Lag}, nil)
}

// awaitHiddenLabel waits before the label of a state is added from a log that hides something: that could pass for a move. Taking a label
// off cannot.
func (d *decider) awaitHiddenLabel() (ends bool) {
	return d.hasState(d.out.Add) && d.mayHide() && d.waits(Wait{Why: Lag}, nil)
}

// awaitHiddenRound waits before one more round in the same state: its two events cancel each other out, so the log can hide the round that
// was made for this already.
func (d *decider) awaitHiddenRound() (ends bool) {
	return d.out.Repeat != "" && d.mayHide() && d.waits(Wait{Why: Lag}, nil)
}

// lagging reports whether the labels and the log differ on an issue that changed a moment ago.
func (in *input) lagging() bool {
	isState := func(label string) bool { _, ok := in.life.StateOf(label); return ok }
	differ := len(in.Standing.Unexplained) > 0 ||
		slices.ContainsFunc(in.Standing.Missing, isState) ||
		slices.ContainsFunc(in.Labels, func(label string) bool {
			return isState(label) && !lifecycle.HasLabel(in.Standing.Present, in.life.PresentLabel(label))
		})
	return differ && in.changedWithin(in.p.Lag)
}

// mayHide reports whether the log can still hide changes that cancel each other out, because the labels do not show them:
// the issue changed a moment ago, and later than the last change of the log. It need not have been a label; a comment looks
// the same. GitHub's times are whole seconds, so changes within the second of the log's last one are not told apart.
func (in *input) mayHide() bool {
	return in.MayWait && in.changedWithin(in.p.Lag) && lasted(time.Second, in.Standing.LastChange, in.Updated)
}
