package reconcile

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// freshStart is what starts the work of an issue again: a comment with a command, or a label.
type freshStart struct {
	at time.Time
	// mark and id name the comment, or the event of the label; why tells a pull request, with that marker, and the
	// other issues that it was for.
	mark wording.MarkerKind
	id   int64
	why  func(others []int) string
}

// startAfresh makes the moves of a comment that starts the work of an issue again, and closes the open pull requests of the issue. The
// moves come first: a pull request that is closed while the issue waits for it would move the issue. It returns what is left to
// write of the comment's result, and the labels that the issue has now.
func (s *session) startAfresh(ctx context.Context, o commandComment, r commands.Result, labels []string) (commands.Result, []string, error) {
	p := planning{settings: s.settings, answer: &answering{Result: r, commentID: o.comment.ID, labels: labels}}
	moves, err := planRows(ctx, []feature{unforceFeature, movesFeature}, p)
	if err != nil {
		return r, labels, err
	}
	if err := s.write(ctx, moves); err != nil {
		return r, labels, err
	}
	why := func(others []int) string {
		return wording.ClosedPullRequest(s.view.Ref.Number, r.FreshStart, o.comment.By, o.comment.ID, others)
	}
	left, err := closePullRequests(ctx, s.reconciliation, freshStart{o.comment.Created, wording.Answers, o.comment.ID, why})
	if err != nil {
		return r, labels, err
	}
	if len(left) > 0 {
		r.Replies = append(r.Replies, wording.LeftOpen(left))
	}
	r.Moves = nil
	return r, afterWrites(labels, moves), nil
}

// freshLabel returns the latest move by label that started the work again, also if bots have moved the issue on since: one can claim it before
// Colony looks. ok is false without one, if a person moved it on, and once this process has closed the pull requests for it.
func freshLabel(q *inquiry) (m statemachine.Move, ok bool) {
	if !q.settings.Mode.Writes() || q.view.Closed || q.standing.Untouched() {
		return m, false
	}
	for _, m := range slices.Backward(q.standing.Trail) {
		if pair, _ := q.settings.Lifecycle.Pair(m.From, m.To); pair.FreshStart && m.Kind == statemachine.Moved && m.By.Kind != lifecycle.Colony {
			return m, !m.At.Before(q.judgedSince) && !q.memory.knows(note{kind: noteAfresh, id: m.ID})
		}
		if m.By.Kind != lifecycle.Executor {
			break
		}
	}
	return m, false
}

// closeForLabel closes the open pull requests of an issue whose work started again by label.
func (rc *reconciliation) closeForLabel(ctx context.Context) error {
	m, _ := freshLabel(rc.inquiry)
	why := func(others []int) string { return wording.ClosedByMove(rc.view.Ref.Number, m, others) }
	left, err := closePullRequests(ctx, rc, freshStart{m.At, wording.Explains, m.ID, why})
	if err != nil {
		return err
	}
	if len(left) > 0 {
		known, err := told(ctx, rc, rc.view.Ref.Number, freshStart{at: m.At, mark: wording.Explains, id: m.ID})
		if err != nil {
			return err
		}
		if !known {
			text := wording.LeftOpen(left) + "\n\n" + wording.Marker(wording.Explains, m.ID)
			if err := rc.write(ctx, []issues.Write{{Comment: text, Purpose: purpose(wording.Explains, m.ID)}}); err != nil {
				return err
			}
		}
	}
	rc.memory.add(note{kind: noteAfresh, id: m.ID})
	return nil
}

// closePullRequests closes the open pull requests of an issue and tells each of them why. It returns the pull requests that GitHub does not let
// Colony close. A crash leaves nothing out: the next run writes on what Colony has closed since. What has that comment and is open was opened
// again.
func closePullRequests(ctx context.Context, rc *reconciliation, f freshStart) (left []int, err error) {
	open, closed, err := rc.store.Superseded(ctx, rc.view, f.at)
	if err != nil {
		return nil, err
	}
	for i, number := range slices.Concat(open, closed) {
		known, err := told(ctx, rc, number, f)
		if err != nil {
			return nil, err
		}
		if known {
			continue
		}
		if i < len(open) {
			refused, err := rc.writeAll(ctx, []issues.Write{{ClosePull: number}})
			if err != nil {
				return nil, err
			}
			if refused != nil {
				left = append(left, number)
				continue
			}
		}
		at := issues.Ref{Repository: rc.view.Ref.Repository, Number: number}
		others, err := rc.store.PullRequestIssues(ctx, at)
		if err != nil && !errors.Is(err, issues.ErrForbidden) {
			return nil, err
		}
		others = slices.DeleteFunc(others, func(issue int) bool { return issue == rc.view.Ref.Number })
		if err := rc.write(ctx, []issues.Write{{On: number, Comment: f.why(others), Purpose: purpose(f.mark, f.id)}}); err != nil {
			return nil, err
		}
	}
	return left, nil
}

// told reports whether a pull request, or the issue itself, has Colony's comment about a fresh start.
func told(ctx context.Context, rc *reconciliation, number int, f freshStart) (bool, error) {
	said, err := rc.store.Comments(ctx, issues.Ref{Repository: rc.view.Ref.Repository, Number: number}, f.at)
	return slices.ContainsFunc(said, func(c issues.Comment) bool { return isMarked(c, f.mark, f.id) }), err
}
