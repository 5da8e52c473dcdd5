package schematest

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// fieldNames knows which fields a description names. Schemas allow others, and GitHub has some; but what the playground
// says has to be known from somewhere.
type fieldNames struct{ doc map[string]any }

func mustReadFieldNames(text []byte) fieldNames {
	var doc map[string]any
	if err := json.Unmarshal(text, &doc); err != nil {
		panic("schematest: " + err.Error())
	}
	return fieldNames{doc}
}

// at follows keys, and references, from the root of the description; nil: there is nothing.
func (f fieldNames) at(keys ...string) map[string]any {
	node := f.doc
	for _, key := range keys {
		next, _ := node[key].(map[string]any) // nil has nothing below
		node = f.resolved(next)
	}
	return node
}

func (f fieldNames) resolved(node map[string]any) map[string]any {
	for {
		reference, ok := node["$ref"].(string)
		if !ok {
			return node
		}
		node = f.at(strings.Split(strings.TrimPrefix(reference, "#/"), "/")...)
	}
}

// unnamed are the fields of a value that none of the schemas names, each by its place, with stars for indices.
func (f fieldNames) unnamed(value any, where string, schemas ...map[string]any) []string {
	alternatives := f.alternatives(schemas)
	if len(alternatives) == 0 {
		return nil
	}
	found := map[string]bool{}
	switch value := value.(type) {
	case []any:
		var items []map[string]any
		for _, schema := range alternatives {
			if item, ok := schema["items"].(map[string]any); ok {
				items = append(items, item)
			}
		}
		for _, item := range value {
			for _, field := range f.unnamed(item, where+"/*", items...) {
				found[field] = true
			}
		}
	case map[string]any:
		for name, field := range value {
			below, open := f.property(alternatives, name)
			if below == nil && !open {
				found[where+"/"+name] = true
			}
			for _, deeper := range f.unnamed(field, where+"/"+name, below...) {
				found[deeper] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// property is what the alternatives say of a property, and whether one of them is open to any name.
func (f fieldNames) property(alternatives []map[string]any, name string) (found []map[string]any, open bool) {
	objects := false
	for _, schema := range alternatives {
		properties, named := schema["properties"].(map[string]any)
		objects = objects || named
		if below, ok := properties[name].(map[string]any); ok {
			found = append(found, below)
		}
		switch more := schema["additionalProperties"].(type) {
		case map[string]any:
			found, open = append(found, more), true
		case bool:
			open = open || more
		}
	}
	return found, open || !objects
}

// alternatives are schemas with all that they are made of, references followed.
func (f fieldNames) alternatives(schemas []map[string]any) []map[string]any {
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
func (f fieldNames) ofAnswer(method, path string, status int, body []byte) []string {
	var value any
	if json.Unmarshal(body, &value) != nil {
		return nil
	}
	response := f.at("paths", path, strings.ToLower(method), "responses", strconv.Itoa(status))
	content, _ := response["content"].(map[string]any)
	media, _ := content["application/json"].(map[string]any)
	schema, _ := media["schema"].(map[string]any)
	return f.unnamed(value, "", schema)
}

// ofWebhook are the unnamed fields of a webhook's payload.
func (f fieldNames) ofWebhook(name string, payload []byte) []string {
	var value any
	if json.Unmarshal(payload, &value) != nil {
		return nil
	}
	return f.unnamed(value, "", f.at("webhooks", name, "post", "requestBody", "content", "application/json", "schema"))
}
