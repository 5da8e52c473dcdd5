package handlers

import (
	"github.com/palantir/go-githubapp/githubapp"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/reconcile"
)

// Events returns the names of the events that Colony handles.
func Events() []string {
	var names []string
	for _, h := range All(nil, nil, nil, News{}, zerolog.Nop()) {
		names = append(names, h.Handles()...)
	}
	return names
}

// All returns the handlers of every event that Colony subscribes to, one an event. They publish into q, pass over what self did and what no policy
// that policies knows has a use for, and log to log; never a body. They tell news immediately of what leads to no reconciliation.
//
// A handler's error is a githubapp.ValidationError if the body cannot be read (answered 400); otherwise the request
// could not be stored. The latter wraps what q returned, so that a q that returns githubapp.ErrCapacityExceeded is
// answered 503 and any other error 500; the delivery should be asked for again.
func All(q reconcile.Enqueuer, self Self, policies Policies, news News, log zerolog.Logger) []githubapp.EventHandler {
	p := publisher{queue: q, self: self, policies: policies, news: news, log: log}
	return []githubapp.EventHandler{
		on(p, "issues", publisher.routeIssues),
		on(p, "issue_comment", publisher.routeIssueComment),
		on(p, "label", publisher.routeLabel),
		on(p, "installation", publisher.routeInstallation),
		on(p, "installation_repositories", publisher.routeInstallationRepositories),
		on(p, "repository", publisher.routeRepository),
		on(p, "push", publisher.routePush),
		on(p, "pull_request", publisher.routePullRequest),
		on(p, "pull_request_review", publisher.routePullRequestReview),
		on(p, "check_suite", publisher.routeCheckSuite),
		on(p, "check_run", publisher.routeCheckRun),
		on(p, "status", publisher.routeStatus),
		on(p, "issue_dependencies", publisher.routeIssueDependencies),
		on(p, "sub_issues", publisher.routeSubIssues),
		on(p, "ping", publisher.routePing),
	}
}
