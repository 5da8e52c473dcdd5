package playground_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v4"
	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/playground/schematest"
)

// appAuthorization is the App's own, good for a few minutes.
func (w *world) appAuthorization() string {
	now := time.Now()
	text, err := jwt.NewWithClaims(jwt.SigningMethodRS256, jwt.MapClaims{"iss": appID, "iat": now.Unix(), "exp": now.Add(9 * time.Minute).Unix()}).SignedString(key())
	if err != nil {
		w.t.Fatal(err)
	}
	return "Bearer " + text
}

func (w *world) installationAuthorization() string {
	token := must[*github.InstallationToken](w.t)(w.app().Apps.CreateInstallationToken(context.Background(), w.installation, nil))
	return "token " + token.GetToken()
}

// Whatever GitHub's description of a request forbids is refused, for every route, and changes nothing.
func TestMalformedRequestsAreRefused(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	w.SetPermission("acme", "shop", "alice", "admin")
	w.open("alice", "Broken", "bug")
	comment := w.say("alice", 1, "words")
	alice := w.as("alice")
	main := must[*github.Reference](t)(alice.Git.GetRef(ctx, "acme", "shop", "heads/main"))
	must[*github.Reference](t)(alice.Git.CreateRef(ctx, "acme", "shop", &github.Reference{Ref: new("refs/heads/fix"), Object: main.Object}))
	file := must[*github.RepositoryContentResponse](t)(alice.Repositories.CreateFile(ctx, "acme", "shop", "fix.txt", &github.RepositoryContentFileOptions{
		Message: new("fix"), Content: []byte("1"), Branch: new("fix"),
	}))
	pull := must[*github.PullRequest](t)(alice.PullRequests.Create(ctx, "acme", "shop", &github.NewPullRequest{Title: new("Fix"), Head: new("fix"), Base: new("main")})).GetNumber()
	review, err := w.ReviewPullRequest("acme", "shop", pull, "APPROVE", "", "bob")
	w.check(err)
	content := base64.StdEncoding.EncodeToString([]byte("x"))
	bodies := map[string]string{
		"POST /app/installations/{installation_id}/access_tokens":                      `{}`,
		"PATCH /app/hook/config":                                                       `{}`,
		"PATCH /repos/{owner}/{repo}":                                                  `{}`,
		"POST /repos/{owner}/{repo}/labels":                                            `{"name":"new"}`,
		"PATCH /repos/{owner}/{repo}/labels/{name}":                                    `{}`,
		"POST /repos/{owner}/{repo}/issues":                                            `{"title":"x"}`,
		"PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}":                     `{"body":"x"}`,
		"POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions":            `{"content":"eyes"}`,
		"PATCH /repos/{owner}/{repo}/issues/{issue_number}":                            `{}`,
		"POST /repos/{owner}/{repo}/issues/{issue_number}/labels":                      `{"labels":["bug"]}`,
		"PUT /repos/{owner}/{repo}/issues/{issue_number}/labels":                       `{"labels":["bug"]}`,
		"POST /repos/{owner}/{repo}/issues/{issue_number}/comments":                    `{"body":"x"}`,
		"POST /repos/{owner}/{repo}/issues/{issue_number}/reactions":                   `{"content":"eyes"}`,
		"PUT /repos/{owner}/{repo}/issues/{issue_number}/lock":                         `{}`,
		"PUT /repos/{owner}/{repo}/contents/{path...}":                                 `{"message":"m","content":"` + content + `"}`,
		"DELETE /repos/{owner}/{repo}/contents/{path...}":                              `{"message":"m","sha":"` + file.Content.GetSHA() + `","branch":"fix"}`,
		"POST /repos/{owner}/{repo}/git/refs":                                          `{"ref":"refs/heads/other","sha":"` + main.Object.GetSHA() + `"}`,
		"POST /repos/{owner}/{repo}/pulls":                                             `{"title":"x","head":"fix","base":"main"}`,
		"PATCH /repos/{owner}/{repo}/pulls/{pull_number}":                              `{}`,
		"PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge":                          `{}`,
		"POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews":                       `{"event":"COMMENT","body":"x"}`,
		"PUT /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/dismissals": `{"message":"x"}`,
	}
	w.check(w.AddTeam("acme", "leads", "alice"))
	run, err := w.SetCheck("acme", "shop", "fix", "dev", "unit", "")
	w.check(err)
	suite := int64(w.must("alice", "GET", fmt.Sprintf("/repos/acme/shop/check-runs/%d", run), "")["check_suite"].(map[string]any)["id"].(float64))
	head := w.must("alice", "GET", pullPath(pull), "")["head"].(map[string]any)["sha"].(string)
	bodies["POST /repos/{owner}/{repo}/check-runs"] = `{"name":"x","head_sha":"` + head + `"}`
	bodies["PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}"] = `{}`
	bodies["POST /repos/{owner}/{repo}/statuses/{sha}"] = `{"state":"success"}`
	other := w.open("alice", "Other").GetNumber()
	bodies["POST /repos/{owner}/{repo}/issues/{issue_number}/dependencies/blocked_by"] = fmt.Sprintf(`{"issue_id":%d}`, w.id("shop", other))
	bodies["POST /repos/{owner}/{repo}/issues/{issue_number}/sub_issues"] = fmt.Sprintf(`{"sub_issue_id":%d}`, w.id("shop", other))
	bodies["DELETE /repos/{owner}/{repo}/issues/{issue_number}/sub_issue"] = fmt.Sprintf(`{"sub_issue_id":%d}`, w.id("shop", other))
	bodies["PATCH /repos/{owner}/{repo}/issues/{issue_number}/sub_issues/priority"] = fmt.Sprintf(`{"sub_issue_id":%d,"after_id":%d}`, w.id("shop", other), w.id("shop", 1))
	bodies["DELETE /applications/{client_id}/token"] = `{"access_token":"ghu_x"}`
	fill := strings.NewReplacer("{owner}", "acme", "{client_id}", clientID(), "{org}", "acme", "{team_slug}", "leads", "{repo}", "shop", "{name}", "bug", "{issue_number}", "1", "{comment_id}", fmt.Sprint(comment.GetID()),
		"{pull_number}", fmt.Sprint(pull), "{path...}", "fix.txt", "{installation_id}", fmt.Sprint(w.installation), "{username}", "alice",
		"{account}", "acme", "{ref}", "main", "{ref...}", "heads/main", "{app_slug}", "colony", "{delivery_id}", "1", "{event_id}", "1", "{reaction_id}", "1", "{review_id}", fmt.Sprint(review), "{issue_id}", "1", "{check_run_id}", fmt.Sprint(run), "{check_suite_id}", fmt.Sprint(suite), "{sha}", head,
		"{commit_sha}", main.Object.GetSHA())
	authorizations := map[string]string{"app": w.appAuthorization(), "installation": w.installationAuthorization()}
	tried := 0
	for _, route := range playground.Routes() {
		operation := route.Method + " " + route.Pattern
		for _, m := range schematest.MalformedRequests(route.Method, route.Pattern, bodies[operation]) {
			tried++
			path := "/api/v3" + fill.Replace(route.Pattern)
			if m.Query != nil {
				path += "?" + m.Query.Encode()
			}
			authorization, ok := authorizations[string(route.Audience)]
			if !ok {
				authorization = w.auth("alice")
			}
			if strings.HasPrefix(route.Pattern, "/applications/") {
				authorization = "Basic " + base64.StdEncoding.EncodeToString([]byte(clientID()+":"+clientSecret))
			}
			if strings.Contains(route.Pattern, "/check-runs") {
				authorization = w.auth("dev")
			}
			response, answer := w.raw(route.Method, path, m.Body, "Authorization", authorization)
			refused := response.StatusCode == http.StatusUnprocessableEntity || response.StatusCode == http.StatusBadRequest || response.StatusCode == http.StatusNotImplemented
			if !refused {
				t.Errorf("%s: %s: %s %s → %d %v", operation, m.What, path, m.Body, response.StatusCode, answer["message"])
			}
		}
		delete(bodies, operation)
	}
	if len(bodies) > 0 || tried < 100 {
		t.Errorf("%d requests tried; bodies of no route: %v", tried, bodies)
	}
}
