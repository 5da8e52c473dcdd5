package reconcile_test

import (
	"testing"
	"time"

	"github.com/google/go-github/v62/github"
)

// A sweep recognizes by one question the issues that are as Colony left them. Whatever a person or a bot did with labels, or by closing, is found.
func TestSweepsRecognizeWhatColonyLeft(t *testing.T) {
	t.Parallel()
	const reads = 2 // the issue and its log
	for name, row := range map[string]struct {
		happens func(w *world, i *issue)
		reads   int
		has     []string
	}{
		"nothing":                  {func(*world, *issue) {}, 0, []string{"colony:analyzing"}},
		"a comment":                {func(_ *world, i *issue) { i.Comment("ada", "Hello.") }, 0, []string{"colony:analyzing"}},
		"an assignment":            {func(_ *world, i *issue) { i.Assign("olivia", "mona") }, 0, []string{"colony:analyzing"}},
		"another title":            {func(_ *world, i *issue) { i.Change("olivia", i.Number, &github.IssueRequest{Title: new("Other")}) }, reads, []string{"colony:analyzing"}},
		"a label that is no state": {func(_ *world, i *issue) { i.Label("olivia", "bug") }, reads, []string{"bug", "colony:analyzing"}},
		"closed":                   {func(_ *world, i *issue) { i.CloseAs(i.Number, "completed") }, reads, []string{"colony:analyzing"}},
		"on and off":               {func(_ *world, i *issue) { i.Label("olivia", "bug"); i.Unlabel("olivia", "bug") }, reads, []string{"colony:analyzing"}},
		"off and on": {func(_ *world, i *issue) {
			i.Unlabel("olivia", "colony:analyzing")
			i.Label("olivia", "colony:analyzing")
		}, reads, []string{"colony:analyzing"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			i := w.open("ada", "", "colony:new")
			w.Settle()
			i.Label("olivia", "colony:analyzing")
			w.Settle()
			i.Has("colony:analyzing")
			w.clock.Advance(time.Minute)
			w.github.Deaf()
			row.happens(w, i)
			w.clock.Advance(time.Minute)
			w.github.ResetCalls()
			w.sweeps = asksOnly
			w.Sweep()
			if n := w.ReadsOf(i.Number); n != row.reads {
				t.Errorf("%d reads, want %d", n, row.reads)
			}
			i.Has(row.has...)
		})
	}
}

// What Colony undid needs no reading either, unless the same is done again.
func TestSweepsRecognizeWhatColonyRefused(t *testing.T) {
	t.Parallel()
	for name, again := range map[string]bool{"once": false, "twice": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			i := w.stateful("colony:analyzing")
			w.Settle()
			w.clock.Advance(time.Minute)
			i.Label("olivia", "colony:merging")
			w.Settle()
			i.Has("colony:analyzing")
			i.ColonySays("merging")
			i.Comment("ada", "Why?")
			w.Quiet()
			w.clock.Advance(time.Minute)
			w.github.Deaf()
			if again {
				i.Label("olivia", "colony:merging")
				w.clock.Advance(time.Minute)
			}
			w.github.ResetCalls()
			w.sweeps = asksOnly
			w.Sweep()
			i.Has("colony:analyzing")
			if again {
				i.ColonySays("merging")
			} else if n := w.ReadsOf(i.Number); n != 0 {
				t.Errorf("%d reads of an issue as Colony left it", n)
			}
		})
	}
}
