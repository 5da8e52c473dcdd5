package sweep

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/policy"
)

// One question tells what happened in many repositories: when an issue or a pull request changed last, and a branch; and which of the states
// that something besides the issue can move have open issues. A sweep by the timer ends there for a repository in which nothing happened.

// quietFor is how long a repository can be found quiet before a sweep lists all it has, in case GitHub's answer leaves something out. The
// repositories of an installation come to their turn in the second half of it, not all in one sweep.
const quietFor = 12 * time.Hour

// fullDue reports whether a sweep has to list all that a repository has.
func (k *record) fullDue(repo issues.Repository, now time.Time) bool {
	const turns = 36
	turn := time.Duration(repo.ID%turns) * (quietFor / 2 / turns)
	return k.UnderWay != nil || now.Sub(k.Full) >= quietFor-turn
}

// sweepQuiet ends the sweeps of the repositories in which nothing happened since the last one, and returns the others.
func (s *Sweeper) sweepQuiet(ctx context.Context, t *Task, list []issues.Repository) (rest []issues.Repository, err error) {
	if t.Progress.Kind != byTimer {
		return list, nil
	}
	now := s.Clock.Now()
	var asked []issues.Asked
	var labels [][]watched // of each that is asked about
	for _, repo := range list {
		known, err := s.history.read(ctx, keyOfRepository(repo.ID))
		if err != nil {
			return nil, err
		}
		last, there := s.Reconciler.Policies.Last(repo)
		if !there || last.Mode.Reads() && known.fullDue(repo, now) {
			rest = append(rest, repo)
			continue
		}
		all := s.watched(repo, last.Lifecycle)
		one := askAbout(repo, all)
		if known.Settled == nil || known.Settled.Checks == "" { // there is nothing to compare them with
			one.Checked = nil
		}
		asked, labels = append(asked, one), append(labels, all)
	}
	told, err := s.activities(ctx, asked)
	if err != nil {
		return nil, err
	}
	for n, one := range asked {
		quiet := false
		if told != nil {
			if quiet, err = s.endIfQuiet(ctx, t, one.Repository, labels[n], told[n], now); err != nil {
				return nil, err
			}
		}
		if !quiet {
			rest = append(rest, one.Repository)
		}
	}
	return rest, nil
}

// endIfQuiet ends the sweep of a repository if nothing happened there that a sweep would see: GitHub was asked about labels at a time.
func (s *Sweeper) endIfQuiet(ctx context.Context, t *Task, repo issues.Repository, labels []watched, told issues.Activity, at time.Time) (quiet bool, err error) {
	last, _ := s.Reconciler.Policies.Last(repo)
	s.Reconciler.Policies.Confirm(repo, told.Pushed.Add(sweepOverlap), at)
	found, err := s.Reconciler.Policies.Get(ctx, repo)
	if err != nil || found.Version() != last.Version() || len(found.InvalidFiles) > 0 {
		return false, err
	}
	if !found.Mode.Reads() {
		return true, nil
	}
	known, err := s.history.read(ctx, keyOfRepository(repo.ID))
	if err != nil || known.changed(told, found.Policy, horizon(s.Reconciler, at)) ||
		slices.Contains(known.toRead(labels, told, found.Version(), at), true) {
		return false, err
	}
	one := &Task{Request: t.Request, Progress: &Progress{Kind: t.Progress.Kind, Begun: at}, Asked: t.Asked}
	one.Repository = repo
	return true, s.endSweep(ctx, one, known)
}

// changed reports whether an issue changed that a sweep has not seen. A reflection can come due on any issue that changed within the horizon.
func (k *record) changed(told issues.Activity, found policy.Policy, horizon time.Time) bool {
	since := k.Until.Add(-sweepOverlap)
	if found.Lifecycle.Reflection != nil {
		since = horizon
	}
	return k.Until.IsZero() || !told.Changed.Before(since)
}

// activities asks by one question what happened in repositories of one installation, and by others about checks where they matter. The answer
// is nil if GitHub does not tell that by GraphQL, or not now.
func (s *Sweeper) activities(ctx context.Context, of []issues.Asked) ([]issues.Activity, error) {
	told, err := s.Reconciler.Store.Activities(ctx, of)
	if err != nil {
		return nil, s.without(ctx, "what happened", err)
	}
	return told, s.without(ctx, "what checks say", s.Reconciler.Store.SumChecks(ctx, of, told))
}

// without returns the error of a question if no list can be read instead of its answer; a sweep can do without the answer.
func (s *Sweeper) without(ctx context.Context, asked string, err error) error {
	limited := (*ratelimit.Error)(nil)
	if ctx.Err() != nil || errors.As(err, &limited) && limited.Budget != ratelimit.BudgetGraphQL {
		return err
	}
	if err != nil {
		s.Log.Debug().Err(err).Str("asked", asked).Msg("GitHub does not answer by GraphQL; the sweep reads the lists")
	}
	return nil
}
