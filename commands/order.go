package commands

import (
	"slices"
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

// Orders finds out which of Colony's moves were ordered by which command: a command may have moved the
// issue although its receipt is missing, because Colony stopped in between. Comments are run in their order, each move
// lies between the writing of its comment and its receipt, and it is the move that the command makes in the state
// before it. Where that leaves a choice, as many moves as possible are taken to be ordered, by comments with a receipt
// rather than without, by an earlier command rather than a later one.
//
// run holds, for each comment in the order given, how many of its first invocations are known to have been run. A move
// that somebody withdrew was made: who took it back does not want it again. GitHub's times are whole seconds: what a person
// did by label between two commands of the same second can make one of them pass for the other.
func Orders(l *statemachine.Lifecycle, standing statemachine.Standing, comments []Written) (orders map[int64]Order, run []int) {
	orders = map[int64]Order{}
	run = make([]int, len(comments))
	made := movesOfColony(standing)
	written := fitting(l, comments, made)
	for _, p := range align(written, len(made)) {
		w := written[p.written]
		invocation := w.Invocations[w.place]
		id := made[p.move].EventID
		orders[id] = Order{CommentID: w.CommentID, By: w.Asker.Actor, Verb: invocation.Verb, Reason: reasonOf(l, invocation)}
		run[w.comment] = w.place + 1
	}
	return orders, run
}

// madeMove is a move that counts or did until it was withdrawn, and the trail before it.
type madeMove struct {
	statemachine.Move
	before []statemachine.Move
}

// moves returns all moves that were made, oldest first.
func moves(standing statemachine.Standing) []madeMove {
	var made []madeMove
	for i, m := range standing.Trail {
		made = append(made, madeMove{m, standing.Trail[:i]})
	}
	for _, w := range standing.Withdrawn {
		// Moves that are only planned have ids below zero, and come last.
		at := slices.IndexFunc(made, func(m madeMove) bool { return m.EventID > w.EventID || m.EventID < 0 })
		if at < 0 {
			at = len(made)
		}
		made = slices.Insert(made, at, madeMove{w.Move, w.Before})
	}
	return made
}

// movesOfColony returns Colony's own moves, oldest first.
func movesOfColony(standing statemachine.Standing) []madeMove {
	return slices.DeleteFunc(moves(standing), func(m madeMove) bool { return m.By.Kind != statemachine.Colony })
}

// writtenCommand is one command, at its place in its comment, that may have made a move.
type writtenCommand struct {
	*Written
	comment, place int
	// fits holds which moves it may have made: their places among Colony's.
	fits map[int]bool
}

// worth is what it is worth to say that the command made a move: a receipt counts more than none, but never as much as
// a second move.
func (w writtenCommand) worth() int {
	if w.Done.IsZero() {
		return 1 << 20
	}
	return 1<<20 + 1
}

// fitting returns the commands that may have made a move, in their order.
func fitting(l *statemachine.Lifecycle, comments []Written, made []madeMove) []writtenCommand {
	var written []writtenCommand
	for i := range comments {
		for j, invocation := range comments[i].Invocations {
			w := writtenCommand{&comments[i], i, j, map[int]bool{}}
			for b, m := range made {
				if comments[i].mayHaveMade(l, invocation, m) {
					w.fits[b] = true
				}
			}
			if len(w.fits) > 0 {
				written = append(written, w)
			}
		}
	}
	return written
}

// mayHaveMade reports whether a command of the comment makes a move in the state before it.
func (w Written) mayHaveMade(l *statemachine.Lifecycle, invocation Invocation, m madeMove) bool {
	if m.At.Before(w.At) || !w.Done.IsZero() && m.At.After(w.Done) {
		return false
	}
	before := statemachine.Standing{State: m.From, Trail: m.before}
	r := Run(Situation{Lifecycle: l, Standing: before, Now: m.At}, w.Asker, []Invocation{invocation})
	return len(r.Moves) == 1 && r.Moves[0].To == m.To
}

// pairing says that a command made a move.
type pairing struct{ written, move int }

// align pairs commands and moves, both in their order, so that the pairings are worth most.
func align(written []writtenCommand, moves int) []pairing {
	// worth[a][b] is what the commands from a on and the moves from b on are worth at best.
	worth := make([][]int, len(written)+1)
	worth[len(written)] = make([]int, moves+1)
	for a := len(written) - 1; a >= 0; a-- {
		worth[a] = make([]int, moves+1)
		for b := moves - 1; b >= 0; b-- {
			worth[a][b] = max(worth[a+1][b], worth[a][b+1])
			if written[a].fits[b] {
				worth[a][b] = max(worth[a][b], written[a].worth()+worth[a+1][b+1])
			}
		}
	}
	var found []pairing
	for a, b := 0, 0; a < len(written) && b < moves; {
		switch {
		case written[a].fits[b] && worth[a][b] == written[a].worth()+worth[a+1][b+1]:
			found = append(found, pairing{a, b})
			a, b = a+1, b+1
		case worth[a][b] == worth[a][b+1]:
			b++
		default:
			a++
		}
	}
	return found
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
