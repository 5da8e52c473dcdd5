package app_test

import (
	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/audit"
)

// audit lists what an audit finds of issues that a Colony works on. What it finds elsewhere is tested in package audit.
func (w *world) audit() (lines []string) {
	w.t.Helper()
	_, err := audit.Run(ctx, w.config, app.Options{Clock: w.clock}, func(f audit.Finding) { lines = append(lines, f.String()) })
	w.Must(err)
	return lines
}
