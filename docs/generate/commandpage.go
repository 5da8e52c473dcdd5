package main

import (
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/statemachine"
)

// commandTable lists the commands.
func commandTable(string) (string, error) {
	life, err := shown()
	if err != nil {
		return "", err
	}
	defaults := config.Default().Commands
	needs := map[commands.Right]string{commands.MayRead: "anyone", commands.MayMove: code(string(defaults.Move)), commands.MayForce: code(string(defaults.Force))}
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
