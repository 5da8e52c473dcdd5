package app

import (
	"slices"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/colony-app/colony/app/issues"
	"github.com/colony-app/colony/handlers"
	"github.com/colony-app/colony/statemachine"
)

// recentWrites remembers which labels this process put on issues and took off, for as long as GitHub may not show it yet. A log that
// hides them is not judged: GitHub's webhook of a write of Colony's own asks for nothing, so what was written from a log that
// lagged behind would never be noticed. It is bounded, and forgetting is harmless: a sweep finds what is left. It is safe for
// concurrent use.
type recentWrites struct {
	of *lru.Cache[string, []handlers.Expectation]
}

// recentWritesKept bounds the memory to some megabytes.
const recentWritesKept = 10_000

func newRecentWrites() *recentWrites {
	return &recentWrites{of: memory[string, []handlers.Expectation](recentWritesKept)}
}

// add remembers what was written to an issue that had these labels before. Of each label its latest change counts.
func (r *recentWrites) add(ref issues.Ref, labels []string, writes []issues.Write, at time.Time) {
	known, _ := r.of.Get(doneKey(ref))
	changes := slices.Clone(known)
	note := func(label string, added bool) {
		changes = slices.DeleteFunc(changes, func(c handlers.Expectation) bool { return statemachine.SameLabel(c.Label, label) })
		changes = append(changes, handlers.Expectation{Label: label, Added: added, At: at})
	}
	for _, w := range writes {
		for _, label := range w.Add {
			if !statemachine.HasLabel(labels, label) { // there is no event of putting on what is there
				note(label, true)
			}
		}
		if w.Remove != "" && statemachine.HasLabel(labels, w.Remove) {
			note(w.Remove, false)
		}
		labels = afterWrites(labels, []issues.Write{w})
	}
	r.of.Add(doneKey(ref), changes)
}

// hidden reports whether a log that was read at a time hides one of the latest writes to an issue. A write is awaited for lag.
func (r *recentWrites) hidden(ref issues.Ref, log []statemachine.Change, read time.Time, lag time.Duration) bool {
	changes, _ := r.of.Get(doneKey(ref))
	for _, c := range changes {
		if read.Sub(c.At) < lag && !shows(log, c, clocksDiffer) {
			return true
		}
	}
	return false
}
