// Package deviations lists where GitHub departs from its descriptions, as the playground does. Package schematest checks each row.
package deviations

import (
	"fmt"
	"regexp"
	"strings"
)

// Deviation is one place where GitHub departs from its own description.
type Deviation struct {
	Description string         // "api.github.com", "ghes-3.19" or "webhooks"; empty: each
	Where       *regexp.Regexp // "GET /repos/…" or "issues.unlabeled"
	Problem     *regexp.Regexp // as the report words it
	Reason      string
	// Mended is the body without the deviation, the request's if the problem is one of the request: what else is wrong is wrong all the same. Nil
	// where a body cannot be fixed.
	Mended func(body any) any
}

// anywhere is every operation.
var anywhere = regexp.MustCompile(``)

func exactly(text string) *regexp.Regexp {
	return regexp.MustCompile(`^` + regexp.QuoteMeta(text) + `$`)
}

// Deviations are the departures in what GitHub answers, takes and sends.
var Deviations = []Deviation{
	{
		"", anywhere, regexp.MustCompile(`^4\d\d /status: no such field is described$`),
		"the body of every error has its status, but GitHub describes that for the basic error only",
		nil,
	},
	{
		"", regexp.MustCompile(`^GET /repos/\{owner\}/\{repo\}/issues/(events|\{issue_number\}/events)$`), exactly("200 /*/state_reason: no such field is described"),
		"GitHub's events say why an issue was closed, but only the timeline describes it",
		nil,
	},
	{
		"", exactly("GET /app/installations"), regexp.MustCompile(`^200 /\*/(client_id|(account|suspended_by)/user_view_type): no such field is described$`),
		"GitHub describes these fields of one installation, but not in the list",
		nil,
	},
	{
		"webhooks", regexp.MustCompile(`^(issues\.[a-z]+|issue_comment\.created)$`), exactly("/issue/performed_via_github_app/client_id: no such field is described"),
		"GitHub describes this field of an App in the REST API, but not in this webhook",
		nil,
	},
	{
		"webhooks", anywhere, regexp.MustCompile(`^(/.*)?/assignees?(/\*)?/user_view_type: no such field is described$`),
		"GitHub describes this field of a user everywhere else, but not of assignees in some webhooks",
		nil,
	},
	{
		"webhooks", exactly("status"), regexp.MustCompile(`^/commit/(author|committer)/user_view_type: no such field is described$`),
		"GitHub describes this field of a user everywhere else, but not in this webhook",
		nil,
	},
	{
		"webhooks", anywhere, regexp.MustCompile(`^(/.*)?/performed_via_github_app/events/\*: value must be one of `),
		"GitHub's description of the events that an App can subscribe to lacks the newer ones",
		nil,
	},
	{
		"", exactly("GET /app/installations"), exactly(`200 /*/account: doesn't match all schemas from "allOf"`),
		"GitHub describes the account as both a user and an enterprise, which nothing can be",
		nil,
	},
	{
		"", regexp.MustCompile(`^GET /repos/\{owner\}/\{repo\}/issues/\{issue_number\}/(events|timeline)$`), exactly(`200 /*: doesn't match any schema from "anyOf"`),
		"an event of a deleted user has a null actor, but GitHub describes that for the events of a repository only",
		withActors,
	},
	{
		"", exactly("GET /repos/{owner}/{repo}/contents/{path...}"), exactly(`200: response header Content-Type has unexpected value: "application/vnd.github.raw+json; charset=utf-8"`),
		"GitHub documents the raw media type in prose only (https://docs.github.com/rest/repos/contents#get-repository-content)",
		nil,
	},
	{
		"", exactly("GET /repos/{owner}/{repo}/contents/{path...}"), exactly(`request path path: value is required but missing`),
		"a client reads the root folder with an empty path, as the documentation says (https://docs.github.com/rest/repos/contents#get-repository-content)",
		nil,
	},
	{
		"", exactly("PUT /repos/{owner}/{repo}/contents/{path...}"), exactly(`409 /: value matches more than one schema from "oneOf" (matches schemas at indices [0 1])`),
		"GitHub describes the two kinds of conflicts such that every conflict is of both kinds",
		nil,
	},
	{
		"", exactly("POST /app/installations/{installation_id}/access_tokens"), exactly(`request /: Value is not nullable`),
		"go-github and ghinstallation send null where they have no options, and GitHub takes it",
		func(any) any { return map[string]any{} },
	},
	{
		"", regexp.MustCompile(`^(POST|PUT) /repos/\{owner\}/\{repo\}/issues/\{issue_number\}/labels$`), exactly(`request /: value doesn't match any schema from "oneOf"`),
		"GitHub documents an array of labels, and an empty one to remove them all, in prose only (https://docs.github.com/rest/issues/labels#set-labels-for-an-issue); go-github sends it",
		wrapped,
	},
	{
		"", anywhere, regexp.MustCompile(`^[45]\d\d is described without a body$`),
		"GitHub says what is wrong in every error",
		nil,
	},
}

// Undescribed is a status of GitHub's that the description of the operation does not list.
type Undescribed struct {
	From, To int            // statuses, both included
	Where    *regexp.Regexp // "GET /repos/…"
	Schema   string         // that the body matches; empty: without one
	Reason   string
}

// Statuses are all that GitHub's descriptions do not list.
var Statuses = []Undescribed{
	{301, 301, anywhere, "basic-error", "every address of a repository that was renamed redirects (https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api#follow-redirects)"},
	{307, 307, anywhere, "basic-error", "as 301, for writes"},
	{304, 304, anywhere, "", "every GET can be conditional (https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api#use-conditional-requests-if-appropriate)"},
	{400, 400, anywhere, "basic-error", "every operation with a body refuses what is not JSON (https://docs.github.com/rest/using-the-rest-api/troubleshooting-the-rest-api#400-bad-request)"},
	{401, 401, anywhere, "basic-error", "every operation refuses bad credentials (https://docs.github.com/rest/authentication/authenticating-to-the-rest-api#failed-login-limit)"},
	{403, 403, anywhere, "basic-error", "every operation has rate limits and permissions (https://docs.github.com/rest/using-the-rest-api/troubleshooting-the-rest-api)"},
	{404, 404, anywhere, "basic-error", "every operation hides what one may not see (https://docs.github.com/rest/using-the-rest-api/troubleshooting-the-rest-api#404-not-found-for-an-existing-resource)"},
	{422, 422, anywhere, "validation-error", "every operation with a body refuses what it cannot work with"},
	{429, 429, anywhere, "basic-error", "the status of a rate limit is 403 or 429 (https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit)"},
	{500, 599, anywhere, "basic-error", "GitHub has bad moments"},
}

// Rows lists both tables for readers: the place, the departure and the reason.
func Rows() (rows [][3]string) {
	for _, d := range Deviations {
		rows = append(rows, [3]string{readable(d.Where), readable(d.Problem), d.Reason})
	}
	for _, u := range Statuses {
		what := fmt.Sprintf("%d is not listed", u.From)
		if u.To != u.From {
			what = fmt.Sprintf("%d to %d are not listed", u.From, u.To)
		}
		rows = append(rows, [3]string{readable(u.Where), what, u.Reason})
	}
	return rows
}

// readable is a pattern without what only a machine needs.
func readable(pattern *regexp.Regexp) string {
	if pattern.String() == "" {
		return "anywhere"
	}
	return strings.NewReplacer(`\d`, "x", "^", "", "$", "", `\`, "").Replace(pattern.String())
}

// String names the row.
func (d Deviation) String() string {
	return fmt.Sprintf("deviation %s %s %s", d.Description, d.Where, d.Problem)
}

// String names the row.
func (u Undescribed) String() string {
	return fmt.Sprintf("undescribed status %d to %d %s", u.From, u.To, u.Where)
}

// withActors names an actor wherever an event has none.
func withActors(body any) any {
	somebody := map[string]any{}
	for _, name := range []string{
		"login", "node_id", "avatar_url", "gravatar_id", "url", "html_url", "followers_url", "following_url", "gists_url", "starred_url",
		"subscriptions_url", "organizations_url", "repos_url", "events_url", "received_events_url", "type",
	} {
		somebody[name] = "https://github.com/ghost"
	}
	somebody["id"], somebody["site_admin"] = 10137.0, false
	events, _ := body.([]any) // anything else stays as it is
	for _, event := range events {
		if fields, ok := event.(map[string]any); ok && fields["actor"] == nil {
			fields["actor"] = somebody
		}
	}
	return body
}

// wrapped puts an array of labels, or a single one, into the object that is described; none at all is left out of it.
func wrapped(body any) any {
	switch given := body.(type) {
	case string:
		return map[string]any{"labels": []any{given}}
	case []any:
		if len(given) == 0 {
			return map[string]any{}
		}
		return map[string]any{"labels": given}
	default:
		return body
	}
}
