package issues

import (
	"fmt"
	"regexp"
	"time"
)

// stamp is what the description of the mark Forced ends with: since when Colony judges the repository, and by which table. With
// the mark's own text it stays within GitHub's 100 characters.
type stamp struct {
	since Since
	as    string // the fingerprint of the table
}

// String renders the stamp; the labels' time is there only if it is not that of the commands.
func (s stamp) String() string {
	labels := ""
	if !s.since.Labels.Equal(s.since.Commands) {
		labels = ", labels " + s.since.Labels.UTC().Format(time.RFC3339)
	}
	return fmt.Sprintf(" Since %s%s (%s).", s.since.Commands.UTC().Format(time.RFC3339), labels, s.as)
}

var (
	stampPattern = regexp.MustCompile(` Since (\S+Z)(?:, labels (\S+Z))? \(([a-z2-7]+)\)\.$`)
	// formerStamp is what it was as long as there was one table only.
	formerStamp = regexp.MustCompile(` Labels judged since (\S+Z)\.$`)
)

// readStamp reads the stamp in a description; ok is false if there is none.
func readStamp(description string) (s stamp, ok bool) {
	m := stampPattern.FindStringSubmatch(description)
	if m == nil {
		if m = formerStamp.FindStringSubmatch(description); m == nil {
			return stamp{}, false
		}
		m = append(m, "", "")
	}
	commands, err := time.Parse(time.RFC3339, m[1])
	if err != nil {
		return stamp{}, false
	}
	s = stamp{since: Since{Labels: commands, Commands: commands}, as: m[3]}
	if m[2] != "" {
		if s.since.Labels, err = time.Parse(time.RFC3339, m[2]); err != nil {
			return stamp{}, false
		}
	}
	return s, true
}
