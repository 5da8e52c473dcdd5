package reconcile

import (
	"context"
	"errors"
	"time"

	"github.com/rs/zerolog"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// inquiry finds out what has to be done about an issue, and reads what that takes. It writes nothing.
type inquiry struct {
	*Reconciler
	Case
	memory *remembered
	carry  Carry // what earlier reconciliations for the request found out
	log    zerolog.Logger

	standing     statemachine.Standing // the standing of the issue when it was read
	facts        statemachine.Facts
	conditions   conditions
	unread       error         // why facts cannot be read now
	unsettled    bool          // GitHub is still finding out something that is a fact
	conversation *conversation // nil until the comments are read
	orders       orders
}

// load reads the policy by which the issue is reconciled, the issue, and its log, and the comments where it is sure that they are needed: all at the
// same time. Then little time is left between reading the log and writing. there is false for a pull request and for a dashboard. The error
// is errLagging if GitHub does not show yet what it reported, or what Colony wrote.
func (q *inquiry) load(ctx context.Context) (there bool, err error) {
	ref := q.request.Ref
	found, since, err := q.PolicyOf(ctx, ref.Repository)
	if err != nil {
		return false, err
	}
	if !found.Mode.Reads() {
		return false, nil
	}
	q.judgeBy(q.Basis(found, since, q.Clock.Now().Add(-q.ServerSettings.Horizon)))
	comments := beginComments(ctx, q)
	err = q.readIssue(ctx, ref, since)
	q.mayWait = q.carry.Waited < q.settings.LagAttempts || q.carry.goesOn(lastEvent(q.view.Changes))
	said, unheard := comments()
	switch {
	case err != nil, q.view.PullRequest, q.view.Dashboard:
		return false, err
	case unheard != nil:
		return false, unheard
	}
	if q.memory.hides(q.view.Changes, q.read, q.settings.Thresholds.Lag) || q.mayWait && !q.eventVisible() { // what was written is sure to be there, however often this request has waited
		return false, errLagging
	}
	if err := q.askForAuthorsRight(ctx); err != nil {
		return false, err
	}
	q.fold()
	if needsComments(q) {
		err = q.parseComments(ctx, said)
	}
	return err == nil, err
}

// needsComments reports whether it is sure before the issue is read that its comments are needed.
func needsComments(q *inquiry) bool { return q.carry.Comments || q.request.Commands }

// beginComments begins to read the comments where they are needed, and returns what waits for them.
func beginComments(ctx context.Context, q *inquiry) (wait func() ([]issues.Comment, error)) {
	var said []issues.Comment
	var err error
	read, join := func() { said, err = q.store.Comments(ctx, q.request.Ref, q.commandsSince) }, func() {}
	switch {
	case !needsComments(q):
	case q.carry.InTurn:
		read()
	default:
		join = q.store.Begin(read)
	}
	return func() ([]issues.Comment, error) {
		join()
		return said, err
	}
}

func (q *inquiry) readIssue(ctx context.Context, ref issues.Ref, since issues.Epoch) (err error) {
	q.read = q.Clock.Now()
	if told := q.request.toldAt(); !told.IsZero() && !q.carry.InTurn {
		q.view, err = q.store.LoadTold(ctx, ref, told)
	} else {
		q.view, err = q.store.Load(ctx, ref)
	}
	q.beganAt(since)
	return err
}

// decide says what has to be done about the issue. It reads the comments, and facts in addition to the labels, only if the decision depends on
// them. The error is errLagging if GitHub does not show yet what the decision needs.
func (q *inquiry) decide(ctx context.Context) (statemachine.Decision, error) {
	if q.request.Commands || q.standing.ForcedByColony || q.request.Retry && q.view.Unlocked.After(q.commandsSince) {
		if err := q.readConversation(ctx); err != nil {
			return statemachine.Decision{}, err
		}
		if q.mayWait && !q.conversation.showsAll(q.request.Expected()) {
			return statemachine.Decision{}, errLagging
		}
	}
	decision, err := q.decideFrom(ctx, q.evidence)
	if unread := (*unreadFactsError)(nil); errors.As(err, &unread) { // an allowed move is finished all the same
		q.unread = err
		decision, err = q.decideFrom(ctx, func() statemachine.Evidence {
			read := q.evidenceWithoutFacts()
			read.Facts.Late = true
			return read
		})
	}
	switch {
	case err != nil:
		return decision, err
	case decision.Wait.Why == statemachine.Lag, decision.Wait.Why == statemachine.Unread:
		return decision, errLagging
	case len(decision.Announce) == 0:
		return decision, nil
	}
	lost := len(q.orders.lost)
	if decision.Announce, err = withReasons(ctx, q, decision.Announce); err != nil {
		return decision, err
	}
	if len(q.orders.lost) > lost {
		return q.decide(ctx)
	}
	return decision, showChanges(ctx, q, decision.Announce)
}

// decideFrom decides by evidence, and reads what is missing for that.
func (q *inquiry) decideFrom(ctx context.Context, evidence func() statemachine.Evidence) (d statemachine.Decision, err error) {
	err = q.readNeeds(ctx, func() (need statemachine.Needs) {
		d, need = q.settings.Lifecycle.Decide(q.settings.Thresholds, q.at(q.standing), evidence())
		return need
	})
	return d, err
}

// orders is what the comments tell of who ordered Colony's moves.
type orders struct {
	made    map[int64]commands.MoveAttribution // by which command a move was made, as of the first decision that knew the comments
	by      map[int64]requester                // who ordered Colony's moves, as far as the comments tell
	earlier []commands.CommandComment          // commands that were written before those of the conversation
	lost    []int64                            // Colony's moves for commands whose text is gone
}

// fold finds out the standing of the issue by what was read of it. Whose commands made its moves is found out again: there might be others.
func (q *inquiry) fold() { q.standing, q.orders.made = q.foldSince(q.judgedSince), nil }

// foldSince finds out the standing of the issue if what changed before a time is final.
func (q *inquiry) foldSince(judgedSince time.Time) statemachine.Standing {
	history := q.view.History(judgedSince)
	history.Answers, history.Explained = q.conditions.answer, q.isExplained
	history.Ordered = func(eventID int64) (lifecycle.Actor, bool) {
		by, known := q.requestOf(eventID)
		return by.Actor, known
	}
	history.Stands = !q.settings.Mode.Undoes()
	return q.settings.Lifecycle.Fold(history)
}
