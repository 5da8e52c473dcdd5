package app_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/permissions"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/playground"
)

// takeAway takes a permission of the installation away, as GitHub does: without a webhook.
func (w *world) takeAway(permission, left string) {
	w.t.Helper()
	fewer := maps.Clone(permissions.All())
	if fewer[permission] = left; left == "" {
		delete(fewer, permission)
	}
	w.github.DropNext(1)
	w.Must(w.github.SetInstallationPermissions(w.Installation, fewer))
	w.Quiet()
}

// ungranted is what /readyz and the metric say.
func (w *world) ungranted(want map[int64][]string) {
	w.t.Helper()
	var answer app.Readiness
	w.Must(json.Unmarshal(w.ask(http.MethodGet, "/readyz", "", "").Body.Bytes(), &answer))
	if diff := cmp.Diff(want, answer.Ungranted); diff != "" {
		w.t.Errorf("/readyz (-want +got):\n%s", diff)
	}
	if !answer.Ready {
		w.t.Error("a permission of one installation makes Colony unready")
	}
	got := w.metrics()
	if n := acme.Value(got, "colony_ungranted_installations"); n != float64(len(want)) {
		w.t.Errorf("the metric counts %v installations, want %d", n, len(want))
	}
	w.boundedAndDocumented(got)
}

func TestASweepNoticesAPermissionThatIsTakenAway(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.ungranted(nil)
	w.takeAway("checks", "")
	w.ungranted(nil)
	w.Sweep()
	w.ungranted(map[int64][]string{w.Installation: {"checks: read"}})
	w.Must(w.github.SetInstallationPermissions(w.Installation, permissions.All()))
	w.Settle()
	w.ungranted(nil)
}

func TestAForbiddenWriteNoticesAPermissionThatIsTakenAway(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("olivia", "", "colony:new")
	w.Settle()
	w.takeAway("issues", "read")
	w.github.ResetCalls()
	i.Label("olivia", "colony:planning")
	w.Settle()
	i.Has("colony:new", "colony:planning")
	w.ungranted(map[int64][]string{w.Installation: {"issues: write"}})
	asked := w.Asked("/app/installations/")
	i.Label("olivia", "colony:analyzing")
	w.Settle()
	if more := w.Asked("/app/installations/") - asked; more != 0 {
		t.Errorf("Colony asks %d times more what the installation grants, in the same minute", more)
	}
	w.Must(w.github.SetInstallationPermissions(w.Installation, permissions.All()))
	w.Settle()
	w.ungranted(nil)
	w.clock.Advance(time.Minute)
	w.Sweep()
	i.Has("colony:analyzing")
}

// What holds up nothing is refused, too, when a permission is gone: a comment that GitHub forbids.
func TestAForbiddenCommentNoticesAPermissionThatIsTakenAway(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:in-review")
	w.github.Fault(playground.Fault{Kind: playground.FaultStatus, Status: http.StatusForbidden, Method: http.MethodPost, Path: regexp.MustCompile("/comments$"), Actor: "colony[bot]", Times: 1})
	w.takeAway("checks", "")
	w.ungranted(nil)
	i.Label("olivia", "colony:new")
	w.Settle()
	var answer app.Readiness
	w.Must(json.Unmarshal(w.ask(http.MethodGet, "/readyz", "", "").Body.Bytes(), &answer))
	if diff := cmp.Diff(map[int64][]string{w.Installation: {"checks: read"}}, answer.Ungranted); diff != "" || answer.RefusedWrites != 1 {
		t.Errorf("%d writes were refused (-want +got):\n%s", answer.RefusedWrites, diff)
	}
}

// Repositories of an installation that is gone do not count any more, once a sweep has seen that.
func TestRepositoriesOfAnInstallationThatIsGoneDoNotCount(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if n := acme.Value(w.metrics(), "colony_repositories", "mode=enforce"); n != 1 {
		t.Fatalf("%v repositories", n)
	}
	w.Must(w.github.Uninstall(w.Installation))
	w.Quiet()
	w.Sweep()
	if n := acme.Value(w.metrics(), "colony_repositories", "mode=enforce"); n != 0 {
		t.Errorf("%v repositories", n)
	}
}

// A repository counts once, by the name that it has now, for as long as Colony is installed on it.
func TestARepositoryCountsWhileColonyHasIt(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		happens func(w *world) error
		count   float64
	}{
		"renamed": {func(w *world) error { return w.github.RenameRepository("acme", "widgets", "gizmos") }, 1},
		"removed": {func(w *world) error { return w.github.RemoveFromInstallation(w.Installation, "acme/widgets") }, 0},
		"deleted": {func(w *world) error { return w.github.DeleteRepository("acme", "widgets") }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.Must(c.happens(w))
			w.Quiet()
			if n := acme.Value(w.metrics(), "colony_repositories", "mode=enforce"); n != c.count {
				t.Errorf("%v repositories", n)
			}
		})
	}
}
