package describe

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
	"golang.org/x/tools/txtar"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/schema"
	"github.com/colony-app/colony/statemachine"
)

var update = flag.Bool("update", false, "rewrite testdata/refused.txt")

// compiled returns the schema as editors get it.
func compiled(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	text, err := schema.Text(name)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(schema.URL(name), doc); err != nil {
		t.Fatal(err)
	}
	s, err := compiler.Compile(schema.URL(name))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var errNoYAML = errors.New("no YAML")

// check validates a file by a schema, with what YAML itself makes of unquoted words.
func check(t *testing.T, s *jsonschema.Schema, text []byte) error {
	t.Helper()
	var value any
	if err := yaml.Unmarshal(text, &value); err != nil {
		return errNoYAML
	}
	asJSON, err := json.Marshal(value)
	if err != nil {
		return errNoYAML // a key that is no word
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(asJSON))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(doc)
}

func TestSchemasAreGenerated(t *testing.T) {
	files, err := Files()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range schema.Names() {
		is, err := schema.Text(name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(is), string(files[name])); diff != "" {
			t.Errorf("schema/%s.json is not what go generate ./... makes (-is +makes):\n%s", name, diff)
		}
	}
	if len(files) != len(schema.Names()) {
		t.Errorf("%d schemas for the names %v", len(files), schema.Names())
	}
}

// settings lists the yaml tags of a type, each below those it belongs to.
func settings(shape reflect.Type, above string) []string {
	switch shape.Kind() {
	case reflect.Slice, reflect.Pointer, reflect.Map:
		return settings(shape.Elem(), above)
	case reflect.Struct:
	default:
		return nil
	}
	shape = lifecycle.Written(shape)
	var found []string
	for f := range shape.Fields() {
		if f.Anonymous {
			found = append(found, settings(f.Type, above)...)
			continue
		}
		path := above + f.Tag.Get("yaml")
		if f.Tag.Get("yaml") == "-" || !f.IsExported() {
			continue
		}
		found = append(found, path)
		found = append(found, settings(f.Type, path+".")...)
	}
	return found
}

// properties lists the names under "properties" of a schema in the same way.
func properties(s map[string]any, above string) []string {
	var found []string
	if items, ok := s["items"].(map[string]any); ok {
		found = append(found, properties(items, above)...)
	}
	if values, ok := s["additionalProperties"].(map[string]any); ok {
		found = append(found, properties(values, above)...)
	}
	if either, ok := s["anyOf"].([]any); ok {
		for _, one := range either {
			found = append(found, properties(one.(map[string]any), above)...)
		}
	}
	if below, ok := s["properties"].(map[string]any); ok {
		for name, setting := range below {
			found = append(found, above+name)
			found = append(found, properties(setting.(map[string]any), above+name+".")...)
		}
	}
	return found
}

func TestSchemasHaveEverySettingAndNothingElse(t *testing.T) {
	for name, shape := range map[string]reflect.Type{schema.Lifecycle: lifecycle.Shape(), schema.Config: reflect.TypeFor[policy.Settings]()} {
		text, err := schema.Text(name)
		if err != nil {
			t.Fatal(err)
		}
		var s map[string]any
		if err := json.Unmarshal(text, &s); err != nil {
			t.Fatal(err)
		}
		want, got := settings(shape, ""), properties(s, "")
		slices.Sort(want)
		slices.Sort(got)
		if len(want) < 5 {
			t.Errorf("%s: only %d settings were found", name, len(want))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-settings +schema)\n%s", name, diff)
		}
	}
}

func TestASettingWithoutADescriptionIsAnError(t *testing.T) {
	bare := reflect.TypeFor[struct {
		Mode string `yaml:"mode"`
	}]()
	if _, err := describe(bare, settingsOfFile()); err == nil || !strings.Contains(err.Error(), "nothing describes mode") {
		t.Errorf("error %v", err)
	}
	facets := settingsOfFile()
	delete(facets.More, "limits.*")
	if _, err := describe(reflect.TypeFor[policy.Settings](), facets); err == nil || !strings.Contains(err.Error(), "nothing describes limits.*") {
		t.Errorf("error %v", err)
	}
	bounded := settingsOfFile()
	bounded.More["executors"] = lifecycle.Facet{Pattern: "x"}
	if _, err := describe(reflect.TypeFor[policy.Settings](), bounded); err == nil || !strings.Contains(err.Error(), "no text") {
		t.Errorf("error %v", err)
	}
}

func TestShippedLifecyclesFit(t *testing.T) {
	s := compiled(t, schema.Lifecycle)
	for _, name := range lifecycle.ShippedNames() {
		text, err := lifecycle.ShippedFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := check(t, s, text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if first, _, _ := strings.Cut(string(text), "\n"); first != schema.FirstLine("../../schema/lifecycle.json") {
			t.Errorf("%s begins with %q", name, first)
		}
	}
}

// What Parse takes, the schema takes. What Parse refuses, the schema refuses as well, except what depends on the whole file, or
// at how it is written. What it refuses is listed, so that a bound which the schema lost is found.
func TestWhatParseTakesFitsAndWhatIsPlainlyWrongDoesNot(t *testing.T) {
	s := compiled(t, schema.Lifecycle)
	var refused []string
	taken := 0
	for _, archive := range []string{"broken", "lint"} {
		files, err := txtar.ParseFile(filepath.Join("..", "..", "..", "lifecycle", "testdata", archive+".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files.Files {
			name, isFile := strings.CutSuffix(f.Name, ".yml")
			if !isFile {
				continue
			}
			_, parseErr := statemachine.Parse(f.Name, f.Data)
			err := check(t, s, f.Data)
			switch {
			case parseErr == nil && err != nil:
				t.Errorf("%s is right and does not fit: %v", name, err)
			case parseErr == nil:
				taken++
			case err != nil:
				refused = append(refused, name)
			}
		}
	}
	golden := filepath.Join("testdata", "refused.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(strings.Join(refused, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	listed, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if known := len(strings.Fields(string(listed))); taken < 30 || known < 60 {
		t.Errorf("only %d right files were checked, and only %d wrong ones are listed", taken, known)
	}
	for name := range strings.FieldsSeq(string(listed)) {
		if !slices.Contains(refused, name) {
			t.Errorf("%s fits now, although it is wrong, or it is gone; if that is right, rewrite the list with -update", name)
		}
	}
}

func TestSettingsOfARepository(t *testing.T) {
	s := compiled(t, schema.Config)
	for _, c := range []struct {
		name, text string
		fits       bool
	}{
		{"a lifecycle", "lifecycle: prp\n", true},
		{"executors", "executors:\n  logins:\n    dev-bot[bot]: [developer, reviewer]\n    other[bot]: []\n  widen:\n    - {role: developer, from: in-review, to: ready-for-dev}\n", true},
		{"nothing", "{}\n", true},
		{"a lifecycle that does not ship", "lifecycle: kanban\n", false},
		{"a permission", "commands: {move: write}\n", true},
		{"a word that is no permission", "commands: {move: everybody}\n", false},
		{"a setting of the server", "sweep: {interval: 1m}\n", false},
		{"half a widening", "executors: {widen: [{role: developer, from: in-review}]}\n", false},
		{"a role without a list", "executors: {logins: {dev-bot: developer}}\n", false},
		{"a role that is no slug", "executors: {logins: {dev-bot: [Developer!]}}\n", false},
	} {
		if err := check(t, s, []byte(c.text)); (err == nil) != c.fits {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
