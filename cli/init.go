package cli

import (
	"errors"
	"fmt"

	"github.com/alecthomas/kong"

	"github.com/colony-app/colony/app/setup"
)

type initCommand struct {
	Output string `placeholder:"FILE" default:".github/colony.yml" help:"The file to write (default: ${default})."`
	Force  bool   `help:"Replace a file that is there."`
}

func (c initCommand) Run(k *kong.Kong) error {
	err := setup.WriteStarter(c.Output, c.Force)
	if field, ok := errors.AsType[setup.FieldError](err); ok {
		return wrongUsage{field.Error()}
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(k.Stdout, `%s holds the settings of this repository for the lifecycle colony.

  1. Read it: it names what you may want otherwise, such as which issues are taken in.
  2. Commit it to the default branch, where the App is installed. Colony then makes its labels.
  3. Open an issue, and watch it go from colony:new to colony:analyzing.
`, c.Output)
	if err != nil {
		return fmt.Errorf("say what to do next: %w", err)
	}
	return nil
}
