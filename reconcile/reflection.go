package reconcile

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// A lifecycle can ask for a written reflection on issues that came to their end. What lacks it is an orphan: sweeps find it, among
// the issues that ended within the horizon, and ask for it once.

// Ending is the move by which an issue came to an end for which its lifecycle wants a reflection.
type Ending struct {
	statemachine.Move
	// Begun is when the issue came into the state before: from then on a reflection can be written. It is missing at Due.
	Begun, Due time.Time
	// by is who ended it, by label or by a command; without a login if it was no one who could be asked.
	by lifecycle.Actor
	// reason is what was given as its reason: that is a reflection too.
	reason string
}

// EndingOf returns how an issue, created at a time, came to its end. ok is false if it is at none that wants a reflection, or came there before the
// horizon.
func EndingOf(life *statemachine.Table, s statemachine.Standing, created time.Time) (e Ending, ok bool) {
	want := life.Reflection
	last, known := s.Since()
	if want == nil || !known || !slices.Contains(want.In, s.State) || last.Kind == statemachine.Settled || last.At.Before(s.JudgedSince) {
		return Ending{}, false
	}
	e = Ending{Move: last, Begun: created, Due: last.At.Add(time.Duration(want.Within)), by: last.By, reason: last.Reason}
	if before, known := s.BeforeLast().Since(); known {
		e.Begun = before.At
	}
	return e, true
}

// ended returns EndingOf the issue, with who ended it and why.
func ended(ctx context.Context, q *inquiry) (e Ending, ok bool, err error) {
	e, ok = EndingOf(q.settings.Lifecycle, q.standing, q.view.Created)
	if !ok || e.By.Kind != lifecycle.Colony {
		return e, ok, nil
	}
	orders, err := q.attributions(ctx)
	if err != nil {
		return Ending{}, false, err
	}
	e.by = lifecycle.Actor{} // no one, unless a command ended it
	if a, ordered := orders[e.ID]; ordered {
		e.by, e.reason = a.By, a.Reason
	}
	return e, true, nil
}

// isReflectedOn reports whether the reflection on an end is there. Where it is not known who ended the issue, anybody's counts.
func isReflectedOn(ctx context.Context, q *inquiry, e Ending) (bool, error) {
	if wording.Inline(e.reason) != "" {
		return true, nil
	}
	comments, err := q.store.Comments(ctx, q.view.Ref, e.Begun)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(comments, func(c issues.Comment) bool {
		byCloser := e.by.Login == "" || strings.EqualFold(c.By.Login, e.by.Login)
		return byCloser && c.By.Kind != lifecycle.Colony && !c.Created.Before(e.Begun) &&
			commands.Reflects(c.Body, q.settings.Lifecycle.Reflection.Words)
	}), nil
}

// asksForReflection reports whether a sweep found nothing else to do.
func asksForReflection(rc *reconciliation, result *Result) bool {
	return result == nil && !rc.wrote && rc.settings.Mode.Writes() && rc.request.Cause == CauseSweep
}

// askForReflection asks the person who ended the issue for the reflection that is missing, once.
func (rc *reconciliation) askForReflection(ctx context.Context) error {
	e, ok, err := ended(ctx, rc.inquiry)
	if err != nil {
		return err
	}
	if !ok {
		rc.reflects(time.Time{})
		return nil
	}
	there, err := isReflectedOn(ctx, rc.inquiry, e)
	switch {
	case err != nil:
		return err
	case there:
		rc.observedReflection(Reflection{Ended: e.Move, By: e.by})
		rc.reflects(time.Time{})
		return nil
	case rc.Clock.Now().Before(e.Due):
		rc.reflects(e.Due)
		return nil
	}
	rc.observedReflection(Reflection{Missing: true, Ended: e.Move, By: e.by})
	if err := rc.readConversation(ctx); err != nil {
		return err
	}
	if !slices.Contains(rc.conversation.marked[wording.Orphans], e.ID) {
		rc.log.Warn().Str("state", rc.standing.State).Time("ended", e.At).Msg("the issue ended without the reflection that its lifecycle asks for")
		rc.Metrics.orphans.Inc()
		orphan := wording.Orphan{State: rc.standing.State, By: e.by, At: e.At, Words: rc.settings.Lifecycle.Reflection.Words, EventID: e.ID}
		if err := rc.write(ctx, []issues.Write{{Comment: wording.RenderOrphan(orphan), Purpose: purpose(wording.Orphans, e.ID)}}); err != nil {
			return err
		}
	}
	rc.reflects(time.Time{})
	return nil
}
