package reconcile

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/statemachine"
)

// A lifecycle can ask for a written reflection on issues that came to their end. What lacks it is an orphan: sweeps find it, among
// the issues that ended within the horizon, and ask for it once.

// ending is how an issue came to an end of which its lifecycle wants a reflection.
type ending struct {
	statemachine.Move
	// by is who ended it, by label or by a command; without a login if it was nobody who could be asked.
	by statemachine.Actor
	// reason is what was given as its reason: that is a reflection too.
	reason string
	// begun is when the issue came into the state before: from then on a reflection may be written.
	begun time.Time
}

// ended returns how the issue came to its end; ok is false if it is at none that wants a reflection, or has been there for longer
// than Colony judges.
func (v *reconciliation) ended(ctx context.Context) (e ending, ok bool, err error) {
	want := v.settings.Lifecycle.Reflection
	last, known := v.standing.Since()
	if want == nil || !known || !slices.Contains(want.In, v.standing.State) || last.Kind == statemachine.Settled || last.At.Before(v.judgedSince) {
		return ending{}, false, nil
	}
	e = ending{Move: last, by: last.By, reason: last.Reason, begun: v.view.Created}
	if before, known := v.standing.BeforeLast().Since(); known {
		e.begun = before.At
	}
	if last.By.Kind != statemachine.Colony {
		return e, true, nil
	}
	if err := v.readConversation(ctx); err != nil {
		return ending{}, false, err
	}
	orders, _ := commands.Orders(v.settings.Lifecycle, v.since(v.standing), v.conversation.written())
	e.by = statemachine.Actor{} // by itself
	if order, ordered := orders[last.EventID]; ordered {
		e.by, e.reason = order.By, order.Reason
	}
	return e, true, nil
}

// isReflectedOn reports whether the reflection on an end is there. Where nobody is known who ended the issue, anybody's counts.
func (v *reconciliation) isReflectedOn(ctx context.Context, e ending) (bool, error) {
	if wording.Inline(e.reason) != "" {
		return true, nil
	}
	comments, err := v.store.Comments(ctx, v.view.Ref, e.begun)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(comments, func(c issues.Comment) bool {
		byCloser := e.by.Login == "" || strings.EqualFold(c.By.Login, e.by.Login)
		return byCloser && c.By.Kind != statemachine.Colony && !c.Created.Before(e.begun) &&
			commands.Reflects(c.Body, v.settings.Lifecycle.Reflection.Words)
	}), nil
}

// askForReflection asks the person who ended the issue for the reflection that is missing, once. Only requests of sweeps do that.
func (v *reconciliation) askForReflection(ctx context.Context) error {
	e, ok, err := v.ended(ctx)
	if err != nil {
		return err
	}
	if !ok {
		v.Reflections.add(v.view, time.Time{})
		return nil
	}
	there, err := v.isReflectedOn(ctx, e)
	due := e.At.Add(v.settings.Lifecycle.Reflection.Within)
	switch {
	case err != nil:
		return err
	case there:
		v.Reflections.add(v.view, time.Time{})
		return nil
	case v.Clock.Now().Before(due):
		v.Reflections.add(v.view, due)
		return nil
	}
	if err := v.readConversation(ctx); err != nil {
		return err
	}
	if !slices.Contains(v.conversation.orphans, e.EventID) {
		v.log.Warn().Str("state", v.standing.State).Time("ended", e.At).Msg("the issue ended without the reflection that its lifecycle asks for")
		v.Metrics.orphan()
		orphan := wording.Orphan{State: v.standing.State, By: e.by, At: e.At, Words: v.settings.Lifecycle.Reflection.Words, EventID: e.EventID}
		if err := v.apply(ctx, []issues.Write{{Comment: wording.RenderOrphan(orphan)}}); err != nil {
			return err
		}
	}
	v.Reflections.add(v.view, time.Time{})
	return nil
}
