package reconcile

import (
	"cmp"
	"context"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// Step is a move of an issue, with what the log does not say about it.
type Step struct {
	statemachine.Move
	// Who made the move: the writer of the command, where Colony made it for one.
	Who lifecycle.Actor
	// Command is the verb of that command, and Reason what it gave; or the reason that a bot's request represents.
	Command, Reason string
	// Why and About are why Colony made the move on its own, and what caused it; Link is where that can be seen. They are empty if it did
	// not, or if that is not known.
	Why, About, Link string
	// CommentID is the comment with the command; 0 without one.
	CommentID int64
}

// Trail returns all moves of the issue, oldest first, with who made each and why, as far as GitHub and the notes tell. The comments are read
// for it.
func (i *Inspection) Trail(ctx context.Context) ([]Step, error) {
	q := i.inquiry
	orders, err := q.attributions(ctx)
	if err != nil {
		return nil, err
	}
	whole := q.standing.Trail
	reasons, err := reasonsOf(ctx, q, whole, func(id int64) bool { _, ok := orders[id]; return ok })
	if err != nil {
		return nil, err
	}
	steps := make([]Step, len(whole))
	for n, m := range whole {
		s := Step{Move: m, Who: m.By, Reason: m.Reason}
		if m.Ordered.Kind != "" {
			s.Who = m.Ordered
		}
		if a, ok := orders[m.ID]; ok {
			s.Who, s.Command, s.Reason, s.CommentID = a.By, a.Verb, a.Reason, a.CommentID
			s.Kind = cmp.Or(a.Led, m.Kind)
		} else if r, ok := reasons[m.ID]; ok {
			s.Why, s.About, s.Link = r.Why, r.What, wording.GitHubAddress(q.Web, r.Link)
		}
		steps[n] = s
	}
	return steps, nil
}
