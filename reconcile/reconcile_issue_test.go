package reconcile_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/policy"
)

func TestEveryNewIssueIsTakenIn(t *testing.T) {
	t.Parallel()
	notifiedAndSwept(t, acme.TakesIn(policy.Every), func(w *world, after func()) {
		plain, bug := w.open("ada", "It does not turn."), w.open("olivia", "", "bug")
		begun := w.open("olivia", "", "colony:in-review")
		after()
		plain.Has("colony:new")
		bug.Has("bug", "colony:new")
		begun.Has("colony:in-review")
	})
}

func TestIssuesOfBeforeColonyAreNotTakenIn(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t, acme.TakesIn(policy.Every))
	old := w.open("ada", "from before")
	w.clock.Advance(time.Hour)
	w.start()
	w.install()
	old.Comment("rita", "still so")
	w.Sweep()
	old.Has()
	w.github.SetWebhookURL(acme.AppID, "")
	forgotten := w.open("ada", "")
	w.clock.Advance(100 * time.Hour) // more than judging.horizon
	forgotten.Comment("rita", "hello?")
	w.Sweep()
	forgotten.Has()
}

func TestIssuesWithATriggerLabelAreTakenIn(t *testing.T) {
	t.Parallel()
	change := func(c *config.Config) {
		c.Intake = policy.Intake{When: policy.Labelled, Labels: []string{"colony:enqueue", "go"}}
	}
	notifiedAndSwept(t, change, func(w *world, after func()) {
		if label, _, err := w.As("ada").Issues.GetLabel(ctx, "acme", "widgets", "colony:enqueue"); err != nil || label.GetDescription() == "" {
			t.Errorf("the label is not provisioned: %v, %v", label, err)
		}
		none, asked, foreign, reviewed := w.open("ada", ""), w.open("ada", ""), w.open("ada", ""), w.open("olivia", "", "colony:in-review")
		begun := w.open("olivia", "", "colony:enqueue")
		other := w.open("ada", "")
		after()
		asked.Label("olivia", "Colony:Enqueue")
		foreign.Label("olivia", "go")
		other.Label("olivia", "bug")
		reviewed.Label("olivia", "colony:enqueue")
		after()
		none.Has()
		asked.Has("colony:new")
		foreign.Has("colony:new", "go")
		other.Has("bug")
		reviewed.Has("colony:in-review")
		begun.Has("colony:new")
	})
}

func TestOnlyIssuesOfSomeAuthorsAreTakenIn(t *testing.T) {
	t.Parallel()
	notifiedAndSwept(t, acme.TakesIn(policy.Every, "Ada", "COLLABORATOR"), func(w *world, after func()) {
		w.github.AddUser("eve")
		ada, olivia, eve := w.open("ada", ""), w.open("olivia", ""), w.open("eve", "")
		after()
		ada.Has("colony:new")
		olivia.Has("colony:new")
		eve.Has()
	})
}

func TestPullRequestsAreNeverTakenIn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.TakesIn(policy.Every))
	_, err := w.github.Push("acme", "widgets", "fix", "fix.txt", "fixed", "olivia")
	w.Must(err)
	pull, _, err := w.As("olivia").PullRequests.Create(ctx, "acme", "widgets", &github.NewPullRequest{Title: new("Fix"), Head: new("fix"), Base: new("main")})
	w.Must(err)
	w.Sweep()
	is, _, err := w.As("mona").Issues.Get(ctx, "acme", "widgets", pull.GetNumber())
	w.Must(err)
	if len(is.Labels) > 0 {
		t.Errorf("the pull request has labels: %v", is.Labels)
	}
}

// A repository's settings win, and its own lifecycle says where issues go.
func TestRepositorySaysWhichIssuesAreTakenIn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.TakesIn(policy.Every))
	w.CommitAndSettle("widgets", policy.SettingsFile, "intake: {when: none}\n")
	before := w.open("ada", "")
	w.Settle()
	before.Has()
	w.Commit("widgets", policy.LifecycleFile, acme.Desk+"intake: open\n")
	w.CommitAndSettle("widgets", policy.SettingsFile, "intake: {when: labelled, labels: [question]}\n")
	asked, other := w.open("ada", ""), w.open("ada", "")
	asked.Label("olivia", "question")
	other.Label("olivia", "bug")
	w.Settle()
	asked.Has("colony:open", "question")
	other.Has("bug")
}

func TestBrokenIntakeIsReported(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for text, complaint := range map[string]string{
		"intake:\n  when: always\n":                                    `line 2, column 9: "always" is not one of none, every, labelled`,
		"intake: {when: labelled, labels: []}\n":                       "line 1, column 34: without labels no issue is taken in",
		"intake: {when: labelled, labels: [\"colony:new\"]}\n":         `is a label that lifecycle colony uses already`,
		"intake: {when: every, authors: [\"@acme/core\"]}\n":           `is neither a login nor an association`,
		"dispatch: [{from: [new], to: analyzing, at-most: 0}]\n":       "line 1, column 50: at-most 0 is not from 1 to 1000",
		"dispatch: [{from: [new, done], to: analyzing, at-most: 1}]\n": "line 1, column 25: done `->` analyzing is not in the table of lifecycle colony",
	} {
		w.CommitAndSettle("widgets", policy.SettingsFile, text)
		said := w.Said("widgets", policy.SettingsFile)
		if len(said) != 1 || !strings.Contains(said[0], complaint) {
			t.Errorf("%q: not %q but %q", text, complaint, said)
		}
	}
}

// A repository that takes nothing in pays nothing for the webhooks.
func TestNothingIsReadWhereNothingIsTakenIn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("olivia", "", "colony:new") // now the policy is known
	w.Settle()
	w.github.ResetCalls()
	w.open("ada", "It does not turn.").Label("olivia", "bug", "question")
	w.Settle()
	if reads, writes := w.Cost(); reads+writes > 0 {
		t.Errorf("%d reads and %d writes for nothing", reads, writes)
	}
	i.Has("colony:new")
}
