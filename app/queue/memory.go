package queue

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

// Memory keeps the promises of Queue but one: its tasks end with the process. Tests of other things use it, because it is many times
// cheaper; contract_test.go holds both. It has no replicas, no limit of size, and remembers each ID forever.
type Memory struct {
	opts   Options
	opened time.Time
	life   context.Context // ends with Close
	end    context.CancelFunc
	loops  sync.WaitGroup
	wake   chan struct{} // the earliest due time might have changed

	measured *measured
	changed  signal

	mu       sync.Mutex
	place    uint64              // of the last task that was stored
	seen     map[string]struct{} // message ids, behind where they were stored
	lines    map[line]*inLine    // of the issues that have a task
	order    []*inLine           // issues whose first task waits for a place at work
	run      *memoryRun          // nil between runs
	running  int
	behind   int // running background tasks
	schedule     // by place
	later    map[uint64]Task
	letters  uint64
	dead     []DeadLetter
	notes    map[string][]byte
}

// line is an issue, whose tasks run one at a time.
type line struct {
	repository int64
	issue      int
}

// inLine are the tasks of an issue, in order.
type inLine struct {
	line
	tasks  []waiting
	busy   bool // the first one runs, or waits for a place at work
	onHold bool // the first one is held in memory
	held   bool // the first one was held before this run
}

// memoryRun is one call of Run.
type memoryRun struct {
	worker
	ctx     context.Context // ends when no task can be taken
	working sync.WaitGroup
}

// OpenMemory opens a queue in memory. It uses the options about work: Concurrency, Join, Background, Drain, Clock, Log and Registerer.
func OpenMemory(o Options) (*Memory, error) {
	o = o.withDefaults()
	m := &Memory{
		opts: o, opened: o.Clock.Now().UTC(), wake: make(chan struct{}, 1), seen: map[string]struct{}{}, lines: map[line]*inLine{},
		schedule: newSchedule(), later: map[uint64]Task{}, notes: map[string][]byte{},
	}
	var err error
	if m.measured, err = newMeasured(o.Registerer); err != nil {
		return nil, err
	}
	m.life, m.end = context.WithCancel(context.Background())
	m.loops.Go(m.publishDue)
	return m, nil
}

// Close ends Run as the end of its context would. An error means that ctx ended first.
func (m *Memory) Close(ctx context.Context) error {
	m.mu.Lock()
	m.end()
	m.mu.Unlock()
	if err := waitFor(ctx, m.loops.Wait); err != nil {
		return fmt.Errorf("close the queue: work is still running: %w", err)
	}
	m.measured.unregister()
	return nil
}

// Publish puts a task at the end of its issue's line; see Queue.Publish.
func (m *Memory) Publish(_ context.Context, t Task) (duplicate bool, err error) {
	if m.life.Err() != nil {
		return false, ErrClosed
	}
	if err := t.validate(); err != nil {
		return false, fmt.Errorf("publish: %w", err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	t.Attempt, t.Failures, t.Published = 0, 0, m.opts.Clock.Now().UTC()
	if !m.store(t) {
		m.measured.duplicates.Inc()
		return true, nil
	}
	m.measured.published.Inc()
	return false, nil
}

// isNew remembers a task with its number of attempts, and reports whether the place had none like it.
func (m *Memory) isNew(where string, t Task) bool {
	id := where + t.messageID()
	if _, known := m.seen[id]; known {
		return false
	}
	m.seen[id] = struct{}{}
	return true
}

func (m *Memory) store(t Task) (stored bool) {
	if !m.isNew("task/", t) {
		return false
	}
	m.place++
	l := m.lines[line{t.Repository, t.Issue}]
	if l == nil {
		l = &inLine{line: line{t.Repository, t.Issue}}
		m.lines[l.line] = l
	}
	l.tasks = append(l.tasks, waiting{t, m.place})
	m.goOn(l)
	return true
}

// goOn lets the first task of an issue wait for a place at work.
func (m *Memory) goOn(l *inLine) {
	switch {
	case len(l.tasks) == 0:
		delete(m.lines, l.line)
	case !l.busy && !l.onHold:
		l.busy = true
		m.order = append(m.order, l)
	}
	m.dispatch()
}

// dispatch starts work until no place is left.
func (m *Memory) dispatch() {
	r := m.run
	if r == nil || r.ctx.Err() != nil {
		return
	}
	m.order = slices.DeleteFunc(m.order, func(l *inLine) bool {
		background := m.opts.Background != nil && m.opts.Background(l.tasks[0].Task)
		if m.running == m.opts.Concurrency || background && m.behind == max(1, m.opts.Concurrency/2) {
			return false
		}
		m.count(background, 1)
		r.working.Go(func() { m.attend(r, l, background) })
		return true
	})
}

func (m *Memory) count(background bool, one int) {
	m.running += one
	if background {
		m.behind += one
	}
}

// attend does the first task of an issue, and takes along the tasks behind it.
func (m *Memory) attend(r *memoryRun, l *inLine, background bool) {
	m.mu.Lock()
	t := l.tasks[0].Task
	t.Held = l.held
	behind := slices.Clone(l.tasks[1:])
	m.mu.Unlock()

	whole, with := r.join(t, slices.Values(behind))
	done := make(chan outcome, 1)
	go func() { done <- r.do(whole) }()
	o := outcome{cut: true}
	select {
	case o = <-done:
	case <-r.leave:
		r.log(t).Error().Msg("queue: work did not end when asked to; its task will run again")
	}

	m.mu.Lock()
	defer m.mu.Unlock()
	defer m.changed.all()
	m.count(background, -1)
	l.held = false
	switch {
	case o.cut:
		m.order = append(m.order, l)
		return
	case o.err == nil && o.again != nil && o.again.mayHold():
		m.hold(l, *o.again)
	default:
		m.settle(r, l, whole, with, o)
	}
	l.busy = false
	m.goOn(l)
}

// settle answers the first task of an issue. What fails, fails alone.
func (m *Memory) settle(r *memoryRun, l *inLine, whole Task, with joined, o outcome) {
	t := l.tasks[0].Task
	l.tasks = l.tasks[1:]
	if o.err != nil {
		m.fail(r, r.failure(t, o.err))
		return
	}
	l.tasks = slices.DeleteFunc(l.tasks, func(w waiting) bool { return slices.Contains(with, w.place) })
	m.measured.joined.Add(float64(len(with)))
	if o.again == nil {
		m.measured.done.Inc()
		return
	}
	m.measured.again.Inc()
	m.putBack(whole.again(*o.again), *o.again)
}

func (m *Memory) fail(r *memoryRun, f failure) {
	r.tell(f)
	if !f.dead {
		m.putBack(f.next(), Requeue{After: f.wait})
	} else if m.isNew("dead/", f.task) {
		m.letters++
		m.dead = append(m.dead, DeadLetter{Task: f.task, Letter: m.letters, Error: headerText(f.cause.Error()), Died: m.opts.Clock.Now().UTC()})
	}
}

func (m *Memory) putBack(t Task, a Requeue) {
	if m.isNew("later/", t) {
		m.place++
		m.later[m.place] = t
		m.delay(delayed{seq: m.place, published: t.Published}, a)
	}
}

func (m *Memory) hold(l *inLine, a Requeue) {
	l.onHold = true
	m.measured.again.Inc()
	m.delay(delayed{seq: firstHeld + l.tasks[0].place, published: l.tasks[0].Published, held: &held{line: l}}, a)
}

func (m *Memory) delay(d delayed, a Requeue) {
	now := m.opts.Clock.Now()
	d.due, d.gate, d.rank, d.reason = now.Add(max(a.After, 0)), a.Gate, a.Rank, a.Reason
	m.enter(d, now)
	m.rouse()
}

func (m *Memory) rouse() {
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

// publishDue lets go on what is due, until the queue is closed.
func (m *Memory) publishDue() {
	for m.life.Err() == nil {
		var ring <-chan time.Time
		stop := func() bool { return false }
		if wait, ok := m.moveDue(); ok {
			timer := m.opts.Clock.NewTimer(wait)
			ring, stop = timer.Chan(), timer.Stop
		}
		select {
		case <-m.life.Done():
		case <-m.wake:
		case <-ring:
		}
		stop()
	}
}

// moveDue lets go on what is due. It returns how long the next task waits; ok is false without one.
func (m *Memory) moveDue() (wait time.Duration, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	defer m.changed.all()
	for {
		d, at, ok := m.next()
		if wait = at.Sub(m.opts.Clock.Now()); !ok || wait > 0 {
			return wait, ok
		}
		m.left(d)
		if d.held != nil {
			d.held.line.onHold, d.held.line.held = false, true
			m.goOn(d.held.line)
			continue
		}
		m.store(m.later[d.seq])
		delete(m.later, d.seq)
	}
}

// Run works until ctx ends or the queue is closed; see Queue.Run. The caller has one at a time.
func (m *Memory) Run(ctx context.Context, work Handler) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer context.AfterFunc(m.life, stop)()
	workCtx, endWork := context.WithCancel(context.WithoutCancel(ctx))
	defer endWork()
	r := &memoryRun{worker: newWorker(workCtx, m.opts, m.measured, work), ctx: ctx}

	m.mu.Lock()
	if m.life.Err() != nil {
		m.mu.Unlock()
		return ErrClosed
	}
	m.loops.Add(1)
	defer m.loops.Done()
	m.run = r
	m.dispatch()
	m.mu.Unlock()

	<-ctx.Done()
	m.mu.Lock()
	m.run = nil
	m.mu.Unlock()
	ended := make(chan struct{})
	go func() {
		r.working.Wait()
		close(ended)
	}()
	left := r.drain(ended, endWork, func() int {
		m.mu.Lock()
		defer m.mu.Unlock()
		return m.running
	})
	if left > 0 {
		return fmt.Errorf("stop the queue: %d tasks: %w", left, ErrStillRunning)
	}
	return nil
}

// Pending counts the tasks.
func (m *Memory) Pending(context.Context) (Counts, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := Counts{Running: m.running, Delayed: len(m.entries), Dead: len(m.dead)}
	for _, l := range m.lines {
		c.Waiting += len(l.tasks)
		if l.onHold {
			c.Waiting--
		}
	}
	c.Waiting -= m.running
	return c, nil
}

// Delays lists why tasks are delayed, sorted by reason.
func (m *Memory) Delays() []Delay {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.delays()
}

// Idle returns when every task published so far is done, dead or delayed beyond now.
func (m *Memory) Idle(ctx context.Context) error {
	for {
		changed := m.changed.next()
		if m.isIdle() {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("wait for idleness: %w", ctx.Err())
		case <-m.life.Done():
			return ErrClosed
		}
	}
}

func (m *Memory) isIdle() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, at, ok := m.next(); ok && !at.After(m.opts.Clock.Now()) {
		m.rouse() // a test can move the clock while the timer is being set
		return false
	}
	for _, l := range m.lines {
		if !l.onHold {
			return false
		}
	}
	return true
}

// DeadLetters returns what was given up, oldest first.
func (m *Memory) DeadLetters(context.Context) ([]DeadLetter, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.dead), nil
}

// RetryDeadLetter requeues a dead letter at the end of its issue's line; see Queue.RetryDeadLetter.
func (m *Memory) RetryDeadLetter(_ context.Context, letter uint64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	i := slices.IndexFunc(m.dead, func(d DeadLetter) bool { return d.Letter == letter })
	if i < 0 {
		return ErrNoLetter
	}
	t := m.dead[i].Task
	m.dead = slices.Delete(m.dead, i, i+1)
	t.Attempt, t.Failures = t.Attempt+1, 0
	m.store(t)
	return nil
}

// Note keeps something small; see Queue.Note.
func (m *Memory) Note(_ context.Context, key string, note []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.notes[key] = slices.Clone(note)
	return nil
}

// Noted returns the last note of a key; ok is false without one.
func (m *Memory) Noted(_ context.Context, key string) (note []byte, ok bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	note, ok = m.notes[key]
	return note, ok, nil
}

// NotesSince is the time from which every note is kept.
func (m *Memory) NotesSince() time.Time {
	if kept := m.opts.Clock.Now().Add(-DedupeWindow); kept.After(m.opened) {
		return kept
	}
	return m.opened
}

// Broadcast reaches no one: Memory has no replicas.
func (m *Memory) Broadcast([]byte) error {
	if m.life.Err() != nil {
		return ErrClosed
	}
	return nil
}

// Subscribe never calls the function: Memory has no replicas.
func (m *Memory) Subscribe(func([]byte)) error { return nil }
