package reconcile

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// What guards need in addition to the log is read when someone asks for a move that depends on it, once for each reconciliation. What cannot be
// read stays not known.

type conditions struct {
	read    bool // everything that the standing needs
	answers map[string]lifecycle.Answer
	// unreadable says what could not be read, for people.
	unreadable []string
}

func conditionKey(a lifecycle.Asking, c lifecycle.Condition) string {
	if c.Kind == lifecycle.HasFact {
		return fmt.Sprint(c, a.EventID, a.From, a.To)
	}
	return fmt.Sprint(c, strings.ToLower(a.By.Login), a.To)
}

// answer is statemachine.Answers, of what was read.
func (c *conditions) answer(a lifecycle.Asking, condition lifecycle.Condition) lifecycle.Answer {
	return c.answers[conditionKey(a, condition)]
}

// because says what could not be read, for people.
func (c *conditions) because() string { return strings.Join(c.unreadable, "; ") }

// readConditions reads what the guards of pending moves need, and folds the log again. Where the answer of one opens another condition,
// that is read too.
func (q *inquiry) readConditions(ctx context.Context) error {
	for range maxConditionRounds {
		asked := slices.ContainsFunc(q.standing.Pending, q.isUnexplained)
		if asked {
			if err := q.readConversation(ctx); err != nil {
				return err
			}
			q.fold()
		}
		for _, pending := range q.standing.Pending {
			again, err := q.readFor(ctx, q.standing, pending)
			if err != nil {
				return err
			}
			asked = asked || again
		}
		if !asked {
			break
		}
		q.fold()
	}
	q.conditions.read = true
	return nil
}

// unreadGuards returns the pending moves whose guards need what was not asked for yet.
func (q *inquiry) unreadGuards() []lifecycle.Asking {
	return slices.DeleteFunc(slices.Clone(q.standing.Pending), func(a lifecycle.Asking) bool {
		return !q.isUnexplained(a) && len(q.unasked(standingOf(q.standing, a), a)) == 0
	})
}

// maxConditionRounds bounds how often the answer of one condition opens others.
const maxConditionRounds = 10

// readFor reads what the guards of one move need that was not asked for yet. asked says whether there was anything.
func (q *inquiry) readFor(ctx context.Context, standing statemachine.Standing, a lifecycle.Asking) (asked bool, err error) {
	standing = standingOf(standing, a)
	for _, c := range q.unasked(standing, a) {
		answer, err := readCondition(ctx, q, standing, a, c)
		if limited := (*ratelimit.Error)(nil); errors.As(err, &limited) || errors.Is(err, errLagging) || ctx.Err() != nil {
			return asked, errors.Join(err, ctx.Err()) // the request comes again anyway
		}
		if err != nil {
			q.log.Warn().Err(err).Str("condition", string(c.Kind)).Msg("a guard's condition cannot be read")
			answer = lifecycle.Unknown
			if why := err.Error(); !slices.Contains(q.conditions.unreadable, why) {
				q.conditions.unreadable = append(q.conditions.unreadable, why)
			}
		}
		if q.conditions.answers == nil {
			q.conditions.answers = map[string]lifecycle.Answer{}
		}
		q.conditions.answers[conditionKey(a, c)] = answer
		asked = true
	}
	return asked, nil
}

// standingOf is where the issue is for the guards of a move: before it, if it counts already.
func standingOf(standing statemachine.Standing, a lifecycle.Asking) statemachine.Standing {
	if last, known := standing.Since(); known && a.EventID > 0 && last.ID == a.EventID {
		return standing.BeforeLast()
	}
	return standing
}

// unasked returns the conditions of a move's guards that were not asked for yet.
func (q *inquiry) unasked(standing statemachine.Standing, a lifecycle.Asking) []lifecycle.Condition {
	g := q.settings.Lifecycle.Guarded(standing, a, q.conditions.answer)
	return slices.DeleteFunc(g.Needs, func(c lifecycle.Condition) bool {
		return q.conditions.answer(a, c) != lifecycle.Unasked
	})
}

// longAgo is how old an unrecorded move can be before Colony looks whether it has explained it.
const longAgo = time.Minute

// isExplained is statemachine.History.Explained.
func (q *inquiry) isExplained(eventID int64) bool {
	return q.conversation != nil && q.conversation.answered(eventID) || q.memory.isExplained(eventID)
}

// isUnexplained reports whether it is unknown what Colony said about a pending move that is not new.
func (q *inquiry) isUnexplained(a lifecycle.Asking) bool {
	return q.conversation == nil && q.read.Sub(a.At) > longAgo
}

// ruling returns what becomes of a request, once the facts that its guards need are read. The error says that GitHub has to be asked later.
func (q *inquiry) ruling(ctx context.Context, standing statemachine.Standing, a statemachine.Ask) (statemachine.Ruling, error) {
	for round := 0; ; round++ {
		ruling := q.settings.Lifecycle.Rule(standing, a, q.conditions.answer)
		ruling.Guards.Awaited = q.facts.AwaitedBy(ruling.Guards.Refusing)
		if len(ruling.Guards.Needs) == 0 || round == maxConditionRounds {
			return ruling, nil
		}
		if asked, err := q.readFor(ctx, standing, a.Asking(standing.State)); err != nil || !asked {
			return ruling, err
		}
	}
}
