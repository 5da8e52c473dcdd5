package playground_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var timeForm = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`)

// tells asks something of acme/shop, and returns the answer as text, each time as what passed since the world began, or the errors.
func (w *world) tells(login, fields string) string {
	w.t.Helper()
	_, answer := w.query(w.auth(login), "/graphql", `{repository(owner:"acme",name:"shop"){`+fields+`}}`, nil)
	if found := errorsOf(answer); len(found) > 0 {
		return fmt.Sprint(found)
	}
	text, err := json.Marshal(answer["data"].(map[string]any)["repository"])
	w.check(err)
	return timeForm.ReplaceAllStringFunc(string(text), func(at string) string {
		then, err := time.Parse(time.RFC3339, at)
		w.check(err)
		return then.Sub(w.began).String()
	})
}

// says fails unless a question about a pull request is answered so.
func (w *world) says(pull int, fields, want string) {
	w.t.Helper()
	if diff := cmp.Diff(`{"pullRequest":{`+want+`}}`, w.tells("bob", fmt.Sprintf(`pullRequest(number:%d){%s}`, pull, fields))); diff != "" {
		w.t.Errorf("%s (-want +got):\n%s", fields, diff)
	}
}

func TestAPullRequestOverGraphQL(t *testing.T) {
	w := newWorld(t)
	n := w.pull("alice", "fix", "Words")
	w.says(n, "author{login __typename} body createdAt updatedAt closedAt mergedAt mergedBy{login} headRepository{nameWithOwner} isCrossRepository",
		`"author":{"__typename":"User","login":"alice"},"body":"Words","closedAt":null,"createdAt":"0s","headRepository":{"nameWithOwner":"acme/shop"},"isCrossRepository":false,"mergedAt":null,"mergedBy":null,"updatedAt":"0s"`)
	w.LagMergeability(time.Minute)
	w.says(n, "mergeable", `"mergeable":"UNKNOWN"`)
	w.clock.Advance(time.Minute)
	w.says(n, "mergeable", `"mergeable":"MERGEABLE"`)
	w.check(w.MakeConflict("acme", "shop", n, "alice"))
	w.says(n, "mergeable", `"mergeable":"UNKNOWN"`)
	w.clock.Advance(time.Minute)
	w.says(n, "mergeable", `"mergeable":"CONFLICTING"`)
	if got := w.tells("bob", `defaultBranchRef{name}`); got != `{"defaultBranchRef":{"name":"main"}}` {
		t.Error(got)
	}
	merged := w.pull("alice", "more", "")
	w.check(w.MergePullRequest("acme", "shop", merged, "alice"))
	w.says(merged, "mergedBy{login} mergedAt", `"mergedAt":"2m0s","mergedBy":{"login":"alice"}`)
}

func TestReviewsOverGraphQL(t *testing.T) {
	w := newWorld(t)
	n := w.pull("alice", "fix", "")
	for _, review := range [][2]string{{"bob", "APPROVE"}, {"mallory", "REQUEST_CHANGES"}} {
		_, err := w.ReviewPullRequest("acme", "shop", n, review[1], "So be it", review[0])
		w.check(err)
	}
	w.says(n, "reviews(first:9){totalCount nodes{author{login} state authorAssociation submittedAt}}",
		`"reviews":{"nodes":[{"author":{"login":"bob"},"authorAssociation":"COLLABORATOR","state":"APPROVED","submittedAt":"0s"},{"author":{"login":"mallory"},"authorAssociation":"NONE","state":"CHANGES_REQUESTED","submittedAt":"0s"}],"totalCount":2}`)
	w.says(n, "reviews(first:9,states:[APPROVED]){nodes{author{login}}}", `"reviews":{"nodes":[{"author":{"login":"bob"}}]}`)
	w.says(n, `reviews(first:9,author:"Mallory"){nodes{state}}`, `"reviews":{"nodes":[{"state":"CHANGES_REQUESTED"}]}`)
	w.says(n, "reviews(first:1){pageInfo{hasNextPage}}", `"reviews":{"pageInfo":{"hasNextPage":true}}`)
}

func TestChecksOverGraphQL(t *testing.T) {
	w := newWorld(t)
	w.AddBot("ci")
	n := w.pull("alice", "fix", "")
	const contexts = "statusCheckRollup{contexts(first:9){nodes{... on CheckRun{name status conclusion startedAt completedAt checkSuite{app{id}}} ... on StatusContext{context state createdAt}}}}"
	w.says(n, contexts, `"statusCheckRollup":null`)
	for _, conclusion := range []string{"failure", ""} { // the second goes on
		_, err := w.SetCheck("acme", "shop", "fix", "ci", "build", conclusion)
		w.check(err)
	}
	w.check(w.SetStatus("acme", "shop", "fix", "cover", "pending", "alice"))
	w.check(w.SetStatus("acme", "shop", "fix", "cover", "success", "alice"))
	app := w.tells("bob", fmt.Sprintf("pullRequest(number:%d){statusCheckRollup{contexts(first:1){nodes{... on CheckRun{checkSuite{app{id}}}}}}}", n))
	var found struct {
		PullRequest struct {
			StatusCheckRollup struct {
				Contexts struct {
					Nodes []struct {
						CheckSuite struct{ App struct{ ID string } }
					}
				}
			}
		}
	}
	w.check(json.Unmarshal([]byte(app), &found))
	id := found.PullRequest.StatusCheckRollup.Contexts.Nodes[0].CheckSuite.App.ID
	w.says(n, contexts, `"statusCheckRollup":{"contexts":{"nodes":[{"checkSuite":{"app":{"id":"`+id+`"}},"completedAt":null,"conclusion":null,"name":"build","startedAt":"0s","status":"IN_PROGRESS"},`+
		`{"context":"cover","createdAt":"0s","state":"SUCCESS"}]}}`)
}

func TestPullRequestsOfARepositoryOverGraphQL(t *testing.T) {
	w := newWorld(t)
	w.open("alice", "Broken")
	w.pull("alice", "fix", "See #1")
	w.pull("bob", "more", "")
	w.clock.Advance(time.Minute)
	w.must("alice", "PATCH", pullPath(3), `{"state":"closed"}`)
	for arguments, want := range map[string]string{
		"first:9":                                           "[2 3]",
		"first:9,states:[OPEN]":                             "[2]",
		"first:9,states:[CLOSED,MERGED]":                    "[3]",
		`first:9,headRefName:"more"`:                        "[3]",
		`first:9,baseRefName:"other"`:                       "[]",
		"first:9,orderBy:{field:UPDATED_AT,direction:DESC}": "[3 2]",
		`first:9,labels:["bug"]`:                            "[NOT_IMPLEMENTED The playground does not implement the argument labels of Repository.pullRequests]",
	} {
		got := w.tells("bob", "pullRequests("+arguments+"){nodes{number}}")
		var found struct {
			PullRequests struct{ Nodes []struct{ Number int } }
		}
		if json.Unmarshal([]byte(got), &found) == nil {
			numbers := []int{}
			for _, n := range found.PullRequests.Nodes {
				numbers = append(numbers, n.Number)
			}
			got = fmt.Sprint(numbers)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", arguments, got, want)
		}
	}
	const mentions = "issue(number:1){timelineItems(first:9,itemTypes:[CROSS_REFERENCED_EVENT]){nodes{... on CrossReferencedEvent{source{... on PullRequest{number} ... on Issue{title}}}}}}"
	w.say("bob", 1, "words")
	w.must("bob", "POST", "/repos/acme/shop/issues", `{"title":"Like it","body":"Like #1"}`)
	if got, want := w.tells("bob", mentions), `{"issue":{"timelineItems":{"nodes":[{"source":{"number":2}},{"source":{"title":"Like it"}}]}}}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// An App reads of a private repository what it was granted.
func TestWhatAnAppMayNotReadOverGraphQL(t *testing.T) {
	w := newWorld(t)
	w.check(w.SetPrivate("acme", "shop", true))
	n := w.pull("alice", "fix", "")
	w.check(w.SetInstallationPermissions(w.installation, map[string]string{"metadata": "read", "pull_requests": "read", "checks": "read"}))
	_, answer := w.query(w.installationAuthorization(), "/graphql", fmt.Sprintf(`{repository(owner:"acme",name:"shop"){pullRequest(number:%d){number statusCheckRollup{contexts(first:1){totalCount}}}}}`, n), nil)
	if got := fmt.Sprint(errorsOf(answer)); got != "[FORBIDDEN Resource not accessible by integration]" {
		t.Errorf("%s: %v", got, answer["data"])
	}
}
