package app

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/colony-app/colony/app/board"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/inspect"
	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
)

// openBoard makes the pages of the board, if there is one, and lets it see what this process sees, and what others report. Nothing is reported
// or read for a board that is not there.
func (s *Server) openBoard(o Options) error {
	gate, signIn := o.Board, (*board.SignIn)(nil)
	if s.config.Board.Enabled && gate == nil {
		var err error
		if signIn, err = s.signIn(o); err != nil {
			return err
		}
		gate = signIn
	}
	digests := digestsOf(s.config.Notify.Webhooks)
	if gate == nil && len(digests) == 0 {
		return nil
	}
	index := board.NewIndex(s.config.GitHub.WebURL, board.Window, s.clock)
	s.keepUp(index)
	s.digester = &digester{digests: digests, index: index, worker: s.worker, clock: s.clock, log: s.log}
	if gate == nil {
		return nil
	}
	s.board = board.NewPages(board.Options{
		Index: index, Gate: gate, SignIn: signIn, GitHub: s.config.GitHub.WebURL, Clock: s.clock, Log: s.log, Waits: s.waitsIn,
		Read: func(ctx context.Context, ref issues.Ref) (*inspect.Issue, error) {
			return s.parts.Inspector().Issue(client.OnlyAsking(ctx, ref.Installation), ref)
		},
	})
	return nil
}

// waitsIn tells what waits in a repository that someone has to know.
func (s *Server) waitsIn(repository int64) (waits []board.Wait) {
	for _, w := range s.waiting() {
		for _, in := range w.Repositories {
			if because := w.Because(); in.ID == repository && because != "" {
				waits = append(waits, board.Wait{Tasks: in.Tasks, Because: because, Until: in.Until})
			}
		}
	}
	return waits
}

// signIn makes what lets people look at the board who sign in with GitHub.
func (s *Server) signIn(o Options) (*board.SignIn, error) {
	c := s.config
	made, err := board.NewSignIn(board.SignInOptions{
		URL: c.Board.URL, GitHub: c.GitHub.WebURL, API: c.GitHub.V3APIURL, ClientID: c.GitHub.OAuth.ClientID, ClientSecret: c.GitHub.OAuth.ClientSecret,
		Access: s.parts.Access, HTTP: &http.Client{Transport: o.Transport, Timeout: client.CallTimeout}, Clock: s.clock, Log: s.log,
	})
	if err != nil {
		return nil, fmt.Errorf("make the sign-in of the board: %w", err)
	}
	return made, nil
}

// boardOf is where browsers reach the board; empty without a board.
func boardOf(c config.Config) string {
	if !c.Board.Enabled {
		return ""
	}
	return strings.TrimSuffix(c.Board.URL, "/") + board.Root
}
