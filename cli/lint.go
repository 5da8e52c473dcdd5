package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bounded"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/statemachine"
)

type lintCommand struct {
	Files []string `arg:"" name:"file" help:"Lifecycle files, settings of a repository (.github/colony.yml), or configurations of a server (config.yml); - is the standard input."`

	Kind      string `enum:"name,lifecycle,repository,server" default:"name" help:"What the files are: lifecycle, repository or server; name: as their names say (default: ${default})."`
	Lifecycle string `placeholder:"NAME|FILE" help:"The lifecycle of your server, for settings of a repository that name none (without it: colony)."`
	Strict    bool   `help:"Treat warnings as errors."`
	Format    string `enum:"text,json,github" default:"text" help:"One of ${enum} (default: ${default})."`
}

func (c lintCommand) Run(k *kong.Kong) error {
	var all []lifecycle.Problem
	for _, path := range c.Files {
		name, text, err := fileText(path)
		if tooLarge, ok := errors.AsType[*bounded.TooLargeError](err); ok { // a server does not take it either
			tooLarge.Name = "the file"
			all = append(all, lifecycle.Problem{File: name, Line: 1, Column: 1, Severity: lifecycle.Error, Message: tooLarge.Error() + doShorten})
			continue
		}
		if err != nil {
			return notRead("read the file", err)
		}
		problems, err := c.problemsIn(path, name, text)
		if err != nil {
			return err
		}
		if namesSecret.Match(text) {
			for i := range problems {
				problems[i].Excerpt = ""
			}
		}
		all = append(all, problems...)
	}
	if err := c.print(k.Stdout, all); err != nil {
		return wrongUsage{fmt.Sprintf("write what lint found: %v", err)}
	}
	for _, p := range all {
		if p.Severity == lifecycle.Error || c.Strict && p.Severity == lifecycle.Warning {
			k.Exit(1)
			break
		}
	}
	return nil
}

// namesSecret matches a file that might hold a secret of a server: no line of it is shown, also where its name says otherwise.
var namesSecret = regexp.MustCompile(`(?i)(secret|token|password|private[_-]key|url)\w*["']?\s*:`)

func (c lintCommand) problemsIn(path, name string, text []byte) ([]lifecycle.Problem, error) {
	switch c.kindOf(path) {
	case kindServer:
		return config.Lint(name, text), nil
	case kindRepository:
		beside, err := c.beside(path)
		if err != nil {
			return nil, err
		}
		return policy.Lint(name, text, beside), nil
	}
	problems, err := problemsOfLifecycle(name, text)
	if err == nil && c.Kind == kindByName {
		problems = append(problems, otherKind(name, text, problems)...)
	}
	return problems, err
}

// otherKind is for a file that was read as a lifecycle because of its name, and is not one. It reports that another reader takes the file.
func otherKind(name string, text []byte, problems []lifecycle.Problem) []lifecycle.Problem {
	if len(problems) == 0 || problems[0].Severity != lifecycle.Error {
		return nil
	}
	var kind string
	switch below, err := statemachine.Shipped(config.Default().Lifecycle); {
	case err == nil && len(policy.Lint(name, text, policy.Beside{Below: below})) == 0:
		kind = kindRepository
	case len(config.Lint(name, text)) == 0:
		kind = kindServer
	default:
		return nil
	}
	return []lifecycle.Problem{{
		File: name, Line: 1, Column: 1, Severity: lifecycle.Information,
		Message: "the file was read as a lifecycle because of its name; --kind " + kind + " reads it as settings of a " + kind,
	}}
}

// The kinds of files, as --kind has them.
const (
	kindByName     = "name"
	kindLifecycle  = "lifecycle"
	kindRepository = "repository"
	kindServer     = "server"
)

// serverFile is what a configuration of a server is called, as the one that comes with Colony is.
const serverFile = "config.yml"

func (c lintCommand) kindOf(path string) string {
	if c.Kind != kindByName {
		return c.Kind
	}
	if whole, err := filepath.Abs(path); err == nil { // in the folder itself, its name is not on the command line
		path = whole
	}
	path = filepath.ToSlash(path)
	switch {
	case strings.HasSuffix(path, "/"+policy.SettingsFile):
		return kindRepository
	case strings.HasSuffix(path, "/"+serverFile):
		return kindServer
	}
	return kindLifecycle
}

// beside returns what a running Colony reads settings against.
func (c lintCommand) beside(path string) (policy.Beside, error) {
	beside := policy.Beside{Assumed: c.Lifecycle == ""}
	var err error
	if beside.Below, _, err = lifecycleOf(cmp.Or(c.Lifecycle, config.Default().Lifecycle)); err != nil {
		return beside, err
	}
	if path == "-" {
		return beside, nil
	}
	own := filepath.Join(filepath.Dir(path), filepath.Base(policy.LifecycleFile))
	_, text, err := fileText(own)
	tooLarge := (*bounded.TooLargeError)(nil)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return beside, nil
	case err != nil && !errors.As(err, &tooLarge):
		return beside, notRead("read the lifecycle beside the settings", err)
	}
	beside.OwnFile = true
	if life, err := statemachine.Parse(filepath.ToSlash(own), text); err == nil { // "colony lint" of that file says what is wrong with it
		beside.Own = life
	}
	return beside, nil
}

func problemsOfLifecycle(name string, text []byte) ([]lifecycle.Problem, error) {
	problems, err := lifecycle.Lint(name, text)
	if wrong, ok := errors.AsType[*lifecycle.FileError](err); ok {
		return wrong.Problems, nil
	}
	if err != nil {
		return nil, fmt.Errorf("lint %s: %w", name, err)
	}
	return problems, nil
}

func (c lintCommand) print(w io.Writer, problems []lifecycle.Problem) error {
	switch c.Format {
	case "json":
		return printPlain(w, append([]lifecycle.Problem{}, problems...))
	case "github":
		for _, p := range problems {
			if _, err := fmt.Fprintln(w, annotation(p)); err != nil {
				return err
			}
		}
		return nil
	}
	for _, p := range problems {
		if _, err := fmt.Fprintln(w, p); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w, c.sum(problems))
	return err
}

// sum is the last line: what was found in all.
func (c lintCommand) sum(problems []lifecycle.Problem) string {
	files := wording.Counted(len(c.Files), "file", "files")
	count := map[lifecycle.Severity]int{}
	for _, p := range problems {
		count[p.Severity]++
	}
	var found []string
	for _, s := range []lifecycle.Severity{lifecycle.Error, lifecycle.Warning, lifecycle.Information} {
		if n := count[s]; n > 0 {
			found = append(found, wording.Counted(n, s.String(), s.String()+"s"))
		}
	}
	if len(found) == 0 {
		return files + ": nothing to complain about"
	}
	return files + ": " + strings.Join(found, ", ")
}

// annotation is a workflow command of GitHub Actions
// (https://docs.github.com/actions/using-workflows/workflow-commands-for-github-actions#setting-an-error-message).
func annotation(p lifecycle.Problem) string {
	command := map[lifecycle.Severity]string{
		lifecycle.Error: "error", lifecycle.Warning: "warning", lifecycle.Information: "notice",
	}[p.Severity]
	return fmt.Sprintf("::%s file=%s,line=%d,col=%d::%s", command, propertyEscapes.Replace(p.File), p.Line, p.Column, messageEscapes.Replace(p.Message))
}

// A runner ends a command at a line end, and takes colons and commas for its own in what comes before the message
// (https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts).
var (
	messageEscapes  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
