//go:build cluster

package cluster_test

import (
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/playground"
)

// alone sets up one Colony with the queue that is built in.
func alone(t *testing.T, s *stage) (r *replica, queue string) {
	t.Helper()
	queue = filepath.Join(t.TempDir(), "queue")
	r = newReplica(t, "colony", s.configuration(0), s.door("colony"), append(s.secrets, "COLONY_QUEUE_DIR="+queue)...)
	r.run(t)
	r.comesUp(t)
	s.SetWebhookURL(appID, r.url+"/api/github/hook")
	s.Install(appID, owner)
	s.delivered()
	r.drained(t, patience)
	return r, queue
}

// TestKilledAtAnyMoment: however often the process is killed while events flow, and even if its queue is deleted in between,
// the issues end as if it had not been.
func TestKilledAtAnyMoment(t *testing.T) {
	drawSeed(t)
	const kills, between = 10, 50
	s := newStage(t)
	r, queue := alone(t, s)
	c := newCrowd(s, 25, *seed)
	rng := rand.New(rand.NewPCG(*seed, 1))
	for k := range kills {
		// Colony makes about three calls for an event.
		moment := s.journal.after(1+rng.IntN(2*between), func(call) bool { return true })
		acted := make(chan struct{})
		go func() {
			defer close(acted)
			c.act(k*between, between)
		}()
		select {
		case <-moment:
		case <-time.After(patience):
			t.Errorf("Colony makes no calls")
		}
		r.kill(t)
		<-acted
		if k%3 == 2 {
			if err := os.RemoveAll(queue); err != nil {
				t.Fatal(err)
			}
		}
		r.start(t)
		r.comesUp(t)
	}
	s.delivered()
	r.drained(t, patience)

	// The deliveries that nobody took since the last start are found by a sweep.
	if err := r.stop(t); err != nil {
		t.Errorf("Colony was asked to stop and ended with: %v", err)
	}
	r.start(t)
	r.comesUp(t)
	s.delivered()
	r.drained(t, patience)
	s.delivered()
	sum := c.verify()
	c.writesAreBounded(s.journal.list(), &sum)
	t.Logf("%d events, %d kills: %d moves, %d rejections, %d commands, %d writes", kills*between, kills, sum.moves, sum.rejections, sum.commands, sum.writes)
}

// TestStopFinishesWhatIsUnderWay: a process that is asked to stop in the middle of a reconciliation ends with 0, and the reconciliation
// is done.
func TestStopFinishesWhatIsUnderWay(t *testing.T) {
	s := newStage(t)
	r, _ := alone(t, s)
	c := newCrowd(s, 1, 1)
	s.delivered()
	r.drained(t, patience)
	w := c.issues[0]

	removal := func(c call) bool { return c.method == http.MethodDelete && strings.Contains(c.path, "/labels/") }
	s.Fault(playground.Fault{Kind: playground.FaultDelay, Method: http.MethodDelete, Times: 1, Delay: 3 * time.Second})
	underWay := s.journal.after(1, removal)
	c.must(c.label(t.Context(), w, olivia, "analyzing"))
	select {
	case <-underWay:
	case <-time.After(patience):
		t.Fatal("the old label is not removed")
	}
	if err := r.stop(t); err != nil {
		t.Errorf("Colony was asked to stop and ended with: %v", err)
	}
	f := c.find(w)
	if diff := cmp.Diff([]string{c.life.Label("analyzing"), foreign}, slices.Sorted(slices.Values(f.labels))); diff != "" {
		t.Error(diff)
	}
	for _, call := range s.journal.list() {
		if removal(call) && call.end == 0 {
			t.Error("Colony ended before its call was answered")
		}
	}
}
