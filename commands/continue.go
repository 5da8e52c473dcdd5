package commands

import (
	"cmp"
	"time"

	"github.com/colony-app/colony/statemachine"
)

// Continue runs the commands of a comment of which the first ones were run already, by a Colony that stopped before it left
// its receipt. Their moves are made and are not made again, but how they went counts for the answer.
func Continue(s Env, asker Requester, commentID int64, invocations []Invocation, done int) Result {
	if done == 0 {
		return Run(s, asker, invocations)
	}
	told := map[string]bool{}
	begun := s
	begun.Standing = beforeOrder(s, commentID)
	before := run(begun, asker, invocations[:done], told)
	rest := run(s, asker, invocations[done:], told)
	rest.Answer = max(before.Answer, rest.Answer)
	rest.Replies = append(before.Replies, rest.Replies...)
	rest.Links = append(before.Links, rest.Links...)
	rest.NeedsHuman = rest.NeedsHuman || before.NeedsHuman
	rest.FreshStart = cmp.Or(rest.FreshStart, before.FreshStart)
	rest.Legal = rest.Legal || before.Legal
	rest.onlyIfAccepted()
	return rest
}

// beforeOrder returns where the issue stood before the first move that a comment ordered.
func beforeOrder(s Env, commentID int64) statemachine.Standing {
	for _, m := range s.Standing.Made(time.Time{}) {
		if a, ok := s.Attributions[m.EventID]; ok && a.CommentID == commentID {
			return m.Before
		}
	}
	return s.Standing
}
