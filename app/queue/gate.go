package queue

import (
	"container/heap"
	"math/bits"
	"time"
)

// gatePace is how far apart tasks pass a gate that has opened. What made them wait would come back if all came together. So the first passes
// alone and has twice as long to find out, then four, sixteen, … pass. A task that meets it again closes the gate for the tasks that have not
// passed.
const gatePace = 50 * time.Millisecond

// gate is where tasks wait together. While it is closed they cost nothing. When a task that passed is requeued to it, the gate closes again, and
// none of the others is touched. Every replica learns of a gate from the delayed tasks themselves.
type gate struct {
	from    time.Time // when it opens
	passed  int       // how many passed since then
	waiting lane
}

func (g *gate) opens() time.Time { return g.from.Add(passesAfter(g.passed)) }

// passesAfter returns how long after its opening a gate lets another task pass, when so many have.
func passesAfter(passed int) time.Duration {
	if passed == 0 {
		return 0
	}
	groups := (bits.Len(uint(3*passed+1)) - 1) / 2 // of n groups pass (4^n-1)/3
	return time.Duration(1+groups) * gatePace
}

// close keeps a gate closed until a time, if it does not open later anyway.
func (g *gate) close(until time.Time) {
	if until.After(g.opens()) {
		g.from, g.passed = until, 0
	}
}

// delayed is what is known in memory of a task that was requeued.
type delayed struct {
	seq   uint64 // in the stream
	due   time.Time
	index int // in its lane

	gate      string // where it waits; empty: only for its time
	rank      int
	published time.Time // when the task was first published
	reason    string    // why it waits

	held *held // of a task that is held in memory; nil: it is stored
}

// byDue orders tasks by when they are due, then by when they were requeued.
func byDue(a, b *delayed) bool {
	if c := a.due.Compare(b.due); c != 0 {
		return c < 0
	}
	return a.seq < b.seq
}

// byRank orders tasks at a gate by rank, then by when they were first published: one that is requeued again keeps its place.
func byRank(a, b *delayed) bool {
	if a.rank != b.rank {
		return a.rank < b.rank
	}
	if c := a.published.Compare(b.published); c != 0 {
		return c < 0
	}
	return a.seq < b.seq
}

// lane is a heap of tasks (container/heap).
type lane struct {
	tasks []*delayed
	less  func(a, b *delayed) bool
}

func (l *lane) first() *delayed    { return l.tasks[0] }
func (l *lane) add(d *delayed)     { heap.Push(l, d) }
func (l *lane) moved(d *delayed)   { heap.Fix(l, d.index) }
func (l *lane) drop(d *delayed)    { heap.Remove(l, d.index) }
func (l *lane) Len() int           { return len(l.tasks) }
func (l *lane) Less(i, j int) bool { return l.less(l.tasks[i], l.tasks[j]) }
func (l *lane) Swap(i, j int) {
	l.tasks[i], l.tasks[j] = l.tasks[j], l.tasks[i]
	l.tasks[i].index, l.tasks[j].index = i, j
}

func (l *lane) Push(x any) {
	d := x.(*delayed)
	d.index = len(l.tasks)
	l.tasks = append(l.tasks, d)
}

func (l *lane) Pop() any {
	last := l.tasks[len(l.tasks)-1]
	l.tasks[len(l.tasks)-1] = nil
	l.tasks = l.tasks[:len(l.tasks)-1]
	return last
}
