package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Format is how the credentials are kept.
type Format string

// The formats. All but files are printed.
const (
	Files       Format = "files"
	Environment Format = "env"
	Kubernetes  Format = "kubernetes"
	Systemd     Format = "systemd"
)

// The files of a folder with credentials.
const (
	KeyFile    = "private-key.pem"
	SecretFile = "webhook-secret"
	ClientFile = "client-secret"
	ConfigFile = "config.yml"
)

// Text is the credentials in a format that is printed.
func (c Credentials) Text(f Format) string {
	switch f {
	case Kubernetes:
		return c.kubernetes()
	case Systemd:
		return c.systemd()
	default:
		return c.environment()
	}
}

// addresses are the variables that a GitHub other than github.com needs.
func (c Credentials) addresses() [][2]string {
	if c.Web == Public {
		return nil
	}
	return [][2]string{{"COLONY_GITHUB_WEB_URL", c.Web}, {"COLONY_GITHUB_V3_API_URL", c.API}}
}

// environment is read alike by a shell, by Compose (env_file) and by systemd (EnvironmentFile). The key is one line: Colony reads \n in it
// as the end of a line.
func (c Credentials) environment() string {
	key := strings.ReplaceAll(strings.TrimSpace(c.Key), "\n", `\n`)
	var text strings.Builder
	for _, v := range append(c.addresses(),
		[2]string{"COLONY_GITHUB_APP_INTEGRATION_ID", fmt.Sprint(c.ID)},
		[2]string{"COLONY_GITHUB_APP_WEBHOOK_SECRET", c.WebhookSecret},
		[2]string{"COLONY_GITHUB_APP_PRIVATE_KEY", key},
		[2]string{"COLONY_GITHUB_OAUTH_CLIENT_ID", c.ClientID},
		[2]string{"COLONY_GITHUB_OAUTH_CLIENT_SECRET", c.ClientSecret},
		[2]string{"COLONY_BOARD_URL", c.URL},
	) {
		fmt.Fprintf(&text, "%s=%s\n", v[0], quoted(v[1]))
	}
	return text.String()
}

// quoted is a word that a shell takes as it is.
func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// kubernetes is the Secret that deploy/kubernetes.yml names.
func (c Credentials) kubernetes() string {
	return "apiVersion: v1\nkind: Secret\nmetadata:\n  name: colony\n  labels: {app.kubernetes.io/name: colony, app.kubernetes.io/part-of: colony}\n" +
		"type: Opaque\nstringData:\n" +
		fmt.Sprintf("  app-id: %q\n", fmt.Sprint(c.ID)) +
		fmt.Sprintf("  webhook-secret: %q\n", c.WebhookSecret) +
		fmt.Sprintf("  client-id: %q\n", c.ClientID) +
		fmt.Sprintf("  client-secret: %q\n", c.ClientSecret) +
		fmt.Sprintf("  board-url: %q\n", c.URL) +
		"  private-key: |\n    " + strings.ReplaceAll(strings.TrimSpace(c.Key), "\n", "\n    ") + "\n"
}

// systemd is a script that encrypts the secrets for this machine, and gives them to the unit colony.service:
// https://systemd.io/CREDENTIALS/. The specifier %d is the folder of the unit's credentials.
func (c Credentials) systemd() string {
	const store, unit = "/etc/credstore.encrypted", "/etc/systemd/system/colony.service.d"
	var text, dropIn strings.Builder
	text.WriteString("# Run this as root, with systemd 250 or newer.\nset -eu\numask 077\nmkdir -p " + store + "\n")
	dropIn.WriteString("[Service]\n")
	for _, secret := range []struct{ name, value, variable string }{
		{"colony.private-key", strings.TrimSpace(c.Key), "COLONY_GITHUB_APP_PRIVATE_KEY_FILE"},
		{"colony.webhook-secret", c.WebhookSecret, "COLONY_GITHUB_APP_WEBHOOK_SECRET_FILE"},
		{"colony.client-secret", c.ClientSecret, "COLONY_GITHUB_OAUTH_CLIENT_SECRET_FILE"},
	} {
		fmt.Fprintf(&text, "systemd-creds encrypt --name=%s - %s/%[1]s <<'END'\n%[3]s\nEND\n", secret.name, store, secret.value)
		fmt.Fprintf(&dropIn, "LoadCredentialEncrypted=%s:%s/%[1]s\nEnvironment=%[3]s=%%d/%[1]s\n", secret.name, store, secret.variable)
	}
	for _, v := range append(c.addresses(), [2]string{"COLONY_GITHUB_APP_INTEGRATION_ID", fmt.Sprint(c.ID)},
		[2]string{"COLONY_GITHUB_OAUTH_CLIENT_ID", c.ClientID}, [2]string{"COLONY_BOARD_URL", c.URL},
	) {
		fmt.Fprintf(&dropIn, "Environment=%s=%s\n", v[0], v[1])
	}
	fmt.Fprintf(&text, "umask 022\nmkdir -p %s\ncat > %[1]s/github-app.conf <<'END'\n%[2]sEND\nsystemctl daemon-reload\n", unit, dropIn.String())
	return text.String()
}

// config is a configuration that names the files of a folder.
func (c Credentials) config(folder string) (string, error) {
	type app struct {
		ID     int64  `yaml:"integration_id"`
		Secret string `yaml:"webhook_secret_file"`
		Key    string `yaml:"private_key_file"`
	}
	type oauth struct {
		ID     string `yaml:"client_id"`
		Secret string `yaml:"client_secret_file"`
	}
	type github struct {
		Web   string `yaml:"web_url"`
		API   string `yaml:"v3_api_url"`
		App   app    `yaml:"app"`
		OAuth oauth  `yaml:"oauth"`
	}
	type board struct {
		Enabled bool   `yaml:"enabled"`
		URL     string `yaml:"url"`
	}
	var text bytes.Buffer
	encoder := yaml.NewEncoder(&text)
	encoder.SetIndent(2)
	err := encoder.Encode(struct {
		Board  board  `yaml:"board"`
		GitHub github `yaml:"github"`
	}{
		board{URL: c.URL},
		github{c.Web, c.API, app{c.ID, filepath.Join(folder, SecretFile), filepath.Join(folder, KeyFile)}, oauth{c.ClientID, filepath.Join(folder, ClientFile)}},
	})
	if err != nil {
		return "", fmt.Errorf("write the configuration: %w", err)
	}
	return "# The configuration of Colony, for the App " + c.Slug + ". All other settings have their defaults: Colony's own config.yml explains each.\n" +
		"# Correct the paths when you move the files. Set board.enabled to true for the board.\n\n" + text.String(), nil
}

// Folder is where files with credentials go.
type Folder struct {
	Path    string
	Replace bool // files that are there
}

// Check says, before an App is created, why its credentials could not be written.
func (f Folder) Check() error {
	if err := os.MkdirAll(f.Path, 0o700); err != nil {
		return FieldError{"output", fmt.Sprintf("%v -> name a folder that you can write to", err)}
	}
	for _, name := range []string{KeyFile, SecretFile, ClientFile, ConfigFile} {
		if _, err := os.Lstat(filepath.Join(f.Path, name)); !f.Replace && !errors.Is(err, fs.ErrNotExist) {
			return FieldError{"output", fmt.Sprintf("%s is there already, perhaps with the only copy of a key -> name another folder, or replace the files with --force", filepath.Join(f.Path, name))}
		}
	}
	trial, err := os.CreateTemp(f.Path, ".colony-setup-*")
	if err != nil {
		return FieldError{"output", fmt.Sprintf("%v -> name a folder that you can write to", err)}
	}
	return errors.Join(trial.Close(), os.Remove(trial.Name()))
}

// Write writes the files, which only their owner can read.
func (f Folder) Write(c Credentials) error {
	folder, err := filepath.Abs(f.Path)
	if err != nil {
		return fmt.Errorf("find the folder: %w", err)
	}
	config, err := c.config(folder)
	if err != nil {
		return err
	}
	for _, file := range []struct{ name, text string }{
		{KeyFile, strings.TrimSpace(c.Key) + "\n"}, {SecretFile, c.WebhookSecret + "\n"}, {ClientFile, c.ClientSecret + "\n"}, {ConfigFile, config},
	} {
		if err := f.write(filepath.Join(folder, file.name), file.text); err != nil {
			return fmt.Errorf("write %s: %w", file.name, err)
		}
	}
	return nil
}

// write makes a file that no one can have opened before, or replaces one whole. The file reaches the disk before anyone learns that it is there.
func (f Folder) write(path, text string) (err error) {
	var file *os.File
	if f.Replace {
		file, err = os.CreateTemp(filepath.Dir(path), ".colony-setup-*") // with mode 600
	} else {
		file, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	}
	if err != nil {
		return err //nolint:wrapcheck // names the file
	}
	_, err = file.WriteString(text)
	err = errors.Join(err, file.Sync(), file.Close())
	if err == nil && f.Replace {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}
