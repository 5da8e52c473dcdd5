package main

import (
	"strings"

	"github.com/colony-app/colony/statemachine"
)

// caseTable lists the cases of the fold in their order.
func caseTable(string) (string, error) {
	t := newTable("case", "change", "condition", "outcome")
	for _, s := range statemachine.Cases() {
		outcome := s.Outcome
		if warned := s.Warned.String(); warned != "" {
			outcome += "; in mode `warn` the case is " + code(warned)
		}
		by := s.By
		if strings.Contains(by, ",") {
			by += ","
		}
		t.row(code(s.Name), by+" "+s.Change, s.When, outcome)
	}
	return t.String(), nil
}
