package board

import (
	"context"
	"time"

	"github.com/colony-app/colony/app/access"
)

// codes bounds how many wrong codes Colony sends to GitHub, which takes 2,000 an hour from one App, right ones included
// (https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits). Anyone can begin to sign in,
// so a sealed state is no proof. An account is: it has a budget of its own, at each address. All others share a budget. When it is used up, each
// address has a small one. In an hour, both cost at most 1,600 calls.
type codes struct{ account, shared, address, rest *access.Attempts }

func newCodes() codes {
	return codes{
		account: access.NewAttempts(5, 10*time.Minute),
		shared:  access.NewAttempts(400, 9*time.Second),
		address: access.NewAttempts(5, 10*time.Minute),
		rest:    access.NewAttempts(400, 9*time.Second),
	}
}

// begin counts a code as wrong. Call right if GitHub takes it. A wait above 0 says that Colony must not send the code. Login is the account
// that signed in with this browser before; empty if none did.
func (c codes) begin(ctx context.Context, login string, now time.Time) (right func(), wait time.Duration) {
	if login != "" {
		if right, wait = c.account.BeginOf(login, now); wait == 0 {
			return right, 0
		}
	}
	if right, wait = c.shared.BeginOf("", now); wait == 0 {
		return right, 0
	}
	here, waitHere := c.address.Begin(ctx, now)
	if waitHere > 0 {
		return nil, wait
	}
	rest, waitRest := c.rest.BeginOf("", now)
	if waitRest > 0 {
		here()
		return nil, wait
	}
	return func() { here(); rest() }, 0
}
