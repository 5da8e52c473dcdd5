package budget

import (
	"context"
	"fmt"
	"time"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/simulate"
)

// program measures what people notice of a program that reads all issues next to the server, with a bulk edit and moves of others in between.
func (m *measurement) program(ctx context.Context) error {
	if err := m.pass(ctx, hour); err != nil {
		return err
	}
	reads, over, began := &calls{world: m.world}, make(chan error, 1), m.clock.Now()
	go func() { over <- m.simulate(ctx, reads) }()
	if err := m.pass(ctx, pause/8); err != nil {
		return err
	}
	bulk, err := m.move(people[0], m.crowd.take(m.size.Bulk)...)
	if err != nil {
		return err
	}
	var others []*move
	for len(over) == 0 {
		one, err := m.strange(ctx)
		if err != nil {
			return err
		}
		others = append(others, one)
	}
	if err := <-over; err != nil {
		return err
	}
	took := m.clock.Since(began)
	if _, err := m.until(ctx, m.nothingLeft); err != nil {
		return err
	}
	_, p99 := ended(others)
	_, last := ended(bulk)
	m.refused += reads.refused
	m.add(
		Figure{
			What:  fmt.Sprintf("`colony simulate` of %d repositories next to the server, with such an edit and a move elsewhere every two seconds", m.size.Read),
			Value: took.Seconds(), Unit: seconds, Bound: atBest(reads.sent, latency), Why: fmt.Sprintf("%d reads, 900 points a minute", reads.sent),
		},
		Figure{What: "the same: the edit is done", Value: last, Unit: seconds, Bound: atBest(m.size.Bulk*pointsOfMove, rounds(m.size.Bulk)), Why: "as above, without others"},
		Figure{What: "the same: 99 of 100 moves elsewhere", Value: p99, Unit: seconds, Bound: rounds(1).Seconds(), Why: twoTurns},
	)
	return nil
}

// simulate reads all issues by calls of a program's own.
func (m *measurement) simulate(ctx context.Context, reads *calls) error {
	options := app.Options{Clock: m.clock, Transport: reads, Waits: func(time.Duration) {}}
	report, err := simulate.Run(ctx, m.config, options, simulate.Options{Since: 2 * old})
	if err != nil {
		return fmt.Errorf("colony simulate: %w", err)
	}
	if !report.Complete {
		return fmt.Errorf("colony simulate: %s", report.Stopped)
	}
	return nil
}
