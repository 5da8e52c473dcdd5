package app_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/bench/acme"
)

// Wherever Colony is stopped while it moves an issue, the trail tells of the move once.
func TestACrashLeavesOneReason(t *testing.T) {
	t.Parallel()
	play := func(k int) (trail []string, calls int) {
		w := newWorldWithoutColony(t, onDisk(t), acme.Follows)
		crash := &crashingTransport{}
		w.transport = crash
		w.start()
		w.install()
		i := w.open("ada", "Paint it.")
		i.Through("colony", "in-review")
		pull := i.Fixed()
		w.Settle()
		w.clock.Advance(time.Hour)
		w.Settle()
		crash.after(k)
		i.Must(i.github.MergePullRequest("acme", "widgets", pull, "mona"))
		w.Settle()
		calls = crash.calls()
		w.stopColony()
		w.transport = nil
		w.start()
		for range 6 {
			w.clock.Advance(time.Minute)
			w.Settle()
		}
		i.Has("colony:done")
		return i.Trail(), calls
	}
	want, calls := play(0)
	if len(want) != 1 || calls < 5 {
		t.Fatalf("the trail is %q after %d calls", want, calls)
	}
	for k := range crashPoints(calls) {
		got, _ := play(k)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("stopped after call %d of %d: %s", k, calls, diff)
		}
	}
}
