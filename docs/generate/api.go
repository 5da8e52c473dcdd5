package main

import (
	"fmt"
	"strings"

	"github.com/colony-app/colony/app/api"
)

// apiTables lists the routes of the JSON API, and the parameters of each.
func apiTables(string) (string, error) {
	var b strings.Builder
	for _, r := range api.Routes() {
		fmt.Fprintf(&b, "### `%s %s`\n\n%s\n", r.Method, r.Pattern, r.Meaning)
		if r.Open {
			b.WriteString("It needs no token.\n")
		}
		if len(r.Query) > 0 {
			b.WriteString("\n| parameter | meaning |\n|---|---|\n")
		}
		for _, q := range r.Query {
			needed := ""
			if q.Needed {
				needed = " (required)"
			}
			fmt.Fprintf(&b, "| `%s`%s | %s |\n", q.Name, needed, q.Meaning)
		}
		b.WriteString("\n")
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}
