package worker

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"
	"github.com/jonboulle/clockwork"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app/queue"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/reconcile"
	"github.com/colony-app/colony/statemachine"
)

// asked are the issues that requests in the queue are about.
type asked struct {
	Queue
	issues []int
}

// Publish implements Queue.
func (a *asked) Publish(_ context.Context, t queue.Task) (bool, error) {
	a.issues = append(a.issues, t.Issue)
	return false, nil
}

// asMaintainer makes clients of a playground.
type asMaintainer struct {
	*playground.Playground
	url  string
	wire *http.Client
}

// NewInstallationClient implements issues.Clients.
func (m asMaintainer) NewInstallationClient(int64) (*github.Client, error) {
	return github.NewClient(m.wire).WithAuthToken(m.Token("mona")).WithEnterpriseURLs(m.url+"/api/v3/", m.url)
}

// A label that gets the name of a state's label is that on all of its issues, and no event says so.
func TestIssuesToWhichALabelCameByItsName(t *testing.T) {
	t.Parallel()
	ctx, must := t.Context(), func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	clock := clockwork.NewFakeClockAt(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC))
	wire := &http.Client{Transport: http.DefaultTransport.(*http.Transport).Clone()}
	t.Cleanup(wire.CloseIdleConnections)
	hub := asMaintainer{playground.New(playground.Options{Clock: clock, AuthClock: clockwork.NewRealClock()}), "", wire}
	var err error
	hub.url, err = hub.Start("127.0.0.1:0")
	must(err)
	t.Cleanup(func() { must(hub.Close()) })
	hub.AddOrganization("acme")
	hub.AddUser("mona")
	repo := issues.Repository{Owner: "acme", Name: "widgets", ID: hub.AddRepository("acme", "widgets"), Installation: 1}
	hub.SetPermission("acme", "widgets", "mona", "maintain")
	must(hub.SetFile("acme", "widgets", policy.SettingsFile, "mode: enforce\n")) // so Colony makes all labels
	mona, err := hub.NewInstallationClient(1)
	must(err)
	open := func(labels ...string) int {
		i, _, err := mona.Issues.Create(ctx, "acme", "widgets", &github.IssueRequest{Title: new("An issue"), Labels: &labels})
		must(err)
		return i.GetNumber()
	}

	var tasks asked
	server := policy.New(shipped(t), nil, "")
	r := reconcile.New(reconcile.Options{
		Store: issues.NewStore(hub, &issues.Actors{}), Clock: clock, Policies: policy.NewCache(hub, server, time.Hour, clock, zerolog.Nop()),
	})
	f := &fanOut{Publisher: &Publisher{queue: &tasks}, reconciler: r, store: r.Store, policies: r.Policies, horizon: 72 * time.Hour, clock: clock}
	rename := func(from, to string) {
		request, err := mona.NewRequest(http.MethodPatch, "repos/acme/widgets/labels/"+url.PathEscape(from), map[string]string{"new_name": to})
		must(err)
		_, err = mona.Do(ctx, request, nil)
		must(err)
	}
	remove := func(label string) {
		_, err := mona.Issues.DeleteLabel(ctx, "acme", "widgets", label)
		must(err)
	}
	must(r.Repository(ctx, reconcile.Request{Ref: issues.Ref{Repository: repo}}))
	open("colony:in-review", "colony:done") // and nothing changed since the horizon
	clock.Advance(73 * time.Hour)
	movedOn, closed, bug := open("colony:in-review", "colony:done"), open("colony:in-review", "colony:new"), open("bug", "colony:new")
	open("colony:in-review")
	open("bug")
	odd := open("odd")
	_, _, err = mona.Issues.Edit(ctx, "acme", "widgets", closed, &github.IssueRequest{State: new("closed")})
	must(err)

	for _, test := range []struct {
		name, from, to string
		happens        func()
		want           []int
	}{
		{"Colony gives the name back", "colony:in-review", "reviewing", func() { rename("colony:in-review", "reviewing") }, []int{movedOn, closed}},
		{"Colony did that before it was killed", "colony:in-review", "reviewing", func() {}, []int{movedOn, closed}},
		{"nothing uses the name", "bug", "defect", func() { rename("bug", "defect") }, nil},
		{"a person gives a label the name of a state's", "defect", "colony:analyzing", func() {
			remove("colony:analyzing")
			rename("defect", "colony:analyzing")
		}, []int{bug}},
		{"a person gives a label the name of a mark", "odd", lifecycle.NeedsHuman, func() {
			remove(lifecycle.NeedsHuman)
			rename("odd", lifecycle.NeedsHuman)
		}, []int{odd}},
	} {
		tasks.issues = nil
		test.happens()
		must(f.repository(ctx, &Item{Request: reconcile.Request{
			Kind: reconcile.KindRepository, Ref: issues.Ref{Repository: repo}, Extent: reconcile.Extent{Renamed: &reconcile.Rename{From: test.from, To: test.to}},
		}}))
		slices.Sort(tasks.issues)
		if diff := cmp.Diff(test.want, tasks.issues); diff != "" {
			t.Errorf("%s: -want +got:\n%s", test.name, diff)
		}
	}
}

func shipped(t *testing.T) *statemachine.Table {
	t.Helper()
	life, err := statemachine.Shipped("colony")
	if err != nil {
		t.Fatal(err)
	}
	return life
}
