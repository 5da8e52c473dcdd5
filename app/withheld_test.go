package app_test

import (
	"testing"
	"time"

	"github.com/colony-app/colony/lifecycle"
)

// What Colony would have done on its own where it only warns, it says to whoever asks, and to nobody else.
func TestStatusSaysWhatWarningWithholds(t *testing.T) {
	t.Parallel()
	w := newWorld(t, follows, inMode(lifecycle.ModeWarn))
	i := w.open("ada", "It squeaks.")
	i.label("olivia", "colony:analyzing")
	w.settle()
	w.clock.Advance(25 * time.Hour)
	w.github.ResetCalls()
	w.sweep()
	w.settle()
	w.unwritten()
	for _, command := range []string{"/colony:status", "/colony:why"} {
		asked := i.comment("ada", command)
		w.settle()
		i.colonyReacts(asked, "+1")
		i.colonySays("Colony would have moved it to `failure-blocked`: The work was not handed on within a day", "This repository only warns, so it stays.")
	}
	i.label("olivia", "colony:ready-for-dev")
	w.settle()
	asked := i.comment("ada", "/colony:status")
	w.settle()
	i.colonyReacts(asked, "+1")
	i.colonySays("`ready-for-dev`")
	i.has("colony:ready-for-dev")
}
