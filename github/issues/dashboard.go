package issues

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/colony-app/colony/commands/wording"
)

// Dashboard is an issue that Colony opened to show figures in it. It is never work: lists leave it out, and nothing about it is reconciled.
type Dashboard struct {
	Ref    Ref
	NodeID string
	Body   string
	Closed bool
}

// isDashboard reports whether an issue is a dashboard: Colony opened it, and its text has the marker.
func (c *Actors) isDashboard(issue *related) bool {
	if !c.IsSelf(issue.User.Login) {
		return false
	}
	_, is := wording.MarkOfDashboard(issue.Body)
	return is
}

func dashboardOf(repo Repository, issue *related) Dashboard {
	return Dashboard{Ref: Ref{Repository: repo, Number: issue.Number}, NodeID: issue.NodeID, Body: issue.Body, Closed: issue.State == "closed"}
}

type dashboards struct{ connection }

// Dashboard reads a dashboard by its number; ok is false if it is no longer there.
func (s dashboards) Dashboard(ctx context.Context, ref Ref) (d Dashboard, ok bool, err error) {
	issue, err := get(ctx, s.client(ref.Repository), ref)
	switch {
	case errors.Is(err, ErrGone):
		return d, false, nil
	case err != nil:
		return d, false, err
	}
	return dashboardOf(ref.Repository, issue), s.actors.isDashboard(issue), nil
}

// Dashboards lists the dashboards of a repository, open and closed, the oldest first.
func (s dashboards) Dashboards(ctx context.Context, repo Repository) (all []Dashboard, err error) {
	f := Filter{State: All, By: s.actors.Self(), Order: OldestFirst}
	list, _, err := f.page(ctx, s.client(repo), repo, 1)
	if err != nil {
		return nil, fmt.Errorf("look for the dashboard of %s: %w", repo, err)
	}
	for i := range list {
		if !list[i].isPullRequest() && s.actors.isDashboard(&list[i]) {
			all = append(all, dashboardOf(repo, &list[i]))
		}
	}
	slices.SortStableFunc(all, func(a, b Dashboard) int { return a.Ref.Number - b.Ref.Number })
	return all, nil
}

// OpenDashboard opens a dashboard with a text.
func (s dashboards) OpenDashboard(ctx context.Context, repo Repository, body string) (Dashboard, error) {
	opened := &related{}
	in := map[string]string{"title": wording.DashboardTitle, "body": body}
	if _, err := ask(ctx, s.client(repo), http.MethodPost, fmt.Sprintf("repos/%s/%s/issues", repo.Owner, repo.Name), in, opened); err != nil {
		return Dashboard{}, fmt.Errorf("open the dashboard of %s: %w", repo, asNotFound(err))
	}
	return dashboardOf(repo, opened), nil
}

// WriteDashboard gives a dashboard another text, and closes or opens it in the same call if it is not as it is to be. GitHub notifies no one of a
// text that mentions no one: https://docs.github.com/account-and-profile/managing-subscriptions-and-notifications-on-github.
func (s dashboards) WriteDashboard(ctx context.Context, d Dashboard, body string, closed bool) error {
	client := s.client(d.Ref.Repository)
	in := map[string]string{"body": body}
	if closed != d.Closed {
		in["state"] = Open
		if closed {
			in["state"], in["state_reason"] = Closed, "not_planned"
		}
	}
	if _, err := ask(ctx, client, http.MethodPatch, fmt.Sprintf("repos/%s/%s/issues/%d", d.Ref.Owner, d.Ref.Name, d.Ref.Number), in, nil); err != nil {
		return fmt.Errorf("update the dashboard %s: %w", d.Ref, asNotFound(err))
	}
	return nil
}

// PinDashboard pins a dashboard to its repository, or unpins it (https://docs.github.com/graphql/reference/mutations#pinissue). What GitHub
// refuses, because three issues are pinned, because it is so already or because the server cannot, comes back as refused.
func (s dashboards) PinDashboard(ctx context.Context, d Dashboard, pinned bool) (refused, err error) {
	client := s.client(d.Ref.Repository)
	field := "unpinIssue"
	if pinned {
		field = "pinIssue"
	}
	return s.about(client, d.Ref).mutate(ctx, "($id: ID!) { "+field+"(input: {issueId: $id}) { clientMutationId } }", map[string]any{"id": d.NodeID}, new(map[string]any))
}
