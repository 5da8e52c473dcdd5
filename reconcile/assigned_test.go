package reconcile_test

import (
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/policy"
)

// openAssigned opens an issue that is assigned to people from the beginning.
func (w *world) openAssigned(by string, to ...string) *issue {
	w.t.Helper()
	opened, _, err := w.As(by).Issues.Create(ctx, "acme", "widgets", &github.IssueRequest{Title: new("A widget that works"), Assignees: &to})
	w.Must(err)
	i := w.Heed(opened.GetNumber())
	return i
}

// assignedToRalph is the file of a repository with the lifecycle autoralph, which takes in what is assigned.
const assignedToRalph = "lifecycle: autoralph\nintake: {assignees: [Ralph]}\n"

// A repository of autoralph names its users, and what is assigned to one of them is queued.
func TestIssueThatIsAssignedToAConfiguredUserIsTakenIn(t *testing.T) {
	t.Parallel()
	for _, way := range []string{"told", "swept"} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.github.AddUser("ralph")
			w.github.SetPermission("acme", "widgets", "ralph", "write")
			w.CommitAndSettle("widgets", policy.SettingsFile, assignedToRalph)
			after := w.Settle
			if way == "swept" { // no webhook comes
				w.github.SetWebhookURL(acme.AppID, "")
				after = w.Sweep
			}
			asked, none, other, passed := w.open("ada", "It does not turn."), w.open("ada", ""), w.open("ada", ""), w.open("ada", "")
			begun, working := w.openAssigned("olivia", "mona", "ralph"), w.open("olivia", "", "colony:queued")
			after()
			begun.Has("colony:queued")
			working.Label("olivia", "colony:refining")
			after()

			asked.Assign("tara", "ralph") // triage is enough for GitHub
			none.Assign("rita", "ralph")  // read is not
			other.Assign("tara", "mona")
			passed.Assign("tara", "ralph") // and taken back before Colony reads it, without a webhook
			passed.Unassign("tara", "ralph")
			working.Assign("tara", "ralph")
			after()
			asked.Has("colony:queued")
			none.Has()
			other.Has()
			if passed.Labels() != nil && way == "swept" {
				t.Errorf("taken in although nobody is assigned: %v", passed.Labels())
			}
			working.Has("colony:refining")

			// What is in the lifecycle stays there, no matter who has it now.
			asked.Label("olivia", "colony:refining")
			asked.Unassign("tara", "ralph")
			begun.Unassign("olivia", "ralph")
			after()
			asked.Has("colony:refining")
			begun.Has("colony:queued")
			asked.Assign("tara", "ralph")
			after()
			asked.Has("colony:refining")
		})
	}
}

// As long as GitHub's log does not show who an issue was assigned to, Colony waits for it.
func TestAssignmentThatTheLogDoesNotShowYetIsWaitedFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.TakesIn(policy.Assigned), func(c *config.Config) { c.Intake.Assignees = []string{"olivia"} })
	old := w.open("ada", "")
	w.Settle()
	w.clock.Advance(100 * time.Hour) // the opening is longer ago than judging.horizon, so only the log shows that this is new
	w.github.LagEvents(3 * time.Second)
	old.Assign("olivia", "olivia")
	w.Settle()
	old.Has("colony:new")
}

// An issue that was assigned before the intake existed stays where it is, until somebody assigns it anew.
func TestIssuesThatWereAssignedBeforeAreNotTakenIn(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t, acme.TakesIn(policy.Assigned), func(c *config.Config) { c.Intake.Assignees = []string{"olivia"} })
	old := w.openAssigned("mona", "olivia")
	w.clock.Advance(time.Hour)
	w.start()
	w.install()
	old.Comment("rita", "still so")
	w.Sweep()
	old.Has()
	old.Unassign("mona", "olivia")
	w.Settle()
	old.Has()
	old.Assign("mona", "olivia")
	w.Settle()
	old.Has("colony:new")
}

// An assignment costs nothing where no intake needs it, or not for this person.
func TestNothingIsReadForAssigneesThatNobodyNamed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.TakesIn(policy.Assigned), func(c *config.Config) { c.Intake.Assignees = []string{"olivia"} })
	known, other := w.open("olivia", "", "colony:new"), w.open("ada", "") // now the policy is known
	w.Settle()
	w.github.ResetCalls()
	other.Assign("tara", "mona")
	known.Unassign("tara", "mona")
	w.Settle()
	if reads, writes := w.Cost(); reads+writes > 0 {
		t.Errorf("%d reads and %d writes for nothing", reads, writes)
	}
	other.Has()
}

func TestSettingsOfAssigneesThatDoNotFit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for text, complaint := range map[string]string{
		"intake: {when: assigned}\n":                    "line 1, column 9: without assignees no issue is taken in",
		"intake: {assignees: [ralph]}\n":                "line 1, column 21: assignees are of use only with when: assigned",
		"intake: {when: every, assignees: [ralph]}\n":   "assignees are of use only with when: assigned",
		"intake: {when: assigned, assignees: [\"@a\"]}": "is not a login",
	} {
		w.CommitAndSettle("widgets", policy.SettingsFile, text)
		w.SaidOnce("widgets", policy.SettingsFile, complaint)
	}
}
