package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/colony-app/colony/app/setup"
	"github.com/colony-app/colony/playground/command"
)

type setupCommand struct {
	GitHub       string   `name:"github" placeholder:"URL" default:"https://github.com" help:"The address of GitHub for browsers; yours, for a GitHub Enterprise Server (default: ${default})."`
	Organization string   `placeholder:"NAME" help:"The organization that will own the App. Without it, your own account."`
	Name         string   `placeholder:"NAME" help:"The name of the App, which no other App has: 34 characters at most. Without it, colony-ORGANIZATION."`
	WebhookURL   string   `placeholder:"URL" help:"The address at which GitHub reaches Colony, such as https://colony.example.com."`
	Public       bool     `help:"Let other accounts install the App, too."`
	Teams        bool     `help:"Ask for Members: read as well, for lifecycles whose guards name teams."`
	LeaveOut     []string `sep:"none" placeholder:"EVENT" help:"An event that an older GitHub Enterprise Server does not have: issue_dependencies or sub_issues; may be repeated."`

	Format setup.Format `enum:"files,env,kubernetes,systemd" default:"files" placeholder:"FORMAT" help:"What to make of the credentials: files, or print env, kubernetes or systemd (default: ${default})."`
	Output string       `placeholder:"DIR" default:"colony-app" help:"The folder for the files (default: ${default})."`
	Force  bool         `help:"Replace files that are there."`

	Address   string `placeholder:"HOST:PORT" default:"127.0.0.1:0" help:"Where the page is, on this machine only (default: ${default}, a free port)."`
	NoBrowser bool   `help:"Print a page and the steps, for a browser on another machine."`
	Code      string `placeholder:"CODE" help:"The last of those steps: the code, or the address with the code to which GitHub led the browser; - reads it from standard input."`
}

func (c setupCommand) Run(ctx context.Context, k *kong.Kong) error {
	switch {
	case c.NoBrowser && c.Code != "":
		return wrongUsage{"--no-browser and --code are two steps: take one after the other"}
	case c.NoBrowser:
		return c.printSteps(k)
	case c.Code != "":
		return c.takeCode(ctx, k)
	}
	return c.serve(ctx, k)
}

// check says, before there is an App or a code is used up, that the files cannot be written.
func (c setupCommand) check() error {
	if c.Format != setup.Files {
		return nil
	}
	if err := (setup.Folder{Path: c.Output, Replace: c.Force}).Check(); err != nil {
		return wrongUsage{err.Error()}
	}
	return nil
}

func (c setupCommand) request() setup.Request {
	name := c.Name
	if name == "" && c.Organization != "" {
		name = "colony-" + c.Organization
	}
	return setup.Request{
		GitHub: c.GitHub, Organization: c.Organization, Name: name, WebhookURL: c.WebhookURL, Public: c.Public, LeaveOut: c.LeaveOut, Teams: c.Teams,
	}
}

// serve has a person create the App in a browser on this machine.
func (c setupCommand) serve(ctx context.Context, k *kong.Kong) error {
	if _, err := setup.ServerAt(c.GitHub); err != nil {
		return wrongUsage{err.Error()}
	}
	if !command.IsLoopback(c.Address) {
		return wrongUsage{fmt.Sprintf("--address: %s is not on this machine only: take a loopback address, such as 127.0.0.1:7800", c.Address)}
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.Address)
	if err != nil {
		return wrongUsage{withAdvice(fmt.Errorf("--address: %w", err))}
	}
	if err := c.check(); err != nil {
		return errors.Join(err, listener.Close())
	}
	fmt.Fprintf(k.Stderr, "Open this address in a browser on this machine, within an hour:\n\n  http://%s/\n\nCtrl-C ends it.\n", listener.Addr())
	session := &setup.Session{Request: c.request(), Keep: func(made setup.Credentials) (string, []setup.Step, error) { return c.keep(k, made) }}
	err = session.Run(ctx, listener)
	if errors.Is(err, context.Canceled) {
		return errors.New("no App was created -> run colony setup again when you want one")
	}
	return err
}

// printSteps prints what to do with a browser elsewhere: the page on standard output, and the words that go with it.
func (c setupCommand) printSteps(k *kong.Kong) error {
	wanted, err := c.request().Complete()
	if err != nil {
		return wrongUsage{err.Error()}
	}
	again := []string{"colony setup --code -"}
	for _, flag := range []struct{ name, value, usual string }{
		{"--github", wanted.GitHub, setup.Public}, {"--format", string(c.Format), string(setup.Files)}, {"--output", c.Output, "colony-app"},
	} {
		if flag.value != flag.usual {
			again = append(again, flag.name, flag.value)
		}
	}
	fmt.Fprintf(k.Stderr, `  1. Save the page of the standard output as create-app.html, on a machine whose browser is signed in to %s, and open it there.
  2. Press its button; it leads to %s. Confirm the name on GitHub.
  3. GitHub leads the browser to %s?code=…, where nothing answers. Copy that address.
  4. Within an hour, run this here, and paste the address:
       %s

`, wanted.GitHub, wanted.Action(""), setup.Elsewhere, strings.Join(again, " "))
	return setup.WriteForm(k.Stdout, wanted)
}

// takeCode fetches the credentials for a code that a person brings. No state goes with it: no one but that person can have brought it.
func (c setupCommand) takeCode(ctx context.Context, k *kong.Kong) error {
	server, err := setup.ServerAt(c.GitHub)
	if err != nil {
		return wrongUsage{err.Error()}
	}
	text := c.Code
	if text == "-" {
		fmt.Fprint(k.Stderr, "The address to which GitHub led the browser: ")
		line := bufio.NewScanner(os.Stdin)
		line.Scan()
		text = line.Text()
		fmt.Fprintln(k.Stderr)
		if errors.Is(line.Err(), bufio.ErrTooLong) {
			return wrongUsage{fmt.Sprintf("--code: the line has more than %d bytes -> paste the address from the browser", bufio.MaxScanTokenSize)}
		}
	}
	code, err := setup.CodeOf(text)
	if err != nil {
		return wrongUsage{fmt.Sprintf("--code: %v", err)}
	}
	if err := c.check(); err != nil {
		return err
	}
	made, err := setup.Convert(ctx, server, code)
	if err != nil {
		return err
	}
	_, _, err = c.keep(k, made)
	return err
}

// keep writes or prints the credentials and what to do next. GitHub does not show them again: credentials that cannot be written are printed, and
// credentials that cannot be printed are written.
func (c setupCommand) keep(k *kong.Kong, made setup.Credentials) (says string, next []setup.Step, err error) {
	format, folder := c.Format, c.Output
	fmt.Fprintf(k.Stderr, "GitHub created the App %s, with the id %d.\n", made.Name, made.ID)
	if format == setup.Files {
		if err = (setup.Folder{Path: c.Output, Replace: c.Force}).Write(made); err != nil {
			format = setup.Environment
			fmt.Fprintf(k.Stderr, "\nIts credentials could not be written: %v\nSave them now, GitHub does not show them again:\n\n", err)
		}
	}
	if format != setup.Files {
		signal.Ignore(syscall.SIGPIPE) // what was to read the output might be gone
		says = "Its credentials are in the terminal, or wherever you sent the output of colony setup."
		if _, failed := io.WriteString(k.Stdout, made.Text(format)); failed != nil {
			var written error
			if folder, written = rescue(made); written == nil {
				format = setup.Files
			}
			err = errors.Join(err, failed, written)
		}
	}
	if format == setup.Files {
		says = fmt.Sprintf("Its credentials are in the folder %s, in files that only you can read.", folder)
		fmt.Fprintf(k.Stderr, "%s Keep them out of version control.\n", says)
	}
	next = setup.Steps(made, format, folder)
	fmt.Fprint(k.Stderr, "\nWhat to do next:\n\n")
	setup.WriteSteps(k.Stderr, next)
	if err != nil {
		err = fmt.Errorf("the App %s exists, but its credentials are not where you wanted them: %w -> save them now, or make others in its settings on GitHub, %s", made.Name, err, made.Page)
	}
	return says, next, err
}

// rescue writes credentials to a new folder.
func rescue(made setup.Credentials) (string, error) {
	folder, err := os.MkdirTemp("", "colony-app-") // with mode 700
	if err == nil {
		err = setup.Folder{Path: folder}.Write(made)
	}
	return folder, err
}
