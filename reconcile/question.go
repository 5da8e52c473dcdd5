package reconcile

import (
	"context"
	"slices"
	"time"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/github/issues"
)

// WaitShare is why a request waits that somebody made who may not move issues.
const WaitShare = "share"

// IsAnswered reports whether a request is about the commands of comments alone that have their receipt by now: another one ran them.
func (r *Reconciler) IsAnswered(request Request) bool {
	if !request.Commands || request.Kind != KindIssue {
		return false
	}
	return !slices.ContainsFunc(request.Expected(), func(e ExpectedEvent) bool {
		return e.CommentID == 0 || e.Label != "" || e.PullRequest != 0 || !r.Store.HasReceipt(request.Ref, e.CommentID)
	})
}

// answerQuestions answers the comments of those who may not move issues, as far as their shares reach. What is left waits, and one
// request comes back for it.
func (rc *reconciliation) answerQuestions(ctx context.Context, s *session, questions []int, askers map[string]commands.Requester) (*Result, error) {
	for n, i := range questions {
		o := rc.conversation.commands[i]
		if wait := rc.waitOf(o, len(questions)-n); wait > 0 {
			if !rc.shares.deferAnswers(rc.view.Ref, wait) {
				return nil, nil
			}
			rc.Metrics.Requeued(WaitShare)
			return &Result{RequeueAfter: wait}, nil
		}
		if o.void != "" {
			if err := rc.refuseVoid(ctx, i); err != nil {
				return nil, err
			}
			continue
		}
		if result, err := rc.runComment(ctx, s, i, askers[o.comment.By.Login]); result != nil || err != nil {
			return result, err
		}
	}
	return nil, nil
}

// waitOf takes an answer out of the shares, and returns how long it has to wait if there is not enough left. What is known to come from
// somebody who may move issues, and is not run all the same, waits for nothing. What is not written costs nothing.
func (rc *reconciliation) waitOf(o commandComment, pending int) (wait time.Duration) {
	if !rc.settings.Mode.Writes() || rc.movers.knows(rc.view.Ref.Repository, o.comment.By.Login) {
		return 0
	}
	return rc.shares.answer(rc.questionOf(o), pending)
}

// onlyReact leaves the comment out of an answer if there were enough of them within the hour.
func (rc *reconciliation) onlyReact(o commandComment, r *commands.Result) {
	if len(r.Replies) == 0 || rc.isReplied(o) || !rc.settings.Mode.Writes() || rc.shares.comment(rc.questionOf(o)) {
		return
	}
	r.Replies = nil
	if r.Answer == commands.Accepted && len(r.Moves) == 0 {
		r.Answer = commands.NotPermitted // nobody learns what they asked for
	}
}

// isReplied reports whether a comment has its reply already.
func (rc *reconciliation) isReplied(o commandComment) bool {
	return slices.Contains(rc.conversation.replied, o.comment.ID)
}

func (rc *reconciliation) questionOf(o commandComment) question {
	return question{rc.view.Ref, o.comment.By.Login}
}

// requesterOnce finds out what the writer of a comment may do, once for all comments of a reconciliation.
func (rc *reconciliation) requesterOnce(ctx context.Context, known map[string]commands.Requester, comment issues.Comment) (commands.Requester, error) {
	if requester, ok := known[comment.By.Login]; ok {
		return requester, nil
	}
	requester, err := rc.requester(ctx, comment)
	if err == nil {
		known[comment.By.Login] = requester
	}
	return requester, err
}
