package labels_test

import (
	"context"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/labels"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/bench/acme/byhand"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/playground"
)

func TestLabelsApply(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.MakeLabel("flaw", "It is one.")
	w.MakeLabel("Colony:Done", "Mine.")
	w.MakeLabel("colony:forced", "Mine.")
	before := w.RepositoryLabels()

	plan, failed, writes := w.keeps(labels.Options{DryRun: true}, (*labels.Keeper).Apply)
	if len(failed) > 0 || writes > 0 || len(plan) != 17 || !slices.Equal(before, w.RepositoryLabels()) {
		t.Fatalf("a dry run writes %d times, fails with %q and tells %q", writes, failed, plan)
	}
	if l := w.lists(); l.Well() || len(l.Missing) != 15 || len(l.Differing) != 2 {
		t.Errorf("before it is applied, the list says: %s", l)
	}
	done, failed, writes := w.keeps(labels.Options{}, (*labels.Keeper).Apply)
	if diff := cmp.Diff(plan, done); diff != "" || len(failed) > 0 || writes != 17 {
		t.Errorf("writes %d times, fails with %q, and does something else than it planned (-plan +done):\n%s", writes, failed, diff)
	}
	for _, line := range []string{
		"create  acme/widgets: colony:new",
		`repair  acme/widgets: Colony:Done, it had colour ededed instead of 0b6623, description "Mine." instead of "Complete. There is no way out of this state. Managed by Colony."`,
		"repair  acme/widgets: colony:forced, it had colour ededed instead of 5319e7",
	} {
		if !slices.Contains(done, line) {
			t.Errorf("it does not say %q but %q", line, done)
		}
	}
	if is := w.RepositoryLabel("flaw"); is.GetColor() != "ededed" || is.GetDescription() != "It is one." {
		t.Errorf("a foreign label was changed: %v", is)
	}
	if l := w.lists(); !l.Well() || len(l.There) != 17 {
		t.Errorf("after it was applied, the list says: %s", l)
	}
	if done, _, writes := w.keeps(labels.Options{}, (*labels.Keeper).Apply); len(done) > 0 || writes > 0 {
		t.Errorf("applied again, it writes %d times: %q", writes, done)
	}

	byhand.New(t, w.GitHub)
	since := w.RepositoryLabel("colony:forced").GetDescription()
	if !strings.Contains(since, " Here since ") {
		t.Fatalf("nobody judges: %q", since)
	}
	_, _, err := w.As("olivia").Issues.EditLabel(context.Background(), "acme", "widgets", "colony:forced", &github.Label{Color: new("000000")})
	w.Must(err)
	w.keeps(labels.Options{}, (*labels.Keeper).Apply)
	if is := w.RepositoryLabel("colony:forced"); is.GetColor() != "5319e7" || is.GetDescription() != since {
		t.Errorf("since when Colony judges was changed from %q: %v", since, is)
	}
}

// passes lets the time pass for which a keeper of labels is about to wait.
func (w *world) passes(wait time.Duration) {
	go func() {
		_ = w.Clock.BlockUntilContext(context.Background(), 1)
		w.Advance(wait)
	}()
}

func TestLabelsWaitForARateLimitAndGoOnAfterAFailure(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.AddRepository("acme", "gears")
	w.Fault(playground.Fault{
		Kind: playground.FaultStatus, Method: http.MethodPost, Path: regexp.MustCompile(`/acme/widgets/labels$`), Times: 1,
		Status: http.StatusForbidden, Header: map[string]string{"Retry-After": "60"}, Body: `{"message": "You have exceeded a secondary rate limit."}`,
	})
	w.Fault(playground.Fault{
		Kind: playground.FaultStatus, Method: http.MethodPost, Path: regexp.MustCompile(`/acme/gears/labels$`), Times: 1,
		Status: http.StatusForbidden, Body: `{"message": "Repository was archived so is read-only."}`,
	})
	var waited []time.Duration
	done, failed, _ := w.keeps(labels.Options{Options: app.Options{Waits: func(wait time.Duration) {
		waited = append(waited, wait)
		w.passes(wait)
	}}}, (*labels.Keeper).Apply, "acme/gears", "acme/nothing", "widgets", acme.Widgets)
	if diff := cmp.Diff([]time.Duration{time.Minute}, waited); diff != "" {
		t.Errorf("waits (-want +got):\n%s", diff)
	}
	if len(done) != 17 || !slices.Contains(w.RepositoryLabels(), "colony:new") {
		t.Errorf("it does %q", done)
	}
	want := []string{
		"acme/gears: create label colony:new in acme/gears: .* Repository was archived so is read-only. .* -> is the repository archived, or may these credentials not write labels",
		"acme/nothing: the App is not installed there, or there is no such repository",
		"widgets: write a repository as OWNER/NAME",
	}
	if len(failed) != len(want) {
		t.Fatalf("fails with %q", failed)
	}
	for i, f := range failed {
		if !regexp.MustCompile(want[i]).MatchString(f) {
			t.Errorf("fails with %q instead of %q", f, want[i])
		}
	}
}

// As the App, a keeper leaves half of the budget of points to the Colony that runs. A person's token has no part in that.
func TestTheKeeperAndTheBudgetOfPoints(t *testing.T) {
	t.Parallel()
	for name, token := range map[string]bool{"the App": false, "a person": true} {
		w := newWorld(t)
		w.Config.GitHub.Budget.Points = 2 * ratelimit.SmallestBudget
		o, waited := labels.Options{}, 0
		if token {
			o = w.with("mona")
		}
		o.Waits = func(wait time.Duration) {
			waited++
			w.passes(wait)
		}
		done, failed, _ := w.keeps(o, (*labels.Keeper).Apply, acme.Widgets)
		if len(done) != 17 || len(failed) > 0 || (waited == 0) != token {
			t.Errorf("as %s it waits %d times, does %q and fails with %q", name, waited, done, failed)
		}
	}
}
