package policy

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/colony-app/colony/lifecycle"
)

// Selection says which repositories a server works in, by patterns over OWNER/NAME: * is anything within one of the two. Case does not
// count. The zero value is all of them.
type Selection struct {
	// Include lists those it works in; empty: all.
	Include []string `yaml:"include"`
	// Exclude lists those of them that it leaves alone.
	Exclude []string `yaml:"exclude"`
}

// Has reports whether the server works in a repository.
func (s Selection) Has(owner, name string) bool {
	return !matchesAny(s.Exclude, owner, name) && (len(s.Include) == 0 || matchesAny(s.Include, owner, name))
}

// LeavesOut says of a repository in which the server does not work why, and how to have it otherwise.
func (s Selection) LeavesOut(owner, name string) Decision {
	d := Decision{lifecycle.ModeOff, "repositories.include in the server's configuration does not have it", "add it to repositories.include"}
	if matchesAny(s.Exclude, owner, name) {
		d.By, d.Change = "repositories.exclude in the server's configuration has it", "take it out of repositories.exclude"
	}
	return d
}

func matchesAny(patterns []string, owner, name string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		ok, err := path.Match(strings.ToLower(pattern), strings.ToLower(owner+"/"+name))
		return ok && err == nil
	})
}

// PatternMisfit says why a pattern matches no repository; empty if it might match one.
func PatternMisfit(pattern string) string {
	if _, err := path.Match(pattern, ""); err != nil {
		return fmt.Sprintf("%q is not a pattern: a [ is not closed, or a \\ stands at the end", pattern)
	}
	if strings.Count(pattern, "/") != 1 || strings.HasPrefix(pattern, "/") || strings.HasSuffix(pattern, "/") || strings.TrimSpace(pattern) != pattern {
		return fmt.Sprintf("%q is not a pattern over OWNER/NAME", pattern)
	}
	return ""
}
