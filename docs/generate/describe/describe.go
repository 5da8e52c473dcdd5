// Package describe makes the JSON Schemas of the files that repositories bring. Which settings there are it takes from the very
// types that the files are read into, what they may be from the tables that the readers check them with. A setting without a
// description is an error.
package describe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/schema"
)

// draft is the version that editors support best: yaml-language-server checks newer ones only in part.
const draft = "http://json-schema.org/draft-07/schema#"

// Files returns the schemas by their names.
func Files() (map[string][]byte, error) {
	lifecycle, err := Lifecycle()
	if err != nil {
		return nil, err
	}
	config, err := Config()
	if err != nil {
		return nil, err
	}
	return map[string][]byte{schema.Lifecycle: lifecycle, schema.Config: config}, nil
}

// Lifecycle returns the schema of lifecycle files.
func Lifecycle() ([]byte, error) {
	s, err := describe(lifecycle.Shape(), lifecycle.Described())
	if err != nil {
		return nil, fmt.Errorf("describe lifecycle files: %w", err)
	}
	s.Title, s.Description = "A lifecycle of Colony", "The states of an issue, every legal move between them, and the facts, times and limits that move issues."
	stateRules(s.Properties.Value("states").Items)
	wordOr(s, "force", "by")
	return write(schema.Lifecycle, s)
}

// wordOr lets a setting be one of the words of a setting below it, instead of all of its settings.
func wordOr(s *jsonschema.Schema, name, below string) {
	whole := *s.Properties.Value(name)
	word := *whole.Properties.Value(below)
	word.Description = ""
	meaning := whole.Description
	whole.Description = ""
	s.Properties.Set(name, &jsonschema.Schema{Description: meaning, AnyOf: []*jsonschema.Schema{&word, &whole}})
}

// stateRules says what settings of a state go together.
func stateRules(state *jsonschema.Schema) {
	blocked := &jsonschema.Schema{Properties: jsonschema.NewProperties(), Required: []string{"type"}}
	blocked.Properties.Set("type", &jsonschema.Schema{Const: string(lifecycle.Blocked)})
	state.AllOf = []*jsonschema.Schema{
		{
			If: blocked, Then: &jsonschema.Schema{Required: []string{"recovery"}},
			Else: &jsonschema.Schema{Not: &jsonschema.Schema{Required: []string{"recovery"}}},
		},
		{
			If:   &jsonschema.Schema{Required: []string{"label"}},
			Then: &jsonschema.Schema{Required: []string{"color", "description"}},
		},
	}
}

// Config returns the schema of a repository's settings, .github/colony.yml.
func Config() ([]byte, error) {
	s, err := describe(reflect.TypeFor[policy.Settings](), settingsOfFile())
	if err != nil {
		return nil, fmt.Errorf("describe %s: %w", policy.SettingsFile, err)
	}
	s.Title, s.Description = "The settings of Colony in a repository", "Which lifecycle the issues of the repository have, who its executors are, and what Colony does there without being asked."
	return write(schema.Config, s)
}

// describe makes the schema of a file that is read into a type.
func describe(shape reflect.Type, facets lifecycle.Facets) (*jsonschema.Schema, error) {
	s, err := schemaOf(shape, "", facets)
	if err != nil {
		return nil, err
	}
	s.Version = draft
	return s, nil
}

// schemaOf makes the schema of a type, and of the settings below the path at which it is.
func schemaOf(t reflect.Type, path string, facets lifecycle.Facets) (*jsonschema.Schema, error) {
	if t = lifecycle.Written(t); lifecycle.IsOneOrMore(t) {
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Type: "string"}, {Type: "array", Items: &jsonschema.Schema{Type: "string"}}}}, nil
	}
	switch t.Kind() {
	case reflect.Pointer:
		return schemaOf(t.Elem(), path, facets)
	case reflect.Slice:
		items, err := schemaOf(t.Elem(), path, facets)
		return &jsonschema.Schema{Type: "array", Items: items}, err
	case reflect.Map:
		values, err := setting(t.Elem(), path+".*", facets, facets.More[path+".*"])
		return &jsonschema.Schema{Type: "object", AdditionalProperties: values}, err
	case reflect.Struct:
		return object(t, path, facets)
	case reflect.Bool:
		return &jsonschema.Schema{Type: "boolean"}, nil
	case reflect.Int:
		return &jsonschema.Schema{Type: "integer"}, nil
	default:
		return &jsonschema.Schema{Type: "string"}, nil
	}
}

func object(t reflect.Type, path string, facets lifecycle.Facets) (*jsonschema.Schema, error) {
	s := &jsonschema.Schema{Type: "object", Properties: jsonschema.NewProperties(), AdditionalProperties: jsonschema.FalseSchema}
	for _, field := range reflect.VisibleFields(t) {
		name := lifecycle.SettingOf(field)
		if name == "" {
			continue
		}
		at := strings.TrimPrefix(path+"."+name, ".")
		facet := facets.Of(field, at)
		below, err := setting(field.Type, at, facets, facet)
		if err != nil {
			return nil, err
		}
		s.Properties.Set(name, below)
		if facet.Needed {
			s.Required = append(s.Required, name)
		}
	}
	return s, nil
}

// setting makes the schema of the setting at a path, with what its facet says.
func setting(t reflect.Type, path string, facets lifecycle.Facets, facet lifecycle.Facet) (*jsonschema.Schema, error) {
	if facet.Meaning == "" {
		return nil, fmt.Errorf("nothing describes %s", path)
	}
	s, err := schemaOf(t, path, facets)
	if err != nil {
		return nil, err
	}
	if err := put(s, facet); err != nil {
		return nil, fmt.Errorf("setting %s: %w", path, err)
	}
	return s, nil
}

// put writes what a facet says into the schema of its setting.
func put(s *jsonschema.Schema, f lifecycle.Facet) error {
	s.Description = f.Meaning
	for _, w := range f.OneOf {
		if w.Meaning != "" {
			s.Description += "\n- " + w.Word + ": " + w.Meaning
		}
	}
	if f.Most > 0 {
		s.MaxItems = number(f.Most)
	}
	switch {
	case s.Type == "integer":
		s.Minimum = json.Number(strconv.Itoa(f.From))
		if f.To > 0 {
			s.Maximum = json.Number(strconv.Itoa(f.To))
		}
	case s.Type == "string":
		text(s, f)
	case len(s.AnyOf) == 2: // a word or a list of words
		text(s.AnyOf[0], f)
		text(s.AnyOf[1].Items, f)
		s.AnyOf[1].UniqueItems = f.Once
	case s.Type == "array" && s.Items.Type == "string":
		text(s.Items, f)
		s.UniqueItems = f.Once
	case boundsText(f):
		return fmt.Errorf("a %s has no text that could be bounded", s.Type)
	}
	if s.Type == "array" && f.Needed {
		s.MinItems = number(1)
	}
	return nil
}

// boundsText reports whether a facet bounds a text, or a list of texts.
func boundsText(f lifecycle.Facet) bool {
	return f.Pattern != "" || f.Longest > 0 || len(f.OneOf)+len(f.NoneOf) > 0 || f.Once
}

func text(s *jsonschema.Schema, f lifecycle.Facet) {
	s.Pattern = f.Pattern
	if f.Longest > 0 {
		s.MaxLength = number(f.Longest)
	}
	if f.Needed && len(f.OneOf) == 0 {
		s.MinLength = number(1)
	}
	for _, w := range f.OneOf {
		s.Enum = append(s.Enum, w.Word)
	}
	if len(f.NoneOf) > 0 {
		s.Not = &jsonschema.Schema{}
		for _, w := range f.NoneOf {
			s.Not.Enum = append(s.Not.Enum, w)
		}
	}
	if f.Digits {
		words := &jsonschema.Schema{Type: "string", Pattern: s.Pattern, MinLength: s.MinLength}
		s.Type, s.Pattern, s.MinLength = "", "", nil
		s.AnyOf = []*jsonschema.Schema{words, {Type: "number"}}
	}
}

func number(n int) *uint64 {
	u := uint64(max(n, 0))
	return &u
}

func write(name string, s *jsonschema.Schema) ([]byte, error) {
	s.ID = jsonschema.ID(schema.URL(name))
	var b bytes.Buffer
	compact, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("write the schema %s: %w", name, err)
	}
	if err := json.Indent(&b, compact, "", "  "); err != nil {
		return nil, fmt.Errorf("write the schema %s: %w", name, err)
	}
	return append(b.Bytes(), '\n'), nil
}
