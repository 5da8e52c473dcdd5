package policy

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// When is which new issues a repository takes into its lifecycle.
type When string

// The words for it.
const (
	None     When = "none"
	Every    When = lifecycle.TakesEvery    // all that are opened
	Labelled When = lifecycle.TakesLabelled // the issues that get one of some labels
	Assigned When = lifecycle.TakesAssigned // the issues that are assigned to one of some people
)

// Intake says which new issues are taken into the lifecycle: the same in a repository and in the configuration of the server.
type Intake struct {
	When      When     `yaml:"when" means:"Which issues: none, every, labelled or assigned; without it, the lifecycle's takes-in, or none."`
	Labels    []string `yaml:"labels" longest:"50" most:"100" means:"The labels for labelled; without it, colony:enqueue. Colony creates one that begins with colony:, and removes it from the issue again."`
	Assignees []string `yaml:"assignees" most:"100" means:"The logins for assigned."`
	Authors   []string `yaml:"authors" most:"100" means:"Whose issues: logins, or GitHub's author associations, such as MEMBER. Without it, everyone's."`
}

// DefaultIntake takes nothing in.
func DefaultIntake() Intake { return Intake{When: None, Labels: []string{"colony:enqueue"}} }

// under returns the settings with the lifecycle's word where they have none.
func (i Intake) under(life *statemachine.Table) Intake {
	if i.When == "" {
		i.When = When(life.TakesIn)
	}
	return i
}

// Wants reports whether an issue might have to be taken in because it was opened. If a label or an assignee is named, the cause is that the issue got
// that label or was assigned to that person.
func (i Intake) Wants(label, assignee string) bool {
	opened := label == "" && assignee == ""
	switch i.When {
	case Every:
		return opened
	case Labelled:
		return opened || i.asks(label)
	case Assigned:
		return opened || i.names(assignee)
	case None:
	}
	return false
}

// Takes reports whether an issue is taken in. What was opened, or got its label or assignee, before a time is not.
func (i Intake) Takes(v issues.View, since time.Time) bool {
	switch i.When {
	case Every:
		return !v.Created.Before(since) && i.of(v)
	case Labelled:
		return i.of(v) && slices.ContainsFunc(v.Labels, func(label string) bool { return i.asks(label) && !put(v, label).Before(since) })
	case Assigned:
		return i.of(v) && slices.ContainsFunc(v.Assignees, func(login string) bool { return i.names(login) && !v.AssignedAt(login).Before(since) })
	case None:
	}
	return false
}

// put returns when a label was put on an issue. Where the log does not tell, it was there from the beginning.
func put(v issues.View, label string) time.Time {
	at := v.Created
	for _, c := range v.Changes {
		if c.Added && lifecycle.SameLabel(c.Label, label) && c.At.After(at) {
			at = c.At
		}
	}
	return at
}

func (i Intake) asks(label string) bool { return lifecycle.HasLabel(i.Labels, label) }

func (i Intake) names(login string) bool {
	return slices.ContainsFunc(i.Assignees, func(named string) bool { return strings.EqualFold(named, login) })
}

func (i Intake) of(v issues.View) bool {
	return len(i.Authors) == 0 || slices.ContainsFunc(i.Authors, func(author string) bool {
		return author == v.Association || strings.EqualFold(author, v.Author.Login)
	})
}

// Requests lists the labels that are Colony's own.
func (i Intake) Requests() []string {
	if i.When != Labelled {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(i.Labels), func(label string) bool { return !issues.IsColonys(label) })
}

// marks are the labels that repositories are provisioned with.
func (i Intake) marks() []lifecycle.Mark {
	var marks []lifecycle.Mark
	for _, label := range i.Requests() {
		marks = append(marks, lifecycle.Mark{Label: label, Color: "c5def5", Description: "Put it on, and Colony takes the issue in. Managed by Colony."})
	}
	return marks
}

// Bounds of the settings.
const (
	maxLabel = 50  // characters, GitHub's own: https://docs.github.com/rest/issues/labels
	maxRows  = 100 // entries of a list
)

func (i Intake) problems(life *statemachine.Table) []Problem {
	var found []Problem
	say := func(path []any, format string, args ...any) {
		found = append(found, Problem{append([]any{"intake"}, path...), fmt.Sprintf(format, args...)})
	}
	i = i.under(life)
	switch i.When {
	case "", None:
	case Every, Labelled, Assigned:
		switch {
		case life.Intake == "":
			say([]any{"when"}, "lifecycle %s has no state for new issues: its file says that with intake", life.Name)
		case i.When == Labelled && len(i.Labels) == 0:
			say([]any{"labels"}, "without labels no issue is taken in")
		case i.When == Assigned && len(i.Assignees) == 0:
			say([]any{"assignees"}, "without assignees no issue is taken in")
		}
	default:
		say([]any{"when"}, "%q is not one of none, every, labelled, assigned", i.When)
	}
	if i.When != Assigned && len(i.Assignees) > 0 {
		say([]any{"assignees"}, "assignees are of use only with when: assigned")
	}
	if max(len(i.Labels), len(i.Assignees), len(i.Authors)) > maxRows {
		say(nil, "more than %d labels, assignees or authors", maxRows)
		return found
	}
	for _, list := range []struct {
		key   string
		names []string
		wrong func(name string) (why string)
	}{
		{"labels", i.Labels, wrongLabel(life)},
		{"assignees", i.Assignees, wrongLogin("is not a login")},
		{"authors", i.Authors, wrongLogin("is neither a login nor an association such as MEMBER")},
	} {
		for n, name := range list.names {
			if why := list.wrong(name); why != "" {
				say([]any{list.key, n}, "%q %s", name, why)
			}
		}
	}
	return found
}

// wrongLabel says why a label cannot ask for an issue to be taken in under a lifecycle; nothing if it can.
func wrongLabel(life *statemachine.Table) func(label string) (why string) {
	return func(label string) string {
		switch {
		case strings.TrimSpace(label) != label || label == "" || utf8.RuneCountInString(label) > maxLabel || strings.ContainsFunc(label, unicode.IsControl),
			lifecycle.HasNoAddress(label): // Colony takes the label off again: it would take all off
			return "cannot be the name of a label"
		case strings.Contains(label, ","):
			return "holds a comma: GitHub lists no issues by such a label, so rename it first"
		case life.Uses(label):
			return fmt.Sprintf("is a label that lifecycle %s uses already", life.Name)
		}
		return ""
	}
}

// wrongLogin answers to a name that cannot be a login.
func wrongLogin(why string) func(login string) string {
	return func(login string) string {
		if strings.TrimSpace(login) == login && login != "" && !strings.ContainsAny(login, "@/ ") {
			return ""
		}
		return why
	}
}
