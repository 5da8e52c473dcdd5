package app

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/colony-app/colony/app/queue"
	"github.com/colony-app/colony/app/worker"
	"github.com/colony-app/colony/bounded"
	"github.com/colony-app/colony/reconcile"
)

// adminRoutes adds what admins see and do. Without a token in the configuration there is nothing, and a request without that token
// gets the same answer as one for a page that does not exist.
func (s *Server) adminRoutes(mux *http.ServeMux) {
	if s.config.Server.AdminToken == "" {
		return
	}
	mux.Handle("GET "+DeadLettersPath, s.forAdmins(s.listDeadLetters))
	mux.Handle("POST "+DeadLettersPath+"/retry", s.forAdmins(s.retryDeadLetters))
	mux.Handle("GET "+RefusedWritesPath, s.forAdmins(s.listRefusedWrites))
	mux.Handle("POST "+RefusedWritesPath+"/retry", s.forAdmins(s.retryRefusedWrites))
}

// DeadLettersPath is where a server lists what it gave up.
const DeadLettersPath = "/api/dead-letters"

// forAdmins lets those through who have the token: "Authorization: Bearer TOKEN".
func (s *Server) forAdmins(next http.HandlerFunc) http.Handler {
	want := sha256.Sum256([]byte(s.config.Server.AdminToken))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		got := sha256.Sum256([]byte(token)) // of one length, so that the comparison does not tell the token's
		if subtle.ConstantTimeCompare(got[:], want[:]) != 1 || !ok {
			http.NotFound(w, r)
			return
		}
		next(w, r)
	})
}

// DeadLetter is a request that was given up. It holds nothing that people wrote.
type DeadLetter struct {
	ID           uint64    `json:"id"` // by which it can be retried
	Repository   string    `json:"repository,omitempty"`
	Issue        int       `json:"issue,omitempty"`
	Installation int64     `json:"installation,omitempty"`
	Scope        string    `json:"scope,omitempty"`
	Because      string    `json:"because,omitempty"`
	Delivery     string    `json:"delivery,omitempty"`
	GivenUp      time.Time `json:"given_up"`
	Failures     int       `json:"failures"` // attempts in a row that failed
	Error        string    `json:"error"`
}

// DeadLetters lists what was given up within the last 30 days, oldest first.
type DeadLetters struct {
	DeadLetters []DeadLetter `json:"dead_letters"`
}

func deadLetterOf(d queue.DeadLetter) DeadLetter {
	letter := DeadLetter{ID: d.Letter, Issue: d.Issue, GivenUp: d.Died, Failures: d.Failures, Error: d.Error}
	e, err := worker.ReadItem(d.Task)
	if err != nil { // that is why it is here
		return letter
	}
	if e.Owner != "" {
		letter.Repository = e.Owner + "/" + e.Name
	}
	if letter.Scope = string(e.Kind); e.Kind == "" {
		letter.Scope = string(reconcile.KindIssue)
	}
	letter.Installation, letter.Because, letter.Delivery = e.Installation, e.Cause, e.Delivery
	return letter
}

func (s *Server) listDeadLetters(w http.ResponseWriter, r *http.Request) {
	dead, err := s.queue.DeadLetters(r.Context())
	if err != nil {
		s.adminFailed(w, "list the dead letters", err)
		return
	}
	answer := DeadLetters{DeadLetters: []DeadLetter{}}
	for _, d := range dead {
		answer.DeadLetters = append(answer.DeadLetters, deadLetterOf(d))
	}
	s.answer(w, answer)
}

type retry struct {
	ID  uint64 `json:"id"`
	All bool   `json:"all"`
}

func readRetry(body io.Reader) (retry, error) {
	var wanted retry
	const enough = 4 << 10
	text, err := bounded.Read(body, "it", enough)
	if err != nil {
		return wanted, fmt.Errorf("read the body: %w", err)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&wanted); err != nil {
		return wanted, fmt.Errorf("read the body: %w", err)
	}
	if (wanted.ID != 0) == wanted.All {
		return wanted, errors.New(`say which: {"id": 7} or {"all": true}`)
	}
	return wanted, nil
}

func (s *Server) retryDeadLetters(w http.ResponseWriter, r *http.Request) {
	wanted, err := readRetry(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	revived, err := s.revive(r.Context(), wanted)
	switch {
	case errors.Is(err, queue.ErrNoLetter):
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	case err != nil:
		s.adminFailed(w, "retry dead letters", err)
		return
	}
	s.log.Info().Int("retried", revived).Msg("dead letters are tried again")
	s.answer(w, struct {
		Retried int `json:"retried"`
	}{revived})
}

func (s *Server) revive(ctx context.Context, wanted retry) (revived int, err error) {
	if !wanted.All {
		return 1, s.queue.RetryDeadLetter(ctx, wanted.ID)
	}
	return s.worker.RetryDeadLetters(ctx, func(queue.DeadLetter) bool { return true })
}

func (s *Server) adminFailed(w http.ResponseWriter, attempt string, err error) {
	s.log.Error().Err(err).Msg(attempt)
	http.Error(w, attempt+": it did not work, see the log", http.StatusInternalServerError)
}

func (s *Server) answer(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	if err := json.NewEncoder(w).Encode(value); err != nil {
		s.log.Debug().Err(err).Msg("answer an operator")
	}
}
