package app

import (
	"context"
	"fmt"
	"time"

	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/github/ratelimit"
)

// Patiently does something again for as long as GitHub limits the rate of calls, and says until when it waits.
func Patiently(ctx context.Context, clock clockwork.Clock, do func() error, notice func(line string)) error {
	return ratelimit.Patiently(ctx, clock, do, func(wait time.Duration) {
		until := clock.Now().Add(wait)
		notice(fmt.Sprintf("GitHub limits the rate of calls: it goes on at %s.", until.UTC().Format("15:04:05 MST")))
	})
}
