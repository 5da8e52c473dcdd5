package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"
	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/demo"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/statemachine"
)

// place is one place where a role takes issues: where they wait, where it works on them, what its work leads to, and where failed work
// leaves them. Without such a state they stay where it works, and need a person.
type place struct {
	lifecycle, role, login         string
	waits, works, succeeds, failed string
}

var everyPlace = []place{
	{"colony", "analyzer", "analyzer-bot", "new", "analyzing", "ready-for-dev", "failure-blocked"},
	{"colony", "planner", "planner-bot", "planning", "planning", "ready-for-dev", "failure-blocked"},
	{"colony", "developer", "dev-bot", "ready-for-dev", "in-development", "in-review", "failure-blocked"},
	{"colony", "developer", "dev-bot", "changes-requested", "in-development", "in-review", "failure-blocked"},
	{"colony", "reviewer", "review-bot", "in-review", "in-review", "human-review-ready", "failure-blocked"},
	{"colony", "merger", "merge-bot", "merge-pending", "merge-pending", "done", "failure-blocked"},
	{"autoralph", "refiner", "refine-bot", "queued", "refining", "refining", "failed"},
	{"autoralph", "builder", "build-bot", "approved", "building", "in-review", "failed"},
	{"autoralph", "fixer", "fix-bot", "addressing-feedback", "addressing-feedback", "in-review", "failed"},
	{"autoralph", "fixer", "fix-bot", "fixing-checks", "fixing-checks", "in-review", "failed"},
	{"colibri", "gatherer", "gather-bot", "init", "gather", "analyze", ""},
	{"colibri", "analyst", "analyst-bot", "analyze", "analyze", "plan", ""},
	{"colibri", "planner", "plan-bot", "plan", "plan", "apply", ""},
	{"colibri", "applier", "apply-bot", "apply", "apply", "verify", ""},
	{"colibri", "verifier", "verify-bot", "verify", "verify", "done", ""},
	{"prp", "researcher", "research-bot", "planned", "researching", "implementing", ""},
	{"prp", "implementer", "build-bot", "implementing", "implementing", "complete", ""},
	{"prp", "retrier", "retry-bot", "retrying", "retrying", "complete", ""},
	{"prp", "delta-analyst", "delta-bot", "planned", "planned", "obsolete", ""},
	{"prp", "delta-analyst", "delta-bot", "researching", "researching", "obsolete", ""},
	{"prp", "delta-analyst", "delta-bot", "implementing", "implementing", "obsolete", ""},
	{"prp", "delta-analyst", "delta-bot", "retrying", "retrying", "obsolete", ""},
}

// The table has each place where a role of a shipped lifecycle takes issues.
func TestEveryPlaceIsInTheTable(t *testing.T) {
	t.Parallel()
	for _, name := range lifecycle.ShippedNames() {
		life, err := statemachine.Shipped(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, role := range life.Roles {
			e, err := newExecutor(nil, "", "", life, role.Name)
			if err != nil {
				t.Fatal(err)
			}
			for _, takes := range e.places() {
				listed := slices.ContainsFunc(everyPlace, func(p place) bool {
					return p.lifecycle == name && p.role == role.Name && p.works == takes.To && (p.waits == takes.From || takes.From == takes.To)
				})
				if !listed {
					t.Errorf("%s: the %s takes issues from %s to %s, and no row says so", name, role.Name, takes.From, takes.To)
				}
			}
			if !slices.ContainsFunc(everyPlace, func(p place) bool { return p.lifecycle == name && p.role == role.Name }) {
				t.Errorf("%s: the %s has no row", name, role.Name)
			}
		}
	}
}

func TestNoClaimLeadsToAnEnd(t *testing.T) {
	t.Parallel()
	life, err := statemachine.Shipped("prp")
	if err != nil {
		t.Fatal(err)
	}
	e, err := newExecutor(nil, "", "", life, "delta-analyst")
	if err != nil {
		t.Fatal(err)
	}
	e.role.WorksIn = []string{"obsolete"}
	if diff := cmp.Diff([]lifecycle.Claim{{From: "obsolete", To: "obsolete"}}, e.places()); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}
}

// Each command writes the number of its issue and the state that it finds the issue in. One that fails names the next state all the same.
const (
	succeeds = `echo "$ISSUE $STATE" >"$0.ran"; echo "$NEXT"`
	fails    = succeeds + "; exit 1"
	hangs    = succeeds + `; echo >"$0.hangs"; sleep 3600; true`
	isKilled = succeeds + "; kill -9 $$"
)

func TestEveryRoleOfEveryLifecycle(t *testing.T) {
	t.Parallel()
	for _, p := range everyPlace {
		t.Run(fmt.Sprintf("%s %s from %s", p.lifecycle, p.role, p.waits), func(t *testing.T) {
			t.Parallel()
			clock := clockwork.NewFakeClockAt(time.Now())
			world := openAt(t, p.lifecycle, clock)
			for name, script := range map[string]string{"succeeds": succeeds, "fails": fails, "hangs": hangs, "is killed": isKilled} {
				t.Run("a command that "+name, func(t *testing.T) {
					withoutIssues(t, world)
					push := bring(t, world, p)
					clock.Advance(time.Minute)
					push()
					rest(t, world)
					issue, state, err := p.pass(t, world, script)
					if state != p.works {
						t.Errorf("it found the issue in %s", state)
					}
					if (err == nil) != (script == succeeds) {
						t.Errorf("the executor says %v", err)
					}
					want, open := []string{p.label(t, p.works), lifecycle.NeedsHuman}, true
					switch {
					case script == succeeds:
						next, _ := p.life(t).State(p.succeeds)
						want, open = []string{next.Label}, next.Closes == ""
					case p.failed != "":
						want[0] = p.label(t, p.failed)
					}
					if diff := cmp.Diff(want, stateLabels(t, world, issue)); diff != "" {
						t.Errorf("labels of #%d (-want +got):\n%s", issue, diff)
					}
					if is := isOpen(t, world, issue); is != open {
						t.Errorf("#%d is open: %t", issue, is)
					}
				})
			}
		})
	}
}

// A role that cannot move an issue whose work failed leaves it to a person, and goes on with the next one.
func TestFailedWorkThatNeedsAPersonIsNotRepeated(t *testing.T) {
	t.Parallel()
	p := everyPlace[slices.IndexFunc(everyPlace, func(p place) bool { return p.role == "implementer" })]
	world := openOf(t, p.lifecycle)
	withoutIssues(t, world)
	bring(t, world, p)
	first, _, err := p.pass(t, world, fails)
	if err == nil {
		t.Error("it does not fail")
	}
	bring(t, world, p)
	if next, _, err := p.pass(t, world, succeeds); err != nil || next == first {
		t.Errorf("it works on #%d after #%d: %v", next, first, err)
	}
	maintainer := client(t, world, demo.Maintainer)
	if _, err := maintainer.Issues.RemoveLabelForIssue(t.Context(), demo.Owner, demo.Repository, first, lifecycle.NeedsHuman); err != nil {
		t.Fatal(err)
	}
	rest(t, world)
	if again, _, err := p.pass(t, world, succeeds); err != nil || again != first {
		t.Errorf("it works on #%d and not on #%d: %v", again, first, err)
	}
}

func (p place) life(t *testing.T) *statemachine.Table {
	t.Helper()
	life, err := statemachine.Shipped(p.lifecycle)
	if err != nil {
		t.Fatal(err)
	}
	return life
}

func (p place) label(t *testing.T, state string) string {
	t.Helper()
	return p.life(t).Label(state)
}

// pass makes one pass, and returns what the command found. What hangs is stopped by the executor's clock, once it hangs.
func (p place) pass(t *testing.T, world *demo.World, script string) (issue int, state string, err error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "work.sh")
	if err := os.WriteFile(path, []byte("#!/bin/sh\nNEXT="+p.succeeds+"\n"+script+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	e, err := newExecutor(client(t, world, p.login), demo.Owner, demo.Repository, p.life(t), p.role)
	if err != nil {
		t.Fatal(err)
	}
	clock := clockwork.NewFakeClock()
	e.work, e.clock, e.timeout = command([]string{"sh", path}), clock, time.Hour
	e.waits = func(ctx context.Context, _ int) error { return world.Rest(ctx) }
	if script == hangs {
		if err := syscall.Mkfifo(path+".hangs", 0o600); err != nil {
			t.Fatal(err)
		}
		go func() {
			if _, err := os.ReadFile(path + ".hangs"); err != nil { // ends once the command opened it
				t.Error(err)
			}
			clock.Advance(time.Hour)
		}()
	}
	_, err = e.once(t.Context())
	ran, readErr := os.ReadFile(path + ".ran")
	if readErr != nil {
		t.Fatalf("the command did not run: %v, %v", err, readErr)
	}
	if _, err := fmt.Sscan(string(ran), &issue, &state); err != nil {
		t.Fatal(err)
	}
	return issue, state, err
}

// withoutIssues deletes the issues that are there: first those of the demo's board.
func withoutIssues(t *testing.T, world *demo.World) {
	t.Helper()
	issues, _, err := client(t, world, demo.Maintainer).Issues.ListByRepo(t.Context(), demo.Owner, demo.Repository, &github.IssueListByRepoOptions{State: "all", ListOptions: github.ListOptions{PerPage: 100}})
	if err != nil {
		t.Fatal(err)
	}
	for _, issue := range issues {
		if !issue.IsPullRequest() {
			if err := world.Playground.DeleteIssue(demo.Owner, demo.Repository, issue.GetNumber(), demo.Maintainer); err != nil {
				t.Fatal(err)
			}
		}
	}
	rest(t, world)
}

// bring opens an issue and moves it by its maintainer to where a role takes it, the shortest way that the lifecycle has. The caller pushes
// what the roles of autoralph have to show for their work.
func bring(t *testing.T, world *demo.World, p place) (push func()) {
	t.Helper()
	life, maintainer := p.life(t), client(t, world, demo.Maintainer)
	title, body := "A widget", "Paint it."
	opened, _, err := maintainer.Issues.Create(t.Context(), demo.Owner, demo.Repository, &github.IssueRequest{Title: &title, Body: &body})
	if err != nil {
		t.Fatal(err)
	}
	push = func() {}
	if p.lifecycle == "autoralph" {
		branch := fmt.Sprintf("work-on-%d", opened.GetNumber())
		push = func() {
			if _, err := world.Playground.Push(demo.Owner, demo.Repository, branch, branch+".txt", time.Now().String(), demo.Maintainer); err != nil {
				t.Fatal(err)
			}
		}
		push()
		work := playground.PullRequest{Owner: demo.Owner, Name: demo.Repository, By: demo.Maintainer, Branch: branch, Body: fmt.Sprintf("Fixes #%d", opened.GetNumber())}
		if _, err := world.Playground.OpenPullRequest(work); err != nil {
			t.Fatal(err)
		}
	}
	way := map[string][]string{life.Initial: nil}
	for queue := []string{life.Initial}; way[p.waits] == nil && len(queue) > 0; queue = queue[1:] {
		for _, pair := range life.Next(lifecycle.Actor{Kind: lifecycle.Operator}, queue[0]) {
			if _, seen := way[pair.To]; !seen && !pair.OnlyPrevious && pair.Reason != lifecycle.Required {
				way[pair.To] = append(slices.Clone(way[queue[0]]), life.Label(pair.To))
				queue = append(queue, pair.To)
			}
		}
	}
	for _, label := range way[p.waits] {
		rest(t, world)
		if _, _, err := maintainer.Issues.AddLabelsToIssue(t.Context(), demo.Owner, demo.Repository, opened.GetNumber(), []string{label}); err != nil {
			t.Fatal(err)
		}
	}
	rest(t, world)
	return push
}

func isOpen(t *testing.T, world *demo.World, issue int) bool {
	t.Helper()
	is, _, err := client(t, world, demo.Maintainer).Issues.Get(t.Context(), demo.Owner, demo.Repository, issue)
	if err != nil {
		t.Fatal(err)
	}
	return is.GetState() == "open"
}
