package main

import (
	"fmt"

	"github.com/colony-app/colony/app"
)

// metricTable lists what /metrics has.
func metricTable(string) (string, error) {
	known, err := app.Metrics()
	if err != nil {
		return "", fmt.Errorf("list the metrics: %w", err)
	}
	t := newTable("metric", "labels", "what it is")
	for _, m := range known {
		t.row(code(m.Name), codes(m.Labels), m.Help)
	}
	return t.String(), nil
}

// auditTable lists what an audit finds.
func auditTable(string) (string, error) {
	t := newTable("finding", "what it means")
	for _, i := range app.Irregulars() {
		t.row(code(string(i.Irregular)), i.Means)
	}
	return t.String(), nil
}
