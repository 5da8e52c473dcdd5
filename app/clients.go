package app

import (
	"bytes"
	"fmt"
	"net/http"
	"time"

	"github.com/gregjones/httpcache"
	"github.com/hashicorp/golang-lru/v2/expirable"
	"github.com/jonboulle/clockwork"
	"github.com/palantir/go-githubapp/githubapp"
	"github.com/prometheus/client_golang/prometheus"
)

// A cache entry is one answer of GitHub with its headers. An installation keeps this many, for this long; an
// answer that is not there any more costs one unconditional read.
const (
	cachedAnswers   = 256
	cachedAnswerFor = 2 * time.Hour
	// maxCachedAnswer bounds one entry: answers with many comments are not worth their memory.
	maxCachedAnswer = 64 << 10
)

// userAgent names Colony to GitHub, as its API asks for: https://docs.github.com/rest/using-the-rest-api.
const userAgent = "colony"

// newClientCreator makes the clients that speak to GitHub. Every read is conditional and always validated: an answer that
// may be up to a minute old would undo moves.
func newClientCreator(c Config, transport http.RoundTripper, calls *callMetrics, pace *pace, clock clockwork.Clock) *installationClients {
	g := c.githubApp()
	return newInstallationClients(githubapp.NewClientCreator(g.V3APIURL, g.V4APIURL, g.App.IntegrationID, []byte(g.App.PrivateKey),
		githubapp.WithClientUserAgent(userAgent),
		githubapp.WithClientTimeout(c.GitHub.Timeout),
		githubapp.WithTransport(transport),
		githubapp.WithClientCaching(true, newAnswerCache),
		githubapp.WithClientMiddleware(pace.middleware, calls.middleware, refuseLimits(clock), pace.observe),
	))
}

// newTransport keeps more idle connections than the default transport's two a host: all calls go to one host.
func newTransport() http.RoundTripper {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = 32
	return t
}

// answerCache is a bounded cache of one client. It is never shared: an answer of one installation must not reach another.
type answerCache struct {
	answers *expirable.LRU[string, []byte]
}

func newAnswerCache() httpcache.Cache {
	return answerCache{expirable.NewLRU[string, []byte](cachedAnswers, nil, cachedAnswerFor)}
}

// Get implements httpcache.Cache.
func (c answerCache) Get(key string) ([]byte, bool) { return c.answers.Get(key) }

// Set implements httpcache.Cache. Nothing but success is kept: a failure would come back with each "not modified" that somebody's own
// condition gets.
func (c answerCache) Set(key string, answer []byte) {
	_, status, _ := bytes.Cut(answer, []byte(" "))
	if len(answer) > maxCachedAnswer || !bytes.HasPrefix(status, []byte("200 ")) {
		c.answers.Remove(key)
		return
	}
	c.answers.Add(key, answer)
}

// Delete implements httpcache.Cache.
func (c answerCache) Delete(key string) { c.answers.Remove(key) }

// callMetrics counts the calls to GitHub.
type callMetrics struct {
	calls *prometheus.CounterVec
}

func newCallMetrics(r prometheus.Registerer) *callMetrics {
	m := &callMetrics{calls: prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "colony_github_calls_total",
		Help: "Calls to GitHub's API, by method and status; status 0 is a call without an answer.",
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
		}
		m.calls.WithLabelValues(request.Method, status).Inc()
		return response, err //nolint:wrapcheck // a round tripper returns what it got
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }
