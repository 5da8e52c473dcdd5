package schematest

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/playground/internal/wiretap"
)

const label = `{"id":1,"node_id":"x","url":"http://127.0.0.1/x","name":"bug","color":"fff000","default":true,"description":null}`

// What the playground never does has to be noticed: otherwise its tests prove nothing.
func TestDeparturesAreNoticed(t *testing.T) {
	const route = "/repos/{owner}/{repo}/labels"
	exchange := func(change func(*wiretap.Exchange)) wiretap.Exchange {
		e := wiretap.Exchange{
			Method: http.MethodPost, Path: "/repos/o/r/labels", Route: route, Body: []byte(`{"name":"bug"}`), Status: 201,
			Header: http.Header{}, Answer: http.Header{"Content-Type": {"application/json; charset=utf-8"}}, AnswerBody: []byte(label),
		}
		change(&e)
		return e
	}
	for name, test := range map[string]struct {
		change func(*wiretap.Exchange)
		want   string // empty: nothing is wrong
	}{
		"good":                   {func(*wiretap.Exchange) {}, ""},
		"a field is missing":     {func(e *wiretap.Exchange) { e.AnswerBody = []byte(strings.Replace(label, `"id":1,`, "", 1)) }, `201 /id: property "id" is missing`},
		"a field's type":         {func(e *wiretap.Exchange) { e.AnswerBody = []byte(strings.Replace(label, `"bug"`, "7", 1)) }, `201 /name: value must be a string`},
		"an invented field":      {func(e *wiretap.Exchange) { e.AnswerBody = []byte(strings.Replace(label, `"id"`, `"hue":1,"id"`, 1)) }, "201 /hue: no such field is described"},
		"a status":               {func(e *wiretap.Exchange) { e.Status = 202 }, "202 is not described"},
		"an error without words": {func(e *wiretap.Exchange) { e.Status, e.AnswerBody = 422, []byte(`{"x":1}`) }, `422 /message: property "message" is missing`},
		"a malformed request taken": {
			func(e *wiretap.Exchange) { e.Body = []byte(`{"name":7}`) }, "request /name: value must be a string",
		},
		"a malformed request refused": {
			func(e *wiretap.Exchange) {
				e.Body, e.Status, e.AnswerBody = []byte(`{"name":7}`), 422, []byte(`{"message":"Invalid request.\n\n…","documentation_url":"https://docs.github.com/rest"}`)
			}, "",
		},
		"a good request refused as malformed": {
			func(e *wiretap.Exchange) {
				e.Status, e.AnswerBody = 422, []byte(`{"message":"Invalid request.\n\n…","documentation_url":"https://docs.github.com/rest"}`)
			}, "request is well-formed, and refused as malformed",
		},
		"an operation that GitHub lacks": {func(e *wiretap.Exchange) { e.Route = "/repos/{owner}/{repo}/colours" }, "the operation is not in the description"},
	} {
		t.Run(name, func(t *testing.T) {
			e := exchange(test.change)
			for _, d := range []string{"api.github.com", "ghes-3.19"} {
				w := &Watch{used: map[string]bool{}}
				found := strings.Join(mustLoadREST(d).problems(w, e), "; ")
				if test.want == "" && found != "" || test.want != "" && !strings.Contains(found, test.want) {
					t.Errorf("%s: %q, want %q", d, found, test.want)
				}
			}
		})
	}
}

// What a row of the table is for does not hide what else is wrong.
func TestADeviationExcusesNothingElse(t *testing.T) {
	const ghostly = `{"id":1,"node_id":"x","url":"x","actor":null,"event":"labeled","commit_id":null,"commit_url":null,"created_at":"2026-01-02T03:04:05Z","performed_via_github_app":null,"label":{"name":"bug","color":"fff000"}}`
	for name, test := range map[string]struct {
		events string
		clean  bool
	}{
		"a ghost":                    {"[" + ghostly + "]", true},
		"a ghost and another's flaw": {"[" + ghostly + "," + strings.Replace(ghostly, `"id":1`, `"id":"1"`, 1) + "]", false},
	} {
		t.Run(name, func(t *testing.T) {
			w := Start()
			defer w.Stop()
			w.exchange(wiretap.Exchange{
				Method: http.MethodGet, Path: "/repos/o/r/issues/1/events", Route: "/repos/{owner}/{repo}/issues/{issue_number}/events",
				Header: http.Header{}, Status: 200, AnswerBody: []byte(test.events), Answer: http.Header{
					"Content-Type": {"application/json"}, "X-Github-Request-Id": {"x"}, "X-Github-Media-Type": {"x"}, "X-Ratelimit-Limit": {"1"},
					"X-Ratelimit-Remaining": {"1"}, "X-Ratelimit-Used": {"0"}, "X-Ratelimit-Reset": {"1"}, "X-Ratelimit-Resource": {"core"},
					"Etag": {"x"}, "Cache-Control": {"x"}, "Vary": {"x"},
				},
			})
			var report strings.Builder
			if w.Report(&report) != test.clean {
				t.Errorf("the report: %q", report.String())
			}
		})
	}
}

func TestDeparturesOfWebhooksAreNoticed(t *testing.T) {
	d := mustLoadWebhooks("api.github.com")
	h := wiretap.Webhook{Event: "label", Action: "deleted", Header: http.Header{}, Payload: []byte(`{"action":"erased","colour":1,"label":` + label + `}`)}
	for _, name := range d.headers["label-deleted"] {
		h.Header.Set(name, "x")
	}
	h.Header.Del("X-GitHub-Delivery")
	want := []string{
		"header X-Github-Delivery: missing",
		": missing properties 'repository', 'sender'",
		"/action: value must be 'deleted'",
		"/colour: no such field is described",
	}
	if diff := cmp.Diff(want, d.problems("label-deleted", h)); diff != "" {
		t.Error(diff)
	}
	if got := d.problems("label-erased", h); len(got) != 1 {
		t.Errorf("an event that GitHub lacks: %v", got)
	}
}

func TestMalformedRequests(t *testing.T) {
	var what []string
	for _, m := range MalformedRequests(http.MethodPut, "/repos/{owner}/{repo}/issues/{issue_number}/lock", `{"lock_reason":"spam"}`) {
		what = append(what, m.What)
	}
	want := []string{
		"lock_reason is 7.5", "lock_reason is nonsense", "lock_reason is true", "lock_reason is map[x:1]", "lock_reason is [[1]]",
	}
	if diff := cmp.Diff(want, what); diff != "" {
		t.Error(diff)
	}
}
