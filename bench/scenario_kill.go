package bench

import (
	"context"
	"time"

	"github.com/colony-app/colony/bench/hub"
)

// kill ends a subject in the middle of its work as a crash does, starts it again, and counts what was lost.
func kill(ctx context.Context, w *world, subject string, o Options) ([]Result, error) {
	t := trial{edit: move, events: 400, rounds: 1, wait: atMost, hub: hub.Options{Latency: 5 * time.Millisecond}}.with(o)
	first := w.hub.Open(t.events, 0, t.edit.labels...)
	p, err := w.launch(ctx, subject, nil)
	if err != nil {
		return nil, err
	}
	if err := w.settled(ctx, p); err != nil {
		return nil, err
	}
	w.hub.Behave(t.hub)
	w.hub.ResetStats()
	load, begun := newLoad(p, t), time.Now()
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		load.send(ctx, t.events, func(n int) hub.Delivery { return t.edit.act(w.hub, first+n) })
	}()
	w.hub.Until(ctx, func() bool { // in the middle
		return w.hub.Stats().Writes >= t.events/3
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
	r = r.with(w.hub.Stats())
	r.Extra = map[string]float64{"restart_ms": milliseconds(p.start)}
	w.judge(&r, t, first)
	return []Result{r}, p.stop()
}
