package client

import (
	"context"
	"fmt"
	"time"
)

// Hour is how many calls GitHub allows an installation in the hour that runs, and how many of them are left.
type Hour struct {
	Left, Limit int
	Ends        time.Time
}

// Hour reads what is left of an installation's hour: https://docs.github.com/rest/rate-limit/rate-limit.
func (c *Clients) Hour(ctx context.Context, installation int64) (Hour, error) {
	client, err := c.NewInstallationClient(installation)
	if err != nil {
		return Hour{}, err
	}
	limits, _, err := client.RateLimit.Get(ctx)
	if err != nil {
		return Hour{}, fmt.Errorf("read what is left of installation %d's hour: %w", installation, err)
	}
	return Hour{limits.GetCore().Remaining, limits.GetCore().Limit, limits.GetCore().Reset.Time}, nil
}
