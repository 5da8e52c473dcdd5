package playground

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// call is one REST request while it is being answered, under the playground's lock.
type call struct {
	p       *Playground
	request *http.Request
	query   url.Values
	path    string // without /api/v3
	prefix  string // "" or "/api/v3"
	body    []byte
	vars    map[string]string
	actor   actor
	route   *Route
	repo    *repository
	issue   *issue
	comment *comment
	header  http.Header
	// beside are the errors of a GraphQL answer that has data all the same.
	beside []object
	status int // 0: the route's default
}

// effectiveRole is what the actor can do in c.repo, in the words of roles.
func (c *call) effectiveRole() role {
	if !c.actor.asApp() {
		return c.repo.roleOf(c.actor.account)
	}
	if !c.actor.reaches(c.repo) {
		return roleRead
	}
	if c.actor.token.permissions["administration"] == "write" {
		return roleAdmin
	}
	if c.actor.token.permissions["contents"] == "write" {
		return roleWrite
	}
	return roleRead
}

// allowed is whether a person has at least this role. For Apps the route's permission has decided already.
func (c *call) allowed(least role) bool {
	return c.actor.asApp() || c.repo.roleOf(c.actor.account) >= least
}

// number is a numeric path variable. Routes guarantee that it parses.
func (c *call) number(name string) int64 {
	n, err := strconv.ParseInt(c.vars[name], 10, 64)
	if err != nil {
		return -1
	}
	return n
}

// decode reads a JSON object into target. Fields of GitHub that target lacks are refused loudly with 501 when they
// are listed in fieldsNotBuilt; unknown fields are ignored, as GitHub does.
func (c *call) decode(target any, known ...string) error {
	if len(bytes.TrimSpace(c.body)) == 0 {
		c.body = []byte("{}")
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(c.body, &fields); err != nil {
		if !json.Valid(c.body) {
			return refuse(http.StatusBadRequest, "Problems parsing JSON")
		}
		return refuse(http.StatusBadRequest, "Body should be a JSON object")
	}
	for name, value := range fields {
		text := string(bytes.TrimSpace(value))
		if slices.Contains(fieldsNotBuilt, name) && !slices.Contains(known, name) && text != "null" && text != "[]" && text != `""` {
			c.p.unimplemented[c.route.Method+" "+c.route.Pattern+" with "+name]++
			return refuse(http.StatusNotImplemented, fmt.Sprintf("The playground does not implement the field %s of %s %s", name, c.route.Method, c.route.Pattern))
		}
	}
	return mistyped(json.Unmarshal(c.body, target))
}

// reads lets a handler have the body of its request; known are the fields that it reads although the playground does not act upon them elsewhere.
func reads[B any](handle func(*call, B) (any, error), known ...string) func(*call) (any, error) {
	return func(c *call) (any, error) {
		var in B
		if err := c.decode(&in, known...); err != nil {
			return nil, err
		}
		return handle(c, in)
	}
}

// fieldsNotBuilt are request fields that GitHub acts upon and the playground does not.
var fieldsNotBuilt = []string{
	"milestone", "assignee", "assignees", "type", "issue_field_values", "duplicate_issue_id", "base", "maintainer_can_modify",
	// of a pull request
	"issue", "head_repo",
	// of a repository
	"homepage", "has_issues", "has_wiki", "has_projects", "has_pull_requests", "is_template", "security_and_analysis", "allow_forking",
	"allow_squash_merge", "allow_merge_commit", "allow_rebase_merge", "allow_auto_merge", "allow_update_branch", "delete_branch_on_merge",
	"use_squash_pr_title_as_default", "squash_merge_commit_title", "squash_merge_commit_message", "merge_commit_title",
	"merge_commit_message", "pull_request_creation_policy", "web_commit_signoff_required",
	// of a commit, and of a webhook
	"author", "committer", "insecure_ssl",
}

func mistyped(err error) error {
	if err == nil {
		return nil
	}
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		return refuse(http.StatusUnprocessableEntity, fmt.Sprintf("Invalid request.\n\nFor 'properties/%s', %s is not a %s.", wrong.Field, wrong.Value, schemaType(wrong.Type.Kind().String())))
	}
	if wrong := (*refusal)(nil); errors.As(err, &wrong) {
		return wrong
	}
	return refuse(http.StatusBadRequest, "Problems parsing JSON")
}

func schemaType(kind string) string {
	switch {
	case strings.HasPrefix(kind, "int"):
		return "integer"
	case kind == "bool":
		return "boolean"
	case kind == "slice":
		return "array"
	case kind == "struct" || kind == "map":
		return "object"
	default:
		return kind
	}
}

func missing(field string) *refusal {
	return refuse(http.StatusUnprocessableEntity, fmt.Sprintf("Invalid request.\n\n%q wasn't supplied.", field))
}

// since is the query's ?since, a time in RFC 3339.
func (c *call) since() (time.Time, error) {
	text := c.query.Get("since")
	if text == "" {
		return time.Time{}, nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}, refuse(http.StatusUnprocessableEntity, "The since parameter must be a time in ISO 8601 format")
	}
	return at, nil
}

// choice is a query parameter that has to be one of the given words; the first is the default.
func (c *call) choice(name string, words ...string) (string, error) {
	given := c.query.Get(name)
	if given == "" {
		return words[0], nil
	}
	if !slices.Contains(words, given) {
		return "", &refusal{status: http.StatusUnprocessableEntity, message: "Validation Failed", details: []object{{
			"resource": "Search", "field": name, "code": "invalid", "value": given,
		}}}
	}
	return given, nil
}

// self is the address of the call as GitHub's links name it: a repository's by its id.
func (c *call) self() string {
	path := c.path
	if c.repo != nil && c.vars["repo"] != "" {
		path = fmt.Sprintf("/repositories/%d%s", c.repo.id, c.tail(3))
	}
	return c.p.base + c.prefix + path
}

// page cuts one page out of a list and sets the Link header
// (https://docs.github.com/en/rest/using-the-rest-api/using-pagination-in-the-rest-api).
func page[T any](c *call, items []T) []T {
	size, number := perPage(c.query), 1
	if n, err := strconv.Atoi(c.query.Get("page")); err == nil && n > 0 {
		number = n
	}
	last := max(1, (len(items)+size-1)/size)
	var links []string
	query := slices.DeleteFunc(strings.Split(c.request.URL.RawQuery, "&"), func(pair string) bool {
		return pair == "" || strings.HasPrefix(pair, "page=")
	})
	link := func(n int, rel string) {
		links = append(links, fmt.Sprintf(`<%s?%s>; rel="%s"`, c.self(), strings.Join(append(slices.Clone(query), "page="+strconv.Itoa(n)), "&"), rel))
	}
	if number > 1 {
		link(min(number-1, last), "prev")
	}
	if number < last {
		link(number+1, "next")
		link(last, "last")
	}
	if number > 1 {
		link(1, "first")
	}
	if len(links) > 0 {
		c.header.Set("Link", strings.Join(links, ", "))
	}
	from := min((number-1)*size, len(items))
	return items[from:min(from+size, len(items))]
}

// each returns what a function makes of each item; never nil.
func each[T, N any](items []T, of func(T) N) []N {
	made := []N{}
	for _, item := range items {
		made = append(made, of(item))
	}
	return made
}

// perPage is ?per_page: 30 unless given, 100 at most.
func perPage(query url.Values) int {
	n, err := strconv.Atoi(query.Get("per_page"))
	if err != nil || n < 1 {
		return 30
	}
	return min(n, 100)
}
