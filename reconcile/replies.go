package reconcile

import (
	"context"
	"slices"
	"time"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// asksWhere is where people see the question that an issue waits for: what was last said by who brought the issue to its state, up to a minute
// after that. It is empty if nothing is known to have been said.
func asksWhere(q *inquiry) string {
	if q == nil || q.conversation == nil {
		return ""
	}
	entered, _ := q.standing.Since()
	by := entered.Maker().Login
	for _, said := range slices.Backward(q.conversation.replies) {
		if by != "" && said.By.Login == by && !said.Created.After(entered.At.Add(time.Minute)) {
			return linkToComment(q, said)
		}
	}
	return ""
}

// Replies are the comments of an issue that can be facts, and what says whether they are.
type Replies struct {
	Lifecycle *statemachine.Table
	Author    string
	// From is where the issue is, and At where it is for the guards of what is asked: commands can have led it further.
	From, At statemachine.Standing
	// Said lists what people and bots wrote that says more than commands, oldest first.
	Said []issues.Comment
	// Pending returns the commands of a comment that are still to be run.
	Pending func(commentID int64) []commands.Invocation
	// MayMove reports whether the writer of a comment is allowed to move issues by commands.
	MayMove func(issues.Comment) (bool, error)
	// Link is where a comment can be seen.
	Link func(issues.Comment) string
}

// Observed returns the comments that are facts for rows, or for guards of the moves from where the issue is.
func (r Replies) Observed() ([]statemachine.Observation, error) {
	var found []statemachine.Observation
	for _, spec := range lifecycle.Replies() {
		if HasTrigger(r.Lifecycle, r.From.State, spec.Fact) || r.Lifecycle.Guards.AskFor(spec.Fact, r.At.State) {
			some, err := r.of(spec)
			if err != nil {
				return nil, err
			}
			found = append(found, some...)
		}
	}
	return found, nil
}

// of returns the comments that are a fact. Of people other than the author the newest is enough: it counts wherever an older one
// does. A person's comment with a command that can move the issue is no reply before that was run: who approves begins no other round. A bot's is, since
// bots cannot leave the state of a question by a command.
func (r Replies) of(spec lifecycle.FactSpec) ([]statemachine.Observation, error) {
	var found []statemachine.Observation
	asked := map[string]bool{}
	for _, comment := range slices.Backward(r.Said) {
		login := comment.By.Login
		reply := statemachine.Observation{Fact: spec.Fact, At: comment.Created, About: login, Link: r.Link(comment)}
		moves := !comment.By.IsApp() && commands.Needed(r.Lifecycle, r.Pending(comment.ID)) >= commands.MayMove
		switch {
		case login == r.Author:
			if moves {
				may, err := r.MayMove(comment)
				if err != nil {
					return nil, err
				}
				reply.Waits = may
			}
			found = append(found, reply)
		case spec.By == lifecycle.ByAuthor || comment.By.Kind != lifecycle.Operator || login == "" || asked[login]:
		case r.Lifecycle.Counts(r.From, reply), r.Lifecycle.Counts(r.At, reply):
			may, err := r.MayMove(comment)
			if err != nil {
				return nil, err
			}
			if may && !moves {
				return append(found, reply), nil
			}
			asked[login], reply.Waits = !may, moves
			if may {
				found = append(found, reply)
			}
		}
	}
	return found, nil
}

// mayMove asks GitHub whether a person is allowed to move issues of the repository by commands. An error is no answer: nothing is decided then.
func mayMove(ctx context.Context, q *inquiry, by lifecycle.Actor) (bool, error) {
	if by.IsApp() {
		return false, nil // GitHub's permission of an App's bot says nothing
	}
	permission, err := q.store.Permission(ctx, q.view.Ref.Repository, by.Login)
	return err == nil && q.settings.RightOf(permission) >= commands.MayMove, err
}
