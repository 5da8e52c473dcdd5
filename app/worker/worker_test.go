package worker

import (
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app/notify"
	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/reconcile"
	"github.com/colony-app/colony/statemachine"
)

// A request that has waited as often as it may is not kept from waiting for what is hidden from the rounds that follow.
func TestTheNextRoundMayWaitAnew(t *testing.T) {
	t.Parallel()
	about := &reconcile.MoveCause{To: "in-development"}
	for _, test := range []struct {
		name  string
		later reconcile.Result
		want  reconcile.Carry
	}{
		{"waits on", reconcile.Result{Waits: true, Comments: true}, reconcile.Carry{Waited: 6, Rounds: 9, Comments: true, About: about}},
		{"saw another event", reconcile.Result{Waits: true, Newest: 4}, reconcile.Carry{Waited: 1, Rounds: 9, Newest: 4, About: about}},
		{"saw the same", reconcile.Result{Waits: true, Newest: 3}, reconcile.Carry{Waited: 6, Rounds: 9, Newest: 3, About: about}},
		{"wrote something", reconcile.Result{}, reconcile.Carry{About: about}},
		{"is quiet later", reconcile.Result{Comments: true}, reconcile.Carry{Comments: true, About: about}},
		{"moved the issue", reconcile.Result{About: &reconcile.MoveCause{To: "done"}}, reconcile.Carry{About: &reconcile.MoveCause{To: "done"}}},
	} {
		e := Item{Carry: reconcile.Carry{Waited: 5, Rounds: 8, Newest: 3, About: about}, Needs: 7}
		e.next(&test.later)
		if diff := cmp.Diff(test.want, e.Carry); diff != "" || e.Needs > 0 {
			t.Errorf("%s: %s %v", test.name, diff, e.Needs)
		}
	}
}

// However long a log goes on, it is not waited for without end.
func TestALogThatGoesOnIsNotWaitedForWithoutEnd(t *testing.T) {
	t.Parallel()
	for rounds, want := range map[int]int{59: 1, 60: 6} {
		next := reconcile.Carry{Waited: 5, Rounds: rounds, Newest: 3}.After(reconcile.Result{Waits: true, Newest: 4})
		if next.Waited != want || next.Rounds != rounds+1 {
			t.Errorf("after %d rounds: %+v", rounds, next)
		}
	}
}

// A worker of New has everything that its parts call.
func TestNewGivesEachPartWhatItNeeds(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	reconciler := reconcile.New(reconcile.Options{
		Store: issues.NewStore(r, &issues.Actors{}), Policies: policy.NewCache(r, policy.New(shipped(t), nil, ""), time.Hour, r.clock, zerolog.Nop()), Clock: r.clock,
		Metrics: reconcile.NewMetrics(prometheus.NewRegistry(), nil), Web: "https://github.test", ServerSettings: reconcile.Settings{Horizon: 1, Thresholds: statemachine.Thresholds{Lag: 1}},
	})
	w := New(Options{
		Queue: r, Clients: &client.Clients{}, App: &client.App{}, Reconciler: reconciler, Limiter: r.limiter, Grants: r, Brake: 1, Watch: 1,
		Sender: &notify.Sender{}, Sendings: r.worker.sendings, Ready: r.worker.ready, Clock: r.clock, Log: zerolog.Nop(),
	})
	seen := map[uintptr]bool{}
	var walk func(path string, v reflect.Value)
	walk = func(path string, v reflect.Value) {
		if v.IsZero() {
			t.Errorf("%s is missing", path)
			return
		}
		if v.Kind() == reflect.Pointer && !seen[v.Pointer()] {
			seen[v.Pointer()] = true
			v = v.Elem()
		}
		if v.Kind() != reflect.Struct || v.Type().PkgPath() != reflect.TypeFor[Worker]().PkgPath() {
			return
		}
		for n := range v.NumField() {
			switch name := v.Type().Field(n).Name; name {
			case "log", "due", "unwritable", "shown", "pace", "recentMoves", "locks", "mu": // they are empty at first
			default:
				walk(path+"."+name, v.Field(n))
			}
		}
	}
	walk("Worker", reflect.ValueOf(w))
	for kind, row := range w.execution.kinds {
		if row.do == nil {
			t.Errorf("nothing does %s", kind)
		}
	}
	if reconciler.Notes == nil || reconciler.OnForbidden == nil || reconciler.OnCapacity == nil || reconciler.OnIncomplete == nil || reconciler.OnFigures == nil || reconciler.OnVerdict == nil {
		t.Error("the reconciler does not ask for all that is to be done next")
	}
	if len(seen) < 10 {
		t.Errorf("only %d parts were seen", len(seen))
	}
}
