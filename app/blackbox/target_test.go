// Package blackbox_test shows Colony as an operator, an executor and an author see it. The scenarios are written once, as
// conversations, and run unchanged on several GitHubs: the playground, npm emulate (build tag emulate), and a real
// organization (flag -github). See docs/blackbox.md.
package blackbox_test

import (
	"context"
	"net/url"
	"time"

	"github.com/google/go-github/v62/github"
)

// capability is something that not every target has. A scenario that needs one which the target lacks is skipped
// by its name, and one that needs it in part checks the rest; both are listed at the end.
type capability string

const (
	aReader        capability = "somebody who may only read"
	aBot           capability = "a bot"
	aMaintainer    capability = "somebody who maintains the repository"
	mereOperator   capability = "an operator who does not maintain the repository"
	enforcedRoles  capability = "a reader's label edits refused"
	reactions      capability = "reactions"
	caselessLabels capability = "labels compared without case"
	creationEvents capability = "label events on creation"
	viaApp         capability = "performed_via_github_app in label events"
	installing     capability = "an App that the tests may install"
	repositoryList capability = "the list of an installation's repositories"
	editTimes      capability = "what was edited, by whom and when"
	deliveryLog    capability = "the hook deliveries API"
	holding        capability = "deliveries held back"
	colonysLog     capability = "Colony's own log"
)

// part is what somebody is in a scenario; who plays it differs from target to target.
type part string

const (
	author     part = "author"     // opens issues
	operator   part = "operator"   // may edit labels
	maintainer part = "maintainer" // may maintain the repository
	reader     part = "reader"     // may read and comment
	bot        part = "bot"        // an executor
)

// person is who plays a part.
type person struct{ login, token string }

// target is a GitHub to run the scenarios on, with one repository and people.
type target struct {
	name        string
	apiURL      string // of the REST API, ending with a slash
	webURL      string
	owner, repo string
	app         appOnTarget
	people      map[part]person
	lacks       map[capability]bool
	executors   map[string][]string // logins that are executors although they are people

	// settle is Colony's settle time; it is short on this machine and as shipped on a real GitHub.
	settle time.Duration
	// tick and deadline are how often and how long to look for something that is sure to come.
	tick, deadline time.Duration

	mail post
	// colonyURL is where a Colony runs that is not the tests'; empty: they start one.
	colonyURL string
	// connect gives the target Colony's address; nil if it does not send webhooks there itself.
	connect func(colonyURL string)
	// install installs the App; nil if it is installed already.
	install func()
	// quiet returns when the target has nothing on the way; nil if it cannot know.
	quiet func(context.Context) error
}

// appOnTarget is Colony's App there.
type appOnTarget struct {
	id     int64
	slug   string
	key    string // PEM
	secret string
}

func (tg *target) can(c capability) bool { return !tg.lacks[c] }

// as returns a client that acts for the account that plays a part.
func (tg *target) as(p part) *github.Client {
	return clientOf(tg.apiURL, tg.people[p].token)
}

func clientOf(apiURL, token string) *github.Client {
	client := github.NewClient(nil).WithAuthToken(token)
	base, err := url.Parse(apiURL)
	if err != nil {
		panic(err) // the target was reached under this URL before
	}
	client.BaseURL = base
	return client
}
