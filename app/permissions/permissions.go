// Package permissions is the table of what Colony asks GitHub for, and the check of what was granted.
package permissions

import (
	"maps"
	"slices"

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
	// Feature is the part of Colony that needs it, where that is not for everybody: it is asked for only where someone wants that part.
	Feature Feature
}

// Feature is a part of Colony that is not for everybody.
type Feature string

// Teams are guards of lifecycles that name teams.
const Teams Feature = "teams"

// Needs is everything that Colony asks for.
var Needs = []Need{
	{Permission: "issues", Level: "write", For: "reading issues and their log, and writing labels, comments and reactions"},
	{Permission: "contents", Level: "read", For: "reading a repository's files, commenting on a commit that breaks them, and seeing pushes to an approved pull request"},
	{Permission: "pull_requests", Level: "read", For: "reading an issue's pull requests and their reviews"},
	{
		Permission: "pull_requests", Level: "write", Optional: true,
		For: "closing an issue's pull requests when a command starts its work again; without it Colony names them",
	},
	{Permission: "checks", Level: "read", For: "reading the results of a pull request's checks"},
	{Permission: "statuses", Level: "read", For: "reading the statuses of a pull request's commits"},
	{
		Permission: "members", Level: "read", Optional: true, Feature: Teams,
		For: "the members of teams, only for lifecycles that name teams",
	},
	{Permission: "metadata", Level: "read", For: "listing repositories, and reading the permission of a command's writer"},
}

// AtTheApp says where the App is given what it lacks.
const AtTheApp = "change it in the App's settings, Permissions & events; then every installation has to accept it"

// All returns what Colony asks for, what is optional included, as GitHub writes it: permission to level. What only a feature needs is left
// out unless that is wanted.
func All(wanted ...Feature) map[string]string {
	asked := map[string]string{}
	for _, n := range Needs {
		if n.Feature != "" && !slices.Contains(wanted, n.Feature) {
			continue
		}
		if levels[n.Level] > levels[asked[n.Permission]] {
			asked[n.Permission] = n.Level
		}
	}
	return asked
}

// unasked are the events that GitHub sends to every App without a subscription:
// https://docs.github.com/webhooks/webhook-events-and-payloads#installation.
var unasked = []string{"installation", "installation_repositories", "ping"}

// Younger are the events that an older GitHub Enterprise Server does not have. It refuses a manifest that subscribes to them.
var Younger = []string{"issue_dependencies", "sub_issues"}

// WithoutYounger says what Colony does not learn of without one of these events.
var WithoutYounger = map[string]string{
	"issue_dependencies": "GitHub does not tell Colony when an issue begins or ceases to be blocked by another; only sweeps and other events find that",
	"sub_issues":         "GitHub does not tell Colony when an issue gets or loses a sub-issue; only sweeps and other events find that",
}

// Subscriptions lists the events that the App must subscribe to, for Colony to receive them.
func Subscriptions() []string {
	var events []string
	for _, event := range handlers.Events() {
		if !slices.Contains(unasked, event) {
			events = append(events, event)
		}
	}
	slices.Sort(events)
	return events
}

// levels ranks what can be granted.
var levels = map[string]int{"": 0, "read": 1, "write": 2, "admin": 3}

// Missing lists what is needed and not granted.
func Missing(grants map[string]string) []Need { return ungranted(grants, false) }

// Forgone lists what is optional and not granted, apart from what only a feature needs.
func Forgone(grants map[string]string) []Need { return ungranted(grants, true) }

func ungranted(grants map[string]string, optional bool) []Need {
	return slices.DeleteFunc(slices.Clone(Needs), func(n Need) bool {
		return n.Feature != "" || n.Optional != optional || levels[grants[n.Permission]] >= levels[n.Level]
	})
}

// Unheard lists the events that are needed and not subscribed to.
func Unheard(subscribed []string) []string {
	return slices.DeleteFunc(Subscriptions(), func(event string) bool { return slices.Contains(subscribed, event) })
}

// Beyond lists what is granted and not needed.
func Beyond(grants map[string]string) []string {
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
