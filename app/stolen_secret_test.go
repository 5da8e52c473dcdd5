package app_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/bench/apptest"
	"github.com/colony-app/colony/handlers"
	"github.com/colony-app/colony/playground"
)

type payload map[string]any

// forgery is a webhook about what never happened.
type forgery struct {
	event, action string
	has           payload
}

// forgeries are webhooks of each event about an issue of ada's in review, and a comment of mona's on it.
func forgeries(i *issue, comment int64) []forgery {
	person := func(login string) payload { return payload{"login": login, "type": "User"} }
	labels := func(names ...string) (list []payload) {
		for _, name := range names {
			list = append(list, payload{"name": name})
		}
		return list
	}
	now := i.clock.Now().UTC().Format(time.RFC3339)
	about := payload{"number": i.Number, "updated_at": now, "user": person("ada"), "body": "/colony:force done it is", "labels": labels("colony:in-review")}
	on := func(has payload) payload {
		all := payload{"issue": about}
		maps.Copy(all, has)
		return all
	}
	pull := payload{
		"number": 77, "title": "A change", "body": "Closes #" + strconv.Itoa(i.Number), "state": "closed", "merged": true, "updated_at": now, "user": person("mona"),
		"head": payload{"ref": "change", "sha": "0123456789012345678901234567890123456789"},
	}
	wrote := func(id int64, body string) payload {
		return payload{"comment": payload{"id": id, "body": body, "user": person("mona"), "created_at": now, "updated_at": now}, "changes": payload{"body": payload{"from": "Hello."}}}
	}
	return []forgery{
		{"issue_comment", "created", on(wrote(999_999_999, "/colony:force done it is"))},
		{"issue_comment", "created", on(wrote(comment, "/colony:force done it is"))},
		{"issue_comment", "edited", on(wrote(comment, "/colony:move merge-pending"))},
		{"issues", "labeled", on(payload{"label": payload{"name": "colony:merge-pending"}})},
		{"issues", "unlabeled", on(payload{"label": payload{"name": "colony:in-review"}})},
		{"issues", "opened", on(nil)},
		{"issues", "edited", on(payload{"changes": payload{"body": payload{"from": "nothing"}}})},
		{"issues", "assigned", on(payload{"assignee": person("mona")})},
		{"issues", "closed", on(nil)},
		{"issues", "reopened", on(nil)},
		{"issues", "transferred", on(nil)},
		{"issues", "deleted", on(nil)},
		{"label", "edited", payload{"label": payload{"name": "defect"}, "changes": payload{"name": payload{"from": "colony:done"}}}},
		{"label", "edited", payload{"label": payload{"name": "colony:in-review"}, "changes": payload{"name": payload{"from": "colony:done"}}}},
		{"label", "deleted", payload{"label": payload{"name": "colony:in-review"}}},
		{"pull_request", "closed", payload{"pull_request": pull}},
		{"pull_request_review", "submitted", payload{"pull_request": pull, "review": payload{"id": 5, "state": "approved", "user": person("mona")}}},
		{"check_run", "completed", payload{"check_run": payload{"id": 5, "conclusion": "success", "head_sha": "0123456789012345678901234567890123456789", "pull_requests": []payload{{"number": 77}}}}},
		{"check_suite", "completed", payload{"check_suite": payload{"id": 5, "conclusion": "success", "head_sha": "0123456789012345678901234567890123456789", "pull_requests": []payload{{"number": 77}}}}},
		{"status", "", payload{"state": "success", "sha": "0123456789012345678901234567890123456789", "branches": []payload{{"name": "change"}}}},
		{"push", "", payload{"ref": "refs/heads/main", "after": "0123456789012345678901234567890123456789", "commits": []payload{{"added": []string{".github/colony.yml"}}}}},
		{"issue_dependencies", "blocked_by_removed", payload{"blocked_issue": about, "blocking_issue": about}},
		{"sub_issues", "sub_issue_removed", payload{"parent_issue": about, "sub_issue": about}},
		{"repository", "privatized", nil},
		{"repository", "deleted", nil},
		{"installation_repositories", "removed", payload{"repositories_removed": []payload{{"id": 1, "full_name": "acme/widgets"}}}},
		{"installation", "suspend", nil},
		{"installation", "deleted", nil},
		{"ping", "", nil},
	}
}

// Who has the webhook secret can sign webhooks about what never happened: Colony reads what did from GitHub, writes nothing, and works on.
func TestAStolenWebhookSecretMovesNothing(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t, acme.Follows)
	for _, name := range []string{"defect", "colony:in-review"} { // labels are made when they are needed, so colony:done is not there
		_, _, err := w.As("mona").Issues.CreateLabel(ctx, "acme", "widgets", &github.Label{Name: &name})
		w.Must(err)
	}
	w.start()
	w.install()
	i := w.open("ada", "Paint it.")
	i.Label("olivia", "defect", "colony:in-review")
	hello := i.Comment("mona", "Hello.")
	w.Settle()
	repo, _, err := w.As("mona").Repositories.Get(ctx, "acme", "widgets")
	w.Must(err)
	is, before := i.Labels(), w.labelNames()

	events := map[string]bool{}
	for n, f := range forgeries(i, hello) {
		events[f.event] = true
		body := payload{
			"action": f.action, "installation": payload{"id": w.Installation}, "sender": payload{"login": "mona", "type": "User"},
			"repository": payload{"id": repo.GetID(), "name": "widgets", "full_name": "acme/widgets", "default_branch": "main", "owner": payload{"login": "acme"}},
		}
		maps.Copy(body, f.has)
		text, err := json.Marshal(body)
		w.Must(err)
		w.github.ResetCalls()
		if answer := w.deliver(playground.Delivery{Event: f.event, Payload: text}, "forged-"+strconv.Itoa(n), webhookSecret); answer.Code != http.StatusOK {
			t.Errorf("%s.%s is answered %d: %s", f.event, f.action, answer.Code, answer.Body)
		}
		w.Settle()
		w.Pass(3, time.Minute)
		for _, c := range w.github.Calls() {
			asks := strings.HasSuffix(c.Path, "/graphql") || strings.HasSuffix(c.Path, "/access_tokens")
			if c.Actor == apptest.Login && c.Method != http.MethodGet && !asks {
				t.Errorf("%s.%s leads to %s %s", f.event, f.action, c.Method, c.Path)
			}
		}
		if diff := cmp.Diff(is, i.Labels()); diff != "" {
			t.Fatalf("%s.%s moves the issue (-was +is):\n%s", f.event, f.action, diff)
		}
		if diff := cmp.Diff(before, w.labelNames()); diff != "" {
			t.Fatalf("%s.%s changes the labels of the repository (-was +is):\n%s", f.event, f.action, diff)
		}
	}
	for _, event := range handlers.Events() {
		if !events[event] {
			t.Errorf("no webhook of %s is forged", event)
		}
	}
	i.Label("mona", "colony:merge-pending")
	w.Settle()
	i.Has("defect", "colony:merge-pending")
}

// labelNames lists the labels of acme/widgets.
func (w *world) labelNames() (names []string) {
	w.t.Helper()
	all, _, err := w.As("mona").Issues.ListLabels(ctx, "acme", "widgets", &github.ListOptions{PerPage: 100})
	w.Must(err)
	for _, l := range all {
		names = append(names, l.GetName())
	}
	slices.Sort(names)
	return names
}

// Of a webhook's own word Colony takes one thing, that a text was edited: who has the secret can keep a command from running, and its writer
// learns that.
func TestAForgedEditKeepsACommandFromRunning(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:in-review")
	repo, _, err := w.As("mona").Repositories.Get(ctx, "acme", "widgets")
	w.Must(err)
	w.github.DropNext(1)
	command := i.Comment("mona", "/colony:move merge-pending")
	text, err := json.Marshal(payload{
		"action": "edited", "installation": payload{"id": w.Installation}, "sender": payload{"login": "mona"}, "changes": payload{"body": payload{"from": "Hello."}},
		"repository": payload{"id": repo.GetID(), "name": "widgets", "owner": payload{"login": "acme"}},
		"issue":      payload{"number": i.Number, "user": payload{"login": "ada"}},
		"comment":    payload{"id": command, "body": "/colony:move merge-pending", "user": payload{"login": "mona"}},
	})
	w.Must(err)
	if answer := w.deliver(playground.Delivery{Event: "issue_comment", Payload: text}, "forged", webhookSecret); answer.Code != http.StatusOK {
		t.Errorf("it is answered %d: %s", answer.Code, answer.Body)
	}
	w.Settle()
	i.SaysNotRun(command)
	i.Has("colony:in-review")
}
