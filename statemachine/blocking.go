package statemachine

import (
	"fmt"
	"strings"

	"github.com/colony-app/colony/lifecycle"
)

// Blocker is something that holds an issue up, for people.
type Blocker struct{ What, Names string }

// blockers are the facts that hold an issue up, and what people call what they are about.
var blockers = []struct {
	fact lifecycle.Fact
	what string
}{
	{"dependency-cycle", "a circle of dependencies"},
	{"dependency-open", "open dependencies"},
	{"dependency-dropped", "dropped dependencies"},
	{"files-overlap", "older pull requests that change the same files"},
	{"sub-issues-open", "open sub-issues"},
	{"sub-issues-dropped", "dropped sub-issues"},
}

// ClosedEarly holds up an issue that is closed before the end of its lifecycle.
var ClosedEarly = Blocker{What: "it is closed", Names: "no bot works on it until someone reopens it"}

// blockersNamed bounds how many things of a kind are named.
const blockersNamed = 10

// Blockers returns what holds an issue up, as far as it was read.
func (f Facts) Blockers() []Blocker {
	var found []Blocker
	for _, b := range blockers {
		var names []string
		for _, o := range f.Observed {
			if o.Fact == b.fact {
				names = append(names, o.About)
			}
		}
		if len(names) > blockersNamed {
			names = append(names[:blockersNamed], fmt.Sprintf("%d more", len(names)-blockersNamed))
		}
		if len(names) > 0 {
			found = append(found, Blocker{What: b.what, Names: strings.Join(names, ", ")})
		}
	}
	return found
}
