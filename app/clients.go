package app

import (
	"fmt"
	"net/http"

	"github.com/gregjones/httpcache"
	"github.com/jonboulle/clockwork"
	"github.com/palantir/go-githubapp/githubapp"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/colony-app/colony/github/ratelimit"
)

// userAgent names Colony to GitHub, as its API asks for: https://docs.github.com/rest/using-the-rest-api.
const userAgent = "colony"

// newClientCreator makes the clients that speak to GitHub. Every read is conditional and always validated: an answer that
// may be up to a minute old would undo moves.
func newClientCreator(c Config, transport http.RoundTripper, calls *callMetrics, pace *ratelimit.Limiter, clock clockwork.Clock) *installationClients {
	answers := newAnswerStore()
	g := c.githubApp()
	return newInstallationClients(func(installation int64) githubapp.ClientCreator {
		return githubapp.NewClientCreator(g.V3APIURL, g.V4APIURL, g.App.IntegrationID, []byte(g.App.PrivateKey),
			githubapp.WithClientUserAgent(userAgent),
			githubapp.WithClientTimeout(c.GitHub.Timeout),
			githubapp.WithTransport(keepUnmodified(transport)),
			githubapp.WithClientCaching(true, func() httpcache.Cache { return installationAnswers{answers, installation} }),
			githubapp.WithClientMiddleware(pace.Middleware, calls.middleware, ratelimit.Refuse(clock), pace.Observe),
		)
	})
}

// newTransport keeps more idle connections than the default transport's two a host: all calls go to one host.
func newTransport() http.RoundTripper {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = 32
	return t
}

// callMetrics counts the calls to GitHub.
type callMetrics struct {
	calls *prometheus.CounterVec
}

func newCallMetrics(r prometheus.Registerer) *callMetrics {
	m := &callMetrics{calls: prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "colony_github_calls_total",
		Help: "Calls to GitHub's API, by method and status; status 0 is a call without an answer, and 304 one that costs nothing of the hourly limit.",
	}, []string{"method", "status"})}
	r.MustRegister(m.calls)
	return m
}

func (m *callMetrics) middleware(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(request *http.Request) (*http.Response, error) {
		response, err := next.RoundTrip(request)
		status := "0"
		if err == nil {
			status = fmt.Sprint(response.StatusCode)
			if response.Header.Get(httpcache.XFromCache) != "" { // the cache has put what it had in the place of GitHub's answer
				status = fmt.Sprint(http.StatusNotModified)
			}
		}
		m.calls.WithLabelValues(request.Method, status).Inc()
		return response, err //nolint:wrapcheck // a round tripper returns what it got
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }
