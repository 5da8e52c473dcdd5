package budget

import (
	"context"
	"fmt"
	"time"

	"github.com/colony-app/colony/github/ratelimit"
)

// move lets a person move issues, and returns the moves.
func (m *measurement) move(person string, all ...issue) (moves []*move, err error) {
	for _, i := range all {
		one, err := m.begin(person, i)
		if err != nil {
			return nil, err
		}
		moves = append(moves, one)
	}
	return moves, nil
}

func (m *measurement) nothingLeft() bool { return m.calls.left() == 0 }

// bulk measures how long a bulk edit of one person in one repository takes.
func (m *measurement) bulk(ctx context.Context) error {
	if err := m.betweenSweeps(ctx); err != nil {
		return err
	}
	if _, err := m.move(people[0], m.crowd.take(m.size.Bulk)...); err != nil {
		return err
	}
	took, err := m.until(ctx, m.nothingLeft)
	m.add(Figure{
		What: fmt.Sprintf("%d allowed moves at the same time in one repository: all done", m.size.Bulk), Value: took.Seconds(), Unit: seconds,
		Bound: atBest(m.size.Bulk*pointsOfMove, rounds(m.size.Bulk)), Why: fmt.Sprintf("%d moves of %d points are %d points, 900 a minute", m.size.Bulk, pointsOfMove, m.size.Bulk*pointsOfMove),
	})
	return err
}

// rounds is how long the calls of moves take that begin at the same time.
func rounds(moves int) time.Duration {
	return time.Duration((moves+atOnce-1)/atOnce) * turnsOfMove * latency
}

// stranger measures how long moves of others in other repositories take in between.
func (m *measurement) stranger(ctx context.Context) error {
	if err := m.betweenSweeps(ctx); err != nil {
		return err
	}
	if _, err := m.move(people[0], m.crowd.take(m.size.Bulk)...); err != nil {
		return err
	}
	var others []*move
	for !m.nothingLeft() {
		one, err := m.strange(ctx)
		if err != nil {
			return err
		}
		others = append(others, one)
	}
	const what = "an allowed move in another repository during such an edit, one every two seconds"
	median, p99 := ended(others)
	m.add(
		Figure{What: what + ": median", Value: median, Unit: seconds, Bound: rounds(1).Seconds(), Why: twoTurns},
		Figure{What: "the same: 99 of 100", Value: p99, Unit: seconds, Bound: rounds(1).Seconds(), Why: twoTurns},
	)
	return nil
}

const twoTurns = "two reads at the same time and a write, of 50 ms each"

// strange lets a person move an issue of another repository, and two seconds pass.
func (m *measurement) strange(ctx context.Context) (*move, error) {
	one, err := m.begin(people[1], m.others.take(1)[0])
	if err != nil {
		return nil, err
	}
	return one, m.pass(ctx, 2*time.Second)
}

// sustained measures how many moves an organisation gets in a minute that asks for more.
func (m *measurement) sustained(ctx context.Context) error {
	const asked = 150 // a minute
	if err := m.pass(ctx, hour); err != nil {
		return err
	}
	var begun []*move
	half := m.clock.Now().Add(time.Duration(m.size.Minutes) * time.Minute / 2)
	for n := range asked * m.size.Minutes {
		one, err := m.move(people[n%len(people)], m.others.take(1)...)
		if err == nil {
			err = m.pass(ctx, time.Minute/asked)
		}
		if err != nil {
			return err
		}
		begun = append(begun, one...)
	}
	done := 0
	for _, one := range begun {
		if one.took > 0 && one.began.Add(one.took).After(half) {
			done++
		}
	}
	each := float64(ratelimit.GitHubPoints) / pointsOfMove
	m.add(Figure{
		What:  fmt.Sprintf("allowed moves, where %d persons ask for %d a minute", len(people), asked),
		Value: 2 * float64(done) / float64(m.size.Minutes), Unit: "a minute", Bound: each, Why: fmt.Sprintf("900 points a minute, %d each", pointsOfMove),
	})
	_, err := m.until(ctx, m.nothingLeft)
	return err
}

// burst measures how long the moves of a person wait who goes on after many at the same time.
func (m *measurement) burst(ctx context.Context) error {
	if err := m.betweenSweeps(ctx); err != nil {
		return err
	}
	began, drained := m.clock.Now(), time.Duration(0)
	if _, err := m.move(people[0], m.crowd.take(m.size.Burst)...); err != nil {
		return err
	}
	var later []*move
	for range m.size.PerMinute * m.size.Minutes {
		next := m.clock.Now().Add(time.Minute / time.Duration(m.size.PerMinute))
		if drained == 0 {
			if err := m.clock.passTo(ctx, next, m.nothingLeft); err != nil {
				return err
			}
			if m.nothingLeft() {
				drained = m.clock.Since(began)
			}
		}
		if err := m.clock.passTo(ctx, next, nil); err != nil {
			return err
		}
		one, err := m.move(people[0], m.crowd.take(1)...)
		if err != nil {
			return err
		}
		if drained > 0 {
			later = append(later, one...)
		}
	}
	if _, err := m.until(ctx, m.nothingLeft); err != nil {
		return err
	}
	if len(later) == 0 {
		return fmt.Errorf("the moves of a burst wait for longer than %d minutes", m.size.Minutes)
	}
	median, _ := ended(later)
	m.add(
		Figure{
			What: fmt.Sprintf("%d moves at the same time and then %d a minute of one person: nothing waits after", m.size.Burst, m.size.PerMinute), Value: drained.Seconds(), Unit: seconds,
			Bound: atBest(m.size.Burst*pointsOfMove, rounds(m.size.Burst)), Why: fmt.Sprintf("%d points, 900 a minute", m.size.Burst*pointsOfMove),
		},
		Figure{What: "the same: the median of the later moves", Value: median, Unit: seconds, Bound: rounds(1).Seconds(), Why: twoTurns},
	)
	return nil
}
