package issues_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"
	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/playground"
)

// scene is a repository with an issue, #1, about which facts are read.
type scene struct {
	*playground.Playground
	t     *testing.T
	clock *clockwork.FakeClock
	url   string
	// wire has connections of its own: other tests close those of the default transport with their servers.
	wire *http.Client
}

// NewInstallationClient implements issues.Clients: what is read is the same for everybody who may read it.
func (s *scene) NewInstallationClient(int64) (*github.Client, error) {
	return github.NewClient(s.wire).WithAuthToken(s.Token("mona")).WithEnterpriseURLs(s.url+"/api/v3/", s.url)
}

func newScene(t *testing.T) *scene {
	t.Helper()
	s := &scene{t: t, clock: clockwork.NewFakeClockAt(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC))}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	t.Cleanup(transport.CloseIdleConnections)
	s.wire = &http.Client{Transport: transport}
	s.Playground = playground.New(playground.Options{Clock: s.clock, AuthClock: clockwork.NewRealClock()})
	var err error
	s.url, err = s.Start("127.0.0.1:0")
	s.must(err)
	t.Cleanup(func() { s.must(s.Close()) })
	s.AddOrganization("acme")
	for login, role := range map[string]string{"mona": "maintain", "olivia": "write", "tara": "write", "rita": "read", "ada": "read"} {
		s.AddUser(login)
		for _, name := range []string{"widgets", "gadgets"} {
			s.AddRepository("acme", name)
			s.SetPermission("acme", name, login, role)
		}
	}
	s.AddBot("ci")
	s.AddBot("lint")
	s.issue("widgets", "Paint it.")
	return s
}

func (s *scene) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// issue opens an issue by ada.
func (s *scene) issue(repository, body string) int {
	s.t.Helper()
	client, err := github.NewClient(s.wire).WithAuthToken(s.Token("ada")).WithEnterpriseURLs(s.url+"/api/v3/", s.url)
	s.must(err)
	opened, _, err := client.Issues.Create(context.Background(), "acme", repository, &github.IssueRequest{Title: new("An issue"), Body: &body})
	s.must(err)
	s.later()
	return opened.GetNumber()
}

// secret opens an issue in a private repository, which somebody may read beside mona.
func (s *scene) secret(reader string) int {
	s.t.Helper()
	s.AddRepository("acme", "secrets")
	s.must(s.SetPrivate("acme", "secrets", true))
	s.SetPermission("acme", "secrets", reader, "read")
	s.SetPermission("acme", "secrets", "mona", "maintain")
	opened, _, err := s.client().Issues.Create(context.Background(), "acme", "secrets", &github.IssueRequest{Title: new("A secret")})
	s.must(err)
	if reader != "mona" { // it is the reader's own
		s.must(s.DeleteIssue("acme", "secrets", opened.GetNumber(), "mona"))
		return s.issue("secrets", "")
	}
	return opened.GetNumber()
}

func (s *scene) later() { s.clock.Advance(time.Minute) }

func (s *scene) client() *github.Client {
	s.t.Helper()
	client, err := s.NewInstallationClient(0)
	s.must(err)
	return client
}

func (s *scene) edit(repository string, number int, to github.IssueRequest) {
	s.t.Helper()
	_, _, err := s.client().Issues.Edit(context.Background(), "acme", repository, number, &to)
	s.must(err)
	s.later()
}

func (s *scene) closes(repository string, number int, reason string) {
	s.t.Helper()
	to := github.IssueRequest{State: new("closed")}
	if reason != "" {
		to.StateReason = &reason
	}
	s.edit(repository, number, to)
}

func (s *scene) body(text string) { s.edit("widgets", 1, github.IssueRequest{Body: &text}) }

func (s *scene) pushFile(branch, path string) {
	s.t.Helper()
	_, err := s.Push("acme", "widgets", branch, path, branch, "tara")
	s.must(err)
	s.later()
}

// other opens an issue, and a pull request for it that changes a file.
func (s *scene) other(path string) int {
	s.t.Helper()
	n := s.issue("widgets", "")
	branch := fmt.Sprintf("for-%d", n)
	s.pushFile(branch, path)
	return s.pull(playground.PullRequest{Branch: branch, Body: fmt.Sprintf("Fixes #%d", n)})
}

// changing opens a pull request for #1 that changes a file.
func (s *scene) changing(path, branch string) int {
	s.t.Helper()
	if branch == "" {
		branch = "mine"
	}
	s.pushFile(branch, path)
	return s.fix(branch)
}

// says has ada, who opened #1, write its text anew.
func (s *scene) says(text string) {
	s.t.Helper()
	client, err := github.NewClient(s.wire).WithAuthToken(s.Token("ada")).WithEnterpriseURLs(s.url+"/api/v3/", s.url)
	s.must(err)
	_, _, err = client.Issues.Edit(context.Background(), "acme", "widgets", 1, &github.IssueRequest{Body: &text})
	s.must(err)
	s.later()
}

// pull opens a pull request by tara.
func (s *scene) pull(p playground.PullRequest) int {
	s.t.Helper()
	p.Owner, p.Name, p.By = "acme", "widgets", "tara"
	number, err := s.OpenPullRequest(p)
	s.must(err)
	s.later()
	return number
}

func (s *scene) fix(branch string) int {
	s.t.Helper()
	return s.pull(playground.PullRequest{Branch: branch, Body: "Fixes #1"})
}

func (s *scene) merge(number int) {
	s.t.Helper()
	s.mergeAs(number, "mona")
}

func (s *scene) mergeAs(number int, by string) {
	s.t.Helper()
	s.must(s.MergePullRequest("acme", "widgets", number, by))
	s.later()
}

func (s *scene) push(branch, content string) {
	s.t.Helper()
	_, err := s.Push("acme", "widgets", branch, "paint", content, "tara")
	s.must(err)
	s.later()
}

func (s *scene) review(number int, event, by string) int64 {
	s.t.Helper()
	id, err := s.ReviewPullRequest("acme", "widgets", number, event, "so be it", by)
	s.must(err)
	s.later()
	return id
}

func (s *scene) dismiss(number int, id int64) {
	s.t.Helper()
	_, _, err := s.client().PullRequests.DismissReview(context.Background(), "acme", "widgets", number, id, &github.PullRequestReviewDismissalRequest{Message: new("no")})
	s.must(err)
	s.later()
}

func (s *scene) check(branch, bot, name, conclusion string) {
	s.t.Helper()
	_, err := s.SetCheck("acme", "widgets", branch, bot, name, conclusion)
	s.must(err)
	s.later()
}

func (s *scene) status(branch, name, state string) {
	s.t.Helper()
	s.must(s.SetStatus("acme", "widgets", branch, name, state, "mona"))
	s.later()
}

func (s *scene) blockedBy(number int, repository string, by int) {
	s.t.Helper()
	s.must(s.SetBlockedBy("acme", "widgets", number, repository, by, true, "mona"))
	s.later()
}

func (s *scene) subIssue(repository string, number int) {
	s.t.Helper()
	s.must(s.SetSubIssue("acme", "widgets", 1, repository, number, true, "mona"))
	s.later()
}

// observed reads what holds for #1, each fact with what it is about.
func (s *scene) observed(needs ...lifecycle.Reading) []string {
	s.t.Helper()
	return s.observedBy(s.store(), needs...)
}

func (s *scene) store() *issues.Store {
	s.t.Helper()
	store := issues.NewStore(s, &issues.Actors{})
	var err error
	store.Branches, err = issues.ParseBranches(issues.DefaultBranches)
	s.must(err)
	return store
}

func (s *scene) observedBy(store *issues.Store, needs ...lifecycle.Reading) []string {
	s.t.Helper()
	view, err := store.Load(context.Background(), issues.Ref{Repository: issues.Repository{Owner: "acme", Name: "widgets"}, Number: 1})
	s.must(err)
	found, err := store.Facts(context.Background(), view, issues.Ask{Needs: needs})
	s.must(err)
	s.must(found.Unread)
	var all []string
	for _, o := range found.Observed {
		fact := string(o.Fact)
		if o.About != "" {
			fact += " " + o.About
		}
		all = append(all, fact)
	}
	slices.Sort(all)
	return all
}

// The cases are what becomes of pull requests in real repositories, and the facts that Colony observes.
func TestObservedFacts(t *testing.T) {
	t.Parallel()
	type situation struct {
		name  string
		make  func(s *scene)
		needs lifecycle.Reading
		want  []string
	}
	none := []string(nil)
	for _, c := range []situation{
		{"no pull request", func(*scene) {}, lifecycle.ReadPullRequests, []string{"pull-request-missing"}},
		{
			"a draft", func(s *scene) { s.pull(playground.PullRequest{Branch: "work", Body: "Fixes #1", Draft: true}) },
			lifecycle.ReadPullRequests,
			[]string{"pull-request-opened #2"},
		},
		{
			"one merged, one open", func(s *scene) { s.fix("other"); s.merge(s.fix("work")) },
			lifecycle.ReadPullRequests,
			[]string{"issue-merged #3", "pull-request-merged #3", "pull-request-opened #2", "pull-request-ready #2"},
		},
		{
			"one closed, one open", func(s *scene) { s.fix("other"); s.closes("widgets", s.fix("work"), "") },
			lifecycle.ReadPullRequests,
			[]string{"pull-request-opened #2", "pull-request-ready #2"},
		},
		{
			"all closed", func(s *scene) { s.closes("widgets", s.fix("work"), ""); s.closes("widgets", s.fix("again"), "") },
			lifecycle.ReadPullRequests,
			[]string{"pull-request-closed #3", "pull-request-missing"},
		},
		{
			"closed, then another merged", func(s *scene) { s.closes("widgets", s.fix("work"), ""); s.merge(s.fix("again")) },
			lifecycle.ReadPullRequests,
			[]string{"issue-merged #3", "pull-request-merged #3"},
		},
		{
			"merged, then another closed", func(s *scene) { s.merge(s.fix("work")); s.closes("widgets", s.fix("again"), "") },
			lifecycle.ReadPullRequests,
			[]string{"issue-merged #2", "pull-request-closed #3", "pull-request-merged #2", "pull-request-missing"},
		},
		{"one that closes several issues", func(s *scene) {
			other := s.issue("widgets", "")
			s.pull(playground.PullRequest{Branch: "work", Body: fmt.Sprintf("Closes #%d, fixes #1", other)})
		}, lifecycle.ReadPullRequests, []string{"pull-request-opened #3", "pull-request-ready #3"}},
		{"one into another branch", func(s *scene) {
			s.push("next", "red")
			s.merge(s.pull(playground.PullRequest{Branch: "work", Base: "next", Body: "Fixes #1"}))
		}, lifecycle.ReadPullRequests, []string{"pull-request-missing"}},
		{"one into another branch, by the name of its branch", func(s *scene) {
			s.push("next", "red")
			s.merge(s.pull(playground.PullRequest{Branch: "1-work", Base: "next"}))
		}, lifecycle.ReadPullRequests, []string{"pull-request-merged #2"}},
		{
			"a keyword that was taken back", func(s *scene) { s.edit("widgets", s.fix("work"), github.IssueRequest{Body: new("Nothing")}) },
			lifecycle.ReadPullRequests,
			[]string{"pull-request-missing"},
		},
		{"a keyword in code, a comment, and an example", func(s *scene) {
			s.pull(playground.PullRequest{Branch: "work", Body: "`Fixes #1`\n\n```\nFixes #1\n```\n<!-- Fixes #1 -->\n\n    Fixes #1\n"})
		}, lifecycle.ReadPullRequests, []string{"pull-request-missing"}},
		{
			"a keyword in a quotation", func(s *scene) { s.pull(playground.PullRequest{Branch: "work", Body: "> Fixes #1"}) },
			lifecycle.ReadPullRequests,
			[]string{"pull-request-opened #2", "pull-request-ready #2"},
		},
		{
			"another repository's issue", func(s *scene) { s.pull(playground.PullRequest{Branch: "work", Body: "Fixes acme/gadgets#1"}) },
			lifecycle.ReadPullRequests,
			[]string{"pull-request-missing"},
		},
		{"by an address", func(s *scene) {
			s.pull(playground.PullRequest{Branch: "work", Body: "Resolves " + s.url + "/acme/widgets/issues/1"})
		}, lifecycle.ReadPullRequests, []string{"pull-request-opened #2", "pull-request-ready #2"}},

		{"an approval, then a comment", func(s *scene) {
			n := s.fix("work")
			s.review(n, "APPROVE", "olivia")
			s.review(n, "COMMENT", "olivia")
		}, lifecycle.ReadReviews, []string{"review-approved olivia"}},
		{
			"an approval, then a push", func(s *scene) { s.review(s.fix("work"), "APPROVE", "olivia"); s.push("work", "blue") },
			lifecycle.ReadReviews,
			[]string{"review-approved olivia"},
		},
		{
			"an approval that was dismissed", func(s *scene) { n := s.fix("work"); s.dismiss(n, s.review(n, "APPROVE", "olivia")) },
			lifecycle.ReadReviews, none,
		},
		{"changes requested, then dismissed, with another's approval", func(s *scene) {
			n := s.fix("work")
			s.review(n, "APPROVE", "mona")
			s.dismiss(n, s.review(n, "REQUEST_CHANGES", "olivia"))
		}, lifecycle.ReadReviews, []string{"review-approved mona"}},
		{"changes requested, then approved", func(s *scene) {
			n := s.fix("work")
			s.review(n, "REQUEST_CHANGES", "olivia")
			s.review(n, "APPROVE", "olivia")
		}, lifecycle.ReadReviews, []string{"review-approved olivia"}},
		{"somebody who may only read", func(s *scene) { s.review(s.fix("work"), "APPROVE", "rita") }, lifecycle.ReadReviews, none},
		{"the author's own comment", func(s *scene) { s.review(s.fix("work"), "COMMENT", "tara") }, lifecycle.ReadReviews, none},
		{"of two pull requests one is refused", func(s *scene) {
			s.review(s.fix("work"), "APPROVE", "olivia")
			s.review(s.fix("again"), "REQUEST_CHANGES", "olivia")
		}, lifecycle.ReadReviews, []string{"review-changes-requested olivia"}},
		{"a pull request that was closed after its review", func(s *scene) {
			n := s.fix("work")
			s.review(n, "REQUEST_CHANGES", "olivia")
			s.closes("widgets", n, "")
		}, lifecycle.ReadReviews, none},

		{"approvals of people, and none of a bot", func(s *scene) {
			n := s.fix("work")
			s.review(n, "APPROVE", "ci[bot]")
			s.review(n, "APPROVE", "olivia")
			s.review(n, "APPROVE", "rita")
		}, lifecycle.ReadApprovals, []string{"person-approved olivia"}},
		{"an approval while somebody else requests changes", func(s *scene) {
			n := s.fix("work")
			s.review(n, "APPROVE", "olivia")
			s.review(n, "REQUEST_CHANGES", "mona")
		}, lifecycle.ReadApprovals, none},
		{"an approval, then a bot's merge", func(s *scene) {
			n := s.fix("work")
			s.review(n, "APPROVE", "olivia")
			s.mergeAs(n, "ci[bot]")
		}, lifecycle.ReadApprovals, []string{"person-approved olivia"}},
		{"a bot's merge", func(s *scene) { s.mergeAs(s.fix("work"), "ci[bot]") }, lifecycle.ReadApprovals, none},
		{"a person's merge", func(s *scene) { s.merge(s.fix("work")) }, lifecycle.ReadApprovals, []string{"person-approved mona"}},
		{"an approval of what was closed without a merge", func(s *scene) {
			n := s.fix("work")
			s.review(n, "APPROVE", "olivia")
			s.closes("widgets", n, "")
		}, lifecycle.ReadApprovals, none},

		{"no checks", func(s *scene) { s.fix("work") }, lifecycle.ReadChecks, none},
		{
			"a check that never ends", func(s *scene) {
				s.fix("work")
				s.check("work", "ci", "build", "")
				s.check("work", "ci", "test", "failure")
			},
			lifecycle.ReadChecks, none,
		},
		{
			"neutral and skipped", func(s *scene) {
				s.fix("work")
				s.check("work", "ci", "build", "neutral")
				s.check("work", "ci", "test", "skipped")
			},
			lifecycle.ReadChecks,
			[]string{"checks-passed #2"},
		},
		{"cancelled", func(s *scene) { s.fix("work"); s.check("work", "ci", "build", "cancelled") }, lifecycle.ReadChecks, []string{"checks-failed #2 (build)"}},
		{"timed out", func(s *scene) { s.fix("work"); s.check("work", "ci", "build", "timed_out") }, lifecycle.ReadChecks, []string{"checks-failed #2 (build)"}},
		{
			"an action is required", func(s *scene) { s.fix("work"); s.check("work", "ci", "build", "action_required") },
			lifecycle.ReadChecks,
			[]string{"checks-failed #2 (build)"},
		},
		{
			"run again", func(s *scene) {
				s.fix("work")
				s.check("work", "ci", "build", "failure")
				s.check("work", "ci", "build", "success")
			},
			lifecycle.ReadChecks,
			[]string{"checks-passed #2"},
		},
		{
			"run again, not done yet", func(s *scene) {
				s.fix("work")
				s.check("work", "ci", "build", "failure")
				s.check("work", "ci", "build", "")
			},
			lifecycle.ReadChecks, none,
		},
		{
			"of an older commit", func(s *scene) { s.fix("work"); s.check("work", "ci", "build", "failure"); s.push("work", "blue") },
			lifecycle.ReadChecks, none,
		},
		{
			"a status beside a check", func(s *scene) {
				s.fix("work")
				s.check("work", "ci", "build", "success")
				s.status("work", "lint", "failure")
			},
			lifecycle.ReadChecks,
			[]string{"checks-failed #2 (lint)"},
		},
		{
			"a status that is pending", func(s *scene) {
				s.fix("work")
				s.check("work", "ci", "build", "failure")
				s.status("work", "lint", "pending")
			},
			lifecycle.ReadChecks, none,
		},
		{
			"of one of two pull requests", func(s *scene) { s.fix("work"); s.fix("again"); s.check("again", "ci", "build", "success") },
			lifecycle.ReadChecks,
			[]string{"checks-passed #3"},
		},
		{"failed of one, under way of the other", func(s *scene) {
			s.fix("work")
			s.fix("again")
			s.check("work", "ci", "build", "failure")
			s.check("again", "ci", "build", "")
		}, lifecycle.ReadChecks, []string{"checks-failed #2 (build)"}},

		{"no pull request to compare", func(s *scene) { s.other("a.txt") }, lifecycle.ReadFiles, []string{"files-clear"}},
		{"an older one changes other files", func(s *scene) { s.other("a.txt"); s.changing("b.txt", "") }, lifecycle.ReadFiles, []string{"files-clear"}},
		{"an older one changes the same file", func(s *scene) { s.other("a.txt"); s.changing("a.txt", "") }, lifecycle.ReadFiles, []string{"files-overlap #3: a.txt"}},
		{"a younger one changes the same file", func(s *scene) { s.changing("a.txt", ""); s.other("a.txt") }, lifecycle.ReadFiles, []string{"files-clear"}},
		{"an older draft", func(s *scene) {
			s.other("a.txt")
			s.must(s.SetDraft("acme", "widgets", 3, true, "tara"))
			s.changing("a.txt", "")
		}, lifecycle.ReadFiles, []string{"files-overlap #3: a.txt"}},
		{"an older one that was merged", func(s *scene) { s.merge(s.other("a.txt")); s.changing("a.txt", "") }, lifecycle.ReadFiles, []string{"files-clear"}},
		{"an older one that was closed", func(s *scene) { s.closes("widgets", s.other("a.txt"), ""); s.changing("a.txt", "") }, lifecycle.ReadFiles, []string{"files-clear"}},
		{"an older one of no issue", func(s *scene) {
			s.pushFile("drive-by", "a.txt")
			s.pull(playground.PullRequest{Branch: "drive-by"})
			s.changing("a.txt", "")
		}, lifecycle.ReadFiles, []string{"files-clear"}},
		{"an older one of its own", func(s *scene) { s.changing("a.txt", "work"); s.changing("a.txt", "again") }, lifecycle.ReadFiles, []string{"files-clear"}},
		{"an older one that is for both", func(s *scene) {
			n := s.issue("widgets", "")
			s.pushFile("both", "a.txt")
			s.pull(playground.PullRequest{Branch: "both", Body: fmt.Sprintf("Fixes #1, fixes #%d", n)})
			s.changing("a.txt", "")
		}, lifecycle.ReadFiles, []string{"files-clear"}},
		{"a younger one of an issue whose work is older", func(s *scene) {
			s.changing("b.txt", "work") // #2
			n := s.issue("widgets", "")
			s.pushFile("first", "c.txt")
			s.pull(playground.PullRequest{Branch: "first", Body: fmt.Sprintf("Fixes #%d", n)})
			s.pushFile("second", "a.txt")
			s.pull(playground.PullRequest{Branch: "second", Body: fmt.Sprintf("Fixes #%d", n)})
			s.changing("a.txt", "again")
		}, lifecycle.ReadFiles, []string{"files-clear"}},
		{"one older work of two pull requests", func(s *scene) {
			n := s.issue("widgets", "")
			s.pushFile("first", "c.txt")
			s.pull(playground.PullRequest{Branch: "first", Body: fmt.Sprintf("Fixes #%d", n)})
			s.changing("a.txt", "")
			s.pushFile("second", "a.txt")
			s.pull(playground.PullRequest{Branch: "second", Body: fmt.Sprintf("Fixes #%d", n)})
		}, lifecycle.ReadFiles, []string{"files-overlap #5: a.txt"}},
		{"many files", func(s *scene) {
			n := s.issue("widgets", "")
			for _, branch := range []string{"older", "work"} {
				for f := range 7 {
					s.pushFile(branch, fmt.Sprintf("%d.txt", f))
				}
			}
			s.pull(playground.PullRequest{Branch: "older", Body: fmt.Sprintf("Fixes #%d", n)})
			s.fix("work")
		}, lifecycle.ReadFiles, []string{"files-overlap #3: 0.txt, 1.txt, 2.txt, 3.txt, 4.txt and 2 more"}},

		{"nothing to depend on", func(*scene) {}, lifecycle.ReadDependencies, []string{"dependencies-none"}},
		{"itself", func(s *scene) { s.body("Depends on #1") }, lifecycle.ReadDependencies, []string{"dependencies-none"}},
		{"what was never there", func(s *scene) { s.body("Depends on #7") }, lifecycle.ReadDependencies, []string{"dependency-open #7"}},
		{
			"another repository's", func(s *scene) { n := s.issue("gadgets", ""); s.body(fmt.Sprintf("Depends on acme/gadgets#%d", n)) },
			lifecycle.ReadDependencies,
			[]string{"dependency-open acme/gadgets#1"},
		},
		{"another repository's, done", func(s *scene) {
			n := s.issue("gadgets", "")
			s.blockedBy(1, "gadgets", n)
			s.closes("gadgets", n, "completed")
		}, lifecycle.ReadDependencies, []string{"dependencies-closed"}},
		{"a repository out of reach", func(s *scene) { s.body("Depends on globex/secrets#3") }, lifecycle.ReadDependencies, []string{"dependencies-none"}},
		{"a private repository's that its author may not read", func(s *scene) {
			s.says(fmt.Sprintf("Depends on acme/secrets#%d", s.secret("mona")))
		}, lifecycle.ReadDependencies, []string{"dependencies-none"}},
		{"a private repository's, done, that its author may not read", func(s *scene) {
			n := s.secret("mona")
			s.says(fmt.Sprintf("Depends on acme/secrets#%d", n))
			s.closes("secrets", n, "completed")
		}, lifecycle.ReadDependencies, []string{"dependencies-none"}},
		{"a private repository's that its author may read", func(s *scene) {
			s.says(fmt.Sprintf("Depends on acme/secrets#%d", s.secret("ada")))
		}, lifecycle.ReadDependencies, []string{"dependency-open " + issues.Elsewhere}},
		{"a private repository's that the last editor of the text may read, and its author not", func(s *scene) {
			s.body(fmt.Sprintf("Depends on acme/secrets#%d", s.secret("mona"))) // by mona
		}, lifecycle.ReadDependencies, []string{"dependency-open " + issues.Elsewhere}},
		{"a private repository's where nobody knows who edited the text", func(s *scene) {
			s.must(s.Lack(playground.GraphQL))
			s.says(fmt.Sprintf("Depends on acme/secrets#%d", s.secret("ada")))
		}, lifecycle.ReadDependencies, []string{"dependencies-none"}},
		{"a private repository's by GitHub's list", func(s *scene) {
			s.blockedBy(1, "secrets", s.secret("mona"))
		}, lifecycle.ReadDependencies, []string{"dependency-open " + issues.Elsewhere}},
		{"one that was transferred to where its author may not look", func(s *scene) {
			n := s.issue("widgets", "")
			s.says(fmt.Sprintf("Depends on #%d", n))
			s.secret("mona")
			_, err := s.TransferIssue("acme", "widgets", n, "secrets", "mona")
			s.must(err)
		}, lifecycle.ReadDependencies, []string{"dependencies-none"}},
		{"one that was transferred", func(s *scene) {
			n := s.issue("widgets", "")
			s.body(fmt.Sprintf("Depends on #%d", n))
			to, err := s.TransferIssue("acme", "widgets", n, "gadgets", "mona")
			s.must(err)
			s.closes("gadgets", to, "completed")
		}, lifecycle.ReadDependencies, []string{"dependencies-closed"}},
		{"one that was deleted", func(s *scene) {
			n := s.issue("widgets", "")
			s.body(fmt.Sprintf("Depends on #%d", n))
			s.must(s.DeleteIssue("acme", "widgets", n, "mona"))
		}, lifecycle.ReadDependencies, []string{"dependency-dropped #2"}},
		{"dropped, opened again, completed", func(s *scene) {
			n := s.issue("widgets", "")
			s.body(fmt.Sprintf("Depends on #%d", n))
			s.closes("widgets", n, "not_planned")
			s.edit("widgets", n, github.IssueRequest{State: new("open")})
			s.closes("widgets", n, "completed")
		}, lifecycle.ReadDependencies, []string{"dependencies-closed"}},
		{"one dropped, one open", func(s *scene) {
			n, other := s.issue("widgets", ""), s.issue("widgets", "")
			s.body(fmt.Sprintf("Depends on #%d and #%d", n, other))
			s.closes("widgets", n, "not_planned")
		}, lifecycle.ReadDependencies, []string{"dependency-dropped #2", "dependency-open #3"}},
		{"a circle of texts", func(s *scene) {
			n := s.issue("widgets", "Blocked by #3")
			s.issue("widgets", "Blocked by #1")
			s.body(fmt.Sprintf("Depends on #%d", n))
		}, lifecycle.ReadCycles, []string{"dependency-cycle #1 → #2 → #3 → #1"}},
		{"a circle through another repository", func(s *scene) {
			n := s.issue("gadgets", "Depends on acme/widgets#1")
			s.body(fmt.Sprintf("Depends on acme/gadgets#%d", n))
		}, lifecycle.ReadCycles, []string{"dependency-cycle #1 → acme/gadgets#1 → #1"}},
		{"a circle through a private repository", func(s *scene) {
			n := s.secret("ada")
			s.edit("secrets", n, github.IssueRequest{Body: new("Depends on acme/widgets#1")})
			s.body(fmt.Sprintf("Depends on acme/secrets#%d", n))
		}, lifecycle.ReadCycles, []string{"dependency-cycle through issues that not everybody here can read"}},
		{"a circle by a text whose author may not read the next", func(s *scene) {
			n := s.secret("mona")
			s.edit("secrets", n, github.IssueRequest{Body: new("Depends on acme/widgets#1")})
			s.says(fmt.Sprintf("Depends on acme/secrets#%d", n))
		}, lifecycle.ReadCycles, none},
		{"a circle that a closed issue breaks", func(s *scene) {
			n := s.issue("widgets", "Depends on #1")
			s.body(fmt.Sprintf("Depends on #%d", n))
			s.closes("widgets", n, "completed")
		}, lifecycle.ReadCycles, none},

		{"no sub-issues", func(*scene) {}, lifecycle.ReadSubIssues, []string{"sub-issues-none"}},
		{
			"a sub-issue of another repository", func(s *scene) {
				n := s.issue("gadgets", "")
				s.subIssue("gadgets", n)
				s.closes("gadgets", n, "completed")
			},
			lifecycle.ReadSubIssues,
			[]string{"sub-issues-closed", "sub-issues-completed"},
		},
		{"one dropped, one completed, one a duplicate", func(s *scene) {
			for _, reason := range []string{"not_planned", "completed", "duplicate"} {
				n := s.issue("widgets", "")
				s.subIssue("", n)
				s.closes("widgets", n, reason)
			}
		}, lifecycle.ReadSubIssues, []string{"sub-issues-closed", "sub-issues-dropped #2", "sub-issues-dropped #4"}},
		{"one dropped, one open", func(s *scene) {
			n := s.issue("widgets", "")
			s.subIssue("", n)
			s.closes("widgets", n, "not_planned")
			s.subIssue("", s.issue("widgets", ""))
		}, lifecycle.ReadSubIssues, []string{"sub-issues-open #3"}},
		{"one of a private repository", func(s *scene) {
			s.subIssue("secrets", s.secret("mona"))
		}, lifecycle.ReadSubIssues, []string{"sub-issues-open " + issues.Elsewhere}},
		{"a sub-issue that is opened again", func(s *scene) {
			n := s.issue("widgets", "")
			s.subIssue("", n)
			s.closes("widgets", n, "completed")
			s.edit("widgets", n, github.IssueRequest{State: new("open")})
		}, lifecycle.ReadSubIssues, []string{"sub-issues-open #2"}},
	} {
		t.Run(string(c.needs)+"/"+c.name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			c.make(s)
			if diff := cmp.Diff(c.want, s.observed(c.needs)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// The store keeps what it read of a pull request until that changes: the files by its newest commit, and the author by its last change.
func TestWhatOverlapsIsReadAnewOnceItChanges(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	other := s.other("a.txt")
	s.changing("a.txt", "")
	store := s.store()
	overlap, free := []string{fmt.Sprintf("files-overlap #%d: a.txt", other)}, []string{"files-clear"}
	listed := func() int {
		n := 0
		for _, c := range s.Calls() {
			if strings.HasSuffix(c.Path, "/files") {
				n++
			}
		}
		return n
	}
	for _, step := range []struct {
		name  string
		does  func()
		want  []string
		lists int
	}{
		{"at first", func() {}, overlap, 2},
		{"nothing changed", func() {}, overlap, 0},
		{"it is nobody's any more", func() { s.edit("widgets", other, github.IssueRequest{Body: new("Nothing")}) }, free, 0},
		{"it is somebody's again", func() { s.edit("widgets", other, github.IssueRequest{Body: new("Fixes #2")}) }, overlap, 0},
		{"it was pushed to", func() { s.pushFile("for-2", "b.txt") }, overlap, 1},
	} {
		step.does()
		s.ResetCalls()
		if diff := cmp.Diff(step.want, s.observedBy(store, lifecycle.ReadFiles)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.name, diff)
		}
		if n := listed(); n != step.lists {
			t.Errorf("%s: the files of %d pull requests were listed, not %d", step.name, n, step.lists)
		}
	}
}
