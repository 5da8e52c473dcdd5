package lifecycle

import (
	"fmt"
	"maps"
	"reflect"
	"strings"

	yamlguard "go.yaml.in/yaml/v3"
)

// unknown lists every key of the file that the value it is decoded into does not have, in the order of the file. Each names the nearest
// key that there is, or all of them where none is near.
func (s *source) unknown(into any) []Problem {
	var found []Problem
	if s.root == nil {
		return nil
	}
	s.unknownAt(s.root, reflect.TypeOf(into), func(p Problem) { found = append(found, p) })
	return found
}

func (s *source) unknownAt(n *yamlguard.Node, t reflect.Type, tell func(Problem)) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t = written(t); {
	case n.Kind == yamlguard.SequenceNode && t.Kind() == reflect.Slice:
		for _, item := range n.Content {
			s.unknownAt(item, t.Elem(), tell)
		}
	case n.Kind == yamlguard.MappingNode && t.Kind() == reflect.Map:
		for i := 1; i < len(n.Content); i += 2 {
			s.unknownAt(n.Content[i], t.Elem(), tell)
		}
	case n.Kind == yamlguard.MappingNode && t.Kind() == reflect.Struct:
		names, fields := keysOf(t)
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			if field, known := fields[key.Value]; known {
				s.unknownAt(n.Content[i+1], field, tell)
			} else if key.Tag != "!!merge" {
				tell(s.at(key.Line, key.Column, unknownKey(key.Value, names)))
			}
		}
	}
}

// keysOf returns the keys of a mapping that is decoded into a struct, in its order.
func keysOf(t reflect.Type) (names []string, fields map[string]reflect.Type) {
	fields = map[string]reflect.Type{}
	for field := range t.Fields() {
		if field.Anonymous {
			inner, its := keysOf(field.Type)
			names = append(names, inner...)
			maps.Copy(fields, its)
		}
		if name := keyOf(field); name != "" {
			names, fields[name] = append(names, name), field.Type
		}
	}
	return names, fields
}

// keyOf returns the setting that a field is decoded from; empty if there is none.
func keyOf(field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("yaml"), ",")
	return strings.TrimPrefix(name, "-")
}

func unknownKey(key string, known []string) string {
	if len(key) > maxExcerpt {
		key = strings.ToValidUTF8(key[:maxExcerpt], "") + "…"
	}
	if nearest, ok := Closest(key, known); ok {
		return fmt.Sprintf("unknown setting %q: did you mean %q?", key, nearest)
	}
	return fmt.Sprintf("unknown setting %q: there are %s", key, strings.Join(known, ", "))
}
