package worker

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/github/issues"
)

// broadcasts are what a replica sent to the others.
type broadcasts struct {
	Queue
	words [][]byte
}

// Broadcast implements TaskQueue.
func (b *broadcasts) Broadcast(word []byte) error {
	b.words = append(b.words, word)
	return nil
}

// A moved issue takes capacity until GitHub shows the move, or until it must have shown it; also one that another replica moved.
func TestSent(t *testing.T) {
	t.Parallel()
	repo := issues.Repository{ID: 7}
	clock := clockwork.NewFakeClock()
	var said broadcasts
	one := &dispatcher{clock: clock, peers: &peers{queue: &said}}
	another := &dispatcher{clock: clock}
	hears := peers{words: map[string]func(json.RawMessage) error{wordSent: taking(another.movedElsewhere)}}
	for _, number := range []int{1, 2, 3} {
		one.noteMove(issues.Ref{Repository: repo, Number: number}, "doing")
	}
	for _, word := range said.words {
		hears.OnBroadcast(word)
	}
	for _, d := range []*dispatcher{one, another} {
		ago := func(lag time.Duration) time.Time { return clock.Now().Add(-lag) }
		unseen := func(repo issues.Repository, state string, lag time.Duration, there ...issues.Entry) []int {
			return slices.Sorted(slices.Values(d.recentMoves.unseen(repo, state, there, ago(lag))))
		}
		for _, other := range [][]int{unseen(repo, "done", time.Second), unseen(issues.Repository{ID: 8}, "doing", time.Second)} {
			if len(other) > 0 {
				t.Errorf("%v take capacity elsewhere", other)
			}
		}
		if got := unseen(repo, "doing", time.Second, issues.Entry{Number: 2}); !slices.Equal(got, []int{1, 3}) {
			t.Errorf("%v are not seen yet", got)
		}
		if got := unseen(repo, "doing", time.Second); !slices.Equal(got, []int{1, 3}) {
			t.Errorf("%v are not seen yet, and one was seen before", got)
		}
		if got := unseen(repo, "doing", 0); len(got) > 0 || len(d.recentMoves.at) > 0 {
			t.Errorf("%v take capacity for ever, and %v is remembered", got, d.recentMoves.at)
		}
	}
}
