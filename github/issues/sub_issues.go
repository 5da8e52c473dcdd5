package issues

import (
	"context"
	"time"
)

// Progress is how many of an issue's sub-issues are closed (https://docs.github.com/rest/issues/sub-issues).
type Progress struct{ Done, Total int }

// subIssues observes that GitHub counts no sub-issues, or which are open, or that all are closed, and whether they were completed. They count
// as dependencies do. Where a server does not tell why an issue was closed, it was.
func subIssues(ctx context.Context, r *reading) error {
	if p := r.view.SubIssues; p != nil && p.Total == 0 {
		r.observe("sub-issues-none", r.view.Parted, "")
		return nil
	}
	subs, err := relations(ctx, r.client, r.view.Ref, "sub_issues")
	if err != nil {
		return err
	}
	if len(subs) == 0 {
		return nil
	}
	var dropped []string
	var last time.Time // when the last of them was closed
	open := false
	for _, s := range subs {
		r.depends.name(s.reference())
		child := dependency{issue: &s, outcome: r.depends.outcomeOf(&s)}
		isOpen := child.open()
		if open = open || isOpen; !isOpen && !child.dropped() {
			last = Latest(last, s.Closed)
			continue
		}
		shown, err := r.depends.shown(ctx, s.reference())
		if err != nil {
			return err
		}
		if isOpen {
			r.observe("sub-issues-open", time.Time{}, shown)
			continue
		}
		last = Latest(last, s.Closed)
		dropped = append(dropped, shown)
	}
	if open {
		return nil
	}
	r.observe("sub-issues-closed", time.Time{}, "")
	if len(dropped) == 0 {
		r.observe("sub-issues-completed", time.Time{}, "")
	}
	for _, d := range dropped {
		r.observe("sub-issues-dropped", last, d)
	}
	return nil
}

// Latest returns the later of two times.
func Latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
