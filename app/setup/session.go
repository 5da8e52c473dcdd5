package setup

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/app/config"
)

// Patience is how long a session waits for a person: GitHub allows an hour for all three steps.
const Patience = time.Hour

// ErrNobody is the end of a session in which no App was created.
var ErrNobody = errors.New("no App was created within an hour -> run colony setup again")

// keptStates bounds how many forms of a session are good at the same time, for someone who goes back and forth.
const keptStates = 20

// maxForm bounds the body of a form, in bytes.
const maxForm = 64 << 10

// Session creates one App with the help of a person's browser on this machine, and ends.
type Session struct {
	// Request is what the page proposes, until a person says otherwise.
	Request Request
	// Keep keeps the credentials. It returns what the page says about that, and what to do next. The session ends, no matter what it returns.
	Keep func(Credentials) (says string, next []Step, err error)
	// Clock is nil for the real one.
	Clock clockwork.Clock

	mu     sync.Mutex // held while GitHub is asked, too: there is only one App
	states []pendingRequest
	done   chan struct{}
	over   bool
	err    error
}

// pendingRequest is one for which GitHub was shown a manifest.
type pendingRequest struct {
	state   string
	request Request
}

// Run serves the page until the App is created, an hour has passed, or ctx ends. The listener has to be on this machine only.
func (s *Session) Run(ctx context.Context, listener net.Listener) error {
	if s.Clock == nil {
		s.Clock = clockwork.NewRealClock()
	}
	s.done = make(chan struct{})
	server := &http.Server{Handler: s.handler(), ReadHeaderTimeout: 10 * time.Second}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	var err error
	select {
	case <-s.done:
	case err = <-failed:
		err = fmt.Errorf("serve the page: %w", err)
	case <-ctx.Done():
		err = ctx.Err()
	case <-s.Clock.After(Patience):
		err = ErrNobody
	}
	s.mu.Lock() // GitHub might be answering: that happens once
	defer s.mu.Unlock()
	if s.over {
		err = s.err
	}
	s.over = true
	return errors.Join(err, closed(ctx, server))
}

// closed lets the last answer reach the browser.
func closed(ctx context.Context, server *http.Server) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
	defer cancel()
	if server.Shutdown(ctx) == nil {
		return nil
	}
	if err := server.Close(); err != nil { // a browser keeps connections that it does not use
		return fmt.Errorf("end the page: %w", err)
	}
	return nil
}

func (s *Session) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		s.mu.Lock()
		proposed := s.Request
		s.mu.Unlock()
		ask(w, proposed, nil)
	})
	mux.HandleFunc("POST /{$}", s.confirm)
	mux.HandleFunc("GET /created", s.created)
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		show(w, http.StatusNotFound, "failed", failedView{"There is no such page", "colony setup has one page.", "/"}, "")
	})
	sameOrigin := http.NewCrossOriginProtection()
	sameOrigin.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		show(w, http.StatusForbidden, "failed", failedView{"Nothing was done", "This form was not sent from the page of colony setup.", "/"}, "")
	}))
	return onlyThisMachine(http.MaxBytesHandler(sameOrigin.Handler(mux), maxForm))
}

// onlyThisMachine refuses a page of elsewhere that has its own name lead to this machine (DNS rebinding): its requests carry that name.
func onlyThisMachine(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		if !config.IsLoopback(strings.Trim(host, "[]")) {
			show(w, http.StatusMisdirectedRequest, "failed", failedView{"Wrong address", "colony setup answers to 127.0.0.1 and localhost only.", ""}, "")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// confirm shows what GitHub will be asked for, with the form that asks it.
func (s *Session) confirm(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		show(w, http.StatusBadRequest, "failed", failedView{"Nothing was done", "The form cannot be read.", "/"}, "")
		return
	}
	wanted, err := Request{
		GitHub: r.PostForm.Get("github"), Organization: r.PostForm.Get("organization"), Name: r.PostForm.Get("name"),
		WebhookURL: r.PostForm.Get("webhook-url"), Public: r.PostForm.Get("public") != "", LeaveOut: r.PostForm["leave-out"], Teams: r.PostForm.Get("teams") != "",
	}.Complete()
	if err != nil {
		if wanted.GitHub == "" {
			wanted.GitHub = r.PostForm.Get("github")
		}
		ask(w, wanted, config.Joined[FieldError](err))
		return
	}
	state := rand.Text()
	view, err := confirmation(wanted, state, "http://"+r.Host+"/created")
	if err != nil {
		show(w, http.StatusInternalServerError, "failed", failedView{"Nothing was done", err.Error(), "/"}, "")
		return
	}
	s.mu.Lock()
	s.Request = wanted
	s.states = append(s.states, pendingRequest{state, wanted})
	if len(s.states) > keptStates {
		s.states = s.states[1:]
	}
	s.mu.Unlock()
	show(w, http.StatusOK, "confirm", view, wanted.GitHub)
}

// created is where GitHub leads the browser with a code. Without a state that this session gave out, someone else made the App, or no one did:
// Colony would work with an App that another person owns.
func (s *Session) created(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over || r.Method != http.MethodGet {
		show(w, http.StatusGone, "failed", failedView{"The setup has ended", "The terminal says what came of it.", ""}, "")
		return
	}
	n := slices.IndexFunc(s.states, func(p pendingRequest) bool { return p.state == query.Get("state") })
	code, err := CodeOf(query.Get("code"))
	if n < 0 || err != nil {
		show(w, http.StatusBadRequest, "failed", failedView{"Nothing was done", "This answer does not belong to a form of this page, so Colony did not use it.", "/"}, "")
		return
	}
	server, err := ServerAt(s.states[n].request.GitHub)
	if err != nil {
		show(w, http.StatusInternalServerError, "failed", failedView{"Nothing was done", err.Error(), "/"}, "")
		return
	}
	made, err := Convert(r.Context(), server, code)
	switch {
	case errors.Is(err, ErrCode):
		show(w, http.StatusBadGateway, "failed", failedView{"Colony has no credentials", err.Error(), "/"}, "")
		return
	case errors.Is(err, ErrIncomplete):
		show(w, http.StatusBadGateway, "failed", failedView{"Colony has no credentials", err.Error(), ""}, "")
		s.end(err)
		return
	case err != nil:
		show(w, http.StatusBadGateway, "failed", failedView{"Colony has no credentials yet", err.Error() + " -> load this page again: the code is good for an hour", ""}, "")
		return
	}
	says, next, err := s.Keep(made)
	view := doneView{Title: "Colony has its App", Credentials: made, Kept: says, Steps: next}
	if err != nil {
		view.Title, view.Failure = "Save the credentials", err.Error()
	}
	w.Header().Set("Connection", "close")
	show(w, http.StatusOK, "done", view, "")
	s.end(err)
}

// end ends the session, once the answer under way is sent.
func (s *Session) end(err error) {
	s.over, s.err = true, err
	close(s.done)
}
