package policy

import (
	"fmt"
	"strings"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// Commands says which permission commands need. A repository can only ask for more than the server does.
type Commands struct {
	Move  issues.Permission `yaml:"move" means:"The permission in the repository that a command needs to move an issue."`
	Force issues.Permission `yaml:"force" means:"The permission that /colony:force needs, where the lifecycle does not ask for more; off: nobody may go round the table."`
}

// ForceOff is what a settings file has for Force where no one is allowed to override the workflow. It is no permission: what else takes that of Force
// takes what it took without the file.
const ForceOff = issues.Permission(lifecycle.ForceOff)

// over returns what holds where a file says something over what holds without it: of both, what takes more.
func (c Commands) over(below Commands) Commands {
	if c.unforced() {
		c.Force = ""
	}
	return Commands{Move: stricter(c.Move, below.Move), Force: stricter(c.Force, below.Force)}
}

// unforced reports whether a file says that no one is allowed to override the workflow.
func (c Commands) unforced() bool { return lower(c.Force) == ForceOff }

// under returns what holds with a lifecycle, which can only ask for more as well.
func (c Commands) under(life *statemachine.Table) Commands {
	c.Force = stricter(issues.Permission(life.Force.By), c.Force)
	return c
}

// access says it to people. Who cannot move an issue cannot force it.
func (c Commands) access() statemachine.Access {
	return statemachine.Access{ToMove: string(c.Move), ToForce: string(stricter(c.Force, c.Move))}
}

func stricter(own, below issues.Permission) issues.Permission {
	own, below = lower(own), lower(below)
	if own == "" || below != "" && below.Includes(own) {
		return below
	}
	return own
}

// lower is the permission as it is compared: a configuration can have it in any case.
func lower(p issues.Permission) issues.Permission {
	return issues.Permission(strings.ToLower(string(p)))
}

// Lower returns both as they are compared.
func (c Commands) Lower() Commands { return Commands{Move: lower(c.Move), Force: lower(c.Force)} }

func (c Commands) problems() []Problem {
	var found []Problem
	for _, p := range c.each() {
		if p.path[1] == "force" && lower(p.permission) == ForceOff {
			continue
		}
		if _, err := issues.ParsePermission(string(p.permission)); p.permission != "" && err != nil {
			found = append(found, Problem{p.path, err.Error()})
		}
	}
	return found
}

// loose lists what has no effect, because more is needed without it.
func (c Commands) loose(below Commands) []Problem {
	var found []Problem
	needed := below.each()
	for i, p := range c.each() {
		if lower(p.permission) == ForceOff {
			continue
		}
		if n := lower(needed[i].permission); p.permission != "" && n != "" && n != lower(p.permission) && stricter(p.permission, n) == n {
			found = append(found, Problem{p.path, fmt.Sprintf("%s has no effect, because the server or the owner needs %s: a repository can only ask for more", p.permission, n)})
		}
	}
	return found
}

type neededPermission struct {
	path       []any
	permission issues.Permission
}

func (c Commands) each() []neededPermission {
	return []neededPermission{{[]any{"commands", "move"}, c.Move}, {[]any{"commands", "force"}, c.Force}}
}
