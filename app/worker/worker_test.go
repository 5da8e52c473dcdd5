package worker

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/reconcile"
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
		{"waits on", reconcile.Result{Waits: true, Refusing: true}, reconcile.Carry{Waited: 6, Refusing: true, About: about}},
		{"wrote something", reconcile.Result{}, reconcile.Carry{About: about}},
		{"is quiet later", reconcile.Result{Refusing: true}, reconcile.Carry{Refusing: true, About: about}},
		{"moved the issue", reconcile.Result{About: &reconcile.MoveCause{To: "done"}}, reconcile.Carry{About: &reconcile.MoveCause{To: "done"}}},
	} {
		e := Item{Carry: reconcile.Carry{Waited: 5, About: about}, Paced: true}
		e.next(&test.later)
		if diff := cmp.Diff(test.want, e.Carry); diff != "" || e.Paced {
			t.Errorf("%s: %s %v", test.name, diff, e.Paced)
		}
	}
}
