package ratelimit

import (
	"context"
	"math"
	"time"
)

// Caller says for which installation a request is, and for whom.
type Caller struct {
	Installation int64
	Class        Class
	Repository   int64  // its id, for People
	Person       string // whose request it is, for People; empty: no one's
	// Waited says that the request has waited for points: then it goes before later ones of its repository or class.
	Waited bool
}

func (c Caller) flow() flow {
	if c.Class != People {
		return flow{class: c.Class}
	}
	return flow{c.Class, c.Repository, c.Person}
}

// Grant lets one request use points: the points that are held for it, so that what has read can write, and beyond them what is free. End gives back
// what is left.
type Grant struct {
	limiter *Limiter
	caller  Caller
	// The limiter's lock guards these.
	held, spent int
}

// Begin holds so many points for a request, or all that it can have. If they are not there, it returns how long to wait and no grant.
func (l *Limiter) Begin(caller Caller, needs int) (*Grant, time.Duration) {
	if l.replicas != nil {
		l.needShare(context.Background(), caller.Installation)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	g, b, now := &Grant{limiter: l, caller: caller}, l.budget(caller.Installation), l.clock.Now()
	if until := b.waits[caller.flow()]; !caller.Waited && now.Before(until) {
		return nil, until.Sub(now)
	}
	if wait := b.hour.wait(now); wait > 0 && caller.Class == People {
		b.waitsUntil(caller.flow(), now.Add(wait))
		return nil, wait
	}
	if wait := g.hold(b, now, needs); wait > 0 {
		return nil, wait
	}
	return g, 0
}

// hold holds so many points for what comes next; the caller holds the lock.
func (g *Grant) hold(b *budget, now time.Time, needs int) time.Duration {
	if b.points == nil {
		return 0
	}
	missing := b.points.atMost(needs, g.caller.Class) - g.held
	if missing <= 0 {
		return 0
	}
	if wait := b.wait(now, g.caller.flow(), missing); wait > 0 {
		return wait
	}
	b.points.take(now, g.caller.flow(), missing)
	b.points.held += missing
	g.held += missing
	return 0
}

// More holds so many points for the next part of the request of a context. If they are not there, it returns how long to wait.
func More(ctx context.Context, needs int) time.Duration {
	g, ok := grantOf(ctx)
	if !ok || g.limiter == nil {
		return 0
	}
	l := g.limiter
	l.mu.Lock()
	defer l.mu.Unlock()
	return g.hold(l.budget(g.caller.Installation), l.clock.Now(), needs)
}

// End gives back what was held and not used, and returns what the calls of the request cost.
func (g *Grant) End() (spent int) {
	l := g.limiter
	l.mu.Lock()
	defer l.mu.Unlock()
	if w := l.budget(g.caller.Installation).points; w != nil && g.held > 0 {
		w.giveBack(g.caller.flow(), g.held)
		w.held -= g.held
	}
	g.held = 0
	return g.spent
}

// pay takes the points of a call, first the points that are held for its request. A request of people that has begun can use all that is free:
// otherwise it would have to read again what it has read. If there are too few, pay returns how long to wait.
func (g *Grant) pay(b *budget, now time.Time, cost int) time.Duration {
	w, of := b.points, g.caller.flow()
	if w == nil {
		g.spent += cost
		return 0
	}
	if b.lease != nil && w.free < 0 { // the share ended while points of it were held
		b.waitsUntil(of, now.Add(looksAgain))
		return looksAgain
	}
	held := min(g.held, cost)
	if more := cost - held; more > 0 {
		most := times[of.class]
		if of.class == People && g.spent > 0 {
			most = math.Inf(1)
		}
		if wait := w.untilFree(now, of, more, most); wait > 0 {
			b.waitsUntil(of, now.Add(wait))
			return wait
		}
		w.take(now, of, more)
	}
	g.held -= held
	w.held -= held
	g.spent += cost
	return 0
}

type grantKey struct{}

// With counts the calls of a context for a grant.
func With(ctx context.Context, g *Grant) context.Context {
	return context.WithValue(ctx, grantKey{}, g)
}

// WithCaller counts the calls of a context for an installation; nothing is held for them. Calls without a caller are the App's own, which
// have no budget.
func WithCaller(ctx context.Context, caller Caller) context.Context {
	return With(ctx, &Grant{caller: caller})
}

func grantOf(ctx context.Context) (*Grant, bool) {
	g, ok := ctx.Value(grantKey{}).(*Grant)
	return g, ok
}

// InstallationOf returns for which installation the calls of a request count; 0: for no installation.
func InstallationOf(ctx context.Context) int64 {
	if g, ok := grantOf(ctx); ok {
		return g.caller.Installation
	}
	return 0
}
