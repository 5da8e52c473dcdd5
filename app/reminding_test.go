package app_test

import (
	"testing"
	"time"

	"github.com/colony-app/colony/policy"
)

// Wherever Colony is stopped while it reminds, there is one reminder.
func TestACrashLeavesOneReminder(t *testing.T) {
	t.Parallel()
	play := func(k int) (reminders, calls int) {
		w := newWorldWithoutColony(t, onDisk(t))
		crash := &crashingTransport{}
		w.transport = crash
		w.start()
		w.install()
		w.CommitAndSettle("widgets", policy.SettingsFile, "notify: [{in: [in-review, merge-pending], remind: 24h, mention: [Mona, acme/platform]}]\n")
		i := w.open("ada", "")
		i.Label("olivia", "colony:in-review")
		w.Settle()
		w.clock.Advance(49 * time.Hour)
		crash.after(k)
		w.Must(w.colony.server.Sweep(ctx))
		w.Settle()
		calls = crash.calls()
		w.stopColony()
		w.transport = nil
		w.start()
		for range 3 {
			w.Sweep()
		}
		i.ReadsComments()
		return len(i.ColonyComments()), calls
	}
	want, calls := play(0)
	if want != 1 || calls < 3 {
		t.Fatalf("%d reminders after %d calls", want, calls)
	}
	for k := range crashPoints(calls) {
		if got, _ := play(k); got != 1 {
			t.Errorf("stopped after call %d of %d: %d reminders", k, calls, got)
		}
	}
}
