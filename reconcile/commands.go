package reconcile

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// reactions says how Colony answers; see commands.Answer.
var reactions = map[commands.Answer]string{
	commands.Accepted:     issues.ThumbsUp,
	commands.NotPermitted: issues.ThumbsDown,
	commands.Refused:      issues.Confused,
}

// session is the commands of an issue being run, comment by comment.
type session struct {
	life         *statemachine.Table
	standing     statemachine.Standing
	attributions map[int64]commands.MoveAttribution
	run          []int // how many commands of each comment were run before
	labels       []string
	halted       bool
	withheld     *statemachine.Automatic
	mistaken     bool
}

// runCommands runs the comments that have no receipt yet on an issue to which a decision was applied. Those of people who may move
// issues go first, in their order; what others ask moves nothing, so it makes no difference to them that they wait.
func (rc *reconciliation) runCommands(ctx context.Context, decision statemachine.Decision) (*Result, error) {
	if rc.conversation == nil {
		return nil, nil
	}
	s := &session{life: rc.settings.Lifecycle, standing: rc.standing, labels: after(rc.view.Labels, decision), halted: decision.Halted != nil, withheld: decision.Withheld}
	s.standing.State = decision.State
	askers := map[string]commands.Requester{}
	s.attributions, s.run = commands.AttributeMoves(s.life, rc.since(s.standing), rc.permitted(ctx, askers))
	var questions []int
	for i, o := range rc.conversation.commands {
		if !o.pending() {
			continue
		}
		if o.void == wording.MayHaveRun && rc.view.Locked {
			continue // GitHub takes no answer there, so it takes none out of the shares; its writer learns it when it does
		}
		if o.void != "" { // who wrote it is not asked for: it is said in its place as long as there is a share left for it
			if rc.waitOf(o, 1) > 0 {
				questions = append(questions, i)
			} else if err := rc.refuseVoid(ctx, i); err != nil {
				return nil, err
			}
			continue
		}
		requester, err := rc.requesterOnce(ctx, askers, o.comment)
		if err != nil {
			return nil, err
		}
		if requester.Right < commands.MayMove {
			questions = append(questions, i)
			continue
		}
		if result, err := rc.runComment(ctx, s, i, requester); result != nil || err != nil {
			return result, err
		}
	}
	if result, err := rc.answerQuestions(ctx, s, questions, askers); result != nil || err != nil {
		return result, err
	}
	if s.mistaken && len(s.life.MayAnnounce(rc.standing)) > 0 { // a move that was taken for the command's may be Colony's own, and untold
		return &Result{}, nil
	}
	return nil, nil
}

// runComment runs the commands of one comment.
func (rc *reconciliation) runComment(ctx context.Context, s *session, i int, requester commands.Requester) (*Result, error) {
	o := rc.conversation.commands[i]
	env := commands.Env{
		Lifecycle: s.life, Standing: s.standing, Attributions: s.attributions, Now: rc.Clock.Now(),
		Labels: s.labels, SubIssues: rc.subIssues(), Blockers: rc.blockers(s.standing), NeedsHuman: lifecycle.HasLabel(s.labels, lifecycle.NeedsHuman), Halted: s.halted,
		Withheld: s.withheld,
	}
	if err := rc.completeEnv(ctx, &env, requester, o.invocations); err != nil {
		return nil, err
	}
	var unread error
	env.Rule = func(standing statemachine.Standing, a statemachine.Ask) statemachine.Ruling {
		ruling, err := rc.ruling(ctx, standing, a)
		unread = errors.Join(unread, err)
		return ruling
	}
	result := commands.Continue(env, requester, o.comment.ID, o.invocations, s.run[i])
	if unread != nil {
		return nil, unread
	}
	if result.Unread {
		if rc.mayWait {
			return rc.tryAgain(ctx, o)
		}
		result.Replies = append(result.Replies, wording.Unreadable(rc.conditions.because()))
	}
	if quiet := s.standing.LastChange.Add(rc.settings.Thresholds.Settle); result.Answer == commands.Refused && rc.Clock.Now().Before(quiet) {
		return &Result{RequeueAfter: quiet.Sub(rc.Clock.Now())}, nil
	}
	if len(result.Moves) > 0 && rc.Clock.Since(o.comment.Created) > lateAfter {
		result.Replies = append(result.Replies, wording.Late(o.comment.Created))
	}
	if rc.talksWithBot(i) {
		result.Replies = nil
	}
	if requester.Right < commands.MayMove {
		rc.onlyReact(o, &result)
	}
	planned := WritesOfCommands(s.life, o.comment.ID, rc.isReplied(o), result, s.labels)
	if err := rc.sayCommand(ctx, verdictOn(s.life, o, requester.Actor, s.standing.State, result), planned); err != nil {
		return nil, err
	}
	if len(result.Moves) > 0 {
		rc.ordered(requester.Actor, o.comment.Created)
	}
	if result.FreshStart != "" {
		var err error
		if result, s.labels, err = rc.startAfresh(ctx, o, result, s.labels); err != nil {
			return nil, err
		}
	}
	notices, err := rc.onPullRequests(ctx, noticesOfCommands(o.comment.ID, result.Reached))
	if err != nil {
		return nil, err
	}
	writes := slices.Concat(notices, WritesOfCommands(s.life, o.comment.ID, rc.isReplied(o), result, s.labels))
	if writes, err = rc.tidied(ctx, writes); err != nil {
		return nil, err
	}
	if err := rc.write(ctx, writes); err != nil {
		return nil, err
	}
	if err := rc.answered(ctx, o, result.Answer, reactions[result.Answer]); err != nil {
		return nil, err
	}
	s.mistaken = s.mistaken || result.Answer != commands.Accepted
	s.standing = result.Standing
	s.labels = afterWrites(s.labels, writes)
	if len(result.Links) > 0 {
		rc.enteredState = s.standing.State
	}
	return nil, nil
}

// sayCommand tells of what the commands of a comment come to, where they are not run in the log only.
func (rc *reconciliation) sayCommand(ctx context.Context, v Verdict, writes []issues.Write) error {
	if rc.settings.Mode.Writes() {
		return rc.audit(ctx, v.To, writes, v)
	}
	v.Kind = VerdictCommand
	rc.say(v)
	return nil
}

// tryAgain shows the writer of a comment that it was not overlooked: what a guard needs could not be read.
func (rc *reconciliation) tryAgain(ctx context.Context, o commandComment) (*Result, error) {
	eyes := issues.Write{Reaction: &issues.Reaction{CommentID: o.comment.ID, Content: issues.Eyes}}
	if err := rc.write(ctx, []issues.Write{eyes}); err != nil {
		return nil, err
	}
	return rc.requeueForLag(), nil
}

// permitted renders the comments with commands for commands.AttributeMoves. Where more than one waits, it tells whose writers may move: what
// one of them moved, before it was cut off, must not pass for the work of a stranger's command that never ran. Whose right cannot be
// read is found out in its place.
func (rc *reconciliation) permitted(ctx context.Context, askers map[string]commands.Requester) []commands.CommandComment {
	written := rc.conversation.written()
	var waiting []int
	for i, o := range rc.conversation.commands {
		if o.pending() && o.void == "" {
			waiting = append(waiting, i)
		}
	}
	if len(waiting) < 2 {
		return written
	}
	for _, i := range waiting {
		requester, err := rc.requesterOnce(ctx, askers, rc.conversation.commands[i].comment)
		written[i].Permitted = err == nil && requester.Right >= commands.MayMove
	}
	return written
}

// refuseVoid answers a comment whose commands are not run, once. Nobody is asked what its writer may do: it makes no difference.
func (rc *reconciliation) refuseVoid(ctx context.Context, i int) error {
	o := rc.conversation.commands[i]
	var writes []issues.Write
	if !rc.talksWithBot(i) && !rc.isReplied(o) && (rc.movers.knows(rc.view.Ref.Repository, o.comment.By.Login) || rc.shares.comment(rc.questionOf(o))) {
		writes = append(writes, issues.Write{Comment: wording.Reply(o.comment.ID, []string{wording.NotRun(o.void)})})
	}
	writes = append(writes, issues.Write{Reaction: &issues.Reaction{CommentID: o.comment.ID, Content: issues.Confused}})
	v := Verdict{
		Kind: VerdictDeclined, ID: o.comment.ID, From: rc.standing.State, To: rc.standing.State, By: o.comment.By, At: o.comment.Created, Trigger: TriggerCommand,
		Reason: verbsOf(rc.settings.Lifecycle, o) + ": not run, " + string(o.void),
	}
	if err := rc.audit(ctx, rc.standing.State, writes, v); err != nil {
		return err
	}
	if err := rc.write(ctx, writes); err != nil {
		return err
	}
	return rc.answered(ctx, o, commands.Refused, issues.Confused)
}

// answered remembers the receipt that a comment just got, or that GitHub did not take. Where nothing is written there is none: the comment
// is to be answered if the mode changes before this process knows.
func (rc *reconciliation) answered(ctx context.Context, o commandComment, answer commands.Answer, content string) error {
	if !rc.settings.Mode.Writes() {
		return nil
	}
	rc.Metrics.ran(rc.settings.Lifecycle, o.invocations, answer)
	receipt := issues.Receipt{Content: content, At: rc.Clock.Now()}
	if rc.unsaid {
		if err := rc.note(ctx, noteOfReceipt(rc.view.Ref, o.comment.ID), receipt); err != nil {
			return err
		}
	}
	rc.store.Remember(rc.view.Ref, o.comment.ID, receipt)
	return nil
}

// since returns how an issue stands as far as commands can have brought it there. Where labels are judged by a new table since a
// later time than that, a command of before may have moved the issue and have no receipt: its move is in the log.
func (rc *reconciliation) since(standing statemachine.Standing) statemachine.Standing {
	if !rc.commandsSince.Before(rc.judgedSince) {
		return standing
	}
	return rc.foldSince(rc.commandsSince)
}

// lateAfter is how old a comment may be before Colony says in its answer that the commands were run late.
const lateAfter = 10 * time.Minute

// talksWithBot reports whether a bot wrote so many commands on this issue lately that Colony only reacts to it: a bot that
// answers every comment must not be able to talk with Colony for ever. The bounds are those of the breaker.
func (rc *reconciliation) talksWithBot(i int) bool {
	orders := rc.conversation.commands
	if orders[i].comment.By.Kind != lifecycle.Executor {
		return false
	}
	answered := 0
	for _, o := range orders[:i] {
		recent := orders[i].comment.Created.Sub(o.comment.Created) <= rc.settings.Thresholds.BreakerWindow
		if recent && o.comment.By.Kind == lifecycle.Executor {
			answered++
		}
	}
	return answered >= rc.settings.Thresholds.BreakerRejections
}

// RightOfApps is the right of an App's bot: GitHub's permission of it says nothing, but only an App that can write issues can comment. What
// it moves depends on its role.
const RightOfApps = commands.MayMove

// requester finds out what the writer of a comment may do. Where that cannot be read, the comment gets 👀, so that its writer, who
// waits sees that it was not overlooked, and the request is tried again.
func (rc *reconciliation) requester(ctx context.Context, comment issues.Comment) (commands.Requester, error) {
	by := comment.By
	if strings.HasSuffix(by.Login, "[bot]") {
		return commands.Requester{Actor: by, Right: RightOfApps}, nil
	}
	if by.Login == "" {
		return commands.Requester{Actor: lifecycle.Actor{Kind: lifecycle.Author}}, nil
	}
	permission, err := rc.store.Permission(ctx, rc.view.Ref.Repository, by.Login)
	if limited := (*ratelimit.Error)(nil); errors.As(err, &limited) {
		return commands.Requester{}, err // a reaction would be refused as well, and the request comes again anyway
	}
	if err != nil {
		eyes := issues.Write{Reaction: &issues.Reaction{CommentID: comment.ID, Content: issues.Eyes}}
		if eyesErr := rc.write(ctx, []issues.Write{eyes}); eyesErr != nil {
			rc.log.Warn().Err(eyesErr).Msg("say that a permission could not be checked")
		}
		return commands.Requester{}, err
	}
	right := rc.settings.RightOf(permission)
	rc.movers.learn(rc.view.Ref.Repository, by.Login, right >= commands.MayMove)
	if by.Kind == lifecycle.Operator && right < commands.MayMove {
		by.Kind = lifecycle.Author
	}
	return commands.Requester{Actor: by, Right: right}, nil
}

// after returns the labels that are on an issue once a decision was applied.
func after(labels []string, d statemachine.Decision) []string {
	labels = slices.Concat(labels, d.Add)
	return slices.DeleteFunc(labels, func(l string) bool { return lifecycle.HasLabel(d.Remove, l) })
}

func afterWrites(labels []string, writes []issues.Write) []string {
	for _, w := range writes {
		labels = slices.Concat(labels, w.Add)
		labels = slices.DeleteFunc(labels, func(l string) bool { return w.Remove != "" && lifecycle.SameLabel(l, w.Remove) })
	}
	return labels
}
