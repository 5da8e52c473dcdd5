package main

import (
	"strings"
	"time"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// executorRefusal shows what Colony says about a change of a bot.
func executorRefusal(string) (string, error) {
	life, err := shown()
	if err != nil {
		return "", err
	}
	tara := lifecycle.Actor{Login: "tara", Kind: lifecycle.Operator}
	bot := lifecycle.Actor{Login: "dev-bot[bot]", Kind: lifecycle.Executor, Roles: []string{"developer"}}
	return said(life, labelled{tara, "in-development"}, labelled{bot, "done"}), nil
}

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

// said quotes Colony's comment on what it does not grant.
func said(life *statemachine.Table, log ...labelled) string {
	standing := fold(life, log...)
	comment, _, _ := strings.Cut(wording.Rejections(life, standing, standing.Rejections, wording.Telling{Mentions: true}), "<!--")
	var b strings.Builder
	for line := range strings.Lines(strings.TrimSpace(comment) + "\n") {
		b.WriteString(strings.TrimRight("> "+line, " \n") + "\n")
	}
	return b.String()
}
