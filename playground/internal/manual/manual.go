// Package manual keeps the tables of docs/playground.md as the code says.
package manual

import (
	"fmt"
	"strings"

	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/playground/schematest"
)

// tables are those of the document, by the name in their markers: <!-- table: routes --> … <!-- end -->.
var tables = map[string]func() string{
	"routes": routes, "webhooks": webhooks, "controls": controls, "deviations": deviations,
}

const end = "<!-- end -->"

// Renew is a document with its tables made anew. An error for a marker without an end, and for a table that is missing or
// unknown.
func Renew(text string) (string, error) {
	var renewed strings.Builder
	made := map[string]bool{}
	for {
		before, rest, found := strings.Cut(text, "<!-- table: ")
		renewed.WriteString(before)
		if !found {
			break
		}
		name, rest, _ := strings.Cut(rest, " -->")
		_, after, ended := strings.Cut(rest, end)
		table := tables[name]
		if table == nil || !ended {
			return "", fmt.Errorf("the table %q is unknown or has no %s", name, end)
		}
		made[name] = true
		renewed.WriteString("<!-- table: " + name + " -->\n" + table() + end)
		text = after
	}
	for name := range tables {
		if !made[name] {
			return "", fmt.Errorf("there is no place for the table %q", name)
		}
	}
	return renewed.String(), nil
}

func table(head []string, rows [][]string) string {
	var t strings.Builder
	write := func(cells []string) {
		for i, cell := range cells {
			cells[i] = strings.NewReplacer("|", `\|`, "\n", " ").Replace(cell)
		}
		t.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
	write(head)
	t.WriteString(strings.Repeat("|---", len(head)) + "|\n")
	for _, row := range rows {
		write(row)
	}
	return t.String()
}

func routes() string {
	var rows [][]string
	for _, r := range playground.Routes() {
		permission := ""
		if len(r.Permission) > 0 {
			permission = strings.Join(r.Permission, " or ") + ": " + r.Level
		}
		person := ""
		if r.Role > 0 {
			person = r.Role.String()
		}
		rows = append(rows, []string{
			fmt.Sprintf("[`%s %s`](https://docs.github.com/rest/%s)", r.Method, r.Pattern, r.Docs), string(r.Audience), permission, person,
		})
	}
	return table([]string{"operation", "for", "an App needs", "a person needs"}, rows)
}

func webhooks() string {
	var rows [][]string
	for _, e := range playground.Events() {
		rows = append(rows, []string{"`" + e.Name + "`", strings.Join(e.Actions, ", ")})
	}
	return table([]string{"event", "actions"}, rows)
}

func controls() string {
	var rows [][]string
	for _, c := range playground.Controls() {
		fields := ""
		if len(c.Fields) > 0 {
			fields = "`" + strings.Join(c.Fields, "`, `") + "`"
		}
		rows = append(rows, []string{fmt.Sprintf("`%s %s`", c.Method, c.Pattern), fields, c.Does})
	}
	return table([]string{"control", "body", "does"}, rows)
}

func deviations() string {
	var rows [][]string
	for _, d := range schematest.Deviations() {
		rows = append(rows, []string{d.Where, d.What, d.Reason})
	}
	return table([]string{"where", "what", "why"}, rows)
}
