package board

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/jonboulle/clockwork"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app/access"
	"github.com/colony-app/colony/app/inspect"
	"github.com/colony-app/colony/bounded"
	"github.com/colony-app/colony/github/issues"
)

//go:embed templates assets
var files embed.FS

// templates escape all that they show by its place in the page. They are parsed when a page is asked for first.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"count":  count,
		"moment": func(at time.Time, now moment) moment { return momentOf(at, now.At) },
	}).ParseFS(files, "templates/*.html"))
})

// Options are what the pages need.
type Options struct {
	Index *Index
	Gate  Gate
	// SignIn has the pages of signing in; nil where no one signs in.
	SignIn *SignIn
	// Read reads an issue, its log and its comments.
	Read   func(ctx context.Context, ref issues.Ref) (*inspect.Issue, error)
	Waits  func(repository int64) []Wait // what waits there; nil: nothing
	GitHub string                        // the address of its pages
	Clock  clockwork.Clock
	Log    zerolog.Logger
}

// Wait is work in a repository that waits for GitHub's or Colony's limits.
type Wait struct {
	Tasks   int
	Because string
	Until   time.Time
}

// Pages answers browsers.
type Pages struct {
	Options
	stories *lru.Cache[string, told]
	ended   chan struct{}
	end     sync.Once
	streams streams
	slowest time.Duration // that a write of a stream can take
}

// NewPages returns the pages of an index.
func NewPages(o Options) *Pages {
	if o.Waits == nil {
		o.Waits = func(int64) []Wait { return nil }
	}
	return &Pages{Options: o, stories: bounded.New[string, told](storiesKept), ended: make(chan struct{}), slowest: slowestRead}
}

// Close ends the streams of the pages that are open.
func (p *Pages) Close() { p.end.Do(func() { close(p.ended) }) }

// Root is where the pages are.
const Root = "/board"

// What Handler answers, by pattern: pages and streams to a viewer, and assets to everybody.
var (
	routes = map[string]func(*visit) error{
		"GET " + Root:                          showNeeds,
		"GET " + Root + "/{owner}/{repo}":      showRepository,
		"GET " + Root + "/{owner}/{repo}/flow": showFlow,
		"GET " + Root + "/{owner}/{repo}/{n}":  showIssue,
		"GET " + Root + "/-/changes":           streamChanges,
	}
	assets = map[string]string{
		"GET " + Root + "/-/board.css": "board.css",
		"GET " + Root + "/-/board.js":  "board.js",
		"GET " + Root + "/-/icon.svg":  "icon.svg",
	}
)

// Patterns lists what Handler answers, as patterns of http.ServeMux.
func Patterns() []string {
	all := slices.AppendSeq(slices.Collect(maps.Keys(routes)), maps.Keys(assets))
	return slices.Sorted(slices.Values(slices.AppendSeq(all, maps.Keys(signInRoutes))))
}

// Handler answers what is at Root and below. Only pages of signing in answer another method than GET.
func (p *Pages) Handler() http.Handler {
	mux := http.NewServeMux()
	for pattern, answer := range routes {
		mux.HandleFunc(pattern, p.answering(answer))
	}
	for pattern, name := range assets {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Cache-Control", "no-cache")
			http.ServeFileFS(w, r, files, "assets/"+name)
		})
	}
	if p.SignIn != nil {
		for pattern, handler := range signInRoutes {
			mux.Handle(pattern, handler(p.SignIn))
		}
	}
	return guarded(mux)
}

// guarded sets the headers that keep the pages to themselves: nothing from elsewhere is loaded, run, framed or sent to.
func guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, value := range map[string]string{
			"Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; " +
				"frame-ancestors 'none'; base-uri 'none'",
			"Cross-Origin-Opener-Policy": "same-origin",
			"Referrer-Policy":            "same-origin",
			"X-Content-Type-Options":     "nosniff",
			"X-Frame-Options":            "DENY",
			"Cache-Control":              "no-store",
		} {
			w.Header().Set(name, value)
		}
		next.ServeHTTP(w, r)
	})
}

type visit struct {
	*Pages
	w      http.ResponseWriter
	r      *http.Request
	viewer Viewer
	now    time.Time
}

// missingError says that there is nothing to show: because it is not there, or because the viewer is not allowed to see it.
type missingError struct{}

func (missingError) Error() string { return "there is no such page" }

func (p *Pages) answering(answer func(*visit) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		viewer, ok := p.Gate.Viewer(w, r)
		if !ok {
			return
		}
		v := &visit{p, w, r, viewer, p.Clock.Now().UTC()}
		err := answer(v)
		if err == nil || r.Context().Err() != nil {
			return
		}
		if errors.Is(err, access.ErrRefused) {
			if _, ok := p.Gate.Viewer(w, r); !ok { // it has answered
				return
			}
		}
		status, words := http.StatusBadGateway, "Colony could not ask GitHub. Load the page again in a minute."
		if _, missing := err.(missingError); missing { //nolint:errorlint // it is never wrapped
			status, words = http.StatusNotFound, "There is nothing here that you may see. Colony knows an issue once it has looked at it."
		} else {
			p.Log.Warn().Err(err).Str("path", r.URL.Path).Msg("a page of the board could not be shown")
		}
		v.show(status, "failure", struct {
			frame
			Words string
		}{v.frame(http.StatusText(status)), words})
	}
}

// repository returns the names of the repository that a request is about, if the viewer can see it.
func (v *visit) repository() (owner, name string, err error) {
	owner, name = v.r.PathValue("owner"), v.r.PathValue("repo")
	return owner, name, v.viewer.mayRead(v.r.Context(), owner, name, 0)
}

type frame struct {
	Title  string
	GitHub string
	Live   string // which changes the page is notified of
	Tab    string
	Repo   *place
	Now    moment
	// Viewer is who is signed in.
	Viewer string
	// Bare says that there is nothing of the board on the page.
	Bare bool
}

type place struct{ Owner, Name, Path, URL string }

func (v *visit) frame(title string) frame {
	return frame{Title: title, GitHub: v.GitHub, Now: momentOf(v.now, v.now), Viewer: v.viewer.Login}
}

// about makes a frame one of a repository, and of an issue if the number is not 0.
func (f *frame) about(repo issues.Repository, number int) {
	f.Repo = &place{repo.Owner, repo.Name, pathOf(Root, repo.Owner, repo.Name), strings.TrimSuffix(f.GitHub, "/") + pathOf("", repo.Owner, repo.Name)}
	f.Live = Root + "/-/changes?in=" + template.URLQueryEscaper(repo.String())
	if number > 0 {
		f.Live += "&issue=" + strconv.Itoa(number)
	}
}

func (v *visit) show(status int, name string, data any) { show(v.w, v.Log, status, name, data) }

// show renders a page as a whole before any of it is sent.
func show(w http.ResponseWriter, log zerolog.Logger, status int, name string, data any) {
	var page bytes.Buffer
	if err := templates().ExecuteTemplate(&page, name, data); err != nil {
		log.Error().Err(err).Str("page", name).Msg("a page of the board could not be rendered")
		http.Error(w, "The page could not be rendered.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = page.WriteTo(w) // the browser might be gone
}

type moment struct {
	At  time.Time
	Ago string
}

func momentOf(at, now time.Time) moment { return moment{at.UTC(), spanOf(now.Sub(at))} }

func (m moment) Stamp() string { return m.At.Format(time.RFC3339) }

func (m moment) Full() string { return m.At.Format("2006-01-02 15:04 UTC") }

// streamed is how long a stream lasts. The browser opens another then, and is asked again who it is and what they can see.
const streamed = access.Kept

// streamChanges tells a page, as server-sent events, that something changed of what it shows; never what.
func streamChanges(v *visit) error {
	// The stream lasts for access.Kept. With a kept answer it would outlive what that answer allows.
	concerns, err := v.concerns(access.Fresh(v.r.Context()))
	if err != nil {
		return err
	}
	end, refused := v.streams.open(v.viewer.Login, addressOf(v.r))
	if refused != 0 {
		v.w.Header().Set("Retry-After", strconv.Itoa(int(streamed.Seconds())))
		http.Error(v.w, "Too many pages of the board are open. Close some.", refused)
		return nil
	}
	defer end()
	control := http.NewResponseController(v.w)
	if err := control.SetReadDeadline(time.Time{}); err != nil { // the server's bounds are for requests
		return fmt.Errorf("keep the stream open: %w", err)
	}
	v.w.Header().Set("Content-Type", "text/event-stream")
	v.w.Header().Set("X-Accel-Buffering", "no") // proxies pass it on immediately
	over := v.Clock.NewTimer(streamed)
	defer over.Stop()
	defer func() { _ = control.SetWriteDeadline(time.Now().Add(v.slowest)) }() // its end is written, too; it fails if the browser is gone
	for {
		goesOn, err := v.stream(control, concerns, over.Chan())
		if err != nil || !goesOn {
			return nil // an error says that the browser is gone
		}
		// There is another repository; whether the viewer can read it is not known.
		if concerns, err = v.concerns(v.r.Context()); err != nil {
			v.Log.Warn().Err(err).Msg("the board could not ask who may read a repository, and ends a stream")
			return nil
		}
	}
}

// stream tells of changes until there is a repository more, and then goes on with what concerns the viewer then; or until its end. What
// changed before it began is not missed: it begins with an event.
func (v *visit) stream(control *http.ResponseController, concerns func(string, int) bool, over <-chan time.Time) (goesOn bool, err error) {
	l, end := v.Index.listen(concerns)
	defer end()
	for {
		if err := control.SetWriteDeadline(time.Now().Add(v.slowest)); err != nil {
			return false, fmt.Errorf("bound the write of a stream: %w", err)
		}
		if _, err := v.w.Write([]byte("retry: 1000\nevent: change\ndata: \n\n")); err != nil {
			return false, err //nolint:wrapcheck // nobody reads it
		}
		if err := control.Flush(); err != nil {
			return false, err //nolint:wrapcheck // nobody reads it
		}
		select {
		case <-l.heard:
		case <-l.more:
			return true, nil
		case <-over:
			return false, nil
		case <-v.ended:
			return false, nil
		case <-v.r.Context().Done():
			return false, nil
		}
	}
}

// concerns says which changes a stream reports: the changes of one repository or issue, or of all that the viewer can read.
func (v *visit) concerns(ctx context.Context) (func(key string, number int) bool, error) {
	if in := v.r.URL.Query().Get("in"); in != "" {
		owner, name, _ := strings.Cut(in, "/")
		only, _ := strconv.Atoi(v.r.URL.Query().Get("issue"))
		if err := v.viewer.mayRead(ctx, owner, name, only); err != nil {
			return nil, err
		}
		key := issues.NameKey(owner, name)
		return func(of string, number int) bool { return of == key && (only == 0 || only == number) }, nil
	}
	readable, err := v.viewer.among(ctx, v.Index.Repositories())
	if err != nil {
		return nil, err
	}
	keys := map[string]bool{}
	for _, repo := range readable {
		keys[issues.NameKey(repo.Owner, repo.Name)] = true
	}
	return func(of string, _ int) bool { return keys[of] }, nil
}
