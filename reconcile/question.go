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
func (l *Reconciler) IsAnswered(look Request) bool {
	if !look.Commands || look.Kind != KindIssue {
		return false
	}
	return !slices.ContainsFunc(look.Expected(), func(e ExpectedEvent) bool {
		return e.CommentID == 0 || e.Label != "" || e.PullRequest != 0 || !l.Store.HasReceipt(RefOf(look), e.CommentID)
	})
}

// answerQuestions answers the comments of those who may not move issues, as far as their shares reach. What is left waits, and one
// request comes back for it.
func (v *reconciliation) answerQuestions(ctx context.Context, s *session, questions []int, askers map[string]commands.Asker) (*Result, error) {
	for n, i := range questions {
		o := v.conversation.orders[i]
		if wait := v.waitOf(o, len(questions)-n); wait > 0 {
			if !v.shares.deferAnswers(v.view.Ref, wait) {
				return nil, nil
			}
			v.Metrics.Requeued(WaitShare)
			return &Result{RequeueAfter: wait}, nil
		}
		if o.void != "" {
			if err := v.refuseVoid(ctx, i); err != nil {
				return nil, err
			}
			continue
		}
		if later, err := v.runOrder(ctx, s, i, askers[o.comment.By.Login]); later != nil || err != nil {
			return later, err
		}
	}
	return nil, nil
}

// waitOf takes an answer out of the shares, and returns how long it has to wait if there is not enough left. What is known to come from
// somebody who may move issues, and is not run all the same, waits for nothing.
func (v *reconciliation) waitOf(o order, pending int) (wait time.Duration) {
	if v.movers.knows(v.view.Ref.Repository, o.comment.By.Login) {
		return 0
	}
	return v.shares.answer(v.questionOf(o), pending)
}

// onlyReact leaves the comment out of an answer if there were enough of them within the hour.
func (v *reconciliation) onlyReact(o order, r *commands.Result) {
	if len(r.Replies) == 0 || v.isReplied(o) || v.shares.comment(v.questionOf(o)) {
		return
	}
	r.Replies = nil
	if r.Answer == commands.Accepted && len(r.Moves) == 0 {
		r.Answer = commands.NotPermitted // nobody is told what they asked for
	}
}

// isReplied reports whether a comment has its reply already.
func (v *reconciliation) isReplied(o order) bool {
	return slices.Contains(v.conversation.replied, o.comment.ID)
}

func (v *reconciliation) questionOf(o order) question {
	return question{v.view.Ref, o.comment.By.Login}
}

// askerOnce finds out what the writer of a comment may do, once for all comments of one visit.
func (v *reconciliation) askerOnce(ctx context.Context, known map[string]commands.Asker, comment issues.Comment) (commands.Asker, error) {
	if asker, ok := known[comment.By.Login]; ok {
		return asker, nil
	}
	asker, err := v.asker(ctx, comment)
	if err == nil {
		known[comment.By.Login] = asker
	}
	return asker, err
}
