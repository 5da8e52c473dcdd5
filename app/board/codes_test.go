package board

import (
	"context"
	"net/netip"
	"testing"
	"time"

	"github.com/colony-app/colony/app/access"
)

func at(i int) context.Context {
	return access.From(context.Background(), netip.AddrFrom4([4]byte{198, 18, byte(i >> 8), byte(i)}))
}

// GitHub takes 2,000 codes an hour. Strangers get at most four fifths, at however many addresses.
func TestWhatStrangersCanUseOfGitHubsLimit(t *testing.T) {
	t.Parallel()
	for addresses, most := range map[int]int{1: 820, 50: 1_350, 3_000: 1_600} {
		c, now, asked := newCodes(), time.Unix(1_000_000, 0), 0
		for range 400 { // an hour
			for i := range addresses {
				for wait := time.Duration(0); wait == 0; {
					if _, wait = c.begin(at(i), "", now); wait == 0 {
						asked++
					}
				}
			}
			now = now.Add(9 * time.Second)
		}
		if asked > most || asked < most*19/20 {
			t.Errorf("from %d addresses GitHub is asked about %d wrong codes in an hour, expected %d", addresses, asked, most)
		}
		right, wait := c.begin(at(0), "olivia", now)
		if wait > 0 {
			t.Fatalf("one who signed in before waits %v", wait)
		}
		right()
		if _, wait := c.begin(at(10_000), "", now); wait > 0 && addresses <= 50 {
			t.Errorf("with strangers at %d addresses, one who comes from elsewhere waits %v", addresses, wait)
		}
	}
}

// Right codes count in no budget, and a code that must not be sent uses none.
func TestRightCodesCountInNoBudget(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]func(c codes, now time.Time){
		"account": func(codes, time.Time) {},
		"shared":  func(c codes, now time.Time) { usedUp(t, c.account, "olivia", now) },
		"address": func(c codes, now time.Time) {
			usedUp(t, c.account, "olivia", now)
			usedUp(t, c.shared, "", now)
		},
	} {
		c, now := newCodes(), time.Unix(1_000_000, 0)
		before(c, now)
		for i := range 1_000 {
			right, wait := c.begin(at(0), "olivia", now)
			if wait > 0 {
				t.Fatalf("%s: right code %d waits %v", name, i, wait)
			}
			right()
		}
	}
	c, now := newCodes(), time.Unix(1_000_000, 0)
	usedUp(t, c.shared, "", now)
	usedUp(t, c.rest, "", now)
	for i := range 10 {
		if _, wait := c.begin(at(0), "", now); wait <= 0 || wait > 9*time.Second {
			t.Errorf("code %d waits %v", i, wait)
		}
	}
	for i := range 5 {
		if _, wait := c.address.Begin(at(0), now); wait > 0 {
			t.Errorf("codes that were not sent used %d of the address's budget", 5-i)
		}
	}
}

// usedUp uses up a budget.
func usedUp(t *testing.T, m *access.Attempts, of string, now time.Time) {
	t.Helper()
	for i := 0; ; i++ {
		if _, wait := m.BeginOf(of, now); wait > 0 {
			return
		}
		if i > 10_000 {
			t.Fatalf("the budget of %q has no end", of)
		}
	}
}
