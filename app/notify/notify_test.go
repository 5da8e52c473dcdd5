package notify

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/golden"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/reconcile"
)

// samples are one verdict of each kind, with what strangers may write.
func samples() map[string]Event {
	at := time.Date(2026, 5, 4, 12, 30, 0, 0, time.UTC)
	ref := issues.Ref{Repository: issues.Repository{Owner: "acme", Name: "widgets", ID: 7}, Number: 12}
	olivia, dev := lifecycle.Actor{Login: "olivia", Kind: lifecycle.Operator}, lifecycle.Actor{Login: "dev[bot]", Kind: lifecycle.Executor}
	itself := lifecycle.Actor{Kind: lifecycle.Colony}
	all := map[string]Event{}
	for name, v := range map[string]reconcile.Verdict{
		"finished":        {Kind: reconcile.VerdictFinished, ID: 1, From: "new", To: "analyzing", By: olivia, Trigger: "issues.labeled", Occasion: reconcile.Occasion{Writes: 1}},
		"refused":         {Kind: reconcile.VerdictRefused, ID: 2, From: "in-review", To: "new", By: olivia, Reason: "not-in-table", Trigger: "issues.labeled", Occasion: reconcile.Occasion{Writes: 3}},
		"refused-removal": {Kind: reconcile.VerdictRefused, ID: 3, From: "in-review", By: olivia, Reason: "not-in-table", Trigger: "sweep", Occasion: reconcile.Occasion{Writes: 3}},
		"refused-work":    {Kind: reconcile.VerdictRefused, ID: 4, From: "analyzing", To: "done", LedTo: "failure-blocked", By: dev, Reason: "not-for-role", Trigger: "issues.labeled", Occasion: reconcile.Occasion{Writes: 4}},
		"refused-word":    {Kind: reconcile.VerdictRefused, ID: 5, From: "new", To: "<!channel> & co", By: olivia, Reason: "not-a-state", Trigger: "issues.labeled", Occasion: reconcile.Occasion{Writes: 2}},
		"moved":           {Kind: reconcile.VerdictMoved, ID: 6, From: "in-review", To: "ready-for-dev", By: itself, Reason: "There is no open pull request", About: "#3", Trigger: "fact", Occasion: reconcile.Occasion{Writes: 2}},
		"asked":           {Kind: reconcile.VerdictAsked, ID: 7, From: "analyzing", By: itself, Reason: "A dependency was dropped", Trigger: "fact", Occasion: reconcile.Occasion{Writes: 2}},
		"closed":          {Kind: reconcile.VerdictClosed, ID: 8, From: "done", By: itself, Reason: "completed", Trigger: "issues.labeled", Occasion: reconcile.Occasion{Writes: 1}},
		"halted":          {Kind: reconcile.VerdictHalted, ID: 9, From: "new", To: "done", By: dev, Reason: "not-for-role", Trigger: "issues.labeled", Occasion: reconcile.Occasion{Writes: 2}},
		"command":         {Kind: reconcile.VerdictCommand, ID: 10, From: "new", To: "paused", By: olivia, Reason: "pause: accepted", Trigger: "command", Occasion: reconcile.Occasion{Writes: 3}},
		"question":        {Kind: reconcile.VerdictCommand, ID: 11, From: "new", To: "new", By: lifecycle.Actor{Login: "ada", Kind: lifecycle.Author}, Reason: "status: accepted", Trigger: "command", Occasion: reconcile.Occasion{Writes: 2}},
		"command-refused": {Kind: reconcile.VerdictDeclined, ID: 12, From: "new", To: "new", Reason: "pause: not_permitted", Trigger: "command", Occasion: reconcile.Occasion{Writes: 1}},
		"forced":          {Kind: reconcile.VerdictForced, ID: 13, From: "done", To: "new", By: olivia, Reason: "force: accepted", Trigger: "command", Occasion: reconcile.Occasion{Writes: 6}},
	} {
		v.Ref, v.Delivery = ref, "72d3162e-cc78-11e3-81ab-4c9367dc0958"
		about := reconcile.Subject{Title: "Paint <https://evil.example|it> & tell\n @here <!channel>", State: "new", Allowed: []string{"analyzing", "planning"}}
		all[name] = NewEvent(v, about, at, "https://github.com/")
	}
	return all
}

func TestEventsLookLikeThis(t *testing.T) {
	t.Parallel()
	for name, e := range samples() {
		for _, format := range []Format{JSON, Slack} {
			body, err := render(format, Message{Event: e})
			if err != nil {
				t.Fatal(err)
			}
			golden.Hold(t, filepath.Join("testdata", name+"."+string(format)+".json"), string(body)+"\n")
		}
	}
}

// What people wrote is never markup: the only one is the link to the issue.
func TestTextOfStrangersIsNoMarkup(t *testing.T) {
	t.Parallel()
	for name, e := range samples() {
		body, err := render(Slack, Message{Event: e})
		if err != nil {
			t.Fatal(err)
		}
		var message slackMessage
		if err := json.Unmarshal(body, &message); err != nil {
			t.Fatal(err)
		}
		rest, linked := strings.CutPrefix(message.Text, "<https://github.com/acme/widgets/issues/12|acme/widgets#12>")
		if !linked || strings.ContainsAny(rest, "<>\n") || strings.Contains(rest, "@here") || message.Markdown {
			t.Errorf("%s: %q", name, message.Text)
		}
	}
}

// A link ends where it should: its address has none of the letters that end one.
func TestAnAddressDoesNotEndEarly(t *testing.T) {
	t.Parallel()
	if got, want := escapeLink("https://x/?a=1&b=<|>"), "https://x/?a=1&amp;b=%3C%7C%3E"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestEveryFieldOfAnEventIsDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "webhooks.md"))
	if err != nil {
		t.Fatal(err)
	}
	ofAuditLine := map[string]bool{} // which docs/operations.md describes
	for _, f := range reconcile.AuditFields() {
		ofAuditLine[f.Name] = true
		if !strings.Contains(string(page), `"`+f.Name+`":`) {
			t.Errorf("the example of docs/webhooks.md lacks %s of the audit line", f.Name)
		}
	}
	for field := range reflect.TypeFor[Event]().Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if !ofAuditLine[name] && !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("docs/webhooks.md does not have the field %s", name)
		}
	}
}
