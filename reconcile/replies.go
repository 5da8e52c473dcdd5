package reconcile

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/colony-app/colony/commands"
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

// replies returns the comments that are a fact. Of people other than the author the newest is enough: it counts wherever an older one
// does. A comment with a command that can move the issue is no reply before that was run: who approves begins no other round.
func replies(ctx context.Context, q *inquiry, at statemachine.Standing, spec lifecycle.FactSpec) ([]statemachine.Observation, error) {
	var found []statemachine.Observation
	asked := map[string]bool{}
	for _, comment := range slices.Backward(q.conversation.replies) {
		login := comment.By.Login
		reply := statemachine.Observation{Fact: spec.Fact, At: comment.Created, About: login, Link: linkToComment(q, comment)}
		moves := q.conversation.movesBy(q.settings.Lifecycle, comment.ID)
		switch {
		case login == q.view.Author.Login:
			if moves {
				may, err := mayMove(ctx, q, login)
				if err != nil {
					return nil, err
				}
				reply.Waits = may
			}
			found = append(found, reply)
		case spec.By == lifecycle.ByAuthor || comment.By.Kind != lifecycle.Operator || login == "" || asked[login]:
		case q.settings.Lifecycle.Counts(q.standing, reply), q.settings.Lifecycle.Counts(at, reply):
			may, err := mayMove(ctx, q, login)
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
func mayMove(ctx context.Context, q *inquiry, login string) (bool, error) {
	if strings.HasSuffix(login, "[bot]") {
		return false, nil // GitHub's permission of an App's bot says nothing
	}
	permission, err := q.store.Permission(ctx, q.view.Ref.Repository, login)
	return err == nil && q.settings.RightOf(permission) >= commands.MayMove, err
}
