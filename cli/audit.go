package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/alecthomas/kong"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/audit"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/commands/wording"
)

type auditCommand struct {
	Config string `placeholder:"FILE" help:"The configuration, such as config.yml. Without it, no file is read."`
	Format string `enum:"text,json" default:"text" help:"One of ${enum} (default: ${default})."`
}

// Help is what "colony audit --help" says beside the flags.
func (auditCommand) Help() string {
	return `Looks at the issues of all repositories in which the App is installed, with the configuration of "colony serve", and lists what a person may want to look at: issues that ended without the reflection that their lifecycle asks for, labels that contradict each other or the log, issues that wait for a person or for too long, those that Colony leaves alone, moves round the table, and issues that were closed before their work came to an end.

It changes nothing. As text, each finding is one line: what it is, the issue, and the rest. As JSON, all of them are one document.

Exits with 0 if nothing is found, with 1 if something is, and with 2 if it cannot look.`
}

// audited is the JSON of an audit.
type audited struct {
	Findings []audit.Finding `json:"findings"`
	audit.Audited
}

// Run prints what is found; as text, as it is found.
func (c auditCommand) Run(ctx context.Context, k *kong.Kong) error {
	config, err := config.Load(c.Config, os.Environ())
	if err != nil {
		return cannotCheck{err}
	}
	result := audited{Findings: []audit.Finding{}}
	result.Audited, err = audit.Run(ctx, config, app.Options{}, func(f audit.Finding) {
		result.Findings = append(result.Findings, f)
		if c.Format == "text" {
			fmt.Fprintln(k.Stdout, f)
		}
	})
	if err != nil {
		return cannotCheck{err}
	}
	if c.Format == "json" {
		out := json.NewEncoder(k.Stdout)
		out.SetIndent("", "  ")
		if err := out.Encode(result); err != nil {
			return fmt.Errorf("print what was found: %w", err)
		}
	} else {
		fmt.Fprintf(k.Stdout, "%s; looked at %s in %s\n", wording.Counted(len(result.Findings), "finding", "findings"),
			wording.Counted(result.Issues, "issue", "issues"), wording.Counted(result.Repositories, "repository", "repositories"))
	}
	if len(result.Findings) > 0 {
		k.Exit(1)
	}
	return nil
}
