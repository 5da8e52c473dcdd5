package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// shown is the lifecycle that the examples of the documents are about.
func shown() (*statemachine.Table, error) {
	life, err := statemachine.Shipped("colony")
	if err != nil {
		return nil, fmt.Errorf("load the lifecycle: %w", err)
	}
	return life, nil
}

// arrow is one move of the picture.
type arrow struct {
	lifecycle.Pair
	roles []string // that may ask for it; none: people decide
}

// picture draws a lifecycle so that it can be read: what executors may do, what people decide where no executor acts, and
// one way into every state that would have none. The rest of the table is below it.
func picture(string) (string, error) {
	life, err := shown()
	if err != nil {
		return "", err
	}
	arrows := drawn(life)
	var b strings.Builder
	b.WriteString("```mermaid\nflowchart TD\n")
	for _, s := range life.States {
		if slices.ContainsFunc(arrows, func(a arrow) bool { return a.From == s.Name || a.To == s.Name }) {
			fmt.Fprintf(&b, "  %s([%s]):::%s\n", nodeID(s.Name), s.Name, nodeID(string(s.Type)))
		}
	}
	b.WriteString(spine(life))
	for _, a := range arrows {
		if len(a.roles) > 0 {
			fmt.Fprintf(&b, "  %s -->|%s| %s\n", nodeID(a.From), strings.Join(a.roles, ", "), nodeID(a.To))
		} else {
			fmt.Fprintf(&b, "  %s -.-> %s\n", nodeID(a.From), nodeID(a.To))
		}
	}
	for _, style := range styles {
		fmt.Fprintf(&b, "  classDef %s fill:%s,stroke:%s,color:#111\n", nodeID(string(style.of)), style.fill, style.stroke)
	}
	b.WriteString("```\n\n")
	b.WriteString(belowPicture(life, len(arrows)))
	return b.String(), nil
}

var styles = []struct {
	of           lifecycle.StateType
	fill, stroke string
}{
	{lifecycle.Active, "#cfe3fb", "#1d76db"},
	{lifecycle.AwaitingHuman, "#fdeeb3", "#b58900"},
	{lifecycle.Blocked, "#f9d5d3", "#b60205"},
	{lifecycle.Terminal, "#cdeccf", "#0b6623"},
}

func belowPicture(life *statemachine.Table, arrows int) string {
	count := map[lifecycle.Kind]int{}
	pausable := map[string][]string{} // by the state that pauses
	for _, p := range life.Pairs {
		count[p.Kind]++
		if p.Kind == lifecycle.Pause {
			pausable[p.To] = append(pausable[p.To], p.From)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Solid arrows are moves that executors may request, with their role; dotted ones are moves that people decide or that a trigger makes. ")
	b.WriteString("Blue: work; yellow: waits for a person; red: blocked; green: the end.\n\n")
	fmt.Fprintf(&b, "The picture shows %d of the %d legal moves. ", arrows, len(life.Pairs))
	fmt.Fprintf(&b, "Anyone with triage access or higher may make all of them: forward to any later state (%d moves), back where the table has a reason for it (%d)", count[lifecycle.Forward], count[lifecycle.Backward])
	for _, to := range sortedKeys(pausable) {
		fmt.Fprintf(&b, ", and aside: into %s from %s (%d), and out of it again (%d)", code(to), codes(pausable[to]), count[lifecycle.Pause], count[lifecycle.Resume])
	}
	fmt.Fprintf(&b, ".\nThe whole table, with a reason for each move: [lifecycle-%s.md](lifecycle-%s.md).\n", life.Name, life.Name)
	return b.String()
}

func drawn(life *statemachine.Table) []arrow {
	var arrows []arrow
	for _, p := range life.Pairs {
		if roles := rolesFor(life, p); len(roles) > 0 {
			arrows = append(arrows, arrow{p, roles})
		}
	}
	for _, s := range life.States {
		if len(life.Roles.In(s.Name)) > 0 {
			continue
		}
		decided := slices.DeleteFunc(slices.Clone(life.Pairs), func(p lifecycle.Pair) bool {
			return p.From != s.Name || p.Kind != lifecycle.Backward
		})
		if len(decided) == 0 {
			decided = onlyForward(life, s.Name)
		}
		for _, p := range decided {
			arrows = append(arrows, arrow{Pair: p})
		}
	}
	for _, s := range life.States {
		leads := func(a arrow) bool { return a.To == s.Name }
		if slices.ContainsFunc(arrows, leads) || s.Name == life.Initial {
			continue
		}
		for _, p := range life.Pairs {
			if p.To == s.Name && p.Kind == lifecycle.Backward {
				arrows = append(arrows, arrow{Pair: p})
				break
			}
		}
	}
	return arrows
}

// rolesFor lists the roles that may ask for a move.
func rolesFor(life *statemachine.Table, p lifecycle.Pair) []string {
	var roles []string
	for _, r := range life.Roles {
		who := lifecycle.Actor{Kind: lifecycle.Executor, Roles: []string{r.Name}}
		if life.Judge(who, p.From, p.To) == lifecycle.Legal {
			roles = append(roles, r.Name)
		}
	}
	return roles
}

// spine links the states in which executors act, and the end, in their order. The links are invisible: they make Mermaid place
// the states from top to bottom as work goes.
func spine(life *statemachine.Table) string {
	var names []string
	for _, s := range life.States {
		if len(life.Roles.In(s.Name)) > 0 || s.Type == lifecycle.Terminal {
			names = append(names, nodeID(s.Name))
		}
	}
	return "  " + strings.Join(names, " ~~~ ") + "\n"
}

// onlyForward returns the first forward move out of a state, if there is one.
func onlyForward(life *statemachine.Table, from string) []lifecycle.Pair {
	for _, p := range life.Pairs {
		if p.From == from && p.Kind == lifecycle.Forward {
			return []lifecycle.Pair{p}
		}
	}
	return nil
}

// nodeID writes a slug as an identifier of Mermaid's, in which a hyphen can begin an arrow.
func nodeID(slug string) string { return strings.ReplaceAll(slug, "-", "_") }
