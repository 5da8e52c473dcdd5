package api_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/app/api"
	"github.com/colony-app/colony/app/inspect"
	"github.com/colony-app/colony/bench/described"
)

func TestSimulateAndValidate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	rita := w.Token("rita")
	w.ResetCalls()
	post := func(path, body string) *httptest.ResponseRecorder {
		t.Helper()
		w.Advance(time.Second)
		return w.asks(rita, http.MethodPost, path, body)
	}
	var simulated inspect.Simulated
	answer := post("simulate", `{"lifecycle":"colony","state":"in-review","actor":{"kind":"executor","roles":["reviewer"]},"labels":["colony:human-review-ready","colony:done"]}`)
	w.Must(json.Unmarshal(answer.Body.Bytes(), &simulated))
	if answer.Code != http.StatusOK || len(simulated.Verdicts) != 2 || simulated.Verdicts[0].Verdict != "legal" || simulated.Verdicts[1].Verdict != "not-for-role" || simulated.To != "human-review-ready" {
		t.Errorf("%d %s", answer.Code, answer.Body)
	}
	for body, says := range map[string]string{
		"":    "The body is not what this address takes",
		"{}":  "one of lifecycle and file",
		"[1]": "is no struct",
		`{"lifecycle":"colony","state":"new","actor":{"kind":"operator"},"labels":[],"more":1}`:                            "there is no field",
		`{"lifecycle":"colony","state":"new","actor":{"kind":"operator"},"labels":[]} {}`:                                  "there is more behind it",
		`{"lifecycle":"colony","state":"new","actor":{"kind":"king"},"labels":[]}`:                                         "The kind of the actor",
		`{"lifecycle":"colony","state":"new","actor":{"kind":"operator","roles":["merger"]},"labels":[]}`:                  "Only an executor has roles",
		`{"lifecycle":"colony","state":"new","actor":{"kind":"executor","roles":["king"]},"labels":[]}`:                    `has no role "king"`,
		`{"lifecycle":"colony","state":"nowhere","actor":{"kind":"operator"},"labels":[]}`:                                 `called "nowhere"; there are`,
		`{"lifecycle":"nothing","state":"new","actor":{"kind":"operator"},"labels":[]}`:                                    `No lifecycle is called "nothing"; there are: `,
		`{"lifecycle":"../colony","state":"new","actor":{"kind":"operator"},"labels":[]}`:                                  "No lifecycle is called",
		`{"lifecycle":"colony","file":"name: x","state":"new","actor":{"kind":"operator"},"labels":[]}`:                    "one of lifecycle and file",
		`{"file":"name: [","state":"new","actor":{"kind":"operator"},"labels":[]}`:                                         "The lifecycle file cannot be used: line ",
		`{"lifecycle":"colony","state":"new","actor":{"kind":"operator"},"labels":["a\u0000"]}`:                            "or no text",
		`{"lifecycle":"colony","state":"new","actor":{"kind":"operator"},"labels":[""]}`:                                   "A label is empty",
		`{"lifecycle":"colony","state":"new","actor":{"kind":"operator"},"labels":["` + strings.Repeat(`a","`, 51) + `"]}`: "more than 50 labels",
		`{"file":"` + strings.Repeat("[", 60<<10) + `","state":"new","actor":{"kind":"operator"},"labels":[]}`:             "The lifecycle file cannot be used: line ",
	} {
		described.Refused(t, post("simulate", body), http.StatusBadRequest, says)
	}
	for _, v := range []struct {
		query, file, says string
		valid             bool
	}{
		{"kind=repository", "mode: enforce\n", "", true},
		{"kind=repository", "mode: enforce\nlimit: 3\n", "limit", false},
		{"kind=repository&lifecycle=prp", "dispatch:\n  - {from: [planned], to: researching, at-most: 2}\n", "", true},
		{"kind=repository", "dispatch:\n  - {from: [planned], to: researching, at-most: 2}\n", "researching", false},
		{"kind=lifecycle", "name: x\n", "", false},
		{"kind=lifecycle", "", "", false},
		{"kind=lifecycle", "\xff\xfe\x00", "", false},
		{"kind=lifecycle", strings.Repeat("{", 60<<10), "", false},
		{"kind=repository", strings.Repeat("a", 100<<10), "bytes", false},
	} {
		answer := post("validate?"+v.query, v.file)
		var got api.Validation
		w.Must(json.Unmarshal(answer.Body.Bytes(), &got))
		if answer.Code != http.StatusOK || got.Valid != v.valid || (len(got.Problems) == 0) != v.valid {
			t.Errorf("%s %.40q: %d %s", v.query, v.file, answer.Code, answer.Body)
			continue
		}
		if !v.valid && (got.Problems[0].Line < 1 || got.Problems[0].Column < 1 || !strings.Contains(got.Problems[0].Message, v.says)) {
			t.Errorf("%s %.40q: %+v", v.query, v.file, got.Problems)
		}
	}
	for query, says := range map[string]string{
		"":                                "The parameter kind is missing",
		"?kind=server":                    "The parameter kind is none of lifecycle, repository",
		"?kind=lifecycle&lifecycle=prp":   "goes with kind=repository only",
		"?kind=repository&lifecycle=none": "No lifecycle is called",
	} {
		described.Refused(t, post("validate"+query, "name: x"), http.StatusBadRequest, says)
	}
	described.Refused(t, post("validate?kind=lifecycle", strings.Repeat("a", 200<<10)), http.StatusRequestEntityTooLarge, "The body has more than")
	described.Refused(t, w.asks("", http.MethodPost, "validate?kind=lifecycle", "name: x"), http.StatusUnauthorized, "Send a GitHub token")
	for _, c := range w.Calls() {
		if c.Path != "/user" {
			t.Errorf("it asked GitHub: %+v", c)
		}
	}
}
