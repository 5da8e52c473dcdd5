package reconcile

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/metric"
	"github.com/colony-app/colony/statemachine"
)

// Metrics are the metrics of what Colony does. No label holds a repository, an issue, a login or a word that no one defined. Of the states that
// lifecycles name, the labels hold only so many, so that the number of series is bounded.
type Metrics struct {
	requestMetrics
	issueMetrics
	sweepMetrics

	causes []string // in addition to "other"
	series verdictSeries
}

type requestMetrics struct{ reconciliations, requeues, gone, unreads, alterations *prometheus.CounterVec }

type issueMetrics struct {
	refusals, commands, refusedWrites, verdicts *prometheus.CounterVec
	halts, orphans, takenIn, sent               prometheus.Counter
	putRight                                    *prometheus.HistogramVec
}

type sweepMetrics struct {
	sweeps, swept, heldBack prometheus.Counter
	foundWithin             prometheus.Histogram
}

func (m *Metrics) rows() []metric.Metric {
	return []metric.Metric{
		{Name: "colony_looks_total", Help: "Reconciliations (issue, repository or sweep step), by cause (an event of GitHub's, sweep, retry, labels or dispatch) and outcome: done, put_off (requeued), gone, given_up or failed (Colony tries again).", Labels: []string{"because", "outcome"}, Into: &m.reconciliations},
		{Name: "colony_put_offs_total", Help: "Reconciliations requeued, by reason: github (its rate limit), graphql (its limit for GraphQL), points or content (Colony's own budgets), background (what people leave of these), reserve (the last calls of the hour), share (readers ask too much), wait (for quiet, for GitHub's log, or for the next step of a sweep).", Labels: []string{"why"}, Into: &m.requeues},
		{Name: "colony_refusals_total", Help: "Label changes that Colony refused, by who made them.", Labels: []string{"by"}, Into: &m.refusals},
		{Name: "colony_commands_total", Help: "Commands, by verb (or unknown) and answer: accepted, refused or not_permitted.", Labels: []string{"verb", "answer"}, Into: &m.commands},
		{Name: "colony_breaker_trips_total", Help: "Issues on which Colony stopped, because it had to undo or move too much there.", Into: &m.halts},
		{Name: "colony_sweeps_total", Help: "Sweeps of a repository that ended.", Into: &m.sweeps},
		{Name: "colony_found_within_seconds", Help: "Seconds from the beginning of one sweep of a repository to the end of the next: within that time Colony found what no webhook reported.", Buckets: []float64{60, 300, 600, 700, 900, 1200, 1800, 3600, 7200, 21600, 86400}, Into: &m.foundWithin},
		{Name: "colony_sweep_issues_total", Help: "Issues that sweeps read because they had changed.", Into: &m.swept},
		{Name: "colony_refused_writes_total", Help: "Comments, reactions, links and assignments that GitHub refused for good; see /api/refused-writes.", Labels: []string{"write"}, Into: &m.refusedWrites},
		{Name: "colony_gone_total", Help: "Reconciliations dropped because the issue or repository is gone, by cause: deleted, moved, missing (or unreadable for the App), suspended or uninstalled.", Labels: []string{"cause"}, Into: &m.gone},
		{Name: "colony_sweep_held_back_total", Help: "Issues that sweeps left alone because of sweep.max_refusals.", Into: &m.heldBack},
		{Name: "colony_intakes_total", Help: "New issues that intake took in.", Into: &m.takenIn},
		{Name: "colony_dispatches_total", Help: "Issues that dispatch moved.", Into: &m.sent},
		{Name: "colony_facts_unread_total", Help: "Facts that GitHub did not let Colony read, perhaps for lack of a permission, and that moved nothing, by reading: edits, pull-requests, reviews, checks, dependencies, dependency-cycles or sub-issues.", Labels: []string{"reading"}, Into: &m.unreads},
		{Name: "colony_judging_start_altered_total", Help: "Repositories in which someone altered the time in the description of colony:forced, by how: ahead (in the future, so it counts as lost), moved, or lost.", Labels: []string{"how"}, Into: &m.alterations},
		{Name: "colony_verdicts_total", Help: "Verdicts of the audit line, each once a process, also of what Colony would have done where it does not enforce. A state is other if there are too many, or if no state has the label.", Labels: []string{"mode", "from", "to", "role", "verdict"}, Into: &m.verdicts},
		{Name: "colony_put_right_seconds", Help: "Seconds from an action, by GitHub's clock in whole seconds, until labels and comments were right, by verdict: finished, refused, command, command-refused or forced. Includes actions while Colony was down.", Labels: []string{"verdict"}, Buckets: []float64{1, 2, 5, 10, 30, 60, 300, 1800, 7200, 86400}, Into: &m.putRight},
		{Name: "colony_orphans_total", Help: "Issues that ended without the reflection that their lifecycle requires.", Into: &m.orphans},
	}
}

// ListMetrics lists the metrics of this package.
func ListMetrics() []metric.Metric { return new(Metrics).rows() }

// NewMetrics registers the metrics with r. The events are the names of the events that can cause a request.
func NewMetrics(r prometheus.Registerer, events []string) *Metrics {
	m := &Metrics{causes: append([]string{CauseSweep, CauseDispatch, CauseRetry, CauseLabels, CauseDashboard}, events...)}
	r.MustRegister(metric.Make(m.rows())...)
	return m
}

// Reconciled counts a reconciliation by its cause and what came of it.
func (m *Metrics) Reconciled(because, outcome string) {
	m.reconciliations.WithLabelValues(m.causeOf(because), outcome).Inc()
}

// Requeued counts a request that waits, by why.
func (m *Metrics) Requeued(why string) { m.requeues.WithLabelValues(why).Inc() }

func (m *Metrics) decided(d statemachine.Decision, mode lifecycle.Mode) {
	if !mode.Writes() {
		return
	}
	for _, r := range d.Explain {
		if r.Stood {
			continue // it is no refusal
		}
		m.refusals.WithLabelValues(string(r.By.Kind)).Inc()
	}
	if d.HaltUnsaid {
		m.halts.Inc()
	}
	if d.Automatic != nil && d.Automatic.TakesIn {
		m.takenIn.Inc()
	}
}

var answers = map[commands.Answer]string{
	commands.Accepted: "accepted", commands.Refused: "refused", commands.NotPermitted: "not_permitted",
}

func (m *Metrics) ran(life *statemachine.Table, invocations []commands.Invocation, answer commands.Answer) {
	for _, i := range invocations {
		m.commands.WithLabelValues(verbOf(life, i), answers[answer]).Inc()
	}
}

// Unread counts what GitHub did not let Colony read.
func (m *Metrics) Unread(readings ...lifecycle.Reading) {
	for _, r := range readings {
		m.unreads.WithLabelValues(string(r)).Inc()
	}
}

func (m *Metrics) refusedWrite(kind string) { m.refusedWrites.WithLabelValues(kind).Inc() }

// GoneFor counts a request about something that is gone, by cause.
func (m *Metrics) GoneFor(err error) { m.gone.WithLabelValues(issues.GoneCause(err)).Inc() }

// Dispatched counts an issue that was moved on because there was capacity.
func (m *Metrics) Dispatched() { m.sent.Inc() }

// SweptIssue counts an issue that a sweep came across because it had changed.
func (m *Metrics) SweptIssue() { m.swept.Inc() }

// EndedSweep counts a repository that was swept to the end, and the issues on which the sweep undid nothing because there were too many. Since is
// how long ago the sweep before it began; 0: there was none.
func (m *Metrics) EndedSweep(held int, since time.Duration) {
	m.sweeps.Inc()
	m.heldBack.Add(float64(held))
	if since > 0 {
		m.foundWithin.Observe(since.Seconds())
	}
}

// The causes of a request other than GitHub's events.
const (
	// CauseSweep is the cause of what a sweep asks for.
	CauseSweep = "sweep"
	// CauseDispatch is the cause of what asks for an issue that was moved, or could not be, when there was capacity.
	CauseDispatch = "dispatch"
	// CauseRetry is the cause of what asks for an issue on which GitHub refused something before.
	CauseRetry = "retry"
	// CauseLabels is the cause of what asks for the labels of a repository that are missing or look otherwise.
	CauseLabels = "labels"
	// CauseDashboard is the cause of what brings a dashboard up to date.
	CauseDashboard = "dashboard"
)

// causeOf leaves out the action of an event, and says "other" of an event that Colony does not subscribe to.
func (m *Metrics) causeOf(cause string) string {
	event, _, _ := strings.Cut(cause, ".")
	if slices.Contains(m.causes, event) {
		return event
	}
	return "other"
}

// seriesKept bounds the series of the verdicts: repositories bring lifecycles, and these name states.
const seriesKept = 2_000

// otherState represents what is no state of the lifecycle, and the states of the series that are too many.
const otherState = "other"

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
