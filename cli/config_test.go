package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.yaml.in/yaml/v3"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/apptest"
)

// settings lists the settings of a configuration by their path in the file, and what stands there.
func settings(prefix string, v reflect.Value, found map[string]any) map[string]any {
	for i := range v.NumField() {
		name := v.Type().Field(i).Tag.Get("yaml")
		if name == "-" { // no file sets it
			continue
		}
		path := prefix + name
		if v.Field(i).Kind() == reflect.Struct {
			settings(path+".", v.Field(i), found)
			continue
		}
		found[path] = v.Field(i).Interface()
	}
	return found
}

func settingsOf(c config.Config) map[string]any {
	return settings("", reflect.ValueOf(c), map[string]any{})
}

// documented is one setting in config.yml with the comment above it.
type documented struct{ comment, value string }

var settingLine = regexp.MustCompile(`^( *)([a-z0-9_]+):(.*)$`)

func documentation(t *testing.T) map[string]documented {
	t.Helper()
	text, err := os.ReadFile("../config.yml")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]documented{}
	var above []string
	comment := ""
	for line := range strings.SplitSeq(string(text), "\n") {
		if words, ok := strings.CutPrefix(strings.TrimSpace(line), "#"); ok {
			comment += strings.TrimPrefix(words, " ") + "\n"
			continue
		}
		if m := settingLine.FindStringSubmatch(line); m != nil {
			above = append(above[:len(m[1])/2], m[2])
			found[strings.Join(above, ".")] = documented{comment, strings.TrimSpace(m[3])}
		}
		comment = ""
	}
	return found
}

func TestTheConfigurationFileHoldsTheDefaults(t *testing.T) {
	got, err := config.Load("../config.yml", nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(config.Default(), got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("config.yml says otherwise than the defaults (-default +file):\n%s", diff)
	}
}

func TestTheConfigurationFileExplainsEverySetting(t *testing.T) {
	docs := documentation(t)
	for path := range settingsOf(config.Default()) {
		doc, ok := docs[path]
		if !ok {
			t.Errorf("config.yml lacks %s", path)
			continue
		}
		if len(strings.Fields(doc.comment)) < 5 || doc.value == "" {
			t.Errorf("config.yml does not explain %s, or gives it no value", path)
		}
	}
}

// Each variable is set alone, and what it changes is the setting that has to name it.
func TestTheConfigurationFileNamesEveryVariable(t *testing.T) {
	docs := documentation(t)
	file := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(file, []byte("7\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	inFile := config.Default()
	before := settingsOf(inFile)
	for _, name := range config.EnvironmentVariables() {
		value := "1" // a word, a number, and true
		if strings.HasSuffix(name, "_FILE") {
			value = file
		}
		config, err := config.Load("", []string{name + "=" + value})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var changed []string
		for path, now := range settingsOf(config) {
			if !reflect.DeepEqual(now, before[path]) {
				changed = append(changed, path)
			}
		}
		slices.Sort(changed)
		if len(changed) == 0 {
			t.Errorf("%s changes nothing", name)
		}
		// The file of a secret sets the secret too.
		if !slices.ContainsFunc(changed, func(path string) bool {
			return strings.HasSuffix(docs[path].comment, "Environment: "+name+"\n")
		}) {
			t.Errorf("%s changes %v, where config.yml does not name it", name, changed)
		}
	}
	named := regexp.MustCompile(`Environment: (\S+)`)
	for path, doc := range docs {
		if m := named.FindStringSubmatch(doc.comment); len(m) == 2 && !slices.Contains(config.EnvironmentVariables(), m[1]) {
			t.Errorf("%s names the variable %s, which does not exist", path, m[1])
		}
	}
}

// newKey is a private key in PEM form, one for all tests.
func newKey() []byte { return []byte(apptest.PEM(apptest.Key())) }

// exampleLine is a line of an example in config.yml.
var exampleLine = regexp.MustCompile(`(?m)^( +)# {5}(.*)$`)

func TestTheExamplesOfTheConfigurationFileAreAccepted(t *testing.T) {
	text, err := os.ReadFile("../config.yml")
	if err != nil {
		t.Fatal(err)
	}
	// An example stands above the setting whose value it is: it takes the place of the empty one.
	var file bytes.Buffer
	var example []string
	count := 0
	for line := range strings.SplitSeq(string(text), "\n") {
		if m := exampleLine.FindStringSubmatch(line); m != nil {
			example = append(example, m[1]+"  "+m[2])
			continue
		}
		if m := settingLine.FindStringSubmatch(line); m != nil && len(example) > 0 {
			line = m[1] + m[2] + ":\n" + strings.Join(example, "\n")
			example, count = nil, count+1
		}
		file.WriteString(line + "\n")
	}
	if count != 5 {
		t.Errorf("%d settings have an example", count)
	}
	config := config.Default()
	decoder := yaml.NewDecoder(&file)
	decoder.KnownFields(true)
	if err := decoder.Decode(&config); err != nil {
		t.Fatal(err)
	}
	config.GitHub.App.IntegrationID = 7
	config.GitHub.App.WebhookSecret = "s3cret-of-the-webhooks"
	config.GitHub.App.PrivateKey = string(newKey())
	if err := config.Validate(); err != nil {
		t.Error(err)
	}
	if len(config.Executors.Logins) != 2 || len(config.Executors.Widen) != 1 || len(config.Identities.Former) != 1 || len(config.Notify.Webhooks) != 1 {
		t.Errorf("the examples were not read: %+v", config)
	}
}

func TestASecretOfTheEnvironmentOverridesTheFile(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	file := write("../config.yml", "github: {app: {webhook_secret: of the file}}")
	secret := write("secret", "of the file that the environment names\n")
	for _, c := range []struct {
		name        string
		environment []string
		want        string
	}{
		{"nothing in the environment", nil, "of the file"},
		{"a file", []string{"COLONY_GITHUB_APP_WEBHOOK_SECRET_FILE=" + secret}, "of the file that the environment names"},
		{"the secret", []string{"COLONY_GITHUB_APP_WEBHOOK_SECRET=of the environment"}, "of the environment"},
		{"both", []string{"COLONY_GITHUB_APP_WEBHOOK_SECRET=of the environment", "COLONY_GITHUB_APP_WEBHOOK_SECRET_FILE=" + secret}, "of the environment"},
	} {
		t.Run(c.name, func(t *testing.T) {
			config, err := config.Load(file, c.environment)
			if err != nil || config.GitHub.App.WebhookSecret != c.want {
				t.Errorf("%q, %v", config.GitHub.App.WebhookSecret, err)
			}
		})
	}
}
