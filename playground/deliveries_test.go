package playground_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/playground"
)

func TestDeliveriesAreHeldAndReleasedInAnyOrder(t *testing.T) {
	for name, test := range map[string]struct {
		order playground.ReleaseOrder
		want  []string
	}{
		"in order":    {playground.InOrder, []string{"issues.opened", "issues.labeled", "issues.closed"}},
		"reversed":    {playground.Reversed, []string{"issues.closed", "issues.labeled", "issues.opened"}},
		"permutation": {playground.Permutation(1, 2, 0), []string{"issues.labeled", "issues.closed", "issues.opened"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.HoldDeliveries()
			n := w.open("alice", "Broken", "bug").GetNumber()
			closed := "closed"
			must[*github.Issue](t)(w.as("alice").Issues.Edit(context.Background(), "acme", "shop", n, &github.IssueRequest{State: &closed}))
			if early := w.take(); len(early) != 0 {
				t.Fatalf("held, and yet %v arrived", names(early))
			}
			w.ReleaseDeliveries(test.order)
			if diff := cmp.Diff(test.want, names(w.take())); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDroppedDeliveriesAreInTheLogAndCanBeRedelivered(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	w.DropNext(1)
	w.open("alice", "Lost")
	w.open("alice", "Seen")
	if got := w.take(); len(got) != 1 || got[0].payload.(*github.IssuesEvent).GetIssue().GetTitle() != "Seen" {
		t.Fatalf("arrived: %v", names(got))
	}
	log := must[[]*github.HookDelivery](t)(w.app().Apps.ListHookDeliveries(ctx, &github.ListCursorOptions{PerPage: 100}))
	if log[0].GetStatusCode() != 200 || log[1].GetStatusCode() != http.StatusBadGateway {
		t.Fatalf("log: %v", log)
	}
	lost := must[*github.HookDelivery](t)(w.app().Apps.GetHookDelivery(ctx, log[1].GetID()))
	if payload, err := lost.ParseRequestPayload(); err != nil || payload.(*github.IssuesEvent).GetIssue().GetTitle() != "Lost" {
		t.Errorf("the lost payload: %v %v", payload, err)
	}
	if _, r, err := w.app().Apps.RedeliverHookDelivery(ctx, lost.GetID()); status(t, r, err) != http.StatusAccepted {
		t.Errorf("redelivery: %v", err)
	}
	if got := w.take(); len(got) != 1 || got[0].guid != lost.GetGUID() {
		t.Errorf("redelivered: %v", got)
	}
	again := must[[]*github.HookDelivery](t)(w.app().Apps.ListHookDeliveries(ctx, &github.ListCursorOptions{PerPage: 1}))
	if !again[0].GetRedelivery() || again[0].GetGUID() != lost.GetGUID() {
		t.Errorf("log of the redelivery: %v", again[0])
	}
	w.clock.Advance(73 * time.Hour)
	if _, r, err := w.app().Apps.RedeliverHookDelivery(ctx, lost.GetID()); status(t, r, err) != http.StatusNotFound {
		t.Errorf("redelivery after three days: %v", err)
	}
}

func TestDeliveryLogIsPagedByCursor(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	for range 5 {
		w.open("alice", "One of many")
	}
	w.quiet()
	var ids []int64
	options := &github.ListCursorOptions{PerPage: 2}
	for {
		page, response, err := w.app().Apps.ListHookDeliveries(ctx, options)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range page {
			ids = append(ids, d.GetID())
		}
		if response.Cursor == "" {
			break
		}
		options.Cursor = response.Cursor
	}
	if len(ids) != 6 { // five issues and the installation
		t.Errorf("%d deliveries", len(ids))
	}
	for i := 1; i < len(ids); i++ {
		if ids[i] >= ids[i-1] {
			t.Errorf("not newest first: %v", ids)
		}
	}
}

func TestDoubledDeliveries(t *testing.T) {
	w := newWorld(t)
	w.DoubleNext(1)
	w.open("alice", "Twice")
	w.open("alice", "Once")
	got := w.take()
	if len(got) != 3 || got[0].guid != got[1].guid || got[1].guid == got[2].guid {
		t.Errorf("arrived: %v", got)
	}
}

func TestFailedDeliveriesKeepTheirStatus(t *testing.T) {
	w := newWorld(t)
	w.mu.Lock()
	w.answer = http.StatusServiceUnavailable
	w.mu.Unlock()
	w.open("alice", "Unwelcome")
	w.quiet()
	all := w.Deliveries()
	if last := all[len(all)-1]; last.StatusCode != 503 || last.Event != "issues" || last.Action != "opened" {
		t.Errorf("delivery: %v", last)
	}
}

func TestWebhooksFollowSubscriptionAndInstallation(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	w.AddRepository("acme", "warehouse")
	if diff := cmp.Diff([]string{"repository.created", "installation_repositories.added"}, names(w.take())); diff != "" {
		t.Error(diff)
	}
	if err := w.RemoveFromInstallation(w.installation, "shop"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"installation_repositories.removed"}, names(w.take())); diff != "" {
		t.Error(diff)
	}
	n := w.open("alice", "Unseen").GetNumber()
	if got := w.take(); len(got) != 0 {
		t.Errorf("not installed, and yet %v", names(got))
	}
	hello := "hello"
	if _, r, err := w.installed().Issues.CreateComment(ctx, "acme", "shop", n, &github.IssueComment{Body: &hello}); status(t, r, err) != 403 {
		t.Errorf("a write where the App is not installed: %v", err)
	}
	if err := w.AddToInstallation(w.installation, "acme/shop"); err != nil {
		t.Fatal(err)
	}
	client := w.installed()
	must[*github.IssueComment](t)(client.Issues.CreateComment(ctx, "acme", "shop", n, &github.IssueComment{Body: &hello}))
	w.take()
	if err := w.Suspend(w.installation); err != nil {
		t.Fatal(err)
	}
	w.open("alice", "During the suspension")
	if diff := cmp.Diff([]string{"installation.suspend"}, names(w.take())); diff != "" {
		t.Error(diff)
	}
	if _, r, err := client.Issues.Get(ctx, "acme", "shop", n); status(t, r, err) != 403 {
		t.Errorf("a suspended installation reads: %v", err)
	}
	if err := w.Unsuspend(w.installation); err != nil {
		t.Fatal(err)
	}
	if err := w.SetInstallationPermissions(w.installation, map[string]string{"issues": "read"}); err != nil {
		t.Fatal(err)
	}
	if _, r, err := client.Issues.CreateComment(ctx, "acme", "shop", n, &github.IssueComment{Body: &hello}); status(t, r, err) != 403 {
		t.Errorf("a write with issues: read: %v", err)
	}
	if err := w.Uninstall(w.installation); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"installation.unsuspend", "installation.new_permissions_accepted", "installation.deleted"}, names(w.take())); diff != "" {
		t.Error(diff)
	}
	if _, r, err := client.Issues.Get(ctx, "acme", "shop", n); status(t, r, err) != 401 {
		t.Errorf("a token of a removed installation: %v", err)
	}
}

func TestPing(t *testing.T) {
	w := newWorld(t)
	if err := w.Ping(appID); err != nil {
		t.Fatal(err)
	}
	got := w.take()
	if len(got) != 1 || got[0].event != "ping" || got[0].payload.(*github.PingEvent).GetHook().GetName() != "web" {
		t.Errorf("arrived: %v", got)
	}
}
