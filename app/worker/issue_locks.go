package worker

import (
	"sync"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/reconcile"
)

// issueLocks lets this process reconcile each issue once at a time, also where it reconciles one for the sake of the repository. Its
// zero value is ready.
type issueLocks struct {
	mu     sync.Mutex
	issues map[issues.Ref]*held
}

type held struct {
	mu   sync.Mutex
	some int
}

// with reconciles an issue once no other reconciliation of it is under way.
func (b *issueLocks) with(ref issues.Ref, do func() (*reconcile.Result, error)) (*reconcile.Result, error) {
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
	return do()
}
