package reconcile

import (
	"context"
	"fmt"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// approval is who approved the issue and when, by its standing; nil if its state is not sealed.
func (q *inquiry) approval(standing statemachine.Standing) *issues.Approval {
	if len(q.settings.Lifecycle.Triggers.Seals(standing.State)) == 0 {
		return nil
	}
	m, known := q.settings.Lifecycle.Approval(standing)
	if !known {
		return nil
	}
	return new(q.approvalBy(m))
}

// approvalBy is the approval that a move was. A person who writes a command approves what was there when they wrote it, and not when
// Colony came to run it.
func (q *inquiry) approvalBy(m statemachine.Move) issues.Approval {
	a := issues.Approval{By: m.Maker().Login, At: m.At, Roles: q.settings.Lifecycle.Roles.In(m.From)}
	if ordered, known := q.requestOf(m.ID); known && m.By.Kind == lifecycle.Colony && ordered.Kind != "" && ordered.at.Before(a.At) {
		a.At = ordered.at
	}
	return a
}

// showChanges completes the announcements of moves that Colony made because someone changed what was approved: it shows what. Colony keeps no
// text, so GitHub is asked again. Where it refuses to tell for good, the comment does without.
func showChanges(ctx context.Context, q *inquiry, told []statemachine.Announcement) error {
	life := q.settings.Lifecycle
	for i, t := range told {
		if t.By.Kind != lifecycle.Colony || !life.BrokeSeal(t.From, t.To, t.Why) {
			continue
		}
		m, known := life.ApprovalBefore(q.standing, t.ID)
		if !known {
			continue
		}
		changed, err := q.store.ChangedSince(q.log.WithContext(ctx), q.view, issues.Ask{Approval: new(q.approvalBy(m)), Heads: life.Triggers.SealHead(t.From)})
		if err != nil && !issues.IsPermanent(err) {
			return fmt.Errorf("show what changed since the approval: %w", err)
		}
		told[i].Changed = changed.Differences
	}
	return nil
}
