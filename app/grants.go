package app

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/google/go-github/v62/github"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/handlers"
)

// Need is a permission that Colony asks for, and what it is for
// (https://docs.github.com/rest/authentication/permissions-required-for-github-apps).
type Need struct {
	Permission string
	Level      string // read or write
	For        string // what does not work without it
	// Optional says that Colony does all the rest without it.
	Optional bool
}

// Needs is everything that Colony asks for.
var Needs = []Need{
	{Permission: "issues", Level: "write", For: "reading issues and their log, and writing labels, comments and reactions"},
	{Permission: "contents", Level: "read", For: "reading which lifecycle a repository brings or chooses, and telling on a commit what is wrong with it"},
	{Permission: "pull_requests", Level: "read", For: "reading what becomes of an issue's pull requests, and their reviews"},
	{
		Permission: "pull_requests", Level: "write", Optional: true,
		For: "closing an issue's pull requests when a command starts its work afresh; without it Colony says which are left open",
	},
	{Permission: "checks", Level: "read", For: "reading how the checks of a pull request went"},
	{Permission: "statuses", Level: "read", For: "reading the statuses of a pull request's commits"},
	{Permission: "metadata", Level: "read", For: "listing repositories, and reading the permission of whoever writes a command"},
}

// Permissions returns what Colony asks for, what is optional included, as GitHub writes it: permission to level.
func Permissions() map[string]string {
	asked := map[string]string{}
	for _, n := range Needs {
		if levels[n.Level] > levels[asked[n.Permission]] {
			asked[n.Permission] = n.Level
		}
	}
	return asked
}

// unasked are the events that GitHub sends to every App without a subscription:
// https://docs.github.com/webhooks/webhook-events-and-payloads#installation.
var unasked = []string{"installation", "installation_repositories", "ping"}

// Subscriptions lists the events that the App must subscribe to, for Colony to hear of them.
func Subscriptions() []string {
	var events []string
	for _, h := range handlers.All(nil, nil, nil, zerolog.Nop()) {
		for _, event := range h.Handles() {
			if !slices.Contains(unasked, event) {
				events = append(events, event)
			}
		}
	}
	slices.Sort(events)
	return events
}

// grantsOf reads permissions as GitHub wrote them: name to level.
func grantsOf(p *github.InstallationPermissions) (map[string]string, error) {
	text, err := json.Marshal(p)
	if err != nil {
		return nil, fmt.Errorf("read permissions: %w", err)
	}
	grants := map[string]string{}
	if err := json.Unmarshal(text, &grants); err != nil {
		return nil, fmt.Errorf("read permissions: %w", err)
	}
	return grants, nil
}

// levels ranks what may be granted.
var levels = map[string]int{"": 0, "read": 1, "write": 2, "admin": 3}

// missing lists what is needed and not granted.
func missing(grants map[string]string) []Need { return ungranted(grants, false) }

// forgone lists what is optional and not granted.
func forgone(grants map[string]string) []Need { return ungranted(grants, true) }

func ungranted(grants map[string]string, optional bool) []Need {
	return slices.DeleteFunc(slices.Clone(Needs), func(n Need) bool {
		return n.Optional != optional || levels[grants[n.Permission]] >= levels[n.Level]
	})
}

// unheard lists the events that are needed and not subscribed to.
func unheard(subscribed []string) []string {
	return slices.DeleteFunc(Subscriptions(), func(event string) bool { return slices.Contains(subscribed, event) })
}

// beyond lists what is granted and not needed.
func beyond(grants map[string]string) []string {
	var more []string
	for _, permission := range slices.Sorted(maps.Keys(grants)) {
		needed := slices.ContainsFunc(Needs, func(n Need) bool {
			return n.Permission == permission && levels[grants[permission]] <= levels[n.Level]
		})
		if !needed {
			more = append(more, permission+": "+grants[permission])
		}
	}
	return more
}

// compareGrants logs what was not granted that Colony needs, so that nobody has to find out from what does not work.
func (s *Server) compareGrants(ctx context.Context) {
	app, _, err := s.desk.app.Apps.Get(ctx, "")
	if err != nil {
		s.log.Warn().Err(err).Msg("the App's permissions cannot be compared with what is needed")
		return
	}
	if s.logMissing(app.GetPermissions(), app.Events, s.log) {
		return // no installation can have more
	}
	all, err := client.Installations(ctx, s.desk.app)
	if err != nil {
		s.log.Warn().Err(err).Msg("the permissions of the installations cannot be compared with what is needed")
		return
	}
	for _, i := range all {
		log := s.log.With().Int64("installation", i.GetID()).Str("account", i.GetAccount().GetLogin()).Logger()
		s.logMissing(i.GetPermissions(), i.Events, log)
	}
}

func (s *Server) logMissing(permissions *github.InstallationPermissions, events []string, log zerolog.Logger) (found bool) {
	grants, err := grantsOf(permissions)
	if err != nil {
		log.Warn().Err(err).Msg("permissions cannot be compared with what is needed")
		return false
	}
	for _, n := range missing(grants) {
		found = true
		log.Error().Str("permission", n.Permission).Str("needed", n.Level).Str("granted", grants[n.Permission]).Str("for", n.For).
			Msg("GitHub does not grant a permission that is needed: see colony doctor")
	}
	for _, event := range unheard(events) {
		found = true
		log.Error().Str("event", event).Msg("the App is not subscribed to an event that is needed: see colony doctor")
	}
	return found
}
