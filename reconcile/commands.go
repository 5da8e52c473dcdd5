package reconcile

import (
	"context"
	"errors"
	"time"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// reactions says how Colony answers; see commands.Answer.
var reactions = map[commands.Answer]string{
	commands.Accepted:     issues.ThumbsUp,
	commands.NotPermitted: issues.ThumbsDown,
	commands.Refused:      issues.Confused,
}

type session struct {
	*reconciliation
	life *statemachine.Table
	// reached is where the commands that were run so far have brought the issue, and labels what it has by then.
	reached  statemachine.Standing
	labels   []string
	made     map[int64]commands.MoveAttribution
	run      []int // how many commands of each comment were run before
	halted   bool
	withheld *statemachine.Automatic
	mistaken bool
	// askers are the writers whose rights were found out, by login.
	askers map[string]commands.Requester
}

// runCommands runs the comments that have no receipt yet on an issue to which a decision was applied. Comments of people who are allowed to move
// issues go first, in their order. What others ask moves nothing, so it makes no difference to them that they wait.
func (rc *reconciliation) runCommands(ctx context.Context, decision statemachine.Decision) (*Result, error) {
	if rc.conversation == nil {
		return nil, nil
	}
	s := &session{
		reconciliation: rc, life: rc.settings.Lifecycle, reached: rc.standing, labels: afterWrites(rc.view.Labels, append([]issues.Write{{Add: decision.Add}}, removals(decision.Remove)...)),
		halted: decision.Halted != nil, withheld: decision.Withheld, askers: map[string]commands.Requester{},
	}
	s.reached.State = decision.State
	s.made, s.run = commands.AttributeMoves(s.life, rc.since(s.reached), s.permitted(ctx))
	return s.runAll(ctx)
}

func (s *session) runAll(ctx context.Context) (*Result, error) {
	var questions []int
	for i, o := range s.conversation.commands {
		if !o.pending() {
			continue
		}
		if o.void != "" {
			waits, err := s.answerVoid(ctx, i)
			if err != nil {
				return nil, err
			}
			if waits {
				questions = append(questions, i)
			}
			continue
		}
		requester, err := s.requester(ctx, o.comment)
		if err != nil {
			return nil, err
		}
		if requester.Right < commands.MayMove {
			questions = append(questions, i)
			continue
		}
		if result, err := s.runComment(ctx, i, requester); result != nil || err != nil {
			return result, err
		}
	}
	if result, err := s.answerQuestions(ctx, questions); result != nil || err != nil {
		return result, err
	}
	if s.mistaken && len(s.life.MayAnnounce(s.standing)) > 0 { // a move that was counted as the command's might be Colony's own, and not reported
		return &Result{}, nil
	}
	return nil, nil
}

func (s *session) runComment(ctx context.Context, i int, requester commands.Requester) (*Result, error) {
	o := s.conversation.commands[i]
	result, err := s.answerTo(ctx, i, requester)
	if err != nil {
		return nil, err
	}
	if result.Unread {
		if s.mayWait { // what a guard needs could not be read: who wrote the comment sees that it was not overlooked
			if err := s.write(ctx, []issues.Write{eyes(o.comment.ID)}); err != nil {
				return nil, err
			}
			return s.requeueForLag(), nil
		}
		result.Replies = append(result.Replies, wording.Unreadable(s.conditions.because()))
	}
	if quiet := s.reached.LastChange.Add(s.settings.Thresholds.Settle); result.Answer == commands.Refused && s.Clock.Now().Before(quiet) {
		return &Result{RequeueAfter: quiet.Sub(s.Clock.Now())}, nil
	}
	if len(result.Moves) > 0 && s.Clock.Since(o.comment.Created) > lateAfter {
		result.Replies = append(result.Replies, wording.Late(o.comment.Created))
	}
	if s.talksWithBot(i) {
		result.Replies = nil
	}
	if requester.Right < commands.MayMove {
		s.onlyReact(o, &result)
	}
	return nil, s.carryOut(ctx, o, requester, result)
}

func (s *session) answerTo(ctx context.Context, i int, requester commands.Requester) (commands.Result, error) {
	o := s.conversation.commands[i]
	env := commands.Env{
		Lifecycle: s.life, Standing: s.reached, Attributions: s.made, Now: s.Clock.Now(),
		Labels: s.labels, Blockers: s.blockers(s.reached), NeedsHuman: lifecycle.HasLabel(s.labels, lifecycle.NeedsHuman), Halted: s.halted,
		Withheld: s.withheld, Question: asksWhere(s.inquiry), Stuck: stuck(s.inquiry, s.reached),
	}
	if s.view.SubIssues != nil { // the server tells
		env.SubIssues = wording.Progress(*s.view.SubIssues)
	}
	if err := s.completeEnv(ctx, &env, requester, o.invocations); err != nil {
		return commands.Result{}, err
	}
	var unread error
	env.Rule = func(standing statemachine.Standing, a statemachine.Ask) statemachine.Ruling {
		ruling, err := s.ruling(ctx, standing, a)
		unread = errors.Join(unread, err)
		return ruling
	}
	return commands.Continue(env, requester, o.comment.ID, o.invocations, s.run[i]), unread
}

func (s *session) carryOut(ctx context.Context, o commandComment, by commands.Requester, result commands.Result) error {
	planned := WritesOfCommands(s.life, o.comment.ID, s.isReplied(o), result, s.labels)
	if err := s.sayCommand(ctx, verdictOn(s.life, o, by.Actor, s.reached.State, result), planned); err != nil {
		return err
	}
	if len(result.Moves) > 0 {
		s.commander = requester{by.Actor, o.comment.Created} // the log names Colony
	}
	if result.FreshStart != "" {
		var err error
		if result, s.labels, err = s.startAfresh(ctx, o, result, s.labels); err != nil {
			return err
		}
	}
	writes, err := planAll(ctx, planning{
		settings: s.settings, standing: s.standing, issue: s.inquiry, answer: &answering{result, o.comment.ID, s.isReplied(o), s.labels},
	})
	if err != nil {
		return err
	}
	if err := s.write(ctx, writes); err != nil {
		return err
	}
	if err := s.answered(ctx, o, result.Answer, reactions[result.Answer]); err != nil {
		return err
	}
	s.mistaken = s.mistaken || result.Answer != commands.Accepted
	s.reached = result.Standing
	s.labels = afterWrites(s.labels, writes)
	if len(result.Links) > 0 {
		s.enteredState = s.reached.State
	}
	return nil
}

// sayCommand tells of what the commands of a comment come to, where they are not run in the log only.
func (s *session) sayCommand(ctx context.Context, v Verdict, writes []issues.Write) error {
	if s.settings.Mode.Writes() {
		return s.audit(ctx, v.To, writes, v)
	}
	v.Kind = VerdictCommand
	s.say(v)
	return nil
}

// permitted renders the comments with commands for commands.AttributeMoves. Where more than one waits, it tells whose writers are allowed to move.
// What one of them moved, before it was cut off, must not pass for the work of a stranger's command that never ran. Whose right cannot be read is
// found out in its place.
func (s *session) permitted(ctx context.Context) []commands.CommandComment {
	written := s.conversation.written()
	var waiting []int
	for i, o := range s.conversation.commands {
		if o.pending() && o.void == "" {
			waiting = append(waiting, i)
		}
	}
	if len(waiting) < 2 {
		return written
	}
	for _, i := range waiting {
		requester, err := s.requester(ctx, s.conversation.commands[i].comment)
		written[i].Permitted = err == nil && requester.Right >= commands.MayMove
	}
	return written
}

// answerVoid answers a comment whose commands are not run, unless it has to wait for a share: who wrote it is not asked for.
func (s *session) answerVoid(ctx context.Context, i int) (waits bool, err error) {
	o := s.conversation.commands[i]
	switch {
	case o.void == wording.MayHaveRun && s.view.Locked: // GitHub takes no answer there, so it takes none out of the shares; its writer learns it when it does
		return false, nil
	case s.waitOf(o, 1) > 0:
		return true, nil
	}
	return false, s.refuseVoid(ctx, i)
}

// refuseVoid answers a comment whose commands are not run, once. GitHub is not asked what its writer is allowed to do: it makes no difference.
func (s *session) refuseVoid(ctx context.Context, i int) error {
	o := s.conversation.commands[i]
	var writes []issues.Write
	if !s.talksWithBot(i) && !s.isReplied(o) && (s.isMover(s.view.Ref.Repository, o.comment.By) || s.shares.comment(s.questionOf(o))) {
		writes = append(writes, issues.Write{Comment: wording.Reply(o.comment.ID, []string{wording.NotRun(o.void)}), Purpose: purpose(wording.Answers, o.comment.ID)})
	}
	writes = append(writes, issues.Write{Reaction: &issues.Reaction{CommentID: o.comment.ID, Content: issues.Confused}})
	v := Verdict{
		Kind: VerdictDeclined, ID: o.comment.ID, From: s.standing.State, To: s.standing.State, By: o.comment.By, At: o.comment.Created, Trigger: TriggerCommand,
		Reason: verbsOf(s.settings.Lifecycle, o) + ": not run, " + string(o.void),
	}
	if err := s.audit(ctx, s.standing.State, writes, v); err != nil {
		return err
	}
	if err := s.write(ctx, writes); err != nil {
		return err
	}
	return s.answered(ctx, o, commands.Refused, issues.Confused)
}

// answered remembers the receipt that a comment just got, or that GitHub did not take. Where nothing is written there is no receipt: the comment
// is to be answered if the mode changes before this process knows.
func (s *session) answered(ctx context.Context, o commandComment, answer commands.Answer, content string) error {
	if !s.settings.Mode.Writes() {
		return nil
	}
	s.Metrics.ran(s.settings.Lifecycle, o.invocations, answer)
	receipt := issues.Receipt{Content: content, At: s.Clock.Now()}
	if s.unsaid {
		if err := WriteNote(ctx, s.Notes, noteOfReceipt(s.view.Ref, o.comment.ID), receipt); err != nil {
			return err
		}
	}
	s.store.Remember(s.view.Ref, o.comment.ID, receipt)
	return nil
}

// since returns the standing of an issue as far as commands can have brought it there. Where labels are checked by a new table since a later time
// than that, an earlier command might have moved the issue and have no receipt. Its move is in the log.
func (q *inquiry) since(standing statemachine.Standing) statemachine.Standing {
	if !q.commandsSince.Before(q.judgedSince) {
		return standing
	}
	return q.foldSince(q.commandsSince)
}

// lateAfter is how old a comment can be before Colony says in its answer that the commands were run late.
const lateAfter = 10 * time.Minute

// talksWithBot reports whether a bot wrote so many commands on this issue lately that Colony only reacts to it. A bot that answers every comment
// must not be able to talk with Colony endlessly. The bounds are those of the breaker.
func (s *session) talksWithBot(i int) bool {
	orders := s.conversation.commands
	if orders[i].comment.By.Kind != lifecycle.Executor {
		return false
	}
	answered := 0
	for _, o := range orders[:i] {
		recent := orders[i].comment.Created.Sub(o.comment.Created) <= s.settings.Thresholds.BreakerWindow
		if recent && o.comment.By.Kind == lifecycle.Executor {
			answered++
		}
	}
	return answered >= s.settings.Thresholds.BreakerRejections
}

// RightOfApps is the right of an App's bot: GitHub's permission of it says nothing, but only an App that can write issues can comment. What
// it moves depends on its role.
const RightOfApps = commands.MayMove

// requester finds out what the writer of a comment is allowed to do, once for all comments of a reconciliation.
func (s *session) requester(ctx context.Context, comment issues.Comment) (commands.Requester, error) {
	by := comment.By
	if known, ok := s.askers[by.Login]; ok {
		return known, nil
	}
	switch {
	case by.IsApp():
		return commands.Requester{Actor: by, Right: RightOfApps}, nil
	case by.Login == "":
		s.askers[""] = commands.Requester{Actor: lifecycle.Actor{Kind: lifecycle.Author}}
		return s.askers[""], nil
	}
	permission, err := s.store.Permission(ctx, s.view.Ref.Repository, by.Login)
	if err != nil {
		return commands.Requester{}, &uncheckedError{error: err, comments: []int64{comment.ID}, what: "what the writer of a comment may do"}
	}
	asker := s.settings.RequesterOf(by, permission)
	s.movers.Add(moverKey(s.view.Ref.Repository, by.Login), asker.Right >= commands.MayMove)
	s.askers[by.Login] = asker
	return asker, nil
}
