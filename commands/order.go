package commands

import (
	"cmp"
	"slices"
	"time"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// MoveAttribution is a command that made a move.
type MoveAttribution struct {
	CommentID int64
	By        lifecycle.Actor
	Verb      string
	Reason    string
	// Led is Move.Led.
	Led statemachine.MoveKind
	// At is when the comment was written.
	At time.Time
}

// CommandComment is a comment with commands, as far as it matters for who ordered which move.
type CommandComment struct {
	CommentID   int64
	Requester   Requester
	Invocations []Invocation
	At          time.Time
	// Permitted says that the requester is known to have the right to move.
	Permitted bool
	// Done is when Colony put its receipt there; zero without a receipt.
	Done time.Time
}

// AttributeMoves finds out which of Colony's moves were ordered by which command: a command can have moved the issue although its receipt is missing,
// because Colony stopped in between. Comments are run in their order. Each move lies between the writing of its comment and its receipt, and it is
// the move that the command makes in the state before it. Where that leaves a choice, as many moves as possible count as ordered. Requesters who are
// allowed to move come before others, comments with a receipt before comments without, and an earlier command before a later one.
//
// run holds, for each comment in the order given, how many of its first invocations are known to have been run. A move that someone withdrew was
// made: who withdrew it does not want it again. GitHub's times are whole seconds: what a person did by label between two commands of the same second
// can make one of them pass for the other.
func AttributeMoves(l *statemachine.Table, standing statemachine.Standing, comments []CommandComment) (orders map[int64]MoveAttribution, run []int) {
	orders = map[int64]MoveAttribution{}
	run = make([]int, len(comments))
	made := movesOfColony(standing, comments)
	written := fitting(l, comments, made)
	for _, p := range align(written, len(made)) {
		w := written[p.written]
		invocation := w.Invocations[w.place]
		id := made[p.move].ID
		orders[id] = MoveAttribution{
			CommentID: w.CommentID, By: w.Requester.Actor, At: w.At, Verb: invocation.Verb, Led: w.fits[p.move].led,
			Reason: reasonFor(l, invocation, w.Requester.Actor, made[p.move].From, made[p.move].To),
		}
		run[w.comment] = w.place + 1
	}
	return orders, run
}

// movesOfColony returns Colony's own moves that comments might have ordered, oldest first.
func movesOfColony(standing statemachine.Standing, comments []CommandComment) []statemachine.Made {
	if !slices.ContainsFunc(comments, func(w CommandComment) bool { return len(w.Invocations) > 0 }) {
		return nil
	}
	return slices.DeleteFunc(standing.Made(), func(m statemachine.Made) bool { return m.By.Kind != lifecycle.Colony })
}

// writtenCommand is one command, at its place in its comment, that might have made a move.
type writtenCommand struct {
	*CommandComment
	comment, place int
	// fits holds which moves it might have made, by their places among Colony's.
	fits map[int]fit
}

// fit is how a command leads to a move; see Move.Led. A command that only fits an open issue fits one that the log has closed by then as well,
// for want of a better one: a person can have closed it while the command ran.
type fit struct {
	led     statemachine.MoveKind
	forWant bool
}

func (w writtenCommand) mayHaveMade(move int) bool {
	_, fits := w.fits[move]
	return fits
}

// worth is what it is worth to say that the command made a move, which has to fit. Any number of lesser advantages counts less than a greater one: a second
// move, then a requester with the right to move, then a receipt. Colony gave the receipt, so that requester had the right.
func (w writtenCommand) worth(move int) int {
	switch {
	case w.fits[move].forWant:
		return 1 << 40
	case !w.Done.IsZero():
		return 1<<40 + 1<<20 + 1
	case w.Permitted:
		return 1<<40 + 1<<20
	default:
		return 1 << 40
	}
}

// fitting returns the commands that might have made a move, in their order.
func fitting(l *statemachine.Table, comments []CommandComment, made []statemachine.Made) []writtenCommand {
	var written []writtenCommand
	for i := range comments {
		for j, invocation := range comments[i].Invocations {
			if spec, known := Find(l, invocation.Verb); !known || spec.Needs == MayRead {
				continue // it moves nothing
			}
			w := writtenCommand{&comments[i], i, j, map[int]fit{}}
			for b, m := range made {
				if led, may := comments[i].mayHaveMade(l, invocation, m); may {
					w.fits[b] = fit{led: led}
				} else if m.Closed {
					m.Before.Closed = false
					if led, may = comments[i].mayHaveMade(l, invocation, m); may {
						w.fits[b] = fit{led, true}
					}
				}
			}
			if len(w.fits) > 0 {
				written = append(written, w)
			}
		}
	}
	return written
}

// mayHaveMade reports whether a command of the comment makes a move in the state before it, and how it leads there. Whether a limit was
// reached then depends on who ordered the moves before, which is still to be found out: so both are possible.
func (w CommandComment) mayHaveMade(l *statemachine.Table, invocation Invocation, m statemachine.Made) (led statemachine.MoveKind, may bool) {
	if m.At.Before(w.At) || !w.Done.IsZero() && m.At.After(w.Done) {
		return "", false
	}
	r := Run(Env{Lifecycle: l, Standing: m.Before, Unordered: true, Now: m.At}, w.Requester, []Invocation{invocation})
	if len(r.Moves) != 1 || r.Moves[0].Forced != (m.Kind == statemachine.ForcedMove) {
		return "", false
	}
	asked := r.Moves[0]
	if asked.To == m.To {
		return asked.Led, true
	}
	limited := w.Requester.Actor.Kind == lifecycle.Executor && asked.Led == "" && !asked.Forced
	return statemachine.Exhausted, limited && slices.ContainsFunc(l.Limits.Bounding(m.From, asked.To), func(limit lifecycle.Limit) bool { return limit.Instead == m.To })
}

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
			if written[a].mayHaveMade(b) {
				worth[a][b] = max(worth[a][b], written[a].worth(b)+worth[a+1][b+1])
			}
		}
	}
	var found []pairing
	for a, b := 0, 0; a < len(written) && b < moves; {
		switch {
		case written[a].mayHaveMade(b) && worth[a][b] == written[a].worth(b)+worth[a+1][b+1]:
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

// reasonFor returns the reason of a command's move: as written, or what the request implies.
func reasonFor(l *statemachine.Table, invocation Invocation, by lifecycle.Actor, from, to string) string {
	return cmp.Or(reasonOf(l, invocation), l.StandsFor(by, from, to))
}

// reasonOf returns the reason that a command gives, as written.
func reasonOf(l *statemachine.Table, invocation Invocation) string {
	word, rest := cutState(l, invocation.Rest)
	if _, isState := stateNamed(l, word); isState {
		return rest
	}
	return invocation.Rest
}
