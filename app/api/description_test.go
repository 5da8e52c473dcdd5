package api_test

import (
	"encoding/json"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/mattn/go-shellwords"

	"github.com/colony-app/colony/app/api"
)

func TestTheDescriptionIsServedToAnyone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	answer := w.asks("", http.MethodGet, "openapi.json", "")
	if answer.Code != http.StatusOK || !json.Valid(answer.Body.Bytes()) {
		t.Fatalf("%d %s", answer.Code, answer.Body)
	}
	doc, err := openapi3.NewLoader().LoadFromData(answer.Body.Bytes())
	w.Must(err)
	w.Must(doc.Validate(t.Context()))
	for _, r := range api.Routes() {
		item := doc.Paths.Value(r.Pattern)
		if item == nil || item.GetOperation(r.Method) == nil || item.GetOperation(r.Method).Description == "" {
			t.Errorf("%s %s is not described", r.Method, r.Pattern)
		}
	}
}

// example is a call of docs/api.md, and a part of its answer.
var example = regexp.MustCompile("(?s)```sh\n(curl .*?)\n```\n\n```json\n(.*?)\n```")

// TestTheExamplesOfThePage makes each call that docs/api.md shows, and expects what it shows of the answer.
func TestTheExamplesOfThePage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	for range 2 {
		w.opened("colony:in-review")
	}
	w.Comment(1, "olivia", "/colony:pause until Monday")
	w.colony.Reconcile(1)

	examples := example.FindAllStringSubmatch(string(page), -1)
	if calls := strings.Count(string(page), "```sh\ncurl "); calls != len(examples) || calls < 4 {
		t.Fatalf("%d of %d calls have an answer", len(examples), calls)
	}
	for _, e := range examples {
		method, path, body := callOf(t, e[1])
		answer := w.asks(w.Token("rita"), method, strings.TrimPrefix(path, api.Prefix), body)
		var got, want any
		w.Must(json.Unmarshal(answer.Body.Bytes(), &got))
		w.Must(json.Unmarshal([]byte(e[2]), &want))
		if where := lacks(got, want, ""); where != "" || answer.Code != http.StatusOK {
			t.Errorf("%s\nanswers %d otherwise at %s:\n%s", e[1], answer.Code, where, answer.Body)
		}
	}
}

// callOf reads a call of curl as far as the page uses it.
func callOf(t *testing.T, line string) (method, path, body string) {
	t.Helper()
	parser := shellwords.NewParser()
	words, err := parser.Parse(strings.ReplaceAll(line, "\\\n", " "))
	if err != nil {
		t.Fatal(err)
	}
	method = http.MethodGet
	for i := 1; i < len(words); i++ {
		switch word := words[i]; {
		case word == "-sS":
		case word == "-H":
			i++
			if words[i] != "Authorization: Bearer $TOKEN" {
				t.Errorf("the header %s", words[i])
			}
		case word == "-d", word == "--data-binary":
			i++
			method, body = http.MethodPost, words[i]
			if body == "@.github/colony.yml" {
				body = "mode: enforce\nlimit: 3\n"
			}
		case strings.HasPrefix(word, "$COLONY/"):
			path = strings.TrimPrefix(word, "$COLONY")
		default:
			t.Errorf("nobody knows what %s means: %s", word, line)
		}
	}
	return method, path, body
}

// lacks returns where an answer has not what is wanted of it; empty if it has all of that. It may have more fields.
func lacks(got, want any, at string) string {
	switch want := want.(type) {
	case map[string]any:
		is, ok := got.(map[string]any)
		if !ok {
			return at
		}
		for name, below := range want {
			if where := lacks(is[name], below, at+"/"+name); where != "" {
				return where
			}
		}
		return ""
	case []any:
		is, ok := got.([]any)
		if !ok || len(is) != len(want) {
			return at
		}
		for i, below := range want {
			if where := lacks(is[i], below, at+"/"+strconv.Itoa(i)); where != "" {
				return where
			}
		}
		return ""
	}
	if got != want {
		return at
	}
	return ""
}
