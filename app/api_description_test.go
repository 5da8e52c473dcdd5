package app_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/mattn/go-shellwords"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/colony-app/colony/app/api"
)

// described is the description of the API, as a client reads it, but that objects have no further fields.
type described struct{ operations []describedOperation }

type describedOperation struct {
	method string
	path   *regexp.Regexp
	// schemas are those of the answers, by status; nil for that of the description itself.
	schemas map[string]*jsonschema.Schema
}

const descriptionURL = "https://colony.example/openapi.json"

var description = sync.OnceValues(func() (*described, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(api.Text()))
	if err != nil {
		return nil, err
	}
	closed(doc)
	d, compiler := &described{}, jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource(descriptionURL, doc); err != nil {
		return nil, err
	}
	var parsed struct {
		Paths map[string]map[string]struct {
			Responses map[string]struct {
				Content map[string]struct{ Schema map[string]any }
			}
		}
	}
	if err := json.Unmarshal(api.Text(), &parsed); err != nil {
		return nil, err
	}
	for path, operations := range parsed.Paths {
		form := regexp.MustCompile("^" + regexp.MustCompile(`\\\{\w+\\\}`).ReplaceAllString(regexp.QuoteMeta(path), "[^/]+") + "$")
		for method, o := range operations {
			schemas := map[string]*jsonschema.Schema{}
			for status, r := range o.Responses {
				ref, ok := r.Content["application/json"].Schema["$ref"].(string)
				if schemas[status] = nil; !ok {
					continue
				}
				if schemas[status], err = compiler.Compile(descriptionURL + ref); err != nil {
					return nil, err
				}
			}
			d.operations = append(d.operations, describedOperation{strings.ToUpper(method), form, schemas})
		}
	}
	return d, nil
})

// closed forbids fields that are not described.
func closed(doc any) {
	switch is := doc.(type) {
	case map[string]any:
		if _, ok := is["properties"].(map[string]any); ok {
			is["additionalProperties"] = false
		}
		for _, below := range is {
			closed(below)
		}
	case []any:
		for _, below := range is {
			closed(below)
		}
	}
}

// isDescribed checks a real answer by the description. Every answer that a test of the API gets goes through it.
func (w *world) isDescribed(request *http.Request, answer *httptest.ResponseRecorder) {
	w.t.Helper()
	d, err := description()
	w.must(err)
	for _, o := range d.operations {
		if o.method != request.Method || !o.path.MatchString(request.URL.Path) {
			continue
		}
		s, ok := o.schemas[strconv.Itoa(answer.Code)]
		if !ok {
			w.t.Errorf("%s %s: the status %d is not described", request.Method, request.URL, answer.Code)
			return
		}
		if s == nil {
			return
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(answer.Body.Bytes()))
		w.must(err)
		if err := s.Validate(value); err != nil {
			w.t.Errorf("%s %s: %s\n%v", request.Method, request.URL, answer.Body, err)
		}
		return
	}
}

func TestTheDescriptionIsServedToAnyone(t *testing.T) {
	t.Parallel()
	w := newAPIWorld(t)
	answer := w.asksAPI("", http.MethodGet, "openapi.json", "")
	if answer.Code != http.StatusOK || !json.Valid(answer.Body.Bytes()) {
		t.Fatalf("%d %s", answer.Code, answer.Body)
	}
	doc, err := openapi3.NewLoader().LoadFromData(answer.Body.Bytes())
	w.must(err)
	w.must(doc.Validate(ctx))
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
	page, err := os.ReadFile("../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	w := newAPIWorld(t)
	for range 2 {
		w.open("ada", "").label("olivia", "colony:in-review")
	}
	w.settle()
	paused := w.issues[0].comment("olivia", "/colony:pause until Monday")
	w.settle()
	w.issues[0].colonyReacts(paused, "+1")

	examples := example.FindAllStringSubmatch(string(page), -1)
	if calls := strings.Count(string(page), "```sh\ncurl "); calls != len(examples) || calls < 4 {
		t.Fatalf("%d of %d calls have an answer", len(examples), calls)
	}
	for _, e := range examples {
		method, path, body := callOf(t, e[1])
		answer := w.asksAPI(w.github.Token("rita"), method, strings.TrimPrefix(path, api.Prefix), body)
		var got, want any
		w.must(json.Unmarshal(answer.Body.Bytes(), &got))
		w.must(json.Unmarshal([]byte(e[2]), &want))
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
