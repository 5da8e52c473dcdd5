package handlers

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/palantir/go-githubapp/githubapp"
)

const secret = "hunter2-in-a-body"

// Bodies that GitHub would not send. Those that cannot be read are refused without being quoted.
func TestHostile(t *testing.T) {
	deep := strings.Repeat(`{"issue":`, 20_000) + "1" + strings.Repeat("}", 20_000)
	for _, test := range []struct{ name, event, body string }{
		{"empty", "issues", ``},
		{"white space", "issues", " \n"},
		{"not JSON", "ping", secret},
		{"truncated", "issues", `{"action": "reopened", "issue": {"number": 3}, "sender": {"login": "` + secret},
		{"trailing", "issues", `{} ` + secret},
		{"two values", "issues", `{}{}`},
		{"array", "issues", `["` + secret + `"]`},
		{"string", "label", `"` + secret + `"`},
		{"number", "repository", `12345678901234567890`},
		{"action is a number", "issues", `{"action": 4}`},
		{"issue is a string", "issues", `{"issue": "` + secret + `"}`},
		{"issue is an array", "issue_comment", `{"issue": [1]}`},
		{"number is a string", "issues", `{"issue": {"number": "` + secret + `"}}`},
		{"number is a fraction", "issues", `{"issue": {"number": 3.5}}`},
		{"number is beyond 64 bits", "issues", `{"issue": {"number": 184467440737095516150}}`},
		{"number is beyond a double", "issues", `{"issue": {"number": 1e999}}`},
		{"number of a megabyte", "issues", `{"issue": {"number": ` + strings.Repeat("9", 1<<20) + `}}`},
		{"labels is an object", "issues", `{"issue": {"labels": {"name": "colony:new"}}}`},
		{"label is a string", "issues", `{"label": "colony:new"}`},
		{"body is an object", "issue_comment", `{"comment": {"body": {"x": "/colony:help"}}}`},
		{"time is a word", "issues", `{"issue": {"updated_at": "` + secret + `"}}`},
		{"time is a number", "issues", `{"issue": {"updated_at": 1234567890}}`},
		{"time of year 10000", "issues", `{"issue": {"updated_at": "10000-01-01T00:00:00Z"}}`},
		{"sender is an array", "label", `{"sender": []}`},
		{"installation is a number", "installation", `{"installation": 7}`},
		{"repositories is an object", "installation_repositories", `{"repositories_added": {}}`},
		{"repository of a repository", "repository", `{"repository": {"owner": {"login": {"login": "x"}}}}`},
		{"changes is a boolean", "label", `{"changes": true}`},
		{"deep nesting where read", "issues", deep},
		{"deep nesting where skipped", "label", deep},
		{"deep arrays", "installation", strings.Repeat("[", 1<<20)},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newFixture(t)
			err := d.handle(t, test.event, "guid", test.body)
			var refused githubapp.ValidationError
			if !errors.As(err, &refused) {
				t.Fatalf("error %v, want a ValidationError", err)
			}
			if refused.EventType != test.event || refused.DeliveryID != "guid" {
				t.Errorf("refused event %q of delivery %q", refused.EventType, refused.DeliveryID)
			}
			if requests := d.publisher.published(); len(requests) != 0 {
				t.Errorf("requests %+v", requests)
			}
			said := err.Error() + d.log.String()
			if strings.Contains(said, secret) || len(said) > 300 {
				t.Errorf("the body is quoted in %.500q", said)
			}
		})
	}
}

// Readable bodies with absurd values are ignored, and do not flood the log.
func TestAbsurd(t *testing.T) {
	huge := strings.Repeat("x", 1<<20)
	for name, body := range map[string]string{
		"action of a megabyte":     fmt.Sprintf(`{"action": %q, "issue": {"number": 3}, %s %s}`, huge, around, byAda),
		"repository of a megabyte": fmt.Sprintf(`{"action": "pinned", "repository": {"id": 1, "full_name": "a/%s"} %s}`, huge, byAda),
		"negative ids":             `{"action": "reopened", "issue": {"number": -1}, "installation": {"id": -7}, "repository": {"id": -1, "full_name": "a/b"}` + byAda + `}`,
		"only slashes":             `{"action": "reopened", "issue": {"number": 1}, "installation": {"id": 7}, "repository": {"id": 1, "full_name": "///"}` + byAda + `}`,
		"slash in the owner":       `{"action": "reopened", "issue": {"number": 1}, "installation": {"id": 7}, "repository": {"id": 1, "name": "b", "owner": {"login": "a/../x"}}` + byAda + `}`,
		"the same key twice":       `{"action": "reopened", "action": "pinned", "issue": {"number": 3}, ` + around + byAda + `}`,
		"bytes that are not UTF-8": "{\"action\": \"\xff\xfe\", \"issue\": {\"number\": 3}, " + around + byAda + "}",
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			if err := d.handle(t, "issues", "guid", body); err != nil {
				t.Fatal(err)
			}
			if requests := d.publisher.published(); len(requests) != 0 {
				t.Errorf("requests %+v", requests)
			}
			if lines := d.lines(t); len(lines) != 1 || d.log.Len() > 1000 {
				t.Errorf("log of %d lines, %d bytes", len(lines), d.log.Len())
			}
		})
	}
}

func FuzzHandle(f *testing.F) {
	seeded := map[string]int{}
	for _, e := range examples(f) {
		// a few of each event, for the fuzzer copies them all
		seeded[e.Event]++
		if seeded[e.Event] <= 2 {
			f.Add(e.Event, []byte(e.Payload))
		}
	}
	f.Add("issues", []byte(issuesPayload("labeled", "", `, "label": {"name": "colony:new"}`+byAda)))
	f.Add("issues", []byte(issuesPayload("opened", `, "labels": [{"name": "colony:new"}], "body": "/colony"`, byAda)))
	f.Add("issue_comment", []byte(commentPayload("created", "", "/colony:retry", byAda)))
	f.Add("label", []byte(labelPayload("edited", "x", fmt.Sprintf(renamedFrom, "colony:new")+byAda)))
	f.Fuzz(func(t *testing.T, event string, body []byte) {
		d := newFixture(t)
		if d.handlers[event] == nil {
			t.Skip("an event that Colony does not subscribe to")
		}
		err := d.handle(t, event, "guid", string(body))
		var refused githubapp.ValidationError
		if err != nil && !errors.As(err, &refused) {
			t.Fatalf("error %v from a queue that works", err)
		}
		requests := d.publisher.published()
		if err != nil && len(requests) != 0 {
			t.Fatalf("refused, and yet requests %+v", requests)
		}
		for _, request := range requests {
			checkRequest(t, event, request)
		}
		for _, line := range d.lines(t) {
			if line.Event != event || line.Delivery != "guid" || line.Because == "" {
				t.Errorf("log line %+v", line)
			}
		}
	})
}
