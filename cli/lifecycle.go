package cli

import (
	"bytes"
	"encoding/csv"
	"io"

	"github.com/alecthomas/kong"

	"github.com/colony-app/colony/schema"
	"github.com/colony-app/colony/statemachine"
)

type lifecycleCommand struct {
	Name   string `arg:"" optional:"" default:"colony" placeholder:"NAME|FILE" help:"The lifecycle to print: the name of one that comes with Colony, a file, or - for the standard input (default: ${default})."`
	Format string `enum:"table,csv,json,mermaid,yaml" default:"table" help:"One of ${enum} (default: ${default})."`
}

func (c lifecycleCommand) Run(k *kong.Kong) error {
	life, text, err := lifecycleOf(c.Name)
	if err != nil {
		return err
	}
	switch c.Format {
	case "csv":
		return printCSV(k.Stdout, life)
	case "json":
		return printJSON(k.Stdout, life)
	case "mermaid":
		_, err = io.WriteString(k.Stdout, life.Mermaid())
		return err
	case "yaml":
		_, err = k.Stdout.Write(elsewhere(text))
		return err
	}
	return printTable(k.Stdout, life)
}

// elsewhere lets editors find the schema of a file that has left the repository of Colony.
func elsewhere(text []byte) []byte {
	return bytes.Replace(text, []byte(schema.FirstLine("../../schema/lifecycle.json")), []byte(schema.FirstLine(schema.URL(schema.Lifecycle))), 1)
}

func printCSV(w io.Writer, life *statemachine.Table) error {
	rows := [][]string{{"from", "to", "kind", "why"}}
	for _, p := range life.Pairs {
		rows = append(rows, []string{p.From, p.To, string(p.Kind), p.Why})
	}
	return csv.NewWriter(w).WriteAll(rows)
}
