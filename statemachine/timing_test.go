package statemachine

import (
	"testing"
	"time"
)

func TestTimingSetsTheLengthOfOneState(t *testing.T) {
	t.Parallel()
	life, err := Shipped("colony")
	if err != nil {
		t.Fatal(err)
	}
	file, _ := life.TimeOutOf("in-review")
	timed := life.Timing(map[string]time.Duration{"in-review": time.Hour, "done": time.Hour, "planning": time.Second})
	for state, want := range map[string]time.Duration{"in-review": time.Hour, "in-development": file.After, "merge-pending": file.After, "planning": 24 * time.Hour, "done": 0} {
		got, ok := timed.TimeOutOf(state)
		if got.After != want || ok != (want > 0) || ok && (got.To != file.To || got.Why == "") {
			t.Errorf("%s: %+v, want %s", state, got, want)
		}
	}
	if timed.Fingerprint() == life.Fingerprint() {
		t.Error("another length is no change of the table")
	}
	if again, _ := timed.Timing(nil).TimeOutOf("in-review"); again.After != file.After {
		t.Errorf("without a length, in-review has %s, not that of the file", again.After)
	}
	if now, _ := life.TimeOutOf("in-review"); now.After != file.After {
		t.Error("the lifecycle itself was changed")
	}
}
