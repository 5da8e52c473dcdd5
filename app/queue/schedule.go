package queue

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// schedule orders the delayed tasks: a task without a gate goes on when it is due, another by the rules of its gate. Callers hold a lock.
type schedule struct {
	entries map[uint64]*delayed
	due     lane             // tasks without a gate
	gates   map[string]*gate // those at which a task waits
	changes uint64           // counts additions and removals
}

func (s *schedule) enter(d delayed, now time.Time) {
	s.entries[d.seq] = &d
	s.changes++
	if d.gate == "" {
		s.due.add(&d)
		return
	}
	g := s.gates[d.gate]
	if g == nil {
		g = &gate{waiting: lane{order: byRank}}
		g.close(now) // after a restart, too, one passes after the other
		s.gates[d.gate] = g
	}
	g.close(d.due)
	g.waiting.add(&d)
}

// next returns the task that goes on next, and when.
func (s *schedule) next() (next delayed, at time.Time, ok bool) {
	if len(s.due.tasks) > 0 {
		next, at, ok = *s.due.tasks[0], s.due.tasks[0].due, true
	}
	for _, g := range s.gates {
		if opens := g.opens(); !ok || opens.Before(at) {
			next, at, ok = *g.waiting.tasks[0], opens, true
			next.due = g.from // see left
		}
	}
	return next, at, ok
}

// left forgets a task that went on, as it was when that began: its gate might have closed since.
func (s *schedule) left(d delayed) {
	if g := s.gates[d.gate]; g != nil && g.from.Equal(d.due) {
		g.passed++
	}
	s.drop(s.entries[d.seq])
}

func (s *schedule) drop(entry *delayed) {
	delete(s.entries, entry.seq)
	s.changes++
	g := s.gates[entry.gate]
	if g == nil {
		s.due.drop(entry)
		return
	}
	g.waiting.drop(entry)
	if len(g.waiting.tasks) == 0 {
		delete(s.gates, entry.gate)
	}
}

// holdUp lets a task wait that could not be moved, and with it the tasks that wait at its gate.
func (s *schedule) holdUp(d *delayed, until time.Time) {
	s.changes++
	if g := s.gates[d.gate]; g != nil {
		g.close(until)
		return
	}
	s.due.drop(d)
	d.due = until
	s.due.add(d)
}

// Delay is what waits for one reason.
type Delay struct {
	Reason string // see Requeue; empty: a failed task is tried again, or makes room for others
	Tasks  int
	Until  time.Time // when the last of them is due
}

func (s *schedule) delays() []Delay {
	by := map[string]Delay{}
	for _, d := range s.entries {
		sum := by[d.reason]
		sum.Reason, sum.Tasks = d.reason, sum.Tasks+1
		due := d.due
		if g := s.gates[d.gate]; g != nil && g.opens().After(due) {
			due = g.opens()
		}
		if due.After(sum.Until) {
			sum.Until = due
		}
		by[d.reason] = sum
	}
	return slices.SortedFunc(maps.Values(by), func(a, b Delay) int { return cmp.Compare(a.Reason, b.Reason) })
}
