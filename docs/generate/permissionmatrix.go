package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/reconcile"
	"github.com/colony-app/colony/statemachine"
)

// The cells of the matrix. TestPermissionMatrix of reconcile reads them, and plays each.
const (
	runs      = "runs"
	ofItsRole = "its role's moves"
	refused   = "refused"
	ignored   = "ignored"
	unwritten = "can't comment"
)

// writer is a row of the matrix: who writes a comment, with which permission of GitHub's. People with the same cells share a row.
type writer struct {
	who, permission string
	// outcome is the cell of a command of a lifecycle.
	outcome func(*statemachine.Table, commands.Spec) string
}

// writers returns the rows, with the server's default settings.
func writers() ([]writer, error) {
	settings, err := config.Default().Settings()
	if err != nil {
		return nil, fmt.Errorf("read the default settings: %w", err)
	}
	people := func(who string, with ...issues.Permission) writer {
		var names []string
		for _, p := range with {
			names = append(names, string(p))
		}
		return writer{who, codes(names), func(_ *statemachine.Table, spec commands.Spec) string {
			return allowed(settings.RightOf(with[0]), spec)
		}}
	}
	always := func(cell string) func(*statemachine.Table, commands.Spec) string {
		return func(*statemachine.Table, commands.Spec) string { return cell }
	}
	return []writer{
		{"stranger (private)", codes([]string{string(issues.PermissionNone)}), always(unwritten)},
		people("stranger (public), the issue's author, reader", issues.PermissionRead),
		people("triager, writer", issues.PermissionTriage, issues.PermissionWrite),
		people("maintainer, admin", issues.PermissionMaintain, issues.PermissionAdmin),
		{"bot in a role", "its App's", ofBots},
		{"Colony itself", "its App's", always(ignored)},
		{"anyone in an edited text", "any", always(refused)},
	}, nil
}

func allowed(right commands.Right, spec commands.Spec) string {
	if right < spec.Needs {
		return refused
	}
	return runs
}

// ofBots is the cell of a bot: its role bounds each command that moves the issue.
func ofBots(life *statemachine.Table, spec commands.Spec) string {
	c, declared := life.Commands.Of(spec.Verb)
	switch {
	case allowed(reconcile.RightOfApps, spec) == refused:
		return refused
	case spec.Verb == "move":
		return ofRoles(life, lifecycle.Command{Target: lifecycle.Required})
	case declared:
		return ofRoles(life, c)
	}
	return runs
}

// ofRoles tells whether any role of a lifecycle has a move that a command makes.
func ofRoles(life *statemachine.Table, c lifecycle.Command) string {
	for _, role := range life.Roles {
		bot := lifecycle.Actor{Kind: lifecycle.Executor, Roles: []string{role.Name}}
		for _, p := range life.Pairs {
			if c.MayMake(p.From, p.To) && life.Judge(bot, p.From, p.To) == lifecycle.Legal {
				return ofItsRole
			}
		}
	}
	return refused
}

// permissionMatrix tells what becomes of each command of the shipped lifecycles, by who writes it. Commands with the same cells
// share a column.
func permissionMatrix(string) (string, error) {
	rows, err := writers()
	if err != nil {
		return "", err
	}
	type column struct{ verbs, cells []string }
	var columns []column
	known := map[string][]string{}
	for _, name := range lifecycle.ShippedNames() {
		life, err := statemachine.Shipped(name)
		if err != nil {
			return "", fmt.Errorf("load the lifecycle: %w", err)
		}
		for _, spec := range commands.Registry(life) {
			var cells []string
			for _, w := range rows {
				cells = append(cells, w.outcome(life, spec))
			}
			if before, is := known[spec.Verb]; is {
				if !slices.Equal(before, cells) {
					return "", fmt.Errorf("lifecycles differ about %s", spec.Verb)
				}
				continue
			}
			known[spec.Verb] = cells
			at := slices.IndexFunc(columns, func(c column) bool { return slices.Equal(c.cells, cells) })
			if at < 0 {
				columns = append(columns, column{cells: cells})
				at = len(columns) - 1
			}
			columns[at].verbs = append(columns[at].verbs, code(spec.Verb))
		}
	}
	heads := []string{"who writes it", "permission"}
	for _, c := range columns {
		heads = append(heads, strings.Join(c.verbs, " "))
	}
	t := newTable(heads...)
	for i, w := range rows {
		cells := []string{w.who, w.permission}
		for _, c := range columns {
			cells = append(cells, c.cells[i])
		}
		t.row(cells...)
	}
	return t.String(), nil
}
