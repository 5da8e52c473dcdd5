// Package budget measures what an organisation gets out of GitHub's limits: how long moves, sweeps and labels take at a simulated
// time, and what GitHub allows at best for comparison.
package budget

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/lifecycle"
)

// Figure is something that was measured.
type Figure struct {
	What  string  `json:"what"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
	// Bound is what GitHub's limits allow at best, and Why says how it is computed.
	Bound float64 `json:"bound"`
	Why   string  `json:"why"`
}

// Size is how large the organisation is, and how much it does.
type Size struct {
	Repositories, Issues int // issues of each repository
	Bulk                 int // moves at the same time
	Burst, PerMinute     int // moves at the same time, and then in each minute
	Minutes              int // for so long
	OptIn                int // observed repositories that opt in
	Read                 int // repositories that a program reads next to the server
}

// Organisation is the usual size.
var Organisation = Size{Repositories: 200, Issues: 20, Bulk: 160, Burst: 90, PerMinute: 40, Minutes: 10, OptIn: 20, Read: 40}

// people are those of the organisation. The first one makes bulk edits.
var people = []string{"olivia", "mona", "tara", "ada", "rita", "otto", "emil", "nora", "ines", "karl"}

const (
	// pointsOfMove are those of an allowed move: the issue, its log, and the old label that goes.
	pointsOfMove = 2 + ratelimit.PointsOfWrite
	turnsOfMove  = 2  // that its calls take: two reads at the same time, then a write
	atOnce       = 85 // calls of Colony at a time: queue.DefaultConcurrency
	seconds      = "s"
)

// measurement is what was measured so far.
type measurement struct {
	*world

	size    Size
	heard   func(Figure)
	figures []Figure
	labels  int // of the lifecycle
	refused int // calls
}

func newMeasurement(size Size, heard func(Figure)) (*measurement, error) {
	life, err := lifecycle.Shipped("colony") // the default
	if err != nil {
		return nil, fmt.Errorf("measure: %w", err)
	}
	return &measurement{size: size, heard: heard, labels: len(life.Labels())}, nil
}

// Run measures, and hands on each figure.
func Run(ctx context.Context, size Size, heard func(Figure)) (figures []Figure, err error) {
	m, err := newMeasurement(size, heard)
	if err != nil {
		return nil, err
	}
	for _, part := range [][]func(context.Context) error{
		{m.inUse, m.sweep, m.resting, m.bulk, m.stranger, m.burst, m.sustained},
		{m.onboarding},
		{m.optingIn},
	} {
		if err := m.in(ctx, part...); err != nil {
			return m.figures, fmt.Errorf("measure: %w", err)
		}
	}
	m.size.Repositories = m.size.Read
	if err := m.in(ctx, m.inUse, m.program); err != nil {
		return m.figures, fmt.Errorf("measure: %w", err)
	}
	m.add(Figure{What: "calls that GitHub refused, in all of it", Value: float64(m.refused), Unit: "calls", Why: "Colony counts what GitHub counts"})
	return m.figures, nil
}

// in measures in a new organisation.
func (m *measurement) in(ctx context.Context, part ...func(context.Context) error) (err error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // so what is ready at the same moment runs in an order that hardly differs
	if m.world, err = newWorld(m.size.Repositories, people); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.close()) }()
	for _, measure := range part {
		m.github.ResetCalls()
		if err := measure(ctx); err != nil {
			return err
		}
	}
	m.refused += m.calls.refused
	return nil
}

// sweepBegins lets the time pass until Colony sweeps by its timer.
func (m *measurement) sweepBegins(ctx context.Context) error {
	if err := m.pass(ctx, pause); err != nil {
		return err
	}
	m.github.ResetCalls()
	_, err := m.until(ctx, func() bool { return m.asked() > 0 })
	return err
}

// betweenSweeps lets the time pass until a sweep by the timer is over, and its points count no more.
func (m *measurement) betweenSweeps(ctx context.Context) error {
	if err := m.sweepBegins(ctx); err != nil {
		return err
	}
	if err := m.pass(ctx, pause); err != nil {
		return err
	}
	m.github.ResetCalls()
	return nil
}

// The times in which nothing happens: until a sweep is over and no point counts, and until no call of an hour does.
const (
	pause = 4 * time.Minute
	hour  = 61 * time.Minute
)

// pass lets time pass.
func (m *measurement) pass(ctx context.Context, d time.Duration) error {
	return m.clock.passTo(ctx, m.clock.Now().Add(d), nil)
}

func (m *measurement) add(figures ...Figure) {
	for _, f := range figures {
		m.figures = append(m.figures, f)
		m.heard(f)
	}
}

// patience is how long at most something is waited for.
const patience = 3 * time.Hour

// until lets the time pass until a condition holds, and returns how much that was.
func (m *measurement) until(ctx context.Context, holds func() bool) (time.Duration, error) {
	began := m.clock.Now()
	if err := m.clock.passTo(ctx, began.Add(patience), holds); err != nil {
		return 0, err
	}
	if !holds() {
		return 0, fmt.Errorf("it is not done after %s", patience)
	}
	return m.clock.Since(began), nil
}

// atBest is how long so many calls with so many points take at best: GitHub allows 900 points in any minute.
func atBest(points int, calls time.Duration) float64 {
	minutes := (points + ratelimit.GitHubPoints - 1) / ratelimit.GitHubPoints
	return (time.Duration(minutes-1)*time.Minute + calls).Seconds()
}

// ended tells how long moves took in the middle, and 99 of 100 at most.
func ended(moves []*move) (median, p99 float64) {
	took := make([]time.Duration, len(moves))
	for n, m := range moves {
		took[n] = m.took
	}
	return Quantile(took, 0.5).Seconds(), Quantile(took, 0.99).Seconds()
}

// Quantile is the time in which so large a part ended; 0 of nothing.
func Quantile(took []time.Duration, part float64) time.Duration {
	if len(took) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(took))
	return sorted[min(len(sorted)-1, int(part*float64(len(sorted))))]
}
