package policy

import (
	"fmt"
	"strings"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
)

// effectiveMode returns the mode that holds, and who decided that, for people: the nearest layer that names one, capped by the server.
func (s Settings) effectiveMode() (mode lifecycle.Mode, by string) {
	switch {
	case s.Mode != "":
		mode, by = s.Mode, s.ModeBy
	case s.Asked:
		mode, by = lifecycle.ModeEnforce, "nobody names a mode, and the repository or its owner has a file for Colony"
	default:
		mode, by = lifecycle.ModeObserve, "nobody names a mode, and neither the repository nor its owner has a file for Colony"
	}
	if capped := mode.AtMost(s.ModeCeiling); capped != mode {
		return capped, fmt.Sprintf("mode_ceiling in the server's configuration, instead of %s (%s)", mode, by)
	}
	return mode, by
}

// UnnamedMode says which mode holds where no one names one; see Settings.
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
	is, own := r.settings, repo.String()+"/"+SettingsFile
	switch {
	case r.capped():
		d.Change = "raise mode_ceiling in the server's configuration"
	case is.Mode == "" && is.Asked:
		d.Change = "name a mode in " + SettingsFile + " of the repository"
	case is.Mode == "":
		d.Change = OptIn
	case is.ModeBy == own:
		d.Change = "change mode in " + own
	default:
		d.Change = fmt.Sprintf("name another in %s of the repository, or change %s", SettingsFile, is.ModeBy)
	}
	return d
}

func (r Policy) capped() bool {
	above := r.settings
	above.ModeCeiling = ""
	mode, _ := above.effectiveMode()
	return mode != r.Mode
}

// AddressedAt reports whether Colony is allowed to notify the author of a file in a comment that it is broken: where Colony writes at all, or would
// if the file were not broken.
func (e Effective) AddressedAt() bool {
	asked := e.settings
	asked.Asked = true
	mode, _ := asked.effectiveMode()
	return mode.Writes()
}

func modeProblems(mode lifecycle.Mode) []Problem {
	if mode == "" || mode.Known() {
		return nil
	}
	return []Problem{{[]any{"mode"}, ModeMisfit(mode)}}
}

// ModeMisfit says that a mode is not a known mode.
func ModeMisfit(mode lifecycle.Mode) string {
	var names []string
	for _, m := range lifecycle.Modes {
		names = append(names, string(m))
	}
	return fmt.Sprintf("%q is not one of %s", mode, strings.Join(names, ", "))
}
