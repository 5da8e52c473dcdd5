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

	standing        statemachine.Standing // where the issue stood when it was read
	facts           statemachine.Facts
	behind          bool                               // GitHub does not show yet what it told
	unsettled       bool                               // GitHub is still finding out something that is a fact
	cause           *MoveCause                         // what the move before this request was made for
	conversation    *conversation                      // nil as long as the comments were not read
	attributions    map[int64]commands.MoveAttribution // by which command a move was made, as of the first decision that knew the comments
	requesters      map[int64]statemachine.Actor       // who ordered Colony's moves, as far as the comments tell
	retold          bool                               // whose has moves of the settled part of the log otherwise than its summary
	earlierComments []commands.CommandComment          // commands that were written before those of the conversation
	wrote           bool
	unsaid          bool   // GitHub did not take a comment or reaction of the last writes
	enteredState    string // the state whose label was put there, or whose rows what was written may concern
	written         []issues.Write
	owed            []owed // receipts
}

// eventVisible reports whether GitHub's answer shows the events of labels and assignees that this request is for.
func (rc *reconciliation) eventVisible() bool {
	return !slices.ContainsFunc(rc.request.Expected(), func(e ExpectedEvent) bool {
		return e.Label != "" && !rc.logShows(e, rc.settings.Thresholds.Lag) ||
			e.Assignee != "" && !showsAssignment(rc.view.Assignments, e, rc.settings.Thresholds.Lag)
	})
}

// hidesOwn reports whether GitHub's answer hides what Colony itself wrote a moment ago.
func (rc *reconciliation) hidesOwn() bool {
	return rc.recent.hidden(rc.view.Ref, rc.view.Changes, rc.read, rc.settings.Thresholds.Lag)
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
func (rc *reconciliation) execute(ctx context.Context, waited int) (*Result, error) {
	if rc.request.Commands || rc.standing.ForcedByColony || rc.request.Retry && rc.view.Unlocked.After(rc.heardSince) {
		if err := rc.readConversation(ctx); err != nil {
			return nil, err
		}
		if rc.mayWait && !rc.conversation.showsAll(rc.request.Expected()) {
			return rc.requeueForLag(waited), nil
		}
	}
	decision, err := rc.decide(ctx)
	if err != nil {
		return nil, err
	}
	if decision.Lagging || rc.behind && rc.mayWait {
		return rc.requeueForLag(waited), nil
	}
	if decision.Announce, err = rc.withReasons(ctx, decision.Announce); err != nil {
		return nil, err
	}
	notices, err := rc.onPullRequests(ctx, decision)
	if err != nil {
		return nil, err
	}
	if a := decision.Automatic; a != nil {
		if err := rc.noteReason(ctx, *a); err != nil {
			return nil, err
		}
	}
	if err := rc.apply(ctx, rc.plan(decision, notices)); err != nil {
		return nil, err
	}
	rc.cacheOutcome(decision)
	rc.Metrics.decided(decision)
	if a := decision.Automatic; decision.TakenIn {
		rc.log.Info().Str("to", a.To).Msg("the repository takes this issue in")
	} else if a != nil {
		rc.log.Info().Str("from", a.From).Str("to", a.To).Str("why", a.Why).Str("about", a.About).Msg("this issue moves by itself")
	}
	if !decision.RequeueAt.IsZero() {
		return &Result{RequeueAfter: max(0, decision.RequeueAt.Sub(rc.Clock.Now())), Refusing: true}, nil
	}
	if a := decision.Automatic; a != nil { // the state it came to may have rows of its own, and the move may have to be told of
		return &Result{About: &MoveCause{To: a.To, What: a.About, Why: a.Why}}, nil
	}
	if decision.Held && rc.wrote {
		return &Result{}, nil
	}
	return rc.follow(ctx, decision, waited)
}

// follow runs the commands that wait, once the decision is applied, and says when the issue has to be reconciled again.
func (rc *reconciliation) follow(ctx context.Context, decision statemachine.Decision, waited int) (*Result, error) {
	undecided := rc.waitsForCommands()
	result, err := rc.runCommands(ctx, decision)
	if err == nil && result == nil && undecided {
		return &Result{}, nil
	}
	if err == nil && result == nil && !decision.TidyAt.IsZero() {
		return &Result{RequeueAfter: max(0, decision.TidyAt.Sub(rc.Clock.Now()))}, nil
	}
	switch life := rc.settings.Lifecycle; {
	case err != nil || result != nil:
	case mayMoveAgain(life, rc.enteredState): // GitHub's webhook of what Colony did itself wakes nobody
		result = &Result{}
	case rc.unsettled && rc.mayWait && HasTrigger(life, decision.State, "pull-request-conflicting"):
		result = rc.requeueForLag(waited)
	}
	return result, err
}

// mayMoveAgain reports whether something may follow by itself in a state that an issue was brought to.
func mayMoveAgain(life *statemachine.Lifecycle, state string) bool {
	s, there := life.State(state)
	return there && (s.Closes != "" || len(life.Readings(state)) > 0)
}

// decide decides, reading the comments, and facts outside of the issue's labels, only if it depends on them.
func (rc *reconciliation) decide(ctx context.Context) (statemachine.Decision, error) {
	return rc.decideBy(ctx, true)
}

// decideBy decides by the log and the comments, and by facts beside them if they are wanted.
func (rc *reconciliation) decideBy(ctx context.Context, facts bool) (statemachine.Decision, error) {
	for {
		decision := rc.settings.Lifecycle.Decide(rc.settings.Thresholds, rc.decisionInput())
		switch {
		case decision.NeedAnswers:
			if err := rc.readConversation(ctx); err != nil {
				return decision, err
			}
		case !decision.NeedAttribution.IsZero():
			if err := rc.trace(ctx, decision.NeedAttribution); err != nil {
				return decision, err
			}
		case facts && len(decision.NeedFacts) > 0:
			if err := rc.readFacts(ctx, decision.NeedFacts); err != nil {
				return decision, err
			}
		default:
			return decision, nil
		}
	}
}

func (rc *reconciliation) readConversation(ctx context.Context) error {
	if rc.conversation != nil {
		return nil
	}
	comments, err := rc.store.Comments(ctx, rc.view.Ref, rc.heardSince)
	if err != nil {
		return err
	}
	return rc.parseComments(ctx, comments)
}

// parseComments reads what the comments say.
func (rc *reconciliation) parseComments(ctx context.Context, comments []issues.Comment) error {
	conversation, err := rc.readComments(ctx, comments)
	if err != nil {
		return err
	}
	rc.conversation = conversation
	rc.attribute(rc.attributable())
	return nil
}

// decisionInput is what a decision goes by, as far as it was read.
func (rc *reconciliation) decisionInput() statemachine.Input {
	in := statemachine.Input{
		Standing: rc.standing, Labels: rc.view.Labels, Updated: rc.view.Updated, Now: rc.read,
		TakenIn: rc.settings.Intake.Takes(rc.view, rc.judgedSince), Requests: rc.settings.Intake.Requests(),
		MayWait: rc.mayWait, Facts: rc.facts, Closed: rc.view.Closed, Reopened: rc.view.Reopened,
	}
	if rc.conversation != nil {
		in.Answered = rc.conversation.answered
		if rc.attributions == nil {
			rc.attributions, _ = commands.AttributeMoves(rc.settings.Lifecycle, rc.standing, rc.conversation.written())
		}
		in.Commanded = func(id int64) bool { _, ok := rc.attributions[id]; return ok }
		in.ForcePending, in.RefusedCommand = rc.conversation.forcePending(), rc.conversation.refusedSince
		in.LastAsked = slices.Max(append(rc.conversation.asked, 0))
		in.Asked = func(id int64) bool {
			return slices.Contains(rc.conversation.asked, id) || rc.explained.asked(rc.view.Ref, id)
		}
	} else if rc.explained.all(rc.view.Ref, rc.settings.Lifecycle, rc.standing) {
		in.Answered = func(id int64) bool { return rc.explained.has(rc.view.Ref, id) }
		in.Commanded = func(id int64) bool { return rc.explained.commanded(rc.view.Ref, id) }
	}
	return in
}

// plan turns a decision into writes, in the order that survives a crash between any two: labels are added before others
// are removed, so that the issue never looks like a new one, and what is left out the next reconciliation finds in the log and
// among the markers. Labels come first for another reason too: a state that is put back late could undo a move.
func (rc *reconciliation) plan(d statemachine.Decision, notices []issues.Write) []issues.Write {
	var writes []issues.Write
	if d.Repeat != "" {
		writes = append(writes, issues.Write{Remove: d.Repeat}, issues.Write{Add: []string{d.Repeat}})
	}
	if len(d.Add) > 0 {
		writes = append(writes, issues.Write{Add: d.Add})
	}
	for _, label := range d.Remove {
		writes = append(writes, issues.Write{Remove: label})
	}
	writes = append(writes, notices...)
	if len(d.Explain) > 0 {
		writes = append(writes, issues.Write{Comment: wording.Rejections(rc.settings.Lifecycle, rc.standing, d.Explain)})
	}
	if len(d.Announce) > 0 {
		writes = append(writes, issues.Write{Comment: wording.Announcements(rc.settings.Lifecycle, rc.standing, d.Announce)})
	}
	if len(d.Ask) > 0 {
		writes = append(writes, issues.Write{Comment: wording.RenderAsked(rc.settings.Lifecycle, rc.standing, d.Ask)})
	}
	if d.HaltUnsaid {
		p, halt := rc.settings.Thresholds, wording.Halted
		if d.Halted.Verdict == statemachine.Legal {
			halt = wording.Loops
		}
		writes = append(writes, issues.Write{Comment: halt(p.BreakerRejections, p.BreakerWindow, slices.Max(d.Halted.IDs))})
	}
	if d.Close != "" {
		writes = append(writes, issues.Write{Close: d.Close})
	}
	return writes
}

func (rc *reconciliation) apply(ctx context.Context, writes []issues.Write) error {
	_, err := rc.applyAll(ctx, writes)
	return err
}

// applyAll applies writes and returns what GitHub refused for good of those that do not stop the others; see Store.Apply.
func (rc *reconciliation) applyAll(ctx context.Context, writes []issues.Write) (refused []issues.Refused, err error) {
	rc.wrote = rc.wrote || len(writes) > 0
	rc.written = append(rc.written, writes...)
	for _, w := range writes {
		for _, label := range w.Add {
			if state, is := rc.settings.Lifecycle.StateOf(label); is {
				rc.enteredState = state.Name
			}
		}
		rc.log.Info().Stringer("write", w).Msg("write")
	}
	refused, err = rc.store.Apply(ctx, rc.view.Ref, writes)
	rc.unsaid = len(refused) > 0
	if err == nil {
		before := afterWrites(rc.view.Labels, rc.written[:len(rc.written)-len(writes)])
		rc.recent.add(rc.view.Ref, before, rc.view.Changes, writes, rc.Clock.Now())
	}
	for _, r := range refused {
		rc.log.Warn().Err(r.Err).Stringer("write", r.Write).Msg("GitHub refuses this for good")
		rc.Metrics.refusedWrite(r.Write.Kind())
		rc.refused.add(rc.view.Ref, r, rc.Clock.Now())
	}
	return refused, err
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
	if !d.RequeueAt.IsZero() {
		return // what there is to tell waits for that reconciliation
	}
	for _, id := range rc.settings.Lifecycle.MayAnnounce(rc.standing) {
		switch a, byCommand := rc.attributions[id]; {
		case !byCommand:
			rc.explained.add(rc.view.Ref, id)
		case !rc.conversation.waits(a.CommentID): // one that still waits may turn out not to be permitted
			rc.explained.command(rc.view.Ref, id)
		}
	}
}
