package issues

import (
	"fmt"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"
	"github.com/jonboulle/clockwork"
	"pgregory.net/rapid"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/long"
	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/statemachine"
)

// allOfPulls are the readings that the question answers.
var allOfPulls = []lifecycle.Reading{lifecycle.ReadPullRequests, lifecycle.ReadReviews, lifecycle.ReadApprovals, lifecycle.ReadChecks}

// pullWorld is a GitHub with an issue, and with pull requests that happen to it.
type pullWorld struct {
	*playground.Playground
	t        *rapid.T
	clock    *clockwork.FakeClock
	people   *github.Client
	issue    View
	pulls    []int
	branches []string
}

func newPullWorld(t *rapid.T) *pullWorld {
	clock := clockwork.NewFakeClockAt(noon)
	w := &pullWorld{Playground: playground.New(playground.Options{Clock: clock}), t: t, clock: clock}
	at := httptest.NewServer(w.Handler())
	t.Cleanup(at.Close)
	w.AddRepository("acme", "widgets")
	for login, role := range map[string]string{"mona": "admin", "olivia": "write", "rita": "read"} {
		w.AddUser(login)
		w.SetPermission("acme", "widgets", login, role)
	}
	w.AddBot("ci")
	w.people = w.as("mona", at)
	opened, _, err := w.people.Issues.Create(t.Context(), "acme", "widgets", &github.IssueRequest{Title: new("Paint it")})
	w.must(err)
	w.issue = View{Ref: Ref{Repository{Installation: 12, ID: 7, Owner: "acme", Name: "widgets"}, opened.GetNumber()}, NodeID: opened.GetNodeID()}
	return w
}

func (w *pullWorld) as(login string, at *httptest.Server) *github.Client {
	client := github.NewClient(at.Client()).WithAuthToken(w.Token(login))
	base, err := url.Parse(at.URL + "/api/v3/")
	w.must(err)
	client.BaseURL = base
	return client
}

func (w *pullWorld) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// happens lets one thing happen. What GitHub refuses, such as a merge of what conflicts, changes nothing.
func (w *pullWorld) happens() {
	w.clock.Advance(rapid.SampledFrom([]time.Duration{0, time.Second, time.Minute}).Draw(w.t, "passes"))
	if len(w.pulls) == 0 || rapid.IntRange(0, 5).Draw(w.t, "opens") == 0 {
		w.opens()
		return
	}
	at := rapid.IntRange(0, len(w.pulls)-1).Draw(w.t, "pull request")
	pull, branch := w.pulls[at], w.branches[at]
	by := rapid.SampledFrom([]string{"mona", "olivia", "rita", "ci[bot]", "tara"}).Draw(w.t, "by")
	switch what := rapid.SampledFrom([]string{"review", "review", "check", "check", "status", "merge", "close", "link", "draft", "conflict", "push", "leave", "retitle"}).Draw(w.t, "what"); what {
	case "review":
		_, _ = w.ReviewPullRequest("acme", "widgets", pull, rapid.SampledFrom([]string{"APPROVE", "REQUEST_CHANGES", "COMMENT"}).Draw(w.t, "verdict"), "so be it", by)
	case "check":
		conclusion := rapid.SampledFrom([]string{"", "success", "failure", "cancelled", "skipped"}).Draw(w.t, "conclusion")
		_, err := w.SetCheck("acme", "widgets", branch, "ci", rapid.SampledFrom([]string{"build", "lint"}).Draw(w.t, "check"), conclusion)
		w.must(err)
	case "status":
		w.must(w.SetStatus("acme", "widgets", branch, rapid.SampledFrom([]string{"deploy", "cover"}).Draw(w.t, "context"),
			rapid.SampledFrom([]string{"pending", "success", "failure", "error"}).Draw(w.t, "state"), "mona"))
	case "merge":
		_ = w.MergePullRequest("acme", "widgets", pull, rapid.SampledFrom([]string{"mona", "olivia"}).Draw(w.t, "merger"))
	case "close":
		_, _, _ = w.people.PullRequests.Edit(w.t.Context(), "acme", "widgets", pull, &github.PullRequest{State: new(rapid.SampledFrom([]string{"open", "closed"}).Draw(w.t, "end"))})
	case "link":
		w.must(w.LinkPullRequest("acme", "widgets", w.issue.Ref.Number, "", pull, rapid.Bool().Draw(w.t, "linked"), "mona"))
	case "draft":
		_ = w.SetDraft("acme", "widgets", pull, rapid.Bool().Draw(w.t, "draft"), "mona")
	case "conflict":
		_ = w.MakeConflict("acme", "widgets", pull, "mona")
	case "push":
		_, err := w.Push("acme", "widgets", branch, "paint", w.clock.Now().String(), "mona")
		w.must(err)
	case "leave":
		_ = w.DeleteUser(rapid.SampledFrom([]string{"tara", "rita"}).Draw(w.t, "who"))
	case "retitle":
		title := rapid.SampledFrom([]string{"Paint", fmt.Sprintf("Fixes #%d", w.issue.Ref.Number)}).Draw(w.t, "title")
		_, _, err := w.people.PullRequests.Edit(w.t.Context(), "acme", "widgets", pull, &github.PullRequest{Title: &title})
		w.must(err)
	}
}

func (w *pullWorld) opens() {
	n := w.issue.Ref.Number
	branch := rapid.SampledFrom([]string{fmt.Sprintf("%d-paint", n), fmt.Sprintf("colony/%d", n), "work", "more", "99-other"}).Draw(w.t, "branch")
	words := rapid.SampledFrom([]string{fmt.Sprintf("Fixes #%d", n), fmt.Sprintf("See #%d", n), "Paint"}).Draw(w.t, "words")
	w.AddUser("tara")
	if pull, err := w.OpenPullRequest(playground.PullRequest{Owner: "acme", Name: "widgets", By: "tara", Branch: branch, Body: words, Draft: rapid.Bool().Draw(w.t, "drafts")}); err == nil {
		w.pulls, w.branches = append(w.pulls, pull), append(w.branches, branch)
	}
}

// Whatever happens to pull requests, GitHub's lists tell the same of them as one question does.
func TestTheQuestionTellsWhatTheListsTell(t *testing.T) {
	t.Parallel()
	long.Check(t, func(t *rapid.T) {
		w := newPullWorld(t)
		asking, listing := NewStore(oneClient{w.people}, &Actors{}), NewStore(oneClient{w.people}, &Actors{})
		for _, s := range []*Store{asking, listing} {
			s.Clock = w.clock
			var err error
			s.Branches, err = ParseBranches(DefaultBranches)
			w.must(err)
		}
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			w.happens()
			listing.refused.Add(pullQuestion(listing), refusal{err: errNoGraphQL, until: w.clock.Now().Add(time.Hour)})
			ask := Ask{Needs: allOfPulls, PullRequest: w.pulls[rapid.IntRange(0, len(w.pulls)-1).Draw(t, "reported")]}
			want, err := listing.Facts(t.Context(), w.issue, ask)
			w.must(err)
			w.ResetCalls()
			got, err := asking.Facts(t.Context(), w.issue, ask)
			w.must(err)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("(-lists +question):\n%s", diff)
			}
			w.conflictsAre(asking, slices.ContainsFunc(want.Observed, func(o statemachine.Observation) bool { return o.Fact == "pull-request-conflicting" }))
			for _, call := range w.Calls() {
				if !strings.HasSuffix(call.Path, "/graphql") && !strings.Contains(call.Path, "/collaborators/") {
					t.Fatalf("it asked %s %s too", call.Method, call.Path)
				}
			}
		}
	})
}

// conflictsAre asks about all pull requests of the repository whether one of the issue conflicts.
func (w *pullWorld) conflictsAre(s *Store, want bool) {
	w.t.Helper()
	found, told, err := s.Conflicts(w.t.Context(), w.issue.Ref.Repository)
	w.must(err)
	if known, open := slices.Contains(found.Known, w.issue.Ref.Number), slices.Contains(found.Open, w.issue.Ref.Number); !told || known != want && !open {
		w.t.Fatalf("one question about conflicts tells %+v (%t), where those of the issue are %t", found, told, want)
	}
}

// While the sum of a repository's checks is the same, those of an issue are.
func TestTheSumOfChecksTellsOfEachChange(t *testing.T) {
	t.Parallel()
	long.Check(t, func(t *rapid.T) {
		w := newPullWorld(t)
		s := NewStore(oneClient{w.people}, &Actors{})
		s.Clock = w.clock
		for range 2 {
			w.opens()
		}
		w.must(w.LinkPullRequest("acme", "widgets", w.issue.Ref.Number, "", w.pulls[0], true, "mona"))
		known := map[string]Found{}
		for range rapid.IntRange(2, 8).Draw(t, "steps") {
			told := []Activity{{Has: []bool{true}}}
			w.must(s.SumChecks(t.Context(), []Asked{{Repository: w.issue.Ref.Repository, Labels: []string{"a"}, Checked: []bool{true}}}, told))
			now, err := s.Facts(t.Context(), w.issue, Ask{Needs: []lifecycle.Reading{lifecycle.ReadChecks}})
			w.must(err)
			if then, there := known[told[0].Checks]; told[0].Checks == "" || there && !cmp.Equal(then, now) {
				t.Fatalf("the sum %q stands for %+v and %+v", told[0].Checks, then, now)
			}
			known[told[0].Checks] = now
			w.checked()
		}
	})
}

// checked lets a check or a status come, or nothing.
func (w *pullWorld) checked() {
	w.clock.Advance(rapid.SampledFrom([]time.Duration{0, time.Second, time.Minute}).Draw(w.t, "passes"))
	branch := rapid.SampledFrom(w.branches).Draw(w.t, "branch")
	switch rapid.IntRange(0, 2).Draw(w.t, "what") {
	case 0:
		_, err := w.SetCheck("acme", "widgets", branch, "ci", rapid.SampledFrom([]string{"build", "lint"}).Draw(w.t, "check"), rapid.SampledFrom([]string{"", "success", "failure"}).Draw(w.t, "conclusion"))
		w.must(err)
	case 1:
		w.must(w.SetStatus("acme", "widgets", branch, "deploy", rapid.SampledFrom([]string{"pending", "success", "failure"}).Draw(w.t, "state"), "mona"))
	}
}

// asksPulls is the question about the pull requests of the issue, with its answer: what the issue has, and what else the repository has.
func asksPulls(needs, issue, repository string) string {
	for _, part := range []string{linkedNow(), `"timelineItems":{"nodes":[]}`} {
		if name, _, _ := strings.Cut(part, ":"); !strings.Contains(issue, name) {
			issue = strings.TrimPrefix(issue+","+part, ",")
		}
	}
	for _, list := range []string{`"open":`, `"closed":`} {
		if !strings.Contains(repository, list) {
			repository += "," + list + `{"nodes":[]}`
		}
	}
	return fmt.Sprintf(`> POST graphql {"query":"pullsOfIssue","variables":{"branches":true,%s,"name":"widgets","number":1,"owner":"acme",%s}}`, wants(needs, "checks"), wants(needs, "reviews")) +
		"\n" + `< 200 {"data":{"repository":{"defaultBranchRef":{"name":"main"},"issue":{` + issue + "}" + repository + "}}}\n"
}

// withholding is an answer with an error about something in it.
func withholding(answer, kind, path string) string {
	return strings.TrimSuffix(strings.TrimSpace(answer), "}") + fmt.Sprintf(`,"errors":[{"type":%q,"path":%s,"message":"no"}]}`, kind, path) + "\n"
}

func wants(needs, what string) string {
	return fmt.Sprintf("%q:%t", what, strings.Contains(needs, what))
}

func linkedNow(pulls ...string) string {
	return `"closedByPullRequestsReferences":{"nodes":[` + strings.Join(pulls, ",") + "]}"
}

// pullNow is a pull request as the question tells it.
func pullNow(number int, branch, more string) string {
	return fmt.Sprintf(`{"number":%d,"title":"Paint","body":"","state":"OPEN","mergeable":"MERGEABLE","updatedAt":"2026-03-02T09:00:00Z","author":{"__typename":"User","login":"tara"},`+
		`"baseRefName":"main","headRefName":%q,"headRefOid":"abc","repository":{"nameWithOwner":"acme/widgets"},"headRepository":{"nameWithOwner":"acme/widgets"}%s}`, number, branch, more)
}

func asksOne(needs string, number int, answer string) string {
	return fmt.Sprintf(`> POST graphql {"query":"onePull","variables":{%s,"name":"widgets","number":%d,"owner":"acme",%s}}`, wants(needs, "checks"), number, wants(needs, "reviews")) +
		"\n< 200 " + answer + "\n"
}

func oneNow(pull string) string {
	return `{"data":{"repository":{"defaultBranchRef":{"name":"main"},"pullRequest":` + pull + "}}}"
}

// What does not fit into an answer, and what GitHub refuses of it, its lists tell.
func TestWhatTheQuestionLeavesOpen(t *testing.T) {
	asking := func(need lifecycle.Reading) func(s *Store) (any, error) {
		see := observing(t, View{}, need, Ask{})
		return func(s *Store) (any, error) {
			s.refused.Remove(pullQuestion(s))
			return see(withBranches(t, s))
		}
	}
	const (
		more   = `{"pageInfo":{"hasNextPage":true},"nodes":[]}`
		noRuns = "> GET repos/acme/widgets/commits/abc/check-runs?filter=latest&per_page=100\n< 403 {}\n"
		run    = `{"name":"build","status":"COMPLETED","conclusion":%q,"startedAt":"2026-03-02T09:00:0%dZ","completedAt":"2026-03-02T09:10:00Z","checkSuite":{"id":%q,"app":{"id":"A"}}}`
	)
	opened := []string{"pull-request-opened #4", "pull-request-ready #4"}
	mention := func(number int, title, repository string) string {
		return fmt.Sprintf(`{"source":{"number":%d,"title":%q,"repository":{"nameWithOwner":%q}}}`, number, title, repository)
	}
	checked := func(contexts ...string) string {
		return linkedNow(pullNow(4, "x", `,"statusCheckRollup":{"contexts":{"nodes":[`+strings.Join(contexts, ",")+"]}}"))
	}
	byTitle := `"timelineItems":{"nodes":[` + mention(4, "Fixes #1", "acme/widgets") + "]}"
	checksListed := "> GET repos/acme/widgets/commits/abc/check-runs?filter=latest&per_page=100\n< 200 {}\n" +
		"> GET repos/acme/widgets/commits/abc/status?per_page=100\n" + `< 200 {"statuses":[{"context":"cover","state":"success","updated_at":"2026-03-02T09:20:00Z"}]}` + "\n"
	noNamesakes := pullsPage(1) + "\n< 200 []\n" + closedPage + "\n< 200 []\n"
	is4 := pullRead(4, "< 200 "+strings.Replace(pullJSON(4, "x", "abc", ""), "{", `{"mergeable":true,`, 1))
	level := "> GET repos/acme/widgets/collaborators/olga/permission\n" + `< 200 {"permission":"write"}` + "\n"
	exchanges(t, map[string]exchange{
		"what GitHub links": {asksPulls("", linkedNow(pullNow(4, "x", "")), ""), asking(lifecycle.ReadPullRequests), opened, ""},
		"of another repository, or not readable": {
			asksPulls("", linkedNow(strings.ReplaceAll(pullNow(4, "x", ""), "acme/widgets", "acme/gears"), "null"), ""), asking(lifecycle.ReadPullRequests), []string{"pull-request-missing"}, "",
		},
		"by its title": {
			asksPulls("", `"timelineItems":{"nodes":[`+mention(4, "Fixes #1", "acme/widgets")+","+mention(5, "See #1", "acme/widgets")+","+mention(6, "Fixes #1", "acme/gears")+`,{"source":{}},null]}`, "") +
				asksOne("", 4, oneNow(strings.Replace(pullNow(4, "x", ""), "Paint", "Fixes #1", 1))),
			asking(lifecycle.ReadPullRequests), opened, "",
		},
		"by its branch": {
			asksPulls("", linkedNow(), `,"open":{"nodes":[{"number":4,"headRefName":"1-paint"},{"number":6,"headRefName":"1-paint","isCrossRepository":true}]},"closed":{"nodes":[{"number":5,"headRefName":"colony/1"}]}`) +
				asksOne("", 4, oneNow(pullNow(4, "1-paint", ""))) + asksOne("", 5, `{"data":{"repository":{"pullRequest":null}},"errors":[{"type":"NOT_FOUND","path":["repository","pullRequest"]}]}`),
			asking(lifecycle.ReadPullRequests), opened, "",
		},
		"more open ones": {
			asksPulls("", linkedNow(pullNow(4, "x", "")), `,"open":`+more) + pullsPage(2) + "\n< 200 [" + pullJSON(5, "1-paint", "c", "") + "]\n" + asksOne("", 5, oneNow(pullNow(5, "1-paint", ""))), asking(lifecycle.ReadPullRequests),
			slices.Concat(opened, []string{"pull-request-opened #5", "pull-request-ready #5"}), "",
		},
		"a longer timeline": {
			asksPulls("", linkedNow(pullNow(4, "x", ""))+`,"timelineItems":`+more, "") + fmt.Sprintf(timelineOf, 1) + "< 200 []\n", asking(lifecycle.ReadPullRequests), opened, "",
		},
		"reviews": {
			asksPulls("reviews", linkedNow(pullNow(4, "x", `,"reviews":{"nodes":[{"state":"APPROVED","submittedAt":"2026-03-02T09:00:00Z","url":"at","author":{"__typename":"User","login":"olga"}},`+
				`{"state":"APPROVED","submittedAt":"2026-03-02T09:10:00Z","url":"bot","author":{"__typename":"Bot","login":"dev"}},{"state":"APPROVED","author":null}]}`)), "") + level,
			asking(lifecycle.ReadReviews),
			[]string{"review-approved 09:00:00 olga at", "review-approved 09:10:00 dev[bot] bot"},
			"",
		},
		"more reviews": {asksPulls("reviews", linkedNow(pullNow(4, "x", `,"reviews":`+more)), "") + reviewsOf + "< 200 []", asking(lifecycle.ReadReviews), []string(nil), ""},
		"checks": {
			asksPulls("checks", checked(fmt.Sprintf(run, "SUCCESS", 1, "S"), `{"context":"cover","state":"SUCCESS","createdAt":"2026-03-02T09:20:00Z"}`, `{"context":"deploy","state":"EXPECTED"}`), ""),
			asking(lifecycle.ReadChecks),
			[]string{"checks-passed 09:20:00 #4"},
			"",
		},
		"a check run again in its suite": {
			asksPulls("checks", checked(fmt.Sprintf(run, "FAILURE", 1, "S"), fmt.Sprintf(run, "SUCCESS", 2, "S")), ""), asking(lifecycle.ReadChecks), []string{"checks-passed 09:10:00 #4"}, "",
		},
		"the same check in two suites": {
			asksPulls("checks", checked(fmt.Sprintf(run, "FAILURE", 1, "S"), fmt.Sprintf(run, "SUCCESS", 2, "T")), ""), asking(lifecycle.ReadChecks), []string{"checks-failed 09:10:00 #4 (build)"}, "",
		},
		"cancelled, perhaps for another suite": {
			asksPulls("checks", checked(fmt.Sprintf(run, "CANCELLED", 1, "S"), fmt.Sprintf(run, "SUCCESS", 2, "T")), "") + checksListed, asking(lifecycle.ReadChecks), []string{"checks-passed 09:20:00 #4"}, "",
		},
		"cancelled, and no other of its name": {
			asksPulls("checks", checked(fmt.Sprintf(run, "CANCELLED", 1, "S")), ""), asking(lifecycle.ReadChecks), []string{"checks-failed 09:10:00 #4 (build)"}, "",
		},
		"skipped before it began, and run again": {
			asksPulls("checks", checked(strings.Replace(fmt.Sprintf(run, "SKIPPED", 1, "S"), `"startedAt":"2026-03-02T09:00:01Z"`, `"startedAt":null`, 1), fmt.Sprintf(run, "FAILURE", 2, "S")), "") + checksListed,
			asking(lifecycle.ReadChecks),
			[]string{"checks-passed 09:20:00 #4"},
			"",
		},
		"run again in the second in which it began": {
			asksPulls("checks", checked(fmt.Sprintf(run, "FAILURE", 1, "S"), fmt.Sprintf(run, "SUCCESS", 1, "S")), "") + checksListed, asking(lifecycle.ReadChecks), []string{"checks-passed 09:20:00 #4"}, "",
		},
		"running": {
			asksPulls("checks", checked(`{"name":"build","status":"IN_PROGRESS","conclusion":null,"startedAt":null,"completedAt":null,"checkSuite":{"id":"S","app":null}}`), ""), asking(lifecycle.ReadChecks), []string(nil), "",
		},
		"no checks": {asksPulls("checks", linkedNow(pullNow(4, "x", `,"statusCheckRollup":null`)), ""), asking(lifecycle.ReadChecks), []string(nil), ""},
		"more checks": {
			asksPulls("checks", linkedNow(pullNow(4, "x", `,"statusCheckRollup":{"contexts":`+more+"}")), "") + checksListed,
			asking(lifecycle.ReadChecks),
			[]string{"checks-passed 09:20:00 #4"},
			"",
		},
		"queued again": {
			asksPulls("checks", checked(fmt.Sprintf(run, "SUCCESS", 1, "S"), `{"name":"build","status":"QUEUED","conclusion":null,"startedAt":null,"completedAt":null,"checkSuite":{"id":"S","app":{"id":"A"}}}`), ""),
			asking(lifecycle.ReadChecks), []string(nil), "",
		},
		"two suites that began together": {
			asksPulls("checks", checked(fmt.Sprintf(run, "FAILURE", 1, "S"), fmt.Sprintf(run, "SUCCESS", 1, "T")), ""), asking(lifecycle.ReadChecks), []string{"checks-failed 09:10:00 #4 (build)"}, "",
		},
		"checks that it may not read": {
			withholding(asksPulls("checks", linkedNow(pullNow(4, "x", `,"statusCheckRollup":null`)), ""), "FORBIDDEN", `["repository","issue","closedByPullRequestsReferences","nodes",0,"statusCheckRollup"]`) + is4 + noRuns,
			asking(lifecycle.ReadChecks), []string(nil), "list the check runs of #4",
		},
		"a check that it may not read": {
			withholding(asksPulls("checks", checked(fmt.Sprintf(run, "SUCCESS", 1, "S"), "null"), ""), "FORBIDDEN", `["repository","issue","closedByPullRequestsReferences","nodes",0,"statusCheckRollup","contexts","nodes",1]`) + is4 + noRuns,
			asking(lifecycle.ReadChecks), []string(nil), "list the check runs of #4",
		},
		"of one alone, checks that it may not read": {
			asksPulls("checks", byTitle, "") + withholding(asksOne("checks", 4, oneNow(pullNow(4, "x", ""))), "FORBIDDEN", `["repository","pullRequest","statusCheckRollup","contexts","nodes",0]`) +
				pullRead(4, "< 200 "+pullJSON(4, "x", "abc", "Fixes #1")) + noRuns, asking(lifecycle.ReadChecks), []string(nil), "list the check runs of #4",
		},
		"a link into what it may not read": {
			withholding(asksPulls("", linkedNow("null", pullNow(4, "x", "")), ""), "FORBIDDEN", `["repository","issue","closedByPullRequestsReferences","nodes",0]`), asking(lifecycle.ReadPullRequests), opened, "",
		},
		"a mention in what it may not read": {
			withholding(asksPulls("", linkedNow(pullNow(4, "x", ""))+`,"timelineItems":{"nodes":[null]}`, ""), "FORBIDDEN", `["repository","issue","timelineItems","nodes",0,"source"]`), asking(lifecycle.ReadPullRequests), opened, "",
		},
		"a link that may be its own": {
			withholding(asksPulls("", linkedNow("null"), ""), "FORBIDDEN", `["repository","issue","closedByPullRequestsReferences","nodes",0,"baseRefName"]`) + links(linked(4)) + noNamesakes + is4, asking(lifecycle.ReadPullRequests), opened, "",
		},
		"no default branch": {
			strings.Replace(asksPulls("", linkedNow(), ""), `{"name":"main"}`, "null", 1) + links(linked(4)) + noNamesakes + is4, asking(lifecycle.ReadPullRequests), opened, "",
		},
		"from a fork that it does not show": {
			asksPulls("", linkedNow(strings.Replace(pullNow(4, "x", `,"isCrossRepository":true`), `"headRepository":{"nameWithOwner":"acme/widgets"}`, `"headRepository":null`, 1)), "") + is4, asking(lifecycle.ReadPullRequests), opened, "",
		},
		"unsettled": {
			asksPulls("", linkedNow(strings.Replace(pullNow(4, "x", ""), "MERGEABLE", "UNKNOWN", 1)), "") + pullRead(4, `< 200 {"number":4,"state":"open","mergeable":false}`), asking(lifecycle.ReadPullRequests),
			slices.Concat(opened, []string{"pull-request-conflicting #4"}), "",
		},
		"without a list": {
			strings.Replace(asksPulls("", linkedNow(), ""), `"open":{"nodes":[]}`, `"open":null`, 1) + links(linked(4)) + noNamesakes + is4, asking(lifecycle.ReadPullRequests), opened, "",
		},
		"a repository that is gone": {
			asksPulls("", byTitle, "") + asksOne("", 4, `{"data":{"repository":null},"errors":[{"type":"NOT_FOUND","path":["repository"]}]}`) + pullRead(4, "< 502"), asking(lifecycle.ReadPullRequests), []string(nil), "read pull request #4",
		},
		"a longer timeline, not now": {
			asksPulls("", linkedNow(pullNow(4, "x", ""))+`,"timelineItems":`+more, "") + fmt.Sprintf(timelineOf, 1) + "< 502\n", asking(lifecycle.ReadPullRequests), []string(nil), "read the timeline",
		},
		"too much": {strings.Split(asksPulls("", "", ""), "\n")[0] + "\n< 502\n" + links(linked(4)) + noNamesakes + is4, asking(lifecycle.ReadPullRequests), opened, ""},
		"too much, in words": {
			strings.Split(asksPulls("", "", ""), "\n")[0] + "\n" + `< 200 {"errors":[{"message":"Something went wrong while executing your query."}]}` + "\n" + links(linked(4)) + noNamesakes + is4, asking(lifecycle.ReadPullRequests), opened, "",
		},
		"one too much": {asksPulls("", byTitle, "") + strings.Split(asksOne("", 4, ""), "\n")[0] + "\n< 504\n" + pullRead(4, "< 200 "+pullJSON(4, "x", "abc", "Fixes #1")), asking(lifecycle.ReadPullRequests), opened, ""},
		"not now":      {strings.Split(asksPulls("", "", ""), "\n")[0] + "\n< 500", asking(lifecycle.ReadPullRequests), []string(nil), "read the pull requests of acme/widgets#1: ask GraphQL"},
		"one not now":  {asksPulls("", byTitle, "") + strings.Split(asksOne("", 4, ""), "\n")[0] + "\n< 500", asking(lifecycle.ReadPullRequests), []string(nil), "read pull request #4: ask GraphQL"},
	})
}

// A question that took too long is not asked again about the same issue for a while; about others it is.
func TestAQuestionThatTookTooLong(t *testing.T) {
	ask, _, _ := strings.Cut(asksPulls("", "", ""), "\n")
	lists := links("") + pullsPage(1) + "\n< 200 []\n" + closedPage + "\n< 200 []\n"
	other := strings.Replace(asksPulls("", "", ""), `"number":1`, `"number":2`, 1)
	holds(t, ask+"\n< 502\n"+lists+lists+other+ask+"\n< 502\n"+lists, func(s *Store, clock *clockwork.FakeClock) {
		s.refused.Remove(pullQuestion(s))
		withBranches(t, s)
		for _, row := range []struct {
			number int
			later  time.Duration
		}{{1, 0}, {1, forbiddenFor - time.Second}, {2, 0}, {1, time.Second}} {
			clock.Advance(row.later)
			found, err := s.OpenPullRequests(t.Context(), View{Ref: Ref{widgets, row.number}})
			says(t, []int(nil), found, err, "")
		}
	})
}

// What was answered of a pull request does not count if it has changed by the time the REST API tells of it, and a reported one is looked for there.
func TestAnAnswerOfAnEarlierMoment(t *testing.T) {
	unsettled := func(commit string) string {
		return asksPulls("checks", linkedNow(strings.NewReplacer("MERGEABLE", "UNKNOWN", `"abc"`, fmt.Sprintf("%q", commit)).Replace(pullNow(4, "x", `,"statusCheckRollup":null`))), "")
	}
	checks := "> GET repos/acme/widgets/commits/abc/check-runs?filter=latest&per_page=100\n< 200 {}\n> GET repos/acme/widgets/commits/abc/status?per_page=100\n" +
		`< 200 {"statuses":[{"context":"cover","state":"success","updated_at":"2026-03-02T09:20:00Z"}]}` + "\n"
	is := pullRead(4, "< 200 "+pullJSON(4, "x", "abc", "Fixes #1"))
	notThere := asksOne("", 4, `{"data":{"repository":{"pullRequest":null}},"errors":[{"type":"NOT_FOUND","path":["repository","pullRequest"]}]}`)
	for script, row := range map[string]struct {
		ask  Ask
		want []string
	}{
		unsettled("abc") + is:                 {Ask{Needs: []lifecycle.Reading{lifecycle.ReadPullRequests, lifecycle.ReadChecks}}, []string{"pull-request-opened #4", "pull-request-ready #4"}},
		unsettled("old") + is + checks:        {Ask{Needs: []lifecycle.Reading{lifecycle.ReadPullRequests, lifecycle.ReadChecks}}, []string{"pull-request-opened #4", "pull-request-ready #4", "checks-passed 09:20:00 #4"}},
		asksPulls("", "", "") + notThere + is: {Ask{Needs: needsPulls, PullRequest: 4}, []string{"pull-request-opened #4", "pull-request-ready #4"}},
	} {
		holds(t, script, func(s *Store, _ *clockwork.FakeClock) {
			s.refused.Remove(pullQuestion(s))
			found, err := withBranches(t, s).Facts(t.Context(), View{Ref: theIssue}, row.ask)
			says(t, row.want, observations(found), err, "")
		})
	}
}
