package app_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/playground"
)

const adminToken = "only for operators"

// ask sends a request to Colony itself.
func (w *world) ask(method, path, token, body string) *httptest.ResponseRecorder {
	w.t.Helper()
	request := httptest.NewRequest(method, path, strings.NewReader(body))
	if token != "" {
		request.Header.Set("Authorization", token)
	}
	answer := httptest.NewRecorder()
	w.colony.server.Handler().ServeHTTP(answer, request)
	return answer
}

func (w *world) deadLetters() []app.DeadLetter {
	w.t.Helper()
	var list app.DeadLetters
	w.readAsAdmin(app.DeadLettersPath, &list)
	return list.DeadLetters
}

// readAsAdmin reads one of the lists for administrators.
func (w *world) readAsAdmin(path string, into any) {
	w.t.Helper()
	answer := w.ask(http.MethodGet, path, "Bearer "+adminToken, "")
	if answer.Code != http.StatusOK {
		w.t.Fatalf("%s is answered with %d: %s", path, answer.Code, answer.Body)
	}
	w.Must(json.Unmarshal(answer.Body.Bytes(), into))
}

func withAdmin(c *config.Config) { c.Server.AdminToken = adminToken }

func TestPermanentRefusalIsADeadLetterThatCanBeRetried(t *testing.T) {
	t.Parallel()
	w := newWorld(t, withAdmin)
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-review")
	w.Settle()
	cancel := w.github.Fault(playground.Fault{
		Kind: playground.FaultStatus, Status: http.StatusUnprocessableEntity, Actor: "colony[bot]",
		Method: http.MethodDelete, Path: regexp.MustCompile(`/labels/`),
	})
	i.Label("olivia", "colony:merge-pending")
	w.Settle()
	i.Has("colony:in-review", "colony:merge-pending")
	dead := w.deadLetters()
	if len(dead) != 1 {
		t.Fatalf("dead letters %+v", dead)
	}
	d := dead[0]
	if d.Repository != "acme/widgets" || d.Issue != i.Number || d.Installation != w.Installation || d.Because != "issues.labeled" ||
		d.Scope != "issue" || d.Failures != 1 || d.GivenUp.IsZero() || !strings.Contains(d.Error, "remove label colony:in-review") || !strings.Contains(d.Error, "422") {
		t.Errorf("the dead letter says %+v", d)
	}
	if text := w.ask(http.MethodGet, app.DeadLettersPath, "Bearer "+adminToken, "").Body.String(); strings.Contains(text, "ghs_") || strings.Contains(text, adminToken) {
		t.Errorf("the list holds a secret: %s", text)
	}
	cancel()
	answer := w.ask(http.MethodPost, app.DeadLettersPath+"/retry", "Bearer "+adminToken, `{"all": true}`)
	if answer.Code != http.StatusOK || strings.TrimSpace(answer.Body.String()) != `{"retried":1}` {
		t.Errorf("trying again is answered with %d %s", answer.Code, answer.Body)
	}
	w.Settle()
	i.Has("colony:merge-pending")
	if dead := w.deadLetters(); len(dead) != 0 {
		t.Errorf("dead letters after all were tried again: %+v", dead)
	}
}

func TestOneDeadLetterIsRetried(t *testing.T) {
	t.Parallel()
	w := newWorld(t, withAdmin)
	one, two := w.open("ada", ""), w.open("ada", "")
	cancel := w.github.Fault(playground.Fault{
		Kind: playground.FaultStatus, Status: http.StatusUnprocessableEntity, Actor: "colony[bot]", Path: regexp.MustCompile(`/events$`),
	})
	one.Label("olivia", "colony:new", "colony:analyzing")
	two.Label("olivia", "colony:new", "colony:analyzing")
	w.Settle()
	cancel()
	dead := w.deadLetters()
	if len(dead) != 4 {
		t.Fatalf("dead letters %+v", dead)
	}
	for _, d := range dead {
		if d.Issue != two.Number {
			continue
		}
		body, err := json.Marshal(map[string]uint64{"id": d.ID})
		w.Must(err)
		if answer := w.ask(http.MethodPost, app.DeadLettersPath+"/retry", "Bearer "+adminToken, string(body)); answer.Code != http.StatusOK {
			t.Errorf("answered %d %s", answer.Code, answer.Body)
		}
	}
	w.Settle()
	one.Has("colony:new", "colony:analyzing")
	two.Has("colony:analyzing")
	if left := w.deadLetters(); len(left) != 2 {
		t.Errorf("left %+v", left)
	}
}

func TestDeadLettersAreForOperatorsOnly(t *testing.T) {
	t.Parallel()
	without := newWorld(t)
	with := newWorld(t, withAdmin)
	nothing := without.ask(http.MethodGet, "/nothing/here", "", "")
	for name, c := range map[string]struct {
		w                         *world
		method, path, token, body string
		want                      int
	}{
		"no token in the configuration":           {without, http.MethodGet, "", "Bearer " + adminToken, "", 404},
		"nor an empty one":                        {without, http.MethodGet, "", "Bearer ", "", 404},
		"retry without one in the configuration":  {without, http.MethodPost, "/retry", "Bearer " + adminToken, `{"all": true}`, 404},
		"no token":                                {with, http.MethodGet, "", "", "", 404},
		"an empty one":                            {with, http.MethodGet, "", "Bearer ", "", 404},
		"a wrong one":                             {with, http.MethodGet, "", "Bearer " + adminToken + "s", "", 404},
		"a part of it":                            {with, http.MethodGet, "", "Bearer " + adminToken[:5], "", 404},
		"not as a bearer":                         {with, http.MethodGet, "", adminToken, "", 404},
		"retry without it":                        {with, http.MethodPost, "/retry", "", `{"all": true}`, 404},
		"retry of one that is not there":          {with, http.MethodPost, "/retry", "Bearer " + adminToken, `{"id": 99}`, 404},
		"retry of nothing":                        {with, http.MethodPost, "/retry", "Bearer " + adminToken, `{}`, 400},
		"retry of one and all":                    {with, http.MethodPost, "/retry", "Bearer " + adminToken, `{"id": 1, "all": true}`, 400},
		"retry of something else":                 {with, http.MethodPost, "/retry", "Bearer " + adminToken, `{"issue": 1}`, 400},
		"retry in a body that is too large":       {with, http.MethodPost, "/retry", "Bearer " + adminToken, `{"all": true}` + strings.Repeat(" ", 4<<10), 400},
		"retry of what is no JSON":                {with, http.MethodPost, "/retry", "Bearer " + adminToken, `all`, 400},
		"retry of all, of which there are none":   {with, http.MethodPost, "/retry", "Bearer " + adminToken, `{"all": true}`, 200},
		"the list, which is empty and not absent": {with, http.MethodGet, "", "Bearer " + adminToken, "", 200},
	} {
		answer := c.w.ask(c.method, app.DeadLettersPath+c.path, c.token, c.body)
		if answer.Code != c.want {
			t.Errorf("%s: answered %d, want %d: %s", name, answer.Code, c.want, answer.Body)
		}
		body, err := io.ReadAll(answer.Body)
		without.Must(err)
		if c.want == http.StatusNotFound && c.body != `{"id": 99}` && string(body) != nothing.Body.String() {
			t.Errorf("%s: answered otherwise than a page that does not exist: %s", name, body)
		}
	}
	if answer := with.ask(http.MethodGet, app.DeadLettersPath, "Bearer "+adminToken, ""); strings.TrimSpace(answer.Body.String()) != `{"dead_letters":[]}` {
		t.Errorf("an empty list is %s", answer.Body)
	}
}
