package main

import (
	"fmt"
	"strings"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/statemachine"
)

// unknownWord is a word of the command line that names nothing: it teaches what was probably meant, and what there is.
func unknownWord(what, word string, known []string) error {
	meant := ""
	if closest, ok := commands.Closest(word, known); ok {
		meant = fmt.Sprintf(" Did you mean %q?", closest)
	}
	return wrongUsage{fmt.Sprintf("no %s is called %q.%s\nThere are: %s", what, word, meant, strings.Join(known, ", "))}
}

func lifecycleOf(name string) (*statemachine.Lifecycle, error) {
	life, err := statemachine.Shipped(name)
	if err != nil {
		return nil, unknownWord("lifecycle", name, statemachine.ShippedNames())
	}
	return life, nil
}

// stateOf understands a state's name and its label, in any case.
func stateOf(life *statemachine.Lifecycle, word string) (string, error) {
	if s, ok := life.State(strings.ToLower(word)); ok {
		return s.Name, nil
	}
	if s, ok := life.StateOf(word); ok {
		return s.Name, nil
	}
	return "", unknownWord("state of lifecycle "+life.Name, word, life.StateNames())
}

// actorOf understands the kinds of actors and the roles of a lifecycle. A role is an executor bound to it.
func actorOf(life *statemachine.Lifecycle, word string) (statemachine.Actor, error) {
	known := []string{string(statemachine.Operator), string(statemachine.Executor)}
	for _, r := range life.Roles {
		known = append(known, r.Name)
	}
	known = append(known, string(statemachine.Author), string(statemachine.Colony))

	word = strings.ToLower(word)
	switch kind := statemachine.ActorKind(word); kind {
	case statemachine.Operator, statemachine.Executor, statemachine.Author, statemachine.Colony:
		return statemachine.Actor{Kind: kind}, nil
	}
	if _, ok := life.Role(word); ok {
		return statemachine.Actor{Kind: statemachine.Executor, Roles: []string{word}}, nil
	}
	return statemachine.Actor{}, unknownWord("actor or role of lifecycle "+life.Name, word, known)
}
