package policy

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/colony-app/colony/statemachine"
)

// Notify is one row about whom Colony notifies of an issue, in addition to what its comments and labels say.
type Notify struct {
	In      []string  `yaml:"in" is:"name,once" means:"The states that the row is about. Without it, a row about findings is about all of them."`
	On      []Finding `yaml:"on" is:"once" means:"The comments in which mention counts, by what they are about."`
	Mention []string  `yaml:"mention" most:"10" is:"once" means:"Who is mentioned at the end of these comments: a login, or a team written OWNER/TEAM."`
	Assign  []string  `yaml:"assign" is:"once" means:"Who is assigned to an issue as long as it is in one of these states, by login."`
	Remind  string    `yaml:"remind" means:"How long before the time-out of these states Colony writes a comment that reminds people, written like 30m or 24h."`
}

// Finding is what a comment of Colony's is about.
type Finding string

// The findings.
const (
	FindsRefused Finding = "refused" // a change that is not allowed
	FindsMoved   Finding = "moved"   // a move of Colony's own that it announces
	FindsAsked   Finding = "asked"   // a question to a person
	FindsHalted  Finding = "halted"  // the breaker tripped
)

var findings = []Finding{FindsRefused, FindsMoved, FindsAsked, FindsHalted}

// Mentioned lists who is mentioned in a comment about a finding on an issue in a state: logins, and teams as OWNER/TEAM, each once.
func Mentioned(rows []Notify, finding Finding, state string) []string {
	var all []string
	for _, row := range rows {
		if !slices.Contains(row.On, finding) || len(row.In) > 0 && !slices.Contains(row.In, state) {
			continue
		}
		for _, name := range row.Mention {
			if !slices.ContainsFunc(all, func(other string) bool { return strings.EqualFold(other, name) }) {
				all = append(all, name)
			}
		}
	}
	return all
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

// Personal is what the login of a person looks like.
var Personal = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,38}$`)

// Mentionable is what the login of a person looks like, or a team with its owner.
var Mentionable = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,38}(/[a-z0-9][a-z0-9_-]{0,98})?$`)

// maxMentioned bounds the people and teams of a row.
const maxMentioned = 10

func problemsOfNotify(rows []Notify, life *statemachine.Table) []Problem {
	var found []Problem
	say := func(message string, path ...any) {
		found = append(found, Problem{append([]any{"notify"}, path...), message})
	}
	if len(rows) > maxRows {
		say(fmt.Sprintf("%d rows, more than %d", len(rows), maxRows))
		return found
	}
	for i, row := range rows {
		if message, field := row.misfit(); message != "" {
			say(message, append([]any{i}, field...)...)
		}
		for n, finding := range row.On {
			if !slices.Contains(findings, finding) {
				say(fmt.Sprintf("%q is not one of refused, moved, asked, halted", finding), i, "on", n)
			}
		}
		for n, name := range row.Mention {
			if !Mentionable.MatchString(name) {
				say(fmt.Sprintf("%q is neither the login of a person nor a team, written OWNER/TEAM", name), i, "mention", n)
			}
		}
		for n, state := range row.In {
			if _, known := life.State(state); !known {
				say(fmt.Sprintf("%q is no state of lifecycle %s", state, life.Name), i, "in", n)
			} else if misfit := row.remindMisfit(life, state); row.remindsBefore() > 0 && misfit != "" {
				say(misfit, i, "in", n)
			} else if many := len(Assigns(rows, state)); many > maxAssigned {
				say(fmt.Sprintf("%d people are assigned in %s, more than the %d that GitHub lets be", many, state, maxAssigned), i, "in", n)
			}
		}
		for n, login := range row.Assign {
			if !Personal.MatchString(login) {
				say(fmt.Sprintf("%q is not the login of a person", login), i, "assign", n)
			}
		}
	}
	return found
}

// misfit says what is wrong with a row as a whole, or with one of its fields; empty if nothing is.
func (n Notify) misfit() (message string, field []any) {
	assigns, mentions, reminds := len(n.Assign) > 0, len(n.Mention) > 0, n.Remind != ""
	for _, row := range []struct {
		wrong   bool
		message string
		field   []any
	}{
		{!assigns && !mentions && !reminds, "the row names nobody: assign says who is assigned, mention who is mentioned", nil},
		{reminds && n.remindUnreadable() != "", n.remindUnreadable(), []any{"remind"}},
		{reminds && len(n.In) == 0, "no state: in says of the time-out of which states Colony reminds", nil},
		{reminds && len(n.On) > 0, "on is of no use with remind: the reminder is a comment of its own", []any{"on"}},
		{assigns && len(n.In) == 0, "no state: in says in which states they are assigned", nil},
		{mentions && len(n.On) == 0 && !reminds, "no finding: on says in which comments they are mentioned", nil},
		{len(n.On) > 0 && !mentions, "on is of use only with mention", []any{"on"}},
		{len(n.Mention) > maxMentioned, fmt.Sprintf("%d people and teams, more than %d", len(n.Mention), maxMentioned), []any{"mention"}},
	} {
		if row.wrong {
			return row.message, row.field
		}
	}
	return "", nil
}

// notifying returns the rows as far as they are about states of a lifecycle: those of an owner are for several.
func notifying(rows []Notify, life *statemachine.Table) []Notify {
	var kept []Notify
	for _, row := range rows {
		everywhere := len(row.In) == 0
		row.In = slices.DeleteFunc(slices.Clone(row.In), func(state string) bool { _, known := life.State(state); return !known })
		if everywhere || len(row.In) > 0 {
			kept = append(kept, row)
		}
	}
	return kept
}
