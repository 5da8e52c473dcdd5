package bench

import (
	"context"
	"fmt"
	"time"
)

// watched is how long it is measured what a process costs when nothing happens.
const watched = 2 * time.Second

// start measures how long a subject takes to be ready, and what it costs when nothing happens.
func start(ctx context.Context, w *world, subject string, o Options) ([]Result, error) {
	var took []float64
	r := Result{Scenario: w.scenario, Subject: subject, Events: o.Rounds}
	for range o.Rounds - 1 {
		p, err := w.launch(ctx, subject, nil)
		if err != nil {
			return nil, err
		}
		took = append(took, milliseconds(p.start))
		if err := p.stop(); err != nil {
			return nil, err
		}
	}
	p, err := w.launch(ctx, subject, nil)
	if err != nil {
		return nil, err
	}
	took = append(took, milliseconds(p.start))
	idle, memory, err := w.idle(ctx, p, o.Rest)
	if err != nil {
		return nil, err
	}
	r.Done, r.Peak = o.Rounds, memory.peak
	r.Extra = map[string]float64{"ready_ms": median(took), "idle_cpu_ms_per_s": idle, "idle_memory_mb": memory.now}
	return []Result{r}, p.stop()
}

// megabytes are the memory of a process, now and at most.
type megabytes struct{ now, peak float64 }

// idle is what a process costs when nothing happens: processor time in milliseconds a second, and memory.
func (w *world) idle(ctx context.Context, p *process, rest time.Duration) (cpu float64, memory megabytes, err error) {
	if p.name == Colony {
		if err := wait(ctx, rest); err != nil {
			return 0, memory, err
		}
	}
	before, err := cpuOf(p.pid())
	if err != nil {
		return 0, memory, err
	}
	if err := wait(ctx, watched); err != nil {
		return 0, memory, err
	}
	after, err := cpuOf(p.pid())
	if err != nil {
		return 0, memory, err
	}
	memory, err = memoryNow(p)
	return milliseconds(after-before) / watched.Seconds(), memory, err
}

func memoryNow(p *process) (megabytes, error) {
	now, peak, err := memoryOf(p.pid())
	return megabytes{float64(now) / (1 << 20), float64(peak) / (1 << 20)}, err
}

func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return fmt.Errorf("wait: %w", ctx.Err())
	}
}
