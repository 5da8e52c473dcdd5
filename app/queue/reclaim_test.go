package queue

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestWhatAKilledProcessHeldRunsAtOnce(t *testing.T) {
	o := Options{Dir: t.TempDir(), fixed: fixed{partitions: 3, lease: time.Hour}}
	first := open(t, o)
	for n := range 9 {
		publish(t, first, Task{ID: fmt.Sprint(n), Issue: n})
	}
	held := 0
	for _, w := range first.workers { // takes one and never returns
		if batch, err := w.FetchNoWait(1); err != nil {
			t.Fatal(err)
		} else {
			for range batch.Messages() {
				held++
			}
		}
	}
	if held == 0 {
		t.Fatal("nothing was held")
	}
	closed(t, first)

	second := open(t, o)
	ran := make(chan string, 20)
	start(t, second, func(_ context.Context, task Task) (*Requeue, error) { ran <- task.ID; return nil, nil })
	idle(t, second)
	got := map[string]int{}
	for _, id := range drained(ran) {
		got[id]++
	}
	want := map[string]int{}
	for n := range 9 {
		want[fmt.Sprint(n)] = 1
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("with %d held (-want +ran):\n%s", held, diff)
	}
}
