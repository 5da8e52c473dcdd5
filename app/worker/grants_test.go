package worker

import (
	"encoding/json"
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
	replica := func(said *broadcasts) *grantWatch {
		return &grantWatch{Grants: permissions.NewGrants(clockwork.NewFakeClock(), zerolog.Nop()), modes: &reconcile.Reconciler{}, peers: &peers{queue: said}}
	}
	var said broadcasts
	one, another := replica(&said), replica(&broadcasts{})
	another.peers.words = map[string]func(json.RawMessage) error{wordUngranted: taking(another.Replace), wordInstalled: taking(another.modes.KeepModes)}
	one.compare([]client.Installation{{ID: 7, Events: permissions.Subscriptions()}})
	another.peers.OnBroadcast(said.words[0])
	if diff := cmp.Diff(one.Lacking(), another.Lacking()); diff != "" || len(another.Lacking()[7]) == 0 {
		t.Errorf("-one +another:\n%s", diff)
	}
	another.peers.OnBroadcast([]byte(`{"word":"ungranted","about":"nonsense"}`))
	if len(another.Lacking()) != 1 {
		t.Error("a word of another version changes what is known")
	}
	one.compare(nil) // it was uninstalled
	another.peers.OnBroadcast(said.words[2])
	if left := another.Lacking(); len(left) > 0 {
		t.Errorf("%v is lacking for ever", left)
	}
}
