package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"
	"github.com/jonboulle/clockwork"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/demo"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// Issues of the demo's board, by the state that they begin in.
const (
	ready    = 5 // ready-for-dev
	working  = 6 // in-development
	inReview = 7 // in-review
)

// open opens the demo's world: a playground, and Colony on it.
func open(t *testing.T) *demo.World {
	t.Helper()
	return openOf(t, "colony")
}

// openOf opens the world of a lifecycle's demo.
func openOf(t *testing.T, lifecycle string) *demo.World {
	t.Helper()
	return openAt(t, lifecycle, clockwork.NewRealClock())
}

func openAt(t *testing.T, lifecycle string, clock clockwork.Clock) *demo.World {
	t.Helper()
	production, err := demo.Of(lifecycle)
	if err != nil {
		t.Fatal(err)
	}
	world, err := demo.Open(t.Context(), demo.Options{Production: production, Address: "127.0.0.1:0", Clock: clock, Log: zerolog.Nop(), SweepOnce: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := world.Close(); err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	world.Install()
	rest(t, world)
	return world
}

func rest(t *testing.T, world *demo.World) {
	t.Helper()
	if err := world.Rest(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func client(t *testing.T, world *demo.World, login string) *github.Client {
	t.Helper()
	api := world.GitHubURL + "/api/v3/"
	client, err := github.NewClient(nil).WithAuthToken(world.Playground.Token(login)).WithEnterpriseURLs(api, api)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// as returns an executor in a role, whose work names the same state each time. It waits for Colony by asking it.
func as(t *testing.T, world *demo.World, login, role, next string) *executor {
	t.Helper()
	life, err := statemachine.Shipped("colony")
	if err != nil {
		t.Fatal(err)
	}
	e, err := newExecutor(client(t, world, login), demo.Owner, demo.Repository, life, role)
	if err != nil {
		t.Fatal(err)
	}
	e.waits = func(ctx context.Context, _ int) error { return world.Rest(ctx) }
	e.work = func(context.Context, lifecycle.Candidate) (string, error) { return next, nil }
	return e
}

func stateLabels(t *testing.T, world *demo.World, issue int) []string {
	t.Helper()
	rest(t, world)
	is, _, err := client(t, world, demo.Maintainer).Issues.Get(t.Context(), demo.Owner, demo.Repository, issue)
	if err != nil {
		t.Fatal(err)
	}
	return labels(is)
}

func sees(t *testing.T, world *demo.World, issue int, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, stateLabels(t, world, issue)); diff != "" {
		t.Errorf("labels of #%d (-want +got):\n%s", issue, diff)
	}
}

func TestAnIssueGoesFromRoleToRole(t *testing.T) {
	t.Parallel()
	world := open(t)
	developer := as(t, world, "dev-bot", "developer", "in-review")
	// An issue in development is its own, from before it crashed; then comes what waits.
	for _, want := range []string{"#6: in-development -> in-review", "#5: in-development -> in-review", ""} {
		report, err := developer.once(t.Context())
		if err != nil || report != want {
			t.Fatalf("%q, %v; must be %q", report, err, want)
		}
		rest(t, world)
	}
	sees(t, world, working, "colony:in-review")
	sees(t, world, ready, "colony:in-review")

	if report, err := as(t, world, "review-bot", "reviewer", "changes-requested").once(t.Context()); err != nil || report != "#5: in-review -> changes-requested" {
		t.Fatalf("%q, %v", report, err)
	}
	rest(t, world)
	if report, err := developer.once(t.Context()); err != nil || report != "#5: in-development -> in-review" {
		t.Fatalf("%q, %v", report, err)
	}
	sees(t, world, ready, "colony:in-review")
}

// A bad request never reaches GitHub: the executor checks the table first.
func TestWhatTheTableDoesNotHaveIsFailedWork(t *testing.T) {
	t.Parallel()
	world := open(t)
	_, err := as(t, world, "dev-bot", "developer", "done").once(t.Context())
	if err == nil || !strings.Contains(err.Error(), `may not move an issue from in-development to "done", but to new, planning, analyzing, needs-clarification, ready-for-dev, dependency-blocked, failure-blocked, in-review`) {
		t.Errorf("it says %v", err)
	}
	sees(t, world, working, "colony:failure-blocked", "colony:needs-human") // without a comment: Colony had nothing to refuse
}

func TestFailedWork(t *testing.T) {
	t.Parallel()
	world := open(t)
	developer := as(t, world, "dev-bot", "developer", "")
	broken := errors.New("it does not compile")
	developer.work = func(context.Context, lifecycle.Candidate) (string, error) { return "", broken }
	report, err := developer.once(t.Context())
	if report != "#6: in-development -> failure-blocked" || !errors.Is(err, broken) {
		t.Errorf("%q, %v", report, err)
	}
	sees(t, world, working, "colony:failure-blocked", "colony:needs-human")
}

func TestALateExecutorHandsNothingOn(t *testing.T) {
	t.Parallel()
	world := open(t)
	developer := as(t, world, "dev-bot", "developer", "")
	tara := client(t, world, "tara")
	developer.work = func(ctx context.Context, issue lifecycle.Candidate) (string, error) {
		_, _, err := tara.Issues.AddLabelsToIssue(ctx, demo.Owner, demo.Repository, issue.Number, []string{"colony:paused"})
		return "in-review", err
	}
	report, err := developer.once(t.Context())
	if report != "#6 is in paused by now: nothing is handed on" || err != nil {
		t.Errorf("%q, %v", report, err)
	}
	sees(t, world, working, "colony:paused")
}

// An executor that is asked to stop leaves the issue where it is, for the next pass.
func TestAnInterruptedPassIsRepeated(t *testing.T) {
	t.Parallel()
	world := open(t)
	developer := as(t, world, "dev-bot", "developer", "in-review")
	works := developer.work
	ctx, stop := context.WithCancel(t.Context())
	developer.work = func(ctx context.Context, _ lifecycle.Candidate) (string, error) {
		stop()
		return "", ctx.Err()
	}
	if _, err := developer.once(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("it says %v", err)
	}
	sees(t, world, working, "colony:in-development")
	developer.work = works
	if report, err := developer.once(t.Context()); err != nil || report != "#6: in-development -> in-review" {
		t.Errorf("%q, %v", report, err)
	}
}

// Colony is gone, or slow: nobody works on what is not granted.
func TestAClaimThatIsNotGranted(t *testing.T) {
	t.Parallel()
	world := open(t)
	if _, err := as(t, world, "dev-bot", "developer", "in-review").once(t.Context()); err != nil { // #6, so that #5 is next
		t.Fatal(err)
	}
	rest(t, world)
	world.Playground.HoldDeliveries()
	developer := as(t, world, "dev-bot", "developer", "")
	developer.waits = func(context.Context, int) error { return nil }
	developer.work = func(context.Context, lifecycle.Candidate) (string, error) {
		t.Error("it works")
		return "", nil
	}
	if _, err := developer.once(t.Context()); err == nil || !strings.Contains(err.Error(), "Colony does not finish its move") {
		t.Errorf("it says %v", err)
	}
}

func TestTheProgram(t *testing.T) {
	world := open(t)
	script := filepath.Join(t.TempDir(), "review.sh")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho \"I looked at #$ISSUE, $TITLE\"\necho human-review-ready\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GITHUB_API_URL", world.GitHubURL+"/api/v3/")
	t.Setenv("GITHUB_TOKEN", world.Playground.Token("review-bot"))
	if err := run(t.Context(), []string{"-repo", "acme/widgets", "-role", "reviewer", "--", script}); err != nil {
		t.Fatal(err)
	}
	sees(t, world, inReview, "colony:human-review-ready")
}

func TestWhatTheProgramRefuses(t *testing.T) {
	t.Parallel()
	for want, arguments := range map[string][]string{
		"are needed":         {"-repo", "acme", "--", "true"},
		"a command":          {"-repo", "acme/widgets"},
		"no role \"tester\"": {"-repo", "acme/widgets", "-role", "tester", "--", "true"},
		"-lifecycle":         {"-repo", "acme/widgets", "-lifecycle", "none", "--", "true"},
	} {
		if err := run(t.Context(), arguments); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", arguments, err)
		}
	}
}

var developSh = regexp.MustCompile("(?s)<!-- develop.sh: [^\n]*\n\n```sh\n(.*?)\n```")

// The first try in docs/write-an-executor.md works where Colony follows pull requests, twice.
func TestTheFirstTry(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/write-an-executor.md")
	if err != nil {
		t.Fatal(err)
	}
	found := developSh.FindSubmatch(page)
	if found == nil {
		t.Fatal("the page has no develop.sh")
	}
	world := open(t)
	script := filepath.Join(t.TempDir(), "develop.sh")
	text := "#!/bin/sh -e\nexport GITHUB_API_URL=" + world.GitHubURL + "/api/v3 GITHUB_TOKEN=" + world.Playground.Token("dev-bot") + "\n" + string(found[1]) + "\n"
	if err := os.WriteFile(script, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	developer := as(t, world, "dev-bot", "developer", "")
	developer.work = command([]string{"sh", "-e", script})
	for range 2 {
		if _, err := developer.once(t.Context()); err != nil {
			t.Fatal(err)
		}
		rest(t, world)
	}
	if err := world.Playground.SetFile(demo.Owner, demo.Repository, ".github/colony.yml", "follow: [pull-requests]"); err != nil {
		t.Fatal(err)
	}
	sees(t, world, working, "colony:in-review")
	sees(t, world, ready, "colony:in-review")
	maintainer := client(t, world, demo.Maintainer)
	if _, _, err := maintainer.Issues.AddLabelsToIssue(t.Context(), demo.Owner, demo.Repository, ready, []string{"colony:changes-requested"}); err != nil {
		t.Fatal(err)
	}
	rest(t, world)
	if report, err := developer.once(t.Context()); err != nil || report != "#5: in-development -> in-review" {
		t.Fatalf("%q, %v", report, err)
	}
	sees(t, world, ready, "colony:in-review")
	pulls, _, err := maintainer.PullRequests.List(t.Context(), demo.Owner, demo.Repository, nil)
	if err != nil || len(pulls) != 2 {
		t.Errorf("%d pull requests, %v", len(pulls), err)
	}
}
