package queue

import (
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// A task that has to wait for a short time is not stored again with a delay and later moved back, which syncs the disk three times: this
// process keeps it, unanswered, with what waits behind it, and renews its lease. While it waits, it holds no place at work. If the process ends,
// the task is delivered again as it was stored, like any that was not answered.
//
// Only with the embedded server, where a process has the tasks of many issues at a time. With an external one, all of the partition would wait.
// There, and where the wait is long or much is held, the task is stored.

// holdAtMost is how long a task can be held: what renews the lease so often costs less than storing it. GitHub limits calls mostly for a minute
// (https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit).
const holdAtMost = 2 * time.Minute

// isCrowded reports whether the process has so many tasks that what waits is to make room. A quarter of the window is for tasks that need not
// wait. The caller holds the lock.
func (s *sequencer) isCrowded() bool { return len(s.held) > s.run.q.opts.window*3/4 }

// firstHeld is added to the place in the stream of what is held, so that it is no place in the stream of what is delayed.
const firstHeld = uint64(1) << 63

// mayHold reports whether a task that comes back is held: if it asks for a short wait at a gate, and there is room.
func (s *sequencer) mayHold(again Requeue) bool {
	if s.run.q.server == nil || !again.Hold || again.Gate == "" || again.After > holdAtMost {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.isCrowded()
}

// crowds returns how long a task has to be put aside which would wait behind one that is held, where little room is left. It returns 0 if the
// task can come.
func (s *sequencer) crowds(subject string) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	issue := s.issues[subject]
	if issue == nil || issue.onHold.IsZero() || !s.isCrowded() {
		return 0
	}
	return max(issue.onHold.Sub(s.run.q.opts.Clock.Now()), time.Second)
}

type held struct {
	turn   chan struct{} // closed when it can go on
	onHold func(bool)    // counts it among the tasks that are held, or no longer
}

// hold keeps a task until it can go on. It reports false if the run is over.
func (s *sequencer) hold(m jetstream.Msg, again Requeue) bool {
	l := s.run.q.delayed
	due := l.q.opts.Clock.Now().Add(max(again.After, 0))
	h := &held{turn: make(chan struct{})}
	h.onHold = func(is bool) {
		s.mu.Lock()
		defer s.mu.Unlock()
		issue, one := s.issues[m.Subject()], int64(1)
		issue.onHold = due
		if !is {
			issue.onHold, one = time.Time{}, -1
		}
		s.run.q.onHold.first.Add(one)
		s.run.q.onHold.all.Add(one * int64(len(issue.tasks)))
	}
	d := delayed{seq: firstHeld + placeOf(m), due: due, gate: again.Gate, rank: again.Rank, reason: again.Reason, held: h}
	if t, err := parseTask(m.Subject(), m.Headers(), nil); err == nil {
		d.published = t.Published
	}
	l.hold(d)
	select {
	case <-h.turn:
		return true
	case <-s.ctx.Done():
		l.forget(d.seq)
		return false
	}
}

// heldCount counts the tasks that are held until they can go on, and all that are held, with the tasks that wait behind the first ones.
type heldCount struct{ first, all atomic.Int64 }

// hold lets a task wait that is not in the stream.
func (l *delayQueue) hold(d delayed) {
	l.mu.Lock()
	defer l.mu.Unlock()
	d.held.onHold(true)
	l.enter(d, l.q.opts.Clock.Now())
	l.rouse()
}

func (l *delayQueue) goOn(d delayed) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.entries[d.seq]; !ok {
		return
	}
	d.held.onHold(false) // before it is forgotten: until then it keeps Idle waiting
	l.left(d)
	close(d.held.turn)
}

func (l *delayQueue) forget(seq uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if entry, ok := l.entries[seq]; ok {
		entry.held.onHold(false)
		l.drop(entry)
	}
}
