package access

import (
	"context"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/colony-app/colony/bounded"
)

// callersKept bounds how many callers' mistakes are remembered.
const callersKept = 20_000

// Mistakes bounds how many wrong credentials each caller can send. It is safe for concurrent use.
type Mistakes struct {
	every, atOnce time.Duration // atOnce is the time in which the whole budget refills
	callers       *lru.Cache[string, *mistakesOf]
}

// mistakesOf is the budget of one caller.
type mistakesOf struct {
	mu     sync.Mutex
	fullAt time.Time
}

// NewMistakes lets each caller make some mistakes at a time, and one more after each interval.
func NewMistakes(atOnce int, every time.Duration) *Mistakes {
	return &Mistakes{every, time.Duration(atOnce) * every, bounded.New[string, *mistakesOf](callersKept)}
}

// Begin is BeginOf for the address of the context's caller.
func (m *Mistakes) Begin(ctx context.Context, now time.Time) (right func(), wait time.Duration) {
	return m.BeginOf(addressOf(ctx).String(), now)
}

// BeginOf counts an attempt of a caller as a mistake. Call right if it was none. A wait above 0 says that the caller has to wait.
// Counting first bounds attempts that run at the same time.
func (m *Mistakes) BeginOf(caller string, now time.Time) (right func(), wait time.Duration) {
	of, ok := m.callers.Get(caller)
	if !ok {
		of = new(mistakesOf)
		if before, there, _ := m.callers.PeekOrAdd(caller, of); there {
			of = before
		}
	}
	of.mu.Lock()
	defer of.mu.Unlock()
	if of.fullAt.Before(now) {
		of.fullAt = now
	}
	if wait = of.fullAt.Add(m.every).Sub(now) - m.atOnce; wait > 0 {
		return nil, wait
	}
	of.fullAt = of.fullAt.Add(m.every)
	return func() {
		of.mu.Lock()
		defer of.mu.Unlock()
		of.fullAt = of.fullAt.Add(-m.every)
	}, 0
}
