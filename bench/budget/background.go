package budget

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/colony-app/colony/github/ratelimit"
)

// old is how old the issues are: older than a sweep looks back.
const old = 30 * 24 * time.Hour

// onboarding measures how long it takes until the repositories of a new installation have their labels.
func (m *measurement) onboarding(ctx context.Context) error {
	if err := m.begins(ctx); err != nil {
		return err
	}
	took, err := m.until(ctx, m.labelled(m.names))
	m.addLabels(fmt.Sprintf("the App is installed on %d repositories that opt in: all labels are there", len(m.names)), len(m.names), took)
	return err
}

// optingIn measures the same for some of many observed repositories.
func (m *measurement) optingIn(ctx context.Context) error {
	if err := m.start(ctx); err != nil {
		return err
	}
	m.github.Install(appID, owner)
	if err := m.pass(ctx, hour); err != nil {
		return err
	}
	some := m.names[:m.size.OptIn]
	if err := m.optIn(some); err != nil {
		return err
	}
	took, err := m.until(ctx, m.labelled(some))
	m.addLabels(fmt.Sprintf("%d of %d observed repositories opt in: all labels are there", len(some), len(m.names)), len(some), took)
	return err
}

// addLabels adds how long labels took. A mutation makes all labels of a repository, once a read has shown which of them it has.
func (m *measurement) addLabels(what string, repositories int, took time.Duration) {
	points := repositories * (1 + ratelimit.PointsOfWrite)
	m.add(Figure{
		What: what, Value: took.Seconds(), Unit: seconds, Bound: atBest(points, 2*latency),
		Why: fmt.Sprintf("a read and a mutation each: %d points, 900 a minute", points),
	})
}

// begins starts Colony in repositories that opt in, and installs it.
func (m *measurement) begins(ctx context.Context) error {
	if err := m.optIn(m.names); err != nil {
		return err
	}
	if err := m.start(ctx); err != nil {
		return err
	}
	m.github.Install(appID, owner)
	return nil
}

// inUse makes an organisation in which Colony has been at work for an hour, on issues that were there before. It measures nothing.
func (m *measurement) inUse(ctx context.Context) error {
	if err := m.seed(m.size); err != nil {
		return err
	}
	m.clock.Advance(old)
	if err := m.begins(ctx); err != nil {
		return err
	}
	if _, err := m.until(ctx, m.labelled(m.names)); err != nil {
		return err
	}
	return m.pass(ctx, hour)
}

// labelled returns whether repositories have all labels of the lifecycle.
func (m *measurement) labelled(names []string) func() bool {
	left := slices.Clone(names)
	return func() bool {
		for len(left) > 0 && m.described(left[0]) >= m.labels {
			left = left[1:]
		}
		return len(left) == 0
	}
}

// described counts the labels of the lifecycle that a repository has.
func (m *measurement) described(name string) (n int) {
	var labels []struct{ Name, Description string }
	if err := m.act(people[0], http.MethodGet, name+"/labels?per_page=100", nil, &labels); err != nil {
		return 0 // it is asked again
	}
	for _, l := range labels {
		if strings.HasPrefix(l.Name, "colony:") && l.Description != "" {
			n++
		}
	}
	return n
}

// sweep measures what a sweep costs in which nothing happened.
func (m *measurement) sweep(ctx context.Context) error {
	return m.addSweep(ctx, fmt.Sprintf("a sweep of %d repositories in which nothing happened", len(m.names)))
}

// resting measures the same where issues wait for time or for other issues to move them.
func (m *measurement) resting(ctx context.Context) error {
	if err := m.betweenSweeps(ctx); err != nil {
		return err
	}
	waiting := len(m.names) - 1
	for n, i := range m.others.take(waiting) {
		if _, err := m.begin(people[n%len(people)], i); err != nil {
			return err
		}
	}
	if _, err := m.until(ctx, m.nothingLeft); err != nil {
		return err
	}
	for range 2 { // the first sees that they moved, the second what it wrote itself
		if err := m.betweenSweeps(ctx); err != nil {
			return err
		}
	}
	return m.addSweep(ctx, fmt.Sprintf("the same, with an issue in %d of them that time or another issue can move", waiting))
}

// addSweep adds what the next sweep by the timer costs.
func (m *measurement) addSweep(ctx context.Context, what string) error {
	if err := m.sweepBegins(ctx); err != nil {
		return err
	}
	if err := m.pass(ctx, pause); err != nil { // the next one begins later
		return err
	}
	pages, questions := (len(m.names)+99)/100, (len(m.names)+24)/25
	m.add(Figure{
		What: what, Value: float64(m.asked()), Unit: "calls",
		Bound: float64(pages + questions), Why: fmt.Sprintf("%d lists of 100 repositories, %d questions about 25", pages, questions),
	})
	return nil
}
