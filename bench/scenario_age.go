package bench

import (
	"context"
	"fmt"
)

// ages are how many events the logs have.
var ages = []int{10, 100, 1000, 5000}

// unwatched keeps sweeps from reading the logs before: only labels and commands move issues, so no sweep checks unchanged ones.
func unwatched(config object) { config["follow"] = []string{} }

// age measures legal edits of issues by how long their logs are: the first of each, and then another.
func age(ctx context.Context, w *world, subject string, o Options) (results []Result, err error) {
	for _, events := range ages {
		t := trial{edit: move, events: 5, rounds: 1, settings: unwatched, age: events, again: &unpause}.with(o)
		of, err := w.measure(ctx, subject, t)
		if err != nil {
			return results, err
		}
		of[0].Case, of[1].Case = fmt.Sprintf("%d events", events), fmt.Sprintf("%d events, again", events)
		results = append(results, of...)
	}
	return results, nil
}
