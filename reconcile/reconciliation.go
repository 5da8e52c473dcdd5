package reconcile

import (
	"context"
	"slices"
	"time"

	"github.com/rs/zerolog"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/statemachine"
)

// reconciliation is one request about one issue under way.
type reconciliation struct {
	*Reconciler
	settings    Settings      // in force for the repository
	version     string        // of these rules; empty: it is not known
	store       *issues.Store // knows the executors of the repository
	request     Request
	view        issues.View
	judgedSince time.Time // what was done with labels before stands
	heardSince  time.Time // what was written before is not run
	begun       time.Time // since when Colony runs commands in the repository
	read        time.Time // when the issue and its log were read: what lags and what is quiet is judged as of then
	mayWait     bool
	previews    bool // nothing may be written
	log         zerolog.Logger

	standing     statemachine.Standing // where the issue stood when it was read
	facts        statemachine.Facts
	behind       bool                         // GitHub does not show yet what it told
	unsettled    bool                         // GitHub is still finding out something that is a fact
	cause        *MoveCause                   // what the move before this request was made for
	conversation *conversation                // nil as long as the comments were not read
	orders       map[int64]commands.Order     // by which command a move was made, as of the first decision that knew the comments
	whose        map[int64]statemachine.Actor // who ordered Colony's moves, as far as the comments tell
	retold       bool                         // whose has moves of the settled part of the log otherwise than its summary
	past         []commands.Written           // commands that were written before those of the conversation
	wrote        bool
	unsaid       bool   // GitHub did not take a comment or reaction of the last writes
	enteredState string // the state whose label was put there, or whose rows what was written may concern
	written      []issues.Write
	owed         []owed // receipts
}

// eventVisible reports whether GitHub's answer shows the events of labels and assignees that this request is for.
func (v *reconciliation) eventVisible() bool {
	return !slices.ContainsFunc(v.request.Expected(), func(e ExpectedEvent) bool {
		return e.Label != "" && !v.logShows(e, v.settings.Patience.Lag) ||
			e.Assignee != "" && !showsAssignment(v.view.Assignments, e, v.settings.Patience.Lag)
	})
}

// hidesOwn reports whether GitHub's answer hides what Colony itself wrote a moment ago.
func (v *reconciliation) hidesOwn() bool {
	return v.recent.hidden(v.view.Ref, v.view.Changes, v.read, v.settings.Patience.Lag)
}

// shows reports whether a log shows the label event that a webhook told of. The log's last event about that label decides: it is the
// awaited one, or it is newer and undoes the awaited one. An earlier event of the same kind that was undone since proves nothing,
// however recent it is: the label may have been put back.
//
// The time in the webhook is that of the issue, which is never before that of the event, and may be some time after it.
func shows(log []statemachine.Change, awaited ExpectedEvent, lag time.Duration) bool {
	var last statemachine.Change
	var at time.Time // of the latest event of the awaited kind
	for _, c := range log {
		if !statemachine.SameLabel(c.Label, awaited.Label) {
			continue
		}
		if c.ID > last.ID {
			last = c
		}
		if c.Added == awaited.Added && c.At.After(at) {
			at = c.At
		}
	}
	switch {
	case last.ID == 0:
		return false
	case last.Added == awaited.Added:
		return !last.At.Before(awaited.At.Add(-lag))
	case last.At.Equal(awaited.At): // within one second the order is told by the log alone, and only if it has both
		return at.Equal(awaited.At)
	}
	return last.At.After(awaited.At)
}

// showsAssignment reports the same of the event that somebody was assigned.
func showsAssignment(log []issues.Assignment, awaited ExpectedEvent, lag time.Duration) bool {
	changes := make([]statemachine.Change, len(log))
	for i, a := range log {
		changes[i] = statemachine.Change{ID: a.ID, Added: a.Added, Label: a.To, At: a.At}
	}
	awaited.Label, awaited.Added = awaited.Assignee, true
	return shows(changes, awaited, lag)
}

// execute decides and applies, reading the comments only if something depends on them.
func (v *reconciliation) execute(ctx context.Context, waited int) (*Result, error) {
	if v.request.Commands || v.standing.ForcedByColony || v.request.Retry && v.view.Unlocked.After(v.heardSince) {
		if err := v.readConversation(ctx); err != nil {
			return nil, err
		}
		if v.mayWait && !v.conversation.showsAll(v.request.Expected()) {
			return v.requeueForLag(waited), nil
		}
	}
	decision, err := v.decide(ctx)
	if err != nil {
		return nil, err
	}
	if decision.Lagging || v.behind && v.mayWait {
		return v.requeueForLag(waited), nil
	}
	if decision.Tell, err = v.withReasons(ctx, decision.Tell); err != nil {
		return nil, err
	}
	notices, err := v.onPullRequests(ctx, decision)
	if err != nil {
		return nil, err
	}
	if a := decision.Automatic; a != nil {
		if err := v.noteReason(ctx, *a); err != nil {
			return nil, err
		}
	}
	if err := v.apply(ctx, v.plan(decision, notices)); err != nil {
		return nil, err
	}
	v.cacheOutcome(decision)
	v.Metrics.decided(decision)
	if a := decision.Automatic; decision.TakenIn {
		v.log.Info().Str("to", a.To).Msg("the repository takes this issue in")
	} else if a != nil {
		v.log.Info().Str("from", a.From).Str("to", a.To).Str("why", a.Why).Str("about", a.About).Msg("this issue moves by itself")
	}
	if !decision.LookAgain.IsZero() {
		return &Result{RequeueAfter: max(0, decision.LookAgain.Sub(v.Clock.Now())), Refusing: true}, nil
	}
	if a := decision.Automatic; a != nil { // the state it came to may have rows of its own, and the move may have to be told of
		return &Result{About: &MoveCause{To: a.To, What: a.About, Why: a.Why}}, nil
	}
	if decision.Held && v.wrote {
		return &Result{}, nil
	}
	return v.follow(ctx, decision, waited)
}

// follow runs the commands that wait, once the decision is applied, and says when the issue has to be reconciled again.
func (v *reconciliation) follow(ctx context.Context, decision statemachine.Decision, waited int) (*Result, error) {
	undecided := v.waitsForCommands()
	later, err := v.runCommands(ctx, decision)
	if err == nil && later == nil && undecided {
		return &Result{}, nil
	}
	if err == nil && later == nil && !decision.TidyAt.IsZero() {
		return &Result{RequeueAfter: max(0, decision.TidyAt.Sub(v.Clock.Now()))}, nil
	}
	switch life := v.settings.Lifecycle; {
	case err != nil || later != nil:
	case mayMoveAgain(life, v.enteredState): // GitHub's webhook of what Colony did itself wakes nobody
		later = &Result{}
	case v.unsettled && v.mayWait && HasTrigger(life, decision.State, "pull-request-conflicting"):
		later = v.requeueForLag(waited)
	}
	return later, err
}

// mayMoveAgain reports whether something may follow by itself in a state that an issue was brought to.
func mayMoveAgain(life *statemachine.Lifecycle, state string) bool {
	s, there := life.State(state)
	return there && (s.Closes != "" || len(life.Readings(state)) > 0)
}

// decide decides, reading the comments, and facts outside of the issue's labels, only if it depends on them.
func (v *reconciliation) decide(ctx context.Context) (statemachine.Decision, error) {
	return v.decideBy(ctx, true)
}

// decideBy decides by the log and the comments, and by facts beside them if they are wanted.
func (v *reconciliation) decideBy(ctx context.Context, facts bool) (statemachine.Decision, error) {
	for {
		decision := v.settings.Lifecycle.Decide(v.settings.Patience, v.decisionInput())
		switch {
		case decision.NeedAnswers:
			if err := v.readConversation(ctx); err != nil {
				return decision, err
			}
		case !decision.NeedOrders.IsZero():
			if err := v.trace(ctx, decision.NeedOrders); err != nil {
				return decision, err
			}
		case facts && len(decision.NeedFacts) > 0:
			if err := v.readFacts(ctx, decision.NeedFacts); err != nil {
				return decision, err
			}
		default:
			return decision, nil
		}
	}
}

func (v *reconciliation) readConversation(ctx context.Context) error {
	if v.conversation != nil {
		return nil
	}
	comments, err := v.store.Comments(ctx, v.view.Ref, v.heardSince)
	if err != nil {
		return err
	}
	return v.parseComments(ctx, comments)
}

// parseComments reads what the comments say.
func (v *reconciliation) parseComments(ctx context.Context, comments []issues.Comment) error {
	conversation, err := v.readComments(ctx, comments)
	if err != nil {
		return err
	}
	v.conversation = conversation
	v.attribute(v.attributable())
	return nil
}

// decisionInput is what a decision goes by, as far as it was read.
func (v *reconciliation) decisionInput() statemachine.Case {
	c := statemachine.Case{
		Standing: v.standing, Labels: v.view.Labels, Updated: v.view.Updated, Now: v.read,
		TakenIn: v.settings.Intake.Takes(v.view, v.judgedSince), Requests: v.settings.Intake.Requests(),
		MayWait: v.mayWait, Facts: v.facts, Closed: v.view.Closed, Reopened: v.view.Reopened,
	}
	if v.conversation != nil {
		c.Answered = v.conversation.answered
		if v.orders == nil {
			v.orders, _ = commands.Orders(v.settings.Lifecycle, v.standing, v.conversation.written())
		}
		c.Commanded = func(id int64) bool { _, ok := v.orders[id]; return ok }
		c.ForcePending, c.RefusedCommand = v.conversation.forcePending(), v.conversation.refusedSince
		c.LastAsked = slices.Max(append(v.conversation.asked, 0))
		c.Asked = func(id int64) bool {
			return slices.Contains(v.conversation.asked, id) || v.explained.asked(v.view.Ref, id)
		}
	} else if v.explained.all(v.view.Ref, v.settings.Lifecycle, v.standing) {
		c.Answered = func(id int64) bool { return v.explained.has(v.view.Ref, id) }
		c.Commanded = func(id int64) bool { return v.explained.commanded(v.view.Ref, id) }
	}
	return c
}

// plan turns a decision into writes, in the order that survives a crash between any two: labels are added before others
// are removed, so that the issue never looks like a new one, and what is left out the next reconciliation finds in the log and
// among the markers. Labels come first for another reason too: a state that is put back late could undo a move.
func (v *reconciliation) plan(d statemachine.Decision, notices []issues.Write) []issues.Write {
	var writes []issues.Write
	if d.Again != "" {
		writes = append(writes, issues.Write{Remove: d.Again}, issues.Write{Add: []string{d.Again}})
	}
	if len(d.Add) > 0 {
		writes = append(writes, issues.Write{Add: d.Add})
	}
	for _, label := range d.Remove {
		writes = append(writes, issues.Write{Remove: label})
	}
	writes = append(writes, notices...)
	if len(d.Explain) > 0 {
		writes = append(writes, issues.Write{Comment: wording.Rejections(v.settings.Lifecycle, v.standing, d.Explain)})
	}
	if len(d.Tell) > 0 {
		writes = append(writes, issues.Write{Comment: wording.Told(v.settings.Lifecycle, v.standing, d.Tell)})
	}
	if len(d.Ask) > 0 {
		writes = append(writes, issues.Write{Comment: wording.RenderAsked(v.settings.Lifecycle, v.standing, d.Ask)})
	}
	if d.HaltUnsaid {
		p, halt := v.settings.Patience, wording.Halted
		if d.Halted.Verdict == statemachine.Legal {
			halt = wording.InCircles
		}
		writes = append(writes, issues.Write{Comment: halt(p.BreakerRejections, p.BreakerWindow, slices.Max(d.Halted.IDs))})
	}
	if d.Close != "" {
		writes = append(writes, issues.Write{Close: d.Close})
	}
	return writes
}

func (v *reconciliation) apply(ctx context.Context, writes []issues.Write) error {
	_, err := v.applyAll(ctx, writes)
	return err
}

// applyAll applies writes and returns what GitHub refused for good of those that do not stop the others; see Store.Apply.
func (v *reconciliation) applyAll(ctx context.Context, writes []issues.Write) (refused []issues.Refused, err error) {
	v.wrote = v.wrote || len(writes) > 0
	v.written = append(v.written, writes...)
	for _, w := range writes {
		for _, label := range w.Add {
			if state, is := v.settings.Lifecycle.StateOf(label); is {
				v.enteredState = state.Name
			}
		}
		v.log.Info().Stringer("write", w).Msg("write")
	}
	refused, err = v.store.Apply(ctx, v.view.Ref, writes)
	v.unsaid = len(refused) > 0
	if err == nil {
		before := afterWrites(v.view.Labels, v.written[:len(v.written)-len(writes)])
		v.recent.add(v.view.Ref, before, v.view.Changes, writes, v.Clock.Now())
	}
	for _, r := range refused {
		v.log.Warn().Err(r.Err).Stringer("write", r.Write).Msg("GitHub refuses this for good")
		v.Metrics.refusedWrite(r.Write.Kind())
		v.refused.add(v.view.Ref, r, v.Clock.Now())
	}
	return refused, err
}

// waitsForCommands reports whether a move of Colony's may have been made for a command that has not been run yet. If that turns out not
// to be permitted, the move was Colony's own, and there may be something to tell about it.
func (v *reconciliation) waitsForCommands() bool {
	for _, order := range v.orders {
		if v.conversation.waits(order.CommentID) {
			return true
		}
	}
	return false
}

// cacheOutcome keeps in memory what has been explained, so that later reconciliations need not read the comments for it.
func (v *reconciliation) cacheOutcome(d statemachine.Decision) {
	for _, r := range d.Explain {
		v.explained.add(v.view.Ref, r.IDs...)
	}
	if d.Halted != nil {
		v.explained.add(v.view.Ref, d.Halted.IDs...)
	}
	for _, a := range d.Ask {
		v.explained.ask(v.view.Ref, a.ID)
	}
	if v.conversation == nil {
		return
	}
	v.explained.add(v.view.Ref, v.conversation.explained...)
	if !d.LookAgain.IsZero() {
		return // what there is to tell waits for that reconciliation
	}
	for _, id := range v.settings.Lifecycle.MayTell(v.standing) {
		switch order, byCommand := v.orders[id]; {
		case !byCommand:
			v.explained.add(v.view.Ref, id)
		case !v.conversation.waits(order.CommentID): // one that still waits may turn out not to be permitted
			v.explained.command(v.view.Ref, id)
		}
	}
}
