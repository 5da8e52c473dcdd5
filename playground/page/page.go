package page

import (
	"embed"
	"net/http"
	"sync"

	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/playground"
)

// Options says how the page presents itself. The zero value is usable.
type Options struct {
	// Title is at the top left and in the browser's title. Empty means "Playground".
	Title string
	// Notice is plain text on top of every page, such as what to try. Where the page is about something else, the first line of the notice replaces
	// the whole. Text between backquotes is set as code, and #1 leads to the issue. Empty: none.
	Notice string
	// ActAs is the login of the user or bot whom a new visitor acts as. Empty, or no one who can act: the first user by login.
	ActAs string
	// Beside is the page of the program that works on this GitHub, shown as a second tab. Without an address, that tab is missing.
	Beside Beside
	// Glyphs are signs shown before labels, by the name of the label in lower case.
	Glyphs map[string]string
	// Clock tells how long ago things happened. Nil means the real clock.
	Clock clockwork.Clock
}

// Beside is a page that is shown as a tab next to this one.
type Beside struct{ Name, URL string }

// maxForm bounds the body of a form, in bytes: a comment of GitHub's maximal length, escaped, fits.
const maxForm = 1 << 20

//go:embed assets
var assets embed.FS

// page answers the requests of browsers.
type page struct {
	playground *playground.Playground
	api        http.Handler
	title      string
	notice     string
	actAs      string
	beside     Beside
	glyphs     map[string]string
	clock      clockwork.Clock
	faults     faultList

	mu         sync.Mutex
	transports map[string]http.RoundTripper // by login
}

// New makes the page of a playground, to be mounted with its SetPage.
//
// Forms are accepted from pages of the same origin only, as the browser tells (Sec-Fetch-Site, Origin).
func New(p *playground.Playground, o Options) http.Handler {
	if o.Title == "" {
		o.Title = "Playground"
	}
	if o.Clock == nil {
		o.Clock = clockwork.NewRealClock()
	}
	g := &page{
		playground: p, api: p.Handler(), title: o.Title, notice: o.Notice, actAs: o.ActAs, beside: o.Beside, glyphs: o.Glyphs, clock: o.Clock,
		transports: map[string]http.RoundTripper{},
	}
	mux := http.NewServeMux()
	for pattern, answer := range routes {
		mux.Handle(pattern, g.answering(answer))
	}
	for _, name := range []string{"page.css", "page.js", "icon.svg"} {
		mux.HandleFunc("GET /-/"+name, func(w http.ResponseWriter, r *http.Request) { http.ServeFileFS(w, r, assets, "assets/"+name) })
	}
	mux.HandleFunc("/", g.nowhere)

	sameOrigin := http.NewCrossOriginProtection()
	sameOrigin.SetDenyHandler(http.HandlerFunc(g.foreign))
	// A manifest comes from elsewhere, and only makes a page on which a person decides.
	sameOrigin.AddInsecureBypassPattern("POST " + personalManifest)
	sameOrigin.AddInsecureBypassPattern("POST " + organizationManifest)
	return guarded(http.MaxBytesHandler(sameOrigin.Handler(mux), maxForm))
}

// routes are the addresses of the page. What GitHub has too lies where GitHub has it, so that the html_url of every
// REST answer leads to it. What is the page's own begins with "-", which no login does.
var routes = map[string]func(*visit) error{
	"GET /{$}":                                    showHome,
	"GET /{owner}":                                showOwner,
	"GET " + signingIn:                            showAuthorize,
	"POST " + signingIn:                           authorize,
	"GET /{owner}/{repo}":                         showIssues,
	"GET /{owner}/{repo}/issues":                  showIssues,
	"GET /{owner}/{repo}/issues/live":             showLiveIssues,
	"GET /{owner}/{repo}/pulls":                   showIssues,
	"GET /{owner}/{repo}/labels":                  showLabels,
	"GET /{owner}/{repo}/issues/new":              showNewIssue,
	"POST /{owner}/{repo}/issues":                 createIssue,
	"GET /{owner}/{repo}/issues/{number}":         showIssue,
	"GET /{owner}/{repo}/pull/{number}":           showIssue,
	"GET /{owner}/{repo}/issues/{number}/live":    showLive,
	"POST /{owner}/{repo}/issues/{number}/labels": editLabels,
	"POST /{owner}/{repo}/issues/{number}/talk":   talk,

	"GET /deliveries":                 showDeliveries,
	"GET /deliveries/live":            showLiveDeliveries,
	"GET /deliveries/{id}":            showDelivery,
	"POST /deliveries/{id}/redeliver": redeliver,
	"POST /deliveries/{control}":      controlDeliveries,

	"GET /-/faults":              showFaults,
	"POST /-/faults":             addFault,
	"POST /-/faults/{id}/cancel": cancelFault,
	"POST /-/lag":                lagEvents,
	"POST /-/act-as":             actAs,

	"POST " + personalManifest:           showManifest,
	"POST " + organizationManifest:       showManifest,
	"POST /-/apps":                       registerManifest,
	"GET /apps/{slug}/installations/new": showInstall,
	"POST /-/installations":              install,
}

// guarded sets the headers that keep the page to itself: nothing from elsewhere is loaded, run, framed or sent to.
func guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, value := range map[string]string{
			"Content-Security-Policy": policyOf("'self'"),
			"Referrer-Policy":         "same-origin",
			"X-Content-Type-Options":  "nosniff",
			"Cache-Control":           "no-store",
		} {
			w.Header().Set(name, value)
		}
		next.ServeHTTP(w, r)
	})
}

// policyOf is the Content-Security-Policy of a page whose forms are allowed to lead to these places.
func policyOf(forms string) string {
	return "default-src 'none'; style-src 'self'; style-src-attr 'unsafe-inline'; script-src 'self'; connect-src 'self'; img-src 'self'; " +
		"form-action " + forms + "; frame-ancestors 'none'; base-uri 'none'"
}
