package commands

import "github.com/colony-app/colony/statemachine"

// Continue runs the commands of a comment of which the first ones were run already, by a Colony that stopped before it left
// its receipt. Their moves are made and are not made again, but how they went counts for the answer.
func Continue(s Situation, asker Asker, commentID int64, invocations []Invocation, run int) Result {
	rest := Run(s, asker, invocations[run:])
	if run == 0 {
		return rest
	}
	begun := s
	begun.Standing = beforeOrder(s, commentID)
	done := Run(begun, asker, invocations[:run])
	rest.Answer = max(done.Answer, rest.Answer)
	rest.Replies = append(done.Replies, rest.Replies...)
	rest.NeedsHuman = rest.NeedsHuman || done.NeedsHuman
	rest.Legal = rest.Legal || done.Legal
	return rest
}

// beforeOrder returns where the issue stood before the first move that a comment ordered.
func beforeOrder(s Situation, commentID int64) statemachine.Standing {
	for i, m := range s.Standing.Trail {
		if order, ok := s.Orders[m.EventID]; ok && order.CommentID == commentID {
			return statemachine.Standing{State: m.From, Trail: s.Standing.Trail[:i]}
		}
	}
	return s.Standing
}
