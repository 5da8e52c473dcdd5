package issues

import (
	"context"
	"time"
)

// Progress is how many of an issue's sub-issues are closed (https://docs.github.com/rest/issues/sub-issues).
type Progress struct{ Done, Total int }

// subIssues observes that all sub-issues are closed, for whichever reason.
func (r *factReader) subIssues(ctx context.Context) error {
	if p := r.view.SubIssues; p != nil && p.Total == 0 {
		return nil
	}
	subs, err := relations(ctx, r.client, r.view.Ref, "sub_issues")
	if err != nil {
		return err
	}
	for _, s := range subs {
		if s.GetState() != "closed" {
			return nil
		}
	}
	if len(subs) > 0 {
		r.observe("sub-issues-closed", time.Time{}, "")
	}
	return nil
}
