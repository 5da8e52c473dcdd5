package app_test

import (
	"net/http"
	"testing"

	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/policy"
)

// takesGo is the file of a repository that takes in what gets the label "go".
const takesGo = "intake: {when: labelled, labels: [go]}\n"

// published is how many tasks the queue of this Colony took.
func (w *world) published() float64 {
	w.t.Helper()
	return acme.Value(w.metrics(), "colony_queue_published_total")
}

// Once Colony knows what a repository takes in, what is of no use to it does not reach the queue; what may be does.
func TestWhatIsOfNoUseToAKnownPolicyReachesNoQueue(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "It does not turn.")
	i.Label("olivia", "bug") // now the policy is known
	w.Settle()
	before := w.published()
	i.Label("olivia", "help wanted", "go")
	i.Assign("tara", "mona")
	i.Unlabel("olivia", "bug")
	w.open("ada", "Nor does this.")
	w.Settle()
	if n := w.published(); n != before {
		t.Errorf("%v tasks for nothing", n-before)
	}
	i.Has("help wanted", "go")
	i.Label("olivia", "colony:new")
	w.Settle()
	if n := w.published(); n == before {
		t.Error("the label of a state is not published: this measures nothing")
	}
	i.Has("colony:new", "help wanted", "go")
}

// A Colony that has just started, and one that was told of a push, know nothing: what may be of use is published, and the policy decides
// that is in force then.
func TestAFileThatBeginsToTakeALabelInIsHonouredAtOnce(t *testing.T) {
	t.Parallel()
	for _, repo := range []string{"widgets", ".github"} {
		t.Run(repo, func(t *testing.T) {
			t.Parallel()
			w := newWorldWithoutColony(t)
			if repo == ".github" {
				w.github.AddRepository("acme", ".github")
			}
			w.start()
			w.install()
			before, after := w.open("ada", ""), w.open("ada", "")
			before.Label("olivia", "go")
			w.Settle()
			known := w.published()
			before.Label("olivia", "bug")
			w.Settle()
			if n := w.published(); n != known {
				t.Fatalf("%v tasks: the policy is not known, so this shows nothing", n-known)
			}

			// Nothing waits in between: not for the work, and not for what GitHub may not show yet.
			w.github.HoldDeliveries()
			w.Commit(repo, policy.SettingsFile, takesGo)
			after.Label("olivia", "go")
			w.github.ReleaseDeliveries(playground.InOrder)
			w.Settle()
			before.Has("bug", "go") // it was there before
			after.Has("colony:new", "go")

			w.github.HoldDeliveries()
			w.Commit(repo, policy.SettingsFile, "intake: {when: none}\n")
			none := w.open("olivia", "", "go")
			w.github.ReleaseDeliveries(playground.InOrder)
			w.Settle()
			none.Has("go")
		})
	}
}

// A replica that knows a policy hears of the push that another one was sent.
func TestAFileThatBeginsToTakeALabelInIsHonouredByEveryReplica(t *testing.T) {
	t.Parallel()
	w, one, another := newReplicas(t)
	everyoneKnows := func() {
		t.Helper()
		for _, c := range []*colony{one, another} { // the work is shared: each learns of a policy when it happens to get the work
			w.colony = c
			for try := 0; ; try++ {
				i := w.open("ada", "")
				w.Settle()
				if n := w.published(); n == w.labelled(i, "bug") {
					break
				} else if try == 100 {
					t.Fatal("a replica does not learn the policy")
				}
			}
		}
	}
	everyoneKnows()
	w.github.DropNext(1)
	w.Commit("widgets", policy.SettingsFile, takesGo)
	w.Quiet()
	all := w.github.Deliveries()
	w.colony = one // which alone is sent the push
	if answer := w.deliver(all[len(all)-1], all[len(all)-1].GUID, webhookSecret); answer.Code != http.StatusOK {
		t.Fatal(answer.Code, answer.Body)
	}
	w.Quiet()
	i := w.open("ada", "")
	w.colony = another // to which the webhooks go
	i.Label("olivia", "go")
	w.Settle()
	i.Has("colony:new", "go")
}

// labelled puts a label on an issue, whose webhook one replica alone is sent, and returns how many tasks that one has published then.
func (w *world) labelled(i *issue, label string) float64 {
	w.t.Helper()
	w.github.DropNext(1)
	i.Label("olivia", label)
	w.Quiet()
	all := w.github.Deliveries()
	if answer := w.deliver(all[len(all)-1], all[len(all)-1].GUID, webhookSecret); answer.Code != http.StatusOK {
		w.t.Fatal(answer.Code, answer.Body)
	}
	w.Settle()
	return w.published()
}
