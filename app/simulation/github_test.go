package simulation

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/go-github/v62/github"
	"pgregory.net/rapid"

	"github.com/colony-app/colony/app/queue"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/playground"
)

// serve carries a request to the playground without a socket.
func (s *simulation) serve(request *http.Request) (*http.Response, error) {
	return acme.Direct(s.github.Handler())(request)
}

// ask calls GitHub's API of the repository for a person or bot, and reports whether it was granted.
func (s *simulation) ask(login, method, path string, body, into any) bool {
	var text []byte
	if body != nil {
		var err error
		text, err = json.Marshal(body)
		s.must(err)
	}
	return s.askOf(simulatedRepo, login, method, path, text, into)
}

// askOf is ask for another repository.
func (s *simulation) askOf(repo, login, method, path string, text []byte, into any) bool {
	request := httptest.NewRequest(method, "http://github.test/api/v3/repos/"+simulatedOwner+"/"+repo+path, bytes.NewReader(text))
	request.Header.Set("Authorization", "Bearer "+s.tokenOf(login))
	response, err := s.serve(request)
	s.must(err)
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		return false
	}
	if into != nil {
		s.must(json.NewDecoder(response.Body).Decode(into))
	}
	return true
}

func (s *simulation) tokenOf(login string) string {
	token, ok := s.tokens[login]
	if !ok {
		token = s.github.Token(login)
		s.tokens[login] = token
	}
	return token
}

// watching makes the clients with which the simulation reads: as a person, and without faults.
type watching struct{ *simulation }

// NewInstallationClient implements issues.Clients.
func (w watching) NewInstallationClient(int64) (*github.Client, error) {
	client := github.NewClient(&http.Client{Transport: ratelimit.RoundTripperFunc(w.serve)}).WithAuthToken(w.github.Token("mona"))
	base, err := url.Parse("http://github.test/api/v3/")
	client.BaseURL = base
	return client, err
}

// fate is what happens to one call of a Colony.
type fate struct {
	name  string
	fault *playground.Fault
	// dies says whether the process ends: before the call or after it.
	dies, after bool
	// others says that somebody else acts before the call.
	others bool
}

func (f fate) String() string { return f.name }

// fates, the harmless first. There are more of those that let others act.
var fates = []fate{
	{name: "nothing"},
	{name: "others act", others: true},
	{name: "others act", others: true},
	{name: "others act", others: true},
	{name: "others act", others: true},
	{name: "others act", others: true},
	{name: "killed before", dies: true},
	{name: "killed after", dies: true, after: true},
	{name: "killed after", dies: true, after: true},
	{name: "502 before", fault: &playground.Fault{Kind: playground.FaultStatus, Status: http.StatusBadGateway}},
	{name: "500 after", fault: &playground.Fault{Kind: playground.FaultStatus, Status: http.StatusInternalServerError, After: true}},
	{name: "cut before", fault: &playground.Fault{Kind: playground.FaultCut}},
	{name: "cut after", fault: &playground.Fault{Kind: playground.FaultCut, After: true}},
	{name: "primary limit, 403", fault: &playground.Fault{Kind: playground.FaultPrimaryLimit, Reset: 20 * time.Minute}},
	{name: "primary limit, 429", fault: &playground.Fault{Kind: playground.FaultPrimaryLimit, Status: http.StatusTooManyRequests, Reset: 20 * time.Minute}},
	{name: "secondary limit, 403", fault: &playground.Fault{Kind: playground.FaultSecondaryLimit}},
	{name: "secondary limit, 429", fault: &playground.Fault{Kind: playground.FaultSecondaryLimit, Status: http.StatusTooManyRequests, RetryAfter: time.Minute}},
}

// untilNext draws how many calls nothing happens to.
func (s *simulation) untilNext() int {
	return rapid.SampledFrom([]int{40, 25, 16, 10, 7, 5, 4, 3, 2, 1, 0, 0}).Draw(s.T, "calls until something happens")
}

func (s *simulation) nextFate() fate {
	if !s.stormy || s.nested > 0 {
		return fate{}
	}
	if s.calm > 0 {
		s.calm--
		return fate{}
	}
	s.calm = s.untilNext()
	return rapid.SampledFrom(fates).Draw(s.T, "fate")
}

// inTurn reads one after the other what a Colony would read at the same time, so that a history can be played again, in an order that is drawn.
func (s *simulation) inTurn(do func()) (join func()) {
	if s.stormy && rapid.Bool().Draw(s.T, "reads it later") {
		return do
	}
	do()
	return func() {}
}

// RoundTrip implements http.RoundTripper: it is a Colony's way to GitHub.
func (r *replica) RoundTrip(request *http.Request) (*http.Response, error) {
	if err := request.Context().Err(); err != nil {
		return nil, err
	}
	s := r.simulation
	f := s.nextFate()
	path := strings.TrimPrefix(request.URL.EscapedPath(), "/api/v3")
	if f.name != "" && f.name != "nothing" {
		s.note("%s at %s %s", f, request.Method, path)
	}
	switch {
	case f.others:
		s.nested++
		rapid.SampledFrom(each(s.scene.others)).Draw(s.T, "other").do(s)
		s.nested--
		s.sprint.observe()
	case f.dies && !f.after:
		panic(killed{})
	}
	call := s.heed(request, path)
	if f.fault != nil {
		s.github.Fault(once(f.fault))
	}
	response, err := s.serve(request)
	took := f.fault == nil && response.StatusCode < 300 || f.fault != nil && f.fault.After
	call.made(took)
	if f.dies {
		panic(killed{})
	}
	return response, err
}

func once(f *playground.Fault) playground.Fault {
	one := *f
	one.Times = 1
	return one
}

var (
	issuePath    = regexp.MustCompile(`^/repos/` + simulatedOwner + `/` + simulatedRepo + `/issues/(\d+)(/.*)?$`)
	reactionPath = regexp.MustCompile(`/issues/comments/(\d+)/reactions$`)
)

// call is one call of a Colony as the simulation heeds it.
type colonyCall struct {
	*simulation
	method, path, rest string
	issue              *simulatedIssue
	comment            *simulatedComment
	body               []byte
	stale              bool
}

// heed sees a call before it is made.
func (s *simulation) heed(request *http.Request, path string) *colonyCall {
	c := &colonyCall{simulation: s, method: request.Method, path: path}
	if request.Body != nil && request.Method != http.MethodGet {
		body, err := io.ReadAll(request.Body)
		s.must(err)
		c.body = body
		request.Body = io.NopCloser(bytes.NewReader(body))
	}
	if m := issuePath.FindStringSubmatch(path); m != nil {
		n, err := strconv.Atoi(m[1])
		s.must(err)
		c.rest, c.issue = m[2], s.issues[n]
		if c.method != http.MethodGet && n == s.pull {
			s.wrong("Colony writes to a pull request: %s %s", c.method, path)
		}
		if c.rest == "/reactions" && c.issue != nil {
			c.comment = c.issue.opening
		}
	} else if m := reactionPath.FindStringSubmatch(path); m != nil {
		id, err := strconv.ParseInt(m[1], 10, 64)
		s.must(err)
		c.rest, c.comment = "/reactions", s.comments[id]
		if c.comment != nil {
			c.issue = s.issues[c.comment.issue]
		}
	}
	s.heedMode(c)
	if c.issue == nil {
		s.heedTransferred(c)
		return c
	}
	if c.method != http.MethodGet {
		c.issue.writes++
		s.note("Colony: %s %s %.60s", c.method, path, c.body)
	}
	c.stale = c.issue.edits != c.issue.seen || c.issue.blind
	s.sprint.heed(c)
	switch {
	case c.method == http.MethodGet && c.rest == "":
		c.issue.read = c.issue.edits
	case c.method == http.MethodGet && c.rest == "/events":
		c.issue.seen = c.issue.edits
		c.issue.blind = s.blind(c.issue)
		c.issue.hidesOwn = s.hidesOwn(c.issue)
		// What another Colony wrote from an old log is found by a sweep then.
		s.unheard = s.unheard || len(c.issue.stale) > 0 && c.issue.hidesOwn
	case c.method == http.MethodGet && c.rest == "/comments":
		s.readsComments(c.issue)
	}
	return c
}

// made sees what became of a call.
func (c *colonyCall) made(took bool) {
	if c.issue != nil && took {
		c.sprint.made(c)
	}
	if c.issue == nil || !took || c.method != http.MethodPost {
		return
	}
	switch c.rest {
	case "/labels":
		var labels []string
		if err := json.Unmarshal(c.body, &labels); err != nil {
			c.must(fmt.Errorf("read what Colony wrote: %w", err))
		}
		now := c.clock.Now().UTC().Truncate(time.Second)
		follows := slices.ContainsFunc(c.issue.stale, func(before staleLabel) bool { return before.at.Equal(now) }) // the next command began there
		for _, l := range labels {
			if c.stale || follows {
				c.unheard = c.unheard || c.issue.blind && c.issue.hidesOwn
				c.issue.stale = append(c.issue.stale, staleLabel{strings.ToLower(l), now})
			}
		}
	case "/reactions":
		var in struct{ Content string }
		c.must(json.Unmarshal(c.body, &in))
		if in.Content != issues.Eyes {
			c.receiptGiven(c.issue, c.comment, in.Content, c.stale)
		}
	}
}

// notice takes in the deliveries that the playground holds. Time passes only after it: then the changes of labels have their
// exact time.
func (s *simulation) notice() {
	all := s.github.Deliveries()
	for i := s.known; i < len(all); i++ {
		s.noticeChange(all[i])
		if d := all[i]; d.Held {
			s.pending = append(s.pending, &d)
		}
	}
	s.known = len(all)
}

// advance lets time pass.
func (s *simulation) advance(d time.Duration) {
	s.notice()
	s.clock.Advance(d)
}

// blind reports whether the log of an issue hides changes in a way that a Colony cannot notice: they cancel each other out, or the
// labels lag like the log, so that the labels do not show them, and the time of the issue does not either, because it was read
// before them, or they are of the second of the last change that is shown, or because this request has waited as often as it may.
func (s *simulation) blind(i *simulatedIssue) bool {
	if s.lag == 0 {
		return false
	}
	s.notice()
	var shown, hidden time.Time // the last of each
	odd := map[string]bool{}
	for _, e := range s.changes {
		switch {
		case e.issue != i.number:
		case !e.at.Add(s.lag).After(s.clock.Now()):
			shown = e.at
		default:
			hidden = e.at
			odd[e.label] = !odd[e.label]
		}
	}
	if moves := s.sprint != nil || len(s.facts) > 0; !hidden.IsZero() && (s.impatient || s.labelsLag && moves) { // a move by a fact does not wait for what may be hidden
		return true
	}
	if hidden.IsZero() || !s.labelsLag && slices.Contains(slices.Collect(maps.Values(odd)), true) {
		return false
	}
	// Commands do not wait for what cancels out: a label that one asks for may be written from such a log.
	return i.read != i.seen || !hidden.Truncate(time.Second).After(shown) || len(s.commandsOf(i)) > 0
}

// hidesOwn reports whether the log of an issue hides a change by another Colony.
func (s *simulation) hidesOwn(i *simulatedIssue) bool {
	return slices.ContainsFunc(s.changes, func(e changeOfLabel) bool {
		return e.own && e.issue == i.number && e.at.Add(s.lag).After(s.clock.Now())
	})
}

// changeOfLabel is what a webhook reported of a state's label of an issue.
type changeOfLabel struct {
	issue int
	label string
	at    time.Time
	own   bool // by Colony, which no webhook wakes
}

func (s *simulation) noticeChange(d playground.Delivery) {
	if s.lag == 0 || d.Redelivery || d.Event != "issues" || d.Action != "labeled" && d.Action != "unlabeled" {
		return
	}
	var told struct {
		Issue  struct{ Number int }
		Label  struct{ Name string }
		Sender struct{ Login string }
	}
	s.must(json.Unmarshal(d.Payload, &told))
	if _, isState := s.life.StateOf(told.Label.Name); !isState {
		return
	}
	s.changes = append(s.changes, changeOfLabel{told.Issue.Number, strings.ToLower(told.Label.Name), s.clock.Now(), told.Sender.Login == "colony[bot]"})
}

func (s *simulation) take(at int) *playground.Delivery {
	d := s.pending[at]
	s.pending = append(s.pending[:at:at], s.pending[at+1:]...)
	return d
}

var errWebhook = errors.New("a webhook was not taken")

// deliver sends a webhook to a replica as GitHub does.
func (s *simulation) deliver(d *playground.Delivery, to *replica) {
	request := httptest.NewRequest(http.MethodPost, "http://colony.test/api/github/hook", bytes.NewReader(d.Payload))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-GitHub-Event", d.Event)
	request.Header.Set("X-GitHub-Delivery", d.GUID)
	request.Header.Set("X-Hub-Signature-256", signed(d.Payload))
	recorder := httptest.NewRecorder()
	to.server.Handler().ServeHTTP(recorder, request)
	switch {
	case recorder.Code == http.StatusOK, recorder.Code == http.StatusAccepted:
	case s.queue.refuses != nil && recorder.Code >= http.StatusInternalServerError:
		s.note("it is answered with %d", recorder.Code)
		s.failed(d)
	default:
		s.must(fmt.Errorf("%w: %s.%s: %d", errWebhook, d.Event, d.Action, recorder.Code))
	}
}

// failed writes an attempt at a delivery into GitHub's log that failed: a Colony can ask for another one.
func (s *simulation) failed(d *playground.Delivery) {
	s.github.DropNext(1)
	s.must(s.github.Redeliver(d.ID))
}

var errDisk = errors.New("the disk is gone")

// delivers has one webhook delivered, the oldest more often than others; or doubled, or lost without a trace, or refused by a
// Colony whose queue is full or has no disk, or whose server cannot be reached at all.
func (s *simulation) delivers() {
	s.notice()
	if len(s.pending) == 0 {
		return
	}
	d := s.take(rapid.IntRange(0, min(len(s.pending)-1, 3)).Draw(s.T, "delivery"))
	fate := rapid.SampledFrom(s.fates).Draw(s.T, "fate of the delivery")
	s.unheard = s.unheard || d.Event == "issues" && (fate.times == 0 || fate.refuses != nil)
	s.note("delivery %s.%s: %s", d.Event, d.Action, fate)
	s.queue.refuses = fate.refuses
	for range fate.times {
		s.deliver(d, rapid.SampledFrom(s.replicas).Draw(s.T, "to"))
	}
	s.queue.refuses = nil
	if fate.unreachable {
		s.failed(d)
	}
}

// deliveryFate is what happens to one webhook.
type deliveryFate struct {
	name        string
	times       int
	refuses     error
	unreachable bool
}

func (f deliveryFate) String() string { return f.name }

var deliveryFates = slices.Concat(slices.Repeat([]deliveryFate{{name: "once", times: 1}}, 12), []deliveryFate{
	{name: "twice", times: 2},
	{name: "twice", times: 2},
	{name: "lost"},
	{name: "lost"},
	{name: "the queue is full", times: 1, refuses: queue.ErrFull},
	{name: "the queue has no disk", times: 1, refuses: errDisk},
	{name: "nobody is there", unreachable: true},
})
