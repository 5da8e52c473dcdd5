package ratelimit

import (
	"context"
	"slices"
	"time"
)

// Ledger is where the replicas of a server write which share of an installation's budgets each has: one page for each installation.
type Ledger interface {
	// Read returns the page of an installation and its revision, 0 without a page.
	Read(ctx context.Context, installation int64) (page []byte, revision uint64, err error)
	// Write replaces the page if it still has the revision, and reports whether it had.
	Write(ctx context.Context, installation int64, page []byte, revision uint64) (ok bool, err error)
	// Since returns the time from which no page was lost.
	Since(ctx context.Context) (time.Time, error)
}

// amounts are points of a minute, comments of a minute and comments of an hour.
type amounts [3]int

// amounts returns what all replicas together can use.
func (s Settings) amounts() amounts { return amounts{s.Points, s.ContentMinute, s.ContentHour} }

// windows are the times in which the amounts count.
var windows = [len(amounts{})]time.Duration{time.Minute, time.Minute, time.Hour}

const (
	leaseLasts = 30 * time.Second // from its write on
	// leaseMargin is for calls that have no answer when a lease ends, which take up to 20 s, and for clocks that differ by up to 10 s.
	leaseMargin = 30 * time.Second
)

// entry is a replica's share. The shares of a page never exceed the budget, and only a share that the replica has not used in the window goes to
// another: so all of them together keep to the budget in each window.
type entry struct {
	At     time.Time `json:"at"` // when it was written, by the replica's clock
	Shares amounts   `json:"shares"`
	Wants  amounts   `json:"wants"`
}

// page is the entries of an installation by replica.
type page map[string]entry

// lost is the entry of replicas whose entries were lost with the ledger. The comments of an hour are not in it: like a restart, that forgets them.
const lost = "lost"

// forget frees the shares of replicas that ended, once no window has their calls.
func (p page) forget(now time.Time) {
	for name, e := range p {
		for i, over := range windows {
			if now.Sub(e.At) >= leaseLasts+over+leaseMargin {
				e.Shares[i] = 0
			}
		}
		if p[name] = e; e.Shares == (amounts{}) && now.Sub(e.At) >= leaseLasts {
			delete(p, name)
		}
	}
}

// kept is the part of its fair share that a replica keeps free while it has used more, for the other requests here.
const kept = 15

// plan returns a replica's next entry, its fair shares, and how much more it could have in a moment. It keeps what it has used, and some of what it has.
func (p page) plan(name string, now time.Time, total, has, used, wants amounts) (mine entry, fair, growth amounts) {
	mine = entry{At: now, Wants: wants}
	for i := range total {
		left, all := total[i], []int{wants[i]}
		for other, e := range p {
			switch {
			case other == name:
				continue
			case now.Sub(e.At) >= leaseLasts: // it ended, or has nothing to do
				all = append(all, e.Shares[i])
			default:
				all = append(all, e.Wants[i])
			}
			left -= e.Shares[i]
		}
		fair[i] = min(wants[i], level(total[i], all))
		left = max(0, left)
		share := max(fair[i], used[i])
		if share > fair[i] {
			share = max(share, min(has[i], share+fair[i]/kept))
		}
		mine.Shares[i] = min(left, share)
		if more := max(left, fair[i]) - mine.Shares[i]; more >= len(all) { // not what is left of a division
			growth[i] = more
		}
	}
	return mine, fair, growth
}

// level returns how much each can have that wants more than the level: the others have what they want.
func level(total int, wants []int) int {
	slices.Sort(wants)
	left := total
	for i, want := range wants {
		if of := len(wants) - i; want*of >= left {
			return left / of
		}
		left -= want
	}
	return total
}
