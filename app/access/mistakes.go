package access

import (
	"context"
	"net/netip"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"

	"github.com/colony-app/colony/bounded"
)

// addressesKept bounds how many callers' mistakes are remembered.
const addressesKept = 20_000

// Mistakes bounds how many wrong credentials each address can send. It is safe for concurrent use.
type Mistakes struct {
	atOnce    int
	every     time.Duration
	addresses *lru.Cache[netip.Prefix, *rate.Limiter]
}

// NewMistakes lets each address make some mistakes at a time, and one more after each interval.
func NewMistakes(atOnce int, every time.Duration) *Mistakes {
	return &Mistakes{atOnce, every, bounded.New[netip.Prefix, *rate.Limiter](addressesKept)}
}

// Begin counts an attempt of the context's caller as a mistake. Call right if it was none. A wait above 0 says that the address has to wait.
// Counting first bounds attempts that run at the same time.
func (m *Mistakes) Begin(ctx context.Context, now time.Time) (right func(), wait time.Duration) {
	from := addressOf(ctx)
	limiter, ok := m.addresses.Get(from)
	if !ok {
		limiter = rate.NewLimiter(rate.Every(m.every), m.atOnce)
		if before, there, _ := m.addresses.PeekOrAdd(from, limiter); there {
			limiter = before
		}
	}
	attempt := limiter.ReserveN(now, 1)
	if wait = attempt.DelayFrom(now); wait > 0 {
		attempt.CancelAt(now)
		return nil, max(time.Second, wait)
	}
	return func() { attempt.CancelAt(now) }, 0
}
