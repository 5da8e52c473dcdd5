// Package cli is the command line: a file for each subcommand.
package cli

import (
	"context"
	"os"

	"github.com/alecthomas/kong"
)

// commandLine is the root of the command line: each subcommand is one field, with a Run method in a file of its own. Run can ask for a
// context.Context, which ends with SIGINT or SIGTERM, and for the *kong.Kong, whose Stdout, Stderr and Exit it uses.
type commandLine struct {
	Setup      setupCommand        `cmd:"" help:"Create Colony's App on GitHub, and fetch its credentials."`
	Init       initCommand         `cmd:"" help:"Write a .github/colony.yml that runs the lifecycle colony whole."`
	Serve      serveCommand        `cmd:"" help:"Run Colony: receive GitHub's webhooks and keep its issues in order."`
	Doctor     doctorCommand       `cmd:"" help:"Check the App, its webhooks and its installations, and say what to do."`
	Audit      auditCommand        `cmd:"" help:"List the issues that may need a person."`
	Status     statusCommand       `cmd:"" help:"Say how many issues are in each state, and which wait for a person."`
	Simulate   simulateCommand     `cmd:"" help:"Say what Colony would have done in the last weeks, in repositories that it does not keep yet or with another lifecycle."`
	Labels     labelsCommand       `cmd:"" help:"List, create and prune the labels of Colony's lifecycles."`
	Uninstall  uninstallCommand    `cmd:"" help:"Delete all of Colony's labels in repositories that it leaves."`
	Demo       demoCommand         `cmd:"" help:"Try Colony here and now, on an embedded GitHub."`
	Playground playgroundCommand   `cmd:"" help:"Run the embedded GitHub without Colony, for one that runs elsewhere."`
	Bench      benchCommand        `cmd:"" help:"Measure Colony on this machine, beside a minimal handler and the least that any receiver of webhooks costs."`
	Subject    benchSubjectCommand `cmd:"" name:"bench-subject" hidden:""`
	Lifecycle  lifecycleCommand    `cmd:"" help:"Print a lifecycle: its states, and every legal move with its reason."`
	Check      checkCommand        `cmd:"" help:"Say whether a move is legal, why, and what is legal next."`
	Lint       lintCommand         `cmd:"" help:"Say what is wrong or doubtful in lifecycle files, settings of repositories and config.yml."`
	Schema     schemaCommand       `cmd:"" help:"Print a JSON Schema of the files that repositories bring, for editors."`
	Version    versionCommand      `cmd:"" help:"Print the version of this program."`

	PrintVersion kong.VersionFlag `name:"version" help:"Print the version of this program."`
}

const description = `Colony keeps GitHub issues moving through a state machine, and stores each issue's state in its colony:* label.

People and bots move an issue by editing its label or by writing a slash command in a comment. Colony finishes the legal moves, undoes and explains the others, and asks for a person when it needs one.

Each subcommand says with --help which exit status means what: 0 is success, 2 a wrong command line or configuration, and 1 any other failure, or the answer "no".`

// Main runs the subcommand that the arguments of the process name. A failure ends the process, with the exit code that errors.go has
// for it.
func Main() {
	ctx, stop := untilSignal(context.Background(), os.Stderr, os.Exit)
	defer stop()

	parser := newParser(
		kong.Description(description),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100, NoExpandSubcommands: true}),
		kong.BindTo(ctx, (*context.Context)(nil)),
	)
	command, err := parser.Parse(os.Args[1:])
	if err != nil {
		err = usageError(err)
	} else {
		err = command.Run()
	}
	parser.FatalIfErrorf(err)
}
