package cli

import (
	"errors"
	"fmt"

	"github.com/alecthomas/kong"
)

// A failure's exit status is that of its type; any other error is a 1. See exitStatuses.

// wrongUsage is a command line that cannot be understood: the process exits with 2.
type wrongUsage struct{ message string }

func (w wrongUsage) Error() string { return w.message }

func (wrongUsage) ExitCode() int { return 2 }

// usageError makes kong's complaint about a command line one that says where to read on.
func usageError(err error) error {
	program := "colony"
	var parse *kong.ParseError
	if errors.As(err, &parse) && parse.Context.Selected() != nil {
		program = parse.Context.Selected().FullPath()
	}
	return wrongUsage{fmt.Sprintf("%v\nRun \"%s --help\" to see what it takes.", err, program)}
}

// trouble is an error that is printed with what to do about it.
type trouble struct {
	begins string
	err    error
	status int
}

func (t trouble) Error() string { return t.begins + withAdvice(t.err) }

func (t trouble) Unwrap() error { return t.err }

func (t trouble) ExitCode() int { return t.status }

// cannotCheck is what keeps a subcommand that reads from its answer.
func cannotCheck(err error) error { return trouble{"", err, 2} }

// cannotStart is a configuration that Colony does not start with.
func cannotStart(err error) error { return trouble{"Colony does not start:\n", err, 2} }

// cannotGoOn is what ended a Colony that had started.
func cannotGoOn(err error) error { return trouble{"Colony ended:\n", err, 1} }
