package worker

import (
	"sync"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/reconcile"
)

// issueLocks lets one look at a time at each issue within this process, also where one is looked at for the sake of its repository. Its
// zero value is ready.
type issueLocks struct {
	mu     sync.Mutex
	issues map[issues.Ref]*held
}

// held is one issue that is looked at, or waited for by some.
type held struct {
	mu   sync.Mutex
	some int
}

// with runs a look at an issue once no other is under way.
func (b *issueLocks) with(ref issues.Ref, look func() (*reconcile.Result, error)) (*reconcile.Result, error) {
	b.mu.Lock()
	if b.issues == nil {
		b.issues = map[issues.Ref]*held{}
	}
	h := b.issues[ref]
	if h == nil {
		h = &held{}
		b.issues[ref] = h
	}
	h.some++
	b.mu.Unlock()
	defer func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		h.some--
		if h.some == 0 {
			delete(b.issues, ref)
		}
	}()
	h.mu.Lock()
	defer h.mu.Unlock()
	return look()
}
