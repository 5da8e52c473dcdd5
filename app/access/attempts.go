package access

import (
	"context"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/colony-app/colony/bounded"
)

// callersKept bounds how many callers are remembered.
const callersKept = 20_000

// Attempts bounds how much each caller can try, such as credentials. It is safe for concurrent use.
type Attempts struct {
	every, atOnce time.Duration // atOnce is the time in which the whole budget refills
	callers       *lru.Cache[string, *attemptsOf]
}

// attemptsOf is the budget of one caller.
type attemptsOf struct {
	mu     sync.Mutex
	fullAt time.Time
}

// NewAttempts lets each caller make some attempts at a time, and one more after each interval.
func NewAttempts(atOnce int, every time.Duration) *Attempts {
	return &Attempts{every, time.Duration(atOnce) * every, bounded.New[string, *attemptsOf](callersKept)}
}

// Begin is BeginOf for the address of the context's caller.
func (a *Attempts) Begin(ctx context.Context, now time.Time) (right func(), wait time.Duration) {
	return a.BeginOf(addressOf(ctx).String(), now)
}

// BeginOf counts an attempt of a caller. Call right if it is not to count: what GitHub accepts is no mistake. A wait above 0 says that the
// caller has to wait. Counting first bounds attempts that run at the same time.
func (a *Attempts) BeginOf(caller string, now time.Time) (right func(), wait time.Duration) {
	of, ok := a.callers.Get(caller)
	if !ok {
		of = new(attemptsOf)
		if before, there, _ := a.callers.PeekOrAdd(caller, of); there {
			of = before
		}
	}
	of.mu.Lock()
	defer of.mu.Unlock()
	if of.fullAt.Before(now) {
		of.fullAt = now
	}
	if wait = of.fullAt.Add(a.every).Sub(now) - a.atOnce; wait > 0 {
		return nil, wait
	}
	of.fullAt = of.fullAt.Add(a.every)
	return func() {
		of.mu.Lock()
		defer of.mu.Unlock()
		of.fullAt = of.fullAt.Add(-a.every)
	}, 0
}
