// Package commands finds the slash commands in a comment, knows which there are, and decides what they come to.
package commands

import (
	"slices"
	"strings"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// The verbs that others than the registry ask for.
const (
	Status  = "status"  // tells where an issue is
	History = "history" // lists its moves
	Next    = "next"    // lists what to take next
	Force   = "force"   // overrides the workflow
)

// Spec is one row of the table of commands: help, documentation, "did you mean", permissions and execution are all
// read from it.
type Spec struct {
	Verb  string
	Usage string
	Help  string
	Needs Right
	run   func(*execution)
}

// Registry returns the commands of a lifecycle: first the commands that every lifecycle has, but for force where it is off, then the commands that it
// declares.
func Registry(l *statemachine.Table) []Spec {
	specs := slices.Grow(builtIn(), len(l.Commands))
	for _, c := range l.Commands {
		specs = append(specs, declared(c))
	}
	if l.Force.Off {
		specs = slices.DeleteFunc(specs, func(s Spec) bool { return s.Verb == Force })
	}
	return specs
}

func builtIn() []Spec {
	return []Spec{
		{"help", "/colony:help", "List the commands.", MayRead, (*execution).help},
		{Status, "/colony:status", "Show the state, who set it and when, the last moves, and what is legal next.", MayRead, (*execution).status},
		{"why", "/colony:why [state]", "Explain the present state, or whether and how the issue can move to another one.", MayRead, (*execution).why},
		{History, "/colony:history", "List the moves of the issue.", MayRead, (*execution).history},
		{"move", "/colony:move <state> [reason]", "Move the issue to a state, if the lifecycle allows it.", MayMove, (*execution).move},
		{Force, "/colony:force <state> <reason>", "Move the issue to a state that the lifecycle does not allow. Colony records the reason.", MayForce, (*execution).force},
		{Next, "/colony:next", "List the issues of the repository that wait for somebody to take them, the most urgent first.", MayRead, (*execution).next},
		{dependsOn, "/colony:depends-on <issue> [issue …]", "Say which issues this one depends on.", MayMove, (*execution).dependsOn},
		{independentOf, "/colony:independent-of <issue> [issue …]", "Say which issues this one does not, or no longer, depend on.", MayMove, (*execution).independentOf},
	}
}

func declared(c lifecycle.Command) Spec {
	return Spec{c.Verb, usage(c), c.Help, MayMove, func(e *execution) { e.declared(c) }}
}

// Find returns the command of a lifecycle with a verb. It knows force also where that is off.
func Find(l *statemachine.Table, verb string) (Spec, bool) {
	for _, s := range builtIn() {
		if s.Verb != verb {
			continue
		}
		if verb == Force && l.Force.Off { // it is there to say what to do instead, to people who can do that
			s.Needs = MayMove
		}
		return s, true
	}
	c, known := l.Commands.Of(verb)
	if !known {
		return Spec{}, false
	}
	return declared(c), true
}

func usage(c lifecycle.Command) string {
	words := []string{"/colony:" + c.Verb}
	for _, argument := range []struct {
		name   string
		demand lifecycle.Demand
	}{{"state", c.Target}, {"reason", c.Reason}} {
		switch argument.demand {
		case lifecycle.Required:
			words = append(words, "<"+argument.name+">")
		case lifecycle.Optional:
			words = append(words, "["+argument.name+"]")
		case lifecycle.NotTaken:
		}
	}
	return strings.Join(words, " ")
}

func verbs(specs []Spec) []string {
	names := make([]string, len(specs))
	for i, s := range specs {
		names[i] = s.Verb
	}
	return names
}

// Needed returns the right that all of some commands together ask for.
func Needed(l *statemachine.Table, invocations []Invocation) Right {
	needed := MayRead
	for _, invocation := range invocations {
		if spec, known := Find(l, invocation.Verb); known {
			needed = max(needed, spec.Needs)
		}
	}
	return needed
}
