package reconcile

import (
	"context"
	"slices"
	"time"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/commands/wording"
)

// WaitShare is why a request waits that was made by someone who is not allowed to move issues.
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

// answerQuestions answers the comments of people who are not allowed to move issues, as far as their shares reach. What is left waits, and one
// request comes back for it.
func (s *session) answerQuestions(ctx context.Context, questions []int) (*Result, error) {
	for n, i := range questions {
		o := s.conversation.commands[i]
		if wait := s.waitOf(o, len(questions)-n); wait > 0 {
			if !s.shares.deferAnswers(s.view.Ref, wait) {
				return nil, nil
			}
			s.Metrics.Requeued(WaitShare)
			return &Result{RequeueAfter: wait}, nil
		}
		if o.void != "" {
			if err := s.refuseVoid(ctx, i); err != nil {
				return nil, err
			}
			continue
		}
		if result, err := s.runComment(ctx, i, s.askers[o.comment.By.Login]); result != nil || err != nil {
			return result, err
		}
	}
	return nil, nil
}

// waitOf takes an answer out of the shares, and returns how long it has to wait if there is not enough left. What is known to come from someone
// who is allowed to move issues, and is not run all the same, waits for nothing. What is not written costs nothing.
func (s *session) waitOf(o commandComment, pending int) (wait time.Duration) {
	if !s.settings.Mode.Writes() || s.isMover(s.view.Ref.Repository, o.comment.By) {
		return 0
	}
	return s.shares.answer(s.questionOf(o), pending)
}

// onlyReact leaves the comment out of an answer if there were enough of them within the hour.
func (s *session) onlyReact(o commandComment, r *commands.Result) {
	if len(r.Replies) == 0 || s.isReplied(o) || !s.settings.Mode.Writes() || s.shares.comment(s.questionOf(o)) {
		return
	}
	r.Replies = nil
	if r.Answer == commands.Accepted && len(r.Moves) == 0 {
		r.Answer = commands.NotPermitted // no one learns what they asked for
	}
}

// isReplied reports whether a comment has its reply already.
func (s *session) isReplied(o commandComment) bool {
	return slices.Contains(s.conversation.marked[wording.Answers], o.comment.ID)
}

func (s *session) questionOf(o commandComment) question {
	return question{s.view.Ref, o.comment.By.Login}
}
