//go:build cluster

package cluster_test

import (
	"bufio"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/playground"
)

var soak = flag.Duration("soak", 0, "for how long the rounds of TestSoak go on; 0: two rounds")

// What a replica holds at most, however long it runs: docs/performance.md shows what it takes.
const (
	mostMemory = 120 << 20 // bytes
	mostFiles  = 100
)

// TestSoak plays rounds on two replicas: people and bots act while calls fail, reads are behind, webhooks get lost or come twice, and a replica and a
// node are killed. After each round everything is right, as in TestThreeReplicasOnThreeNodes, and the replica that lives on is no heavier.
//
//	go test -tags cluster -count=1 -v -timeout 0 ./app/blackbox/cluster -run TestSoak -soak 4h
func TestSoak(t *testing.T) {
	drawSeed(t)
	s := newStage(t)
	nodes, queue := runNodes(t)
	config := s.configuration(time.Minute)
	var replicas []*replica
	for _, name := range []string{"steady", "victim"} {
		r := newReplica(t, name, config, s.door(name), append(s.secrets, "COLONY_QUEUE_URL="+queue)...)
		r.run(t)
		replicas = append(replicas, r)
	}
	steady, victim := replicas[0], replicas[1]
	steady.comesUp(t)
	victim.comesUp(t)
	s.SetWebhookURL(appID, newRelay(t, steady.url, victim.url).url)
	s.Install(appID, owner)
	s.delivered()
	steady.drained(t, patience)

	begun := time.Now()
	for round := uint64(0); round < 2 || time.Since(begun) < *soak; round++ {
		rng := rand.New(rand.NewPCG(*seed, round))
		c := newCrowd(s, 24, *seed+round)
		for begin := 0; begin < 400; begin += 50 {
			stop := s.hinder(rng)
			c.act(begin, 50)
			switch begin {
			case 100:
				nodes[rng.IntN(len(nodes))].again(t)
			case 200:
				victim.again(t)
			}
			stop()
		}
		victim.comesUp(t)
		s.delivered()
		steady.drained(t, patience)

		victim.again(t) // its first sweep finds what no webhook told
		victim.comesUp(t)
		steady.drained(t, patience)
		s.delivered()
		sum := c.verify()
		memory, files := steady.holds(t)
		t.Logf("after %s, round %d: %d moves, %d rejections, %d commands; %s has %d MB of memory and %d files", time.Since(begun).Round(time.Second), round,
			sum.moves, sum.rejections, sum.commands, steady.name, memory>>20, files)
		if memory > mostMemory || files > mostFiles {
			t.Errorf("%s has %d MB of memory and %d files, at most %d and %d are enough", steady.name, memory>>20, files, mostMemory>>20, mostFiles)
		}
		if t.Failed() {
			t.Fatalf("what %s logged:\n%s", sum.odd, steady.logOf(sum.odd)+victim.logOf(sum.odd))
		}
		c.close()
	}
}

// again kills a process and starts it.
func (p *process) again(t *testing.T) {
	t.Helper()
	p.kill(t)
	p.start(t)
}

// hinder lets something go wrong between Colony and GitHub, until it is stopped.
func (s *stage) hinder(rng *rand.Rand) (stop func()) {
	times := 1 + rng.IntN(20)
	fault := playground.Fault{Actor: self, Times: times, After: rng.IntN(2) == 0}
	switch rng.IntN(8) {
	case 0:
		fault.Kind, fault.Status = playground.FaultStatus, pick(rng, http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable)
	case 1:
		fault.Kind = playground.FaultCut
	case 2:
		fault.Kind, fault.After, fault.RetryAfter = playground.FaultSecondaryLimit, false, time.Second
	case 3:
		fault.Kind, fault.After, fault.Delay = playground.FaultDelay, false, time.Second
	case 4:
		s.DropNext(times)
		return func() { s.DropNext(0) }
	case 5:
		s.LagEvents(time.Duration(times) * 100 * time.Millisecond)
		return func() { s.LagEvents(0) }
	case 6:
		s.LagLabels(time.Duration(times) * 100 * time.Millisecond)
		return func() { s.LagLabels(0) }
	default:
		return func() {}
	}
	return s.Fault(fault)
}

// holds is what the process has: bytes of memory, and open files.
func (p *process) holds(t *testing.T) (memory int64, files int) {
	t.Helper()
	proc := fmt.Sprintf("/proc/%d/", p.cmd.Process.Pid)
	open, err := os.ReadDir(proc + "fd")
	if err != nil {
		t.Fatal(err)
	}
	status, err := os.Open(proc + "status")
	if err != nil {
		t.Fatal(err)
	}
	defer status.Close()
	for lines := bufio.NewScanner(status); lines.Scan(); {
		if size, is := strings.CutPrefix(lines.Text(), "VmRSS:"); is {
			_, err = fmt.Sscanf(size, "%d kB", &memory)
		}
	}
	if err != nil || memory == 0 {
		t.Fatalf("the memory of %s is unknown: %v", p.name, err)
	}
	return memory << 10, len(open)
}

// close closes the issues: Colony has them behind it.
func (c *crowd) close() {
	c.t.Helper()
	state := "closed"
	for _, w := range c.issues {
		_, _, err := c.clients[olivia].Issues.Edit(c.t.Context(), owner, w.repo, w.number, &github.IssueRequest{State: &state})
		c.must(err)
	}
}
