package reconcile

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// readCondition reads from GitHub whether a condition holds. An error says why that is not known, in words for people.
func readCondition(ctx context.Context, q *inquiry, standing statemachine.Standing, a lifecycle.Asking, c lifecycle.Condition) (lifecycle.Answer, error) {
	switch c.Kind {
	case lifecycle.HasPermission:
		return hasPermission(ctx, q, a.By, c.Words[0])
	case lifecycle.HasFact:
		return hasFact(ctx, q, standing, a, c.Words)
	case lifecycle.OnIssueLabel:
		return lifecycle.AnswerOf(slices.ContainsFunc(c.Words, func(label string) bool { return lifecycle.HasLabel(q.view.Labels, label) })), nil
	case lifecycle.InTeam:
		return inTeam(ctx, q, a.By.Login, c.Words)
	case lifecycle.CapacityAllowed:
		return hasCapacity(ctx, q, a.To, c.AtMost)
	default:
		return q.fieldHolds(c)
	}
}

// hasPermission asks for someone's permission in the repository. An App has no such permission; it can edit labels only if it is allowed to write.
func hasPermission(ctx context.Context, q *inquiry, who lifecycle.Actor, least string) (lifecycle.Answer, error) {
	if who.IsApp() {
		return lifecycle.AnswerOf(issues.PermissionWrite.Includes(issues.Permission(least))), nil
	}
	permission, err := q.store.Permission(ctx, q.view.Ref.Repository, who.Login)
	if err != nil {
		return lifecycle.Unknown, fmt.Errorf("cannot read which permission %s has: %w", who.Login, issues.InWords(err))
	}
	return lifecycle.AnswerOf(permission.Includes(issues.Permission(least))), nil
}

// hasFact reports whether one of some facts holds for a move: one that lasts, or one that came since the issue is where it is.
func hasFact(ctx context.Context, q *inquiry, standing statemachine.Standing, a lifecycle.Asking, facts []string) (lifecycle.Answer, error) {
	life := q.settings.Lifecycle
	for range 2 { // the facts, then what an entry was made for
		if err := readUnread(ctx, q, standing, statemachine.UnreadFor(life, standing, a, facts, q.facts)); err != nil {
			return lifecycle.Unknown, err
		}
	}
	holds := life.FactHolds(standing, a, facts, q.facts)
	isNew := q.mayWait && q.read.Sub(a.At) < q.settings.Thresholds.Lag
	if !holds && isNew && slices.Contains(facts, "pull-request-opened") { // GitHub can hide one that was opened before the move was asked for
		return lifecycle.Unknown, errLagging
	}
	return lifecycle.AnswerOf(holds), nil
}

// readUnread reads what was not read yet, if anything, for a guard.
func readUnread(ctx context.Context, q *inquiry, standing statemachine.Standing, unread []lifecycle.Reading) error {
	if len(unread) > 0 {
		if err := q.readFacts(ctx, standing, unread); err != nil {
			return fmt.Errorf("cannot read the facts of the issue: %w", issues.InWords(err))
		}
	}
	if left := q.facts.Unread(unread); len(left) > 0 {
		return fmt.Errorf("GitHub did not tell about %s", strings.ReplaceAll(string(left[0]), "-", " "))
	}
	if q.facts.Late {
		return errLagging
	}
	return nil
}
