package reconcile

import (
	"context"
	"slices"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
)

// write makes writes in their order; see Store.Apply.
func (rc *reconciliation) write(ctx context.Context, writes []issues.Write) error {
	_, err := rc.writeAll(ctx, writes)
	return err
}

// writeAll makes writes. Of the writes that do not stop the others, it returns what GitHub refused for good; see Store.Apply.
func (rc *reconciliation) writeAll(ctx context.Context, writes []issues.Write) (refused []issues.Refused, err error) {
	if writes = WithoutMark(rc.settings.Mode, writes); len(writes) == 0 || !rc.settings.Mode.Writes() {
		return nil, nil
	}
	if writes = rc.fitting(withHouse(writes, rc.settings.House)); len(writes) == 0 {
		return nil, nil
	}
	for _, w := range writes {
		if err := rc.Labels.Ensure(ctx, rc.view.Ref.Repository, w.Add); err != nil {
			return nil, err
		}
	}
	rc.wrote = true
	rc.written = append(rc.written, writes...)
	for _, w := range writes {
		for _, label := range w.Add {
			if state, is := rc.settings.Lifecycle.StateOf(label); is {
				rc.enteredState = state.Name
			}
		}
		rc.log.Info().Stringer("write", w).Msg("write")
	}
	refused, err = rc.store.Apply(ctx, rc.view.Ref, writes)
	if err == nil {
		rc.measure()
		rc.remember(writes, refused)
	}
	refused = slices.DeleteFunc(refused, func(r issues.Refused) bool {
		if r.Write.Minimize != nil {
			rc.log.Debug().Err(r.Err).Stringer("write", r.Write).Msg("what is out of date stays open until something else is refused")
		}
		return r.Write.Minimize != nil
	})
	rc.unsaid = len(refused) > 0
	for _, r := range refused {
		rc.refused(ctx, r)
	}
	return refused, err
}

// fitting is what of the writes the issue has room for, in an order that GitHub takes.
func (rc *reconciliation) fitting(writes []issues.Write) []issues.Write {
	fit, left := fitting(afterWrites(rc.view.Labels, rc.written), writes, func(label string) bool {
		_, is := rc.settings.Lifecycle.StateOf(label)
		return is
	})
	if len(left) > 0 {
		rc.log.Warn().Strs("labels", left).Msg("the issue has as many labels as GitHub allows")
		rc.Metrics.refusedWrite(issues.Write{Add: left}.Kind())
	}
	return fit
}

func (rc *reconciliation) remember(writes []issues.Write, refused []issues.Refused) {
	for _, w := range writes {
		if w.Minimize != nil && !slices.ContainsFunc(refused, func(r issues.Refused) bool { return r.Write.Minimize == w.Minimize }) {
			for _, id := range w.Minimize.NodeIDs {
				rc.memory.add(note{kind: noteHidden, name: id})
			}
		}
		if w.Purpose.Kind == wording.Reminds {
			rc.memory.add(note{kind: noteReminded, id: w.Purpose.IDs[0]})
		}
	}
	before := afterWrites(rc.view.Labels, rc.written[:len(rc.written)-len(writes)])
	rc.memory.wrote(before, rc.view.Changes, writes, rc.commander, rc.Clock.Now())
}

// refused says that GitHub refused a write for good, and keeps it until GitHub takes it, unless it will be out of date by then.
func (rc *reconciliation) refused(ctx context.Context, r issues.Refused) {
	rc.log.Warn().Err(r.Err).Stringer("write", r.Write).Msg("GitHub refuses this for good")
	rc.Metrics.refusedWrite(r.Write.Kind())
	if kind := r.Write.Purpose.Kind; kind == wording.Trail || kind == wording.Reminds {
		return
	}
	if len(r.Write.Assign)+len(r.Write.Unassign) == 0 { // later someone else might be in charge
		rc.memory.refuse(r, rc.Clock.Now())
	}
	if rc.OnForbidden != nil && issues.IsForbidden(r.Err) && !rc.view.Locked && r.Write.ClosePull == 0 { // closing is optional
		rc.OnForbidden(ctx, rc.view.Ref.Installation, r.Err)
	}
}

// withHouse ends each comment with what the repository adds to it.
func withHouse(writes []issues.Write, house string) []issues.Write {
	if house == "" {
		return writes
	}
	writes = slices.Clone(writes)
	for i := range writes {
		if writes[i].Comment != "" {
			writes[i].Comment = wording.WithHouse(writes[i].Comment, house)
		}
	}
	return writes
}
