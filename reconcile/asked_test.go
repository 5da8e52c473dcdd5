package reconcile_test

import (
	"testing"
	"time"

	"github.com/colony-app/colony/bench/acme"
)

// A person's move takes the mark off. If Colony finds at the same time that a person has to decide, it puts the mark on again.
func TestAQuestionKeepsItsMark(t *testing.T) {
	t.Parallel()
	notifiedAndSwept(t, acme.Follows, func(w *world, after func()) {
		i := w.stateful("colony:analyzing")
		w.clock.Advance(time.Minute)
		i.Swap("analyzer[bot]", "colony:analyzing", "colony:done")
		after()
		i.Has("colony:failure-blocked", "colony:needs-human")
		i.ColonySays("`done`")
		w.clock.Advance(time.Minute)
		i.Swap("mona", "colony:failure-blocked", "colony:waiting-for-subtasks")
		w.clock.Advance(5 * time.Minute)
		after()
		i.Has("colony:waiting-for-subtasks", "colony:needs-human")
		i.ColonySays("Colony leaves this issue in `waiting-for-subtasks`", "asks a person to decide")
		w.Sweep()
		i.Has("colony:waiting-for-subtasks", "colony:needs-human")
	})
}
