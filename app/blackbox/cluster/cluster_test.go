//go:build cluster

// Package cluster_test runs Colony as it is run: the program itself, several times, on a cluster of NATS processes, with
// kill -9. It needs the build tag cluster.
package cluster_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

var (
	events = flag.Int("events", 10_000, "how many things people and bots do")
	issues = flag.Int("issues", 300, "on how many issues")
	seed   = flag.Uint64("seed", 0, "what they do; 0: something else each time")
)

// drawSeed draws the seed, unless one is given, and says what it is.
func drawSeed(t *testing.T) {
	t.Helper()
	if *seed == 0 {
		*seed = rand.Uint64()
	}
	t.Logf("seed %d", *seed)
}

// batch is how many things are done before the webhooks of all of them have to be delivered.
const batch = 200

// TestThreeReplicasOnThreeNodes: whatever ten thousand events come to on three replicas and three nodes, with one of each
// killed in the middle, nothing is lost, nothing is doubled, and no two replicas work on an issue at once.
func TestThreeReplicasOnThreeNodes(t *testing.T) {
	drawSeed(t)
	s := newStage(t)
	nodes, queue := runNodes(t)
	config := s.configuration(0)
	var replicas []*replica
	for n := range 3 {
		name := fmt.Sprint("colony-", n)
		r := newReplica(t, name, config, s.door(name), append(s.secrets, "COLONY_QUEUE_URL="+queue)...)
		r.run(t) // all at once, while the cluster still elects
		replicas = append(replicas, r)
	}
	for _, r := range replicas {
		r.comesUp(t)
	}
	way := newRelay(t, replicas[0].url, replicas[1].url, replicas[2].url)
	s.SetWebhookURL(appID, way.url)
	s.Install(appID, owner)
	s.delivered()
	replicas[0].drained(t, patience)

	c := newCrowd(s, *issues, *seed)
	victim, node := replicas[1], nodes[1]
	begun := time.Now()
	for done := 0; done < *events; done += batch {
		c.act(done, min(batch, *events-done))
		switch at := done / batch; at {
		case *events / batch * 2 / 5:
			victim.kill(t)
			node.kill(t)
			t.Logf("after %s: %s and %s are killed", time.Since(begun).Round(time.Second), victim.name, node.name)
		case *events / batch * 3 / 5:
			node.start(t)
			victim.start(t)
			t.Logf("after %s: they start again", time.Since(begun).Round(time.Second))
		}
		s.delivered()
	}
	driven := time.Since(begun)
	replicas[0].drained(t, 8*time.Minute)
	worked := time.Since(begun)

	// One sweep, by a replica that is stopped as one should be and starts again.
	last := replicas[2]
	if err := last.stop(t); err != nil {
		t.Errorf("%s was asked to stop and ended with: %v", last.name, err)
	}
	last.start(t)
	last.comesUp(t)
	s.delivered()
	last.drained(t, 8*time.Minute)
	s.delivered()

	sum := c.verify()
	for _, r := range replicas {
		if sum.odd != nil {
			t.Logf("what %s logged about %s:\n%s", r.name, sum.odd, r.logOf(sum.odd))
		}
	}
	calls := s.journal.list()
	for _, odd := range interleaved(calls, sum.comments) {
		t.Error(odd)
	}
	c.writesAreBounded(calls, &sum)
	t.Logf("%d events on %d issues in %s, %s with the work (%.0f events/s); %s", *events, *issues,
		driven.Round(time.Second), worked.Round(time.Second), float64(*events)/worked.Seconds(), way)
	t.Logf("%d moves, %d of them by command; %d rejections, %d explained events; %d commands; %d calls, %d writes",
		sum.moves, sum.ordered, sum.rejections, sum.explained, sum.commands, len(calls), sum.writes)
	for _, p := range []*process{&replicas[0].process, &replicas[1].process, &replicas[2].process, nodes[0], nodes[1], nodes[2]} {
		if err := p.stop(t); err != nil && p.program == colonyProgram(t) {
			t.Errorf("%s was asked to stop and ended with: %v", p.name, err)
		}
		t.Logf("%s: %.1f s of CPU, %d MB of memory at most", p.name, p.spent.cpu.Seconds(), p.spent.memory>>20)
	}
}

// writesAreBounded: what an action may cost at most is in docs/costs.md.
func (c *crowd) writesAreBounded(calls []call, sum *tally) {
	c.t.Helper()
	const most = 4
	writes := map[string]int{}
	for _, call := range calls {
		if issue := call.about(sum.comments); issue != "" && call.writes() {
			writes[issue]++
			sum.writes++
		}
	}
	for _, w := range c.issues {
		if n := writes[w.String()]; n > most*(w.actions+1) {
			c.t.Errorf("%s: %d writes for %d actions", w, n, w.actions)
		}
	}
}
