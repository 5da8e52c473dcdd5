package playground

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// FaultKind is what goes wrong with a call.
type FaultKind string

// The kinds of faults.
const (
	FaultStatus         FaultKind = "status"               // answer Status with Header and Body
	FaultDelay          FaultKind = "delay"                // wait Delay (of the clock), then answer as usual
	FaultPrimaryLimit   FaultKind = "primary-rate-limit"   // Status (403 or 429, default 403; 200 by GraphQL), nothing remaining, reset within the hour
	FaultSecondaryLimit FaultKind = "secondary-rate-limit" // Status (403 or 429, default 403; 200 by GraphQL), with Retry-After if RetryAfter is set
	FaultCut            FaultKind = "cut"                  // close the connection without an answer
)

// Fault is a rule for calls to go wrong. Empty conditions match everything.
type Fault struct {
	Kind         FaultKind
	Method       string         // such as "POST"
	Path         *regexp.Regexp // on the path without /api/v3
	Actor        string         // a login, such as "colony[bot]"
	Installation int64
	Times        int               // how many calls; 0: until cancelled
	After        bool              // the call takes effect first and only its answer is lost; not for limits and delays
	Status       int               // of FaultStatus and the limits
	Header       map[string]string // of FaultStatus
	Body         string            // of FaultStatus; empty: GitHub's shape with the status text
	Delay        time.Duration     // of FaultDelay
	RetryAfter   time.Duration     // of FaultSecondaryLimit, in whole seconds
	Reset        time.Duration     // of FaultPrimaryLimit: until the window ends; 0: one hour
}

type fault struct {
	Fault
	id int64
}

// Fault adds a rule. Rules are tried in the order in which they were added; the first that matches is used. It panics
// for a rule that makes no sense.
func (p *Playground) Fault(f Fault) (cancel func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	id, err := p.addFault(f)
	if err != nil {
		panic("playground: " + err.Error())
	}
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.removeFault(id)
	}
}

func (p *Playground) addFault(f Fault) (int64, error) {
	switch f.Kind {
	case FaultStatus:
		if f.Status < 200 || f.Status > 599 {
			return 0, fmt.Errorf("add a fault: %d is not an HTTP status", f.Status)
		}
	case FaultDelay:
		if f.Delay <= 0 || f.After {
			return 0, fmt.Errorf("add a fault: a delay needs a duration and comes before the call")
		}
	case FaultPrimaryLimit, FaultSecondaryLimit:
		if f.Status == 0 {
			f.Status = http.StatusForbidden
		}
		if f.After || !slices.Contains([]int{http.StatusOK, http.StatusForbidden, http.StatusTooManyRequests}, f.Status) {
			return 0, fmt.Errorf("add a fault: a rate limit answers 403 or 429 before the call, or 200 by GraphQL")
		}
	case FaultCut:
	default:
		return 0, fmt.Errorf("add a fault: there is no kind %q", f.Kind)
	}
	added := &fault{Fault: f, id: p.nextID()}
	p.faults = append(p.faults, added)
	return added.id, nil
}

func (p *Playground) removeFault(id int64) bool {
	before := len(p.faults)
	p.faults = slices.DeleteFunc(p.faults, func(f *fault) bool { return f.id == id })
	return len(p.faults) < before
}

// faultFor finds the rule for a call and uses it up by one.
func (p *Playground) faultFor(method, path string, by actor) *Fault {
	for _, f := range p.faults {
		if f.Method != "" && !strings.EqualFold(f.Method, method) || f.Path != nil && !f.Path.MatchString(path) {
			continue
		}
		if f.Actor != "" && !strings.EqualFold(f.Actor, by.login()) || f.Installation != 0 && f.Installation != by.installationID() {
			continue
		}
		used := f.Fault
		if f.Times > 0 {
			f.Times--
			if f.Times == 0 {
				p.removeFault(f.id)
			}
		}
		return &used
	}
	return nil
}

// answer is the reply that a fault gives.
func (f *Fault) answer(p *Playground, c *call) reply {
	message, docs := http.StatusText(f.Status), docsRoot
	if f.Kind != FaultStatus || f.Status < http.StatusInternalServerError {
		p.window(c.actor).setHeaders(c.header)
	}
	switch f.Kind {
	case FaultPrimaryLimit:
		wait := f.Reset
		if wait == 0 {
			wait = time.Hour
		}
		limit, resource := strconv.Itoa(p.rateLimit), "core"
		if c.route == &graphqlRoute {
			resource = "graphql"
		}
		for name, value := range map[string]string{
			"X-RateLimit-Limit": limit, "X-RateLimit-Remaining": "0", "X-RateLimit-Used": limit,
			"X-RateLimit-Reset": strconv.FormatInt(p.clock.Now().Add(wait).Unix(), 10), "X-RateLimit-Resource": resource,
		} {
			c.header.Set(name, value)
		}
		message = limitMessage(c.actor)
		docs = docsRoot + "/overview/rate-limits-for-the-rest-api"
	case FaultSecondaryLimit:
		if f.RetryAfter > 0 {
			c.header.Set("Retry-After", strconv.Itoa(int(f.RetryAfter.Seconds())))
		}
		message, docs = secondaryLimit, secondaryLimitDocs
	}
	for name, value := range f.Header {
		c.header.Set(name, value)
	}
	status, body := f.Status, []byte(f.Body)
	byGraphQL := status == http.StatusOK && f.Kind != FaultStatus // a limit
	if byGraphQL && c.route != &graphqlRoute {
		byGraphQL, status = false, http.StatusForbidden
	}
	switch {
	case byGraphQL:
		body, _ = json.Marshal(graphqlLimit(message)) // strings only
	case f.Body == "":
		body, _ = json.Marshal(object{"message": message, "documentation_url": docs, "status": strconv.Itoa(status)}) // strings only
	}
	return reply{status: status, body: body}
}

// graphqlLimit is the answer of GraphQL to a question for which nothing is left; its status is 200
// (https://docs.github.com/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api#exceeding-the-rate-limit).
func graphqlLimit(message string) object {
	return object{"errors": []object{{"type": "RATE_LIMIT", "code": "graphql_rate_limit", "message": message}}}
}

// Call is one REST call of the journal. Calls to /playground/ are not in it.
type Call struct {
	At           time.Time `json:"at"`
	Method       string    `json:"method"`
	Path         string    `json:"path"`  // without /api/v3, as it was escaped
	Query        string    `json:"query"` // raw
	Route        string    `json:"route"` // the pattern that it matched; empty: none
	Actor        string    `json:"actor"` // login; empty for an App's JWT and for no one
	Installation int64     `json:"installation"`
	Status       int       `json:"status"`          // 0 if the connection was cut
	Fault        FaultKind `json:"fault,omitempty"` // the rule that hit it
	Conditional  bool      `json:"conditional"`     // it had If-None-Match
	Points       int       `json:"points"`          // of GitHub's secondary rate limit
}

// keptCalls bounds the journal; when it is full, the oldest tenth goes.
const keptCalls = 100_000

// Calls lists the journal of REST calls, in the order in which they were answered. Go's HTTP client repeats a GET by
// itself when a used connection is cut, so that one such GET of a client can be two calls here.
func (p *Playground) Calls() []Call {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.calls)
}

// ResetCalls empties the journal.
func (p *Playground) ResetCalls() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls = nil
}

// LagEvents makes labels' events visible in the events API and the timeline only d after they happened, by the
// clock: reads that lag behind webhooks. It holds for events from now on.
func (p *Playground) LagEvents(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.eventLag = d
}

// StampLate makes comments say, from their creation on, that they were updated d later than created. GitHub does that now and then by a second to
// comments that no one edited (https://github.com/palantir/policy-bot/pull/459). It holds for comments from now on.
func (p *Playground) StampLate(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lateStamp = d
}

// LagLabels makes the labels that reads of an issue show (GET of it, of its labels, and of lists) those of d ago, by the
// clock, as from a copy that is behind. Webhooks and answers to writes show what is. It holds for changes from now on.
func (p *Playground) LagLabels(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.labelLag = d
}
