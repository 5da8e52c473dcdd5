package cli

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/colony-app/colony/bench"
	"github.com/colony-app/colony/bench/organisation"
)

// measured runs "colony bench" with arguments, and returns the results of each subject.
func measured(t *testing.T, arguments ...string) map[string][]bench.Result {
	t.Helper()
	text, status := run(t, nil, append([]string{"bench", "--rounds", "1", "--rest", "0s", "--json", "-"}, arguments...)...)
	var results []bench.Result
	if err := json.Unmarshal([]byte(text), &results); err != nil || status != 0 {
		t.Fatalf("exits with %d and prints %.2000s: %v", status, text, err)
	}
	of := map[string][]bench.Result{}
	for _, r := range results {
		of[r.Subject] = append(of[r.Subject], r)
	}
	return of
}

// What each scenario measures is right, whatever the figures: every event comes to its right end, with as many calls as it is known for.
func TestBench(t *testing.T) {
	t.Parallel()
	calls := map[string]map[string]float64{ // of an event, where that does not depend on the time
		"ignore-off":     {bench.Floor: 0, bench.Append: 0, bench.Handler: 0, bench.Colony: 0},
		"ignore-on":      {bench.Colony: 0},
		"ignore-comment": {bench.Colony: 0},
		"move":           {bench.Floor: 0, bench.Append: 0, bench.Handler: 3, bench.Colony: 3},
		"move-50":        {bench.Handler: 3, bench.Colony: 3},
		"command":        {bench.Handler: 2},
		"duplicate":      {bench.Colony: 3},
	}
	supposed := map[string]float64{} // by the weeks of docs/performance.md
	for _, e := range organisation.Life() {
		if e.Scenario != "" {
			supposed[e.Scenario] = float64(e.Cost.Calls())
		}
	}
	spoiled := []string{"limit", "duplicate", "kill"} // for the handler, which is what Colony is for
	for _, s := range bench.Names() {
		if s[0] == "budget" { // its time passes while nothing else runs in the process; package budget tests it
			continue
		}
		t.Run(s[0], func(t *testing.T) {
			t.Parallel()
			count := "6"
			switch s[0] {
			case "sweep":
				count = "200"
			case "age": // each issue has thousands of events
				count = "1"
			}
			of := measured(t, "--scenario", s[0], "--events", count)
			if len(of[bench.Colony]) == 0 {
				t.Fatalf("Colony was not measured: %+v", of)
			}
			for subject, results := range of {
				for _, r := range results {
					right := r.Done == r.Events && r.Lost+r.Doubled+r.Wrong == 0 && (r.Refused == 0 || s[0] == "kill")
					if !right && (subject == bench.Colony || !slices.Contains(spoiled, s[0])) {
						t.Errorf("not every event came to its right end: %+v", r)
					}
					if most, known := supposed[s[0]]; known && subject == bench.Colony && r.Calls > most {
						t.Errorf("docs/performance.md supposes that an event costs %v calls at most: %+v", most, r)
					}
					if want, known := calls[s[0]][subject]; known && r.Calls != want {
						t.Errorf("an event cost %v calls, want %v: %+v", r.Calls, want, r)
					}
				}
			}
			switch colony := of[bench.Colony]; s[0] {
			case "age": // once its log is known, an old issue costs as many calls as a new one
				if len(colony) != 8 || colony[1].Calls != 3 || colony[7].Calls != 3 {
					t.Errorf("legal edits of issues of each age: %+v", colony)
				}
			case "sweep": // ten times as many settled issues cost a sweep hardly more
				if len(colony) != 4 || colony[3].Calls > 1.5*colony[1].Calls {
					t.Errorf("sweeps of 200 and of 2,000 issues: %+v", colony)
				}
			}
		})
	}
}

func TestBenchOfWhatThereIsNot(t *testing.T) {
	t.Parallel()
	for _, arguments := range [][]string{{"--scenario", "dance"}, {"--subject", "somebody"}, {"--rounds", "0"}, {"--events", "-1"}} {
		if text, status := run(t, nil, append([]string{"bench"}, arguments...)...); status != 2 || text != "" {
			t.Errorf("%v exits with %d and prints %q", arguments, status, text)
		}
	}
}
