package reconcile

import (
	"time"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/statemachine"
)

// rest is at which change of an issue there was nothing to do about it, so that not every sweep reads it again.
type rest struct {
	// version is that of the policy: an issue that is clean under one might not be under another.
	version string
	// updated is when GitHub had changed it last.
	updated time.Time
	// until is when it has to be reconciled although no one changed it; zero: never.
	until time.Time
	// due is when its state times out, or someone is to be reminded of that; zero: never.
	due time.Time
	// left tells the issue from one to which something happened since; nil: only reading it does.
	left *left
}

// checked is what of an issue there was nothing to do about.
type checked int

const (
	checkedAll checked = iota
	checkedReflection
)

// reflects notes that there is nothing to do about the reflection, and until when; zero means permanently.
func (q *inquiry) reflects(until time.Time) {
	q.memory.noteRest(checkedReflection, rest{version: policyVersion(q), updated: q.view.Updated, until: until})
}

func policyVersion(q *inquiry) string {
	version, _ := q.memories.versions.Get(q.view.Ref.ID)
	return version
}

// noteRest notes that there is nothing to do.
func (r *remembered) noteRest(what checked, at rest) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.rests == nil {
		r.rests = map[checked]rest{}
	}
	r.rests[what] = at
}

// IsClean reports whether an issue that GitHub last changed at a time was reconciled since, and need not be now. GitHub's times have whole
// seconds, so another change within the same second would go unnoticed here: see MayBeBlind.
func (r *Reconciler) IsClean(ref issues.Ref, updated, now time.Time) bool {
	return r.memories.rests(checkedAll, ref, updated, now)
}

// NextDue returns when time alone moves an issue that rests, or makes Colony remind someone; zero: never. Ask it of an
// issue that rests. It is not known if something can move it that changes nothing in its repository: an issue of another one, or what GitHub did not tell.
func (r *Reconciler) NextDue(ref issues.Ref) (at time.Time, known bool) {
	of, is := r.memories.rest(checkedAll, ref)
	return is.due, of != nil && !of.knows(note{kind: noteElsewhere})
}

// HasReflection reports whether there is nothing to do now about the reflection on the end of such an issue.
func (r *Reconciler) HasReflection(ref issues.Ref, updated, now time.Time) bool {
	return r.memories.rests(checkedReflection, ref, updated, now)
}

func (m *memory) rests(what checked, ref issues.Ref, updated, now time.Time) bool {
	of, at := m.rest(what, ref)
	return of != nil && !updated.After(at.updated) && (at.until.IsZero() || now.Before(at.until))
}

// rest returns what is known of an issue on which there was nothing to do, under the policy that is in force; nil if that is not known.
func (m *memory) rest(what checked, ref issues.Ref) (*remembered, rest) {
	of, there := m.of.Get(issueKey(ref))
	if !there {
		return nil, rest{}
	}
	version, _ := m.versions.Get(ref.ID)
	of.mu.Lock()
	defer of.mu.Unlock()
	at, noted := of.rests[what]
	if !noted || at.version != version {
		return nil, rest{}
	}
	return of, at
}

// restsUntil is until when an issue on which there was nothing to do rests while no one changes it. It does not rest at all where a change might not
// show yet, or its log hides what Colony wrote: then it hides also what that answered.
func (q *inquiry) restsUntil() time.Time {
	if movesUnchanged(q) || q.MayBeBlind() || q.memory.hides(q.view.Changes, q.read, hidesAtMost) {
		return q.read
	}
	return dueOf(q)
}

// movesUnchanged reports whether something other than the issue can move it, which no change of the issue tells.
func movesUnchanged(q *inquiry) bool {
	return !q.standing.Untouched() && len(statemachine.Outside(q.settings.Lifecycle, q.standing.State)) > 0 || len(q.standing.Pending) > 0
}

// dueOf is when an issue's state times out, or someone is to be reminded of that; zero: never.
func dueOf(q *inquiry) time.Time {
	at, _ := q.settings.Lifecycle.TimesOut(q.standing)
	if r, ok := q.reminderOf(q.standing); ok && !q.memory.knows(note{kind: noteReminded, id: r.begun}) {
		at = r.due
	}
	return at
}

// hidesAtMost is for how long GitHub's log can hide a write. One that changed nothing never shows.
const hidesAtMost = time.Hour

// MayBeBlind reports whether the issue changed a moment before it was read. Its log might be behind then, and what happens in the rest of that
// second does not change the time of the issue. The webhook that reports it might get lost.
func (c *Case) MayBeBlind() bool {
	return c.read.Sub(c.view.Updated) < c.blindFor()
}

// blindFor is how long ago the last change of an issue must be for all of its changes to show.
func (c *Case) blindFor() time.Duration {
	return max(c.settings.Thresholds.Lag, time.Second+statemachine.ClocksDiffer)
}
