package main

import (
	"strings"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/audit"
	"github.com/colony-app/colony/reconcile"
)

// metricTable lists what /metrics has.
func metricTable(string) (string, error) {
	t := newTable("metric", "what it is")
	for _, m := range app.ListMetrics() {
		name := m.Name
		if len(m.Labels) > 0 {
			name += "{" + strings.Join(m.Labels, ",") + "}"
		}
		t.row(code(name), m.Help)
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

// auditLineTable lists the fields of the audit line.
func auditLineTable(string) (string, error) {
	t := newTable("field", "what it is")
	for _, f := range reconcile.AuditFields() {
		t.row(code(f.Name), f.Meaning)
	}
	return t.String(), nil
}

// verdictTable lists the kinds of verdicts.
func verdictTable(string) (string, error) {
	t := newTable("verdict", "what it means")
	for _, k := range reconcile.VerdictKinds() {
		t.row(code(string(k.Kind)), k.Meaning)
	}
	return t.String(), nil
}
