package reconcile

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// reconciliation is one request about one issue under way: what was found out, and what was written.
type reconciliation struct {
	*inquiry
	wrote        bool
	said         bool   // a verdict, for the first time
	unsaid       bool   // GitHub did not take a comment or reaction of the last writes
	enteredState string // the state whose label was put there, or whose rows what was written may concern
	written      []issues.Write
	awaited      []Verdict      // what somebody waits for while it is written
	commander    requester      // whose command moves the issue
	again        []refusedWrite // what GitHub refused before and may take now
	observation  *Observed      // what OnObserved was called with
}

// Reconcile carries out one request about one issue. The result says when the issue has to be reconciled again for it; nil: never. What
// GitHub does not show yet is waited for, and nothing is written unless everything that is needed could be read.
func (r *Reconciler) Reconcile(ctx context.Context, request Request, carry Carry) (*Result, error) {
	rc := r.newReconciliation(request, carry)
	result, err := rc.execute(ctx)
	if err != nil {
		rc.showEyes(ctx, err)
		rc.restoreRefused()
	}
	if errors.Is(err, errLagging) {
		result, err = rc.requeueForLag(), nil
		result.Newest = lastEvent(rc.view.Changes)
	}
	return result, err
}

// execute is the whole story of a request: load what GitHub shows, decide by it, apply the decision, and do what follows from it.
func (rc *reconciliation) execute(ctx context.Context) (*Result, error) {
	if there, err := rc.load(ctx); err != nil || !there {
		return nil, err
	}
	rc.takeRefused()

	decision, err := rc.decide(ctx)
	if err != nil {
		return nil, err
	}
	writes, err := planAll(ctx, rc.planning(decision))
	if err != nil {
		return nil, err
	}
	if err := rc.apply(ctx, decision, writes); err != nil {
		return nil, err
	}
	if rc.unread != nil {
		return nil, rc.unread
	}

	result, err := rc.follow(ctx, decision)
	if err != nil {
		return nil, err
	}
	rc.observed(decision)
	return result, rc.finish(ctx, result)
}

// apply makes the writes of a decision, and remembers what came of it. Why Colony moves an issue is noted first: the log does not say it.
// So is what there is to tell of, so that no crash loses it.
func (rc *reconciliation) apply(ctx context.Context, d statemachine.Decision, writes []issues.Write) error {
	var done []Verdict
	for _, v := range verdictsIn(rc.settings.Lifecycle, rc.standing, d, rc.tellsSince(rc.began)) {
		switch {
		case !withholds(rc.settings.Mode, v.Kind):
			done = append(done, v)
		case d.Wait.Why != statemachine.Quiet:
			rc.say(v)
		}
	}
	if a := d.Automatic; a != nil && rc.settings.Mode.Writes() {
		if err := rc.noteReason(ctx, *a); err != nil {
			return err
		}
	}
	if err := rc.audit(ctx, d.State, writes, done...); err != nil {
		return err
	}
	if err := rc.write(ctx, writes); err != nil {
		return err
	}
	rememberAssignments(rc.inquiry, writes)
	rc.cacheOutcome(d)
	rc.Metrics.decided(d, rc.settings.Mode)
	return nil
}

// cacheOutcome keeps in memory what has been explained, so that later reconciliations need not read the comments for it.
func (rc *reconciliation) cacheOutcome(d statemachine.Decision) {
	for _, r := range d.Explain {
		rc.memory.explained(r.IDs...)
	}
	if d.Halted != nil {
		rc.memory.explained(d.Halted.IDs...)
	}
	for _, a := range d.Ask {
		for _, id := range a.IDs {
			rc.memory.add(note{kind: noteAsked, id: id})
		}
	}
	if rc.conversation == nil {
		return
	}
	rc.memory.explained(rc.conversation.marked[wording.Explains]...)
	if d.Wait.Why == statemachine.Quiet {
		return // what there is to tell waits for that reconciliation
	}
	for _, id := range rc.settings.Lifecycle.MayAnnounce(rc.standing) {
		switch a, byCommand := rc.orders.made[id]; {
		case slices.Contains(rc.orders.lost, id):
			rc.memory.commanded(id)
		case !byCommand:
			rc.memory.explained(id)
		case !rc.conversation.waits(a.CommentID): // one that still waits may turn out not to be permitted
			rc.memory.commanded(id)
		}
	}
}

// follow runs the commands that wait, once the decision is applied, and says when the issue has to be reconciled again.
func (rc *reconciliation) follow(ctx context.Context, d statemachine.Decision) (*Result, error) {
	switch {
	case d.Wait.Why == statemachine.Quiet:
		return &Result{RequeueAfter: rc.takes(d.Wait), Comments: true}, nil
	case !rc.settings.Mode.Writes():
		return rc.followUnwritten(ctx, d)
	case d.Automatic != nil: // the state it came to may have rows of its own, and the move may have to be announced
		return &Result{About: new(causeOf(*d.Automatic))}, nil
	case d.Wait.Why == statemachine.Held && rc.wrote:
		return &Result{}, nil
	}
	waiting := rc.waitsForCommands() || slices.ContainsFunc(rc.facts.Observed, func(o statemachine.Observation) bool { return o.Waits })
	result, err := rc.runCommands(ctx, d)
	if result != nil {
		result.Comments = true
	}
	if err != nil || result != nil {
		return result, err
	}
	switch {
	case waiting:
		return &Result{}, nil
	case !d.Wait.Until.IsZero():
		return &Result{RequeueAfter: rc.takes(d.Wait)}, nil
	case rc.enteredState != "" && rc.entryHasMore():
		return &Result{}, nil
	case rc.waitsForFacts(d):
		return rc.requeueForLag(), nil
	}
	return nil, nil
}

// waitsForFacts reports whether what rows depend on can show soon.
func (rc *reconciliation) waitsForFacts(d statemachine.Decision) bool {
	return d.Wait.Why == statemachine.Late || rc.unsettled && rc.mayWait && HasTrigger(rc.settings.Lifecycle, d.State, "pull-request-conflicting")
}

// entryHasMore reports whether something follows in the state that a command led to: labels that illegal changes left go with the move,
// others want to be notified, and GitHub's webhook of what Colony did itself wakes nobody.
func (rc *reconciliation) entryHasMore() bool {
	return !rc.settings.Mode.Undoes() || len(rc.settings.Notify) > 0 || MayMoveAgain(rc.settings.Lifecycle, rc.enteredState, rc.view)
}

// takes is how long a wait takes from now.
func (rc *reconciliation) takes(w statemachine.Wait) time.Duration {
	return max(0, w.Until.Sub(rc.Clock.Now()))
}

// waitsForCommands reports whether a move of Colony's may have been made for a command that has not been run yet. If that turns out not
// to be permitted, the move was Colony's own, and there may be something to tell about it.
func (rc *reconciliation) waitsForCommands() bool {
	for _, a := range rc.orders.made {
		if rc.conversation.waits(a.CommentID) {
			return true
		}
	}
	return false
}

// MayMoveAgain reports whether something can follow on its own in a state that an issue was brought to.
func MayMoveAgain(life *statemachine.Table, state string, v issues.View) bool {
	_, there := life.State(state)
	return there && (life.Closes(state) != "" || len(life.ReadingsIn(state, v.Closed, v.Reopened())) > 0)
}

// afterwards is one thing that has nothing to do with the decision.
type afterwards struct {
	name    string
	applies func(rc *reconciliation, result *Result) bool
	do      func(rc *reconciliation, ctx context.Context) error
}

// finishing lists what is done at the end of each reconciliation.
var finishing = []afterwards{
	{"write what was refused", func(rc *reconciliation, _ *Result) bool { return rc.settings.Mode.Writes() && len(rc.again) > 0 }, (*reconciliation).writeRefused},
	{"give receipts", func(rc *reconciliation, _ *Result) bool { return rc.settings.Mode.Writes() && rc.conversation.owes() }, (*reconciliation).giveReceipts},
	{"close pull requests", func(rc *reconciliation, _ *Result) bool { _, ok := freshLabel(rc.inquiry); return ok }, (*reconciliation).closeForLabel},
	{"ask for the reflection", asksForReflection, (*reconciliation).askForReflection},
	{"announce capacity", announcesCapacity, func(rc *reconciliation, ctx context.Context) error { return rc.OnCapacity(ctx, rc.request) }},
	{"announce the end", announcesEnd, func(rc *reconciliation, ctx context.Context) error { return announceEnd(ctx, rc) }},
	{"announce figures", announcesFigures, func(rc *reconciliation, ctx context.Context) error {
		return rc.OnFigures(ctx, rc.request.Repository, rc.settings)
	}},
}

// finish does the rest, and remembers an issue on which there was nothing to do.
func (rc *reconciliation) finish(ctx context.Context, result *Result) error {
	for _, a := range finishing {
		if !a.applies(rc, result) {
			continue
		}
		if err := a.do(rc, ctx); err != nil {
			return fmt.Errorf("%s: %w", a.name, err)
		}
	}
	if result == nil && len(rc.standing.Pending) == 0 && !rc.unsaid {
		settle(rc.inquiry, rc.written)
	} else {
		rc.memory.lose()
	}
	return nil
}

// announcesEnd reports whether the issue can have come to the end of its lifecycle, for which others wait, or whether they wait for it again.
// Where Colony closes it, GitHub tells of that.
func announcesEnd(rc *reconciliation, _ *Result) bool {
	life := rc.settings.Lifecycle
	told := func(e ExpectedEvent) bool { s, _ := life.StateOf(e.Label); return e.Added && life.IsEnd(s.Name) }
	if closes := func(w issues.Write) bool { return w.Close != "" }; rc.OnEnd == nil || slices.ContainsFunc(rc.written, closes) {
		return false
	}
	_, otherwise := outcomeAfter(rc)
	return otherwise || life.IsEnd(rc.enteredState) || slices.ContainsFunc(rc.request.Expected(), told)
}

// announceEnd names the request after the issue and what came of its work, since several issues can end by one delivery. What follows from
// another end is named by the delivery alone, so that no name grows.
func announceEnd(ctx context.Context, rc *reconciliation) error {
	ref := rc.request.Ref
	outcome, _ := outcomeAfter(rc)
	delivery, _, _ := strings.Cut(rc.request.Delivery, "/end/")
	delivery = fmt.Sprintf("%s/end/%d/%d/%s", delivery, ref.ID, ref.Number, strings.ReplaceAll(string(outcome), " ", "-"))
	return rc.OnEnd(ctx, Request{Kind: KindDependents, Ref: ref, Cause: rc.request.Cause, Delivery: delivery})
}

// outcomeAfter returns what the labels say of the work after everything that was written. It is otherwise if they said before that the work
// has ended, or said something else of a closed issue.
func outcomeAfter(rc *reconciliation) (now lifecycle.Outcome, otherwise bool) {
	was := statemachine.OutcomeOf(rc.settings.Lifecycle, rc.view.Labels)
	now = statemachine.OutcomeOf(rc.settings.Lifecycle, afterWrites(rc.view.Labels, rc.written))
	ended := was == lifecycle.Completed || was == lifecycle.Dropped
	return now, now != was && (ended || rc.view.Closed)
}

// announcesFigures reports whether dashboards show figures of the repository.
func announcesFigures(rc *reconciliation, _ *Result) bool {
	return rc.OnFigures != nil && (rc.settings.Dashboard || rc.settings.OfOwner)
}
