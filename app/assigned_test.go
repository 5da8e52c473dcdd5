package app_test

import (
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/policy"
)

// assign lets somebody assign the issue to people.
func (i *issue) assign(by string, to ...string) {
	i.t.Helper()
	_, _, err := i.as(by).Issues.AddAssignees(ctx, "acme", "widgets", i.number, to)
	i.must(err)
}

func (i *issue) unassign(by string, from ...string) {
	i.t.Helper()
	_, _, err := i.as(by).Issues.RemoveAssignees(ctx, "acme", "widgets", i.number, from)
	i.must(err)
}

// openAssigned opens an issue that is assigned to people from the beginning.
func (w *world) openAssigned(by string, to ...string) *issue {
	w.t.Helper()
	opened, _, err := w.as(by).Issues.Create(ctx, "acme", "widgets", &github.IssueRequest{Title: new("A widget that works"), Assignees: &to})
	w.must(err)
	i := &issue{world: w, number: opened.GetNumber(), comments: map[int64]bool{}, reactions: map[int64]bool{}}
	w.issues = append(w.issues, i)
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
			w.commitAndSettle("widgets", policy.SettingsFile, assignedToRalph)
			after := w.settle
			if way == "swept" { // no webhook comes
				w.github.SetWebhookURL(appID, "")
				after = w.sweep
			}
			asked, none, other, passed := w.open("ada", "It does not turn."), w.open("ada", ""), w.open("ada", ""), w.open("ada", "")
			begun, working := w.openAssigned("olivia", "mona", "ralph"), w.open("olivia", "", "colony:queued")
			after()
			begun.has("colony:queued")
			working.label("olivia", "colony:refining")
			after()

			asked.assign("tara", "ralph") // triage is enough for GitHub
			none.assign("rita", "ralph")  // read is not
			other.assign("tara", "mona")
			passed.assign("tara", "ralph") // and taken back before Colony reads it, without a webhook
			passed.unassign("tara", "ralph")
			working.assign("tara", "ralph")
			after()
			asked.has("colony:queued")
			none.has()
			other.has()
			if passed.labels() != nil && way == "swept" {
				t.Errorf("taken in although nobody is assigned: %v", passed.labels())
			}
			working.has("colony:refining")

			// What is in the lifecycle stays there, no matter who has it now.
			asked.label("olivia", "colony:refining")
			asked.unassign("tara", "ralph")
			begun.unassign("olivia", "ralph")
			after()
			asked.has("colony:refining")
			begun.has("colony:queued")
			asked.assign("tara", "ralph")
			after()
			asked.has("colony:refining")
		})
	}
}

// As long as GitHub's log does not show who an issue was assigned to, Colony waits for it.
func TestAssignmentThatTheLogDoesNotShowYetIsWaitedFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t, takesIn(policy.Assigned), func(c *config.Config) { c.Intake.Assignees = []string{"olivia"} })
	old := w.open("ada", "")
	w.settle()
	w.clock.Advance(100 * time.Hour) // the opening is longer ago than judging.horizon, so only the log shows that this is new
	w.github.LagEvents(3 * time.Second)
	old.assign("olivia", "olivia")
	w.settle()
	old.has("colony:new")
}

// An issue that was assigned before the intake existed stays where it is, until somebody assigns it anew.
func TestIssuesThatWereAssignedBeforeAreNotTakenIn(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t, takesIn(policy.Assigned), func(c *config.Config) { c.Intake.Assignees = []string{"olivia"} })
	old := w.openAssigned("mona", "olivia")
	w.clock.Advance(time.Hour)
	w.start()
	w.install()
	old.comment("rita", "still so")
	w.sweep()
	old.has()
	old.unassign("mona", "olivia")
	w.settle()
	old.has()
	old.assign("mona", "olivia")
	w.settle()
	old.has("colony:new")
}

// An assignment costs nothing where no intake needs it, or not for this person.
func TestNothingIsReadForAssigneesThatNobodyNamed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, takesIn(policy.Assigned), func(c *config.Config) { c.Intake.Assignees = []string{"olivia"} })
	known, other := w.open("olivia", "", "colony:new"), w.open("ada", "") // now the policy is known
	w.settle()
	w.github.ResetCalls()
	other.assign("tara", "mona")
	known.unassign("tara", "mona")
	w.settle()
	if reads, writes := w.calls(); reads+writes > 0 {
		t.Errorf("%d reads and %d writes for nothing", reads, writes)
	}
	other.has()
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
		w.commitAndSettle("widgets", policy.SettingsFile, text)
		w.saidOnce("widgets", policy.SettingsFile, complaint)
	}
}
