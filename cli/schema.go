package cli

import (
	"fmt"

	"github.com/alecthomas/kong"

	"github.com/colony-app/colony/schema"
)

type schemaCommand struct {
	Of string `arg:"" enum:"lifecycle,config" help:"What to print the schema of: lifecycle (.github/colony-lifecycle.yml) or config (.github/colony.yml)."`
}

func (c schemaCommand) Run(k *kong.Kong) error {
	text, err := schema.Text(c.Of)
	if err != nil {
		return fmt.Errorf("print a schema: %w", err)
	}
	if _, err := k.Stdout.Write(text); err != nil {
		return fmt.Errorf("print the schema of %s: %w", c.Of, err)
	}
	return nil
}
