package app_test

import (
	"strings"
	"testing"
	"time"
)

// What somebody forced is recorded as forced, also where the table has the move: the next move in an ordinary way is not.
func TestAForcedMoveOfTheTableIsRecordedAsForced(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:in-review")
	force := i.Comment("mona", "/colony:force merge-pending the reviewer is away")
	w.Settle()
	i.Has("colony:merge-pending")
	i.ColonyReacts(force, "+1")
	i.ColonySays("forced this issue from `in-review` to `merge-pending`")
	moved := i.Comment("mona", "/colony:move done")
	w.Settle()
	i.Has("colony:done")
	i.ColonyReacts(moved, "+1")

	history := i.Comment("rita", "/colony:history")
	w.Settle()
	i.ColonyReacts(history, "+1")
	i.ColonySays("`in-review` → `merge-pending`, by `mona` with `/colony:force` (forced around the table)", "`merge-pending` → `done`, by `mona` with `/colony:move`")
	w.clock.Advance(time.Minute)
	lines := w.audit()
	if len(lines) != 1 || !strings.Contains(lines[0], `it was forced from in-review to merge-pending, because "the reviewer is away"`) || !strings.Contains(lines[0], "by mona") {
		t.Errorf("audit says %q", lines)
	}
}
