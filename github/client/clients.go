// Package client makes the clients that speak to GitHub: for the App, and for each installation.
package client

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/google/go-github/v62/github"
	"github.com/gregjones/httpcache"
	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/jonboulle/clockwork"
	"github.com/maypok86/otter/v2"
	"github.com/palantir/go-githubapp/githubapp"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/colony-app/colony/bounded"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/metric"
)

// userAgent names Colony to GitHub, as its API asks for: https://docs.github.com/rest/using-the-rest-api.
const userAgent = "colony"

// CallTimeout is how long one call can take before Colony gives it up and tries again later.
const CallTimeout = 20 * time.Second

// Options say which App on which GitHub the clients speak for, and how.
type Options struct {
	App       githubapp.Config
	Token     string        // acts with it wherever an installation would be asked; empty: as the App
	Timeout   time.Duration // of one call; CallTimeout, but in tests
	Transport http.RoundTripper
	Limiter   *ratelimit.Limiter
	Waits     func(time.Duration) // is called before each wait for a rate limit; nil: a call that a limit refuses fails
	Metrics   *CallMetrics
	Clock     clockwork.Clock
}

// Clients keeps one client for each installation, so that its token is used again, and can forget it: a token does not
// grow when the installation is granted more. It is safe for concurrent use.
type Clients struct {
	githubapp.ClientCreator // of the App itself
	options                 Options
	answers                 *otter.Cache[string, []byte]
	kept                    *lru.Cache[int64, *github.Client]
}

// clientsKept bounds how many installations keep their client, with its token.
const clientsKept = 256

// New makes the clients that speak to GitHub. Every read is conditional and always validated: an answer of a minute ago would undo moves.
func New(o Options) *Clients {
	c := &Clients{options: o, answers: newAnswers(), kept: bounded.New[int64, *github.Client](clientsKept)}
	c.ClientCreator = c.creator(0)
	return c
}

func (c *Clients) creator(installation int64) githubapp.ClientCreator {
	o := c.options
	return githubapp.NewClientCreator(o.App.V3APIURL, o.App.V4APIURL, o.App.App.IntegrationID, []byte(o.App.App.PrivateKey),
		githubapp.WithClientUserAgent(userAgent),
		githubapp.WithTransport(conditional(wholeAnswers{o.Transport, o.Timeout}, c.answers, installation)),
		githubapp.WithClientMiddleware(o.counted),
	)
}

func (o Options) counted(next http.RoundTripper) http.RoundTripper {
	next = o.Limiter.Middleware(o.Metrics.middleware(ratelimit.Refuse(o.Clock)(o.Limiter.Observe(next))))
	if o.Waits != nil {
		return o.Limiter.Patiently(o.Waits)(next)
	}
	return next
}

// NewInstallationClient implements issues.Clients.
func (c *Clients) NewInstallationClient(installation int64) (*github.Client, error) {
	if client, ok := c.kept.Get(installation); ok {
		return client, nil
	}
	client, err := c.create(installation)
	if err != nil {
		return nil, fmt.Errorf("make a client for installation %d: %w", installation, err)
	}
	c.kept.Add(installation, client)
	return client, nil
}

func (c *Clients) create(installation int64) (*github.Client, error) {
	o := c.options
	if o.Token == "" {
		return c.creator(installation).NewInstallationClient(installation) //nolint:wrapcheck // NewInstallationClient says for which installation
	}
	// That of go-githubapp for a token goes past the transport, and so past what lets a command only read.
	client, err := anonymous(&http.Client{Transport: o.counted(conditional(wholeAnswers{o.Transport, o.Timeout}, c.answers, installation))}, o.App.V3APIURL)
	if err != nil {
		return nil, err
	}
	return client.WithAuthToken(o.Token), nil
}

// Forget makes the next call for an installation ask for a new token.
func (c *Clients) Forget(installation int64) { c.kept.Remove(installation) }

// maxIdleConns is how many calls GitHub takes from an installation at a time.
const maxIdleConns = 100

// NewTransport keeps more idle connections than the default transport's two a host, as all calls go to one host.
func NewTransport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = maxIdleConns
	return t
}

// CallMetrics counts the calls to GitHub.
type CallMetrics struct {
	calls *prometheus.CounterVec
}

func (m *CallMetrics) rows() []metric.Metric {
	return []metric.Metric{{Name: "colony_github_calls_total", Help: "Calls to GitHub, by method and status (0: no answer). A 304 does not count against the hourly limit.", Labels: []string{"method", "status"}, Into: &m.calls}}
}

// ListMetrics lists the metrics of this package.
func ListMetrics() []metric.Metric { return new(CallMetrics).rows() }

// NewCallMetrics registers the counter of calls.
func NewCallMetrics(r prometheus.Registerer) *CallMetrics {
	m := &CallMetrics{}
	r.MustRegister(metric.Make(m.rows())...)
	return m
}

func (m *CallMetrics) middleware(next http.RoundTripper) http.RoundTripper {
	return ratelimit.RoundTripperFunc(func(request *http.Request) (*http.Response, error) {
		response, err := next.RoundTrip(request)
		status := "0"
		if err == nil {
			status = strconv.Itoa(response.StatusCode)
			if response.Header.Get(httpcache.XFromCache) != "" {
				status = strconv.Itoa(http.StatusNotModified)
			}
		}
		m.calls.WithLabelValues(request.Method, status).Inc()
		return response, err //nolint:wrapcheck // a round tripper returns what it got
	})
}
