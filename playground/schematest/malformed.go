package schematest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
)

// Malformed is a request that GitHub's description does not allow.
type Malformed struct {
	What  string // is wrong
	Query url.Values
	Body  string
}

var githubCom = sync.OnceValue(func() *restDescription { return mustLoadREST("api.github.com") })

// MalformedRequests makes, out of a good body (a JSON object, or empty where the operation takes none), every request of
// an operation that the description of github.com forbids in one place: a required field left out, a field of a wrong
// type or outside its enumeration, a query parameter outside its enumeration. It panics for an operation that the
// description lacks, and for a body that is not good.
func MalformedRequests(method, pattern, good string) []Malformed {
	d := githubCom()
	path, ok := d.shapes[method+" "+shape(pattern)]
	if !ok {
		panic("schematest: no operation " + method + " " + pattern)
	}
	item := d.doc.Paths.Value(path)
	operation := item.GetOperation(method)
	var found []Malformed
	for _, parameter := range append(slices.Clone(item.Parameters), operation.Parameters...) {
		if p := parameter.Value; p.In == "query" && len(p.Schema.Value.Enum) > 0 {
			found = append(found, Malformed{What: "?" + p.Name + " outside its enumeration", Query: url.Values{p.Name: {"nonsense"}}, Body: good})
		}
	}
	if good == "" || operation.RequestBody == nil {
		return found
	}
	return append(found, malformedBodies(operation.RequestBody.Value.Content["application/json"].Schema.Value, good)...)
}

func malformedBodies(schema *openapi3.Schema, good string) []Malformed {
	var body map[string]any
	if err := json.Unmarshal([]byte(good), &body); err != nil {
		panic("schematest: a good body: " + err.Error())
	}
	if err := schema.VisitJSON(maps.Clone(body)); err != nil {
		panic("schematest: a good body: " + err.Error())
	}
	var found []Malformed
	try := func(what string, changed map[string]any) {
		if schema.VisitJSON(changed) == nil {
			return // allowed
		}
		text, err := json.Marshal(changed)
		if err != nil {
			panic("schematest: " + err.Error())
		}
		found = append(found, Malformed{What: what, Body: string(text)})
	}
	for _, name := range slices.Sorted(maps.Keys(body)) {
		changed := maps.Clone(body)
		delete(changed, name)
		try("no "+name, changed)
	}
	for _, name := range properties(schema) {
		for _, wrong := range []any{7.5, "nonsense", true, map[string]any{"x": 1.0}, []any{[]any{1.0}}} {
			changed := maps.Clone(body)
			changed[name] = wrong
			try(fmt.Sprintf("%s is %v", name, wrong), changed)
		}
	}
	return found
}

// properties are those of an object, of all its alternatives together.
func properties(schema *openapi3.Schema) []string {
	names := map[string]bool{}
	for name := range schema.Properties {
		names[name] = true
	}
	for _, alternatives := range []openapi3.SchemaRefs{schema.OneOf, schema.AnyOf, schema.AllOf} {
		for _, alternative := range alternatives {
			for _, name := range properties(alternative.Value) {
				names[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}
