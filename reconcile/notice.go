package reconcile

import (
	"context"
	"slices"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
)

// noticeFeature tells of a reached limit on open pull requests of the issue. It goes before the comment on the issue.
var noticeFeature = feature{
	name:    "pull request notice",
	applies: func(p planning) bool { return len(p.notices()) > 0 },
	plan:    planNotices,
}

// notices are those of a decision, or of a comment with commands that reached limits.
func (p planning) notices() (notices []notice) {
	for _, r := range p.Explain {
		if r.LedTo != "" && r.Limit.OnPullRequest {
			notices = append(notices, notice{r.LedTo, r.Limit.Why, wording.Explains, r.ID})
		}
	}
	for _, t := range p.Announce {
		if t.OnPullRequest {
			notices = append(notices, notice{t.To, t.Why, wording.Explains, t.ID})
		}
	}
	if p.answer != nil {
		for _, limit := range p.answer.Reached {
			if limit.OnPullRequest {
				notices = append(notices, notice{limit.Instead, limit.Why, wording.Answers, p.answer.commentID})
			}
		}
	}
	return notices
}

func planNotices(ctx context.Context, p planning) ([]issues.Write, error) {
	q, notices := p.issue, p.notices()
	open, err := q.store.OpenPullRequests(ctx, q.view)
	if err != nil {
		return nil, err
	}
	var writes []issues.Write
	for _, number := range open {
		said, err := q.store.Comments(ctx, issues.Ref{Repository: q.view.Ref.Repository, Number: number}, q.judgedSince)
		if err != nil {
			return nil, err
		}
		for _, n := range notices {
			if !slices.ContainsFunc(said, func(c issues.Comment) bool { return isMarked(c, n.mark, n.id) }) {
				writes = append(writes, issues.Write{On: number, Comment: wording.OnPullRequest(q.view.Ref.Number, n.to, n.why, n.mark, n.id), Purpose: purpose(n.mark, n.id)})
			}
		}
	}
	return writes, nil
}

// notice is what Colony says on a pull request: that its issue went somewhere, and why.
type notice struct {
	to, why string
	// mark and id name the event of the label, or the comment with the command.
	mark wording.MarkerKind
	id   int64
}

// isMarked reports whether a comment is Colony's, and about an event or a comment.
func isMarked(c issues.Comment, mark wording.MarkerKind, id int64) bool {
	return c.By.Kind == lifecycle.Colony && slices.Contains(wording.Markers(c.Body)[mark], id)
}
