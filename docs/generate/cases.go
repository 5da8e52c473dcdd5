package main

import (
	"github.com/colony-app/colony/statemachine"
)

// caseTable lists the cases of the fold in their order.
func caseTable(string) (string, error) {
	t := newTable("case", "change", "by", "condition", "outcome")
	for _, s := range statemachine.Cases() {
		outcome := s.Outcome
		if warned := s.Warned.String(); warned != "" {
			outcome += "; in mode `warn` the case is " + code(warned)
		}
		t.row(code(s.Name), s.Change, s.By, s.When, outcome)
	}
	return t.String(), nil
}
