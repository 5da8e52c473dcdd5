package reconcile

import (
	"context"
	"slices"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// readNeeds reads evidence until ask needs nothing more. All that a decision about an issue depends on is read here, and only if it is
// needed.
func (rc *reconciliation) readNeeds(ctx context.Context, ask func() statemachine.Needs) error {
	return statemachine.Meet(ask, func(need statemachine.Needs) error {
		if len(need.Guards) > 0 {
			if err := rc.readConditions(ctx); err != nil {
				return err
			}
		}
		if need.Said {
			if err := rc.readConversation(ctx); err != nil {
				return err
			}
		}
		if !need.OrdersSince.IsZero() {
			if err := rc.trace(ctx); err != nil {
				return err
			}
		}
		if len(need.Facts) > 0 {
			return rc.readFacts(ctx, need.Facts)
		}
		return nil
	})
}

// evidence is what was read of the issue so far, besides its labels and its log.
func (rc *reconciliation) evidence() statemachine.Evidence {
	return statemachine.Evidence{Said: rc.whatWasSaid(), Facts: rc.facts, GuardsRead: rc.conditions.read, Unreadable: rc.conditions.because()}
}

// evidenceWithoutFacts is the same for a decision that reads no facts: by it, no fact moves the issue.
func (rc *reconciliation) evidenceWithoutFacts() statemachine.Evidence {
	read := rc.evidence()
	read.Facts = statemachine.Facts{Read: lifecycle.EveryReading()}
	return read
}

// whatWasSaid is what the comments say. Until they are read, this process can remember what was explained, and which moves were commanded.
func (rc *reconciliation) whatWasSaid() (said statemachine.Said) {
	if rc.conversation == nil {
		if rc.explained.all(rc.view.Ref, rc.settings.Lifecycle, rc.standing) {
			said.Answered = func(id int64) bool { return rc.explained.has(rc.view.Ref, id) }
			said.Commanded = func(id int64) bool { return rc.explained.commanded(rc.view.Ref, id) }
		}
		return said
	}
	if rc.attributions == nil {
		rc.attributions, _ = commands.AttributeMoves(rc.settings.Lifecycle, rc.standing, rc.conversation.written())
	}
	return statemachine.Said{
		Answered: func(id int64) bool {
			return rc.conversation.answered(id) || rc.refusedWrites.explains(rc.view.Ref, id)
		},
		Commanded: func(id int64) bool {
			_, ok := rc.attributions[id]
			return ok || slices.Contains(rc.lostOrders, id)
		},
		ForcePending:   rc.conversation.forcePending(),
		RefusedCommand: rc.conversation.refusedSince,
		LastAsked:      slices.Max(append(rc.conversation.asked, 0)),
		Asked: func(id int64) bool {
			return slices.Contains(rc.conversation.asked, id) || rc.explained.asked(rc.view.Ref, id)
		},
	}
}
