package reconcile

import (
	"context"
	"time"

	"github.com/rs/zerolog"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/statemachine"
)

// ObserveListed returns what there is to see of an issue that Views listed. It reads its log; the issue itself only if something happened since it
// was listed, or if whole says so. It reads the comments only if something was refused or ended within the horizon. Rejections are reported since
// a time. Nothing is written.
func (r *Reconciler) ObserveListed(ctx context.Context, listed issues.View, whole bool, b Basis, since time.Time) (Observed, error) {
	q := &inquiry{Reconciler: r, memory: r.memories.about(listed.Ref), log: zerolog.Nop()}
	q.request = Request{Kind: KindIssue, Ref: listed.Ref, Cause: CauseSweep}
	q.judgeBy(b)
	if !whole {
		q.read = r.Clock.Now()
		view, err := q.store.WithLog(ctx, listed)
		if err != nil {
			return Observed{}, err
		}
		q.view = view
		q.beganAt(b.Since)
	}
	if n := len(q.view.Changes); whole || n > 0 && q.view.Changes[n-1].At.After(listed.Updated) {
		if err := q.readIssue(ctx, listed.Ref, b.Since); err != nil {
			return Observed{}, err
		}
	}
	q.fold()
	decision, err := q.decideFrom(ctx, q.evidenceWithoutFacts)
	if err != nil {
		return Observed{}, err
	}
	o := q.seen(decision)
	if since.Before(q.judgedSince) {
		o.Earlier = rejectedBetween(q, since, q.judgedSince)
	}
	i := Inspection{q}
	last, by, missing, err := i.LacksReflection(ctx)
	if missing {
		o.Reflection = &Reflection{Missing: true, Ended: last, By: by}
	}
	return o, err
}

// rejectedBetween lists the rejections of a time that is no longer checked.
func rejectedBetween(q *inquiry, start, end time.Time) []statemachine.Rejection {
	found := []statemachine.Rejection{}
	for _, r := range q.foldSince(start).Rejections {
		if r.At.Before(end) {
			found = append(found, r)
		}
	}
	return found
}
