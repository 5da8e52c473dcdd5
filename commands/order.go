package commands

import (
	"time"

	"github.com/colony-app/colony/statemachine"
)

// Order is a command that made a move.
type Order struct {
	CommentID int64
	By        statemachine.Actor
	Verb      string
	Reason    string
}

// Written is a comment with commands, as far as it matters for who ordered which move.
type Written struct {
	CommentID   int64
	Asker       Asker
	Invocations []Invocation
	At          time.Time
	// Done is when Colony put its receipt there; zero if there is none.
	Done time.Time
}

// Orders finds out which of Colony's moves in the trail were ordered by which command: a command may have moved the
// issue although its receipt is missing, because Colony stopped in between. Comments are run in their order, each move
// lies between the writing of its comment and its receipt, and it is the move that the command makes in the state
// before it.
//
// run holds, for each comment in the order given, how many of its first invocations are known to have been run.
func Orders(l *statemachine.Lifecycle, standing statemachine.Standing, comments []Written) (orders map[int64]Order, run []int) {
	orders = map[int64]Order{}
	run = make([]int, len(comments))
	next := 0 // the first move of the trail that no comment owns yet
	for i, c := range comments {
		for j, invocation := range c.Invocations {
			at, found := ownMove(l, standing, next, c, invocation)
			if !found {
				continue
			}
			m := standing.Trail[at]
			orders[m.EventID] = Order{CommentID: c.CommentID, By: c.Asker.Actor, Verb: invocation.Verb, Reason: reasonOf(l, invocation)}
			next = at + 1
			run[i] = j + 1
		}
	}
	return orders, run
}

// ownMove returns the index of the first move, from next on, that an invocation of a comment made.
func ownMove(l *statemachine.Lifecycle, standing statemachine.Standing, next int, c Written, invocation Invocation) (int, bool) {
	for i := next; i < len(standing.Trail); i++ {
		m := standing.Trail[i]
		if m.By.Kind != statemachine.Colony || m.At.Before(c.At) {
			continue
		}
		if !c.Done.IsZero() && m.At.After(c.Done) {
			return 0, false
		}
		before := statemachine.Standing{State: m.From, Trail: standing.Trail[:i]}
		r := Run(Situation{Lifecycle: l, Standing: before, Now: m.At}, c.Asker, []Invocation{invocation})
		if len(r.Moves) == 1 && r.Moves[0].To == m.To {
			return i, true
		}
	}
	return 0, false
}

// reasonOf returns the reason that a command gives, as written.
func reasonOf(l *statemachine.Lifecycle, invocation Invocation) string {
	t := &turn{Invocation: invocation}
	word, rest := t.words()
	if _, isState := stateNamed(l, word); isState {
		return rest
	}
	return invocation.Rest
}
