package queue

import (
	"fmt"
	"testing"
)

// Nothing works on these tasks, and each way to store one counts.
func TestAQueueIsNotIdleWhileATaskWaits(t *testing.T) {
	t.Parallel()
	for name, tasks := range map[string]int{"stored alone": 1, "stored in a batch": minBatch} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			q := open(t, Options{Dir: dir})
			if idle, err := q.idle(t.Context()); err != nil || !idle {
				t.Fatalf("an empty queue: %t, %v", idle, err)
			}
			var all []Task
			for n := range tasks {
				all = append(all, Task{ID: fmt.Sprint(n), Repository: 1, Issue: n})
			}
			atOnce(t, q, all)
			if got := batched(t, q); tasks > 1 && got != tasks {
				t.Errorf("%d tasks were stored in a batch, not %d", got, tasks)
			}
			if idle, err := q.idle(t.Context()); err != nil || idle {
				t.Errorf("%d tasks wait: idle %t, %v", tasks, idle, err)
			}
			closed(t, q)
			if idle, err := open(t, Options{Dir: dir}).idle(t.Context()); err != nil || idle {
				t.Errorf("%d tasks wait after a restart: idle %t, %v", tasks, idle, err)
			}
		})
	}
}
