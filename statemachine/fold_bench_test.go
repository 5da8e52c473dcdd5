package statemachine

import (
	"fmt"
	"testing"
	"time"
)

// longLog is the log of an issue that people moved back and forth, until so many labels were changed.
func longLog(n int) (log []Change) {
	states := []string{"colony:planning", "colony:paused"}
	for i := range n {
		log = append(log, Change{Moment: Moment{At: morning.Add(time.Duration(i) * time.Minute), ID: int64(i + 1)}, Added: i%2 == 0, Label: states[(i/2+i%2)%2], By: cast["olga"]})
	}
	return log
}

// BenchmarkFold is what the fold of a log costs, by how long it is.
func BenchmarkFold(b *testing.B) {
	life := colony(b)
	for n := 10; n <= 10_000; n *= 10 {
		b.Run(fmt.Sprintf("%d events", n), func(b *testing.B) {
			log := longLog(n)
			history := History{Changes: log, Labels: labelsAfter(log)}
			b.ReportAllocs()
			for b.Loop() {
				life.Fold(history)
			}
		})
	}
}

// BenchmarkDecide is what the decision costs once the log is folded.
func BenchmarkDecide(b *testing.B) {
	life := colony(b)
	log := longLog(99)
	history := History{Changes: log, Labels: labelsAfter(log)}
	standing := life.Fold(history)
	now := standing.LastChange.Add(time.Hour)
	b.ReportAllocs()
	for b.Loop() {
		life.Decide(modelThresholds, Case{Standing: standing, Labels: history.Labels, Updated: standing.LastChange, Now: now, MayWait: true}, Evidence{})
	}
}
