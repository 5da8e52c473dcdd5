package reconcile

import (
	"context"

	"github.com/colony-app/colony/advice"
	"github.com/colony-app/colony/lifecycle"
)

// Attention says why the issue waits for a person, the most pressing reason first; nothing if it does not. Whether a reflection is overdue
// LacksReflection tells.
func (i *Inspection) Attention(ctx context.Context) ([]advice.Attention, error) {
	halted, err := i.Halted(ctx)
	if err != nil {
		return nil, err
	}
	view := i.View()
	on := advice.Attended{Labels: view.Labels, Closed: view.Closed, Author: view.Author.Login, Now: i.Read(), Halted: halted}
	if lifecycle.HasLabel(view.Labels, lifecycle.NeedsHuman) {
		for _, c := range view.Changes {
			if c.Added && lifecycle.SameLabel(c.Label, lifecycle.NeedsHuman) && c.At.After(on.Marked) {
				on.Marked = c.At
			}
		}
	}
	return advice.Needs(i.settings.Lifecycle, i.Standing(), on), nil
}
