package reconcile

import (
	"context"
	"slices"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// readNeeds reads evidence until ask needs nothing more. All that a decision about an issue depends on is read here, and only if it is
// needed.
func (q *inquiry) readNeeds(ctx context.Context, ask func() statemachine.Needs) error {
	return statemachine.Meet(ask, func(need statemachine.Needs) error {
		if len(need.Guards) > 0 {
			if err := q.readConditions(ctx); err != nil {
				return err
			}
		}
		if need.Said {
			if err := q.readConversation(ctx); err != nil {
				return err
			}
		}
		if !need.OrdersSince.IsZero() {
			if err := q.trace(ctx); err != nil {
				return err
			}
		}
		if len(need.Facts) > 0 {
			if err := q.readFacts(ctx, q.standing, need.Facts); err != nil {
				return &unreadFactsError{err}
			}
		}
		return nil
	})
}

// unreadFactsError says that the facts that rows of the lifecycle depend on cannot be read now.
type unreadFactsError struct{ error }

func (e *unreadFactsError) Unwrap() error { return e.error }

// evidence is what was read of the issue so far, besides its labels and its log.
func (q *inquiry) evidence() statemachine.Evidence {
	return statemachine.Evidence{Said: q.whatWasSaid(), Facts: q.facts, GuardsRead: q.conditions.read, Unreadable: q.conditions.because()}
}

// evidenceWithoutFacts is the same for a decision that reads no facts: by it, no fact moves the issue.
func (q *inquiry) evidenceWithoutFacts() statemachine.Evidence {
	read := q.evidence()
	read.Facts = statemachine.Facts{Read: lifecycle.EveryReading(), Assumed: true}
	return read
}

// whatWasSaid is what the comments say. Until they are read, this process can remember what was explained, and which moves were commanded.
func (q *inquiry) whatWasSaid() (said statemachine.Said) {
	if q.conversation == nil {
		if q.memory.explainsAll(q.settings.Lifecycle, q.standing) {
			said.Answered = q.memory.isExplained
			said.Commanded = func(id int64) bool { return q.memory.knows(note{kind: noteCommanded, id: id}) }
		}
		return said
	}
	if q.orders.made == nil {
		q.orders.made, _ = commands.AttributeMoves(q.settings.Lifecycle, q.standing, q.conversation.written())
	}
	return statemachine.Said{
		Answered: func(id int64) bool {
			return q.conversation.answered(id) || q.memory.refusedToExplain(id)
		},
		Stopped: func(id int64) bool {
			return slices.Contains(q.conversation.marked[wording.Halts], id) || q.memory.refusedToExplain(id)
		},
		Commanded: func(id int64) bool {
			_, ok := q.orders.made[id]
			return ok || slices.Contains(q.orders.lost, id)
		},
		ForcePending:   q.conversation.forcePending(),
		RefusedCommand: q.conversation.refusedSince,
		LastAsked:      slices.Max(append(q.conversation.marked[wording.Asks], 0)),
		Asked: func(id int64) bool {
			return slices.Contains(q.conversation.marked[wording.Asks], id) || q.memory.knows(note{kind: noteAsked, id: id})
		},
	}
}
