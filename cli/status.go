package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"time"

	"github.com/alecthomas/kong"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/audit"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/inspect"
	"github.com/colony-app/colony/github/client"
)

type statusCommand struct {
	Of     string        `arg:"" optional:"" placeholder:"OWNER[/NAME[#N]]" help:"An owner, a repository or an issue; without it, all installations."`
	Config string        `placeholder:"FILE" help:"The configuration, such as config.yml. Without it, no file is read."`
	JSON   bool          `name:"json" xor:"form" help:"Print one document of JSON."`
	CSV    bool          `name:"csv" xor:"form" help:"Print a table of comma-separated values."`
	Watch  time.Duration `placeholder:"INTERVAL" help:"Print it again and again, at this interval, at least 1m."`
}

// leastWatch keeps a watching terminal from using up what GitHub allows.
const leastWatch = time.Minute

// ownerOrRepository is how an owner, or one of its repositories, is named.
var ownerOrRepository = regexp.MustCompile(`^([A-Za-z0-9][A-Za-z0-9-]*)(?:/([A-Za-z0-9._-]+))?$`)

func (c statusCommand) Run(ctx context.Context, k *kong.Kong) error {
	settings, err := config.Load(c.Config, os.Environ())
	if err != nil {
		return cannotCheck(err)
	}
	if c.Watch != 0 && c.Watch < leastWatch {
		return wrongUsage{fmt.Sprintf("--watch %s is less than %s: every look asks GitHub", c.Watch, leastWatch)}
	}
	if c.CSV && issueName.MatchString(c.Of) {
		return wrongUsage{"--csv is for lists: name an owner or a repository"}
	}
	for {
		if err := c.print(ctx, k, settings); err != nil || c.Watch == 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(c.Watch):
			fmt.Fprintln(k.Stdout)
		}
	}
}

func (c statusCommand) print(ctx context.Context, k *kong.Kong, settings config.Config) error {
	if issueName.MatchString(c.Of) {
		return printIssue(ctx, k, settings, c.Of, c.JSON, (*inspect.Issue).WriteSummary)
	}
	scope, err := c.scope()
	if err != nil {
		return err
	}
	status, err := audit.ReadStatus(ctx, settings, app.Options{Waits: waits(k.Stderr, time.Now)}, scope)
	if err != nil && !errors.Is(err, client.ErrNotInstalled) {
		return cannotCheck(err)
	}
	if c.Of != "" && status.Audited.Repositories == 0 && len(status.Unread) == 0 {
		return cannotCheck(fmt.Errorf("the App is not installed on %s, or there is no such thing", c.Of))
	}
	switch {
	case c.JSON:
		err = printDocument(k.Stdout, status)
	case c.CSV:
		err = status.WriteCSV(k.Stdout)
	default:
		err = status.WriteText(k.Stdout)
	}
	if err != nil {
		return wrongUsage{fmt.Sprintf("print the status: %v", err)}
	}
	if len(status.Unread) > 0 && c.Watch == 0 {
		k.Exit(1)
	}
	return nil
}

// scope is what the command is about, unless that is an issue; all if it names nothing.
func (c statusCommand) scope() (app.Scope, error) {
	if c.Of == "" {
		return app.Scope{}, nil
	}
	parts := ownerOrRepository.FindStringSubmatch(c.Of)
	if len(parts) == 0 {
		return app.Scope{}, wrongUsage{fmt.Sprintf("%q is neither an owner, a repository (owner/name) nor an issue (owner/name#number)", c.Of)}
	}
	return app.Scope{Owner: parts[1], Name: parts[2]}, nil
}
