package acme

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	dto "github.com/prometheus/client_model/go"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
)

// Follows lets everything move issues that the lifecycle has triggers for.
func Follows(c *config.Config) { c.Follow = policy.DefaultFollow() }

// Colibri runs the lifecycle that has priorities, an order of work, and reflections.
func Colibri(c *config.Config) {
	c.Lifecycle = "colibri"
	logins := maps.Clone(c.Executors.Logins)
	if logins == nil {
		logins = map[string][]string{}
	}
	logins["verifier[bot]"] = []string{"verifier"}
	c.Executors.Logins = logins
}

// WithLifecycle runs a lifecycle that comes with Colony.
func WithLifecycle(name string) func(*config.Config) {
	return func(c *config.Config) { c.Lifecycle = name }
}

// RowsLifecycle is a lifecycle of three states, a, b and c, with every move between them and triggers of its own.
func RowsLifecycle(rows string) string {
	var states strings.Builder
	for _, s := range []string{"a", "b", "c"} {
		fmt.Fprintf(&states, "  - {name: state-%s, type: active, label: \"colony:%s\", color: c5def5, description: It waits., meaning: It waits.}\n", s, s)
	}
	return `name: rows
summary: Three states, and what leads from one to another.
initial: untouched
states:
  - {name: untouched, type: active, meaning: Nobody has looked.}
` + states.String() + `transitions:
  - kind: forward
    source: these tests
    pairs:
      - {from: untouched, to: [state-a, state-b, state-c], why: It begins.}
      - {from: state-a, to: [state-b, state-c], why: It moves.}
      - {from: state-b, to: [state-a, state-c], why: It moves.}
      - {from: state-c, to: [state-a, state-b], why: It moves.}
` + rows
}

// InMode is a configuration that names a mode.
func InMode(mode lifecycle.Mode) func(*config.Config) {
	return func(c *config.Config) { c.Mode = mode }
}

// TakesIn sets what is taken in, in the configuration of the server.
func TakesIn(when policy.When, authors ...string) func(*config.Config) {
	return func(c *config.Config) { c.Intake.When, c.Intake.Authors = when, authors }
}

// Value returns a metric with these labels, "by=bot"; 0 if no such metric exists.
func Value(families map[string]*dto.MetricFamily, name string, labels ...string) float64 {
	for _, m := range families[name].GetMetric() {
		var have []string
		for _, l := range m.GetLabel() {
			have = append(have, l.GetName()+"="+l.GetValue())
		}
		slices.Sort(have)
		if slices.Equal(have, labels) {
			return m.GetCounter().GetValue() + m.GetGauge().GetValue()
		}
	}
	return 0
}
