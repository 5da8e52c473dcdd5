package ratelimit

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"sync"
	"time"
)

// replicas is how a limiter shares the budgets with the limiters of other replicas. Each has a share of an installation, which it uses without
// asking. Shares follow use: every sharePace, a limiter asks the ledger for more where it needs more, and returns what it does not need.
type replicas struct {
	ledger Ledger
	name   string     // of this one, in the ledger
	steps  sync.Mutex // held while the ledger is asked
	rests  time.Time  // until when the ledger is not asked, because it did not answer
	leaves bool
}

const (
	sharePace  = 500 * time.Millisecond
	renewAfter = leaseLasts / 3
	ledgerTime = 2 * time.Second // for one step
	// quietAfter is how long a replica keeps its share that does not use it.
	quietAfter = 10 * time.Second
	// conflicts is how often a step begins again whose page another replica has changed.
	conflicts = 5
)

// steps of the amounts: between one and two of them is what a replica has in reserve.
var reserve = amounts{120, 5, 10}

// lease is the share of an installation that this replica has.
type lease struct {
	until   time.Time // when it ends
	renews  time.Time
	asked   time.Time // when a request came last
	wants   amounts   // as the ledger has them
	changed bool      // another replica has written to the page
}

// ShareBy makes the limiter share its budgets with the others that have the same ledger. It is called before all else.
func (l *Limiter) ShareBy(ledger Ledger) {
	if l.settings.Points > 0 {
		l.replicas = &replicas{ledger: ledger, name: rand.Text()}
	}
}

// KeepShares keeps the shares in line with what is used until a context ends. It reports an error of the ledger when it begins.
func (l *Limiter) KeepShares(ctx context.Context, report func(error)) {
	if l.replicas == nil {
		return
	}
	ticker, failing := l.clock.NewTicker(sharePace), false
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.Chan():
			err := l.keepShares(ctx)
			if err != nil && !failing {
				report(err)
			}
			failing = err != nil
		}
	}
}

// LeaveShares gives back what this replica has not used, because it ends.
func (l *Limiter) LeaveShares(ctx context.Context) error {
	if l.replicas == nil {
		return nil
	}
	l.mu.Lock()
	l.replicas.leaves = true
	l.mu.Unlock()
	return l.keepShares(ctx)
}

// ShareChanged notes that another replica has written to the page of an installation.
func (l *Limiter) ShareChanged(installation int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if b := l.of[installation]; b != nil && b.lease != nil {
		b.lease.changed = true
	}
}

// keepShares asks the ledger about the installations in which a share has to change.
func (l *Limiter) keepShares(ctx context.Context) error {
	for _, installation := range l.due() {
		l.replicas.steps.Lock()
		err := l.step(ctx, installation)
		l.replicas.steps.Unlock()
		if err != nil {
			return err
		}
	}
	return nil
}

// due returns the installations in which the ledger has to know something.
func (l *Limiter) due() (installations []int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.clock.Now()
	for installation, b := range l.of {
		_, wants, uses := b.demand(now, l.settings.amounts(), l.replicas.leaves)
		if wants != b.lease.wants || uses && (b.lease.changed || !now.Before(b.lease.renews)) {
			installations = append(installations, installation)
		}
	}
	return installations
}

// needShare asks the ledger for a share of an installation, unless there is one.
func (l *Limiter) needShare(ctx context.Context, installation int64) {
	if l.hasShare(installation) {
		return
	}
	l.replicas.steps.Lock()
	defer l.replicas.steps.Unlock()
	if !l.hasShare(installation) {
		_ = l.step(ctx, installation) // the request finds no points; KeepShares reports why
	}
}

// hasShare reports whether this replica has a share, or cannot get one now.
func (l *Limiter) hasShare(installation int64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	b, now := l.budget(installation), l.clock.Now()
	b.lease.asked = now
	return now.Before(b.lease.until) || now.Before(l.replicas.rests)
}

// step brings the ledger and a share in line; the caller holds steps.
func (l *Limiter) step(ctx context.Context, installation int64) (err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), ledgerTime) // that a caller goes is no silence of the ledger
	defer cancel()
	for done, n := false, 0; !done && err == nil && n < conflicts; n++ {
		done, err = l.try(ctx, installation)
	}
	if err == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.replicas.rests = l.clock.Now().Add(ledgerTime)
	return fmt.Errorf("share the budget of installation %d with the other replicas: %w", installation, err)
}

// try makes one attempt at a step. What others can have once the page is written is given up before that, and what they can no longer have is
// used after it. So an answer that does not come does no harm.
func (l *Limiter) try(ctx context.Context, installation int64) (done bool, err error) {
	r, total := l.replicas, l.settings.amounts()
	p, revision, err := r.read(ctx, installation, total)
	if err != nil {
		return false, err
	}
	l.mu.Lock()
	b, now := l.budget(installation), l.clock.Now()
	b.lease.changed = false
	p.forget(now)
	used, wants, uses := b.demand(now, total, r.leaves)
	less := b.has()
	mine, fair, growth := p.plan(r.name, now, total, less, used, wants)
	for i := range less {
		less[i] = min(less[i], mine.Shares[i])
	}
	b.share(less, total)
	l.mu.Unlock()
	if p[r.name] = mine; mine.Shares == (amounts{}) && wants == (amounts{}) {
		delete(p, r.name)
	}
	text, err := json.Marshal(p)
	if err == nil {
		done, err = r.ledger.Write(ctx, installation, text, revision)
	}
	if !done || err != nil {
		return false, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	b.share(mine.Shares, growth)
	b.keepTo(fair)
	b.lease.wants, b.lease.until, b.lease.renews = wants, now.Add(leaseLasts), now.Add(renewAfter)
	if !uses {
		b.lease.until = now
	}
	return true, nil
}

// read returns the page of an installation. Without one, the page says what can have been lost.
func (r *replicas) read(ctx context.Context, installation int64, total amounts) (p page, revision uint64, err error) {
	text, revision, err := r.ledger.Read(ctx, installation)
	if err == nil && revision > 0 {
		err = json.Unmarshal(text, &p)
		return p, revision, err //nolint:wrapcheck // the caller names the attempt
	}
	var since time.Time
	if err == nil {
		since, err = r.ledger.Since(ctx)
	}
	return page{lost: {At: since, Shares: amounts{total[0], total[1]}}}, 0, err
}

// demand returns what this replica has used of an installation in the windows, what it wants, and whether it uses it at all.
func (b *budget) demand(now time.Time, total amounts, leaves bool) (used, wants amounts, uses bool) {
	b.points.forget(now)
	waiting := len(b.comments.promised)
	used = amounts{b.points.budget - b.points.free, b.comments.within(now, windows[1]), b.comments.within(now, windows[2])}
	crowded := false
	for _, until := range b.waits {
		crowded = crowded || now.Sub(until) < 2*sharePace
	}
	if leaves || used[0] == 0 && !crowded && now.Sub(b.lease.asked) >= quietAfter {
		return used, used, false
	}
	for i, n := range (amounts{used[0], used[1] + waiting, used[2] + waiting}) {
		wants[i] = min(total[i], (n/reserve[i]+2)*reserve[i])
	}
	if crowded {
		wants[0] = total[0]
	}
	return used, wants, true
}

// share makes amounts the share of this replica, which could grow.
func (b *budget) share(shares, growth amounts) {
	w := b.points
	w.free += shares[0] - w.budget
	w.budget, w.growth, w.beyond = shares[0], growth[0], 0
	for i := range b.comments.paces {
		p := &b.comments.paces[i]
		p.share, p.most = shares[1+i], shares[1+i]+growth[1+i]
	}
}

func (b *budget) has() amounts {
	has := amounts{b.points.budget}
	for i, p := range b.comments.paces {
		has[1+i] = p.share
	}
	return has
}

// keepTo makes this replica use no more than its fair share, as soon as points and comments come back that it has used beyond it.
func (b *budget) keepTo(fair amounts) {
	b.points.beyond = max(0, b.points.budget-fair[0])
	for i := range b.comments.paces {
		p := &b.comments.paces[i]
		p.share, p.most = min(p.share, fair[1+i]), max(1, p.most-max(0, p.share-fair[1+i]))
	}
}
