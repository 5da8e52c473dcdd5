package app_test

import (
	"testing"
	"time"

	"github.com/google/go-github/v62/github"
)

// age fills the log of an issue with changes of a label that is not Colony's, until it has so many events.
func (i *issue) age(events int) {
	i.t.Helper()
	log, response, err := i.as("mona").Issues.ListIssueEvents(ctx, "acme", "widgets", i.number, &github.ListOptions{PerPage: 1})
	i.must(err)
	put := true
	for have := max(response.LastPage, len(log)); have < events; have++ {
		if put {
			i.label("mona", "bug")
		} else {
			i.unlabel("mona", "bug")
		}
		put = !put
	}
}

// A page of the log that is full and the last is "not modified" when another page follows: GitHub's tag is one of the page alone.
func TestTheEventAfterAFullPageIsSeen(t *testing.T) {
	t.Parallel()
	for name, events := range map[string]int{"one page": 100, "two pages": 200} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			i := w.openIn("colony:in-review", "")
			w.settle()
			i.age(events)
			bug := []string{"bug"} // an odd number of changes
			for range 2 {          // what was read is read again
				w.clock.Advance(time.Minute)
				i.comment("ada", "Is it red?")
				w.settle()
			}
			i.label("olivia", "colony:new")
			w.settle()
			i.colonySays("from `in-review` to `new`")
			i.has(append(bug, "colony:in-review", "colony:needs-human")...)
		})
	}
}

// An issue costs the same however old it is: of a long log, the end is read.
func TestAnOldIssueCostsWhatAYoungOneCosts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.openIn("colony:in-review", "")
	w.settle()
	i.age(350)
	w.clock.Advance(100 * time.Hour)
	i.label("olivia", "colony:merge-pending") // all pages are read once
	w.settle()
	w.clock.Advance(time.Minute)
	w.github.ResetCalls()
	i.label("olivia", "colony:in-review")
	w.settle()
	i.has("bug", "colony:in-review")
	if got := w.spent(); got.reads > 2 || got.writes > 1 {
		t.Errorf("a legal move cost %+v, more than 2 reads and 1 write", got)
	}
}
