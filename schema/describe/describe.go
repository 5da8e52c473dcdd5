// Package describe makes the JSON Schemas of the files that repositories bring. Which settings there are it takes from the very
// types that the files are read into, what they may be from the tables that the readers check them with. A setting without a
// description, or a description without a setting, is an error.
package describe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
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
	s, err := describe(lifecycle.Shape(), lifecycle.Facets())
	if err != nil {
		return nil, fmt.Errorf("describe lifecycle files: %w", err)
	}
	s.Title, s.Description = "A lifecycle of Colony", "The states of an issue, every legal move between them, and the facts, times and limits that move issues."
	stateRules(at(s, "states").Items)
	wordOr(s, "force", "by")
	return write(schema.Lifecycle, s)
}

// wordOr lets a setting be one of the words of a setting below it, instead of all of its settings.
func wordOr(s *jsonschema.Schema, name, below string) {
	whole := *at(s, name)
	word := *at(s, name+"."+below)
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
	s, err := describe(policy.Shape(), policy.Facets())
	if err != nil {
		return nil, fmt.Errorf("describe %s: %w", policy.SettingsFile, err)
	}
	s.Title, s.Description = "The settings of Colony in a repository", "Which lifecycle the issues of the repository have, who its executors are, and what Colony does there without being asked."
	return write(schema.Config, s)
}

// describe makes the schema of a type and puts into it what its facets say.
func describe(shape reflect.Type, facets []lifecycle.Facet) (*jsonschema.Schema, error) {
	reflector := jsonschema.Reflector{
		FieldNameTag: "yaml", Anonymous: true, DoNotReference: true, ExpandedStruct: true, RequiredFromJSONSchemaTags: true,
		Mapper: func(t reflect.Type) *jsonschema.Schema {
			if !lifecycle.IsOneOrMore(t) {
				return nil
			}
			return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Type: "string"}, {Type: "array", Items: &jsonschema.Schema{Type: "string"}}}}
		},
	}
	s := reflector.ReflectFromType(shape)
	s.Version = draft
	undescribed := settingPaths(s)
	for _, f := range facets {
		parent, name := "", f.Path
		if i := strings.LastIndex(f.Path, "."); i >= 0 {
			parent, name = f.Path[:i], f.Path[i+1:]
		}
		setting := at(s, f.Path)
		if setting == nil {
			return nil, fmt.Errorf("there is no setting %s", f.Path)
		}
		undescribed = slices.DeleteFunc(undescribed, func(path string) bool { return path == f.Path })
		if err := put(setting, f); err != nil {
			return nil, fmt.Errorf("setting %s: %w", f.Path, err)
		}
		if f.Needed {
			owner := object(at(s, parent))
			owner.Required = append(owner.Required, name)
		}
	}
	if len(undescribed) > 0 {
		return nil, fmt.Errorf("nothing describes %s", strings.Join(undescribed, ", "))
	}
	return s, nil
}

// object returns the schema whose properties the settings below a setting are: its own, or that of the values of a list.
func object(s *jsonschema.Schema) *jsonschema.Schema {
	for s != nil && s.Items != nil {
		s = s.Items
	}
	return s
}

// at returns the schema of the setting at a path of names; the empty one is the whole file.
func at(s *jsonschema.Schema, path string) *jsonschema.Schema {
	if path == "" {
		return s
	}
	for name := range strings.SplitSeq(path, ".") {
		s = object(s)
		switch {
		case s == nil:
			return nil
		case name == "*":
			s = s.AdditionalProperties
		case s.Properties == nil:
			return nil
		default:
			s = s.Properties.Value(name)
		}
	}
	return s
}

// settingPaths lists the settings of a schema as facets name them.
func settingPaths(s *jsonschema.Schema) []string {
	var paths []string
	s = object(s)
	if s == nil {
		return nil
	}
	if s.Type == "object" && s.AdditionalProperties != nil && s.AdditionalProperties != jsonschema.FalseSchema && s.Properties.Len() == 0 {
		paths = append(paths, "*")
	}
	for name, setting := range s.Properties.FromOldest() {
		paths = append(paths, name)
		for _, below := range settingPaths(setting) {
			paths = append(paths, name+"."+below)
		}
	}
	return paths
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
