package app_test

import (
	"testing"
	"time"
)

// A page of the log that is full and the last is "not modified" when another page follows: GitHub's tag is one of the page alone.
func TestTheEventAfterAFullPageIsSeen(t *testing.T) {
	t.Parallel()
	for name, events := range map[string]int{"one page": 100, "two pages": 200} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			i := w.OpenIn("colony:in-review", "")
			w.Settle()
			i.Age(events)
			bug := []string{"bug"} // an odd number of changes
			for range 2 {          // what was read is read again
				w.clock.Advance(time.Minute)
				i.Comment("ada", "Is it red?")
				w.Settle()
			}
			i.Label("olivia", "colony:new")
			w.Settle()
			i.ColonySays("from `in-review` to `new`")
			i.Has(append(bug, "colony:in-review", "colony:needs-human")...)
		})
	}
}

// An issue costs the same however old it is: of a long log, the end is read.
func TestAnOldIssueCostsWhatAYoungOneCosts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.OpenIn("colony:in-review", "")
	w.Settle()
	i.Age(350)
	w.clock.Advance(100 * time.Hour)
	i.Label("olivia", "colony:merge-pending") // all pages are read once
	w.Settle()
	w.clock.Advance(time.Minute)
	w.github.ResetCalls()
	i.Label("olivia", "colony:in-review")
	w.Settle()
	i.Has("bug", "colony:in-review")
	if got := w.Spent(); got.Reads > 2 || got.Writes > 1 {
		t.Errorf("a legal move cost %+v, more than 2 reads and 1 write", got)
	}
}
