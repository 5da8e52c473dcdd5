package reconcile

import (
	"context"
	"slices"
	"strings"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/statemachine"
)

// A repository can have people assigned to an issue while it is in a state. GitHub's log says who assigned whom. Colony takes off only people whom
// it assigned itself, and does not assign anyone again whom a person took off in between.

// assignments lists who is to be assigned to an issue in a state, and who is to be taken off, by the rows of its repository.
func assignments(rows []policy.Notify, s statemachine.Standing, v issues.View) (add, remove []string) {
	wanted := policy.Assigns(rows, s.State)
	entered, known := s.Since()
	if known && entered.Kind != statemachine.Settled && !s.Untouched() {
		for _, login := range wanted {
			if !names(v.Assignees, login) && !names(add, login) && lastAssignment(v, login).ID < entered.ID {
				add = append(add, login)
			}
		}
	}
	for _, login := range v.Assignees {
		if last := lastAssignment(v, login); last.Added && last.ByColony && !names(wanted, login) {
			remove = append(remove, login)
		}
	}
	return add, remove
}

// lastAssignment is the latest event that says that someone was assigned, or no longer is; zero without such an event.
func lastAssignment(v issues.View, login string) issues.Assignment {
	var last issues.Assignment
	for _, a := range v.Assignments {
		if strings.EqualFold(a.To, login) && a.ID > last.ID {
			last = a
		}
	}
	return last
}

func names(logins []string, login string) bool {
	return slices.ContainsFunc(logins, func(l string) bool { return strings.EqualFold(l, login) })
}

// assignFeature turns them into writes, once the issue is where it goes. What GitHub refuses is not tried again by this process, and neither
// is what it leaves out without a word, because someone cannot be assigned there.
var assignFeature = feature{
	name:    "assign",
	applies: func(p planning) bool { return len(p.settings.Notify) > 0 && p.rests() },
	plan:    func(_ context.Context, p planning) ([]issues.Write, error) { return planAssignments(p), nil },
}

func planAssignments(p planning) []issues.Write {
	q := p.issue
	add, remove := assignments(q.settings.Notify, q.standing, q.view)
	add = slices.DeleteFunc(add, func(login string) bool { return q.memory.knows(assigned(q, login)) })
	remove = slices.DeleteFunc(remove, func(login string) bool { return q.memory.knows(unassigned(q, login)) })
	var writes []issues.Write
	if len(add) > 0 {
		writes = append(writes, issues.Write{Assign: add})
	}
	if len(remove) > 0 {
		writes = append(writes, issues.Write{Unassign: remove})
	}
	return writes
}

// rememberAssignments notes whom GitHub was asked to assign and to take off.
func rememberAssignments(q *inquiry, writes []issues.Write) {
	for _, w := range writes {
		for _, login := range w.Assign {
			q.memory.add(assigned(q, login))
		}
		for _, login := range w.Unassign {
			q.memory.add(unassigned(q, login))
		}
	}
}

// assigned notes an assignment in the state where the issue is.
func assigned(q *inquiry, login string) note {
	entered, _ := q.standing.Since()
	return note{noteAssigned, entered.ID, strings.ToLower(login)}
}

// unassigned notes the end of someone's last assignment.
func unassigned(q *inquiry, login string) note {
	return note{noteUnassigned, lastAssignment(q.view, login).ID, strings.ToLower(login)}
}
