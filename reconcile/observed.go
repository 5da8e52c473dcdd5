package reconcile

import (
	"maps"
	"slices"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// Observed is what a reconciliation, or a sweep, saw of an issue.
type Observed struct {
	Request  Request
	Settings Settings
	// View is the issue with the labels that it has after what was written, and Standing its standing then.
	View     issues.View
	Standing statemachine.Standing
	// Halted is what tripped the breaker; nil if it is not tripped.
	Halted *statemachine.Rejection
	// Earlier are the rejections that Standing leaves out because they are final, as far back as someone asked; nil: no one did.
	Earlier []statemachine.Rejection
	// Reflection is what was found of the reflection that the lifecycle asks for at the end; nil: no one looked for it.
	Reflection *Reflection
}

// Reflection is what was found of a reflection.
type Reflection struct {
	// Missing says that it is overdue, after the move Ended that By made.
	Missing bool
	Ended   statemachine.Move
	By      lifecycle.Actor
}

func (q *inquiry) seen(d statemachine.Decision) Observed {
	return Observed{Request: q.request, Settings: q.settings, View: q.view, Standing: q.standing, Halted: d.Halted}
}

// observed tells what was seen of the issue. What Colony wrote in between counts as if its log had it already.
func (rc *reconciliation) observed(d statemachine.Decision) {
	if rc.OnObserved == nil {
		return
	}
	o := rc.seen(d)
	if len(rc.written) > 0 && rc.settings.Mode.Writes() {
		then := *rc.inquiry
		then.view = rc.after(rc.written)
		then.orders.by = maps.Clone(rc.orders.by)
		if then.orders.by == nil {
			then.orders.by = map[int64]requester{}
		}
		for _, c := range then.view.Changes[len(rc.view.Changes):] {
			if c.Added {
				then.orders.by[c.ID] = rc.commander
			}
		}
		then.fold()
		o.View, o.Standing = then.view, then.standing
	}
	rc.observation = &o
	rc.OnObserved(o)
}

// observedReflection tells what was found of the reflection on the end of an issue that was observed just now.
func (rc *reconciliation) observedReflection(found Reflection) {
	if rc.OnObserved == nil || rc.observation == nil {
		return
	}
	o := *rc.observation
	o.Reflection = &found
	rc.OnObserved(o)
}

// after is the issue as GitHub will show it once writes are made, with an event for each label.
func (q *inquiry) after(writes []issues.Write) issues.View {
	v := q.view
	v.Changes = slices.Clip(v.Changes)
	last := lastEvent(v.Changes)
	for _, c := range v.Closures {
		last = max(last, c.ID)
	}
	changes, labels := changing(v.Labels, writes)
	for n, c := range changes {
		event := statemachine.Moment{At: q.Clock.Now(), ID: last + int64(n) + 1}
		v.Changes = append(v.Changes, statemachine.Change{Moment: event, Added: c.added, Label: c.label, By: q.store.Self()})
	}
	v.Labels = labels
	v.Closed = v.Closed || slices.ContainsFunc(writes, func(w issues.Write) bool { return w.Close != "" })
	return v
}
