package main

import (
	"time"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// labelled is a state label that somebody put on an issue.
type labelled struct {
	by    lifecycle.Actor
	state string
}

// fold judges labels that were put on an issue one after the other.
func fold(life *statemachine.Table, log ...labelled) statemachine.Standing {
	at := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	var changes []statemachine.Change
	var labels []string
	for i, l := range log {
		label := life.Label(l.state)
		changes = append(changes, statemachine.Change{Moment: statemachine.Moment{At: at.Add(time.Duration(i) * time.Hour), ID: int64(i + 1)}, Added: true, Label: label, By: l.by})
		labels = append(labels, label)
	}
	return life.Fold(statemachine.History{Changes: changes, Labels: labels})
}
