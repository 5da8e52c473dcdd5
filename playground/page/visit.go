package page

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/google/go-github/v62/github"
)

// visit is one request of a browser while it is answered.
type visit struct {
	*page
	w      http.ResponseWriter
	r      *http.Request
	acting string // the login acted as; empty if there is no one
	github *github.Client
	alert  *alert
	status int // of the answer; 0: 200
}

// alert is a message on top of the page.
type alert struct {
	Refused bool
	Text    string
	Hint    string
}

func (g *page) answering(answer func(*visit) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := g.visit(w, r)
		if err := answer(v); err != nil {
			v.fail(err)
		}
	})
}

func (g *page) visit(w http.ResponseWriter, r *http.Request) *visit {
	v := &visit{page: g, w: w, r: r}
	v.acting = g.whoActs(r)
	v.github = g.as(r.Host, v.acting)
	return v
}

func (v *visit) ctx() context.Context { return v.r.Context() }

// owner and repo are the path's, escaped for go-github, which puts them into addresses as they are.
func (v *visit) owner() string { return url.PathEscape(v.r.PathValue("owner")) }
func (v *visit) repo() string  { return url.PathEscape(v.r.PathValue("repo")) }

// number is the path's issue number, which go-github wants as an int.
func (v *visit) number() (int, error) {
	n, err := strconv.Atoi(v.r.PathValue("number"))
	if err != nil || n < 1 {
		return 0, errNoPage
	}
	return n, nil
}

// show renders a template as the answer.
func (v *visit) show(name string, content any) error {
	var text bytes.Buffer
	if err := templates().ExecuteTemplate(&text, name, content); err != nil {
		return fmt.Errorf("render %s: %w", name, err)
	}
	v.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if v.status != 0 {
		v.w.WriteHeader(v.status)
	}
	_, _ = v.w.Write(text.Bytes()) // the browser might be gone; no one is left to tell
	return nil
}

// to sends the browser to an address of this page: every caller makes it with below, local or pathOf.
func (v *visit) to(address string) error {
	v.w.Header().Set("Location", address)
	v.w.WriteHeader(http.StatusSeeOther)
	return nil
}

// refuse has the next show tell, with the API's own status, why it did not happen.
func (v *visit) refuse(what string, err error) {
	v.status, v.alert = v.explain(what, err)
}

// fail answers with nothing but the message.
func (v *visit) fail(err error) {
	if redirect, ok := errors.AsType[*elsewhere](err); ok {
		_ = v.to(redirect.address) // never fails
		return
	}
	v.refuse("", err)
	content := struct {
		frame
		Status int
	}{v.frame(strconv.Itoa(v.status), nil), v.status}
	if err := v.show("failure", content); err != nil {
		http.Error(v.w, err.Error(), http.StatusInternalServerError)
	}
}

func (g *page) nowhere(w http.ResponseWriter, r *http.Request) { g.visit(w, r).fail(errNoPage) }

func (g *page) foreign(w http.ResponseWriter, r *http.Request) { g.visit(w, r).fail(errForeign) }

// frame is what every page shows around its content.
type frame struct {
	Site     string // Options.Title
	Beside   Beside
	Title    string
	Notice   [][]span // lines
	Unfold   bool     // all of the notice is shown, not only its first line
	Actors   []actor
	Acting   actor
	Back     string // where a change of the actor leads: this page
	Alert    *alert
	Sent     int // deliveries
	Held     int
	Repo     *repository // nil outside of one
	Tab      string
	Live     string // where the script asks for news; empty: nowhere
	Version  string // of what is shown
	Reload   int    // seconds until a browser without JavaScript loads again; 0: never
	ReloadOn string // the address that does so; empty: none
}

func (v *visit) frame(title string, in *repository) frame {
	f := frame{Site: v.title, Beside: v.beside, Title: title, Notice: noticed(v.notice, in), Alert: v.alert, Repo: in, Back: "/"}
	f.Actors, f.Acting = v.actors()
	if v.r.Method == http.MethodGet {
		f.Back = v.r.URL.RequestURI()
	} else if back := v.r.PostFormValue("back"); back != "" {
		f.Back = local(back)
	}
	for _, d := range v.playground.Deliveries() {
		f.Sent++
		if d.Held {
			f.Held++
		}
	}
	return f
}

// reloading is for browsers without JavaScript: ?live has the page load itself again.
func (f *frame) reloading(r *http.Request) {
	const seconds = 3
	if r.Method != http.MethodGet {
		return
	}
	if r.URL.Query().Has("live") {
		f.Reload = seconds
		return
	}
	query := r.URL.Query()
	query.Set("live", "")
	f.ReloadOn = r.URL.EscapedPath() + "?" + query.Encode()
}

// now is the time by the page's clock.
func (v *visit) now() time.Time { return v.clock.Now() }
