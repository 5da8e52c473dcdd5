package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/alecthomas/kong"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/audit"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/inspect"
	"github.com/colony-app/colony/commands/wording"
)

type auditCommand struct {
	Issue  string `arg:"" optional:"" placeholder:"OWNER/NAME#N" help:"One issue: print every move of it. Without it, all issues of all installations are checked."`
	Config string `placeholder:"FILE" help:"The configuration, such as config.yml. Without it, no file is read."`
	Format string `enum:"text,json" default:"text" help:"One of ${enum} (default: ${default})."`
}

type audited struct {
	Findings []audit.Finding `json:"findings"`
	audit.Audited
}

func (c auditCommand) Run(ctx context.Context, k *kong.Kong) error {
	config, err := config.Load(c.Config, os.Environ())
	if err != nil {
		return cannotCheck(err)
	}
	if c.Issue != "" {
		return printIssue(ctx, k, config, c.Issue, c.Format == "json", (*inspect.Issue).WriteSummary, (*inspect.Issue).WriteHistory)
	}
	result := audited{Findings: []audit.Finding{}}
	result.Audited, err = audit.Run(ctx, config, app.Options{Waits: waits(k.Stderr, time.Now)}, func(f audit.Finding) { result.Findings = append(result.Findings, f) })
	slices.SortStableFunc(result.Findings, audit.Older)
	if c.Format == "text" { // what was found before an error holds
		for _, f := range result.Findings {
			fmt.Fprintln(k.Stdout, f)
		}
	}
	if err != nil {
		return cannotCheck(err)
	}
	if c.Format == "json" {
		if err := printDocument(k.Stdout, result); err != nil {
			return wrongUsage{fmt.Sprintf("print what was found: %v", err)}
		}
	} else {
		fmt.Fprintf(k.Stdout, "%s; checked %s in %s\n", wording.Counted(len(result.Findings), "finding", "findings"),
			wording.Counted(result.Issues, "issue", "issues"), wording.Counted(result.Repositories, "repository", "repositories"))
	}
	if len(result.Findings) > 0 {
		k.Exit(1)
	}
	return nil
}

// printIssue prints the issue that was named on the command line, as JSON or in some parts for people.
func printIssue(ctx context.Context, k *kong.Kong, settings config.Config, named string, asJSON bool, parts ...func(*inspect.Issue, io.Writer) error) error {
	owner, name, number, ok := issueOf(named)
	if !ok {
		return wrongUsage{fmt.Sprintf("%q is not an issue: write owner/name#number", named)}
	}
	issue, err := app.InspectIssue(ctx, settings, app.Options{Waits: waits(k.Stderr, time.Now)}, owner, name, number, (*inspect.Inspector).Issue)
	if err != nil {
		return cannotCheck(err)
	}
	if asJSON {
		parts = []func(*inspect.Issue, io.Writer) error{func(issue *inspect.Issue, w io.Writer) error { return printDocument(w, issue) }}
	}
	for _, part := range parts {
		if err := part(issue, k.Stdout); err != nil {
			return wrongUsage{fmt.Sprintf("print the issue: %v", err)}
		}
	}
	return nil
}

// printDocument prints JSON with the characters of HTML escaped.
func printDocument(w io.Writer, what any) error {
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	return out.Encode(what)
}

// printPlain prints JSON without escaping the characters of HTML.
func printPlain(w io.Writer, what any) error {
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	out.SetEscapeHTML(false)
	return out.Encode(what)
}
