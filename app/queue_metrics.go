package app

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/colony-app/colony/app/worker"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/metric"
)

// depths tells what is in the queue and who is limited, when it is asked.
type depths struct {
	server *Server

	inMode                                                                    *prometheus.Desc
	tasks, waiting, until, onboarding, installations, repositories, ungranted *prometheus.Desc
}

func newDepths(s *Server) *depths {
	d := &depths{server: s}
	metric.Make(d.rows())
	return d
}

func (d *depths) rows() []metric.Metric {
	return []metric.Metric{
		{Name: "colony_queue_tasks", Help: "Tasks over all replicas, by condition: waiting, running, delayed (requeued) or dead (given up, kept for 30 days). Missing if Colony cannot reach the queue.", Labels: []string{"condition"}, Into: &d.tasks},
		{Name: "colony_limited_installations", Help: "Installations whose tasks wait for a budget, by budget: github, graphql, points, content or background.", Labels: []string{"budget"}, Into: &d.installations},
		{Name: "colony_waiting_tasks", Help: "Tasks that wait, over all replicas, by the reason of colony_put_offs_total.", Labels: []string{"why"}, Into: &d.waiting},
		{Name: "colony_waiting_seconds", Help: "Seconds until about the last of colony_waiting_tasks goes on, in the slowest installation; /readyz shows each. 0 if none waits.", Labels: []string{"why"}, Into: &d.until},
		{Name: "colony_onboarding_repositories", Help: "Repositories of the onboardings under way, by condition: done (they have their labels) or left.", Labels: []string{"condition"}, Into: &d.onboarding},
		{Name: "colony_broken_repositories", Help: "Repositories with a broken file of settings or lifecycle, as far as this process knows. Earlier rules stay in force.", Into: &d.repositories},
		{Name: "colony_repositories", Help: "Repositories that this process has seen, by mode: off, observe, warn or enforce.", Labels: []string{"mode"}, Into: &d.inMode},
		{Name: "colony_ungranted_installations", Help: "Installations that lack a permission or an event, as far as this process knows; /readyz names them.", Into: &d.ungranted},
	}
}

// Describe implements prometheus.Collector: the registry checks what is collected, and has to know nothing before.
func (d *depths) Describe(chan<- *prometheus.Desc) {}

// depthTime bounds how long a scrape waits for the queue.
const depthTime = 5 * time.Second

func (d *depths) Collect(out chan<- prometheus.Metric) {
	for budget, n := range d.server.limited() {
		out <- prometheus.MustNewConstMetric(d.installations, prometheus.GaugeValue, float64(n), budget)
	}
	waiting, longest := map[string]int{}, map[string]time.Duration{}
	for _, w := range d.server.waiting() {
		waiting[w.Why] += w.Tasks
		longest[w.Why] = max(longest[w.Why], w.Until.Sub(d.server.clock.Now()))
	}
	for _, why := range worker.Whys {
		out <- prometheus.MustNewConstMetric(d.waiting, prometheus.GaugeValue, float64(waiting[why.Name]), why.Name)
		out <- prometheus.MustNewConstMetric(d.until, prometheus.GaugeValue, longest[why.Name].Seconds(), why.Name)
	}
	done, left := 0, 0
	for _, o := range d.server.worker.Onboardings() {
		done, left = done+o.Done, left+o.Of-o.Done
	}
	out <- prometheus.MustNewConstMetric(d.onboarding, prometheus.GaugeValue, float64(done), "done")
	out <- prometheus.MustNewConstMetric(d.onboarding, prometheus.GaugeValue, float64(left), "left")
	out <- prometheus.MustNewConstMetric(d.repositories, prometheus.GaugeValue, float64(d.server.parts.Reconciler.Policies.InvalidFiles()))
	out <- prometheus.MustNewConstMetric(d.ungranted, prometheus.GaugeValue, float64(len(d.server.parts.Grants.Lacking())))
	count := d.server.parts.Reconciler.Modes()
	for _, mode := range lifecycle.Modes {
		out <- prometheus.MustNewConstMetric(d.inMode, prometheus.GaugeValue, float64(count[mode]), string(mode))
	}
	ctx, cancel := context.WithTimeout(context.Background(), depthTime)
	defer cancel()
	counts, err := d.server.queue.Pending(ctx)
	if err != nil {
		return
	}
	for condition, n := range map[string]int{
		"waiting": counts.Waiting, "running": counts.Running, "delayed": counts.Delayed, "dead": counts.Dead,
	} {
		out <- prometheus.MustNewConstMetric(d.tasks, prometheus.GaugeValue, float64(n), condition)
	}
}

// limited counts the installations whose requests wait, by whose budget it is.
func (s *Server) limited() map[string]int {
	waiting := s.parts.Limiter.List()
	return map[string]int{
		string(ratelimit.BudgetGitHub):     len(s.worker.Limits.List(s.clock.Now())),
		string(ratelimit.BudgetGraphQL):    len(waiting.GraphQL),
		string(ratelimit.BudgetPoints):     len(waiting.Requests),
		string(ratelimit.BudgetContent):    len(waiting.Comments),
		string(ratelimit.BudgetBackground): len(waiting.Background),
	}
}
