package bench

import (
	"context"
	"fmt"
	"time"

	"github.com/colony-app/colony/bench/hub"
)

// trial is one measurement of one subject.
type trial struct {
	scenario  string
	edit      edit
	events    int // in each round
	rounds    int
	perSecond int // 0: as fast as they are acknowledged
	warm      int // events before the measurement
	hub       hub.Options
	settings  func(config object)
	wait      time.Duration // for everything to be done
}

const (
	quietFor  = 150 * time.Millisecond
	quietUses = 4 * time.Millisecond // of the processors, in that time
	quietWait = 5 * time.Second      // at most
)

// measure runs a trial with a fresh subject.
func (w *world) measure(ctx context.Context, name string, t trial) (r Result, err error) {
	r = Result{Scenario: t.scenario, Subject: name, Events: t.events * t.rounds}
	w.hub.Behave(hub.Options{})
	first := w.hub.Open(t.warm+t.events*t.rounds, t.edit.labels...)
	p, err := w.launch(ctx, name, t.scenario, t.settings)
	if err != nil {
		return r, err
	}
	defer func() {
		if stopped := p.stop(); err == nil && stopped != nil {
			err = stopped
		}
	}()
	if err := w.quiet(ctx, p); err != nil {
		return r, err
	}
	newLoad(p, 0).send(ctx, t.warm, func(n int) hub.Delivery { return t.edit.act(w.hub, first+n) })
	w.await(ctx, p, t, first, t.warm)
	if err := w.quiet(ctx, p); err != nil {
		return r, err
	}
	if err := resetPeak(p.pid()); err != nil {
		return r, err
	}
	w.hub.Behave(t.hub)
	w.hub.ResetStats()
	var rounds rounds
	for n := range t.rounds {
		if err := w.round(ctx, p, t, first+t.warm+n*t.events, &rounds); err != nil {
			return r, err
		}
	}
	_, peak, err := memoryOf(p.pid())
	if err != nil {
		return r, err
	}
	rounds.into(&r)
	stats := w.hub.Stats()
	count := float64(r.Events)
	r.Calls, r.Writes, r.Unmodified = float64(stats.Calls)/count, float64(stats.Writes)/count, float64(stats.Unmodified)/count
	r.Bytes, r.InFlight, r.Peak = float64(stats.Bytes)/count, stats.InFlight, float64(peak)/(1<<20)
	w.judge(&r, t, first+t.warm)
	if unknown := w.hub.Unknown(); len(unknown) > 0 {
		return r, fmt.Errorf("%s: %s asks for what the hub does not have: %v", t.scenario, name, unknown)
	}
	return r, nil
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
	before, err := cpuOf(p.pid())
	if err != nil {
		return err
	}
	load := newLoad(p, t.perSecond)
	begun := time.Now()
	load.send(ctx, t.events, func(n int) hub.Delivery { return t.edit.act(w.hub, first+n) })
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

// works reports whether a subject does anything with what it receives.
func works(name string) bool { return name == Handler || name == Colony }

// await waits until every event of a range of issues is done, or the wait is over.
func (w *world) await(ctx context.Context, p *process, t trial, first, count int) {
	if !works(p.name) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, t.wait)
	defer cancel()
	next := 0 // all before it are done
	w.hub.Until(ctx, func() bool {
		for next < count && t.edit.judge(w.hub.Results(first+next, 1)[0]) == done {
			next++
		}
		return next == count
	})
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
	if !works(r.Subject) {
		r.Done = r.Events - r.Refused
		return
	}
	for _, i := range w.hub.Results(first, r.Events) {
		switch t.edit.judge(i) {
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
