package statemachine

import (
	"slices"
	"time"

	"github.com/colony-app/colony/lifecycle"
)

// GitHub shows the labels of an issue earlier than the events that changed them. Until the log can be complete, nothing is written that
// depends on the missing events.

// awaitLog waits while the log does not explain the labels of an issue that changed a moment ago, or that it is open or closed.
func (d *decider) awaitLog() (ends bool) {
	differ := d.Standing.Closed != d.Closed || len(d.Standing.Unexplained) > 0 ||
		slices.ContainsFunc(d.Standing.Missing, d.isState) ||
		slices.ContainsFunc(d.Labels, func(label string) bool {
			return d.isState(label) && !lifecycle.HasLabel(d.Standing.Present, d.life.PresentLabel(label))
		})
	return d.MayWait && differ && d.changedWithin(d.p.Lag) && d.waits(Wait{Why: Lag}, nil)
}

// awaitHiddenLabel waits before the label of a state is added from a log that hides something: that could pass for a move. Taking a label
// off cannot. The log can still hide changes that cancel each other out, because the labels do not show them, if the issue changed a moment ago, and
// later than the last change of the log. It need not have been a label; a comment looks the same. GitHub's times are whole seconds, so changes
// within the second of the log's last one are not distinguished. For a caller that cannot wait nothing is hidden.
func (d *decider) awaitHiddenLabel() (ends bool) {
	return slices.ContainsFunc(d.out.Add, d.isState) && d.MayWait && d.changedWithin(d.p.Lag) &&
		lasted(time.Second, d.Standing.LastChange, d.Updated) && d.waits(Wait{Why: Lag}, nil)
}
