package setup

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/template"

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

//go:embed templates/credentials.tmpl
var credentialsText string

// forms has the credentials in each format; as files, it has the configuration that names them.
var forms = template.Must(template.New("").Funcs(template.FuncMap{
	"public": func() string { return Public },
	"path":   func(folder, file string) string { return filepath.Join(folder, file) },
	"ends":   func(text, with string) string { return strings.ReplaceAll(strings.TrimSpace(text), "\n", with) },
	"quoted": quoted,
	"yaml": func(text string) (string, error) {
		scalar, err := yaml.Marshal(text)
		return strings.TrimSpace(string(scalar)), err
	},
}).Parse(credentialsText))

// Text is the credentials in a format that is printed.
func (c Credentials) Text(f Format) string { return c.in(f, "") }

func (c Credentials) in(f Format, folder string) string {
	var text strings.Builder
	if err := forms.ExecuteTemplate(&text, string(f), struct {
		Credentials
		Folder string
	}{c, folder}); err != nil {
		panic(err) // a test prints each format
	}
	return text.String()
}

func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

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
	for _, file := range []struct{ name, text string }{
		{KeyFile, strings.TrimSpace(c.Key) + "\n"}, {SecretFile, c.WebhookSecret + "\n"}, {ClientFile, c.ClientSecret + "\n"}, {ConfigFile, c.in(Files, folder)},
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
