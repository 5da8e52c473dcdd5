package policy

import (
	"fmt"
	"strings"

	"github.com/colony-app/colony/statemachine"
)

// Mode is what is said of the mode of a repository: the nearest of those who name one decides, and the server caps it.
type Mode struct {
	// Named is the mode that the repository, its owner or the server names; empty if none of them does. By says who.
	Named statemachine.Mode
	By    string
	// Ceiling is the most that the server lets anybody name.
	Ceiling statemachine.Mode
	// Asked says that a file of the repository, or of its owner, is in force.
	Asked bool
}

// Effective returns the mode that holds, and who decided that, for people.
func (m Mode) Effective() (mode statemachine.Mode, by string) {
	switch {
	case m.Named != "":
		mode, by = m.Named, m.By
	case m.Asked:
		mode, by = statemachine.ModeEnforce, "nobody names a mode, and the repository or its owner has a file for Colony"
	default:
		mode, by = statemachine.ModeObserve, "nobody names a mode, and neither the repository nor its owner has a file for Colony"
	}
	if capped := mode.AtMost(m.Ceiling); capped != mode {
		return capped, fmt.Sprintf("mode_ceiling in the server's configuration, instead of %s (%s)", mode, by)
	}
	return mode, by
}

// AddressedAt reports whether the author of a file may be told in a comment that it is broken: where Colony writes at all, or would if
// the file were not broken.
func (e Effective) AddressedAt() bool {
	asked := e.automation.Mode
	asked.Asked = true
	mode, _ := asked.Effective()
	return mode.Writes()
}

// modeProblems says what is wrong with the name of a mode.
func modeProblems(mode statemachine.Mode) []Problem {
	if mode == "" || mode.Known() {
		return nil
	}
	return []Problem{{[]any{"mode"}, ModeMisfit(mode)}}
}

// ModeMisfit says that a mode is none.
func ModeMisfit(mode statemachine.Mode) string {
	var names []string
	for _, m := range statemachine.Modes {
		names = append(names, string(m))
	}
	return fmt.Sprintf("%q is not one of %s", mode, strings.Join(names, ", "))
}
