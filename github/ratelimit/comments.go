package ratelimit

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"

	"github.com/colony-app/colony/bounded"
)

// content matches what creates content: comments. GitHub's page of that endpoint says that creating content with it too quickly might be limited
// (https://docs.github.com/rest/issues/comments#create-an-issue-comment). Its pages of labels and of reactions
// (https://docs.github.com/rest/reactions/reactions) do not: these notify no one and cost points only.
var content = regexp.MustCompile(`/repos/([^/]+/[^/]+)/issues/(\d+)/comments$`)

// comments is what is left of the comments that an installation is allowed to write.
type comments struct {
	of    []*rate.Limiter // a minute, and an hour: a comment takes from each
	until time.Time       // until when comments wait
	// reserved are the issues on which a comment waits, and the time from which it can be written: it is paid for. Forgetting one is harmless: then it
	// pays again.
	reserved *lru.Cache[string, time.Time]
}

// reservationsKept bounds the memory of an installation to some megabytes.
const reservationsKept = 20_000

// reservationHolds is how long after its time a comment can still be written for what it paid. So promises that no one came back for cannot be called
// in all at the same time.
const reservationHolds = 15 * time.Minute

func newComments(settings Settings) comments {
	c := comments{reserved: bounded.New[string, time.Time](reservationsKept)}
	for _, of := range []struct {
		budget int
		over   time.Duration
	}{{settings.ContentMinute, time.Minute}, {settings.ContentHour, time.Hour}} {
		if of.budget > 0 { // half of it immediately, and the rest evenly: no window has more
			burst := of.budget / 2
			c.of = append(c.of, rate.NewLimiter(rate.Limit(float64(burst)/of.over.Seconds()), burst))
		}
	}
	return c
}

// admit takes a comment on an issue out of the budget, unless it has to wait. Background work leaves to people half of the comments that can be
// written immediately.
func (c *comments) admit(now time.Time, repository, number string, ours Budget) error {
	if wait := c.untilHalf(now); ours == BudgetBackground && wait > 0 {
		return &Error{Wait: wait, Budget: BudgetBackground}
	}
	if wait := c.reserve(now, repository, number); wait > 0 {
		return &Error{Wait: wait, Budget: BudgetContent}
	}
	return nil
}

// reserve takes a comment on an issue out of the budget. If that is for later, it returns how long to wait, and the comment is paid
// for; a second one on the same issue waits with it, because most likely it is the same.
func (c *comments) reserve(now time.Time, repository, number string) time.Duration {
	key := commentKey(repository, number)
	if at, ok := c.reserved.Get(key); ok {
		if now.Before(at) {
			return at.Sub(now)
		}
		c.reserved.Remove(key)
		if now.Sub(at) < reservationHolds {
			return 0
		}
	}
	var wait time.Duration
	for _, l := range c.of {
		wait = max(wait, l.ReserveN(now, 1).DelayFrom(now))
	}
	if wait > 0 {
		c.until = later(c.until, now.Add(wait))
		c.reserved.Add(key, now.Add(wait))
	}
	return wait
}

// untilHalf returns how long it takes until more than half of the comments that can be written immediately are there, for people to find.
func (c *comments) untilHalf(now time.Time) (wait time.Duration) {
	for _, l := range c.of {
		if missing := 1 + float64(l.Burst())/2 - l.TokensAt(now); missing > 0 {
			wait = max(wait, time.Duration(math.Ceil(missing/float64(l.Limit())*1000))*time.Millisecond)
		}
	}
	return wait
}

func commentKey(repository, number string) string { return strings.ToLower(repository) + "/" + number }

// CommentReserved reports whether a comment on an issue waits until its reserved time.
func (l *Limiter) CommentReserved(installation int64, repository string, issue int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	at, ok := l.budget(installation).comments.reserved.Peek(commentKey(repository, strconv.Itoa(issue)))
	return ok && l.clock.Now().Before(at)
}
