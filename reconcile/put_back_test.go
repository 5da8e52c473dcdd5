package reconcile_test

import (
	"testing"
	"time"

	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/lifecycle"
)

// Where Colony only warns, it restores no label that someone deletes from the repository. A command for the state puts it back on the issue.
func TestACommandPutsADeletedLabelBackWhereColonyWarns(t *testing.T) {
	t.Parallel()
	for command, end := range map[string]string{
		"/colony:move in-review": "colony:in-review", "/colony:force in-review it was deleted": "colony:in-review",
		"/colony:move in-review\n/colony:pause": "colony:paused",
	} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, acme.InMode(lifecycle.ModeWarn))
			i := w.stateful("colony:in-review")
			_, err := i.As("olivia").Issues.DeleteLabel(ctx, "acme", "widgets", "colony:in-review")
			i.Must(err)
			w.clock.Advance(time.Hour)
			w.Sweep()
			i.Has()
			i.ColonyReacts(i.CommentAndSettle("mona", command), "+1")
			i.Has(end)
			w.Sweep()
			i.Has(end)
			i.NothingUnread()
		})
	}
}
