package app_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/acme"
)

// minutes lets time pass, and after each minute waits until every replica has asked for the sweeps that were due and all is done.
func (w *world) minutes(n int, replicas []*colony) {
	w.t.Helper()
	for range n {
		w.awaits(2 * len(replicas)) // each waits for its next sweep, and to keep its share of GitHub's budgets
		w.clock.Advance(time.Minute)
		w.awaits(2 * len(replicas))
		w.Quiet()
	}
}

// awaits waits until so many wait for a time.
func (w *world) awaits(waiting int) {
	w.t.Helper()
	until, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	w.Must(w.clock.BlockUntilContext(until, waiting))
}

// swept counts the sweeps of repositories that replicas came to the end of.
func (w *world) swept(replicas []*colony) (sweeps int) {
	w.t.Helper()
	now := w.colony
	defer func() { w.colony = now }()
	for _, w.colony = range replicas {
		sweeps += int(acme.Value(w.metrics(), "colony_sweeps_total"))
	}
	return sweeps
}

func TestReplicasSweepOnce(t *testing.T) {
	t.Parallel()
	const interval = 4 // minutes
	w, replicas := newReplicasOf(t, 3, acme.Follows, func(c *config.Config) { c.Sweep.Interval = interval * time.Minute })
	if n := w.swept(replicas); n > 2 { // an interval can end meanwhile
		t.Errorf("replicas that started together swept %d times", n)
	}
	w.Deaf()
	w.github.AddOrganization("globex")
	w.github.AddRepository("globex", "gadgets")
	w.github.SetPermission("globex", "gadgets", "olivia", "write")
	elsewhere, _, err := w.As("olivia").Issues.Create(ctx, "globex", "gadgets", &github.IssueRequest{Title: new("A gadget")})
	w.Must(err)
	var all []*issue
	for range 2 { // no change of the repository tells of what they wait for
		all = append(all, w.open("olivia", fmt.Sprintf("Depends on globex/gadgets#%d", elsewhere.GetNumber()), "colony:dependency-blocked"))
	}
	w.minutes(2*interval, replicas) // they were reconciled as what changed
	before := w.swept(replicas)
	w.github.ResetCalls()
	w.minutes(6*interval, replicas)
	n := w.swept(replicas) - before
	if n < 5 || n > 7 {
		t.Errorf("in six intervals, three replicas swept %d times", n)
	}
	for _, i := range all {
		reads := 0
		for _, c := range w.github.Calls() {
			if c.Actor == "colony[bot]" && c.Path == fmt.Sprintf("/repos/acme/widgets/issues/%d", i.Number) {
				reads++
			}
		}
		if reads != n {
			t.Errorf("#%d was read %d times by %d sweeps", i.Number, reads, n)
		}
	}

	for range 2 { // if one replica is gone, another one sweeps within an interval
		w.colony = replicas[0]
		w.stopColony()
		replicas = replicas[1:]
		w.colony = replicas[len(replicas)-1]
		lost := w.open("olivia", "", "colony:new")
		lost.Label("olivia", "colony:analyzing")
		w.minutes(interval+1, replicas)
		lost.Has("colony:analyzing")
	}
}

// A sweep that somebody asks for does not wait for the next interval.
func TestReplicasSweepAtOnceOnRequest(t *testing.T) {
	t.Parallel()
	w, one, another := newReplicas(t, func(c *config.Config) { c.Sweep.Interval = time.Hour })
	w.Deaf()
	for n, replica := range []*colony{one, another, one} {
		i := w.open("olivia", "", "colony:new")
		i.Label("olivia", "colony:analyzing")
		w.clock.Advance(time.Duration(n+1) * time.Minute) // the points of the installation are there again
		w.Must(replica.server.Sweep(ctx))
		w.Quiet()
		i.Has("colony:analyzing")
	}
}
