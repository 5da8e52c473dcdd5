package playground

import (
	"fmt"
	"slices"
)

// Event is one kind of webhook that the playground sends.
type Event struct {
	Name    string
	Actions []string // empty: it has none
}

// events is everything that is ever sent: https://docs.github.com/webhooks/webhook-events-and-payloads.
var events = []Event{
	{"check_run", []string{"completed", "created"}},
	{"check_suite", []string{"completed", "requested"}},
	{"installation", []string{"created", "deleted", "new_permissions_accepted", "suspend", "unsuspend"}},
	{"installation_repositories", []string{"added", "removed"}},
	{"issue_comment", []string{"created", "deleted", "edited"}},
	{"issue_dependencies", []string{"blocked_by_added", "blocked_by_removed", "blocking_added", "blocking_removed"}},
	{"issues", []string{"assigned", "closed", "deleted", "demilestoned", "edited", "labeled", "locked", "milestoned", "opened", "pinned", "reopened", "transferred", "typed", "unassigned", "unlabeled", "unlocked", "unpinned", "untyped"}},
	{"label", []string{"created", "deleted", "edited"}},
	{"ping", nil},
	{"pull_request", []string{"assigned", "closed", "converted_to_draft", "edited", "labeled", "locked", "opened", "ready_for_review", "reopened", "synchronize", "unassigned", "unlabeled", "unlocked"}},
	{"pull_request_review", []string{"dismissed", "submitted"}},
	{"push", nil},
	{"repository", []string{"archived", "created", "deleted", "edited", "privatized", "publicized", "renamed", "unarchived"}},
	{"status", nil},
	{"sub_issues", []string{"parent_issue_added", "parent_issue_removed", "sub_issue_added", "sub_issue_removed"}},
}

// Events lists every webhook that the playground can send, by name.
func Events() []Event { return slices.Clone(events) }

// mustBeListed keeps the table of events true: what is not in it is not sent.
func mustBeListed(event, action string) {
	for _, e := range events {
		if e.Name == event && (action == "" && e.Actions == nil || slices.Contains(e.Actions, action)) {
			return
		}
	}
	panic(fmt.Sprintf("playground: %s.%s is not in its table of events", event, action))
}
