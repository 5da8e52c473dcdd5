package app_test

import (
	"regexp"
	"testing"

	natsserver "github.com/nats-io/nats-server/v2/server"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/queue"
)

// newReplicas is a world in which two Colonies share the work. Webhooks go to the second.
func newReplicas(t *testing.T, change ...func(*config.Config)) (w *world, one, another *colony) {
	t.Helper()
	w, all := newReplicasOf(t, 2, change...)
	return w, all[0], all[1]
}

// newReplicasOf is a world in which some Colonies share the work. Webhooks go to the last.
func newReplicasOf(t *testing.T, replicas int, change ...func(*config.Config)) (w *world, all []*colony) {
	t.Helper()
	w = newWorldWithoutColony(t, append([]func(*config.Config){shared(t)}, change...)...)
	for range replicas {
		w.start()
		all = append(all, w.colony)
	}
	t.Cleanup(func() {
		last := all[len(all)-1]
		for _, c := range all[:len(all)-1] {
			w.colony = c
			w.stopColony()
		}
		w.colony = last
	})
	w.install()
	return w, all
}

// shared makes Colonies share their work, on a NATS of their own.
func shared(t *testing.T) func(*config.Config) {
	t.Helper()
	nats, err := natsserver.NewServer(&natsserver.Options{Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true})
	if err != nil {
		t.Fatal(err)
	}
	go nats.Start()
	t.Cleanup(func() {
		nats.Shutdown()
		nats.WaitForShutdown()
	})
	if !nats.ReadyForConnections(patience) {
		t.Fatal("NATS does not start")
	}
	return func(c *config.Config) { c.Queue.URL = nats.ClientURL() }
}

// Replicas write to one ledger what share of the budgets each has; one that ends keeps what it has used.
func TestReplicasShareTheBudgets(t *testing.T) {
	t.Parallel()
	w, _, another := newReplicas(t)
	q, err := queue.Open(ctx, queue.Options{URL: w.config.Queue.URL})
	w.Must(err)
	t.Cleanup(func() { w.Must(q.Close(ctx)) })
	page := func(about, want string) {
		t.Helper()
		got, _, err := q.Ledger().Read(ctx, w.Installation)
		if err != nil || !regexp.MustCompile(want).Match(got) {
			t.Errorf("%s: the ledger has %q (%v), want %s", about, got, err, want)
		}
	}
	w.open("olivia", "", "colony:new")
	w.Settle()
	page("work", `"shares":\[240,10,20\]`)
	w.colony = another
	w.stopColony()
	page("a replica ended", `"shares":\[[1-9]\d?,\d,\d\]`)
}
