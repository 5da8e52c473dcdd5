package command

import (
	"cmp"
	"fmt"
	"io"
	"path"
	"strings"
	"text/tabwriter"

	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/playground/deviations"
)

// writeList prints what the playground has: operations, webhooks, controls, and deviations from GitHub's description.
func writeList(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(cells ...string) {
		for i := range cells {
			cells[i] = cmp.Or(cells[i], "-")
		}
		fmt.Fprintln(t, strings.Join(cells, "\t"))
	}
	row("OPERATION (ANY OTHER: 501)", "FOR", "AN APP NEEDS", "A PERSON NEEDS", "DESCRIPTION")
	for _, r := range playground.Routes() {
		permission, person := strings.Join(r.Permission, " or "), ""
		if permission != "" {
			permission += ": " + r.Level
		}
		if r.Role > 0 {
			person = r.Role.String()
		}
		row(r.Method+" "+r.Pattern, string(r.Audience), permission, person, "https://"+path.Join("docs.github.com/rest", r.Docs))
	}
	row("\nWEBHOOK", "ACTIONS")
	for _, e := range playground.Events() {
		row(e.Name, strings.Join(e.Actions, ", "))
	}
	row("\nCONTROL", "BODY", "METHOD IN GO, AND RESULT")
	for _, c := range playground.Controls() {
		row(c.Method+" "+c.Pattern, strings.Join(c.Fields, ", "), c.Does)
	}
	row("\nGITHUB'S DEVIATIONS FROM ITS DESCRIPTION", "PROBLEM", "REASON")
	for _, d := range deviations.Rows() {
		row(d[:]...)
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("print the list: %w", err)
	}
	return nil
}
