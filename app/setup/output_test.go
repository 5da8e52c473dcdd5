package setup_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/setup"
	"github.com/colony-app/colony/bench/apptest"
	"github.com/colony-app/colony/github/client"
)

func credentials() setup.Credentials {
	return setup.Credentials{
		Server: setup.Server{Web: "https://github.example.com", API: "https://github.example.com/api/v3/"},
		Made: client.Made{
			ID: 4242, Slug: "colony", Name: "Colony", Page: "https://github.example.com/github-apps/colony",
			Key: apptest.PEM(apptest.Key()), WebhookSecret: "it's a $ecret of webhooks",
			URL: "https://colony.example.com", ClientID: "Iv1.0000000000001092", ClientSecret: "client's $ecret",
		},
	}
}

// isLoaded checks that Colony reads the credentials from a configuration and an environment.
func isLoaded(t *testing.T, file string, environment []string) {
	t.Helper()
	c, err := config.Load(file, environment)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Validate(); err != nil {
		t.Error(err)
	}
	want := credentials()
	if c.Board.Enabled || c.Board.URL != want.URL || c.GitHub.OAuth.ClientID != want.ClientID || c.GitHub.OAuth.ClientSecret != want.ClientSecret {
		t.Errorf("of the board Colony reads %+v, %+v", c.Board, c.GitHub.OAuth)
	}
	c.Board.Enabled = true
	if err := c.Validate(); err != nil {
		t.Error(err)
	}
	if c.GitHub.WebURL != want.Web || c.GitHub.V3APIURL != want.API || c.GitHub.App.IntegrationID != want.ID || c.GitHub.App.WebhookSecret != want.WebhookSecret ||
		strings.TrimSpace(c.GitHub.App.PrivateKey) != strings.TrimSpace(want.Key) {
		t.Errorf("Colony reads %s %s %d %s", c.GitHub.WebURL, c.GitHub.V3APIURL, c.GitHub.App.IntegrationID, c.GitHub.App.WebhookSecret)
	}
}

func TestFilesAreLoaded(t *testing.T) {
	t.Parallel()
	folder := setup.Folder{Path: filepath.Join(t.TempDir(), "of", "colony")}
	if err := folder.Check(); err != nil {
		t.Fatal(err)
	}
	if err := folder.Write(credentials()); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder.Path, setup.ConfigFile)
	isLoaded(t, file, nil)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if problems := config.Lint(file, text); len(problems) > 0 {
		t.Error(problems)
	}
	entries, err := os.ReadDir(folder.Path)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 4 {
		t.Errorf("there are %v", entries)
	}
	for _, entry := range entries {
		if info, err := entry.Info(); err != nil || info.Mode() != 0o600 {
			t.Errorf("%s has mode %s: %v", entry.Name(), info.Mode(), err)
		}
	}
}

// A key that is there may be the only copy.
func TestFilesAreNotReplaced(t *testing.T) {
	t.Parallel()
	for _, name := range []string{setup.KeyFile, setup.SecretFile, setup.ClientFile, setup.ConfigFile} {
		folder := setup.Folder{Path: t.TempDir()}
		path := filepath.Join(folder.Path, name)
		elsewhere := filepath.Join(t.TempDir(), "elsewhere")
		if err := os.Symlink(elsewhere, path); err != nil { // which leads nowhere
			t.Fatal(err)
		}
		if err := folder.Check(); err == nil || !strings.Contains(err.Error(), path+" is there already") {
			t.Errorf("%s: %v", name, err)
		}
		if err := folder.Write(credentials()); err == nil {
			t.Errorf("%s was replaced", name)
		}
		if _, err := os.Stat(elsewhere); err == nil {
			t.Errorf("%s was written through", name)
		}
		folder.Replace = true
		if err := folder.Check(); err != nil {
			t.Error(err)
		}
		if err := folder.Write(credentials()); err != nil {
			t.Error(err)
		}
		if info, err := os.Lstat(path); err != nil || info.Mode() != 0o600 {
			t.Errorf("%s has mode %s: %v", name, info.Mode(), err)
		}
		isLoaded(t, filepath.Join(folder.Path, setup.ConfigFile), nil)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := (setup.Folder{Path: file}).Check(); err == nil {
		t.Error("a file is no folder")
	}
}

// inShell runs a script with a folder of programs before all others.
func inShell(t *testing.T, programs, script string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), "sh", "-c", script)
	command.Env = []string{"PATH=" + programs + ":" + os.Getenv("PATH")}
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

func TestEnvironmentIsLoaded(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "colony.env")
	if err := os.WriteFile(file, []byte(credentials().Text(setup.Environment)), 0o600); err != nil {
		t.Fatal(err)
	}
	isLoaded(t, "", strings.Split(inShell(t, "", "set -a; . "+file+"; set +a; env"), "\n"))
}

// The Secret has what the Deployment of deploy/kubernetes.yml takes out of it.
func TestKubernetesSecretIsLoaded(t *testing.T) {
	t.Parallel()
	var secret struct {
		Kind       string
		Metadata   struct{ Name string }
		StringData map[string]string `yaml:"stringData"`
	}
	if err := yaml.Unmarshal([]byte(credentials().Text(setup.Kubernetes)), &secret); err != nil {
		t.Fatal(err)
	}
	if secret.Kind != "Secret" || secret.Metadata.Name != "colony" {
		t.Errorf("it is %+v", secret)
	}
	deployed, err := os.ReadFile("../../deploy/kubernetes.yml")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	var environment []string
	for key, value := range secret.StringData {
		file := filepath.Join(folder, key)
		if err := os.WriteFile(file, []byte(value), 0o600); err != nil {
			t.Fatal(err)
		}
		switch {
		case strings.Contains(string(deployed), "{key: "+key+", path: "+key+"}"):
			variable := "COLONY_GITHUB_APP_" + strings.ToUpper(strings.ReplaceAll(key, "-", "_")) + "_FILE"
			if !strings.Contains(string(deployed), fmt.Sprintf("{name: %s, value: /secrets/%s}", variable, key)) {
				t.Errorf("the Deployment does not read %s", key)
			}
			environment = append(environment, variable+"="+file)
		default:
			from := regexp.MustCompile(`- name: (COLONY_\w+)\n +valueFrom: {secretKeyRef: {name: colony, key: ` + key + `(?:, optional: true)?}}`).FindStringSubmatch(string(deployed))
			if from == nil {
				t.Errorf("the Deployment has no use for %s", key)
				continue
			}
			environment = append(environment, from[1]+"="+value)
		}
	}
	isLoaded(t, "", append(environment, "COLONY_GITHUB_WEB_URL="+credentials().Web, "COLONY_GITHUB_V3_API_URL="+credentials().API))
}

// The script hands both secrets to the unit, and leaves none where others can read it.
func TestSystemdCredentialsAreLoaded(t *testing.T) {
	t.Parallel()
	root, programs := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		// As the real one: encrypt --name=NAME - FILE
		"systemd-creds": "#!/bin/sh\n[ \"$1 $3\" = 'encrypt -' ] && [ \"$2\" = \"--name=${4##*/}\" ] && cat > \"$4\"\n",
		"systemctl":     "#!/bin/sh\n[ \"$*\" = daemon-reload ]\n",
	} {
		if err := os.WriteFile(filepath.Join(programs, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	inShell(t, programs, strings.ReplaceAll(credentials().Text(setup.Systemd), "/etc/", root+"/"))
	unit, err := os.ReadFile(filepath.Join(root, "systemd", "system", "colony.service.d", "github-app.conf"))
	if err != nil {
		t.Fatal(err)
	}
	given := t.TempDir()
	var environment []string
	for line := range strings.Lines(string(unit)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		switch name {
		case "Environment":
			environment = append(environment, strings.ReplaceAll(value, "%d", given))
		case "LoadCredentialEncrypted":
			id, file, _ := strings.Cut(value, ":")
			if info, err := os.Stat(file); err != nil || info.Mode() != 0o600 {
				t.Errorf("%s has mode %s: %v", file, info.Mode(), err)
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(given, id), text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if strings.Contains(string(unit), "PRIVATE KEY-") || strings.Contains(string(unit), credentials().WebhookSecret) {
		t.Error("the unit shows a secret")
	}
	isLoaded(t, "", environment)
}
