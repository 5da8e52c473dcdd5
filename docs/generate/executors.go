package main

import "github.com/colony-app/colony/statemachine"

// roleTable tells what each role of executors may do.
func roleTable(life *statemachine.Table) *table {
	t := newTable("role", "takes work", "works in", "may hand it on to")
	for _, r := range life.Roles {
		claims := ""
		for i, c := range r.Claims {
			if i > 0 {
				claims += ", "
			}
			claims += code(c.From) + " → " + code(c.To)
		}
		if claims == "" {
			claims = "–"
		}
		t.row(r.Name, claims, codes(r.WorksIn), codes(r.Requests))
	}
	return t
}
