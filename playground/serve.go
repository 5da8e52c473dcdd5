package playground

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/colony-app/colony/playground/internal/wiretap"
)

// maxRequestBody bounds the body of a REST request, in bytes.
const maxRequestBody = 1 << 20

// reply is what goes over the wire.
type reply struct {
	status int
	body   []byte // nil: none
}

// apiRoots are the first segments of REST paths; anything else can belong to the page.
var apiRoots = []string{
	"api", "app", "app-manifests", "apps", "applications", "emojis", "events", "gists", "graphql", "installation", "issues", "licenses", "markdown", "marketplace_listing", "meta",
	"notifications", "octocat", "organizations", "orgs", "projects", "rate_limit", "repos", "repositories", "search", "teams", "user", "users", "versions", "zen",
}

// settingUp are the addresses of web pages that begin like those of the REST API.
var settingUp = regexp.MustCompile(`^/(organizations/[^/]+/settings/apps/new|apps/[^/]+/installations/new)$`)

// Handler answers the REST API at the root and under /api/v3, the control API under /playground/, and the page, if
// SetPage was called, for all the rest. A web page of another origin cannot use the controls, as its browser tells of it
// (Sec-Fetch-Site, Origin).
func (p *Playground) Handler() http.Handler {
	controls := http.NewCrossOriginProtection()
	controls.SetDenyHandler(http.HandlerFunc(refuseForeign))
	control := controls.Handler(http.HandlerFunc(p.serveControl))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.learnBase(r)
		first, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		if first == "playground" {
			control.ServeHTTP(w, r)
			return
		}
		if r.URL.Path == "/login/oauth/access_token" && r.Method == http.MethodPost {
			p.serveAccessToken(w, r)
			return
		}
		p.mu.Lock()
		page := p.page
		p.mu.Unlock()
		if page != nil && (!slices.Contains(apiRoots, first) || settingUp.MatchString(r.URL.Path)) {
			page.ServeHTTP(w, r)
			return
		}
		p.serveREST(w, r)
	})
}

func (p *Playground) learnBase(r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.base != "" {
		return
	}
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	p.base = scheme + "://" + r.Host
}

func (p *Playground) serveREST(w http.ResponseWriter, r *http.Request) {
	path, prefix := r.URL.EscapedPath(), ""
	if rest, ok := strings.CutPrefix(path, "/api/v3"); ok && (rest == "" || rest[0] == '/') {
		path, prefix = rest, "/api/v3"
	}
	if len(path) > 1 {
		path = strings.TrimSuffix(path, "/")
	}
	c := &call{p: p, request: r, query: r.URL.Query(), path: path, prefix: prefix, header: w.Header()}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequestBody))
	if err != nil {
		http.Error(w, "the request's body could not be read", http.StatusBadRequest)
		return
	}
	c.body = body

	p.mu.Lock()
	by, authErr := p.authenticate(r)
	c.actor = by
	hit := p.faultFor(r.Method, path, by)
	c.path = p.named(path)
	c.route, c.vars = findRoute(routes, r.Method, c.path)
	if isGraphQL(r.Method, path, prefix) {
		c.route = &graphqlRoute
	}
	p.mu.Unlock()

	if hit != nil && hit.Kind == FaultDelay {
		select {
		case <-p.clock.After(hit.Delay):
		case <-r.Context().Done():
			p.record(c, hit, 0)
			return
		}
	}

	var answer reply
	p.mu.Lock()
	switch {
	case hit == nil || hit.Kind == FaultDelay:
		answer = p.answer(c, authErr)
	case hit.After:
		p.answer(c, authErr)
		if hit.Kind != FaultCut {
			for _, name := range []string{"ETag", "Link", "Location", "Cache-Control", "Vary", "Content-Type"} {
				c.header.Del(name)
			}
			answer = hit.answer(p, c)
		}
	case hit.Kind != FaultCut:
		c.commonHeaders()
		answer = hit.answer(p, c)
	}
	p.mu.Unlock()

	p.record(c, hit, answer.status)
	if answer.status == 0 {
		panic(http.ErrAbortHandler) // net/http closes the connection without an answer
	}
	if answer.body != nil {
		if c.header.Get("Content-Type") == "" {
			c.header.Set("Content-Type", "application/json; charset=utf-8")
		}
		c.header.Set("Content-Length", strconv.Itoa(len(answer.body)))
	}
	wiretap.Saw(func() wiretap.Exchange { return c.exchange(hit, answer) })
	w.WriteHeader(answer.status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(answer.body) // the client might be gone; no one is left to tell
	}
}

// wired is Handler for what comes over a wire, where every program has to say what it is: who does not is refused before
// anything else is looked at, and not in JSON
// (https://docs.github.com/rest/using-the-rest-api/getting-started-with-the-rest-api#user-agent).
func (p *Playground) wired() http.Handler {
	named := p.Handler()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.UserAgent() != "" {
			named.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusForbidden)
		_, _ = io.WriteString(w, "\r\nRequest forbidden by administrative rules. Please make sure your request has a User-Agent header "+
			"(https://docs.github.com/en/rest/overview/resources-in-the-rest-api#user-agent-required).\r\n") // the client may be gone
	})
}

// exchange is the call and its answer as the testing aid sees them.
func (c *call) exchange(hit *Fault, answer reply) wiretap.Exchange {
	e := wiretap.Exchange{
		Method: c.request.Method, Path: c.path, Query: c.query, Header: c.request.Header.Clone(), Body: c.body,
		Status: answer.status, Answer: c.header.Clone(), AnswerBody: answer.body,
		Scripted:    hit != nil && hit.Kind == FaultStatus && hit.Body != "",
		Interrupted: hit != nil && hit.Kind != FaultDelay,
	}
	if c.route != nil && c.route != &graphqlRoute {
		e.Route = c.route.Pattern
	}
	return e
}

func (p *Playground) record(c *call, hit *Fault, status int) {
	line := Call{
		At: p.clock.Now(), Method: c.request.Method, Path: c.path, Query: c.request.URL.RawQuery, Actor: c.actor.login(),
		Installation: c.actor.installationID(), Status: status, Conditional: c.request.Header.Get("If-None-Match") != "", Points: c.points(),
	}
	if c.route != nil {
		line.Route = c.route.Pattern
	}
	if hit != nil {
		line.Fault = hit.Kind
	}
	p.mu.Lock()
	p.enter(line)
	p.mu.Unlock()
	p.log.Debug().Str("method", line.Method).Str("path", line.Path).Str("actor", line.Actor).Int("status", status).Msg("call")
}

// enter writes a call into the journal.
func (p *Playground) enter(line Call) {
	if len(p.calls) >= keptCalls {
		p.calls = slices.Delete(p.calls, 0, keptCalls/10)
	}
	p.calls = append(p.calls, line)
	p.notify()
}

func (c *call) commonHeaders() {
	request := newGUID()
	for name, value := range map[string]string{
		"Server": "github.com", "X-GitHub-Request-Id": strings.ToUpper(request[:8] + ":" + request[9:13]),
		"X-GitHub-Media-Type": "github.v3; format=json", "X-GitHub-Api-Version-Selected": "2022-11-28",
		"X-Content-Type-Options": "nosniff", "Access-Control-Allow-Origin": "*", "Referrer-Policy": "origin-when-cross-origin, strict-origin-when-cross-origin",
	} {
		c.header.Set(name, value)
	}
	if c.actor.account != nil && !c.actor.asApp() && !c.actor.forUser() && c.actor.personal() == nil {
		c.header.Set("X-OAuth-Scopes", "read:org, repo, user")
	}
}

// answer runs a call from the route to the reply, under the lock.
func (p *Playground) answer(c *call, authErr error) reply {
	c.commonHeaders()
	if authErr != nil {
		p.window(c.actor).setHeaders(c.header) // of no one in particular
		return c.refusedWith(authErr, docsRoot)
	}
	if c.route == nil && strings.HasPrefix(c.path, "/repositories/") {
		return c.refused(errNotFound)
	}
	if c.route == nil {
		what := c.request.Method + " " + c.path
		p.unimplemented[what]++
		p.log.Warn().Str("method", c.request.Method).Str("path", c.path).Msg("not implemented")
		return c.refused(refuse(http.StatusNotImplemented, "The playground does not implement "+what))
	}
	w := p.window(c.actor)
	if c.route == &graphqlRoute {
		w = p.windowOf(c.actor, "graphql")
	}
	if c.route.Pattern != "/rate_limit" && w.used >= w.limit {
		w.setHeaders(c.header)
		if c.route == &graphqlRoute {
			c.status = http.StatusOK
			return c.render(graphqlLimit(limitMessage(c.actor)), nil)
		}
		return c.refused(refuse(http.StatusForbidden, limitMessage(c.actor)))
	}
	if wait := p.spend(c.actor, c.points()); wait > 0 && c.route.Pattern != "/rate_limit" {
		w.setHeaders(c.header)
		c.header.Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
		return c.refusedWith(refuse(http.StatusForbidden, secondaryLimit), secondaryLimitDocs)
	}
	var answer reply
	if p.lacks(c.route) {
		answer = c.refusedWith(errNotFound, docsRoot)
	} else {
		answer = c.render(c.run())
	}
	// Only those who say who they are have "not modified" for nothing
	// (https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api#use-conditional-requests-if-appropriate).
	free := c.route.Pattern == "/rate_limit" || answer.status == http.StatusNotModified && c.actor.key() != actor{}.key()
	if !free {
		w.used++
	}
	w.setHeaders(c.header)
	return answer
}

func (c *call) run() (any, error) {
	if err := c.admit(); err != nil {
		return nil, err
	}
	if err := c.resolve(); err != nil {
		return nil, err
	}
	answer, err := c.route.handle(c)
	if err != nil {
		return nil, err
	}
	return c.asMedia(answer)
}

// admit checks the audience.
func (c *call) admit() error {
	switch c.route.Audience {
	case appOnly:
		if !c.actor.jwt {
			return refuse(http.StatusUnauthorized, "A JSON web token could not be decoded")
		}
	case installationOnly:
		if !c.actor.asApp() {
			return refuse(http.StatusForbidden, "You must authenticate with an installation access token in order to list repositories for an installation.")
		}
	case userOnly:
		if c.actor.asApp() || c.actor.jwt {
			return errNotIntegration
		}
		if c.actor.account == nil {
			return refuse(http.StatusUnauthorized, "Requires authentication")
		}
	case signedIn:
		if c.actor.jwt {
			return errNotIntegration
		}
		if c.actor.account == nil {
			return refuse(http.StatusUnauthorized, "Requires authentication")
		}
	case anyone:
	}
	return nil
}

// resolve finds the repository, issue and comment of the path and checks permission and role.
func (c *call) resolve() error {
	if c.vars["repo"] == "" {
		return nil
	}
	full := lower(c.vars["owner"], c.vars["repo"])
	r := c.p.repositories[full]
	if moved := c.p.formerNames[full]; r == nil && moved != nil && c.actor.sees(moved) {
		return c.moved(moved, c.tail(3))
	}
	if r == nil || !c.actor.sees(r) && !c.asksOfItself(r) {
		return errNotFound
	}
	c.repo = r
	if err := c.resolveThread(); err != nil {
		return err
	}
	return c.authorize()
}

// asksOfItself is whether an App asks by its JWT for its own installation, which it sees on private repositories too.
func (c *call) asksOfItself(r *repository) bool {
	return c.route.Audience == appOnly && c.actor.jwt && !r.deleted && c.p.installationCovering(c.actor.app, r) != nil
}

func (c *call) resolveThread() error {
	name := "issue_number"
	if _, ok := c.vars["pull_number"]; ok {
		name = "pull_number"
	}
	if _, ok := c.vars[name]; ok {
		c.issue = c.repo.issue(int(c.number(name)))
		switch {
		case c.issue == nil || name == "pull_number" && c.issue.pull == nil:
			return errNotFound
		case c.issue.deleted:
			return refuse(http.StatusGone, "This issue was deleted")
		case c.issue.movedTo != nil:
			target := c.issue.movedTo
			return c.moved(target.repo, fmt.Sprintf("/issues/%d%s", target.number, c.tail(5)))
		}
	}
	if _, ok := c.vars["comment_id"]; ok {
		for _, i := range c.openIssues() {
			if m := i.comment(c.number("comment_id")); m != nil {
				c.issue, c.comment = i, m
				return nil
			}
		}
		return errNotFound
	}
	return nil
}

// tail is what follows the first n segments of the path, with its slash.
func (c *call) tail(n int) string {
	segments := strings.SplitN(c.path, "/", n+2)
	if len(segments) < n+2 {
		return ""
	}
	return "/" + segments[n+1]
}

// moved sends the client to where something is now: 301 for reads, 307 for writes, in the same words, to the repository's address by id
// (https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#follow-redirects).
func (c *call) moved(r *repository, tail string) error {
	location := fmt.Sprintf("%s%s/repositories/%d%s", c.p.base, c.prefix, r.id, tail)
	if c.request.URL.RawQuery != "" {
		location += "?" + c.request.URL.RawQuery
	}
	status := http.StatusMovedPermanently
	if c.route.Method != get {
		status = http.StatusTemporaryRedirect
	}
	return &refusal{status: status, message: "Moved Permanently", header: http.Header{"Location": {location}}, extra: object{
		"url": location, "documentation_url": "https://docs.github.com/rest/guides/best-practices-for-using-the-rest-api#follow-redirects",
	}}
}

// named is the path with a repository's address by id turned into the one by name.
func (p *Playground) named(path string) string {
	rest, byID := strings.CutPrefix(path, "/repositories/")
	if !byID {
		return path
	}
	id, tail, _ := strings.Cut(rest, "/")
	for _, r := range p.repositories {
		if strconv.FormatInt(r.id, 10) == id {
			return strings.TrimSuffix("/repos/"+r.fullName()+"/"+tail, "/")
		}
	}
	return path
}

// authorize checks an App's permission or a person's role.
func (c *call) authorize() error {
	if c.actor.jwt {
		return nil
	}
	if !c.actor.asApp() {
		if c.repo.roleOf(c.actor.account) < c.route.Role {
			return errNeedsRights
		}
		if c.route.Level == "write" && c.repo.archived && c.route.Role < roleAdmin {
			return refuse(http.StatusForbidden, "Repository was archived so is read-only.")
		}
		return c.authorizeForUser()
	}
	if c.route.Level == "read" && c.route.Method == get && !c.repo.private {
		return nil // anybody can read what is public
	}
	if !c.actor.reaches(c.repo) || !slices.ContainsFunc(c.route.Permission, c.granted) {
		c.header.Set("X-Accepted-GitHub-Permissions", strings.Join(c.route.Permission, "="+c.route.Level+"; ")+"="+c.route.Level)
		return errNotIntegration
	}
	return nil
}

// authorizeForUser checks what the App was granted that acts for a person.
func (c *call) authorizeForUser() error {
	if t := c.actor.personal(); t != nil {
		public := c.route.Level == "read" && c.route.Method == get && !c.repo.private
		if !public && !t.grantsAny(c.route.Permission, c.route.Level) {
			return errNotPersonal
		}
		return nil
	}
	if !c.actor.forUser() || c.route.Level == "read" && c.route.Method == get && !c.repo.private {
		return nil
	}
	through := c.actor.through(c.repo)
	if through == nil || !slices.ContainsFunc(c.route.Permission, func(permission string) bool { return grants(through.permissions, permission, c.route.Level) }) {
		return errNotIntegration
	}
	return nil
}

// granted is whether a permission of the installation's token opens the route: pull_requests opens only pull requests.
func (c *call) granted(permission string) bool {
	if permission == "pull_requests" && c.issue != nil && c.issue.pull == nil && c.route.Level == "write" {
		return false
	}
	return grants(c.actor.token.permissions, permission, c.route.Level)
}

func (c *call) render(value any, err error) reply {
	if err != nil {
		return c.refused(err)
	}
	if value == nil {
		status := c.status
		if status == 0 {
			status = http.StatusNoContent
		}
		return reply{status: status}
	}
	body, ok := value.(rawText)
	if !ok {
		body, err = json.Marshal(value)
	}
	if err != nil {
		return c.refused(fmt.Errorf("render the answer: %w", err))
	}
	status := c.status
	if status == 0 {
		status = http.StatusOK
		if c.route.Method == post && !strings.HasSuffix(c.route.Pattern, "{issue_number}/labels") {
			status = http.StatusCreated
		}
	}
	if c.route.Method != get {
		return reply{status: status, body: body}
	}
	// Who asks is part of it by the credentials, not by the name: a new token makes every tag new
	// (https://www.bored-engineer.com/posts/github-etag-algorithm/). Whether there are more pages is no part of it, and "not modified"
	// does not tell: a full page that was the last stays as it is when another comes (https://github.com/app-sre/github-mirror/pull/57).
	sum := sha256.Sum256([]byte(c.request.Header.Get("Authorization") + "\n" + string(body)))
	tag := `W/"` + hex.EncodeToString(sum[:]) + `"`
	c.header.Set("ETag", tag)
	c.header.Set("Vary", "Accept, Authorization, Cookie, X-GitHub-OTP,Accept-Encoding, Accept, X-Requested-With")
	scope := "private"
	if c.actor.account == nil && !c.actor.jwt {
		scope = "public"
	}
	c.header.Set("Cache-Control", scope+", max-age=60, s-maxage=60")
	if matches(c.request.Header.Get("If-None-Match"), tag) {
		c.header.Del("Link")
		return reply{status: http.StatusNotModified}
	}
	return reply{status: status, body: body}
}

func matches(ifNoneMatch, tag string) bool {
	for given := range strings.SplitSeq(ifNoneMatch, ",") {
		given = strings.TrimSpace(given)
		if given == "*" || strings.TrimPrefix(given, "W/") == strings.TrimPrefix(tag, "W/") {
			return true
		}
	}
	return false
}

// docsRoot is where GitHub sends readers of an error that is of no single operation.
const docsRoot = "https://docs.github.com/rest"

func (c *call) refused(err error) reply {
	if c.route == nil {
		return c.refusedWith(err, docsRoot)
	}
	return c.refusedWith(err, docsRoot+"/"+c.route.Docs)
}

func (c *call) refusedWith(err error, docs string) reply {
	r := (*refusal)(nil)
	if !errors.As(err, &r) {
		c.p.log.Error().Err(err).Str("path", c.path).Msg("a call failed inside the playground")
		r = refuse(http.StatusInternalServerError, "Server Error")
	}
	body := object{"message": r.message, "documentation_url": docs, "status": strconv.Itoa(r.status)}
	if r.details != nil {
		body["errors"] = r.details
	}
	if r.reasons != nil {
		body["errors"] = r.reasons
	}
	maps.Copy(body, r.extra)
	maps.Copy(c.header, r.header)
	text, err := json.Marshal(body)
	if err != nil {
		return reply{status: http.StatusInternalServerError}
	}
	return reply{status: r.status, body: text}
}

// Unimplemented lists what was asked for and is not there, as "GET /path", sorted.
func (p *Playground) Unimplemented() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	asked := []string{}
	for what := range p.unimplemented {
		asked = append(asked, what)
	}
	slices.Sort(asked)
	return asked
}
