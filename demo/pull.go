package demo

import (
	"context"
	"fmt"
	"strings"

	"github.com/colony-app/colony/playground"
)

// checker is the App that reports checks on pull requests.
const checker = "ci"

// proposes opens a pull request that says which issue it closes.
func proposes(who, branch string) act {
	return act{fmt.Sprintf("%s opens a pull request from the branch %s", who, branch), func(_ context.Context, s *stage) error {
		number, err := s.world.Playground.OpenPullRequest(playground.PullRequest{
			Owner: Owner, Name: Repository, By: who, Branch: branch, Body: fmt.Sprintf("Closes #%d.", s.issue),
		})
		s.pulls[s.issue] = number
		return err
	}}
}

func pushes(branch string) act {
	const who = "fix-bot"
	return act{fmt.Sprintf("%s pushes to %s", who, branch), func(_ context.Context, s *stage) error {
		s.pushed++
		_, err := s.world.Playground.Push(Owner, Repository, branch, branch+".txt", fmt.Sprintf("attempt %d\n", s.pushed), who)
		return err
	}}
}

// sharing has several branches change the same file.
func sharing(who string, branches ...string) act {
	return act{fmt.Sprintf("%s pushes to %s, each time another shared.txt", who, strings.Join(branches, " and ")), func(_ context.Context, s *stage) error {
		for _, branch := range branches {
			if _, err := s.world.Playground.Push(Owner, Repository, branch, "shared.txt", branch+"\n", who); err != nil {
				return err
			}
		}
		return nil
	}}
}

func checks(branch, conclusion string) act {
	return act{fmt.Sprintf("the checks of %s end with %s", branch, conclusion), func(_ context.Context, s *stage) error {
		_, err := s.world.Playground.SetCheck(Owner, Repository, branch, checker, "test", conclusion)
		return err
	}}
}

// wantsChanges is the maintainer's review.
func wantsChanges(text string) act {
	return act{fmt.Sprintf("%s requests changes: %s", Maintainer, text), func(_ context.Context, s *stage) error {
		_, err := s.world.Playground.ReviewPullRequest(Owner, Repository, s.pulls[s.issue], "REQUEST_CHANGES", text, Maintainer)
		return err
	}}
}

func merges() act {
	return act{Maintainer + " merges the pull request", func(_ context.Context, s *stage) error {
		return s.world.Playground.MergePullRequest(Owner, Repository, s.pulls[s.issue], Maintainer)
	}}
}

// dismisses closes the pull request without a merge.
func dismisses() act {
	return act{Maintainer + " closes the pull request without a merge", func(ctx context.Context, s *stage) error {
		return s.hands.dismiss(ctx, Maintainer, s.pulls[s.issue])
	}}
}

// conflicts changes on the default branch what the pull request changes.
func conflicts(who string) act {
	return act{who + " changes the same lines on the default branch", func(_ context.Context, s *stage) error {
		return s.world.Playground.MakeConflict(Owner, Repository, s.pulls[s.issue], who)
	}}
}

func sweeps() act {
	return act{"Colony sweeps", func(ctx context.Context, s *stage) error {
		return s.world.colony.Sweep(ctx)
	}}
}
