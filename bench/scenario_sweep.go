package bench

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// untouched are how many issues there are that nobody touched for long.
var untouched = []int{1000, 10000}

// sweep measures the sweeps of a repository with settled issues: the one at the first start, and the one at the next.
func sweep(ctx context.Context, w *world, subject string, o Options) (results []Result, err error) {
	had := 0
	for _, count := range untouched {
		if o.Events > 0 {
			count = count * o.Events / untouched[0] // as many as were asked for, and ten times as many
		}
		if _, err := w.github.open(count-had, 0, planning); err != nil {
			return results, err
		}
		had = count
		of, err := w.sweeps(ctx, subject, o, count)
		results = append(results, of...)
		if err != nil {
			return results, err
		}
	}
	return results, nil
}

func (w *world) sweeps(ctx context.Context, subject string, o Options, count int) (results []Result, err error) {
	w.github.behave(weather{latency: o.Latency})
	w.github.resetStats()
	p, err := w.launch(ctx, subject, nil)
	if err != nil {
		return nil, err
	}
	defer func() {
		if stopped := p.stop(); err == nil {
			err = stopped
		}
	}()
	for n, name := range []string{"first start", "next start"} {
		if n > 0 {
			w.github.resetStats()
			if err := w.again(ctx, p); err != nil {
				return results, err
			}
		}
		if err := w.settled(ctx, p); err != nil {
			return results, err
		}
		now, err := cpuOf(p.pid())
		if err != nil {
			return results, err
		}
		memory, err := memoryNow(p)
		if err != nil {
			return results, err
		}
		r := Result{
			Scenario: w.scenario, Case: fmt.Sprintf("%d issues, %s", count, name), Subject: subject, Events: 1, Done: 1, CPU: milliseconds(now), Peak: memory.peak,
		}
		results = append(results, r.with(w.github.counted()))
	}
	return results, nil
}

// again stops a subject and starts it again, with what it kept.
func (w *world) again(ctx context.Context, p *process) error {
	if err := p.stop(); err != nil {
		return err
	}
	return w.run(ctx, p)
}

// swept waits until a Colony has swept its repository.
func (p *process) swept(ctx context.Context) error {
	until := time.Now().Add(atMost)
	for {
		n, err := p.metric(ctx, "colony_sweeps_total")
		if err != nil || n > 0 {
			return err
		}
		if time.Now().After(until) {
			return fmt.Errorf("%s has not swept in %s", p.name, atMost)
		}
		if err := wait(ctx, 20*time.Millisecond); err != nil {
			return err
		}
	}
}

// metric reads a metric without labels; 0 if it is not there.
func (p *process) metric(ctx context.Context, name string) (float64, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.address+"/metrics", http.NoBody)
	if err != nil {
		return 0, fmt.Errorf("read the metrics of %s: %w", p.name, err)
	}
	response, err := probe.Do(request)
	if err != nil {
		return 0, fmt.Errorf("read the metrics of %s: %w", p.name, err)
	}
	defer response.Body.Close()
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		if value, found := strings.CutPrefix(lines.Text(), name+" "); found {
			n, err := strconv.ParseFloat(value, 64)
			if err != nil {
				return 0, fmt.Errorf("read the metric %s: %w", name, err)
			}
			return n, nil
		}
	}
	if err := lines.Err(); err != nil {
		return 0, fmt.Errorf("read the metrics of %s: %w", p.name, err)
	}
	return 0, nil
}
