package app_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jonboulle/clockwork"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/bench/apptest"
	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/reconcile"
)

// What one reconciliation costs apart from the queue, each of an issue that was never read before: a label that is a legal move, a command,
// and the move again where nothing changed. The floor is what Go's HTTP client takes for the calls of a move alone. GitHub is a server that
// gives answers of GitHub's size that were made before, so that its own work is small.
func BenchmarkReconcile(b *testing.B) {
	for _, c := range []struct {
		name string
		run  func(*cannedGitHub, *reconcile.Reconciler, int) error
	}{
		{"floor of a move", func(g *cannedGitHub, _ *reconcile.Reconciler, n int) error { return g.plainMove(n) }},
		{"move", func(g *cannedGitHub, r *reconcile.Reconciler, n int) error {
			return g.reconcile(r, reconcile.Request{Cause: "issues.labeled", Expect: reconcile.ExpectedEvent{Label: "colony:planning", Added: true, At: g.now}}, n)
		}},
		{"nothing new", func(g *cannedGitHub, r *reconcile.Reconciler, n int) error {
			return g.reconcile(r, reconcile.Request{Cause: "issues.edited"}, moved+n%20)
		}},
		{"command", func(g *cannedGitHub, r *reconcile.Reconciler, n int) error {
			return g.reconcile(r, reconcile.Request{Cause: "issue_comment.created", Commands: true, Expect: reconcile.ExpectedEvent{CommentID: commentOf(n), At: g.now}}, commanded+n)
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			g := newCannedGitHub(b)
			config := apptest.ConfigAt("http://"+g.listener.Addr().String(), apptest.Key())
			config.GitHub.Budget = ratelimit.Settings{}
			clock := clockwork.NewFakeClockAt(g.now.Add(3*time.Second - provisionedBefore))
			parts, err := app.NewParts(config, app.Options{Transport: g.transport, Clock: clock, Log: zerolog.Nop()}, prometheus.NewRegistry())
			if err != nil {
				b.Fatal(err)
			}
			parts.Actors.SetSelf(apptest.Login)
			if err := parts.Reconciler.Repository(b.Context(), reconcile.Request{Kind: reconcile.KindRepository, Ref: issues.Ref{Repository: widgets}}); err != nil {
				b.Fatal(err)
			}
			clock.Advance(provisionedBefore)
			for n := range 20 { // what is read once of a repository
				if err := c.run(g, parts.Reconciler, warm+n); err != nil {
					b.Fatal(err)
				}
			}
			g.calls.Store(0)
			g.connections.Store(0)
			used, n := processorTime(b), 0
			b.ReportAllocs()
			for b.Loop() {
				if err := c.run(g, parts.Reconciler, n); err != nil {
					b.Fatal(err)
				}
				n++
			}
			b.ReportMetric(float64(processorTime(b)-used)/float64(time.Microsecond)/float64(n), "cpu-µs/op")
			b.ReportMetric(float64(g.calls.Load())/float64(n), "calls/op")
			b.ReportMetric(float64(g.connections.Load())/float64(n), "connections/op")
		})
	}
}

const (
	provisionedBefore = 50 * time.Minute
	firstIssue        = 1_000_000_000 // all numbers have ten digits
	warm              = 1_000_000     // what is done before the measurement
	moved             = 20_000_000    // issues that have made the move
	commanded         = 50_000_000    // issues with a command
)

var widgets = issues.Repository{Installation: 7, Owner: "acme", Name: "widgets", ID: 99}

// commentOf is the comment with the command: its number is that of the issue with a digit before it.
func commentOf(n int) int64 { return int64(10_000_000_000 + firstIssue + commanded + n) }

// cannedGitHub is a GitHub over HTTP that gives the same answers for every issue but for its number.
type cannedGitHub struct {
	testing.TB
	listener           net.Listener
	transport          http.RoundTripper
	now                time.Time
	answers            map[string][]byte // by method and path, in which the number is a star
	calls, connections atomic.Int64
}

const theNumber = "4040404040" // stands for the number of an issue in an answer

func newCannedGitHub(b *testing.B) *cannedGitHub {
	b.Helper()
	listener, err := new(net.ListenConfig).Listen(b.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = listener.Close() })
	g := &cannedGitHub{TB: b, listener: listener, transport: client.NewTransport(), now: time.Date(2025, 3, 3, 9, 0, 0, 0, time.UTC)}
	g.makeAnswers()
	go g.serve()
	return g
}

// reconcile reconciles an issue.
func (g *cannedGitHub) reconcile(r *reconcile.Reconciler, request reconcile.Request, number int) error {
	request.Kind = reconcile.KindIssue
	request.Ref = issues.Ref{Repository: widgets, Number: firstIssue + number}
	result, err := r.Reconcile(ratelimit.WithCaller(context.Background(), ratelimit.Caller{Installation: 7}), request, reconcile.Carry{})
	if err == nil && result != nil {
		return fmt.Errorf("issue %d is to be reconciled again: %+v", request.Number, result)
	}
	return err
}

// plainMove makes the calls of a move without anything around them.
func (g *cannedGitHub) plainMove(number int) error {
	plain := &http.Client{Transport: g.transport}
	for _, call := range [][2]string{{"GET", ""}, {"GET", "/events?per_page=100&page=1"}, {"DELETE", "/labels/colony:analyzing"}} {
		request, err := http.NewRequestWithContext(context.Background(), call[0], fmt.Sprintf("http://%s/api/v3/repos/acme/widgets/issues/%d%s", g.listener.Addr(), firstIssue+number, call[1]), http.NoBody)
		if err != nil {
			return err
		}
		response, err := plain.Do(request)
		if err != nil {
			return err
		}
		if _, err := io.Copy(io.Discard, response.Body); err != nil {
			return err
		}
		_ = response.Body.Close()
	}
	return nil
}

func (g *cannedGitHub) serve() {
	for {
		connection, err := g.listener.Accept()
		if err != nil {
			return
		}
		g.connections.Add(1)
		go g.serveConnection(connection)
	}
}

// serveConnection reads just enough of each request to answer it.
func (g *cannedGitHub) serveConnection(connection net.Conn) {
	defer func() { _ = connection.Close() }()
	in := bufio.NewReader(connection)
	var out, number []byte
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return
		}
		target := string(line[:bytes.LastIndexByte(line, ' ')])
		length, etag := 0, ""
		for {
			header, err := in.ReadSlice('\n')
			if err != nil {
				return
			}
			if len(header) <= 2 {
				break
			}
			name, value, _ := bytes.Cut(bytes.TrimSpace(header), []byte(": "))
			switch strings.ToLower(string(name)) {
			case "content-length":
				length, _ = strconv.Atoi(string(value))
			case "if-none-match":
				etag = string(value)
			}
		}
		_, _ = in.Discard(length)
		g.calls.Add(1)
		out, number = g.answer(target, etag, out[:0], number[:0])
		if _, err := connection.Write(out); err != nil {
			return
		}
	}
}

var numberIn = regexp.MustCompile(`issues/(?:comments/)?(\d+)`)

// answer appends the answer to a request.
func (g *cannedGitHub) answer(target, etag string, out, number []byte) (_, _ []byte) {
	number = append(number, theNumber...)
	which := target
	kind := "labeled"
	if at := numberIn.FindStringSubmatchIndex(target); at != nil {
		number = append(number[:0], target[at[3]-len(theNumber):at[3]]...)
		which = target[:at[2]] + "*" + target[at[3]:]
		if n, _ := strconv.Atoi(string(number)); n >= firstIssue+commanded {
			kind = "command"
		} else if n >= firstIssue+moved {
			kind = "moved"
		}
	}
	body, there := g.answers[kind+" "+which]
	if !there {
		body, there = g.answers[which]
	}
	if at := strings.IndexByte(which, '?'); !there && at > 0 {
		if body, there = g.answers[kind+" "+which[:at]]; !there {
			body, there = g.answers[which[:at]]
		}
	}
	status := "200 OK"
	switch {
	case !there:
		status, body = "404 Not Found", []byte(`{"message":"Not Found","documentation_url":"https://docs.github.com/rest"}`)
	case etag == fmt.Sprintf(`W/"%x"`, number):
		status, body = "304 Not Modified", nil
	}
	out = fmt.Appendf(out, "HTTP/1.1 %s\r\nEtag: W/\"%x\"\r\n%s", status, number, headersOfGitHub)
	if body != nil {
		out = fmt.Appendf(out, "Content-Length: %d\r\n", len(body))
	}
	out = append(out, "\r\n"...)
	begin := len(out)
	out = append(out, body...)
	for rest := out[begin:]; ; {
		at := bytes.Index(rest, []byte(theNumber))
		if at < 0 {
			return out, number
		}
		copy(rest[at:], number)
		rest = rest[at+len(number):]
	}
}

const headersOfGitHub = "Server: github.com\r\nDate: Mon, 03 Mar 2025 09:00:00 GMT\r\nContent-Type: application/json; charset=utf-8\r\n" +
	"Cache-Control: private, max-age=60, s-maxage=60\r\nVary: Accept, Authorization, Cookie, X-GitHub-OTP,Accept-Encoding, Accept, X-Requested-With\r\n" +
	"Last-Modified: Mon, 03 Mar 2025 09:00:00 GMT\r\nX-GitHub-Media-Type: github.v3; format=json\r\nx-github-api-version-selected: 2022-11-28\r\n" +
	"X-RateLimit-Limit: 5000\r\nX-RateLimit-Remaining: 4999\r\nX-RateLimit-Reset: 1740999999\r\nX-RateLimit-Used: 1\r\nX-RateLimit-Resource: core\r\n" +
	"Access-Control-Expose-Headers: ETag, Link, Location, Retry-After, X-GitHub-OTP, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Used, X-RateLimit-Resource, X-RateLimit-Reset, X-OAuth-Scopes, X-Accepted-OAuth-Scopes, X-Poll-Interval, X-GitHub-Media-Type, X-GitHub-SSO, X-GitHub-Request-Id, Deprecation, Sunset\r\n" +
	"Access-Control-Allow-Origin: *\r\nStrict-Transport-Security: max-age=31536000; includeSubdomains; preload\r\nX-Frame-Options: deny\r\n" +
	"X-Content-Type-Options: nosniff\r\nX-XSS-Protection: 0\r\nReferrer-Policy: origin-when-cross-origin, strict-origin-when-cross-origin\r\n" +
	"Content-Security-Policy: default-src 'none'\r\nX-GitHub-Request-Id: C0DE:12AB34:1234567:89ABCDE:67C5A1B2\r\n"

// makeAnswers makes the answers, of which each object has the fields that GitHub documents.
func (g *cannedGitHub) makeAnswers() {
	const api = "https://api.github.test"
	at := func(before time.Duration) string { return g.now.Add(-before).Format(time.RFC3339) }
	user := func(login string, id int) string {
		of := func(what string) string { return fmt.Sprintf("%s/users/%s%s", api, login, what) }
		return fmt.Sprintf(`{"login":%q,"id":%d,"node_id":"MDQ6VXNlcj%d","avatar_url":"https://avatars.github.test/u/%d?v=4","gravatar_id":"","url":%q,"html_url":"https://github.test/%s","followers_url":%q,"following_url":%q,"gists_url":%q,"starred_url":%q,"subscriptions_url":%q,"organizations_url":%q,"repos_url":%q,"events_url":%q,"received_events_url":%q,"type":"User","user_view_type":"public","site_admin":false}`,
			login, id, id, id, of(""), login, of("/followers"), of("/following{/other_user}"), of("/gists{/gist_id}"), of("/starred{/owner}{/repo}"), of("/subscriptions"), of("/orgs"), of("/repos"), of("/events{/privacy}"), of("/received_events"))
	}
	reactions := func(of string) string {
		return fmt.Sprintf(`{"url":"%s/reactions","total_count":0,"+1":0,"-1":0,"laugh":0,"hooray":0,"confused":0,"heart":0,"rocket":0,"eyes":0}`, of)
	}
	label := func(name string) string {
		return fmt.Sprintf(`{"id":208045946,"node_id":"MDU6TGFiZWwyMDgwNDU5NDY=","url":"%s/repos/acme/widgets/labels/%s","name":%q,"color":"f29513","default":false,"description":"Somebody works on it, or is going to as soon as there is time for it."}`, api, name, name)
	}
	issue := func(labels ...string) string {
		of := api + "/repos/acme/widgets/issues/" + theNumber
		all := make([]string, len(labels))
		for i, l := range labels {
			all[i] = label(l)
		}
		return fmt.Sprintf(`{"url":%q,"repository_url":"%s/repos/acme/widgets","labels_url":"%s/labels{/name}","comments_url":"%s/comments","events_url":"%s/events","html_url":"https://github.test/acme/widgets/issues/%s","id":%s,"node_id":"I_kwDO%s","number":%s,"title":"The widgets of the second kind squeak","user":%s,"labels":[%s],"state":"open","locked":false,"assignee":%s,"assignees":[%s],"milestone":null,"comments":3,"created_at":%q,"updated_at":%q,"closed_at":null,"author_association":"MEMBER","type":null,"active_lock_reason":null,"sub_issues_summary":{"total":0,"completed":0,"percent_completed":0},"issue_dependencies_summary":{"blocked_by":0,"total_blocked_by":0,"blocking":0,"total_blocking":0},"body":%q,"closed_by":null,"reactions":%s,"timeline_url":"%s/timeline","performed_via_github_app":null,"state_reason":null}`,
			of, api, of, of, of, theNumber, theNumber, theNumber, theNumber, user("ada", 1001), strings.Join(all, ","), user("mona", 1002), user("mona", 1002), at(40*time.Minute), at(0),
			strings.Repeat("When I turn the handle of a widget of the second kind, it squeaks, and it should not.\r\n", 12), reactions(of), of)
	}
	events := func(list ...string) string {
		var all []string
		for i, what := range list {
			before := time.Duration(len(list)-1-i) * 5 * time.Minute
			event, name, _ := strings.Cut(what, " ")
			all = append(all, fmt.Sprintf(`{"id":%d,"node_id":"LE_lADO%d","url":"%s/repos/acme/widgets/issues/events/%d","actor":%s,"event":%q,"commit_id":null,"commit_url":null,"created_at":%q,"label":{"name":%q,"color":"f29513"},"performed_via_github_app":null}`,
				7000+i, 7000+i, api, 7000+i, user("olivia", 1003), event, at(before), name))
		}
		return "[" + strings.Join(all, ",") + "]"
	}
	comment := func(after int, login, body string, before time.Duration) string {
		id := strconv.Itoa(1+after) + theNumber
		of := fmt.Sprintf("%s/repos/acme/widgets/issues/comments/%s", api, id)
		return fmt.Sprintf(`{"url":%q,"html_url":"https://github.test/acme/widgets/issues/%s#issuecomment-%s","issue_url":"%s/repos/acme/widgets/issues/%s","id":%s,"node_id":"IC_kwDO%s","user":%s,"created_at":%q,"updated_at":%q,"body":%q,"author_association":"MEMBER","reactions":%s,"performed_via_github_app":null}`,
			of, theNumber, id, api, theNumber, id, id, user(login, 1003), at(before), at(before), body, reactions(of))
	}
	g.answers = map[string][]byte{}
	const repo = "/api/v3/repos/acme/widgets"
	set := func(what, answer string) { g.answers[what] = []byte(answer) }
	log := []string{"labeled kind/bug", "labeled help wanted", "labeled colony:new", "labeled colony:analyzing", "unlabeled colony:new"}
	set("POST /api/v3/app/installations/7/access_tokens", fmt.Sprintf(`{"token":"ghs_16C7e42F292c6912E7710c838347Ae178B4a","expires_at":%q}`, time.Now().Add(time.Hour).Format(time.RFC3339)))
	set("GET "+repo+"/labels", "[]")
	set("POST "+repo+"/labels", "{}")
	set("GET "+repo+"/issues/*", issue("colony:analyzing", "colony:planning", "kind/bug"))
	set("GET "+repo+"/issues/*/events", events(append(log, "labeled colony:planning")...))
	set("DELETE "+repo+"/issues/*/labels/colony:analyzing", "["+label("colony:planning")+","+label("kind/bug")+"]")
	set("moved GET "+repo+"/issues/*", issue("colony:planning", "kind/bug"))
	set("moved GET "+repo+"/issues/*/events", events(append(log, "labeled colony:planning", "unlabeled colony:analyzing")...))
	set("command GET "+repo+"/issues/*", issue("colony:analyzing", "kind/bug"))
	set("command GET "+repo+"/issues/*/events", events(log...))
	set("command GET "+repo+"/issues/*/comments", "["+comment(2, "mona", "I hear it too.", 20*time.Minute)+","+comment(1, "ada", "It is the bearing of the handle. Has anybody oiled it?", 15*time.Minute)+","+comment(0, "olivia", "/colony:move planning", 0)+"]")
	set("GET "+repo+"/collaborators/olivia/permission", `{"permission":"write","user":`+strings.TrimSuffix(user("olivia", 1003), "}")+`,"permissions":{"admin":false,"maintain":false,"push":true,"triage":true,"pull":true},"role_name":"write"},"role_name":"write"}`)
	set("command POST "+repo+"/issues/*/labels", "["+label("colony:planning")+","+label("colony:analyzing")+","+label("kind/bug")+"]")
	set("command POST "+repo+"/issues/comments/*/reactions", `{"id":1,"node_id":"MDg6UmVhY3Rpb24x","user":`+user("colony%5Bbot%5D", 1004)+`,"content":"+1","created_at":"`+at(0)+`"}`)
}
