package app_test

import (
	"errors"
	"maps"
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/colony-app/colony/app/permissions"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/playground"
)

// GitHub's GraphQL answers to an App that may not read something: the issue, the list of its pull requests, or one of the list.
const (
	issueForbidden   = `{"data":{"repository":{"issue":null}},"errors":[{"type":"FORBIDDEN","path":["repository","issue"],"extensions":{"saml_failure":false},"locations":[{"line":3,"column":5}],"message":"Resource not accessible by integration"}]}`
	listForbidden    = `{"data":{"repository":{"issue":{"closedByPullRequestsReferences":null}}},"errors":[{"type":"FORBIDDEN","path":["repository","issue","closedByPullRequestsReferences"],"extensions":{"saml_failure":false},"locations":[{"line":4,"column":7}],"message":"Resource not accessible by integration"}]}`
	elementForbidden = `{"data":{"repository":{"issue":{"closedByPullRequestsReferences":{"nodes":[null]}}}},"errors":[{"type":"FORBIDDEN","path":["repository","issue","closedByPullRequestsReferences","nodes",0],"extensions":{"saml_failure":false},"locations":[{"line":4,"column":7}],"message":"Resource not accessible by integration"}]}`
	fieldUnknown     = `{"errors":[{"path":["query","repository","issue","closedByPullRequestsReferences"],"extensions":{"code":"undefinedField"},"locations":[{"line":4,"column":7}],"message":"Field 'closedByPullRequestsReferences' doesn't exist on type 'Issue'"}]}`
	issueNotFound    = `{"data":{"repository":{"issue":null}},"errors":[{"type":"NOT_FOUND","path":["repository","issue"],"locations":[{"line":3,"column":5}],"message":"Could not resolve to an Issue with the number of 1."}]}`
)

// If GitHub does not say which pull requests it links, that does not mean that it links none: nothing moves until it says.
func TestWhatGitHubForbidsIsNotMissing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault  playground.Fault
		moves  bool    // it was found out that no pull request is linked
		unread float64 // how often that could not be found out
	}{
		"the issue is forbidden":         {fault: playground.Fault{Status: http.StatusOK, Body: issueForbidden}, unread: 1},
		"the list is forbidden":          {fault: playground.Fault{Status: http.StatusOK, Body: listForbidden}, unread: 1},
		"the API is forbidden":           {fault: playground.Fault{Status: http.StatusForbidden, Body: `{"message":"Resource not accessible by integration"}`}, unread: 1},
		"the issue is not there yet":     {fault: playground.Fault{Status: http.StatusOK, Body: issueNotFound, Times: 1}},
		"of another repository, perhaps": {fault: playground.Fault{Status: http.StatusOK, Body: elementForbidden}, moves: true},
		"the server does not have it":    {fault: playground.Fault{Status: http.StatusOK, Body: fieldUnknown}, moves: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newFactsWorld(t, missingLifecycle)
			i := w.openLinked()
			c.fault.Kind, c.fault.Path, c.fault.Actor = playground.FaultStatus, regexp.MustCompile("/graphql$"), "colony[bot]"
			w.github.Fault(c.fault)
			i.Label("olivia", "colony:a")
			w.Settle()
			want := "colony:a"
			if c.moves {
				want = "colony:b"
			}
			i.Has(want)
			if n := acme.Value(w.metrics(), "colony_facts_unread_total", "reading=pull-requests"); n != c.unread {
				t.Errorf("%v readings of pull requests were forbidden, want %v", n, c.unread)
			}
		})
	}
}

// missingLifecycle moves an issue that has no pull request from a to b.
var missingLifecycle = acme.RowsLifecycle(`triggers:
  - {on: pull-request-missing, in: state-a, to: state-b, why: It has no pull request}
`)

// openLinked opens an issue with a pull request that is linked by hand only.
func (w *world) openLinked() *issue {
	w.t.Helper()
	i := &issue{w.OpenIn("colony:c", "Paint it."), w}
	w.Settle()
	w.Must(w.github.LinkPullRequest("acme", "widgets", i.Number, "", i.Pull("work", "", false), true, "mona"))
	w.Settle()
	w.clock.Advance(time.Minute)
	return i
}

// Colony asks for what GitHub forbids again after some minutes, and at once when somebody grants the App something; not at every
// reconciliation.
func TestForbiddenReadsAreRetried(t *testing.T) {
	t.Parallel()
	for name, allow := range map[string]func(w *world) error{
		"after some minutes": func(w *world) error { w.clock.Advance(6 * time.Minute); return nil },
		"after permissions were accepted": func(w *world) error {
			fewer := maps.Clone(permissions.All())
			delete(fewer, "statuses")
			return errors.Join(w.github.SetInstallationPermissions(w.Installation, fewer), w.github.SetInstallationPermissions(w.Installation, permissions.All()))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newFactsWorld(t, missingLifecycle)
			i := w.openLinked()
			forbidden := playground.Fault{Kind: playground.FaultStatus, Status: http.StatusOK, Body: listForbidden, Path: regexp.MustCompile("/graphql$"), Actor: "colony[bot]"}
			cancel := w.github.Fault(forbidden)
			i.Label("olivia", "colony:a")
			w.Settle()
			i.Has("colony:a")
			w.github.ResetCalls()
			i.EditOpening("ada", "Is it red?")
			w.Settle()
			if n := w.Asked("/graphql"); n != 0 {
				t.Errorf("Colony asked %d times for what was forbidden a moment ago", n)
			}
			cancel()
			w.Must(w.github.LinkPullRequest("acme", "widgets", i.Number, "", i.Number+1, false, "mona"))
			w.Must(allow(w))
			w.Settle()
			i.EditOpening("ada", "It is red.")
			w.Settle()
			i.Has("colony:b")
		})
	}
}

// A pull request still wakes the issues that it names where GitHub does not say which it links by hand.
func TestForbiddenLinksHideNoKeywords(t *testing.T) {
	t.Parallel()
	w := newFactsWorld(t, acme.RowsLifecycle(`triggers:
  - {on: review-approved, in: state-a, to: state-b, why: It is approved}
`))
	i := w.OpenIn("colony:a", "Paint it.")
	pull := i.Pull("colony/1-paint", "", false)
	w.Settle()
	w.clock.Advance(time.Minute)
	w.github.Fault(playground.Fault{
		Kind: playground.FaultStatus, Status: http.StatusOK, Path: regexp.MustCompile("/graphql$"), Actor: "colony[bot]", Times: 1,
		Body: `{"data":{"repository":{"pullRequest":null}},"errors":[{"type":"FORBIDDEN","path":["repository","pullRequest"],"message":"Resource not accessible by integration"}]}`,
	})
	i.Review(pull, "APPROVE", "olivia")
	w.Settle()
	i.Has("colony:b")
}
