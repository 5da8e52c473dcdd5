package ratelimit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jonboulle/clockwork"
)

// Patiently makes a call, and again for as long as a rate limit refuses it. waits is called before each wait. An error that is no rate
// limit is returned as it is.
func Patiently(ctx context.Context, clock clockwork.Clock, call func() error, waits func(time.Duration)) error {
	for {
		err := call()
		limited := (*Error)(nil)
		if !errors.As(err, &limited) {
			return err
		}
		waits(limited.Wait)
		select {
		case <-clock.After(limited.Wait):
		case <-ctx.Done():
			return fmt.Errorf("wait for GitHub's rate limit: %w", ctx.Err())
		}
	}
}
