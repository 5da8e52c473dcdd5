package setup

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/statemachine"
)

// The settings are those of the lifecycle: its limits and time-outs, all that its rows wait for but what is off unless it is asked for, and nothing without effect.
func TestTheStarterIsTheLifecycle(t *testing.T) {
	t.Parallel()
	life, err := statemachine.Shipped("colony")
	if err != nil {
		t.Fatal(err)
	}
	if problems := policy.Lint(policy.SettingsFile, Starter, policy.Beside{Below: life}); len(problems) > 0 {
		t.Errorf("colony lint says: %v", problems)
	}
	var says struct {
		Intake   policy.Intake
		Dispatch []lifecycle.Dispatch
		Follow   []lifecycle.Reading
		Limits   map[string]int
		TimeOuts map[string]time.Duration `yaml:"time-outs"`
	}
	if err := yaml.Unmarshal(Starter, &says); err != nil {
		t.Fatal(err)
	}
	limits, timeOuts := map[string]int{}, map[string]time.Duration{}
	for _, limit := range life.Limits {
		limits[limit.Name] = limit.AtMost
	}
	for _, row := range life.TimeOuts {
		for _, state := range row.In {
			timeOuts[state] = time.Duration(row.After)
		}
	}
	needs := map[lifecycle.Reading]bool{}
	for _, row := range life.Triggers {
		for _, need := range lifecycle.ReadingsOf([]string{string(row.On)}) {
			needs[need] = true
		}
	}
	follow := slices.DeleteFunc(policy.DefaultFollow(), func(r lifecycle.Reading) bool { return !needs[r] })
	if diff := cmp.Diff(limits, says.Limits); diff != "" {
		t.Errorf("limits: %s", diff)
	}
	if diff := cmp.Diff(timeOuts, says.TimeOuts); diff != "" {
		t.Errorf("time-outs: %s", diff)
	}
	if diff := cmp.Diff([]lifecycle.Reading(follow), says.Follow); diff != "" {
		t.Errorf("follow: %s", diff)
	}
	var from []string
	for _, row := range says.Dispatch {
		from = append(from, row.From...)
	}
	if diff := cmp.Diff([]string(life.Waiting), from); diff != "" || says.Intake.When != policy.Every {
		t.Errorf("intake %s; what waits and is not handed out: %s", says.Intake.When, diff)
	}
}

func TestTheStarterReplacesNothingUnasked(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), ".github", "colony.yml")
	for _, try := range []struct {
		before  string // what the file holds; empty: there is none
		replace bool
		written bool
	}{{"", false, true}, {"mode: off\n", false, false}, {"mode: off\n", true, true}} {
		if try.before != "" {
			if err := os.WriteFile(path, []byte(try.before), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		err := WriteStarter(path, try.replace)
		text, unread := os.ReadFile(path)
		want := try.before
		if try.written {
			want = string(Starter)
		}
		if (err == nil) != try.written || unread != nil || string(text) != want {
			t.Errorf("replace %t: %v, %v; the file holds:\n%s", try.replace, err, unread, text)
		}
	}
}
