package ratelimit

import (
	"container/heap"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/jonboulle/clockwork"
)

// move is a legal move by label: it reads an issue and its log, and removes the label before.
type move struct {
	due     time.Time // of its next call
	asked   time.Time
	caller  Caller
	grant   *Grant
	calls   int
	attempt int
}

// traffic is moves, by when they go on.
type traffic []*move

func (t traffic) Len() int { return len(t) }
func (t traffic) Less(i, j int) bool {
	if c := t[i].due.Compare(t[j].due); c != 0 {
		return c < 0
	}
	return t[i].asked.Before(t[j].asked)
}
func (t traffic) Swap(i, j int) { t[i], t[j] = t[j], t[i] }
func (t *traffic) Push(x any)   { *t = append(*t, x.(*move)) }
func (t *traffic) Pop() any {
	last := (*t)[len(*t)-1]
	*t = (*t)[:len(*t)-1]
	return last
}

const (
	aCall        = 50 * time.Millisecond
	pointsOfMove = 2*pointsOfRead + PointsOfWrite
)

// play lets moves ask for points until all are done, and tells of each how long it took.
func play(t *testing.T, l *Limiter, clock *clockwork.FakeClock, all traffic, done func(m *move, took time.Duration)) {
	t.Helper()
	heap.Init(&all)
	gates := map[flow]time.Time{} // where a person's moves in a repository wait for one another, the oldest first
	tick := clock.Now()
	for len(all) > 0 {
		m := all[0]
		for ; l.replicas != nil && m.due.After(tick); tick = tick.Add(sharePace) {
			clock.Advance(max(0, tick.Sub(clock.Now())))
			if err := l.keepShares(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		clock.Advance(max(0, m.due.Sub(clock.Now())))
		if closed := gates[m.caller.flow()]; m.grant == nil && clock.Now().Before(closed) {
			m.due = closed
			heap.Fix(&all, 0)
			continue
		}
		if m.grant == nil {
			grant, wait := l.Begin(m.caller, pointsOfMove)
			m.grant, m.due = grant, clock.Now().Add(wait)
			m.caller.Waited, gates[m.caller.flow()] = true, m.due
			m.attempt++
			if m.attempt > 1000 {
				t.Fatal("a move waits for ever")
			}
			heap.Fix(&all, 0)
			continue
		}
		if m.calls > 0 { // the call before has an answer
			l.ended(m.grant, call{points: []int{pointsOfRead, pointsOfRead, PointsOfWrite}[m.calls-1]}, nil)
		}
		if m.calls == 3 {
			m.grant.End()
			done(m, clock.Since(m.asked))
			heap.Pop(&all)
			continue
		}
		method := []string{http.MethodGet, http.MethodGet, http.MethodDelete}[m.calls]
		request, err := http.NewRequestWithContext(t.Context(), method, "https://github.test/x", http.NoBody)
		if err == nil {
			_, err = l.admit(m.grant, request)
		}
		if err != nil {
			t.Fatal(err)
		}
		m.calls++
		m.due = clock.Now().Add(aCall)
		heap.Fix(&all, 0)
	}
}

// A bulk edit of 160 issues uses what there is, and moves in other repositories find points meanwhile.
func TestABulkEditDelaysItsEditor(t *testing.T) {
	t.Parallel()
	elsewhere := func(n int) Caller { return Caller{Installation: 7, Repository: int64(2 + n%5), Person: "ada"} }
	here := func(int) Caller { return Caller{Installation: 7, Repository: 1, Person: "ada"} }
	for name, c := range map[string]struct {
		stranger func(n int) Caller
		every    time.Duration
		editors  int
		replica  bool // one of several
	}{
		"now and then":                     {elsewhere, 5 * time.Second, 1, false},
		"often":                            {elsewhere, 2 * time.Second, 1, false},
		"while forty edit":                 {elsewhere, 5 * time.Second, 40, false},
		"another person in its repository": {here, 5 * time.Second, 1, false},
		"at one replica of several":        {elsewhere, 2 * time.Second, 1, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := clockwork.NewFakeClockAt(began)
			var all traffic
			for n := range 160 {
				at := began.Add(time.Duration(n) * time.Millisecond)
				all = append(all, &move{due: at, asked: at, caller: Caller{Installation: 7, Repository: 1, Person: fmt.Sprint("olivia-", n%c.editors)}})
			}
			for n := range int(90 * time.Second / c.every) {
				at := began.Add(time.Second + time.Duration(n)*c.every)
				all = append(all, &move{due: at, asked: at, caller: c.stranger(n)})
			}
			var bulk, stranger time.Duration
			l := NewLimiter(Settings{Points: GitHubPoints}, clock)
			if c.replica {
				l.ShareBy(line{newMemory(clock), func(string) outcome { return works }})
			}
			play(t, l, clock, all, func(m *move, took time.Duration) {
				if m.caller.Person != "ada" {
					bulk = max(bulk, took)
				} else {
					stranger = max(stranger, took)
				}
			})
			t.Logf("the bulk edit took %s, a stranger's move at most %s", bulk, stranger)
			if bulk > 90*time.Second || stranger > 2*time.Second {
				t.Errorf("the bulk edit took %s, want at most 90 s; a stranger's move up to %s, want at most 2 s", bulk, stranger)
			}
		})
	}
}

// After a burst of 90 issues, 40 moves a minute find nothing in their way once it is over.
func TestABurstDrains(t *testing.T) {
	t.Parallel()
	clock := clockwork.NewFakeClockAt(began)
	var all traffic
	moves := func(n int, every time.Duration) {
		for i := range n {
			at := began.Add(time.Duration(i) * every)
			all = append(all, &move{due: at, asked: at, caller: Caller{Installation: 7, Repository: 1}})
		}
	}
	moves(90, time.Millisecond)
	moves(200, 1500*time.Millisecond)
	play(t, NewLimiter(Settings{Points: GitHubPoints}, clock), clock, all, func(m *move, took time.Duration) {
		switch asked := m.asked.Sub(began); {
		case asked > time.Minute && took > time.Second:
			t.Errorf("a move %s after the burst took %s", asked, took)
		case took > time.Minute:
			t.Errorf("a move of the burst took %s", took)
		}
	})
}

// Moves that come without end in one repository use nine tenths of what GitHub allows.
func TestManyMovesUseWhatGitHubAllows(t *testing.T) {
	t.Parallel()
	clock := clockwork.NewFakeClockAt(began)
	var all traffic
	for range 700 {
		all = append(all, &move{due: began, asked: began, caller: Caller{Installation: 7, Repository: 1, Person: "olivia"}})
	}
	byMinute := map[int]int{}
	play(t, NewLimiter(Settings{Points: GitHubPoints}, clock), clock, all, func(*move, time.Duration) {
		byMinute[int(clock.Since(began).Minutes())]++
	})
	t.Logf("moves by minute: %v", byMinute)
	for minute := range 5 {
		if byMinute[minute] < 115 {
			t.Errorf("%d moves in minute %d, want at least 115", byMinute[minute], minute)
		}
	}
}
