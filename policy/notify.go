package policy

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/colony-app/colony/statemachine"
)

// Notify is one row about whom Colony tells of an issue, beside what its comments and labels say.
type Notify struct {
	// In lists the states that the row is about.
	In []string `yaml:"in"`
	// Assign lists who is assigned to the issue as long as it is there, by login.
	Assign []string `yaml:"assign"`
}

// Assigns lists who is to be assigned to an issue in a state.
func Assigns(rows []Notify, state string) []string {
	var logins []string
	for _, row := range rows {
		if slices.Contains(row.In, state) {
			logins = append(logins, row.Assign...)
		}
	}
	return logins
}

// maxAssigned is how many people GitHub lets be assigned to an issue:
// https://docs.github.com/issues/tracking-your-work-with-issues/using-issues/assigning-issues-and-pull-requests-to-other-github-users.
const maxAssigned = 10

// personal is what the login of a person looks like.
var personal = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,38}$`)

// problemsOfNotify lists what is wrong with rows, under a lifecycle.
func problemsOfNotify(rows []Notify, life *statemachine.Lifecycle) []Problem {
	var found []Problem
	say := func(message string, path ...any) {
		found = append(found, Problem{append([]any{"notify"}, path...), message})
	}
	if len(rows) > maxRows {
		say(fmt.Sprintf("%d rows, more than %d", len(rows), maxRows))
		return found
	}
	for i, row := range rows {
		if len(row.In) == 0 {
			say("no state: in says which states the row is about", i)
		}
		if len(row.Assign) == 0 {
			say("the row says of nobody who is assigned", i)
		}
		for n, state := range row.In {
			if _, known := life.State(state); !known {
				say(fmt.Sprintf("%q is no state of lifecycle %s", state, life.Name), i, "in", n)
			} else if many := len(Assigns(rows, state)); many > maxAssigned {
				say(fmt.Sprintf("%d people are assigned in %s, more than the %d that GitHub lets be", many, state, maxAssigned), i, "in", n)
			}
		}
		for n, login := range row.Assign {
			if !personal.MatchString(login) {
				say(fmt.Sprintf("%q is not the login of a person", login), i, "assign", n)
			}
		}
	}
	return found
}

// notifying returns the rows as far as they are about states of a lifecycle: those of an owner are for several.
func notifying(rows []Notify, life *statemachine.Lifecycle) []Notify {
	var kept []Notify
	for _, row := range rows {
		row.In = slices.DeleteFunc(slices.Clone(row.In), func(state string) bool { _, known := life.State(state); return !known })
		row.Assign = slices.DeleteFunc(slices.Clone(row.Assign), func(login string) bool { return strings.TrimSpace(login) == "" })
		if len(row.In) > 0 {
			kept = append(kept, row)
		}
	}
	return kept
}
