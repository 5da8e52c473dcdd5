package labels

import "fmt"

// Action is what happens to a label.
type Action string

// The actions.
const (
	Create Action = "create"
	Repair Action = "repair"
	Rename Action = "rename"
	Swap   Action = "swap" // for another label, on issues
	Delete Action = "delete"
	Keep   Action = "keep"
	Note   Action = "note" // nothing happens, and why
)

// Done is the action in the past.
func (a Action) Done() string {
	return map[Action]string{Create: "created", Repair: "repaired", Rename: "renamed", Swap: "swapped", Delete: "deleted", Keep: "kept"}[a]
}

// Step is what happens to one label of a repository: it was done, or would be in a dry run.
type Step struct {
	Repository string
	Action     Action
	Label      string // empty: it is about the repository
	Says       string // why, or with which consequence
}

func (s Step) String() string {
	if s.Label == "" {
		return fmt.Sprintf("%-6s  %s: %s", s.Action, s.Repository, s.Says)
	}
	line := fmt.Sprintf("%-6s  %s: %s", s.Action, s.Repository, printable(s.Label))
	if s.Says != "" {
		line += ", " + s.Says
	}
	return line
}

func printable(label string) string {
	for _, r := range label {
		if r < ' ' || r == 0x7f {
			return fmt.Sprintf("%q", label)
		}
	}
	return label
}
