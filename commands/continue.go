package commands

import (
	"cmp"

	"github.com/colony-app/colony/statemachine"
)

// Continue runs the commands of a comment whose first commands were run already, by a Colony that stopped before it left its receipt. Their moves are
// made and are not made again, but how they went counts for the answer.
func Continue(env Env, requester Requester, commentID int64, invocations []Invocation, done int) Result {
	if done == 0 {
		return Run(env, requester, invocations)
	}
	explained := map[string]bool{}
	begun := env
	begun.Rule = nil // guards granted them
	begun.Standing = beforeOrder(env, commentID)
	before := run(begun, requester, invocations[:done], explained)
	rest := run(env, requester, invocations[done:], explained)
	rest.Answer = max(before.Answer, rest.Answer)
	rest.Replies = append(before.Replies, rest.Replies...)
	rest.Recorded = append(before.Recorded, rest.Recorded...)
	rest.Links = append(before.Links, rest.Links...)
	rest.Unread = rest.Unread || before.Unread
	rest.NeedsHuman = rest.NeedsHuman || before.NeedsHuman && !rest.Legal
	rest.Reached = append(before.Reached, rest.Reached...)
	rest.FreshStart = cmp.Or(rest.FreshStart, before.FreshStart)
	rest.Legal = rest.Legal || before.Legal
	rest.onlyIfAccepted()
	rest.saysNotPermitted(env, len(before.Moves)+len(rest.Moves) > 0)
	return rest
}

// beforeOrder returns where the issue was before the first move that a comment ordered.
func beforeOrder(env Env, commentID int64) statemachine.Standing {
	for _, m := range env.Standing.Made() {
		if a, ok := env.Attributions[m.ID]; ok && a.CommentID == commentID {
			return m.Before
		}
	}
	return env.Standing
}
