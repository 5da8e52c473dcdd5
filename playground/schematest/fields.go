package schematest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// fieldNames knows which fields a description names. Schemas allow others, and GitHub has some; but what the playground
// says has to be known from somewhere.
type fieldNames struct {
	doc map[string]any

	mu    sync.Mutex
	roots map[string]*names // by operation and status, or webhook
}

func mustReadFieldNames(text []byte) *fieldNames {
	var doc map[string]any
	if err := json.Unmarshal(text, &doc); err != nil {
		panic("schematest: " + err.Error())
	}
	return &fieldNames{doc: doc, roots: map[string]*names{}}
}

// at follows keys, and references, from the root of the description; nil: there is nothing.
func (f *fieldNames) at(keys ...string) map[string]any {
	node := f.doc
	for _, key := range keys {
		next, _ := node[key].(map[string]any) // nil has nothing below
		node = f.resolved(next)
	}
	return node
}

func (f *fieldNames) resolved(node map[string]any) map[string]any {
	for {
		reference, ok := node["$ref"].(string)
		if !ok {
			return node
		}
		node = f.at(strings.Split(strings.TrimPrefix(reference, "#/"), "/")...)
	}
}

// names is what a value's schemas name, alternatives included. What is below is found out once, when it is first asked for.
type names struct {
	in      *fieldNames
	schemas []map[string]any // resolved; none: anything goes

	items      func() *names
	mu         sync.Mutex
	properties map[string]property
}

// property is what schemas say of a field: what it can hold, and whether it is described at all.
type property struct {
	below     *names
	described bool
}

func (f *fieldNames) of(schemas ...map[string]any) *names {
	n := &names{in: f, schemas: f.alternatives(schemas), properties: map[string]property{}}
	n.items = sync.OnceValue(func() *names {
		var items []map[string]any
		for _, schema := range n.schemas {
			if item, ok := schema["items"].(map[string]any); ok {
				items = append(items, item)
			}
		}
		return f.of(items...)
	})
	return n
}

// unnamed are the fields of a value that none of the schemas names, each by its place, with stars for indices.
func (n *names) unnamed(value any) []string {
	found := map[string]bool{}
	n.collect(value, "", found)
	return slices.Sorted(maps.Keys(found))
}

func (n *names) collect(value any, where string, found map[string]bool) {
	if len(n.schemas) == 0 {
		return
	}
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			n.items().collect(item, where+"/*", found)
		}
	case map[string]any:
		for name, field := range value {
			p := n.property(name)
			if !p.described {
				found[where+"/"+name] = true
			}
			p.below.collect(field, where+"/"+name, found)
		}
	}
}

// property is what the schemas say of a field. One is described if a schema names it or is open to any, or if none names any.
func (n *names) property(name string) property {
	n.mu.Lock()
	defer n.mu.Unlock()
	if known, ok := n.properties[name]; ok {
		return known
	}
	var below []map[string]any
	objects, open := false, false
	for _, schema := range n.schemas {
		properties, named := schema["properties"].(map[string]any)
		objects = objects || named
		if field, ok := properties[name].(map[string]any); ok {
			below = append(below, field)
		}
		switch more := schema["additionalProperties"].(type) {
		case map[string]any:
			below, open = append(below, more), true
		case bool:
			open = open || more
		}
	}
	p := property{below: n.in.of(below...), described: below != nil || open || !objects}
	n.properties[name] = p
	return p
}

// alternatives are schemas with all that they are made of, references followed.
func (f *fieldNames) alternatives(schemas []map[string]any) []map[string]any {
	var all []map[string]any
	for _, schema := range schemas {
		schema = f.resolved(schema)
		if schema == nil {
			continue
		}
		all = append(all, schema)
		for _, word := range []string{"oneOf", "anyOf", "allOf"} {
			parts, _ := schema[word].([]any) // nil has none
			for _, part := range parts {
				if below, ok := part.(map[string]any); ok {
					all = append(all, f.alternatives([]map[string]any{below})...)
				}
			}
		}
	}
	return all
}

// ofAnswer are the unnamed fields of an answer to an operation.
func (f *fieldNames) ofAnswer(method, path string, status int, body []byte) []string {
	return f.unnamed(fmt.Sprint(method, " ", path, " ", status), body, func() map[string]any {
		response := f.at("paths", path, strings.ToLower(method), "responses", strconv.Itoa(status))
		content, _ := response["content"].(map[string]any)
		media, _ := content["application/json"].(map[string]any)
		schema, _ := media["schema"].(map[string]any)
		return schema
	})
}

// ofWebhook are the unnamed fields of a webhook's payload.
func (f *fieldNames) ofWebhook(name string, payload []byte) []string {
	return f.unnamed(name, payload, func() map[string]any {
		return f.at("webhooks", name, "post", "requestBody", "content", "application/json", "schema")
	})
}

// unnamed are the fields that a text has and its schema does not name. What is no JSON has none.
func (f *fieldNames) unnamed(what string, text []byte, schema func() map[string]any) []string {
	var value any
	if json.Unmarshal(text, &value) != nil {
		return nil
	}
	f.mu.Lock()
	root, known := f.roots[what]
	if !known {
		root = f.of(schema())
		f.roots[what] = root
	}
	f.mu.Unlock()
	return root.unnamed(value)
}
