package reconcile

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/rs/zerolog"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/statemachine"
)

// reconciliation is one request about one issue under way.
type reconciliation struct {
	*Reconciler
	settings       Settings      // in force for the repository
	store          *issues.Store // knows the executors of the repository
	request        Request
	carry          Carry // what earlier reconciliations for the request found out
	view           issues.View
	judgedSince    time.Time // what was done with labels before stands
	commandsSince  time.Time // what was written before is not run
	installedSince time.Time // since when Colony runs commands in the repository
	read           time.Time // when the issue and its log were read: what lags and what is quiet is judged as of then
	mayWait        bool
	previews       bool // nothing may be written
	log            zerolog.Logger

	standing        statemachine.Standing // where the issue stood when it was read
	facts           statemachine.Facts
	conditions      conditions
	behind          bool                               // GitHub does not show yet what it told
	unsettled       bool                               // GitHub is still finding out something that is a fact
	conversation    *conversation                      // nil as long as the comments were not read
	attributions    map[int64]commands.MoveAttribution // by which command a move was made, as of the first decision that knew the comments
	requesters      map[int64]requester                // who ordered Colony's moves, as far as the comments tell
	earlierComments []commands.CommandComment          // commands that were written before those of the conversation
	lostOrders      []int64                            // Colony's moves for commands whose text is gone
	wrote           bool
	said            bool   // a verdict, for the first time
	unsaid          bool   // GitHub did not take a comment or reaction of the last writes
	enteredState    string // the state whose label was put there, or whose rows what was written may concern
	written         []issues.Write
	awaited         []Verdict      // what somebody waits for while it is written
	commander       requester      // whose command moves the issue
	owed            []owed         // receipts
	again           []refusedWrite // what GitHub refused before and may take now
	seen            *Observed      // what OnObserved was called with
}

// Reconcile carries out one request about one issue. The result says when the issue has to be reconciled again for it; nil: never. What
// GitHub does not show yet is waited for, and nothing is written unless everything that is needed could be read.
func (r *Reconciler) Reconcile(ctx context.Context, request Request, carry Carry) (*Result, error) {
	rc := r.newReconciliation(request, carry)
	result, err := rc.execute(ctx)
	if err != nil {
		rc.restoreRefused()
	}
	if errors.Is(err, errLagging) {
		return rc.requeueForLag(), nil
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
	writes, err := rc.plan(ctx, decision)
	if err != nil {
		return nil, err
	}
	if err := rc.apply(ctx, decision, writes); err != nil {
		return nil, err
	}

	result, err := rc.follow(ctx, decision)
	if err != nil {
		return nil, err
	}
	rc.observed(decision)
	return result, rc.finish(ctx, result)
}

// load reads by which policy the issue is judged, the issue, and its log. Where it is sure that the comments are needed, they are read
// before the log: then little time is left between reading the log and writing. there is false for a pull request and for a dashboard. The error is
// errLagging if GitHub does not show yet what it told, or what Colony wrote.
func (rc *reconciliation) load(ctx context.Context) (there bool, err error) {
	ref := rc.request.Ref
	found, since, err := rc.PolicyOf(ctx, ref.Repository)
	if err != nil {
		return false, err
	}
	if !found.Mode.Reads() {
		return false, nil
	}
	rc.judgeBy(rc.Basis(found, since, rc.Clock.Now().Add(-rc.ServerSettings.Horizon)))
	rc.mayWait = rc.carry.Waited < rc.settings.LagAttempts
	var comments []issues.Comment
	if rc.carry.Refusing {
		if comments, err = rc.store.Comments(ctx, ref, rc.commandsSince); err != nil {
			return false, err
		}
	}
	if err := rc.readIssue(ctx, ref, since); err != nil || rc.view.PullRequest || rc.view.Dashboard {
		return false, err
	}
	if rc.hidesOwn() || rc.mayWait && !rc.eventVisible() { // what was written is sure to be there, however often this request has waited
		return false, errLagging
	}
	if err := rc.askForAuthorsRight(ctx); err != nil {
		return false, err
	}
	rc.fold()
	if rc.carry.Refusing {
		err = rc.parseComments(ctx, comments)
	}
	return err == nil, err
}

// judgeBy takes over what is in force for the repository, and since when.
func (rc *reconciliation) judgeBy(b Basis) {
	rc.settings, rc.store = b.Settings, b.Store
	rc.judgedSince, rc.commandsSince, rc.installedSince = b.JudgedSince, b.CommandsSince, b.Since.Commands
}

// readIssue reads the issue and its log.
func (rc *reconciliation) readIssue(ctx context.Context, ref issues.Ref, since issues.Epoch) (err error) {
	rc.read = rc.Clock.Now()
	rc.view, err = rc.store.Load(ctx, ref)
	rc.beganAt(since)
	return err
}

// beganAt takes over since when the issue is judged.
func (rc *reconciliation) beganAt(since issues.Epoch) {
	rc.view.Begun = since.Labels
	if !rc.settings.Adopt {
		rc.view.Installed = since.Commands
	}
}

// decide says what has to be done about the issue. It reads the comments, and facts beside the labels, only if the decision depends on
// them. The error is errLagging if GitHub does not show yet what the decision needs.
func (rc *reconciliation) decide(ctx context.Context) (statemachine.Decision, error) {
	if rc.request.Commands || rc.standing.ForcedByColony || rc.request.Retry && rc.view.Unlocked.After(rc.commandsSince) {
		if err := rc.readConversation(ctx); err != nil {
			return statemachine.Decision{}, err
		}
		if rc.mayWait && !rc.conversation.showsAll(rc.request.Expected()) {
			return statemachine.Decision{}, errLagging
		}
	}
	decision, err := rc.decideFrom(ctx, rc.evidence)
	if err == nil && (decision.Wait.Why == statemachine.Lag || decision.Wait.Why == statemachine.Unread || rc.behind && rc.mayWait) {
		err = errLagging
	}
	if err == nil && len(decision.Announce) > 0 {
		lost := len(rc.lostOrders)
		decision.Announce, err = rc.withReasons(ctx, decision.Announce)
		if err == nil && len(rc.lostOrders) > lost {
			return rc.decide(ctx)
		}
	}
	if err == nil {
		err = rc.showChanges(ctx, decision.Announce)
	}
	return decision, err
}

// decideFrom decides by evidence, and reads what is missing for that.
func (rc *reconciliation) decideFrom(ctx context.Context, evidence func() statemachine.Evidence) (d statemachine.Decision, err error) {
	err = rc.readNeeds(ctx, func() (need statemachine.Needs) {
		d, need = rc.settings.Lifecycle.Decide(rc.settings.Thresholds, rc.issueCase(), evidence())
		return need
	})
	return d, err
}

// issueCase is the issue that a decision is about, as it was read.
func (rc *reconciliation) issueCase() statemachine.Case {
	return statemachine.Case{
		Standing: rc.standing, Labels: rc.view.Labels, Updated: rc.view.Updated, Now: rc.read, MayWait: rc.mayWait,
		TakenIn: rc.settings.Intake.Takes(rc.view, rc.judgedSince), Requests: rc.settings.Intake.Requests(),
		Closed: rc.view.Closed, Reopened: rc.view.Reopened,
	}
}

// plan turns a decision into writes, in the order that survives a crash between any two: labels are added before others
// are removed, so that the issue never looks like a new one, and what is left out the next reconciliation finds in the log and
// among the markers. Labels come first for another reason too: a state that is put back late could undo a move.
func (rc *reconciliation) plan(ctx context.Context, d statemachine.Decision) ([]issues.Write, error) {
	notices, err := rc.onPullRequests(ctx, noticesOf(d))
	if err != nil {
		return nil, err
	}
	writes, err := rc.tidied(ctx, WritesOf(rc.settings, rc.standing, d, notices))
	if err != nil {
		return nil, err
	}
	withdrawn, err := rc.withdrawing(ctx, d)
	if err != nil {
		return nil, err
	}
	reminder, err := rc.reminding(ctx, d)
	if err != nil {
		return nil, err
	}
	return slices.Concat(writes, rc.assigning(d), withdrawn, reminder), nil
}

// apply makes the writes of a decision, and remembers what came of it. Why Colony moves an issue is noted first: the log does not say it.
// So is what there is to tell of, so that no crash loses it.
func (rc *reconciliation) apply(ctx context.Context, d statemachine.Decision, writes []issues.Write) error {
	rc.sayWithheld(d)
	if a := d.Automatic; a != nil && rc.settings.Mode.Writes() {
		if err := rc.noteReason(ctx, *a); err != nil {
			return err
		}
		if !a.TakesIn {
			reason, err := rc.reasonOnIssue(ctx, *a)
			if err != nil {
				return err
			}
			writes = append(reason, writes...)
		}
	}
	if err := rc.auditDecision(ctx, d, writes); err != nil {
		return err
	}
	if err := rc.write(ctx, writes); err != nil {
		return err
	}
	entered, _ := rc.standing.Since()
	rc.assigned.add(rc.view.Ref, entered.ID, writes)
	rc.cacheOutcome(d)
	rc.Metrics.decided(d, rc.settings.Mode)
	return nil
}

// cacheOutcome keeps in memory what has been explained, so that later reconciliations need not read the comments for it.
func (rc *reconciliation) cacheOutcome(d statemachine.Decision) {
	for _, r := range d.Explain {
		rc.explained.add(rc.view.Ref, r.IDs...)
	}
	if d.Halted != nil {
		rc.explained.add(rc.view.Ref, d.Halted.IDs...)
	}
	for _, a := range d.Ask {
		rc.explained.ask(rc.view.Ref, a.ID)
	}
	if rc.conversation == nil {
		return
	}
	rc.explained.add(rc.view.Ref, rc.conversation.explained...)
	if d.Wait.Why == statemachine.Quiet {
		return // what there is to tell waits for that reconciliation
	}
	for _, id := range rc.settings.Lifecycle.MayAnnounce(rc.standing) {
		switch a, byCommand := rc.attributions[id]; {
		case slices.Contains(rc.lostOrders, id):
			rc.explained.command(rc.view.Ref, id)
		case !byCommand:
			rc.explained.add(rc.view.Ref, id)
		case !rc.conversation.waits(a.CommentID): // one that still waits may turn out not to be permitted
			rc.explained.command(rc.view.Ref, id)
		}
	}
}

// follow runs the commands that wait, once the decision is applied, and says when the issue has to be reconciled again.
func (rc *reconciliation) follow(ctx context.Context, d statemachine.Decision) (*Result, error) {
	switch {
	case d.Wait.Why == statemachine.Quiet:
		return &Result{RequeueAfter: rc.until(d.Wait), Refusing: true}, nil
	case !rc.settings.Mode.Writes():
		return rc.followUnwritten(ctx, d)
	case d.Automatic != nil: // the state it came to may have rows of its own, and the move may have to be announced
		return &Result{About: new(causeOf(*d.Automatic))}, nil
	case d.Wait.Why == statemachine.Held && rc.wrote:
		return &Result{}, nil
	}
	waiting := rc.waitsForCommands()
	result, err := rc.runCommands(ctx, d)
	if err != nil || result != nil {
		return result, err
	}
	life := rc.settings.Lifecycle
	switch {
	case waiting:
		return &Result{}, nil
	case !d.Wait.Until.IsZero():
		return &Result{RequeueAfter: rc.until(d.Wait)}, nil
	case rc.enteredState != "" && !rc.settings.Mode.Undoes(): // labels that illegal changes left before a command's move go with it
		return &Result{}, nil
	case rc.enteredState != "" && len(rc.settings.Notify) > 0: // those who are told may be others in the state that a command led to
		return &Result{}, nil
	case mayMoveAgain(life, rc.enteredState): // GitHub's webhook of what Colony did itself wakes nobody
		return &Result{}, nil
	case rc.unsettled && rc.mayWait && HasTrigger(life, d.State, "pull-request-conflicting"):
		return rc.requeueForLag(), nil
	}
	return nil, nil
}

// until is how long a wait takes from now.
func (rc *reconciliation) until(w statemachine.Wait) time.Duration {
	return max(0, w.Until.Sub(rc.Clock.Now()))
}

// waitsForCommands reports whether a move of Colony's may have been made for a command that has not been run yet. If that turns out not
// to be permitted, the move was Colony's own, and there may be something to tell about it.
func (rc *reconciliation) waitsForCommands() bool {
	for _, a := range rc.attributions {
		if rc.conversation.waits(a.CommentID) {
			return true
		}
	}
	return false
}

// mayMoveAgain reports whether something may follow on its own in a state that an issue was brought to.
func mayMoveAgain(life *statemachine.Table, state string) bool {
	_, there := life.State(state)
	return there && (life.Closes(state) != "" || len(life.Readings(state, false)) > 0)
}

// finish does what has nothing to do with the decision: what GitHub refused before, receipts that are owed, the reflection that is missing,
// and asking for a dispatch. It remembers an issue on which there was nothing to do.
func (rc *reconciliation) finish(ctx context.Context, result *Result) error {
	if rc.settings.Mode.Writes() {
		if err := rc.writeRefused(ctx); err != nil {
			return err
		}
		if err := rc.giveReceipts(ctx); err != nil {
			return err
		}
	}
	if result == nil && !rc.wrote && rc.settings.Mode.Writes() && rc.request.Cause == CauseSweep {
		if err := rc.askForReflection(ctx); err != nil {
			return err
		}
	}
	if err := rc.announceCapacity(ctx); err != nil {
		return err
	}
	if err := rc.FiguresChanged(ctx, rc.request.Repository, rc.settings); err != nil {
		return err
	}
	if result == nil && !rc.wrote && len(rc.standing.Pending) == 0 {
		rc.Clean.add(rc.view, rc.restsUntil())
	}
	return nil
}
