package wording

import (
	"cmp"
	"slices"
)

// ownersShown is how many repositories the dashboard of an owner lists, so that GitHub takes its text.
const ownersShown = 80

// waitingShown is how many issues that wait a dashboard lists.
const waitingShown = 20

// OwnerFigures are the figures of the repositories of an owner. Its JSON is on disks: keys can come, but never go or change.
type OwnerFigures struct {
	// Repositories are those with issues in states: those in which most issues wait for a person before others.
	Repositories []DashboardRepository `json:"repositories"`
	// Waiting are the issues that wait, those first that have waited the longest, as many as are shown of Total.
	Waiting []DashboardIssue `json:"waiting"`
	Total   int              `json:"total"`
	Apart   []string         `json:"apart,omitempty"`
	Hidden  int              `json:"hidden,omitempty"`
	Further int              `json:"further,omitempty"`
}

// Add adds the figures of a repository.
func (f *OwnerFigures) Add(r DashboardRepository, waiting []DashboardIssue) {
	r.States = slices.DeleteFunc(slices.Clone(r.States), func(s DashboardState) bool { return s.Open == 0 })
	for n := range r.States {
		r.States[n].Labels = nil
	}
	f.Total += r.Waiting
	if f.Waiting = append(f.Waiting, waiting...); len(waiting) > 0 {
		f.Waiting = FirstWaiting(f.Waiting)
	}
	if len(r.States) == 0 && r.Waiting == 0 {
		return
	}
	f.Repositories = append(f.Repositories, r)
	slices.SortFunc(f.Repositories, func(a, b DashboardRepository) int { return cmp.Or(b.Waiting-a.Waiting, cmp.Compare(a.Name, b.Name)) })
	if over := len(f.Repositories) - ownersShown; over > 0 {
		f.Repositories, f.Further = f.Repositories[:ownersShown], f.Further+over
	}
}

// Dashboard is the dashboard with the figures.
func (f *OwnerFigures) Dashboard(owner string) Dashboard {
	return Dashboard{
		Owner: owner, Repositories: f.Repositories, Waiting: f.Waiting, Left: max(0, f.Total-len(f.Waiting)),
		Apart: f.Apart, Hidden: f.Hidden, Further: f.Further,
	}
}

// FirstWaiting returns those of some issues that a dashboard shows: those first that have waited the longest.
func FirstWaiting(all []DashboardIssue) []DashboardIssue {
	slices.SortStableFunc(all, func(a, b DashboardIssue) int {
		return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.Repository, b.Repository), cmp.Compare(a.Number, b.Number))
	})
	return all[:min(waitingShown, len(all))]
}
