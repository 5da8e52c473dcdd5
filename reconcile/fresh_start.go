package reconcile

import (
	"context"
	"slices"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
)

// startAfresh makes the moves of a comment that starts the work of an issue afresh, and closes the open pull requests of the issue. The
// moves come first: a pull request that is closed while the issue waits for it would move the issue. It returns what is left to
// write of the comment's result, and the labels that the issue has now.
func (s *session) startAfresh(ctx context.Context, o commandComment, r commands.Result, labels []string) (commands.Result, []string, error) {
	moves := writesOfMoves(s.settings.Lifecycle, r.Moves, r.NeedsHuman, labels)
	if err := s.write(ctx, moves); err != nil {
		return r, labels, err
	}
	left, err := s.closePullRequests(ctx, o, wording.ClosedPullRequest(s.view.Ref.Number, r.FreshStart, o.comment.By, o.comment.ID))
	if err != nil {
		return r, labels, err
	}
	if len(left) > 0 {
		r.Replies = append(r.Replies, wording.LeftOpen(left))
	}
	r.Moves = nil
	return r, afterWrites(labels, moves), nil
}

// closePullRequests closes the open pull requests of an issue and tells each of them why. It returns those that GitHub does not let
// Colony close. A crash leaves nothing out: the next run of the comment tells those that Colony has closed since it was written.
func (s *session) closePullRequests(ctx context.Context, o commandComment, why string) (left []int, err error) {
	open, closed, err := s.store.Superseded(ctx, s.view, o.comment.Created)
	if err != nil {
		return nil, err
	}
	var untold []int
	for _, number := range closed {
		told, err := s.told(ctx, number, o.comment)
		if err != nil {
			return nil, err
		}
		if !told {
			untold = append(untold, number)
		}
	}
	for _, number := range open {
		refused, err := s.writeAll(ctx, []issues.Write{{ClosePull: number}})
		switch {
		case err != nil:
			return nil, err
		case refused != nil:
			left = append(left, number)
		default:
			untold = append(untold, number)
		}
	}
	for _, number := range untold {
		if err := s.write(ctx, []issues.Write{{On: number, Comment: why, Purpose: purpose(wording.Answers, o.comment.ID)}}); err != nil {
			return nil, err
		}
	}
	return left, nil
}

// told reports whether a pull request has Colony's comment about a command.
func (s *session) told(ctx context.Context, pull int, command issues.Comment) (bool, error) {
	said, err := s.store.Comments(ctx, issues.Ref{Repository: s.view.Ref.Repository, Number: pull}, command.Created)
	return slices.ContainsFunc(said, func(c issues.Comment) bool {
		return c.By.Kind == lifecycle.Colony && slices.Contains(wording.Markers(c.Body)[wording.Answers], command.ID)
	}), err
}
