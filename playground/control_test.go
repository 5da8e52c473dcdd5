package playground_test

import (
	"context"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/colony-app/colony/playground"
)

// Whoever looks at a web page while a playground runs must not have it act for that page.
func TestControlsRefuseOtherOrigins(t *testing.T) {
	p := playground.New(playground.Options{})
	base, err := p.Start("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}()
	const user = `{"login":"eve"}`
	for name, test := range map[string]struct {
		method, path, body string
		header             map[string]string
		want               int
	}{
		"a program":                       {"POST", "/users", user, nil, http.StatusNoContent},
		"its own page":                    {"POST", "/users", user, map[string]string{"Sec-Fetch-Site": "same-origin", "Origin": base}, http.StatusNoContent},
		"its own page in an old browser":  {"POST", "/users", user, map[string]string{"Origin": base}, http.StatusNoContent},
		"another site posts":              {"POST", "/tokens", user, map[string]string{"Sec-Fetch-Site": "cross-site"}, http.StatusForbidden},
		"another site posts, old browser": {"POST", "/tokens", user, map[string]string{"Origin": "https://evil.example"}, http.StatusForbidden},
		"another port posts":              {"POST", "/tokens", user, map[string]string{"Sec-Fetch-Site": "same-site"}, http.StatusForbidden},
		"another site puts":               {"PUT", "/permissions", "{}", map[string]string{"Sec-Fetch-Site": "cross-site"}, http.StatusForbidden},
		"another site deletes":            {"DELETE", "/users", user, map[string]string{"Sec-Fetch-Site": "cross-site"}, http.StatusForbidden},
		"another site links":              {"GET", "/state", "", map[string]string{"Sec-Fetch-Site": "cross-site"}, http.StatusOK},
	} {
		request, err := http.NewRequestWithContext(context.Background(), test.method, base+"/playground"+test.path, strings.NewReader(test.body))
		if err != nil {
			t.Fatal(err)
		}
		for key, value := range test.header {
			request.Header.Set(key, value)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != test.want {
			t.Errorf("%s: %s, want %d", name, response.Status, test.want)
		}
		if response.Header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: other origins may read the answer", name)
		}
	}
	if !slices.ContainsFunc(p.Users(), func(u playground.User) bool { return u.Login == "eve" }) {
		t.Error("eve is gone")
	}
}

// What the document shows of the control API and of the faults is there.
func TestTheDocumentsExamplesAreOfControlsThatExist(t *testing.T) {
	text, err := os.ReadFile("../docs/playground.md")
	if err != nil {
		t.Fatal(err)
	}
	examples := regexp.MustCompile(`(?m)curl (?:-X (\w+) )?\S*?(/playground/\S+)`).FindAllStringSubmatch(string(text), -1)
	if len(examples) < 5 {
		t.Errorf("only %d examples", len(examples))
	}
	for _, example := range examples {
		method, path := example[1], strings.Trim(example[2], `"'`)
		if method == "" {
			method = "GET"
		}
		found := false
		for _, c := range playground.Controls() {
			found = found || c.Method == method && c.Pattern == path
		}
		if !found {
			t.Errorf("there is no control %s %s", method, path)
		}
	}
}
