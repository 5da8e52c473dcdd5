package app

import (
	"context"
	"fmt"
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
func (v *visit) ended(ctx context.Context) (e ending, ok bool, err error) {
	want := v.Rules.Lifecycle.Reflection
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
	orders, _ := commands.Orders(v.Rules.Lifecycle, v.since(v.standing), v.conversation.written())
	e.by = statemachine.Actor{} // by itself
	if order, ordered := orders[last.EventID]; ordered {
		e.by, e.reason = order.By, order.Reason
	}
	return e, true, nil
}

// isReflectedOn reports whether the reflection on an end is there. Where nobody is known who ended the issue, anybody's counts.
func (v *visit) isReflectedOn(ctx context.Context, e ending) (bool, error) {
	if wording.Inline(e.reason) != "" {
		return true, nil
	}
	comments, err := v.Store.Comments(ctx, v.view.Ref, e.begun)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(comments, func(c issues.Comment) bool {
		byCloser := e.by.Login == "" || strings.EqualFold(c.By.Login, e.by.Login)
		return byCloser && c.By.Kind != statemachine.Colony && !c.Created.Before(e.begun) &&
			commands.Reflects(c.Body, v.Rules.Lifecycle.Reflection.Words)
	}), nil
}

// askForReflection asks whoever ended the issue for the reflection that is missing, once. It is part of the looks of sweeps.
func (v *visit) askForReflection(ctx context.Context) error {
	e, ok, err := v.ended(ctx)
	if err != nil {
		return err
	}
	if !ok {
		v.Reflections.add(v.view, time.Time{})
		return nil
	}
	there, err := v.isReflectedOn(ctx, e)
	due := e.At.Add(v.Rules.Lifecycle.Reflection.Within)
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
		v.Measured.orphan()
		orphan := wording.Orphan{State: v.standing.State, By: e.by, At: e.At, Words: v.Rules.Lifecycle.Reflection.Words, EventID: e.EventID}
		if err := v.apply(ctx, []issues.Write{{Comment: wording.RenderOrphan(orphan)}}); err != nil {
			return err
		}
	}
	v.Reflections.add(v.view, time.Time{})
	return nil
}

// sweepReflections asks for a look at every issue that came to its end within the horizon and may lack its reflection, as far as one of
// the states tells in which issues end; more tells whether there are others.
func (d *desk) sweepReflections(ctx context.Context, e *entry) (more bool, err error) {
	repo := refOf(e.Request).Repository
	found, _, err := d.looker.inForce(ctx, repo)
	if err != nil || found.Lifecycle.Reflection == nil {
		return false, err
	}
	states, now := found.Lifecycle.Reflection.In, d.clock.Now()
	if e.Sweep.Page > len(states) {
		return false, nil
	}
	list, err := d.looker.Store.ChangedWith(ctx, repo, found.Lifecycle.Label(states[e.Sweep.Page-1]), now.Add(-d.looker.Rules.Horizon))
	if err != nil {
		return false, err
	}
	for _, c := range list {
		one := e.issue(c.Number)
		if d.looker.Reflections.has(refOf(one), c.Updated, now) {
			continue
		}
		if err := d.Publish(ctx, fmt.Sprintf("%s/%d/%d/reflection", e.Delivery, e.RepositoryID, c.Number), one); err != nil {
			return false, err
		}
	}
	e.Sweep.Page++
	return e.Sweep.Page <= len(states), nil
}
