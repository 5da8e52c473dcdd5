package reconcile

import (
	"sync"
	"time"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// seriesKept bounds the series of the verdicts: repositories bring lifecycles, and these name states.
const seriesKept = 2_000

// otherState represents what is no state of the lifecycle, and the states of the series that are too many.
const otherState = "other"

// verdictLabels are the labels of a series.
type verdictLabels struct{ mode, from, to, role, verdict string }

// verdictSeries are the series that exist. The zero value is ready. It is safe for concurrent use.
type verdictSeries struct {
	mu  sync.Mutex
	all map[verdictLabels]struct{}
}

// bounded returns the labels, without the states if there are too many series.
func (s *verdictSeries) bounded(l verdictLabels) verdictLabels {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, there := s.all[l]; there {
		return l
	}
	if len(s.all) >= seriesKept {
		l.from, l.to = otherState, otherState
		return l
	}
	if s.all == nil {
		s.all = map[verdictLabels]struct{}{}
	}
	s.all[l] = struct{}{}
	return l
}

// verdict counts what Colony does, or would have done.
func (m *Metrics) verdict(mode lifecycle.Mode, life *statemachine.Table, v Verdict) {
	l := m.series.bounded(verdictLabels{string(mode), stateLabel(life, v.From), stateLabel(life, v.To), string(v.By.Kind), string(v.Kind)})
	m.verdicts.WithLabelValues(l.mode, l.from, l.to, l.role, l.verdict).Inc()
}

// stateLabel is the name of a state, empty without a state, or otherState for a name that the lifecycle does not have.
func stateLabel(life *statemachine.Table, name string) string {
	if _, is := life.State(name); is || name == "" {
		return name
	}
	return otherState
}

// carriedOut measures how long someone waited for what a verdict comes to.
func (m *Metrics) carriedOut(v Verdict, now time.Time) {
	m.putRight.WithLabelValues(string(v.Kind)).Observe(max(0, now.Sub(v.At)).Seconds())
}
