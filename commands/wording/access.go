package wording

import "github.com/colony-app/colony/statemachine"

// Movers names the people who can move issues.
func Movers(a statemachine.Access) string { return render("movers", a) }

// Forcers names the people who can force moves.
func Forcers(a statemachine.Access) string { return render("forcers", a) }
