package handlers

import (
	"github.com/palantir/go-githubapp/githubapp"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/reconcile"
)

// Events returns the names of the events that Colony handles.
func Events() []string {
	var names []string
	for _, h := range All(nil, nil, nil, zerolog.Nop()) {
		names = append(names, h.Handles()...)
	}
	return names
}

// All returns the handlers of every event that Colony subscribes to, one an event: go-githubapp's dispatcher ignores
// a second one without a word. They publish into q, pass over what self did and
// labels that begin otherwise, and log to log; never a body.
//
// A handler's error is a githubapp.ValidationError if the body cannot be read (answered 400); otherwise the request
// could not be stored. The latter wraps what q returned, so that a q that returns githubapp.ErrCapacityExceeded is
// answered 503 and any other error 500; the delivery should be asked for again.
func All(q reconcile.Enqueuer, self Self, labels *Prefixes, log zerolog.Logger) []githubapp.EventHandler {
	p := publisher{queue: q, self: self, labels: labels, log: log}
	return []githubapp.EventHandler{
		handler[issuesEvent]{p, "issues", publisher.routeIssues},
		handler[issueCommentEvent]{p, "issue_comment", publisher.routeIssueComment},
		handler[labelEvent]{p, "label", publisher.routeLabel},
		handler[envelope]{p, "installation", publisher.routeInstallation},
		handler[installationRepositoriesEvent]{p, "installation_repositories", publisher.routeInstallationRepositories},
		handler[repositoryEvent]{p, "repository", publisher.routeRepository},
		handler[pushEvent]{p, "push", publisher.routePush},
		handler[pullRequestEvent]{p, "pull_request", publisher.routePullRequest},
		handler[pullRequestReviewEvent]{p, "pull_request_review", publisher.routePullRequestReview},
		handler[checkSuiteEvent]{p, "check_suite", publisher.routeCheckSuite},
		handler[checkRunEvent]{p, "check_run", publisher.routeCheckRun},
		handler[statusEvent]{p, "status", publisher.routeStatus},
		handler[issueDependenciesEvent]{p, "issue_dependencies", publisher.routeIssueDependencies},
		handler[subIssuesEvent]{p, "sub_issues", publisher.routeSubIssues},
		handler[envelope]{p, "ping", publisher.routePing},
	}
}
