package worker

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/colony-app/colony/github/issues"
)

// What replicas tell each other is true all the same if nobody hears it: GitHub shows it later.

// broadcastPolicy lets the other replicas read the policy of a repository again when they need them next.
func (w *Worker) broadcastPolicy(repo issues.Repository) {
	if err := w.queue.Broadcast(fmt.Appendf(nil, "rules %d %s %s", repo.Installation, repo.Owner, repo.Name)); err != nil {
		w.log.Warn().Err(err).Str("repo", repo.String()).Msg("other replicas do not hear that rules changed; they read them again after repositories.keep")
	}
}

// broadcastMove lets the other replicas count an issue that was moved to a state, as long as GitHub may not show it there.
func (w *Worker) broadcastMove(ref issues.Ref, state string) {
	if err := w.queue.Broadcast(fmt.Appendf(nil, "sent %d %d %s", ref.ID, ref.Number, state)); err != nil {
		w.log.Warn().Err(err).Str("repo", ref.Repository.String()).Int("issue", ref.Number).Msg("other replicas do not hear that an issue was moved; they see it once GitHub shows it")
	}
}

// broadcastLimit keeps the other replicas from asking GitHub whether an installation is limited.
func (w *Worker) broadcastLimit(installation int64, until time.Time) {
	if err := w.queue.Broadcast(fmt.Appendf(nil, "limited %d %d", installation, until.UnixNano())); err != nil {
		w.log.Warn().Err(err).Int64("installation", installation).Msg("other replicas do not hear of a rate limit; GitHub tells them")
	}
}

// BroadcastSwept lets the other replicas forget what they held back in a repository: it is this one that has swept it last.
func (w *Worker) BroadcastSwept(repo issues.Repository) {
	if err := w.queue.Broadcast(fmt.Appendf(nil, "swept %s %s", repo.Owner, repo.Name)); err != nil {
		w.log.Warn().Err(err).Str("repo", repo.String()).Msg("other replicas do not hear that a repository was swept; they may report that issues are held back which are not")
	}
}

// broadcastOnboarding lets the other replicas say how far an onboarding is.
func (w *Worker) broadcastOnboarding(o OnboardingState) {
	word, err := json.Marshal(o)
	if err == nil {
		err = w.queue.Broadcast(append([]byte("onboarding "), word...))
	}
	if err != nil {
		w.log.Warn().Err(err).Int64("installation", o.Installation).Msg("other replicas do not hear how far an onboarding is; they do not show it")
	}
}

// OnBroadcast heeds what another replica tells.
func (w *Worker) OnBroadcast(word []byte) {
	var repo issues.Repository
	var moved issues.Ref
	var state string
	if n, err := fmt.Sscanf(string(word), "sent %d %d %s", &moved.ID, &moved.Number, &state); n == 3 && err == nil {
		w.recentMoves.add(moved, state, w.clock.Now())
		return
	}
	var installation, until int64
	if n, err := fmt.Sscanf(string(word), "limited %d %d", &installation, &until); n == 2 && err == nil {
		w.Limits.Set(installation, time.Unix(0, until))
		return
	}
	if lacking, ok := bytes.CutPrefix(word, []byte(wordUngranted+" ")); ok {
		if err := w.heedGrants(lacking); err != nil {
			w.log.Debug().Err(err).Msg("a replica of another version tells what installations do not grant")
		}
		return
	}
	if installed, ok := bytes.CutPrefix(word, []byte(wordInstalled+" ")); ok {
		if err := w.heedInstalled(installed); err != nil {
			w.log.Debug().Err(err).Msg("a replica of another version tells which installations there are")
		}
		return
	}
	if n, err := fmt.Sscanf(string(word), "swept %s %s", &repo.Owner, &repo.Name); n == 2 && err == nil {
		w.Sweeper.SweptElsewhere(repo)
		return
	}
	if state, is := bytes.CutPrefix(word, []byte("onboarding ")); is {
		var o OnboardingState
		if err := json.Unmarshal(state, &o); err == nil {
			w.onboardings.heed(o)
		}
		return
	}
	if n, err := fmt.Sscanf(string(word), "rules %d %s %s", &repo.Installation, &repo.Owner, &repo.Name); n != 3 || err != nil {
		w.log.Debug().Msg("a replica of another version tells something")
		return
	}
	w.Reconciler.Policies.Invalidate(repo)
	w.Reconciler.Labels.Forget(repo)
	w.Reconciler.PolicyChanged(repo)
}
