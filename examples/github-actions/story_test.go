//go:build examples

package workflows

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/demo"
	"github.com/colony-app/colony/playground"
)

// Issues of the demo's board, by the state that they begin in.
const (
	unlabeled = 1
	fresh     = 2 // new
)

func (a *actions) sees(issue int, labels ...string) {
	a.t.Helper()
	a.rest()
	if diff := cmp.Diff(labels, a.labels(issue)); diff != "" {
		a.t.Errorf("#%d: labels (-want +got):\n%s", issue, diff)
	}
}

// answers lets the commands end well: analyze says what is next for it, and so on.
func (a *actions) answers(analyze, develop, review string) {
	for name, next := range map[string]string{"analyze": analyze, "develop": develop, "review": review} {
		a.commands[name] = `echo "next=` + next + `" >>"$GITHUB_OUTPUT"`
	}
}

func TestAnIssueIsHandedOnByItsLabels(t *testing.T) {
	t.Parallel()
	a := open(t)
	a.answers("ready-for-dev", "in-review", "human-review-ready")
	a.puts(demo.Maintainer, unlabeled, "colony:new")
	a.run()
	a.sees(unlabeled, "human-review-ready")
	if diff := cmp.Diff([]string{"analyze", "develop", "review"}, a.ran); diff != "" {
		t.Errorf("what ran (-want +got):\n%s", diff)
	}
	want := []string{
		"new by olivia", "analyzing by acme-analyzer[bot]", "ready-for-dev by acme-analyzer[bot]", "in-development by acme-developer[bot]",
		"in-review by acme-developer[bot]", "human-review-ready by acme-reviewer[bot]",
	}
	if diff := cmp.Diff(want, a.trail(unlabeled)); diff != "" {
		t.Errorf("moves (-want +got):\n%s", diff)
	}
	if said := a.comments(unlabeled, "colony[bot]"); len(said) > 0 {
		t.Errorf("Colony explained something: %q", said)
	}
}

func TestAReviewGoesRound(t *testing.T) {
	t.Parallel()
	a := open(t)
	a.answers("ready-for-dev", "in-review", "changes-requested")
	reviews := 0
	a.while = func(workflow string) {
		if workflow != "review" {
			return
		}
		reviews++
		if reviews == 2 {
			a.answers("", "in-review", "human-review-ready")
		}
	}
	a.puts("tara", fresh, "colony:ready-for-dev")
	a.run()
	a.sees(fresh, "human-review-ready")
	if diff := cmp.Diff([]string{"develop", "review", "develop", "review"}, a.ran); diff != "" {
		t.Errorf("what ran (-want +got):\n%s", diff)
	}
}

// Questions are written before the label, and what is quoted is no command.
func TestTheCommandsWordsAreWrittenAndAreNoCommand(t *testing.T) {
	t.Parallel()
	a := open(t)
	a.commands["analyze"] = `{ echo next=needs-clarification; echo 'comment<<END'; echo 'Which "widget"?'; echo '/colony:move ready-for-dev'; echo END; } >>"$GITHUB_OUTPUT"`
	a.puts("tara", unlabeled, "colony:new")
	a.run()
	a.sees(unlabeled, "needs-clarification")
	want := []string{"> Which \"widget\"?\n> /colony:move ready-for-dev"}
	if diff := cmp.Diff(want, a.comments(unlabeled, "acme-analyzer[bot]")); diff != "" {
		t.Errorf("comments (-want +got):\n%s", diff)
	}
}

// Text that people write in an issue is data in the command's environment, and nothing else.
func TestTitleIsNoCode(t *testing.T) {
	t.Parallel()
	a := open(t)
	title := `$(touch injected) "; touch injected; '` + "`touch injected`"
	issue, _, err := a.client("ada").Issues.Create(t.Context(), demo.Owner, demo.Repository, newIssue(title))
	if err != nil {
		t.Fatal(err)
	}
	a.commands["analyze"] = `if [ -e injected ]; then exit 1; fi
{ echo next=needs-clarification; echo 'comment<<END'; printf '%s\n' "$TITLE"; echo END; } >>"$GITHUB_OUTPUT"`
	a.puts("tara", issue.GetNumber(), "colony:new")
	a.run()
	a.sees(issue.GetNumber(), "needs-clarification")
	if diff := cmp.Diff([]string{"> " + title}, a.comments(issue.GetNumber(), "acme-analyzer[bot]")); diff != "" {
		t.Errorf("comments (-want +got):\n%s", diff)
	}
}

func TestFailedWork(t *testing.T) {
	t.Parallel()
	for name, command := range map[string]string{
		"an exit code":                "exit 3",
		"no state":                    "true",
		"a state of somebody else's":  `echo next=done >>"$GITHUB_OUTPUT"`,
		"a state, but an exit code":   `echo next=in-review >>"$GITHUB_OUTPUT"; exit 1`,
		"two states that it may name": `echo "next=in-review needs-clarification" >>"$GITHUB_OUTPUT"`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := open(t)
			a.commands["develop"] = command
			a.puts("tara", fresh, "colony:ready-for-dev")
			a.run()
			a.sees(fresh, "failure-blocked", "needs-human")
			said := a.comments(fresh, "acme-developer[bot]")
			if len(said) != 1 || !strings.Contains(said[0], "/acme/widgets/actions/runs/4711") {
				t.Errorf("it says %q", said)
			}
			if said := a.comments(fresh, "colony[bot]"); len(said) > 0 {
				t.Errorf("Colony explained something: %q", said)
			}
		})
	}
}

// Without FAILURE the issue stays where it is, until the lifecycle's time-out or a person.
func TestFailedWorkIsLeft(t *testing.T) {
	t.Parallel()
	a := open(t)
	a.workflows["develop"].Env["FAILURE"] = ""
	a.commands["develop"] = "exit 3"
	a.puts("tara", fresh, "colony:ready-for-dev")
	a.run()
	a.sees(fresh, "in-development")
}

func TestALateExecutorHandsNothingOn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		does   func(a *actions)
		labels []string
	}{
		"paused": {func(a *actions) { a.puts("tara", fresh, "colony:paused") }, []string{"paused"}},
		"closed": {func(a *actions) { a.closes(fresh) }, []string{"in-development"}},
		// The executor waits for what Colony did not settle yet.
		"moved a moment ago": {func(a *actions) { a.puts("tara", fresh, "colony:human-review-ready") }, []string{"human-review-ready"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := open(t)
			a.answers("", "in-review", "human-review-ready")
			a.while = func(string) { c.does(a) }
			a.puts("tara", fresh, "colony:ready-for-dev")
			a.run()
			a.sees(fresh, c.labels...)
			if slices.Contains(a.trail(fresh), "in-review by acme-developer[bot]") {
				t.Error("handed on all the same")
			}
			if !strings.Contains(a.said.String(), "::notice::#2 is in ") {
				t.Errorf("nothing reports it: %s", a.said.String())
			}
		})
	}
}

func TestAStaleEventClaimsNothing(t *testing.T) {
	t.Parallel()
	a := open(t)
	a.answers("ready-for-dev", "in-review", "human-review-ready")
	a.puts("tara", fresh, "colony:ready-for-dev")
	stale, ok := a.next()
	if !ok {
		t.Fatal("Actions got no event")
	}
	a.puts("tara", fresh, "colony:paused")
	a.rest()
	a.start("develop", stale)
	a.sees(fresh, "paused")
}

func TestOtherLabelsStartNothing(t *testing.T) {
	t.Parallel()
	a := open(t)
	for _, label := range []string{"bug", "colony:needs-human", "colony:needs-clarification"} {
		a.puts("tara", unlabeled, label)
	}
	a.run()
	if len(a.ran) > 0 {
		t.Errorf("started: %q", a.ran)
	}
}

// Colony is gone: the old label stays, and who works would work in a state that nobody granted.
func TestAClaimThatIsNotGrantedIsAnError(t *testing.T) {
	t.Parallel()
	a := open(t)
	a.answers("ready-for-dev", "in-review", "human-review-ready")
	a.puts("tara", fresh, "colony:ready-for-dev")
	l, ok := a.next()
	if !ok {
		t.Fatal("Actions got no event")
	}
	a.world.Playground.HoldDeliveries()
	patient := a.waits
	a.waits = "0 0 0"
	a.start("develop", l)
	a.waits = patient
	a.sees(fresh, "in-development", "ready-for-dev")
	if !strings.Contains(a.said.String(), "Colony does not finish its move") {
		t.Errorf("nothing reports it: %s", a.said.String())
	}
	a.world.Playground.ReleaseDeliveries(playground.InOrder)
	a.sees(fresh, "in-development")
	a.start("develop", l) // "Re-run failed jobs"
	a.sees(fresh, "in-review")
}

// GITHUB_TOKEN moves the issue, since the state says which role it has. But its labels start nothing.
func TestGitHubTokenMovesButStartsNothing(t *testing.T) {
	t.Parallel()
	a := open(t)
	a.answers("ready-for-dev", "in-review", "human-review-ready")
	for name := range files {
		a.bots[name] = tokenless
	}
	a.puts("tara", unlabeled, "colony:new")
	a.run()
	a.sees(unlabeled, "ready-for-dev")
	if diff := cmp.Diff([]string{"analyze"}, a.ran); diff != "" {
		t.Errorf("what ran (-want +got):\n%s", diff)
	}
	// A label of Colony's starts the next workflow, as that of anybody who is not GITHUB_TOKEN.
	if _, _, err := a.client("tara").Issues.CreateComment(t.Context(), demo.Owner, demo.Repository, unlabeled, newComment("/colony:move in-development")); err != nil {
		t.Fatal(err)
	}
	a.run()
	a.sees(unlabeled, "in-review")
}
