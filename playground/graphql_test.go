package playground_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/playground/schematest"
)

const linksQuery = `query($owner: String!, $name: String!, $number: Int!, $closed: Boolean = false, $first: Int = 10, $after: String) {
  repository(owner: $owner, name: $name) {
    issue(number: $number) {
      number state
      closedByPullRequestsReferences(first: $first, after: $after, includeClosedPrs: $closed) {
        totalCount pageInfo { hasNextPage endCursor }
        nodes { number state isDraft headRefName repository { nameWithOwner } }
      }
    }
  }
}`

// query asks the GraphQL API.
func (w *world) query(authorization, path, text string, variables map[string]any) (status int, answer map[string]any) {
	w.t.Helper()
	body, err := json.Marshal(map[string]any{"query": text, "variables": variables})
	w.check(err)
	var header []string
	if authorization != "" {
		header = []string{"Authorization", authorization}
	}
	response, answer := w.raw("POST", path, string(body), header...)
	return response.StatusCode, answer
}

// errorsOf are the types and messages of the errors in an answer.
func errorsOf(answer map[string]any) []string {
	var found []string
	list, _ := answer["errors"].([]any) // none if there are none
	for _, e := range list {
		fields := e.(map[string]any)
		kind, _ := fields["type"].(string) // none where the query itself is wrong
		found = append(found, strings.TrimSpace(kind+" "+fields["message"].(string)))
	}
	return found
}

func TestPullRequestsOfAnIssueOverGraphQL(t *testing.T) {
	w := newWorld(t)
	w.AddRepository("acme", "vault")
	w.check(w.SetPrivate("acme", "vault", true))
	w.SetPermission("acme", "vault", "alice", "write")
	n := w.open("alice", "Broken").GetNumber()
	named := w.pull("alice", "named", fmt.Sprintf("Fixes #%d", n))
	byHand := w.pull("bob", "hand", "")
	w.check(w.LinkPullRequest("acme", "shop", n, "", byHand, true, "alice"))
	w.pull("bob", "mentions", fmt.Sprintf("See #%d", n))
	merged := w.pull("bob", "merged", fmt.Sprintf("closes acme/shop#%d", n))
	w.must("alice", "PUT", pullPath(merged)+"/merge", `{}`)
	secret, err := w.OpenPullRequest(playground.PullRequest{Owner: "acme", Name: "vault", By: "alice", Branch: "secret", Body: fmt.Sprintf("resolves acme/shop#%d", n)})
	w.check(err)

	ask := func(login string, extra map[string]any) string {
		variables := map[string]any{"owner": "acme", "name": "shop", "number": n}
		maps.Copy(variables, extra)
		status, answer := w.query(w.auth(login), "/api/graphql", linksQuery, variables)
		if status != 200 || answer["errors"] != nil {
			t.Fatalf("%d %v", status, answer)
		}
		links := answer["data"].(map[string]any)["repository"].(map[string]any)["issue"].(map[string]any)["closedByPullRequestsReferences"].(map[string]any)
		found := []string{fmt.Sprint(links["totalCount"])}
		for _, node := range links["nodes"].([]any) {
			pull := node.(map[string]any)
			found = append(found, fmt.Sprintf("%s#%.0f %s", pull["repository"].(map[string]any)["nameWithOwner"], pull["number"], pull["state"]))
		}
		return strings.Join(found, ", ")
	}
	open := fmt.Sprintf("acme/shop#%d OPEN, acme/shop#%d OPEN", named, byHand)
	for name, test := range map[string]struct {
		login string
		extra map[string]any
		want  string
	}{
		"open ones":   {"bob", nil, "2, " + open},
		"and closed":  {"bob", map[string]any{"closed": true}, fmt.Sprintf("3, %s, acme/shop#%d MERGED", open, merged)},
		"and private": {"alice", nil, fmt.Sprintf("3, %s, acme/vault#%d OPEN", open, secret)},
		"a page":      {"bob", map[string]any{"first": 1}, fmt.Sprintf("2, acme/shop#%d OPEN", named)},
		"none":        {"bob", map[string]any{"first": 0}, "2"},
	} {
		if got := ask(test.login, test.extra); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
	_, answer := w.query(w.auth("bob"), "/graphql", fmt.Sprintf(`{repository(owner:"acme",name:"shop"){issue(number:%d){closedByPullRequestsReferences(first:1){pageInfo{endCursor}}}}}`, n), nil)
	cursor := answer["data"].(map[string]any)["repository"].(map[string]any)["issue"].(map[string]any)["closedByPullRequestsReferences"].(map[string]any)["pageInfo"].(map[string]any)["endCursor"]
	if got, want := ask("bob", map[string]any{"after": cursor}), fmt.Sprintf("2, acme/shop#%d OPEN", byHand); got != want {
		t.Errorf("the second page: %s, want %s", got, want)
	}

	closed := w.must("alice", "GET", issuePath(n), "")
	if closed["state"] != "closed" || closed["state_reason"] != "completed" {
		t.Errorf("the merge closed it as %v %v", closed["state"], closed["state_reason"])
	}
	w.check(w.RenameRepository("acme", "shop", "store"))
	if got := ask("bob", nil); got != "2, "+strings.ReplaceAll(open, "shop", "store") {
		t.Errorf("by its former name: %s", got)
	}
}

func TestGraphQLRefuses(t *testing.T) {
	w := newWorld(t)
	w.open("alice", "Broken")
	w.AddRepository("acme", "vault")
	w.check(w.SetPrivate("acme", "vault", true))
	issue := func(fields string) string {
		return `{repository(owner:"acme",name:"shop"){issue(number:1){` + fields + `}}}`
	}
	for query, want := range map[string]string{
		`{repository(owner:"acme",name:"vault"){name}}`:                               "NOT_FOUND Could not resolve to a Repository with the name 'acme/vault'.",
		`{repository(owner:"acme",name:"shop"){issue(number:99){title}}}`:             "NOT_FOUND Could not resolve to an Issue with the number of 99.",
		issue(`closedByPullRequestsReferences{totalCount}`):                           "MISSING_PAGINATION_BOUNDARIES You must provide a `first` or `last` value to properly paginate the `closedByPullRequestsReferences` connection.",
		issue(`closedByPullRequestsReferences(last:101){totalCount}`):                 "EXCESSIVE_PAGINATION Requesting 101 records on the `closedByPullRequestsReferences` connection exceeds the `last` limit of 100 records.",
		issue(`assignees(first:1){totalCount}`):                                       `Field 'assignees' doesn't exist on type 'Issue'`,
		issue(`labels(first:1,orderBy:{field:NAME,direction:ASC}){totalCount}`):       "NOT_IMPLEMENTED The playground does not implement another order of Issue.labels",
		issue(`timelineItems(first:1){totalCount}`):                                   "NOT_IMPLEMENTED The playground does not implement Issue.timelineItems but with itemTypes alone",
		issue(`closedByPullRequestsReferences(first:1,states:OPEN){totalCount}`):      `Field 'closedByPullRequestsReferences' doesn't accept argument 'states'`,
		`{repository(owner:"acme",name:"shop"){pullRequest(number:1){title}}}`:        "NOT_FOUND Could not resolve to a PullRequest with the number of 1.",
		`mutation{closeIssue(input:{issueId:"x"}){clientMutationId}}`:                 `Field 'closeIssue' doesn't exist on type 'Mutation'`,
		`query($x:String!){repository(owner:$x,name:"shop"){name}}`:                   `Variable "x" has invalid value null.` + "\n" + `Expected type "String!", found null.`,
		issue(`closedByPullRequestsReferences(first:1,last:1,before:"x"){nodes{id}}`): "",
	} {
		status, answer := w.query(w.auth("mallory"), "/graphql", query, nil)
		if diff := cmp.Diff(want, strings.Join(errorsOf(answer), "; ")); status != 200 || diff != "" {
			t.Errorf("%s: %d %s", query, status, diff)
		}
	}
	if diff := cmp.Diff([]string{
		"POST /graphql: Field 'assignees' doesn't exist on type 'Issue'", "POST /graphql: Field 'closeIssue' doesn't exist on type 'Mutation'",
		"POST /graphql: Field 'closedByPullRequestsReferences' doesn't accept argument 'states'", "POST /graphql: Issue.timelineItems but with itemTypes alone",
		"POST /graphql: another order of Issue.labels",
	}, w.Unimplemented()); diff != "" {
		t.Error(diff)
	}
	if status, answer := w.query("", "/graphql", issue("title"), nil); status != 401 || answer["message"] != "This endpoint requires you to be authenticated." {
		t.Errorf("nobody: %d %v", status, answer)
	}
	if response, answer := w.raw("POST", "/graphql", "{", "Authorization", w.auth("bob")); response.StatusCode != 400 {
		t.Errorf("not JSON: %d %v", response.StatusCode, answer)
	}
	if _, answer := w.raw("POST", "/graphql", "{}", "Authorization", w.auth("bob")); len(errorsOf(answer)) != 1 {
		t.Errorf("no query: %v", answer)
	}

	// An installation reads what its permissions let it.
	w.SetPermission("acme", "vault", "alice", "write")
	w.must("alice", "POST", "/repos/acme/vault/issues", `{"title":"Secret"}`)
	vault := `{repository(owner:"acme",name:"vault"){issue(number:1){title}}}`
	if _, answer := w.query(w.installationAuthorization(), "/graphql", vault, nil); len(errorsOf(answer)) > 0 {
		t.Errorf("with issues: write: %v", answer)
	}
	w.check(w.SetInstallationPermissions(w.installation, map[string]string{"metadata": "read"}))
	if _, answer := w.query(w.installationAuthorization(), "/graphql", vault, nil); !cmp.Equal(errorsOf(answer), []string{"FORBIDDEN Resource not accessible by integration"}) {
		t.Errorf("without: %v", answer)
	}

	w.SetRateLimit(1)
	for _, want := range []string{"", "RATE_LIMIT API rate limit exceeded for user ID "} {
		response, answer := w.raw("POST", "/graphql", `{"query":"{__typename}"}`, "Authorization", w.auth("bob"))
		if got := strings.Join(errorsOf(answer), ""); response.StatusCode != 200 || !strings.HasPrefix(got, want) || want == "" && got != "" || response.Header.Get("X-RateLimit-Resource") != "graphql" {
			t.Errorf("%s %v %s", response.Status, answer, response.Header.Get("X-RateLimit-Resource"))
		}
	}
	if response, _ := w.raw("GET", "/user", "", "Authorization", w.auth("bob")); response.StatusCode != 200 {
		t.Errorf("the REST API has a limit of its own: %s", response.Status)
	}
	w.SetRateLimit(5000)
	w.check(w.Lack(playground.GraphQL))
	if status, _ := w.query(w.auth("bob"), "/graphql", issue("title"), nil); status != 404 {
		t.Errorf("lacking: %d", status)
	}
}

func TestIssuesOfAPullRequestOverGraphQL(t *testing.T) {
	w := newWorld(t)
	for _, title := range []string{"One", "Two", "Three"} {
		w.open("alice", title)
	}
	w.say("bob", 2, "words")
	n := w.pull("alice", "fix", "Fixes #1, fixes #2, see #3")
	w.check(w.LinkPullRequest("acme", "shop", 3, "", n, true, ""))
	for arguments, want := range map[string]string{
		"first:10":                     "[1 2 3]",
		"first:10,userLinkedOnly:true": "[3]",
		"last:1":                       "[3]",
		"first:3,orderBy:{field:COMMENTS,direction:DESC}": "[2 1 3]",
	} {
		status, answer := w.query(w.auth("bob"), "/graphql", fmt.Sprintf(`{repository(owner:"acme",name:"shop"){pullRequest(number:%d){closingIssuesReferences(%s){edges{cursor node{number}}}}}}`, n, arguments), nil)
		if status != 200 || answer["errors"] != nil {
			t.Fatalf("%s: %d %v", arguments, status, answer)
		}
		var numbers []any
		pull := answer["data"].(map[string]any)["repository"].(map[string]any)["pullRequest"].(map[string]any)
		for _, edge := range pull["closingIssuesReferences"].(map[string]any)["edges"].([]any) {
			numbers = append(numbers, edge.(map[string]any)["node"].(map[string]any)["number"])
		}
		if got := fmt.Sprint(numbers); got != want {
			t.Errorf("%s: %s, want %s", arguments, got, want)
		}
	}
}

// Whatever the playground says of GitHub's GraphQL API, GitHub says too.
func TestGraphQLSchemaIsAPartOfTheOneThatGitHubPublishes(t *testing.T) {
	own, err := schematest.GraphQLSignatures(playground.GraphQLSchema())
	w := newWorld(t)
	w.check(err)
	published := schematest.PublishedGraphQL()
	for _, signature := range own {
		if _, found := slices.BinarySearch(published, signature); !found {
			t.Errorf("GitHub does not publish %s", signature)
		}
	}
	if len(own) < 40 || len(published) < 300 {
		t.Errorf("%d of %d signatures: they are not read right", len(own), len(published))
	}
}
