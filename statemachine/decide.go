package statemachine

import "time"

// Thresholds holds the times and counts that a decision depends on.
type Thresholds struct {
	// Settle is how long an issue must have been quiet before anything is refused: the label picker sends the two
	// halves of a swap as two events, in either order.
	Settle time.Duration
	// Lag is how recently an issue must have changed for a difference between its labels and its log to count as an event not visible yet.
	Lag time.Duration
	// More than BreakerRejections rejections within BreakerWindow stop Colony from reverting on that issue until a person makes an allowed move.
	// Two bots must not be able to fight endlessly.
	BreakerRejections int
	BreakerWindow     time.Duration
}

// Case is the issue that a decision is about: its state by the log, and the rest that was read with the log.
type Case struct {
	Standing Standing
	// Labels are the labels on the issue now, Updated is when GitHub last changed it.
	Labels  []string
	Updated time.Time
	// Now is when the issue was read.
	Now time.Time
	// MayWait says that a log that lags behind can still be waited for. Once it is false, the log counts as it is.
	MayWait bool
	// TakenIn says that the repository wants the issue in its lifecycle, if nothing ever happened to it. Requests are the labels
	// with which people ask for that, and which Colony takes off again.
	TakenIn  bool
	Requests []string
	// Closed says that the issue is closed.
	Closed bool
}

// Decide says what to do so that the labels of an issue become what its log says, and what is to be explained. If evidence is missing,
// the needs name it and the decision has no writes.
//
// It goes through the steps of a decision in their order. Each step adds its part, and reports whether it ends the decision: because it
// needs more evidence, or because nothing else is written before the issue has waited.
func (t *Table) Decide(p Thresholds, c Case, e Evidence) (Decision, Needs) {
	d := decider{input: input{life: t, p: p, Case: c, Evidence: e}, out: Decision{State: c.Standing.State}}
	_ = d.awaitLog() ||
		d.needs(Needs{OrdersSince: c.Standing.Unordered}) ||
		len(d.Standing.Pending) > 0 && d.awaitGuards() ||
		d.halt() ||
		d.explain() ||
		d.editLabels() ||
		d.recordGrant() ||
		d.awaitHiddenLabel() ||
		d.markNeedsHuman() ||
		d.moveAutomatically() ||
		d.Standing.State == d.life.BadRequest && d.markFailure() ||
		d.close()
	if !d.need.IsZero() {
		return Decision{State: c.Standing.State}, d.need
	}
	return d.out, Needs{}
}

type decider struct {
	input
	out  Decision
	need Needs

	// silenced are the last events of the rejections that remain without a comment, because the breaker was tripped.
	silenced []int64
	// open are the rejections that need a comment, and own the moves that Colony announces. Both include those with a comment.
	open []Rejection
	own  []Announcement
}

// needs ends the decision if anything is missing for it.
func (d *decider) needs(n Needs) (ends bool) {
	d.need = n
	return !n.IsZero()
}

// waits ends the decision, with nothing to write but labels that can go already.
func (d *decider) waits(w Wait, remove []string) (ends bool) {
	d.out = Decision{State: d.Standing.State, Wait: w, LabelEdits: LabelEdits{Remove: remove}}
	return true
}

// hold leaves the decision about Colony's own move to the reconciliation that comes right after the writes of this one.
func (d *decider) hold() { d.out.Wait.Why = Held }
