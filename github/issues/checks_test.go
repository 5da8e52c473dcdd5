package issues

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"
)

// A run that was cancelled for another one of its name is no failure; one that was cancelled, and that is that, is one.
func TestOutcomeOfCheckRuns(t *testing.T) {
	begin := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	run := func(id, app int64, name, conclusion string) *github.CheckRun {
		r := &github.CheckRun{ID: &id, App: &github.App{ID: &app}, Name: &name, Status: new("in_progress")}
		if conclusion != "" {
			r.Status, r.Conclusion = new("completed"), &conclusion
			r.CompletedAt = &github.Timestamp{Time: begin.Add(time.Duration(id) * time.Minute)}
		}
		return r
	}
	for name, test := range map[string]struct {
		runs                    []*github.CheckRun
		known, failed, complete bool
		minutes                 int
	}{
		"none":                         {nil, false, false, true, 0},
		"cancelled":                    {[]*github.CheckRun{run(1, 1, "build", "cancelled")}, true, true, true, 1},
		"cancelled, and run again":     {[]*github.CheckRun{run(1, 1, "build", "cancelled"), run(2, 1, "build", "success")}, true, false, true, 2},
		"in the other order":           {[]*github.CheckRun{run(2, 1, "build", "success"), run(1, 1, "build", "cancelled")}, true, false, true, 2},
		"cancelled while run again":    {[]*github.CheckRun{run(1, 1, "build", "cancelled"), run(2, 1, "build", "")}, false, false, false, 0},
		"run, and the second is ended": {[]*github.CheckRun{run(1, 1, "build", "success"), run(2, 1, "build", "cancelled")}, true, true, true, 2},
		"another one's":                {[]*github.CheckRun{run(1, 1, "build", "cancelled"), run(2, 2, "build", "success")}, true, true, true, 2},
		"another name":                 {[]*github.CheckRun{run(1, 1, "build", "cancelled"), run(2, 1, "test", "success")}, true, true, true, 2},
		"failed, and run beside it":    {[]*github.CheckRun{run(1, 1, "build", "failure"), run(2, 1, "build", "success")}, true, true, true, 2},
		"never begun":                  {[]*github.CheckRun{run(1, 1, "build", "startup_failure")}, true, true, true, 1},
		"given up by GitHub":           {[]*github.CheckRun{run(1, 1, "build", "stale")}, true, true, true, 1},
	} {
		o, complete := outcomeOf(test.runs)
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
