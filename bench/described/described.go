// Package described checks what Colony's API answers by the description of the API. Every answer that a test gets goes through it.
package described

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/colony-app/colony/app/api"
)

// description is that of the API, as a client reads it, but that objects have no further fields.
type description struct{ operations []operation }

type operation struct {
	method string
	path   *regexp.Regexp
	// schemas are those of the answers, by status; nil for that of the description itself.
	schemas map[string]*jsonschema.Schema
}

const address = "https://colony.example/openapi.json"

var parsed = sync.OnceValues(func() (*description, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(api.Text()))
	if err != nil {
		return nil, fmt.Errorf("read the description: %w", err)
	}
	closed(doc)
	d, compiler := &description{}, jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource(address, doc); err != nil {
		return nil, fmt.Errorf("take the schemas of the description: %w", err)
	}
	var read struct {
		Paths map[string]map[string]struct {
			Responses map[string]struct {
				Content map[string]struct{ Schema map[string]any }
			}
		}
	}
	if err := json.Unmarshal(api.Text(), &read); err != nil {
		return nil, fmt.Errorf("read the paths of the description: %w", err)
	}
	for path, ofPath := range read.Paths {
		form := regexp.MustCompile("^" + regexp.MustCompile(`\\\{\w+\\\}`).ReplaceAllString(regexp.QuoteMeta(path), "[^/]+") + "$")
		for method, o := range ofPath {
			schemas := map[string]*jsonschema.Schema{}
			for status, r := range o.Responses {
				ref, ok := r.Content["application/json"].Schema["$ref"].(string)
				if schemas[status] = nil; !ok {
					continue
				}
				if schemas[status], err = compiler.Compile(address + ref); err != nil {
					return nil, fmt.Errorf("compile the schema %s: %w", ref, err)
				}
			}
			d.operations = append(d.operations, operation{strings.ToUpper(method), form, schemas})
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

// Check checks a real answer by the description.
func Check(t testing.TB, request *http.Request, answer *httptest.ResponseRecorder) {
	t.Helper()
	d, err := parsed()
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range d.operations {
		if o.method != request.Method || !o.path.MatchString(request.URL.Path) {
			continue
		}
		s, ok := o.schemas[strconv.Itoa(answer.Code)]
		if !ok {
			t.Errorf("%s %s: the status %d is not described", request.Method, request.URL, answer.Code)
			return
		}
		if s == nil {
			return
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(answer.Body.Bytes()))
		if err != nil {
			t.Fatalf("%s %s: %v", request.Method, request.URL, err)
		}
		if err := s.Validate(value); err != nil {
			t.Errorf("%s %s: %s\n%v", request.Method, request.URL, answer.Body, err)
		}
		return
	}
}
