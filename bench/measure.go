package bench

import (
	"context"
	"fmt"
	"time"
)

// trial is one measurement of one subject.
type trial struct {
	edit      edit
	again     *edit // another edit of the same issues; nil: none
	events    int   // in each round
	rounds    int
	perSecond int // 0: as fast as they are acknowledged
	warm      int // events before the measurement
	copies    int // how often each webhook is sent; 0: once
	age       int // events in the log of each issue before
	weather   weather
	settings  func(config object)
	wait      time.Duration // for everything to be done
}

const (
	quietFor  = 150 * time.Millisecond
	quietUses = 4 * time.Millisecond // of the processors, in that time
	quietWait = 5 * time.Second      // at most
)

// measure runs a trial with a fresh subject. Of a trial with an edit that follows, the second result is that one's.
func (w *world) measure(ctx context.Context, name string, t trial) (results []Result, err error) {
	first, err := w.github.open(t.warm+t.events*t.rounds, t.age, t.edit.labels...)
	if err != nil {
		return nil, err
	}
	p, err := w.launch(ctx, name, t.settings)
	if err != nil {
		return nil, err
	}
	defer func() {
		if stopped := p.stop(); err == nil {
			err = stopped
		}
	}()
	if err := w.settled(ctx, p); err != nil {
		return nil, err
	}
	warm, err := w.github.acts(ctx, t.edit, first, t.warm)
	if err != nil {
		return nil, err
	}
	newLoad(p, t).send(ctx, warm)
	w.await(ctx, p, t, first, t.warm)
	if err := w.quiet(ctx, p); err != nil {
		return nil, err
	}
	w.github.behave(t.weather)
	r, err := w.rounds(ctx, p, t, first+t.warm)
	results = append(results, r)
	if err == nil && t.again != nil {
		t.edit = *t.again
		r, err = w.rounds(ctx, p, t, first+t.warm)
		results = append(results, r)
	}
	return results, err
}

// rounds runs the rounds of a trial on the issues from a number on.
func (w *world) rounds(ctx context.Context, p *process, t trial, first int) (Result, error) {
	r := Result{Scenario: w.scenario, Subject: p.name, Events: t.events * t.rounds}
	if err := resetPeak(p.pid()); err != nil {
		return r, err
	}
	w.github.resetStats()
	var all rounds
	for n := range t.rounds {
		if err := w.round(ctx, p, t, first+n*t.events, &all); err != nil {
			return r, err
		}
	}
	memory, err := memoryNow(p)
	if err != nil {
		return r, err
	}
	all.into(&r)
	r = r.with(w.github.counted())
	r.Peak = memory.peak
	w.judge(&r, t, first)
	return r, nil
}

// with is the result with what GitHub counted.
func (r Result) with(s stats) Result {
	each := float64(max(1, r.Events))
	r.Calls, r.Writes, r.Unmodified = float64(s.calls)/each, float64(s.writes)/each, float64(s.unmodified)/each
	r.Bytes, r.InFlight, r.Repeated = float64(s.bytes)/each, s.inFlight, s.repeated
	if s.limited > 0 {
		r.Extra = map[string]float64{"limits": float64(s.limited), "limited_s": s.limitedFor.Seconds()}
	}
	return r
}

// rounds are the figures of each round.
type rounds struct {
	cpu, p50, p99, acknowledged, done []float64
	refused                           int
}

func (all rounds) into(r *Result) {
	r.CPU, r.AckP50, r.AckP99 = median(all.cpu), median(all.p50), median(all.p99)
	r.AckAll, r.AllDone, r.Refused = median(all.acknowledged), median(all.done), all.refused
}

// round sends the events of one round, and waits until everything is done.
func (w *world) round(ctx context.Context, p *process, t trial, first int, into *rounds) error {
	webhooks, err := w.github.acts(ctx, t.edit, first, t.events)
	if err != nil {
		return err
	}
	before, err := cpuOf(p.pid())
	if err != nil {
		return err
	}
	load := newLoad(p, t)
	begun := time.Now()
	load.send(ctx, webhooks)
	acknowledged := time.Since(begun)
	w.await(ctx, p, t, first, t.events)
	done := time.Since(begun)
	if err := w.quiet(ctx, p); err != nil {
		return err
	}
	after, err := cpuOf(p.pid())
	if err != nil {
		return err
	}
	into.cpu = append(into.cpu, milliseconds(after-before)/float64(t.events))
	into.p50 = append(into.p50, milliseconds(load.quantile(0.5)))
	into.p99 = append(into.p99, milliseconds(load.quantile(0.99)))
	into.acknowledged, into.done = append(into.acknowledged, acknowledged.Seconds()), append(into.done, done.Seconds())
	into.refused += load.refused
	return nil
}

// await waits until every event of a range of issues is done, or the wait is over.
func (w *world) await(ctx context.Context, p *process, t trial, first, count int) {
	if p.name != Colony { // the others have done what they do when they acknowledge
		return
	}
	ctx, cancel := context.WithTimeout(ctx, t.wait)
	defer cancel()
	next := 0 // all before it are done
	w.github.until(ctx, func() bool {
		for next < count && t.edit.judge(w.github.outcome(first+next)) == done {
			next++
		}
		return next == count
	})
}

// settled waits until a process has done what it does at its start.
func (w *world) settled(ctx context.Context, p *process) error {
	if p.name == Colony {
		if err := p.swept(ctx); err != nil {
			return err
		}
	}
	return w.quiet(ctx, p)
}

// quiet waits until a process has hardly anything to do.
func (w *world) quiet(ctx context.Context, p *process) error {
	until := time.Now().Add(quietWait)
	for {
		before, err := cpuOf(p.pid())
		if err != nil {
			return err
		}
		select {
		case <-time.After(quietFor):
		case <-ctx.Done():
			return fmt.Errorf("wait for %s: %w", p.name, ctx.Err())
		}
		after, err := cpuOf(p.pid())
		if err != nil {
			return err
		}
		if after-before < quietUses || time.Now().After(until) {
			return nil
		}
	}
}

// judge counts what became of the events.
func (w *world) judge(r *Result, t trial, first int) {
	if r.Subject == Floor || r.Subject == Append {
		r.Done = r.Events - r.Refused
		return
	}
	judged := t.edit.judge
	if r.Subject == Handler && t.edit.bare != nil {
		judged = t.edit.bare
	}
	for n := range r.Events {
		i := w.github.outcome(first + n)
		is := judged(i)
		if is != done && r.Example == "" {
			r.Example = fmt.Sprintf("#%d: %+v", first+n, i)
		}
		switch is {
		case done:
			r.Done++
		case lost:
			r.Lost++
		case doubled:
			r.Doubled++
		case wrong:
			r.Wrong++
		}
	}
}
