package simulate_test

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/simulate"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/reconcile/replay"
)

// All that the App can see, or one installation, as the App, with tokens that only read: a limit of GitHub's is waited for, and a repository that
// cannot be read is named while the others are.
func TestSimulationOfInstallations(t *testing.T) {
	t.Parallel()
	w, ctx := acme.New(t), t.Context()
	w.AddRepository("acme", "gadgets")
	w.AddOrganization("umbrella")
	w.AddRepository("umbrella", "widgets")
	for _, repo := range [][2]string{{"acme", "gadgets"}, {"umbrella", "widgets"}} {
		w.SetPermission(repo[0], repo[1], "olivia", "write")
	}
	first, second := w.Installation, w.Install("umbrella")
	for _, repo := range [][2]string{{"acme", "widgets"}, {"acme", "gadgets"}, {"umbrella", "widgets"}} {
		opened, _, err := w.As("olivia").Issues.Create(ctx, repo[0], repo[1], &github.IssueRequest{Title: new("A widget"), Labels: &[]string{"colony:done"}})
		w.Must(err)
		w.Advance(time.Minute)
		_, _, err = w.As("olivia").Issues.AddLabelsToIssue(ctx, repo[0], repo[1], opened.GetNumber(), []string{"colony:new"})
		w.Must(err)
	}
	w.Advance(time.Minute)
	options := app.Options{Clock: w.Clock, Transport: w.Counting()}
	simulated := func(o simulate.Options) *simulate.Report {
		w.ResetCalls()
		o.Since = 24 * time.Hour
		report, err := simulate.Run(ctx, w.Config, options, o)
		w.Must(err)
		if writes := w.Writes(); len(writes) > 0 {
			t.Errorf("the simulation changes something: %q", writes)
		}
		return report
	}
	for installation, want := range map[int64]int{0: 3, first: 2, second: 1} {
		r := simulated(simulate.Options{Installation: installation})
		if r.Repositories != want || r.Issues != want || r.Counts[replay.Refuses] != want || !r.Complete {
			t.Errorf("installation %d: %+v", installation, r)
		}
	}
	if r := simulated(simulate.Options{Repository: "acme/gadgets"}); r.Repositories != 1 || len(r.Examples) == 0 || r.Examples[0].Repository != "acme/gadgets" {
		t.Errorf("%+v", r)
	}

	var planned simulate.Plan
	short, cut := context.WithCancel(ctx)
	r, err := simulate.Run(short, w.Config, options, simulate.Options{
		Installation: first, Since: 24 * time.Hour, AtOnce: 1, Planned: func(p simulate.Plan) { planned = p }, Each: func(replay.Outcome) { cut() },
	})
	w.Must(err)
	if want := (simulate.Plan{Repositories: 2, Issues: 2, Calls: 10}); planned != want {
		t.Errorf("it plans %+v, want %+v", planned, want)
	}
	_, from, ok := strings.Cut(r.Stopped, "; --from ")
	from, goesOn := strings.CutSuffix(from, " goes on")
	if r.Complete || r.Issues != 1 || !ok || !goesOn {
		t.Fatalf("interrupted after an issue: %+v", r)
	}
	if r := simulated(simulate.Options{Installation: first, From: from}); !r.Complete || r.Repositories != 1 || r.Issues != 1 {
		t.Errorf("from %s: %+v", from, r)
	}
	if _, err := simulate.Run(ctx, w.Config, options, simulate.Options{From: "acme/nothing", Since: time.Hour}); err == nil || !strings.Contains(err.Error(), "no repository acme/nothing") {
		t.Errorf("from a repository that is not there it says %v", err)
	}
	if _, err := simulate.Run(ctx, w.Config, options, simulate.Options{Repository: "acme/nothing", Since: time.Hour}); err == nil || !strings.Contains(err.Error(), "not installed on acme/nothing") {
		t.Errorf("of a repository that is not there it says %v", err)
	}

	w.Fault(playground.Fault{Kind: playground.FaultSecondaryLimit, Path: regexp.MustCompile("/issues/1/events$"), Times: 1, RetryAfter: 30 * time.Second})
	waits := 0
	options.Waits = func(wait time.Duration) {
		if wait != 30*time.Second {
			t.Errorf("it waits for %s", wait)
		}
		waits++
		go func() { // once it waits
			if err := w.Clock.BlockUntilContext(ctx, 1); err == nil {
				w.Advance(time.Minute)
			}
		}()
	}
	limited := simulated(simulate.Options{})
	if limited.Issues != 3 || !limited.Complete || waits != 1 {
		t.Errorf("limited, it waits %d times: %+v", waits, limited)
	}

	w.Fault(playground.Fault{Kind: playground.FaultStatus, Status: 403, Path: regexp.MustCompile("/repos/acme/gadgets/issues/comments")})
	r = simulated(simulate.Options{})
	if r.Complete || r.Issues != 2 || len(r.NotChecked) != 1 || r.NotChecked[0].Repository != "acme/gadgets" {
		t.Errorf("a repository that cannot be read: %+v", r)
	}

	_, _, err = w.As("olivia").Issues.Create(ctx, "acme", "widgets", &github.IssueRequest{Title: new("Another widget")})
	w.Must(err)
	w.Fault(playground.Fault{Kind: playground.FaultStatus, Status: 502, Path: regexp.MustCompile("/repos/acme/widgets/issues/2/events")})
	if r := simulated(simulate.Options{Repository: "acme/widgets", AtOnce: 1}); r.Complete || r.Stopped == "" || r.Issues != 1 || r.Counts[replay.Refuses] != 1 {
		t.Errorf("cut short: %+v", r)
	}
}
