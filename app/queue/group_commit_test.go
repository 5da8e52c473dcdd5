package queue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// published is what came of a publication.
type published struct {
	id        string
	duplicate bool
	err       error
}

// atOnce publishes tasks, and lets the queue store the first of them when all wait for that.
func atOnce(t *testing.T, q *Queue, tasks []Task) []published {
	t.Helper()
	q.commits.mu.Lock()
	q.commits.batching = true // as if a batch were being stored
	q.commits.mu.Unlock()
	var publishing sync.WaitGroup
	results := make([]published, len(tasks))
	for i, task := range tasks {
		publishing.Go(func() {
			duplicate, err := q.Publish(t.Context(), task)
			results[i] = published{task.ID, duplicate, err}
		})
	}
	waiting := func() int {
		q.commits.mu.Lock()
		defer q.commits.mu.Unlock()
		return len(q.commits.waiting)
	}
	for waiting() < len(tasks) {
		if t.Context().Err() != nil {
			t.Fatal("not all wait")
		}
	}
	q.commits.mu.Lock()
	q.commits.batching = false
	q.commits.next()
	q.commits.mu.Unlock()
	publishing.Wait()
	return results
}

// batched counts the messages that were stored at once with others.
func batched(t *testing.T, q *Queue) int {
	t.Helper()
	info, err := q.tasks.Info(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for place := info.State.FirstSeq; place <= info.State.LastSeq; place++ {
		m, err := q.tasks.GetMsg(t.Context(), place)
		if err != nil {
			t.Fatal(err)
		}
		if m.Header.Get(headerBatch) != "" {
			n++
		}
	}
	return n
}

func TestWhatComesTogetherIsStoredAtOnce(t *testing.T) {
	q := open(t, Options{})
	var tasks []Task
	var want []string
	for n := range maxBatch + minBatch {
		id := fmt.Sprintf("%03d", n)
		want = append(want, id)
		tasks = append(tasks, Task{ID: id, Repository: 1, Issue: n % 10, Body: []byte(id)})
	}
	for _, p := range atOnce(t, q, tasks) {
		if p.duplicate || p.err != nil {
			t.Errorf("%+v", p)
		}
	}
	if n := batched(t, q); n != len(tasks) {
		t.Errorf("%d of %d were stored at once", n, len(tasks))
	}
	ran := make(chan string, 2*len(tasks))
	start(t, q, func(_ context.Context, task Task) (*Requeue, error) { ran <- string(task.Body); return nil, nil })
	idle(t, q)
	got := drained(ran)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +ran):\n%s", diff)
	}
	for _, task := range tasks {
		if duplicate, err := q.Publish(t.Context(), task); !duplicate || err != nil {
			t.Fatalf("%s is forgotten: %v, %v", task.ID, duplicate, err)
		}
	}
}

func TestADuplicateAmongWhatComesTogetherIsDropped(t *testing.T) {
	q := open(t, Options{})
	publish(t, q, Task{ID: "known"})
	tasks := []Task{{ID: "known"}, {ID: "twice"}, {ID: "twice"}}
	for n := range minBatch {
		tasks = append(tasks, Task{ID: fmt.Sprint(n)})
	}
	got := map[string]int{}
	for _, p := range atOnce(t, q, tasks) {
		if p.err != nil {
			t.Errorf("%+v", p)
		}
		if p.duplicate {
			got[p.id]++
		}
	}
	if diff := cmp.Diff(map[string]int{"known": 1, "twice": 1}, got); diff != "" {
		t.Errorf("duplicates (-want +got):\n%s", diff)
	}
	info, err := q.tasks.Info(t.Context())
	if err != nil || info.State.Msgs != uint64(minBatch+2) {
		t.Errorf("%d tasks are stored, %v", info.State.Msgs, err)
	}
}

func TestWhatComesTogetherAndHasNoRoomIsRefused(t *testing.T) {
	q := open(t, Options{MaxBytes: minBytes})
	var tasks []Task
	for n := range 2 * minBatch {
		tasks = append(tasks, Task{ID: fmt.Sprint(n), Body: make([]byte, minBytes/minBatch)})
	}
	full := 0
	for _, p := range atOnce(t, q, tasks) {
		switch {
		case errors.Is(p.err, ErrFull):
			full++
		case p.err != nil:
			t.Error(p.err)
		}
	}
	info, err := q.tasks.Info(t.Context())
	if err != nil || full == 0 || full+int(info.State.Msgs) != len(tasks) {
		t.Errorf("%d of %d are refused, %d stored, %v", full, len(tasks), info.State.Msgs, err)
	}
}
