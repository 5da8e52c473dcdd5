package main

import (
	"fmt"
	"strings"

	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/playground/schematest"
)

// routeTable lists the operations of the REST API that the playground has.
func routeTable(string) (string, error) {
	t := newTable("operation", "for", "an App needs", "a person needs")
	for _, r := range playground.Routes() {
		permission, person := "", ""
		if len(r.Permission) > 0 {
			permission = strings.Join(r.Permission, " or ") + ": " + r.Level
		}
		if r.Role > 0 {
			person = r.Role.String()
		}
		t.row(fmt.Sprintf("[`%s %s`](https://docs.github.com/rest/%s)", r.Method, r.Pattern, r.Docs), string(r.Audience), permission, person)
	}
	return t.String(), nil
}

// webhookTable lists the events that it sends.
func webhookTable(string) (string, error) {
	t := newTable("event", "actions")
	for _, e := range playground.Events() {
		t.row(code(e.Name), strings.Join(e.Actions, ", "))
	}
	return t.String(), nil
}

// controlTable lists its controls.
func controlTable(string) (string, error) {
	t := newTable("control", "body", "does")
	for _, c := range playground.Controls() {
		fields := ""
		if len(c.Fields) > 0 {
			fields = codes(c.Fields)
		}
		t.row(code(c.Method+" "+c.Pattern), fields, c.Does)
	}
	return t.String(), nil
}

// deviationTable lists where it departs from GitHub's descriptions.
func deviationTable(string) (string, error) {
	t := newTable("where", "what", "why")
	for _, d := range schematest.Deviations() {
		t.row(d.Where, strings.ReplaceAll(d.What, "\n", " "), d.Reason)
	}
	return t.String(), nil
}
