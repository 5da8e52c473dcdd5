package main

import (
	"cmp"
	"strings"

	"github.com/colony-app/colony/statemachine"
)

// roleTable lists what each role of executors can do.
func roleTable(life *statemachine.Table) *table {
	t := newTable("role", "takes work", "works in", "can hand it on to")
	for _, r := range life.Roles {
		from := map[string][]string{}
		var ends, claims []string
		for _, c := range r.Claims {
			if from[c.To] = append(from[c.To], c.From); len(from[c.To]) == 1 {
				ends = append(ends, c.To)
			}
		}
		for _, end := range ends {
			claims = append(claims, codes(from[end])+" → "+code(end))
		}
		t.row(r.Name, cmp.Or(strings.Join(claims, "; "), "–"), codes(r.WorksIn), codes(r.Requests))
	}
	return t
}
