// Package board is what Colony knows of all issues together, and the pages that show it. They show what waits for a person, the states of a
// repository's issues, what became of one of them, and how the work flows. It is a cache of what reconciliations and sweeps saw: deleting it
// loses nothing.
package board

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/advice"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/reconcile"
	"github.com/colony-app/colony/statemachine"
)

// Window is over how much of the past the flow is computed.
const Window = 4 * 7 * 24 * time.Hour

// kept bounds how many issues an Index keeps.
const kept = 20_000

// Index is what was last seen of each issue. It is safe for concurrent use.
type Index struct {
	web    string
	window time.Duration
	clock  clockwork.Clock
	most   int

	mu           sync.RWMutex
	repositories map[string]*repository // by lower-case owner/name
	keys         map[int64]string       // of them, by GitHub's number
	total        int
	listeners    map[*listener]struct{}
}

type repository struct {
	named  issues.Repository
	life   *statemachine.Table // nil: it is not known yet
	issues map[int]*Issue
	// done are the issues that no one would look for on the board, as of when they were changed last.
	done map[int]time.Time
	// doubted is when the issues had to be listed last because another replica knew otherwise.
	doubted time.Time
}

// doneKept bounds how many such issues of a repository are remembered.
const doneKept = 5_000

// finish remembers that no one would look for an issue.
func (r *repository) finish(i *Issue) {
	if len(r.done) >= doneKept {
		clear(r.done)
	}
	r.done[i.Ref.Number] = i.Updated
}

// NewIndex returns an index that knows nothing yet, of the GitHub whose pages are at an address.
func NewIndex(web string, window time.Duration, clock clockwork.Clock) *Index {
	return &Index{web: web, window: window, clock: clock, most: kept, repositories: map[string]*repository{}, keys: map[int64]string{}, listeners: map[*listener]struct{}{}}
}

// Observe takes note of what was seen of an issue, and returns what is kept of it.
func (x *Index) Observe(o reconcile.Observed) *Issue {
	now := x.clock.Now()
	seen := issueOf(o, x.web, now.Add(-x.window))
	seen.seen = now
	x.mu.Lock()
	defer x.mu.Unlock()
	r := x.at(seen.Ref.Repository)
	r.life = o.Settings.Lifecycle
	if before := r.issues[seen.Ref.Number]; before != nil {
		if before.isNewerThan(seen) {
			return before
		}
		seen.remember(before, o)
	}
	x.keep(r, seen)
	return seen
}

// at returns what is known of a repository, under the name that it has now.
func (x *Index) at(repo issues.Repository) *repository {
	key := issues.NameKey(repo.Owner, repo.Name)
	if before, known := x.keys[repo.ID]; known && before != key { // it was renamed or transferred
		x.drop(before)
	}
	if taken := x.repositories[key]; taken != nil && taken.named.ID != 0 && repo.ID != 0 && taken.named.ID != repo.ID { // another repository has its name now
		x.drop(key)
	}
	r := x.repositories[key]
	if r == nil {
		r = &repository{issues: map[int]*Issue{}, done: map[int]time.Time{}}
		x.repositories[key] = r
		for l := range x.listeners {
			wake(l.more)
		}
	}
	r.named = repo
	if repo.ID != 0 {
		x.keys[repo.ID] = key
	}
	return r
}

// keep puts an issue in the place of what was known of it, if anybody would look for it.
func (x *Index) keep(r *repository, i *Issue) {
	_, known := r.issues[i.Ref.Number]
	switch concerns := x.concerns(r, i); {
	case !concerns && !known:
		r.finish(i)
		return
	case !concerns:
		r.finish(i)
		delete(r.issues, i.Ref.Number)
		x.total--
	default:
		r.issues[i.Ref.Number] = i
		if !known {
			x.total++
			x.makeRoom()
		}
	}
	x.tell(issues.NameKey(r.named.Owner, r.named.Name), i.Ref.Number)
}

// Close takes note that an issue was closed, which leads to no observation, and returns what is kept of it. What its state asks of a person
// is over.
func (x *Index) Close(ref issues.Ref) (*Issue, bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	r := x.repositories[issues.NameKey(ref.Owner, ref.Name)]
	if r == nil || r.issues[ref.Number] == nil {
		return nil, false
	}
	closed := *r.issues[ref.Number]
	closed.Closed = true
	closed.needs = slices.DeleteFunc(slices.Clone(closed.needs), func(n Need) bool {
		return n.Kind != advice.NeedsRestart && n.Kind != advice.NeedsLook && n.Kind != advice.NeedsReflection
	})
	x.keep(r, &closed)
	return &closed, true
}

// concerns reports whether anybody would look for an issue on the board: work that did not end, or did within the window.
func (x *Index) concerns(r *repository, i *Issue) bool {
	if len(i.needs) > 0 || len(i.refusals) > 0 || i.unread != nil || r.life == nil {
		return true
	}
	state, known := r.life.State(i.State)
	if !known {
		return false
	}
	if i.Closed || state.Type == lifecycle.Terminal {
		return len(i.stays) > 0
	}
	return true
}

// makeRoom forgets a part of the issues if there are too many. It takes issues that wait for no one and that nothing happened to for the longest
// time. The issues that are in no state go first.
func (x *Index) makeRoom() {
	if x.total <= x.most {
		return
	}
	type entry struct {
		in *repository
		of *Issue
	}
	all := make([]entry, 0, x.total)
	for _, r := range x.repositories {
		for _, i := range r.issues {
			all = append(all, entry{r, i})
		}
	}
	slices.SortFunc(all, func(a, b entry) int {
		return cmp.Or(a.in.worth(a.of)-b.in.worth(b.of), a.of.Updated.Compare(b.of.Updated))
	})
	for _, e := range all[:x.total-x.most+x.most/20] {
		delete(e.in.issues, e.of.Ref.Number)
		x.total--
	}
}

// worth tells which issues to forget rather than others: the ones with the lower worth.
func (r *repository) worth(i *Issue) int {
	if len(i.needs) > 0 {
		return 2
	}
	if r.life == nil {
		return 1
	}
	state, _ := r.life.State(i.State)
	return boolean(state.Label != "")
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Repositories are the repositories that something is known about, by name.
func (x *Index) Repositories() []issues.Repository {
	x.mu.RLock()
	defer x.mu.RUnlock()
	all := make([]issues.Repository, 0, len(x.repositories))
	for _, key := range slices.Sorted(maps.Keys(x.repositories)) {
		all = append(all, x.repositories[key].named)
	}
	return all
}

// Waiting lists the issues of some repositories that wait for a person, those first that have waited the longest.
func (x *Index) Waiting(of []issues.Repository) []*Issue {
	type waiting struct {
		issue *Issue
		since time.Time
	}
	now := x.clock.Now()
	var all []waiting
	x.mu.RLock()
	for _, repo := range of {
		if r := x.repositories[issues.NameKey(repo.Owner, repo.Name)]; r != nil {
			for _, i := range r.issues {
				if since, ok := i.waits(now); ok {
					all = append(all, waiting{i, since})
				}
			}
		}
	}
	x.mu.RUnlock()
	slices.SortFunc(all, func(a, b waiting) int {
		if order := a.since.Compare(b.since); order != 0 {
			return order
		}
		return byName(a.issue, b.issue)
	})
	list := make([]*Issue, len(all))
	for n, w := range all {
		list[n] = w.issue
	}
	return list
}

func byName(a, b *Issue) int {
	return cmp.Or(cmp.Compare(issues.NameKey(a.Ref.Owner, a.Ref.Name), issues.NameKey(b.Ref.Owner, b.Ref.Name)), cmp.Compare(a.Ref.Number, b.Ref.Number))
}

// Issues lists what is known of a repository, the longest in its state first, and the lifecycle that it has; ok is false if nothing is known.
func (x *Index) Issues(owner, name string) (repo issues.Repository, life *statemachine.Table, all []*Issue, ok bool) {
	x.mu.RLock()
	r := x.repositories[issues.NameKey(owner, name)]
	if r == nil || r.life == nil {
		x.mu.RUnlock()
		return issues.Repository{}, nil, nil, false
	}
	repo, life, all = r.named, r.life, slices.Collect(maps.Values(r.issues))
	x.mu.RUnlock()
	slices.SortFunc(all, func(a, b *Issue) int {
		return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.Ref.Number, b.Ref.Number))
	})
	return repo, life, all, true
}

// Issue returns what is known of an issue.
func (x *Index) Issue(owner, name string, number int) (*Issue, *statemachine.Table, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	r := x.repositories[issues.NameKey(owner, name)]
	if r == nil || r.life == nil || r.issues[number] == nil {
		return nil, nil, false
	}
	return r.issues[number], r.life, true
}
