package hub

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v4"
)

func newHub(t *testing.T) *Hub {
	t.Helper()
	h, err := Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

// app is a client that acts as the App's installation.
type app struct {
	*testing.T
	hub   *Hub
	token string
}

func newApp(t *testing.T, h *Hub) *app {
	t.Helper()
	claims := jwt.RegisteredClaims{Issuer: "7", IssuedAt: jwt.NewNumericDate(time.Now().Add(-time.Minute)), ExpiresAt: jwt.NewNumericDate(time.Now().Add(time.Minute))}
	signed, err := jwt.NewWithClaims(jwt.SigningMethodRS256, claims).SignedString(h.key)
	if err != nil {
		t.Fatal(err)
	}
	a := &app{t, h, signed}
	var issued struct {
		Token string `json:"token"`
	}
	a.must(http.MethodPost, h.URL+"/api/v3/app/installations/"+json.Number(jsonOf(h.Installation)).String()+"/access_tokens", nil, http.StatusCreated, &issued)
	a.token = issued.Token
	return a
}

func jsonOf(value any) string {
	text, _ := json.Marshal(value)
	return string(text)
}

// call calls the hub, and returns the answer's status, headers and body.
func (a *app) call(method, address string, body any, header http.Header) (int, http.Header, []byte) {
	a.Helper()
	if address[0] == '/' {
		address = a.hub.URL + issuesPath + address
	}
	request, err := http.NewRequestWithContext(context.Background(), method, address, bytes.NewReader([]byte(jsonOf(body))))
	if err != nil {
		a.Fatal(err)
	}
	maps.Copy(request.Header, header)
	request.Header.Set("Authorization", "Bearer "+a.token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		a.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		a.Fatal(err)
	}
	return response.StatusCode, response.Header, text
}

// must is a call that has to be answered with a status.
func (a *app) must(method, address string, body any, status int, into any) http.Header {
	a.Helper()
	is, header, text := a.call(method, address, body, nil)
	if is != status {
		a.Fatalf("%s %s: %d %s, want %d", method, address, is, text, status)
	}
	if into != nil {
		if err := json.Unmarshal(text, into); err != nil {
			a.Fatalf("%s %s: %v in %s", method, address, err, text)
		}
	}
	return header
}

// shape is what a JSON value is made of: its keys, and the kinds of its values.
func shape(value any) any {
	switch v := value.(type) {
	case map[string]any:
		of := map[string]any{}
		for key, each := range v {
			of[key] = shape(each)
		}
		return of
	case []any:
		of := []any{}
		for _, each := range v {
			of = append(of, shape(each))
		}
		return of
	case string:
		return "text"
	case float64:
		return "number"
	case bool:
		return "flag"
	default:
		return value
	}
}

// The hub answers as the playground does: the same acts have answers of the same shape.
func TestTheHubAnswersAsThePlayground(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	a := newApp(t, h)
	first := h.Open(1, 0, "bug")
	h.Label(first, "documentation", true)
	theirs := &recorder{ctx: t.Context(), playground: h.playground, address: h.URL, login: Person}
	h.mu.Lock()
	h.live = false // the playground itself answers
	h.mu.Unlock()
	want := map[string]any{}
	paths := []string{"/1", "/1/events", "/1/labels", "/1/comments"}
	for _, path := range paths {
		want[path] = theirs.call(http.MethodGet, "/issues"+path, nil)
	}
	h.mu.Lock()
	h.live = true
	h.mu.Unlock()
	if theirs.err != nil {
		t.Fatal(theirs.err)
	}
	h.Comment(first, "Hello.", Person)
	for _, path := range paths {
		var got any
		a.must(http.MethodGet, path, nil, http.StatusOK, &got)
		if g, w := jsonOf(shape(got)), jsonOf(shape(want[path])); g != w {
			t.Errorf("%s: %s\nwant %s", path, g, w)
		}
	}
}

// What is written is read again, and a webhook tells what a person did.
func TestWhatTheHubIsToldItShows(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	a := newApp(t, h)
	first := h.Open(3, 7, "colony:planning")
	d := h.Label(2, "colony:paused", true)
	var payload struct {
		Action string                       `json:"action"`
		Label  struct{ Name string }        `json:"label"`
		Issue  struct{ Number int }         `json:"issue"`
		Sender struct{ Login, Type string } `json:"sender"`
		Inst   struct{ ID int64 }           `json:"installation"`
	}
	if err := json.Unmarshal(d.Body, &payload); err != nil {
		t.Fatal(err)
	}
	if payload.Action != "labeled" || payload.Label.Name != "colony:paused" || payload.Issue.Number != 2 || payload.Sender.Login != Person || payload.Inst.ID != h.Installation {
		t.Errorf("the webhook says %+v", payload)
	}
	if size := len(d.Body); size < 12_000 || size > 14_000 {
		t.Errorf("the webhook has %d bytes", size)
	}
	a.must(http.MethodDelete, "/2/labels/colony:planning", nil, http.StatusOK, nil)
	a.must(http.MethodDelete, "/2/labels/colony:planning", nil, http.StatusNotFound, nil)
	a.must(http.MethodPost, "/2/labels", []string{"help"}, http.StatusOK, nil)
	var said struct{ ID int64 }
	a.must(http.MethodPost, "/2/comments", map[string]string{"body": "Done."}, http.StatusCreated, &said)
	a.must(http.MethodPost, "/comments/"+jsonOf(said.ID)+"/reactions", map[string]string{"content": "+1"}, http.StatusCreated, nil)
	got := jsonOf(h.Results(first, 3))
	const want = `[{"Number":1,"Labels":["colony:planning"],"Comments":null,"Reactions":null,"Changes":0},` +
		`{"Number":2,"Labels":["colony:paused","help"],"Comments":["Done."],"Reactions":["+1"],"Changes":2},` +
		`{"Number":3,"Labels":["colony:planning"],"Comments":null,"Reactions":null,"Changes":0}]`
	if got != want {
		t.Errorf("the issues are %s\nwant %s", got, want)
	}
	var page []any
	header := a.must(http.MethodGet, "/2/events?per_page=4&page=2", nil, http.StatusOK, &page)
	if link := header.Get("Link"); len(page) != 4 || link == "" {
		t.Errorf("the second page has %d events, and %q follows", len(page), link)
	}
	if s := h.Stats(); s.Calls != 7 || s.Writes != 6 || s.Repeated != 1 { // the token is one
		t.Errorf("counted %+v", s)
	}
}

// Reads are answered with "not modified", calls fail as they are told to, and what is not there is refused.
func TestTheHubRefuses(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	a := newApp(t, h)
	h.Open(1, 0)
	tag := a.must(http.MethodGet, "/1", nil, http.StatusOK, nil).Get("ETag")
	if is, _, text := a.call(http.MethodGet, "/1", nil, http.Header{"If-None-Match": {tag}}); is != http.StatusNotModified || len(text) > 0 {
		t.Errorf("an issue that is as it was: %d %s", is, text)
	}
	h.Label(1, "bug", true)
	if is, _, _ := a.call(http.MethodGet, "/1", nil, http.Header{"If-None-Match": {tag}}); is != http.StatusOK {
		t.Errorf("an issue that is not as it was: %d", is)
	}
	a.must(http.MethodGet, "/2", nil, http.StatusNotFound, nil)
	a.must(http.MethodPut, "/1/lock", nil, http.StatusNotImplemented, nil)
	if unknown := h.Unknown(); !slices.Equal(slices.Collect(maps.Keys(unknown)), []string{"PUT " + issuesPath + "/1/lock"}) {
		t.Errorf("unknown: %v", unknown)
	}
	h.Behave(Options{LimitEvery: 1})
	if wait := a.must(http.MethodGet, "/1", nil, http.StatusForbidden, nil).Get("Retry-After"); wait != "1" {
		t.Errorf("retry after %q", wait)
	}
	h.Behave(Options{})
	a.token = "nobody's"
	a.must(http.MethodGet, "/1", nil, http.StatusUnauthorized, nil)
}
