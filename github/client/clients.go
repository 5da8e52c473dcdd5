// Package client makes the clients that speak to GitHub: for the App, and for each installation.
package client

import (
	"net/http"
	"strconv"
	"time"

	"github.com/jonboulle/clockwork"
	"github.com/palantir/go-githubapp/githubapp"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/colony-app/colony/bounded"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/metric"
)

// userAgent names Colony to GitHub, as its API asks for: https://docs.github.com/rest/using-the-rest-api.
const userAgent = "colony"

// Options say which App on which GitHub the clients speak for, and how.
type Options struct {
	App       githubapp.Config
	Token     string        // acts with it wherever an installation would be asked; empty: as the App
	Timeout   time.Duration // of one call
	Transport http.RoundTripper
	Limiter   *ratelimit.Limiter
	Metrics   *CallMetrics
	Clock     clockwork.Clock
}

// New makes the clients that speak to GitHub. Every read is conditional and always validated: an answer that may be up to a minute old
// would undo moves.
func New(o Options) *Clients {
	answers := newAnswerStore()
	return newInstallationClients(o.Token, func(installation int64) githubapp.ClientCreator {
		return githubapp.NewClientCreator(o.App.V3APIURL, o.App.V4APIURL, o.App.App.IntegrationID, []byte(o.App.App.PrivateKey),
			githubapp.WithClientUserAgent(userAgent),
			githubapp.WithTransport(installationAnswers{wholeAnswers{o.Transport, o.Timeout}, answers, installation}),
			githubapp.WithClientMiddleware(o.Limiter.Middleware, o.Metrics.middleware, ratelimit.Refuse(o.Clock), o.Limiter.Observe),
		)
	})
}

// largestAnswer is the most bytes of an answer of GitHub's: a page of 100 issues or comments, each with 65,536 characters of four bytes, has
// less.
const largestAnswer = 32 << 20

// maxIdleConns is how many calls at once GitHub takes from an installation.
const maxIdleConns = 100

// NewTransport keeps more idle connections than the default transport's two a host, as all calls go to one host, and refuses answers larger
// than GitHub's.
func NewTransport() http.RoundTripper {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = maxIdleConns
	return bounded.Answers(t, largestAnswer)
}

// CallMetrics counts the calls to GitHub.
type CallMetrics struct {
	calls *prometheus.CounterVec
}

// rows is the table of the metrics.
func (m *CallMetrics) rows() []metric.Metric {
	return []metric.Metric{{Name: "colony_github_calls_total", Help: "Calls to GitHub's API, by method and status; status 0 is a call without an answer, and a call with 304 does not count against the hourly limit.", Labels: []string{"method", "status"}, Into: &m.calls}}
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
			if response.Header.Get(fromAnswers) != "" {
				status = strconv.Itoa(http.StatusNotModified)
			}
		}
		m.calls.WithLabelValues(request.Method, status).Inc()
		return response, err //nolint:wrapcheck // a round tripper returns what it got
	})
}
