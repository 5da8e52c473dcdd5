package simulation

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/queue"
	"github.com/colony-app/colony/app/worker"
)

// memoryQueue keeps the promises of package queue, and no more: each ID once within the window, tasks of one issue one at a
// time and in order, at least once. It is for one goroutine.
type memoryQueue struct {
	app.Queue // what no simulation calls: they hand the tasks to Server.Work themselves

	clock clockwork.Clock
	// stored and putOff hold the ids of what was ever stored, as the two streams do.
	stored, putOff map[string]bool
	waiting        []queue.Task
	later          []laterTask
	busy           map[issueKey]bool
	abandoned      map[string]int
	dead           []queue.DeadLetter
	letters        uint64 // how many there ever were
	noted          map[string][]byte
	notesSince     time.Time
	// refuses is what Publish answers instead of keeping a task.
	refuses error
}

type laterTask struct {
	queue.Task
	due time.Time
}

type issueKey struct {
	repository int64
	issue      int
}

func keyOf(t queue.Task) issueKey { return issueKey{t.Repository, t.Issue} }

func messageID(t queue.Task) string { return fmt.Sprintf("%d/%s", t.Attempt, t.ID) }

func newMemoryQueue(clock clockwork.Clock) *memoryQueue {
	q := &memoryQueue{clock: clock}
	q.lose()
	return q
}

// lose forgets everything.
func (q *memoryQueue) lose() {
	*q = memoryQueue{clock: q.clock, stored: map[string]bool{}, putOff: map[string]bool{}, busy: q.busy, abandoned: map[string]int{}, dead: q.dead, letters: q.letters, noted: map[string][]byte{}, notesSince: q.clock.Now()}
	if q.busy == nil {
		q.busy = map[issueKey]bool{}
	}
}

// openQueue gives every Colony of a simulation the one queue.
func (s *simulation) openQueue(context.Context, queue.Options) (app.Queue, error) {
	return s.queue, nil
}

// Note implements app.Queue.
func (q *memoryQueue) Note(_ context.Context, key string, note []byte) error {
	q.noted[key] = note
	return nil
}

// Noted implements app.Queue.
func (q *memoryQueue) Noted(_ context.Context, key string) (note []byte, ok bool, err error) {
	note, ok = q.noted[key]
	return note, ok, nil
}

// NotesSince implements app.Queue.
func (q *memoryQueue) NotesSince() time.Time { return q.notesSince }

// Broadcast implements app.Queue: nobody receives it, as if the connection between the replicas were down.
func (q *memoryQueue) Broadcast([]byte) error { return nil }

// Subscribe implements app.Queue.
func (q *memoryQueue) Subscribe(func([]byte)) error { return nil }

// DeadLetters implements app.Queue.
func (q *memoryQueue) DeadLetters(context.Context) ([]queue.DeadLetter, error) {
	return slices.Clone(q.dead), nil
}

// RetryDeadLetter implements app.Queue.
func (q *memoryQueue) RetryDeadLetter(_ context.Context, letter uint64) error {
	i := slices.IndexFunc(q.dead, func(d queue.DeadLetter) bool { return d.Letter == letter })
	if i < 0 {
		return queue.ErrNoLetter
	}
	task := q.dead[i].Task
	q.dead = slices.Delete(q.dead, i, i+1)
	task.Attempt, task.Failures = task.Attempt+1, 0
	q.store(task)
	return nil
}

// Publish implements app.Queue.
func (q *memoryQueue) Publish(_ context.Context, t queue.Task) (duplicate bool, err error) {
	if q.refuses != nil {
		return false, q.refuses
	}
	t.Attempt, t.Failures, t.Published = 0, 0, q.clock.Now()
	return !q.store(t), nil
}

func (q *memoryQueue) store(t queue.Task) bool {
	if q.stored[messageID(t)] {
		return false
	}
	q.stored[messageID(t)] = true
	q.waiting = append(q.waiting, t)
	return true
}

// ready returns the tasks that may begin now: the first of each issue that nobody works on.
func (q *memoryQueue) ready() []queue.Task {
	slices.SortStableFunc(q.later, func(a, b laterTask) int { return a.due.Compare(b.due) })
	for len(q.later) > 0 && !q.later[0].due.After(q.clock.Now()) {
		q.store(q.later[0].Task)
		q.later = q.later[1:]
	}
	var ready []queue.Task
	taken := map[issueKey]bool{}
	for _, t := range q.waiting {
		if !q.busy[keyOf(t)] && !taken[keyOf(t)] {
			taken[keyOf(t)] = true
			ready = append(ready, t)
		}
	}
	return ready
}

// next returns when the next delayed task is due.
func (q *memoryQueue) next() (due time.Time, ok bool) {
	for _, t := range q.later {
		if !ok || t.due.Before(due) {
			due, ok = t.due, true
		}
	}
	return due, ok
}

func (q *memoryQueue) take(t queue.Task) { q.busy[keyOf(t)] = true }

// join takes along what waits right behind a task.
func (q *memoryQueue) join(t queue.Task) (whole queue.Task, with []queue.Task) {
	if t.Failures > 0 {
		return t, nil
	}
	joining, behind := worker.Join(t), false
	for _, next := range q.waiting {
		switch {
		case messageID(next) == messageID(t):
			behind = true
			continue
		case !behind || keyOf(next) != keyOf(t):
			continue
		}
		if next.Failures > 0 || !joining.Add(next) {
			break
		}
		with = append(with, next)
	}
	whole = t
	if len(with) > 0 {
		whole.Body, _ = joining.Body()
	}
	return whole, with
}

// abandonments is how often a worker may end without an answer before that counts as a failure.
const abandonments = 3

// abandon gives a task back whose worker was killed: it stays the first of its issue.
func (q *memoryQueue) abandon(t queue.Task) {
	delete(q.busy, keyOf(t))
	q.abandoned[messageID(t)]++
	if q.abandoned[messageID(t)] >= abandonments {
		q.settle(t, t, nil, nil, fmt.Errorf("its workers ended without an answer"), false)
	}
}

// settle keeps what became of a task. With lost, the task is not acknowledged and runs again.
// What it took along is done with it, unless it failed, or was requeued before without that.
func (q *memoryQueue) settle(t, whole queue.Task, with []queue.Task, requeue *queue.Requeue, err error, lost bool) {
	delete(q.busy, keyOf(t))
	next, wait, back := t, time.Duration(0), false
	if err == nil {
		next = whole
	}
	next.Attempt++
	switch {
	case err != nil:
		next.Failures++
		if next.Failures >= 10 {
			q.letters++
			q.dead = append(q.dead, queue.DeadLetter{Task: next, Letter: q.letters, Error: err.Error(), Died: q.clock.Now()})
			break
		}
		wait, back = min(time.Second<<(next.Failures-1), 5*time.Minute), true
	case requeue != nil:
		next.Failures = 0
		if requeue.Body != nil {
			next.Body = requeue.Body
		}
		wait, back = max(requeue.After, 0), true
	}
	known := back && q.putOff[messageID(next)]
	if back && !known {
		q.putOff[messageID(next)] = true
		q.later = append(q.later, laterTask{next, q.clock.Now().Add(wait)})
	}
	if lost {
		return
	}
	done := []queue.Task{t}
	if err == nil && !known {
		done = append(done, with...)
	}
	q.waiting = slices.DeleteFunc(q.waiting, func(w queue.Task) bool {
		return slices.ContainsFunc(done, func(d queue.Task) bool { return messageID(d) == messageID(w) })
	})
}
