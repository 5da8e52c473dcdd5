package main

import (
	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/audit"
)

// metricTable lists what /metrics has.
func metricTable(string) (string, error) {
	t := newTable("metric", "labels", "what it is")
	for _, m := range app.ListMetrics() {
		t.row(code(m.Name), codes(m.Labels), m.Help)
	}
	return t.String(), nil
}

// auditTable lists what an audit finds.
func auditTable(string) (string, error) {
	t := newTable("finding", "what it means")
	for _, s := range audit.IrregularSpecs() {
		t.row(code(string(s.Irregular)), s.Meaning)
	}
	return t.String(), nil
}
