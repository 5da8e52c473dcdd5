package main

import (
	"fmt"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// shownName is the lifecycle that the page of commands and the examples of the documents are about.
const shownName = "colony"

func shown() (*statemachine.Table, error) {
	life, err := statemachine.Shipped(shownName)
	if err != nil {
		return nil, fmt.Errorf("load the lifecycle: %w", err)
	}
	return life, nil
}

// factTable explains what triggers can wait for.
func factTable(string) (string, error) {
	t := newTable("fact", "what it means", "it counts", "`follow`")
	for _, s := range lifecycle.FactSpecs() {
		counts := string(s.Since)
		switch {
		case s.Sealed:
			counts = "approval"
		case s.Own:
			counts = "unasked"
		case counts == "":
			counts = "lasts"
		}
		t.row(code(string(s.Fact)), s.Meaning, code(counts), code(string(s.Needs)))
	}
	return t.String(), nil
}

// conditionTable lists what a guard may ask.
func conditionTable(string) (string, error) {
	t := newTable("condition", "it holds if")
	for _, s := range lifecycle.ConditionKinds() {
		t.row(code(string(s.Kind)), s.Meaning)
	}
	return t.String(), nil
}

// shippedLifecycles lists those that come with Colony.
func shippedLifecycles(string) (string, error) {
	t := newTable("lifecycle", "what it is for")
	for _, name := range lifecycle.ShippedNames() {
		life, err := statemachine.Shipped(name)
		if err != nil {
			return "", fmt.Errorf("load the lifecycle: %w", err)
		}
		t.row(fmt.Sprintf("[%s](lifecycle-%s.md)", name, name), life.Summary)
	}
	return t.String(), nil
}
