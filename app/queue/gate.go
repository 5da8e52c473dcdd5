package queue

import (
	"cmp"
	"math/bits"
	"slices"
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
	seq uint64 // in the stream
	due time.Time

	gate      string // where it waits; empty: only for its time
	rank      int
	published time.Time // when the task was first published
	reason    string    // why it waits

	held *held // of a task that is held in memory; nil: it is stored
}

// byDue orders tasks by when they are due, then by when they were requeued.
func byDue(a, b *delayed) int { return cmp.Or(a.due.Compare(b.due), cmp.Compare(a.seq, b.seq)) }

// byRank orders tasks at a gate by rank, then by when they were first published: one that is requeued again keeps its place.
func byRank(a, b *delayed) int {
	return cmp.Or(cmp.Compare(a.rank, b.rank), a.published.Compare(b.published), cmp.Compare(a.seq, b.seq))
}

// lane is tasks in an order.
type lane struct {
	tasks []*delayed
	order func(a, b *delayed) int
}

func (l *lane) add(d *delayed) {
	at, _ := slices.BinarySearchFunc(l.tasks, d, l.order)
	l.tasks = slices.Insert(l.tasks, at, d)
}

func (l *lane) drop(d *delayed) {
	at := slices.Index(l.tasks, d)
	l.tasks = slices.Delete(l.tasks, at, at+1)
}
