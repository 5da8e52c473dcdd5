package bench

import (
	"context"
	"time"
)

// kill ends a subject in the middle of its work as a crash does, starts it again, and counts what was lost.
func kill(ctx context.Context, w *world, subject string, o Options) ([]Result, error) {
	t := trial{edit: move, events: 400, rounds: 1, wait: atMost, weather: weather{latency: 5 * time.Millisecond}}.with(o)
	first, err := w.github.open(t.events, 0, t.edit.labels...)
	if err != nil {
		return nil, err
	}
	p, err := w.launch(ctx, subject, nil)
	if err != nil {
		return nil, err
	}
	if err := w.settled(ctx, p); err != nil {
		return nil, err
	}
	webhooks, err := w.github.acts(ctx, t.edit, first, t.events)
	if err != nil {
		return nil, err
	}
	w.github.behave(t.weather)
	w.github.resetStats()
	load, begun := newLoad(p, t), time.Now()
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		load.send(ctx, webhooks)
	}()
	w.github.until(ctx, func() bool { // in the middle
		return w.github.counted().writes >= t.events/3
	})
	if err := p.kill(); err != nil {
		return nil, err
	}
	<-sent
	if err := w.run(ctx, p); err != nil {
		return nil, err
	}
	w.await(ctx, p, t, first, t.events)
	r := Result{Scenario: w.scenario, Subject: subject, Events: t.events, Refused: load.refused, AllDone: time.Since(begun).Seconds()}
	r = r.with(w.github.counted())
	r.Extra = map[string]float64{"restart_ms": milliseconds(p.start)}
	w.judge(&r, t, first)
	return []Result{r}, p.stop()
}
