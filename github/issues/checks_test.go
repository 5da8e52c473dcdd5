package issues

import (
	"strings"
	"testing"
	"time"
)

// A run that was cancelled for another one of its name is no failure; one that was cancelled, and that is that, is one.
func TestOutcomeOfCheckRuns(t *testing.T) {
	begin := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	run := func(id int64, app, name, conclusion string) checkRun {
		if conclusion == "" {
			return checkRun{name: name, app: app, order: id, status: "in_progress"}
		}
		return checkRun{name, app, id, "completed", conclusion, begin.Add(time.Duration(id) * time.Minute)}
	}
	for name, test := range map[string]struct {
		runs                    []checkRun
		known, failed, complete bool
		minutes                 int
	}{
		"none":                         {nil, false, false, true, 0},
		"cancelled":                    {[]checkRun{run(1, "app 1", "build", "cancelled")}, true, true, true, 1},
		"cancelled, and run again":     {[]checkRun{run(1, "app 1", "build", "cancelled"), run(2, "app 1", "build", "success")}, true, false, true, 2},
		"in the other order":           {[]checkRun{run(2, "app 1", "build", "success"), run(1, "app 1", "build", "cancelled")}, true, false, true, 2},
		"cancelled while run again":    {[]checkRun{run(1, "app 1", "build", "cancelled"), run(2, "app 1", "build", "")}, false, false, false, 0},
		"run, and the second is ended": {[]checkRun{run(1, "app 1", "build", "success"), run(2, "app 1", "build", "cancelled")}, true, true, true, 2},
		"another one's":                {[]checkRun{run(1, "app 1", "build", "cancelled"), run(2, "app 2", "build", "success")}, true, true, true, 2},
		"another name":                 {[]checkRun{run(1, "app 1", "build", "cancelled"), run(2, "app 1", "test", "success")}, true, true, true, 2},
		"failed, and run beside it":    {[]checkRun{run(1, "app 1", "build", "failure"), run(2, "app 1", "build", "success")}, true, true, true, 2},
		"never begun":                  {[]checkRun{run(1, "app 1", "build", "startup_failure")}, true, true, true, 1},
		"given up by GitHub":           {[]checkRun{run(1, "app 1", "build", "stale")}, true, true, true, 1},
	} {
		o, complete := checksSaid{runs: test.runs}.outcome()
		if o.known != test.known || len(o.failed) > 0 != test.failed || complete != test.complete || o.known && !o.at.Equal(begin.Add(time.Duration(test.minutes)*time.Minute)) {
			t.Errorf("%s: %+v, complete %t", name, o, complete)
		}
	}
}

func TestNamesOfChecks(t *testing.T) {
	t.Parallel()
	for want, failed := range map[string][]string{
		"build":                       {"build"},
		"build, lint":                 {"lint", "build", "lint"},
		"a, b, c, d, e":               {"e", "d", "c", "b", "a"},
		"1, 2, 3, 4, 5 and 2 more":    {"7", "6", "5", "4", "3", "2", "1"},
		strings.Repeat("ä", 59) + "…": {strings.Repeat("ä", 61)},
		strings.Repeat("ä", 60):       {strings.Repeat("ä", 60)},
	} {
		if got := namesOfChecks(failed); got != want {
			t.Errorf("%q: %q", failed, got)
		}
	}
}
