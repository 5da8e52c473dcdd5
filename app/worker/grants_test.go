package worker

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jonboulle/clockwork"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app/permissions"
	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/reconcile"
)

// What one replica finds in a sweep, the others know, also that something is granted again.
func TestReplicasTellEachOtherWhatIsNotGranted(t *testing.T) {
	t.Parallel()
	replica := func(said *broadcasts) *Worker {
		return &Worker{Reconciler: &reconcile.Reconciler{}, grants: permissions.NewGrants(clockwork.NewFakeClock(), zerolog.Nop()), Publisher: &Publisher{queue: said}}
	}
	var said broadcasts
	one, another := replica(&said), replica(&broadcasts{})
	one.compareGrants([]client.Installation{{ID: 7, Events: permissions.Subscriptions()}})
	another.OnBroadcast(said.words[0])
	if diff := cmp.Diff(one.grants.Lacking(), another.grants.Lacking()); diff != "" || len(another.grants.Lacking()[7]) == 0 {
		t.Errorf("-one +another:\n%s", diff)
	}
	another.OnBroadcast([]byte("ungranted nonsense"))
	if len(another.grants.Lacking()) != 1 {
		t.Error("a word of another version changes what is known")
	}
	one.compareGrants(nil) // it was uninstalled
	another.OnBroadcast(said.words[2])
	if left := another.grants.Lacking(); len(left) > 0 {
		t.Errorf("%v is lacking for ever", left)
	}
}
