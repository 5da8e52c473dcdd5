package main

import (
	"fmt"
	"strings"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// commandTable lists the commands.
func commandTable(string) (string, error) {
	life, err := shown()
	if err != nil {
		return "", err
	}
	defaults := config.Default().Commands
	needs := map[commands.Right]string{commands.MayRead: "anyone", commands.MayMove: code(defaults.Move), commands.MayForce: code(defaults.Force)}
	t := newTable("command", "what it does", "where", "permission")
	for _, spec := range commands.Registry(life) {
		t.row(code(spec.Usage), spec.Help, where(life, spec.Verb), needs[spec.Needs])
	}
	return t.String(), nil
}

// where tells in which states a command does something.
func where(life *statemachine.Table, verb string) string {
	c, declared := life.Commands.Of(verb)
	switch {
	case !declared && verb == "move", declared && len(c.From) == 0:
		return "by the table"
	case declared:
		return codes(c.From)
	}
	return "everywhere"
}

// example is a comment that somebody writes on an issue which went through some states.
type example struct {
	went  []string
	by    commands.Requester
	write string
}

var (
	tara   = commands.Requester{Actor: lifecycle.Actor{Login: "tara", Kind: lifecycle.Operator}, Right: commands.MayMove}
	olivia = commands.Requester{Actor: lifecycle.Actor{Login: "olivia", Kind: lifecycle.Operator}, Right: commands.MayForce}
	bot    = commands.Requester{
		Actor: lifecycle.Actor{Login: "dev-bot[bot]", Kind: lifecycle.Executor, Roles: []string{"developer"}},
		Right: commands.MayMove,
	}
)

var examples = []example{
	{[]string{"in-review"}, tara, "/colony:move merge-pendign"},
	{[]string{"in-development"}, bot, "/colony:move done"},
	{[]string{"waiting-for-subtasks"}, olivia, "/colony:force ready-for-dev the last subtask was dropped"},
	{[]string{"in-development", "paused"}, tara, "/colony:resume analyzing the plan changed"},
}

// exampleTable runs the examples and tells how each went.
func exampleTable(string) (string, error) {
	life, err := shown()
	if err != nil {
		return "", err
	}
	t := newTable("the issue is in", "who", "writes", "reaction", "then it is in", "Colony's comment begins with")
	for _, e := range examples {
		if err := e.row(t, life); err != nil {
			return "", err
		}
	}
	return t.String(), nil
}

var reactionOf = map[commands.Answer]string{commands.Accepted: "👍", commands.NotPermitted: "👎", commands.Refused: "😕"}

func (e example) row(t *table, life *statemachine.Table) error {
	var log []labelled
	for _, state := range e.went {
		if life.Label(state) == "" {
			return fmt.Errorf("%q: %s has no label", e.write, state)
		}
		log = append(log, labelled{tara.Actor, state})
	}
	standing := fold(life, log...)
	if last := e.went[len(e.went)-1]; standing.State != last {
		return fmt.Errorf("%q: the issue does not get to %s, it is in %s", e.write, last, standing.State)
	}
	result := commands.Run(
		commands.Env{Lifecycle: life, Standing: standing, Now: standing.LastChange},
		e.by, commands.Parse(e.write),
	)
	says := "–"
	if len(result.Replies) > 0 {
		says, _, _ = strings.Cut(result.Replies[0], "\n")
		says, _, _ = strings.Cut(says, " [Learn more]")
	}
	before := code(standing.State)
	if len(e.went) > 1 {
		before += ", before that in " + code(e.went[len(e.went)-2])
	}
	t.row(before, e.by.Actor.Login+", "+right(e.by), code(e.write), reactionOf[result.Answer], code(result.Standing.State), says)
	return nil
}

func right(a commands.Requester) string {
	if len(a.Actor.Roles) > 0 {
		return strings.Join(a.Actor.Roles, ", ")
	}
	defaults := config.Default().Commands
	switch a.Right {
	case commands.MayForce:
		return defaults.Force
	case commands.MayMove:
		return defaults.Move
	case commands.MayRead:
	}
	return "read"
}
