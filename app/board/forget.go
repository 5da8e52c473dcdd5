package board

import (
	"maps"
	"slices"
	"time"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/statemachine"
)

// Forget forgets an issue that is no longer there; without a number a repository, and without that all of an installation.
func (x *Index) Forget(ref issues.Ref) {
	x.mu.Lock()
	defer x.mu.Unlock()
	switch {
	case ref.Owner == "":
		x.keepOnly(ref.Installation, nil)
	case ref.Number == 0:
		x.drop(issues.NameKey(ref.Owner, ref.Name))
	default:
		key := issues.NameKey(ref.Owner, ref.Name)
		r := x.repositories[key]
		if r == nil || r.issues[ref.Number] == nil {
			return
		}
		delete(r.issues, ref.Number)
		x.total--
		x.tell(key, ref.Number)
	}
}

// KeepOnly forgets the repositories of an installation but some.
func (x *Index) KeepOnly(installation int64, repositories []issues.Repository) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.keepOnly(installation, repositories)
}

func (x *Index) keepOnly(installation int64, repositories []issues.Repository) {
	for key, r := range x.repositories {
		if r.named.Installation == installation && !slices.ContainsFunc(repositories, func(repo issues.Repository) bool { return issues.NameKey(repo.Owner, repo.Name) == key }) {
			x.drop(key)
		}
	}
}

func (x *Index) drop(key string) {
	r := x.repositories[key]
	if r == nil {
		return
	}
	delete(x.repositories, key)
	if x.keys[r.named.ID] == key {
		delete(x.keys, r.named.ID)
	}
	x.total -= len(r.issues)
	x.tell(key, 0)
}

// Installations are those of whose repositories something is known.
func (x *Index) Installations() []int64 {
	x.mu.RLock()
	defer x.mu.RUnlock()
	found := map[int64]bool{}
	for _, r := range x.repositories {
		found[r.named.Installation] = true
	}
	return slices.Sorted(maps.Keys(found))
}

// Age forgets what was before the window: issues that ended, and the past of the issues that did not.
func (x *Index) Age() {
	start := x.clock.Now().Add(-x.window)
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, r := range x.repositories {
		for number, i := range r.issues {
			aged := i.aged(r.life, start)
			if !x.concerns(r, aged) {
				r.finish(i)
				delete(r.issues, number)
				x.total--
				continue
			}
			r.issues[number] = aged
		}
	}
}

// aged is the issue without what was before a time.
func (i *Issue) aged(life *statemachine.Table, start time.Time) *Issue {
	past := func(s stay) bool {
		if s.Left.IsZero() { // it is there still
			return (i.Closed || life != nil && life.IsEnd(s.State)) && s.Entered.Before(start)
		}
		return s.Left.Before(start)
	}
	before := func(r refusal) bool { return r.At.Before(start) }
	if !slices.ContainsFunc(i.stays, past) && !slices.ContainsFunc(i.refusals, before) {
		return i
	}
	aged := *i
	aged.stays = slices.DeleteFunc(slices.Clone(i.stays), past)
	aged.refusals = slices.DeleteFunc(slices.Clone(i.refusals), before)
	return &aged
}
