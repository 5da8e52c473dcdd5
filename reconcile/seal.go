package reconcile

import (
	"context"
	"fmt"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// approval is by whom and when the issue was approved; nil if its state is not sealed.
func (rc *reconciliation) approval() *issues.Approval {
	if len(rc.settings.Lifecycle.Triggers.Seals(rc.standing.State)) == 0 {
		return nil
	}
	m, known := rc.settings.Lifecycle.Approval(rc.standing)
	if !known {
		return nil
	}
	return new(rc.approvalBy(m))
}

// approvalBy is the approval that a move was. A person who writes a command approves what was there when they wrote it, and not when
// Colony came to run it.
func (rc *reconciliation) approvalBy(m statemachine.Move) issues.Approval {
	a := issues.Approval{By: m.Maker().Login, At: m.At}
	if ordered, known := rc.requestOf(m.ID); known && m.By.Kind == lifecycle.Colony && ordered.Kind != "" && ordered.at.Before(a.At) {
		a.At = ordered.at
	}
	return a
}

// showChanges completes the announcements of moves that Colony made because somebody changed what was approved: it shows what. Colony keeps
// no text, so GitHub is asked again. Where it refuses to tell for good, the comment does without.
func (rc *reconciliation) showChanges(ctx context.Context, told []statemachine.Announcement) error {
	life := rc.settings.Lifecycle
	for i, t := range told {
		if t.By.Kind != lifecycle.Colony || !life.BrokeSeal(t.From, t.To, t.Why) {
			continue
		}
		m, known := life.ApprovalBefore(rc.standing, t.ID)
		if !known {
			continue
		}
		changed, err := rc.store.ChangedSince(rc.log.WithContext(ctx), rc.view, issues.Ask{Approval: new(rc.approvalBy(m)), Heads: life.Triggers.SealHead(t.From)})
		if err != nil && !issues.IsPermanent(err) {
			return fmt.Errorf("show what changed since the approval: %w", err)
		}
		told[i].Changed = changed.Differences
	}
	return nil
}
