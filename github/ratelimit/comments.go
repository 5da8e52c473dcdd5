package ratelimit

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// content matches what creates content: comments. GitHub's page of that endpoint says that creating content with it too quickly might be limited
// (https://docs.github.com/rest/issues/comments#create-an-issue-comment). Its pages of labels and of reactions
// (https://docs.github.com/rest/reactions/reactions) do not: these notify no one and cost points only.
var content = regexp.MustCompile(`/repos/([^/]+/[^/]+)/issues/(\d+)/comments$`)

// comments counts the comments of an installation, one by one: a comment counts from when it is sent until a minute, and an hour, after its answer.
type comments struct {
	paces    []pace
	sent     int         // without an answer yet
	written  []time.Time // when the last ones were answered, the first of them first
	promised []promise   // comments that wait, in the order of their times
}

// pace is how many comments there can be in any time of a length.
type pace struct {
	most  int
	over  time.Duration
	share int // the part of most that this replica can use now
}

// promise is the time of a comment that waits. It goes before comments that no one has promised anything.
type promise struct {
	issue string
	at    time.Time
}

const (
	// promisesKept bounds the memory of an installation to some megabytes. Forgetting one is harmless: its comment waits for another.
	promisesKept = 20_000
	// promiseHolds is how long a promise holds for which no one came back.
	promiseHolds = 15 * time.Minute
)

func newComments(settings Settings) (c comments) {
	for i, most := range []int{settings.ContentMinute, settings.ContentHour} {
		if most > 0 {
			c.paces = append(c.paces, pace{most, windows[1+i], most})
		}
	}
	return c
}

// admit takes a comment on an issue out of the budget, unless it has to wait. Background work leaves half of the comments to people.
func (c *comments) admit(now time.Time, issue string, ours Budget) error {
	c.forget(now)
	if wait := c.next(now, 2, c.promised).Sub(now); ours == BudgetBackground && wait > 0 {
		return &Error{Wait: wait, Budget: BudgetBackground}
	}
	if wait := c.wait(now, issue); wait > 0 {
		return &Error{Wait: wait, Budget: BudgetContent}
	}
	c.sent++
	return nil
}

// wait returns how long a comment has to wait, and promises it the time after that. A second one on the same issue waits with it, because most
// likely it is the same.
func (c *comments) wait(now time.Time, issue string) time.Duration {
	if i := c.promiseOf(issue); i >= 0 {
		wait := max(later(c.promised[i].at, c.next(now, 1, nil)).Sub(now), c.lacks(now))
		if wait <= 0 {
			c.promised = slices.Delete(c.promised, i, i+1)
		}
		return wait
	}
	at := c.next(now, 1, c.promised)
	if at.After(now) {
		c.promised = append(c.promised, promise{issue, at})
	}
	return max(at.Sub(now), c.lacks(now))
}

// lacks returns how long a comment waits for a larger share, 0 if the share has room for it.
func (c *comments) lacks(now time.Time) (wait time.Duration) {
	for _, p := range c.paces {
		if c.within(now, p.over) >= p.share {
			wait = max(wait, p.over/60)
		}
	}
	return wait
}

// within returns how many comments count in a time up to now.
func (c *comments) within(now time.Time, over time.Duration) int {
	first := slices.IndexFunc(c.written, func(at time.Time) bool { return now.Sub(at) < over })
	if first < 0 {
		first = len(c.written)
	}
	return c.sent + len(c.written) - first
}

// next returns when one more comment keeps to a part of each pace, after what was promised. What no one came back for yet counts as of now.
func (c *comments) next(now time.Time, parts int, promised []promise) time.Time {
	at := now
	if n := len(promised); n > 0 {
		at = later(at, promised[n-1].at)
	}
	for _, p := range c.paces {
		first := len(c.written) + c.sent + len(promised) - max(1, p.most/parts) // the last that is too old to count together with it
		switch due := first - len(c.written) - c.sent; {
		case first < 0:
		case due >= 0:
			at = later(at, later(now, promised[due].at).Add(p.over))
		case first >= len(c.written):
			at = later(at, now.Add(p.over))
		default:
			at = later(at, c.written[first].Add(p.over))
		}
	}
	return at
}

// ended counts a comment from its answer on: GitHub has counted it by now.
func (c *comments) ended(now time.Time) {
	c.sent--
	c.written = append(c.written, now)
}

func (c *comments) forget(now time.Time) {
	for len(c.promised) > promisesKept || len(c.promised) > 0 && now.Sub(c.promised[0].at) >= promiseHolds {
		c.promised = c.promised[1:]
	}
	longest := time.Duration(0)
	for _, p := range c.paces {
		longest = max(longest, p.over)
	}
	c.written = c.written[len(c.written)+c.sent-c.within(now, longest):]
}

// until is when the last comment that waits can be written.
func (c *comments) until() (last time.Time) {
	if n := len(c.promised); n > 0 {
		last = c.promised[n-1].at
	}
	return last
}

// promiseOf returns the place of the promise for an issue; below 0 without one.
func (c *comments) promiseOf(issue string) int {
	return slices.IndexFunc(c.promised, func(p promise) bool { return p.issue == issue })
}

// issueOf names an issue in any case of its repository.
func issueOf(repository, number string) string { return strings.ToLower(repository) + "/" + number }

// CommentReserved reports whether a comment on an issue waits until the time that it was promised.
func (l *Limiter) CommentReserved(installation int64, repository string, issue int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := &l.budget(installation).comments
	i := c.promiseOf(issueOf(repository, strconv.Itoa(issue)))
	return i >= 0 && l.clock.Now().Before(c.promised[i].at)
}
