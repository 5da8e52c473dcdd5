package app

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/reconcile"
	"github.com/colony-app/colony/statemachine"
)

// Where a repository says how many of its issues may be in a state, Colony moves the next there as long as there is room. All
// looks of that kind at a repository are tasks of one line of the queue, so that only one is under way, whatever replica has it.
// Nothing is stored: how full a state is, and who waits, is read from the labels each time.

// becauseDispatch is why a look at an issue is asked for that was moved, or could not be, when there was room.
const becauseDispatch = "dispatch"

// dispatchTries bounds how many issues one look reads that cannot be moved although it is their turn.
const dispatchTries = 20

// tellOfRoom asks for a look at the capacities of the repository if the issue came to, left, or is in a state that they are about.
func (v *visit) tellOfRoom(ctx context.Context) error {
	again := v.look.Cause == becauseSweep || v.look.Cause == becauseDispatch // and what they come across is mostly as it was
	if v.Room == nil || again && !v.wrote || !v.concernsCapacity() {
		return nil
	}
	return v.Room(ctx, v.look)
}

func (v *visit) concernsCapacity() bool {
	life := v.Rules.Lifecycle
	labels := slices.Clone(v.view.Labels)
	for _, e := range v.look.Expected() {
		labels = append(labels, e.Label)
	}
	for _, w := range v.written {
		labels = append(append(labels, w.Add...), w.Remove)
	}
	return slices.ContainsFunc(labels, func(label string) bool {
		state, is := life.StateOf(label)
		return is && slices.ContainsFunc(life.Dispatch, func(row statemachine.Dispatch) bool {
			return row.To == state.Name || slices.Contains(row.From, state.Name)
		})
	})
}

// askForDispatch asks for a look at the capacities of the repository of another look. It is never the same as one before: what
// that one saw may have changed.
func (d *desk) askForDispatch(ctx context.Context, look reconcile.Request) error {
	return d.publishDispatch(ctx, "dispatch/"+rand.Text(), look)
}

func (d *desk) publishDispatch(ctx context.Context, id string, look reconcile.Request) error {
	return d.Publish(ctx, id, reconcile.Request{
		Kind: reconcile.KindDispatch, Installation: look.Installation, RepositoryID: look.RepositoryID, Owner: look.Owner, Repo: look.Repo,
		Cause: becauseDispatch, Delivery: id,
	})
}

// capacities reports whether a repository says how many issues may be in a state. Mostly it is known from memory.
func (d *desk) capacities(ctx context.Context, look reconcile.Request) (bool, error) {
	repo := refOf(look).Repository
	found, err := d.looker.Book.Get(ctx, repo)
	if err != nil {
		return false, fmt.Errorf("read the rules of %s: %w", repo, err)
	}
	return len(found.Lifecycle.Dispatch) > 0, nil
}

// dispatchIfSet asks for a look at the capacities of a repository that has some.
func (d *desk) dispatchIfSet(ctx context.Context, id string, look reconcile.Request) error {
	set, err := d.capacities(ctx, look)
	if err != nil || !set {
		return err
	}
	return d.publishDispatch(ctx, id, look)
}

// dispatch fills what there is room in.
func (d *desk) dispatch(ctx context.Context, e *entry) (*Later, error) {
	repo := refOf(e.Request).Repository
	found, err := d.looker.Book.Get(ctx, repo)
	if err != nil {
		return nil, fmt.Errorf("read the rules of %s: %w", repo, err)
	}
	var later *Later
	for _, row := range found.Lifecycle.Dispatch {
		again, err := d.fill(ctx, e, found.Lifecycle, row)
		if err != nil {
			return nil, err
		}
		if later == nil {
			later = again
		}
	}
	return later, nil
}

// fill moves issues on as long as there is room for them.
func (d *desk) fill(ctx context.Context, e *entry, life *statemachine.Lifecycle, row statemachine.Dispatch) (*Later, error) {
	repo := refOf(e.Request).Repository
	there, _, err := d.looker.Store.Labelled(ctx, repo, life.Label(row.To))
	if err != nil {
		return nil, err
	}
	for _, issue := range there {
		if _, alone := life.Alone(issue.Labels); !alone { // whoever moved it, did not come to the end of it
			if err := d.finish(ctx, e, issue.Number, "finish"); err != nil {
				return nil, err
			}
		}
	}
	unseen := d.sent.unseen(repo, row.To, there, d.clock.Now().Add(-d.looker.Rules.Patience.Lag))
	var later *Later
	if len(unseen) > 0 { // or they left before anybody looked: then there is more room than this look may use
		later = &Later{After: d.looker.Rules.Patience.Lag}
	}
	room := row.AtMost - len(there) - len(unseen)
	if room <= 0 {
		return later, nil
	}
	line, err := d.looker.Store.InLine(ctx, repo, life, row)
	if err != nil {
		return nil, err
	}
	tries := 0
	for _, next := range line {
		if room == 0 || tries == dispatchTries {
			break
		}
		if slices.Contains(unseen, next.Number) || next.Blocked > 0 && life.HeldBy(next.State, "dependency-open") { // so none of these has to be read
			continue
		}
		moved, again, err := d.send(ctx, e, row, next.Number)
		if err != nil || again != nil {
			return again, err
		}
		tries++
		if moved {
			room--
			tries = 0
		}
	}
	return later, nil
}

// send moves one issue whose turn it is. It reports whether the issue takes up room now.
func (d *desk) send(ctx context.Context, e *entry, row statemachine.Dispatch, number int) (moved bool, later *Later, err error) {
	one := e.issue(number)
	later, err = d.busy.with(refOf(one), func() (*Later, error) {
		v, later, err := d.looker.visit(ctx, one, Before{Waited: e.Waited})
		if issues.IsGone(err) {
			d.looker.Measured.goneFor(err)
			return nil, nil
		}
		if v == nil || err != nil || v.view.Closed {
			return later, err
		}
		life := v.Rules.Lifecycle
		decision, err := v.decide(ctx)
		if err != nil {
			return nil, err
		}
		if decision.Waits && decision.Settled() {
			v.log.Info().Str("to", row.To).Msg("it is the turn of this issue, but a row of the lifecycle keeps it where it is")
			return nil, nil
		}
		if decision.Lagging {
			return d.looker.lagging(e.Waited), nil
		}
		move, ok, doubt := life.Turn(row, v.standing, decision)
		if !doubt.IsZero() {
			if err := v.trace(ctx, doubt); err != nil {
				return nil, err
			}
			move, ok, _ = life.Turn(row, v.standing, decision)
		}
		if !ok {
			v.log.Info().Str("to", row.To).Msg("it is the turn of this issue, but something is to be done about it first")
			return nil, d.finish(ctx, e, number, "first")
		}
		if err := v.noteReason(ctx, move); err != nil {
			return nil, err
		}
		if err := v.apply(ctx, []issues.Write{{Add: []string{life.Label(move.To)}}, {Remove: life.Label(move.From)}}); err != nil {
			return nil, err
		}
		if moved = move.To == row.To; moved {
			d.sent.add(v.view.Ref, row.To, d.clock.Now())
			d.tellOfSent(v.view.Ref, row.To)
			d.looker.Measured.dispatched()
		}
		v.log.Info().Str("from", move.From).Str("to", move.To).Str("why", move.Why).Msg("the next issue is moved, because there is room")
		if move.AsksPerson || len(life.Readings(move.To)) > 0 {
			return nil, d.finish(ctx, e, number, "after")
		}
		return nil, nil
	})
	return moved, later, err
}

// finish asks for a look at an issue that does what is left to do about it.
func (d *desk) finish(ctx context.Context, e *entry, number int, why string) error {
	return d.Publish(ctx, fmt.Sprintf("%s/%s/%d", e.Delivery, why, number), e.issue(number))
}
