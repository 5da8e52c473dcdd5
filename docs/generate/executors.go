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
		from, to := map[string][]string{}, map[string][]string{}
		var ends, starts, claims []string
		for _, c := range r.Claims {
			if from[c.To] = append(from[c.To], c.From); len(from[c.To]) == 1 {
				ends = append(ends, c.To)
			}
		}
		for _, end := range ends { // claims from the same states share an arrow
			start := codes(from[end])
			if to[start] = append(to[start], end); len(to[start]) == 1 {
				starts = append(starts, start)
			}
		}
		for _, start := range starts {
			claims = append(claims, start+" → "+codes(to[start]))
		}
		t.row(r.Name, cmp.Or(strings.Join(claims, "; "), "–"), codes(r.WorksIn), codes(r.Requests))
	}
	return t
}
