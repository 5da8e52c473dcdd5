package reconcile_test

import (
	"testing"
	"time"

	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/lifecycle"
)

// What Colony would have done on its own where it only warns, it says to whoever asks, and to nobody else.
func TestStatusSaysWhatWarningWithholds(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows, acme.InMode(lifecycle.ModeWarn))
	i := w.open("ada", "It squeaks.")
	i.Label("olivia", "colony:analyzing")
	w.Settle()
	w.clock.Advance(25 * time.Hour)
	w.github.ResetCalls()
	w.Sweep()
	w.Settle()
	w.Unwritten()
	for _, command := range []string{"/colony:status", "/colony:why"} {
		asked := i.Comment("ada", command)
		w.Settle()
		i.ColonyReacts(asked, "+1")
		i.ColonySays("Colony would have moved it to `failure-blocked`: The work was not handed on in time (24h)", "This repository only warns, so it stays.")
	}
	i.Label("olivia", "colony:ready-for-dev")
	w.Settle()
	asked := i.Comment("ada", "/colony:status")
	w.Settle()
	i.ColonyReacts(asked, "+1")
	i.ColonySays("`ready-for-dev`")
	i.Has("colony:ready-for-dev")
}
