package main

import (
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/commands"
)

// commandTable lists the commands.
func commandTable(string) (string, error) {
	life, err := shown()
	if err != nil {
		return "", err
	}
	defaults := config.Default().Commands
	needs := map[commands.Right]string{commands.MayRead: "anyone", commands.MayMove: code(string(defaults.Move)), commands.MayForce: code(string(defaults.Force))}
	t := newTable("command", "what it does", "permission")
	for _, spec := range commands.Registry(life) {
		t.row(code(spec.Usage), spec.Help, needs[spec.Needs])
	}
	return t.String(), nil
}
