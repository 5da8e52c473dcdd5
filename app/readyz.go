package app

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/colony-app/colony/app/queue"
	"github.com/colony-app/colony/app/worker"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/lifecycle"
)

// Readiness is the answer of /readyz.
type Readiness struct {
	Ready bool `json:"ready"`
	// GitHub says whether GitHub has reported which App this is.
	GitHub bool `json:"github"`
	// Limited names the installations that GitHub limits, and until when. They delay only themselves.
	Limited map[int64]time.Time `json:"limited,omitempty"`
	// Paced tells until when the requests or the comments of an installation wait for Colony's own budgets, or its questions for
	// GitHub's budget of GraphQL.
	Paced ratelimit.Waiting `json:"paced"`
	// Waiting tells how many tasks wait for what and until when, in each installation and in the repositories with most, over all replicas.
	Waiting []worker.Waiting `json:"waiting,omitempty"`
	// Hours tells who used the calls of the hour that GitHub allows an installation.
	Hours map[int64]ratelimit.Used `json:"hours,omitempty"`
	// Onboarding tells how far the onboardings are that are under way.
	Onboarding []worker.OnboardingState `json:"onboarding,omitempty"`
	// HeldBack counts the issues that sweeps would have refused something on, too many at a time.
	HeldBack int `json:"held_back,omitempty"`
	// RefusedWrites counts the comments, reactions and links that GitHub refused for good and that were not tried again since.
	RefusedWrites int `json:"refused_writes,omitempty"`
	// BrokenFiles counts the repositories known to have a broken file of settings.
	BrokenFiles int `json:"broken_files,omitempty"`
	// Ungranted names the installations that do not grant what Colony needs, and what they lack.
	Ungranted map[int64][]string `json:"ungranted,omitempty"`
	// Modes counts the repositories that this process has seen, by mode.
	Modes map[lifecycle.Mode]int `json:"modes,omitempty"`
	Queue queue.Counts           `json:"queue"`
	Error string                 `json:"error,omitempty"`
}

// waiting tells what waits over all replicas.
func (s *Server) waiting() []worker.Waiting { return s.worker.Waiting(s.queue.Delays()) }

func (s *Server) readyz(w http.ResponseWriter, r *http.Request) {
	answer := Readiness{
		GitHub: s.parts.Actors.Self() != "", Limited: s.worker.Limits.List(s.clock.Now()), Paced: s.parts.Limiter.List(),
		HeldBack: s.worker.Sweeper.HeldBack(), BrokenFiles: s.parts.Reconciler.Policies.InvalidFiles(),
		RefusedWrites: len(s.parts.Reconciler.RefusedWrites()), Ungranted: s.parts.Grants.Lacking(),
		Hours: s.parts.Limiter.Hours(), Waiting: worker.Shorten(s.waiting()), Onboarding: s.worker.Onboardings(), Modes: s.parts.Reconciler.Modes(),
	}
	counts, err := s.queue.Pending(r.Context())
	answer.Queue = counts
	if err != nil {
		s.log.Error().Err(err).Msg("count what is in the queue")
		answer.Error = "the queue cannot be reached"
	}
	answer.Ready = answer.GitHub && err == nil
	w.Header().Set("Content-Type", "application/json")
	if !answer.Ready {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	if err := json.NewEncoder(w).Encode(answer); err != nil {
		s.log.Debug().Err(err).Msg("answer /readyz")
	}
}
