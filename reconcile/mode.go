package reconcile

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/rs/zerolog"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/statemachine"
)

// What Colony finds in a repository in which it does not enforce, it says in the log and counts: what it would have done. No process says
// that twice.

// say logs and counts a verdict that was not said before.
func (rc *reconciliation) say(v Verdict) {
	if v.Ref = rc.view.Ref; !rc.memory.add(note{kind: noteSaid, name: v.Key()}) {
		return
	}
	rc.said = true
	rc.Metrics.verdict(rc.settings.Mode, rc.settings.Lifecycle, v)
	rc.log.Info().Str("mode", string(rc.settings.Mode)).Str("verdict", string(v.Kind)).Str("from", v.From).Str("to", v.To).Str("by", v.By.Login).Str("why", v.Reason).
		Msg("what Colony would do")
}

// followUnwritten checks the commands that wait where nothing is written. What is said once of a decision might hide what comes after it, so it is
// decided again.
func (rc *reconciliation) followUnwritten(ctx context.Context, d statemachine.Decision) (*Result, error) {
	result, err := rc.runCommands(ctx, d)
	switch {
	case err != nil || result != nil:
	case d.Wait.Why == statemachine.Held && rc.said:
		result = &Result{}
	case d.Wait.Why == statemachine.Late:
		result = rc.requeueForLag()
	}
	return result, err
}

// WithoutMark leaves out what asks for a person, or says that no person is needed, where Colony only warns.
func WithoutMark(mode lifecycle.Mode, writes []issues.Write) []issues.Write {
	if mode.Undoes() {
		return writes
	}
	var kept []issues.Write
	for _, w := range writes {
		if len(w.Add) > 0 {
			if w.Add = slices.DeleteFunc(slices.Clone(w.Add), isMark); len(w.Add) == 0 {
				continue
			}
		}
		if !isMark(w.Remove) {
			kept = append(kept, w)
		}
	}
	return kept
}

// modes remembers in which mode each repository is, as this process knows. The zero value is ready. It is safe for concurrent use.
type modes struct {
	mu sync.Mutex
	// of has each name that a repository had, by OWNER/NAME in lower case: what is under way might still use a former one.
	of map[string]modeOf
	// now has the repositories that are there, by GitHub's id.
	now map[int64]modeOf
}

type modeOf struct {
	mode       lifecycle.Mode
	repository issues.Repository
}

// note takes over the mode of a repository, and returns the one before; empty if it was not known.
func (m *modes) note(repo issues.Repository, mode lifecycle.Mode) (before lifecycle.Mode) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.of == nil {
		m.of, m.now = map[string]modeOf{}, map[int64]modeOf{}
	}
	name := issues.NameKey(repo.Owner, repo.Name)
	before = m.of[name].mode
	m.of[name] = modeOf{mode, repo}
	if repo.ID != 0 { // the one that speaks for an owner has none, until an event of its own
		m.now[repo.ID] = modeOf{mode, repo}
	}
	return before
}

// MayWrite reports whether Colony is allowed to write to a repository, as far as this process knows its mode. It is the last gate before GitHub.
// What comes before decides by the same policy, and asks for no write where there is to be none.
func (r *Reconciler) MayWrite(ctx context.Context, owner, name string) bool {
	r.modes.mu.Lock()
	mode := r.modes.of[issues.NameKey(owner, name)].mode
	r.modes.mu.Unlock()
	return mode.Writes() || issues.IsExempt(ctx)
}

// Has reports whether Colony works in a repository, by its name alone.
func (r *Reconciler) Has(repo issues.Repository) bool { return r.Selection.Has(repo.Owner, repo.Name) }

// Decided says which mode holds in a repository with a policy, who decided it, and how to have another one.
func (r *Reconciler) Decided(repo issues.Repository, found policy.Policy) policy.Decision {
	if !r.Has(repo) {
		return r.Selection.LeavesOut(repo.Owner, repo.Name)
	}
	return found.Decided(repo)
}

// Leave is called where the repositories of an installation are listed, for one in which Colony does not work: what it wrote there before
// is ended. It reads the labels once a process.
func (r *Reconciler) Leave(ctx context.Context, repo issues.Repository) error {
	r.Gone(issues.Ref{Repository: repo})
	return r.Labels.Leave(ctx, repo)
}

// KeepModes forgets the modes of repositories of all installations but some: Colony was uninstalled there.
func (r *Reconciler) KeepModes(installations []int64) {
	r.modes.mu.Lock()
	defer r.modes.mu.Unlock()
	maps.DeleteFunc(r.modes.of, func(_ string, of modeOf) bool { return !slices.Contains(installations, of.repository.Installation) })
	maps.DeleteFunc(r.modes.now, func(_ int64, of modeOf) bool { return !slices.Contains(installations, of.repository.Installation) })
}

// discount no longer counts a repository that is gone; all of an installation if ref names none.
func (r *Reconciler) discount(ref issues.Ref) {
	if ref.Number != 0 {
		return
	}
	r.modes.mu.Lock()
	defer r.modes.mu.Unlock()
	maps.DeleteFunc(r.modes.now, func(_ int64, of modeOf) bool {
		return of.repository.Installation == ref.Installation && (ref.Owner == "" || of.repository.Same(ref.Repository))
	})
}

// Modes counts the repositories in each mode, as far as this process knows.
func (r *Reconciler) Modes() map[lifecycle.Mode]int {
	r.modes.mu.Lock()
	defer r.modes.mu.Unlock()
	count := map[lifecycle.Mode]int{}
	for _, of := range r.modes.now {
		count[of.mode]++
	}
	return count
}

// NoteMode remembers the mode of a repository, and logs it where it changed: at debug where it was not known, as after each start. Nothing is written
// to one whose mode is not known.
func (r *Reconciler) NoteMode(repo issues.Repository, found policy.Effective) {
	if before := r.modes.note(repo, found.Mode); before != found.Mode {
		level := zerolog.InfoLevel
		if before == "" {
			level = zerolog.DebugLevel
		}
		r.Log.WithLevel(level).Str("repo", repo.String()).Str("mode", string(found.Mode)).Str("decided_by", found.ModeBy).Msg("the mode of a repository")
	}
}

// begin takes over what is in force for a repository: the time from which it is reconciled. Where nothing is written, that is when this process
// has first seen it so; what was written there before, while Colony enforced, is ended.
func (r *Reconciler) begin(ctx context.Context, repo issues.Repository, found policy.Effective, sure bool) (issues.Epoch, error) {
	r.NoteMode(repo, found)
	if !found.Mode.Writes() {
		return r.Labels.WatchedSince(ctx, repo, found.Fingerprint, sure)
	}
	return r.Labels.JudgedSince(ctx, repo, found.Fingerprint, found.Table, sure)
}
