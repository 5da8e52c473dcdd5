package policy

import (
	"fmt"
	"strings"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
)

// Mode is what is said of the mode of a repository: the nearest of those who name one decides, and the server caps it.
type Mode struct {
	// Named is the mode that the repository, its owner or the server names; empty if none of them does. By says who.
	Named lifecycle.Mode
	By    string
	// Ceiling is the most that the server lets anybody name.
	Ceiling lifecycle.Mode
	// Asked says that a file of the repository, or of its owner, is in force.
	Asked bool
}

// Effective returns the mode that holds, and who decided that, for people.
func (m Mode) Effective() (mode lifecycle.Mode, by string) {
	switch {
	case m.Named != "":
		mode, by = m.Named, m.By
	case m.Asked:
		mode, by = lifecycle.ModeEnforce, "nobody names a mode, and the repository or its owner has a file for Colony"
	default:
		mode, by = lifecycle.ModeObserve, "nobody names a mode, and neither the repository nor its owner has a file for Colony"
	}
	if capped := mode.AtMost(m.Ceiling); capped != mode {
		return capped, fmt.Sprintf("mode_ceiling in the server's configuration, instead of %s (%s)", mode, by)
	}
	return mode, by
}

// UnnamedMode says which mode holds where nobody names one; see Mode.Effective.
const UnnamedMode = "enforce where the repository or its owner has a file for Colony, else observe"

// Decision is the mode that holds in a repository: who decided it, and how to have another one, for people.
type Decision struct {
	Mode       lifecycle.Mode
	By, Change string
}

// OptIn says how a repository opts in.
const OptIn = `commit .github/colony.yml with "mode: warn" or "mode: enforce"`

// Decided says which mode the policy of a repository has.
func (r Policy) Decided(repo issues.Repository) Decision {
	d := Decision{Mode: r.Mode, By: r.ModeBy}
	is, own := r.automation.Mode, repo.String()+"/"+SettingsFile
	switch {
	case r.capped():
		d.Change = "raise mode_ceiling in the server's configuration"
	case is.Named == "" && is.Asked:
		d.Change = "name a mode in " + SettingsFile + " of the repository"
	case is.Named == "":
		d.Change = OptIn
	case is.By == own:
		d.Change = "change mode in " + own
	default:
		d.Change = fmt.Sprintf("name another in %s of the repository, or change %s", SettingsFile, is.By)
	}
	return d
}

func (r Policy) capped() bool {
	above := r.automation.Mode
	above.Ceiling = ""
	mode, _ := above.Effective()
	return mode != r.Mode
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
func modeProblems(mode lifecycle.Mode) []Problem {
	if mode == "" || mode.Known() {
		return nil
	}
	return []Problem{{[]any{"mode"}, ModeMisfit(mode)}}
}

// ModeMisfit says that a mode is none.
func ModeMisfit(mode lifecycle.Mode) string {
	var names []string
	for _, m := range lifecycle.Modes {
		names = append(names, string(m))
	}
	return fmt.Sprintf("%q is not one of %s", mode, strings.Join(names, ", "))
}
