package reconcile

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/teams"
	"github.com/colony-app/colony/lifecycle"
)

// fieldHolds reports whether a condition about the issue itself holds, as it was when it was read.
func (c *Case) fieldHolds(condition lifecycle.Condition) (lifecycle.Answer, error) {
	v := c.view
	var holds func(word string) bool
	switch condition.Kind {
	case lifecycle.InMilestone:
		holds = func(title string) bool {
			return v.Milestone != "" && (title == lifecycle.AnyOne || title == v.Milestone)
		}
	case lifecycle.AssignedTo:
		holds = c.isAssigned
	case lifecycle.IsType:
		holds = func(name string) bool { return strings.EqualFold(name, v.Type) }
	case lifecycle.SectionFilled:
		holds = func(name string) bool { return commands.FilledIn(v.Body, name) }
	case lifecycle.TitleMatches:
		return matches(v.Title, condition.Words)
	case lifecycle.BodyMatches:
		return matches(v.Body, condition.Words)
	default:
		return lifecycle.Unknown, fmt.Errorf("this version of Colony cannot read the condition %q", condition.Kind)
	}
	return lifecycle.AnswerOf(slices.ContainsFunc(condition.Words, holds)), nil
}

// isAssigned reports whether the issue is assigned to a login, to its author, or to anybody.
func (c *Case) isAssigned(word string) bool {
	switch word {
	case lifecycle.AnyOne:
		return len(c.view.Assignees) > 0
	case lifecycle.TheAuthor:
		word = c.view.Author.Login
	}
	return word != "" && slices.ContainsFunc(c.view.Assignees, func(login string) bool { return strings.EqualFold(login, word) })
}

func matches(text string, patterns []string) (lifecycle.Answer, error) {
	for _, pattern := range patterns {
		if found, err := lifecycle.MatchesPattern(pattern, text); err != nil || found {
			return lifecycle.AnswerOf(found), err
		}
	}
	return lifecycle.No, nil
}

// inTeam reports whether someone is a member of one of some teams. Where one cannot be read, another one can still say so.
func inTeam(ctx context.Context, q *inquiry, login string, named []string) (lifecycle.Answer, error) {
	var unread error
	for _, name := range named {
		team, err := teams.Parse(name)
		if err != nil {
			return lifecycle.Unknown, err
		}
		switch member, err := q.Teams.IsMember(ctx, q.view.Ref.Repository, team, login); {
		case member:
			return lifecycle.Yes, nil
		case err != nil && unread != nil:
			unread = fmt.Errorf("%w; %w", unread, err)
		case err != nil:
			unread = err
		}
	}
	if unread != nil {
		return lifecycle.Unknown, unread
	}
	return lifecycle.No, nil
}

// hasCapacity reports whether fewer than so many other issues are in a state, as their labels say.
func hasCapacity(ctx context.Context, q *inquiry, state string, most int) (lifecycle.Answer, error) {
	labels := q.namesOf(state)
	fewer, err := q.store.Fewer(ctx, q.view.Ref.Repository, labels, most, q.view.Ref.Number)
	if err != nil {
		return lifecycle.Unknown, fmt.Errorf("cannot count the issues in %s: %w", state, issues.InWords(err))
	}
	return lifecycle.AnswerOf(fewer), nil
}
