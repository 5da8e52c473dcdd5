// Package api answers programs in JSON. It tells the standing of an issue, whether someone can move it, what would become of a label, and
// whether a file is right. What is asked about a repository is answered to viewers who can read it; see package access.
package api

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/jonboulle/clockwork"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app/access"
	"github.com/colony-app/colony/app/inspect"
	"github.com/colony-app/colony/bounded"
	"github.com/colony-app/colony/github/ratelimit"
)

// Prefix begins the paths of the API.
const Prefix = "/api/v1/"

// The bounds of what one viewer can ask: so much at a time, and as much as comes back with time.
const (
	AtOnce = 60
	every  = time.Second
)

const answerWithin = 30 * time.Second

// Options are what the API needs.
type Options struct {
	Access    *access.Reader
	Inspector *inspect.Inspector
	Limiter   *ratelimit.Limiter
	Limits    *ratelimit.Limits
	// Ready reports whether Colony knows who it is: before that, it would take its own moves for someone else's.
	Ready func() bool
	Clock clockwork.Clock
	Log   zerolog.Logger
	// Metrics takes the metrics; nil: nothing is measured.
	Metrics prometheus.Registerer
}

// API answers the routes of the table.
type API struct {
	Options
	located *lru.Cache[string, location]
	asked   *access.Attempts
	count   func(route string, status int)
}

// Handler returns what answers everything below Prefix.
func Handler(o Options) http.Handler {
	a := &API{Options: o, located: bounded.New[string, location](locationsKept), asked: access.NewAttempts(AtOnce, every), count: newRequestCounter(o.Metrics)}
	mux := http.NewServeMux()
	methods := map[string][]string{}
	for _, r := range Routes() {
		mux.Handle(r.Method+" "+r.Pattern, a.serve(r))
		methods[r.Pattern] = append(methods[r.Pattern], r.Method)
	}
	for pattern, allowed := range methods {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Allow"] = allowed
			a.refuse(w, pattern, &refusal{http.StatusMethodNotAllowed, "This address does not have this method.", 0})
		})
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { a.refuse(w, otherRoute, errNoRoute) })
	return mux
}

type call struct {
	*API
	request *http.Request
	viewer  access.Viewer
	query   map[string]string
	body    []byte
}

// serve answers one route: who asks, whether they ask too much, what they ask, and only then anything else.
func (a *API) serve(r Route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		ctx, cancel := context.WithTimeout(request.Context(), answerWithin)
		defer cancel()
		c := &call{API: a, request: request.WithContext(ctx)}
		text, err := c.answerText(w, r)
		if err != nil {
			a.refused(w, request, r.Pattern, err)
			return
		}
		a.count(r.Pattern, http.StatusOK)
		write(w, http.StatusOK, append(text, '\n'))
	})
}

func (c *call) answerText(w http.ResponseWriter, r Route) ([]byte, error) {
	if !r.Open {
		if err := c.admit(); err != nil {
			return nil, err
		}
	}
	if err := c.read(w, r); err != nil {
		return nil, err
	}
	answer, err := r.serve(c)
	if err != nil {
		return nil, err
	}
	if text, is := answer.(json.RawMessage); is {
		return text, nil
	}
	return json.Marshal(answer) //nolint:wrapcheck // nothing was attempted that the caller does not know
}

// admit finds out who asks, and whether they ask too much.
func (c *call) admit() (err error) {
	token, err := bearer(c.request)
	if err != nil {
		return err
	}
	if c.viewer, err = c.Access.ViewerOf(c.request.Context(), token); err != nil {
		return unchecked{err}
	}
	if _, wait := c.asked.BeginOf(c.viewer.Key(), c.Clock.Now()); wait > 0 {
		return &refusal{http.StatusTooManyRequests, "You ask too much: at most " + strconv.Itoa(AtOnce) + " requests at once and one more each second.", every}
	}
	return nil
}

func write(w http.ResponseWriter, status int, text []byte) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(status)
	_, _ = w.Write(text) // the caller has gone
}
