package handlers

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/reconcile"
	"github.com/colony-app/colony/statemachine"
)

// ruled is a policy on a shipped lifecycle that takes some issues in.
func ruled(t *testing.T, lifecycle string, intake policy.Intake) policy.Policy {
	t.Helper()
	life, err := statemachine.Shipped(lifecycle)
	if lifecycle == "adopting" {
		life, err = statemachine.Parse("adopting.yml", []byte(adopting))
	}
	if err != nil {
		t.Fatal(err)
	}
	return policy.New(life, nil, "a test").Automate(policy.Settings{Intake: &intake, Follow: policy.DefaultFollow()})
}

// adopting is a lifecycle whose labels a repository had before.
const adopting = `
name: adopting
summary: A small lifecycle.
initial: start
states:
  - {name: start, type: active, meaning: It begins.}
  - {name: in-review, type: active, label: in review, previously: ["status: in review"], color: aaaaaa, description: Review., meaning: It is reviewed.}
  - {name: end, type: terminal, label: done, color: bbbbbb, description: The end., meaning: It is over.}
forward:
  - {source: Test, order: [start, in-review, end]}
`

const hive = "OctoOrg/Bee-Hive"

// What only an intake, or a row for replies, has a use for is published unless the policy is known and has none.
func TestWhatNoKnownPolicyHasAUseFor(t *testing.T) {
	none := policy.DefaultIntake()
	labelled := policy.Intake{When: policy.Labelled, Labels: []string{"go"}}
	assigned := policy.Intake{When: policy.Assigned, Assignees: []string{"Ralph"}}
	foreign := issuesPayload("labeled", "", `, "label": {"name": "Go"}`+byAda)
	other := issuesPayload("labeled", "", `, "label": {"name": "bug"}`+byAda)
	opened := issuesPayload("opened", "", byAda)
	given := issuesPayload("assigned", "", `, "assignee": {"login": "ralph"}`+byAda)
	taken := issuesPayload("unlabeled", "", `, "label": {"name": "Go"}`+byAda)
	in := func(labels ...string) string {
		return fmt.Sprintf(`, "labels": [{"name": "%s"}], "user": {"login": "ada"}`, strings.Join(labels, `"}, {"name": "`))
	}
	reply := answerPayload(stated, "olivia", "It is red")
	for _, test := range []struct {
		name, event, body string
		lifecycle         string // that is known; empty: none is
		intake            policy.Intake
		why               reason
	}{
		{"label, nothing known", "issues", foreign, "", none, ""},
		{"label, no intake", "issues", foreign, "colony", none, notTakenIn},
		{"label that takes in", "issues", foreign, "colony", labelled, ""},
		{"label that does not", "issues", other, "colony", labelled, notTakenIn},
		{"label where assignments take in", "issues", foreign, "colony", assigned, notTakenIn},
		{"opened, nothing known", "issues", opened, "", none, ""},
		{"opened, no intake", "issues", opened, "colony", none, notTakenIn},
		{"opened, every", "issues", opened, "colony", policy.Intake{When: policy.Every}, ""},
		{"opened, and may have a label already", "issues", opened, "colony", labelled, ""},
		{"opened with a command", "issues", issuesPayload("opened", `, "body": "/colony:status"`, byAda), "colony", none, ""},
		{"opened with a state", "issues", issuesPayload("opened", stated, byAda), "colony", none, ""},
		{"assigned, nothing known", "issues", given, "", none, ""},
		{"assigned, no intake", "issues", given, "colony", none, notTakenIn},
		{"assigned to one who takes in", "issues", given, "colony", assigned, ""},
		{"assigned to another", "issues", issuesPayload("assigned", "", `, "assignee": {"login": "mona"}`+byAda), "colony", assigned, notTakenIn},
		{"a state's label", "issues", issuesPayload("labeled", "", `, "label": {"name": "colony:new"}`+byAda), "colony", none, ""},
		{"label off, nothing known", "issues", taken, "", none, ""},
		{"label off that is none of the lifecycle's", "issues", taken, "colony", labelled, otherLabel},
		{"label off that was a state's name", "issues", issuesPayload("unlabeled", "", `, "label": {"name": "Status: in review"}`+byAda), "adopting", none, ""},
		{"label on that is a state's name", "issues", issuesPayload("labeled", "", `, "label": {"name": "In Review"}`+byAda), "adopting", none, ""},
		{"label on that is a state's in another repository", "issues", issuesPayload("labeled", "", `, "label": {"name": "In Review"}`+byAda), "colony", none, notTakenIn},
		{"opened with a state's name", "issues", issuesPayload("opened", `, "labels": [{"name": "bug"}, {"name": "in review"}]`, byAda), "adopting", none, ""},
		{"opened with none", "issues", issuesPayload("opened", `, "labels": [{"name": "bug"}]`, byAda), "adopting", none, notTakenIn},
		{"opened with none, every", "issues", issuesPayload("opened", `, "labels": [{"name": "bug"}]`, byAda), "colony", policy.Intake{When: policy.Every}, ""},
		{"edited with none", "issues", issuesPayload("edited", `, "labels": [{"name": "bug"}]`, `, "changes": {"title": {"from": "a"}}`+byAda), "adopting", none, noState},
		{"edited with a state's name", "issues", issuesPayload("edited", `, "labels": [{"name": "in review"}]`, `, "changes": {"title": {"from": "a"}}`+byAda), "adopting", none, ""},
		{"edited, nothing known", "issues", issuesPayload("edited", `, "labels": [{"name": "bug"}]`, `, "changes": {"title": {"from": "a"}}`+byAda), "", none, ""},
		{"deleted with none", "issues", issuesPayload("deleted", `, "labels": [{"name": "bug"}]`, byAda), "adopting", none, noState},
		{"comment with none", "issue_comment", commentPayload("created", `, "labels": [{"name": "bug"}], "user": {"login": "ada"}`, "It is red", byAda), "adopting", none, noCommand},
		{"another label renamed", "label", labelPayload("edited", "bug", fmt.Sprintf(renamedFrom, "defect")+byAda), "adopting", none, otherLabel},
		{"a state's label renamed away", "label", labelPayload("edited", "bug", fmt.Sprintf(renamedFrom, "In review")+byAda), "adopting", none, ""},
		{"reply, nothing known", "issue_comment", reply, "", none, ""},
		{"reply that nothing waits for", "issue_comment", reply, "prp", none, noReply},
		{"reply that a row waits for", "issue_comment", reply, "autoralph", none, ""},
		{"reply in a state that waits for none", "issue_comment", answerPayload(in("colony:building"), "olivia", "It is red"), "autoralph", none, noReply},
		{"reply in a state that waits for one", "issue_comment", answerPayload(in("colony:refining"), "olivia", "It is red"), "autoralph", none, ""},
		{"author's reply in a state that waits for none", "issue_comment", answerPayload(in("colony:in-review"), "ada", "It is red"), "colony", none, noReply},
		{"author's reply in a state that waits for one", "issue_comment", answerPayload(in("colony:needs-clarification"), "ada", "It is red"), "colony", none, ""},
		{"author's reply between two states", "issue_comment", answerPayload(in("colony:needs-clarification", "colony:in-review"), "ada", "It is red"), "colony", none, ""},
		{"comment deleted, nothing known", "issue_comment", planPayload("deleted", in("colony:building"), "", byAda), "", none, ""},
		{"comment deleted in a sealed state", "issue_comment", planPayload("deleted", in("colony:approved"), "", byAda), "autoralph", none, ""},
		{"comment deleted in another", "issue_comment", planPayload("deleted", in("colony:building"), "", byAda), "autoralph", none, otherAction},
		{"comment deleted where nothing is sealed", "issue_comment", planPayload("deleted", stated, "", byAda), "colony", none, otherAction},
		{"comment with a command", "issue_comment", commentPayload("created", stated, "/colony:status", byAda), "prp", none, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newFixture(t)
			if test.lifecycle != "" {
				d.policies.known = map[string]policy.Policy{hive: ruled(t, test.lifecycle, test.intake)}
			}
			if err := d.handle(t, test.event, "guid", test.body); err != nil {
				t.Fatal(err)
			}
			published, lines := d.publisher.published(), d.lines(t)
			if ignored := test.why != ""; ignored != (len(published) == 0) {
				t.Errorf("published %+v", published)
			}
			if len(lines) != 1 || test.why != "" && lines[0].Because != string(test.why) {
				t.Errorf("lines %+v, want one because of %q", lines, test.why)
			}
		})
	}
}

// forgetful is a queue that asks, when it gets a request, whether the policy is forgotten.
type forgetful struct {
	t        *testing.T
	policies *policiesStub
	changes  int
}

func (f *forgetful) Publish(_ context.Context, _ string, request reconcile.Request) error {
	if request.Kind == reconcile.KindPolicy {
		f.changes++
		if !slices.Contains(f.policies.forgotten, request.Repository.String()) {
			f.t.Errorf("%+v is published, and events that come now are judged by what was known before", request)
		}
	}
	return errors.New("disk full")
}

// A policy that may have changed is not known any more before the request to read it waits in the queue, even if that is full.
func TestAPolicyThatMayHaveChangedIsForgottenFirst(t *testing.T) {
	for name, sent := range map[string][2]string{
		"push":           {"push", pushPayload("main", `{"modified": [".github/colony.yml"]}`)},
		"default branch": {"repository", `{"action": "edited", "changes": {"default_branch": {"from": "main"}}, ` + around + `}`},
		"added":          {"installation_repositories", `{"action": "added", "installation": {"id": 7}, "repositories_added": [{"id": 1, "full_name": "` + hive + `"}]}`},
	} {
		policies := &policiesStub{known: map[string]policy.Policy{hive: ruled(t, "colony", policy.DefaultIntake())}}
		q := &forgetful{t: t, policies: policies}
		d := newFixtureOn(t, q, policies)
		if err := d.handle(t, sent[0], "guid", sent[1]); err == nil {
			t.Errorf("%s: no error although nothing was published", name)
		}
		if _, known := policies.known[hive]; known || q.changes != 1 {
			t.Errorf("%s: still known, or not published (%d)", name, q.changes)
		}
	}
	d := newFixture(t)
	if err := d.handle(t, "push", "guid", pushPayload("main", `{"modified": ["README.md"]}`)); err != nil || d.policies.forgotten != nil {
		t.Errorf("a push of something else: %v, forgotten %v", err, d.policies.forgotten)
	}
}
