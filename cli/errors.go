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

// ExitCode is what kong exits with.
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

// cannotStart is a configuration that Colony does not start with: the process exits with 2.
type cannotStart struct{ err error }

func (c cannotStart) Error() string {
	return "Colony does not start:\n" + withAdvice(c.err)
}

func (c cannotStart) Unwrap() error { return c.err }

// ExitCode is what kong exits with.
func (cannotStart) ExitCode() int { return 2 }

// cannotGoOn is what ended a Colony that had started: the process exits with 1.
type cannotGoOn struct{ err error }

func (c cannotGoOn) Error() string { return "Colony ended:\n" + withAdvice(c.err) }

func (c cannotGoOn) Unwrap() error { return c.err }
