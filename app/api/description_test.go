package api_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"
	"github.com/mattn/go-shellwords"

	"github.com/colony-app/colony/advice"
	"github.com/colony-app/colony/app/api"
	"github.com/colony-app/colony/app/inspect"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
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
	if n := len(doc.Paths.Map()); n != len(api.Routes()) {
		t.Errorf("%d paths are described", n)
	}
	for _, r := range api.Routes() {
		o := doc.Paths.Value(r.Pattern).GetOperation(r.Method)
		if o.Description != r.Meaning || o.Summary == "" || (o.Security != nil) != r.Open || (o.RequestBody != nil) != r.Body {
			t.Errorf("%s %s is described otherwise: %s", r.Method, r.Pattern, o.Description)
		}
		var query []api.Parameter
		for _, p := range o.Parameters {
			if p.Value.In == "query" {
				query = append(query, api.Parameter{Name: p.Value.Name, Meaning: p.Value.Description, Needed: p.Value.Required, OneOf: words(p.Value.Schema.Value)})
			} else if !p.Value.Required || !strings.Contains(r.Pattern, "{"+p.Value.Name+"}") {
				t.Errorf("%s has no parameter %s", r.Pattern, p.Value.Name)
			}
		}
		if diff := cmp.Diff(r.Query, query); diff != "" {
			t.Errorf("%s: the parameters (-taken +described):\n%s", r.Pattern, diff)
		}
	}
}

// bodies are what requests and answers hold; all other types are parts of these.
var bodies = []any{inspect.Issue{}, inspect.Answer{}, inspect.Simulated{}, api.Simulation{}, api.Validation{}, api.Error{}}

// oneOf lists the words of types that have a list of them.
var oneOf = map[reflect.Type][]string{
	reflect.TypeFor[lifecycle.ActorKind]():   wordsOf(lifecycle.Operator, lifecycle.Executor, lifecycle.Author, lifecycle.Colony),
	reflect.TypeFor[lifecycle.StateType]():   wordsOf(lifecycle.Active, lifecycle.Blocked, lifecycle.AwaitingHuman, lifecycle.Terminal),
	reflect.TypeFor[lifecycle.Mode]():        wordsOf(lifecycle.Modes...),
	reflect.TypeFor[statemachine.MoveKind](): wordsOf(statemachine.Moved, statemachine.ForcedMove, statemachine.BadRequest, statemachine.Exhausted, statemachine.Stood, statemachine.Settled),
	reflect.TypeFor[inspect.Legality]():      wordsOf(inspect.Legal, inspect.NotLegal, inspect.NotKnown),
	reflect.TypeFor[advice.Need]():           needs(),
}

func wordsOf[W ~string](all ...W) (words []string) {
	for _, w := range all {
		words = append(words, string(w))
	}
	return words
}

func needs() (all []string) {
	for _, s := range advice.NeedSpecs() {
		all = append(all, string(s.Need))
	}
	return all
}

func words(s *openapi3.Schema) (all []string) {
	for _, w := range s.Enum {
		all = append(all, fmt.Sprint(w))
	}
	return all
}

// TestTheDescriptionIsThatOfTheTypes compares each type that the API reads or writes with its schema, field by field. What the fields hold in
// an answer, package described checks wherever a test gets one.
func TestTheDescriptionIsThatOfTheTypes(t *testing.T) {
	t.Parallel()
	doc, err := openapi3.NewLoader().LoadFromData(api.Text())
	if err != nil {
		t.Fatal(err)
	}
	schemas, seen := doc.Components.Schemas, map[string]bool{}
	var compare func(reflect.Type)
	compare = func(is reflect.Type) {
		for is.Kind() == reflect.Pointer || is.Kind() == reflect.Slice {
			is = is.Elem()
		}
		if is.Kind() != reflect.Struct || is == reflect.TypeFor[time.Time]() || seen[is.Name()] {
			return
		}
		seen[is.Name()] = true
		s := schemas[is.Name()]
		if s == nil || s.Value.Description == "" {
			t.Errorf("the type %s is not described", is.Name())
			return
		}
		var fields, required []string
		for field := range is.Fields() {
			name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
			if !field.IsExported() || name == "-" {
				continue
			}
			fields = append(fields, name)
			if !strings.Contains(options, "omit") {
				required = append(required, name)
			}
			if below := s.Value.Properties[name]; below != nil && !slices.Equal(words(below.Value), oneOf[field.Type]) && oneOf[field.Type] != nil {
				t.Errorf("%s.%s is one of %v, described as %v", is.Name(), name, oneOf[field.Type], words(below.Value))
			}
			compare(field.Type)
		}
		if diff := cmp.Diff(slices.Sorted(slices.Values(fields)), slices.Sorted(maps.Keys(s.Value.Properties))); diff != "" {
			t.Errorf("%s (-is +described):\n%s", is.Name(), diff)
		}
		if diff := cmp.Diff(required, s.Value.Required); diff != "" {
			t.Errorf("what %s always has (-is +described):\n%s", is.Name(), diff)
		}
	}
	for _, body := range bodies {
		compare(reflect.TypeOf(body))
	}
	if len(seen) != len(schemas) {
		t.Errorf("%d schemas are described, and there are %d types", len(schemas), len(seen))
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
