package app

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app/queue"
	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/handlers"
	"github.com/colony-app/colony/statemachine"
)

// Measured are the metrics of what Colony does. No label holds what other people name: repositories, issues, logins and
// unknown words are never in one, so that the number of series is bounded.
type Measured struct {
	looks, putOffs, refusals, commands *prometheus.CounterVec
	halts, sweeps, swept               prometheus.Counter
	heldBack, orphans                  prometheus.Counter
	takenIn, sent                      prometheus.Counter
}

// newMeasured registers the metrics with r.
func newMeasured(r prometheus.Registerer) *Measured {
	one := func(name, help string) prometheus.Counter {
		c := prometheus.NewCounter(prometheus.CounterOpts{Namespace: "colony", Name: name, Help: help})
		r.MustRegister(c)
		return c
	}
	many := func(name, help string, labels ...string) *prometheus.CounterVec {
		c := prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "colony", Name: name, Help: help}, labels)
		r.MustRegister(c)
		return c
	}
	return &Measured{
		looks:    many("looks_total", "Looks, by what asked for them (an event of GitHub's, sweep, or dispatch: that there may be room) and what came of them: done, put_off, gone, given_up or failed (and tried again).", "because", "outcome"),
		putOffs:  many("put_offs_total", "Looks that were put off, by why: github (its rate limit), graphql (its limit of questions by GraphQL), points or content (Colony's own budgets), reserve (a sweep, for the last calls of the hour), wait (for the issue to be quiet, for GitHub to show what it told, or for the next part of a sweep).", "why"),
		refusals: many("refusals_total", "Label changes that were undone and explained, by whose they were.", "by"),
		commands: many("commands_total", "Commands that were run, by verb (unknown for one that does not exist) and by the answer to their comment: accepted, refused or not_permitted.", "verb", "answer"),
		halts:    one("breaker_trips_total", "Issues on which Colony stopped reverting, and said so."),
		sweeps:   one("sweeps_total", "Repositories swept to the end."),
		swept:    one("sweep_issues_total", "Issues that sweeps came across because they had changed."),
		heldBack: one("sweep_held_back_total", "Issues that sweeps left alone because there were too many at once to undo something on (sweep.brake)."),
		takenIn:  one("intakes_total", "New issues that Colony took into a lifecycle by itself (intake)."),
		sent:     one("dispatches_total", "Issues that Colony moved on because there was room for them (dispatch)."),
		orphans:  one("orphans_total", "Issues that ended without the written reflection that their lifecycle asks for, and on which it was asked for."),
	}
}

func (m *Measured) look(because, outcome string) {
	if m != nil {
		m.looks.WithLabelValues(becauseOf(because), outcome).Inc()
	}
}

func (m *Measured) putOff(why string) {
	if m != nil {
		m.putOffs.WithLabelValues(why).Inc()
	}
}

// decided counts what was written on an issue.
func (m *Measured) decided(d statemachine.Decision) {
	if m == nil {
		return
	}
	for _, r := range d.Explain {
		m.refusals.WithLabelValues(string(r.By.Kind)).Inc()
	}
	if d.HaltUnsaid {
		m.halts.Inc()
	}
	if d.TakenIn {
		m.takenIn.Inc()
	}
}

var answers = map[commands.Answer]string{
	commands.Accepted: "accepted", commands.Refused: "refused", commands.NotPermitted: "not_permitted",
}

// ran counts the commands of one comment.
func (m *Measured) ran(life *statemachine.Lifecycle, invocations []commands.Invocation, answer commands.Answer) {
	if m == nil {
		return
	}
	known := commands.Registry(life)
	for _, i := range invocations {
		verb := "unknown"
		if slices.ContainsFunc(known, func(s commands.Spec) bool { return s.Verb == i.Verb }) {
			verb = i.Verb
		}
		m.commands.WithLabelValues(verb, answers[answer]).Inc()
	}
}

func (m *Measured) dispatched() {
	if m != nil {
		m.sent.Inc()
	}
}

func (m *Measured) orphan() {
	if m != nil {
		m.orphans.Inc()
	}
}

func (m *Measured) sweptIssue() {
	if m != nil {
		m.swept.Inc()
	}
}

func (m *Measured) endedSweep(held int) {
	if m != nil {
		m.sweeps.Inc()
		m.heldBack.Add(float64(held))
	}
}

// becauseSweep is why a sweep asks for looks.
const becauseSweep = "sweep"

// reasons are the events that can ask for a look.
var reasons = func() []string {
	known := []string{becauseSweep, becauseDispatch}
	for _, h := range handlers.All(nil, nil, zerolog.Nop()) {
		known = append(known, h.Handles()...)
	}
	return known
}()

// becauseOf leaves out the action of an event.
func becauseOf(because string) string {
	event, _, _ := strings.Cut(because, ".")
	if slices.Contains(reasons, event) {
		return event
	}
	return "other"
}

// depths tells what is in the queue and who is limited, when it is asked.
type depths struct {
	pending func(context.Context) (queue.Counts, error)
	limited func() map[string]int
	broken  func() int

	tasks, installations, repositories *prometheus.Desc
}

func newDepths(pending func(context.Context) (queue.Counts, error), limited func() map[string]int, broken func() int) *depths {
	return &depths{
		pending: pending, limited: limited, broken: broken,
		tasks:         prometheus.NewDesc("colony_queue_tasks", "Looks in the queue over all replicas, by condition: waiting, running, delayed (put off) or dead (given up, kept for 30 days). Missing if the queue cannot be reached.", []string{"condition"}, nil),
		installations: prometheus.NewDesc("colony_limited_installations", "Installations whose looks wait, by whose budget: github, graphql, points or content.", []string{"budget"}, nil),
		repositories:  prometheus.NewDesc("colony_broken_repositories", "Repositories known to this process with a broken .github/colony.yml or .github/colony-lifecycle.yml: what was in force before stays in force.", nil, nil),
	}
}

// Describe implements prometheus.Collector.
func (d *depths) Describe(out chan<- *prometheus.Desc) {
	out <- d.tasks
	out <- d.installations
	out <- d.repositories
}

// depthTime bounds how long a scrape waits for the queue.
const depthTime = 5 * time.Second

// Collect implements prometheus.Collector.
func (d *depths) Collect(out chan<- prometheus.Metric) {
	for budget, n := range d.limited() {
		out <- prometheus.MustNewConstMetric(d.installations, prometheus.GaugeValue, float64(n), budget)
	}
	out <- prometheus.MustNewConstMetric(d.repositories, prometheus.GaugeValue, float64(d.broken()))
	ctx, cancel := context.WithTimeout(context.Background(), depthTime)
	defer cancel()
	counts, err := d.pending(ctx)
	if err != nil {
		return
	}
	for condition, n := range map[string]int{
		"waiting": counts.Waiting, "running": counts.Running, "delayed": counts.Delayed, "dead": counts.Dead,
	} {
		out <- prometheus.MustNewConstMetric(d.tasks, prometheus.GaugeValue, float64(n), condition)
	}
}

// limitedNow counts the installations whose looks wait, by whose budget it is.
func (d *desk) limitedNow() map[string]int {
	waiting := d.pace.list()
	return map[string]int{
		string(BudgetGitHub):  len(d.limits.list(d.clock.Now())),
		string(BudgetGraphQL): len(waiting.GraphQL),
		string(BudgetPoints):  len(waiting.Looks),
		string(BudgetContent): len(waiting.Comments),
	}
}

// Metric describes one of Colony's metrics.
type Metric struct {
	Name, Help string
	Labels     []string
}

// Metrics lists the metrics of /metrics, in the order of their names.
func Metrics() ([]Metric, error) {
	var known recorder
	newMeasured(&known)
	newCallMetrics(&known)
	known.MustRegister(newDepths(nil, nil, nil))
	if err := queue.DescribeMetrics(&known); err != nil {
		return nil, fmt.Errorf("list the metrics: %w", err)
	}
	slices.SortFunc(known.metrics, func(a, b Metric) int { return strings.Compare(a.Name, b.Name) })
	return known.metrics, known.err
}

// recorder is a registerer that only takes down what it is given. Its zero value is ready.
type recorder struct {
	metrics []Metric
	err     error
}

// description is how a description prints itself: client_golang offers no other way to read it.
var description = regexp.MustCompile(`^Desc\{fqName: "([^"]*)", help: "((?:[^"\\]|\\.)*)", .*variableLabels: \{([^}]*)\}\}$`)

// Register implements prometheus.Registerer.
func (r *recorder) Register(c prometheus.Collector) error {
	described := make(chan *prometheus.Desc)
	go func() {
		c.Describe(described)
		close(described)
	}()
	for d := range described {
		m := description.FindStringSubmatch(d.String())
		if m == nil {
			r.err = errors.Join(r.err, fmt.Errorf("read the description %s", d))
			continue
		}
		metric := Metric{Name: m[1], Help: m[2]}
		if m[3] != "" {
			metric.Labels = strings.Split(m[3], ",")
		}
		r.metrics = append(r.metrics, metric)
	}
	return nil
}

// MustRegister implements prometheus.Registerer.
func (r *recorder) MustRegister(all ...prometheus.Collector) {
	for _, c := range all {
		_ = r.Register(c) // it keeps what went wrong
	}
}

// Unregister implements prometheus.Registerer.
func (r *recorder) Unregister(prometheus.Collector) bool { return false }
