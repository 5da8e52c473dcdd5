package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/alecthomas/kong"

	"github.com/colony-app/colony/statemachine"
)

type lifecycleCommand struct {
	Name   string `arg:"" optional:"" default:"colony" help:"The lifecycle to print (default: ${default})."`
	Format string `enum:"table,csv,json,mermaid,yaml" default:"table" help:"One of ${enum} (default: ${default})."`
}

// Help is what "colony lifecycle --help" says beside the arguments.
func (lifecycleCommand) Help() string {
	return `Formats:

  - table: the states with their type, label and next states, for people
  - csv: one row for each legal move, with its kind and reason
  - json: everything Colony knows of the lifecycle, the moves spelled out
  - mermaid: a state diagram, as GitHub renders it in Markdown
  - yaml: the file itself, to start a lifecycle of your own from`
}

// Run prints a lifecycle that comes with Colony.
func (c lifecycleCommand) Run(k *kong.Kong) error {
	life, err := lifecycleOf(c.Name)
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
		text, err := statemachine.ShippedFile(life.Name)
		if err != nil {
			return err
		}
		_, err = k.Stdout.Write(text)
		return err
	}
	return printTable(k.Stdout, life)
}

func printCSV(w io.Writer, life *statemachine.Lifecycle) error {
	rows := [][]string{{"from", "to", "kind", "why"}}
	for _, p := range life.Pairs {
		rows = append(rows, []string{p.From, p.To, string(p.Kind), p.Why})
	}
	return csv.NewWriter(w).WriteAll(rows)
}

// nextWidth keeps the table within 120 columns.
const nextWidth = 50

func printTable(w io.Writer, life *statemachine.Lifecycle) error {
	fmt.Fprintf(w, "%s: %s\n%s\n\n", life.Name, life.Summary, count(life))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "STATE\tTYPE\tLABEL\tNEXT")
	for _, s := range life.States {
		lines := wrap(targets(life, s.Name), nextWidth)
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", s.Name, typeOf(s), orDash(s.Label), lines[0])
		for _, line := range lines[1:] {
			fmt.Fprintf(t, "\t\t\t%s\n", line)
		}
	}
	return t.Flush()
}

func count(life *statemachine.Lifecycle) string {
	kinds := map[statemachine.Kind]int{}
	for _, p := range life.Pairs {
		kinds[p.Kind]++
	}
	var counts []string
	for _, k := range []statemachine.Kind{statemachine.Forward, statemachine.Backward, statemachine.Pause, statemachine.Resume} {
		if kinds[k] > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", kinds[k], k))
		}
	}
	return fmt.Sprintf("%d states, %d legal moves: %s", len(life.States), len(life.Pairs), strings.Join(counts, ", "))
}

func targets(life *statemachine.Lifecycle, from string) []string {
	var names []string
	for _, p := range life.Next(statemachine.Actor{Kind: statemachine.Operator}, from) {
		names = append(names, p.To)
	}
	return names
}

func typeOf(s statemachine.State) string {
	if s.Recovery == "" {
		return string(s.Type)
	}
	return fmt.Sprintf("%s (%s)", s.Type, s.Recovery)
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// wrap joins words into lines of at most width characters; it returns at least one line.
func wrap(words []string, width int) []string {
	if len(words) == 0 {
		return []string{"-"}
	}
	lines := []string{words[0]}
	for _, word := range words[1:] {
		last := &lines[len(lines)-1]
		if len(*last)+len(word)+2 > width {
			*last += ","
			lines = append(lines, word)
			continue
		}
		*last += ", " + word
	}
	return lines
}

// The JSON form, for programs: its names do not change when those of the Go types do.
type (
	lifecycleJSON struct {
		Name       string        `json:"name"`
		Summary    string        `json:"summary"`
		Initial    string        `json:"initial"`
		BadRequest string        `json:"bad_request"`
		States     []stateJSON   `json:"states"`
		Roles      []roleJSON    `json:"roles"`
		Commands   []commandJSON `json:"commands"`
		Pairs      []pairJSON    `json:"pairs"`
	}
	stateJSON struct {
		Name        string                 `json:"name"`
		Type        statemachine.StateType `json:"type"`
		Recovery    statemachine.Recovery  `json:"recovery,omitempty"`
		Label       string                 `json:"label,omitempty"`
		Color       string                 `json:"color,omitempty"`
		Description string                 `json:"description,omitempty"`
		Meaning     string                 `json:"meaning"`
	}
	roleJSON struct {
		Name     string      `json:"name"`
		WorksIn  []string    `json:"works_in"`
		Requests []string    `json:"requests"`
		Claims   []claimJSON `json:"claims"`
	}
	claimJSON struct {
		From string `json:"from"`
		To   string `json:"to"`
	}
	commandJSON struct {
		Verb    string              `json:"verb"`
		From    []string            `json:"from,omitempty"`
		To      string              `json:"to"`
		Instead map[string]string   `json:"instead,omitempty"`
		Target  statemachine.Demand `json:"target,omitempty"`
		Reason  statemachine.Demand `json:"reason,omitempty"`
		Help    string              `json:"help"`
	}
	pairJSON struct {
		From   string            `json:"from"`
		To     string            `json:"to"`
		Kind   statemachine.Kind `json:"kind"`
		Why    string            `json:"why"`
		Source string            `json:"source"`
	}
)

func printJSON(w io.Writer, life *statemachine.Lifecycle) error {
	out := lifecycleJSON{Name: life.Name, Summary: life.Summary, Initial: life.Initial, BadRequest: life.BadRequest}
	for _, s := range life.States {
		out.States = append(out.States, stateJSON(s))
	}
	for _, r := range life.Roles {
		role := roleJSON{Name: r.Name, WorksIn: r.WorksIn, Requests: r.Requests, Claims: []claimJSON{}}
		for _, c := range r.Claims {
			role.Claims = append(role.Claims, claimJSON(c))
		}
		out.Roles = append(out.Roles, role)
	}
	for _, c := range life.Commands {
		out.Commands = append(out.Commands, commandJSON(c))
	}
	for _, p := range life.Pairs {
		out.Pairs = append(out.Pairs, pairJSON(p))
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(out); err != nil {
		return fmt.Errorf("write lifecycle %s as JSON: %w", life.Name, err)
	}
	return nil
}
