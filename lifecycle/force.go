package lifecycle

import (
	"fmt"
	"slices"
	"strings"
)

// Force is what /colony:force, the one way to override the workflow, can do in a lifecycle. The fold does not ask for it: what Colony forced is a
// forced move, no matter what the lifecycle says later.
type Force struct {
	// Off says that no one is allowed to override the workflow; By is empty then.
	Off bool `yaml:"-" json:"off,omitempty"`
	// By is empty where that is left to the configuration. No label is checked against it.
	By   string `yaml:"by" json:"-" means:"The least permission in the repository that it takes, or off. Settings may ask for more (commands.force), never for less."`
	Into Words  `yaml:"into" json:"into,omitempty" is:"name,once" means:"The states that it may lead to; without it, every state with a label."`
}

// ForceOff is the word for a lifecycle in which no one is allowed to override the workflow.
const ForceOff = "off"

// forcers are the permissions that a lifecycle can ask for, weakest first.
var forcers = []string{"triage", "write", "maintain", "admin"}

// MayForce reports whether a forced move can lead from a state to another, no matter who asks for it.
func (l *Lifecycle) MayForce(from, to string) bool {
	return l.Forces(from) && l.Label(to) != "" && (len(l.Force.Into) == 0 || slices.Contains(l.Force.Into, to))
}

// Forces reports whether a forced move can lead out of a state.
func (l *Lifecycle) Forces(from string) bool { return !l.Force.Off && !l.ForGood(from) }

// Says tells people what force can do, in one sentence. Name is how the command is written there, and code renders a name.
func (f Force) Says(name string, code func(string) string) string {
	var into []string
	for _, state := range f.Into {
		into = append(into, code(state))
	}
	if f.Off {
		return "There is no " + name + ": nobody goes round the table."
	}
	by, where := "Maintainers", "any state"
	if f.By != "" {
		by = "People with " + code(f.By) + " access or more"
	}
	if len(into) > 0 {
		where = strings.Join(into, ", ")
	}
	return fmt.Sprintf("%s can move an issue round the table with %s, to %s.", by, name, where)
}
