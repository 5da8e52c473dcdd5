package queue

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// window is how many tasks of the embedded server's a process holds at a time, at work or waiting for those before them. The server is
// this process's alone, so that the order of an issue's tasks can be kept here, and one consumer is enough: each writes its state to
// the disk, many times a second.
const window = 1024

// maxBehind is how many tasks of one issue are held. Further ones keep those of other issues waiting for impatientAfter; then they are
// put aside for putAsideFor, until the issue has caught up.
const (
	maxBehind      = 128
	impatientAfter = time.Second // in real time: how long the issue can take to catch up
	putAsideFor    = 30 * time.Second
)

// sequencer works on what a partition delivers: on tasks of different issues side by side, on those of one issue one after the other.
// It renews the leases of all of them.
type sequencer struct {
	run      *run
	ctx      context.Context
	consumer jetstream.Consumer
	beats    *time.Ticker
	ended    chan struct{}

	mu         sync.Mutex
	working    sync.WaitGroup
	issues     map[string]*sequence // by subject
	held       map[uint64]jetstream.Msg
	last       string          // where the answer to the last task went
	unfinished []jetstream.Msg // to be given back when the run of the partition is over: see giveBackAll
}

// sequence is the tasks of one issue that are held, the one that is worked on first.
type sequence struct {
	tasks    []jetstream.Msg
	onHold   time.Time     // until when the first is held at least; zero if it is not: see hold.go
	slow     bool          // it did not catch up in time
	caughtUp chan struct{} // closed when half of the tasks that can be held are done; nil if no one waits for that
}

func (r *run) newSequencer(ctx context.Context, consumer jetstream.Consumer) *sequencer {
	s := &sequencer{
		run: r, ctx: ctx, consumer: consumer, beats: time.NewTicker(r.q.opts.lease / 4), ended: make(chan struct{}),
		issues: map[string]*sequence{}, held: map[uint64]jetstream.Msg{},
	}
	go s.keepLeases()
	return s
}

// end returns when no task is being worked on.
func (s *sequencer) end() {
	s.working.Wait()
	s.beats.Stop()
	close(s.ended)
}

// resumeTime is how long a run waits for what the one before it gave back. In real time, the server's.
const resumeTime = time.Second

// resume takes what the last run gave back, in its order: the server delivers it before anything else, but in any order.
func (s *sequencer) resume(messages jetstream.MessagesContext) error {
	ctx, cancel := context.WithTimeout(s.ctx, resumeTime)
	defer cancel()
	info, err := s.consumer.Info(ctx)
	if s.ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return fmt.Errorf("ask what the last run left: %w", err)
	}
	var left []jetstream.Msg
	for len(left) < info.NumAckPending {
		m, err := messages.Next(jetstream.NextContext(ctx))
		if err != nil { // it is still worked on, or comes when its lease ends
			break
		}
		left = append(left, m)
	}
	slices.SortFunc(left, byPlace)
	for _, m := range left {
		s.take(m)
	}
	return nil
}

// take puts a task behind those of its issue.
func (s *sequencer) take(m jetstream.Msg) {
	if s.ctx.Err() != nil {
		s.keepForNext(m)
		return
	}
	meta, err := m.Metadata()
	if err != nil {
		s.run.discard(m, err)
		return
	}
	if s.isFull(m.Subject()) {
		s.run.putAside(m, putAsideFor)
		return
	}
	if wait := s.crowds(m.Subject()); wait > 0 {
		s.run.putAside(m, wait)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, again := s.held[meta.Sequence.Stream]; again { // its lease ended while this process did not run
		return
	}
	s.held[meta.Sequence.Stream] = m
	issue := s.issues[m.Subject()]
	if issue == nil {
		issue = &sequence{}
		s.issues[m.Subject()] = issue
		s.working.Go(func() { s.work(m.Subject(), m) })
	}
	issue.tasks = append(issue.tasks, m)
	if !issue.onHold.IsZero() {
		s.run.q.onHold.all.Add(1)
	}
}

// isFull reports whether an issue has as many tasks as are held of one, and does not catch up.
func (s *sequencer) isFull(subject string) bool {
	s.mu.Lock()
	issue := s.issues[subject]
	if issue == nil || len(issue.tasks) < maxBehind {
		s.mu.Unlock()
		return false
	}
	if issue.slow {
		s.mu.Unlock()
		return true
	}
	caughtUp := make(chan struct{})
	issue.caughtUp = caughtUp
	s.mu.Unlock()
	impatient := time.NewTimer(impatientAfter)
	defer impatient.Stop()
	select {
	case <-caughtUp:
		return false
	case <-s.ctx.Done():
		return false
	case <-impatient.C:
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	issue.slow = true
	return true
}

// work does the tasks of an issue until no task is left.
func (s *sequencer) work(subject string, m jetstream.Msg) {
	for more := true; more; m, more = s.next(subject, m) {
		if s.ctx.Err() != nil || s.attend(m) {
			s.keepForNext(m)
		}
	}
}

// attend works on a task until it is answered, or can no longer be answered.
func (s *sequencer) attend(m jetstream.Msg) (unfinished bool) {
	for held := false; ; held = true {
		again, unfinished := s.run.attend(s, m, held)
		if again == nil {
			return unfinished
		}
		if !s.hold(m, *again) {
			return true
		}
	}
}

// keepForNext remembers a task that no one worked on to its end.
func (s *sequencer) keepForNext(m jetstream.Msg) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unfinished = append(s.unfinished, m)
}

// next lets go of a task and returns the one behind it.
func (s *sequencer) next(subject string, done jetstream.Msg) (m jetstream.Msg, more bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.held, placeOf(done))
	s.last = done.Reply()
	issue := s.issues[subject]
	issue.tasks[0] = nil
	issue.tasks = issue.tasks[1:]
	if issue.caughtUp != nil && len(issue.tasks) <= maxBehind/2 {
		close(issue.caughtUp)
		issue.caughtUp = nil
	}
	if len(issue.tasks) == 0 {
		delete(s.issues, subject)
		return nil, false
	}
	return issue.tasks[0], true
}

// behind yields what waits behind a task of an issue, oldest first: what is held here, or else what the server has.
func (s *sequencer) behind(m jetstream.Msg) iter.Seq[waiting] {
	if s.run.q.opts.window == 1 {
		return s.run.inStream(s.run.workCtx, m)
	}
	s.mu.Lock()
	held := slices.Clone(s.issues[m.Subject()].tasks[1:])
	s.mu.Unlock()
	return func(yield func(waiting) bool) {
		for _, m := range held {
			t, err := parseTask(m.Subject(), m.Headers(), m.Data())
			if err != nil || !yield(waiting{t, placeOf(m)}) {
				return
			}
		}
	}
}

func (s *sequencer) keepLeases() {
	for {
		select {
		case <-s.beats.C:
		case <-s.ended:
			return
		}
		s.mu.Lock()
		held := slices.Collect(maps.Values(s.held))
		s.mu.Unlock()
		for _, m := range held {
			if err := m.InProgress(); err != nil {
				s.run.q.opts.Log.Warn().Err(err).Str("subject", m.Subject()).Msg("queue: the lease of a task cannot be renewed")
			}
		}
	}
}

func byPlace(a, b jetstream.Msg) int { return cmp.Compare(placeOf(a), placeOf(b)) }

// placeOf returns a task's place in the stream; 0 if the message does not say it, which take lets no one see.
func placeOf(m jetstream.Msg) uint64 {
	meta, err := m.Metadata()
	if err != nil {
		return 0
	}
	return meta.Sequence.Stream
}
