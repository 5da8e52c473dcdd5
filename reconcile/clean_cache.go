package reconcile

import (
	"fmt"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/colony-app/colony/bounded"
	"github.com/colony-app/colony/github/issues"
)

// CleanCache remembers at which change of an issue there was nothing to do about it, so that not every sweep reads it again. It is
// bounded, and forgetting costs a reconciliation. It is safe for concurrent use.
type CleanCache struct {
	seen *lru.Cache[string, rest]
	// rules are the versions of the policies by which each repository was last judged: an issue that is clean under one may not be under another.
	versions *lru.Cache[int64, string]
}

// rest is what is remembered of one issue.
type rest struct {
	// updated is when GitHub had changed it last.
	updated time.Time
	// until is when it has to be reconciled although nobody changed it; zero: never.
	until time.Time
}

// doneKept bounds the memory to some megabytes.
const doneKept = 50_000

// newCleanCache returns an empty memory.
func newCleanCache() *CleanCache {
	return &CleanCache{seen: bounded.New[string, rest](doneKept), versions: bounded.New[int64, string](doneKept)}
}

// useVersion forgets what was done in a repository by other rules than these.
func (d *CleanCache) useVersion(repository int64, version string) {
	d.versions.Add(repository, version)
}

// add remembers that there was nothing to do, and until when; zero is for ever.
func (d *CleanCache) add(v issues.View, until time.Time) {
	d.seen.Add(d.key(v.Ref), rest{v.Updated, until})
}

// Has reports whether an issue that GitHub last changed at a time was reconciled since, and need not be now. GitHub's
// times have whole seconds, so another change within the same second would go unnoticed here: see mayBeBlind.
func (d *CleanCache) Has(ref issues.Ref, updated, now time.Time) bool {
	r, ok := d.seen.Get(d.key(ref))
	return ok && !updated.After(r.updated) && (r.until.IsZero() || now.Before(r.until))
}

// restsUntil is until when an issue on which there was nothing to do rests as long as nobody changes it: until its state times out, or
// somebody is to be reminded of that;
// not at all where something beside the issue can move it, which no change of the issue tells, or where a change may not show yet.
func (q *inquiry) restsUntil() time.Time {
	if len(q.settings.Lifecycle.ReadingsAt(q.standing, false))+len(q.standing.Pending) > 0 || q.mayBeBlind() {
		return q.read
	}
	at, _ := q.settings.Lifecycle.TimesOut(q.standing)
	if r, ok := q.reminderOf(q.standing); ok && !q.reminded.has(q.view.Ref, r.stay) {
		at = r.due
	}
	return at
}

// clocksDiffer bounds by how much the clock of GitHub may be ahead of or behind ours.
const clocksDiffer = 5 * time.Second

// mayBeBlind reports whether the issue changed a moment before it was read. Its log may be behind then, and what happens in
// the rest of that second does not change the time of the issue; the webhook that tells of it may get lost.
func (c Case) mayBeBlind() bool {
	return c.read.Sub(c.view.Updated) < max(c.settings.Thresholds.Lag, time.Second+clocksDiffer)
}

func (d *CleanCache) key(ref issues.Ref) string {
	version, _ := d.versions.Get(ref.ID)
	return version + "/" + issueKey(ref)
}

func issueKey(ref issues.Ref) string { return fmt.Sprintf("%d/%d", ref.ID, ref.Number) }
