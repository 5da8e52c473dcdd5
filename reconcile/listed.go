package reconcile

import (
	"context"
	"time"

	"github.com/rs/zerolog"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/statemachine"
)

// ObserveListed returns what there is to see of an issue that Views listed. It reads its log; the issue itself only if something happened
// since it was listed, or if whole says so; the comments only if something was refused or ended within the horizon. Rejections are told
// since a time. Nothing is written.
func (r *Reconciler) ObserveListed(ctx context.Context, listed issues.View, whole bool, b Basis, since time.Time) (Observed, error) {
	rc := &reconciliation{Reconciler: r, log: zerolog.Nop(), previews: true, request: Request{Kind: KindIssue, Ref: listed.Ref, Cause: CauseSweep}}
	rc.judgeBy(b)
	if !whole {
		if err := rc.readLog(ctx, listed, b.Since); err != nil {
			return Observed{}, err
		}
	}
	if whole || rc.changedSince(listed.Updated) {
		if err := rc.readIssue(ctx, listed.Ref, b.Since); err != nil {
			return Observed{}, err
		}
	}
	rc.fold()
	decision, err := rc.decideFrom(ctx, rc.evidenceWithoutFacts)
	if err != nil {
		return Observed{}, err
	}
	o := Observed{Request: rc.request, Settings: rc.settings, View: rc.view, Standing: rc.standing, Halted: decision.Halted}
	if since.Before(rc.judgedSince) {
		o.Earlier = rc.rejectedBetween(since, rc.judgedSince)
	}
	i := Inspection{rc}
	last, by, missing, err := i.LacksReflection(ctx)
	if missing {
		o.Reflection = &Reflection{Missing: true, Ended: last, By: by}
	}
	return o, err
}

// readLog reads the log of an issue that was listed.
func (rc *reconciliation) readLog(ctx context.Context, listed issues.View, since issues.Epoch) (err error) {
	rc.read = rc.Clock.Now()
	rc.view, err = rc.store.WithLog(ctx, listed)
	rc.beganAt(since)
	return err
}

// changedSince reports whether the log has changes of labels after a time.
func (rc *reconciliation) changedSince(at time.Time) bool {
	n := len(rc.view.Changes)
	return n > 0 && rc.view.Changes[n-1].At.After(at)
}

// rejectedBetween lists the rejections of a time in which nothing is judged any more.
func (rc *reconciliation) rejectedBetween(start, end time.Time) []statemachine.Rejection {
	found := []statemachine.Rejection{}
	for _, r := range rc.foldSince(start).Rejections {
		if r.At.Before(end) {
			found = append(found, r)
		}
	}
	return found
}
