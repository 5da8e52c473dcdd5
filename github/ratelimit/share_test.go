package ratelimit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/jonboulle/clockwork"
	"pgregory.net/rapid"

	"github.com/colony-app/colony/long"
)

// written is a page of a ledger in memory.
type written struct {
	text     []byte
	revision uint64
}

// memory is a ledger in memory.
type memory struct {
	clock    clockwork.Clock
	since    time.Time
	pages    map[int64]written
	revision uint64
	late     []func() // writes that arrive later
	between  func()   // happens between a read and a write
}

// line is a replica's connection to a ledger.
type line struct {
	*memory
	fate func(what string) outcome
}

// outcome is what becomes of a call of the ledger.
type outcome int

const (
	works outcome = iota
	gone
	goneAndDone // it is done, but the answer does not arrive
	goneAndLate // it is done some time later
)

func newMemory(clock clockwork.Clock) *memory {
	return &memory{clock: clock, pages: map[int64]written{}, between: func() {}}
}

var errCutOff = errors.New("cut off")

func (l line) Read(_ context.Context, installation int64) ([]byte, uint64, error) {
	if l.fate("read") != works {
		return nil, 0, errCutOff
	}
	p := l.pages[installation]
	return p.text, p.revision, nil
}

func (l line) Since(context.Context) (time.Time, error) {
	if l.fate("since") != works {
		return time.Time{}, errCutOff
	}
	return l.since, nil
}

func (l line) Write(_ context.Context, installation int64, text []byte, revision uint64) (bool, error) {
	l.between()
	done := false
	write := func() {
		if done = l.pages[installation].revision == revision; done {
			l.revision++
			l.pages[installation] = written{bytes.Clone(text), l.revision}
		}
	}
	switch l.fate("write") {
	case works:
		write()
		return done, nil
	case goneAndDone:
		write()
	case goneAndLate:
		l.late = append(l.late, write)
	case gone:
	}
	return false, errCutOff
}

// lose forgets all pages.
func (m *memory) lose() { m.pages, m.since, m.late = map[int64]written{}, m.clock.Now(), nil }

// aCallTakes is at most how long a call takes.
const aCallTakes = 20 * time.Second

// replica is one of several, with its own clock.
type replica struct {
	*Limiter
	clock  *clockwork.FakeClock
	all    []*working
	cutOff bool // from the ledger, more or less
}

// working is a request under way.
type working struct {
	grant *Grant
	sent  []counted
}

// counted is a call, and when GitHub counted it.
type counted struct {
	at time.Time // by the time of the test
	call
}

// office is some replicas and GitHub, which counts their calls.
type office struct {
	*rapid.T
	clock    *clockwork.FakeClock
	settings Settings
	ledger   *memory
	replicas []*replica
	hub      []counted
}

// hires begins a replica, whose clock can be wrong by some seconds.
func (o *office) hires() {
	wrong := time.Duration(rapid.IntRange(-4, 4).Draw(o.T, "seconds wrong")) * time.Second
	clock := clockwork.NewFakeClockAt(o.clock.Now().Add(wrong))
	r := &replica{Limiter: NewLimiter(o.settings, clock), clock: clock}
	r.ShareBy(line{o.ledger, func(what string) outcome {
		if !r.cutOff {
			return works
		}
		if what != "write" {
			return rapid.SampledFrom([]outcome{gone, works}).Draw(o.T, what)
		}
		return rapid.SampledFrom([]outcome{gone, goneAndDone, goneAndLate}).Draw(o.T, what)
	}})
	o.replicas = append(o.replicas, r)
}

// passes lets time pass. Before that, calls are answered that would take too long.
func (o *office) passes(d time.Duration) {
	for d > 0 {
		step := min(d, aCallTakes)
		d -= step
		for _, r := range o.replicas {
			for _, w := range r.all {
				if len(w.sent) > 0 && o.clock.Since(w.sent[0].at)+step > aCallTakes {
					o.answers(r, w)
				}
			}
			r.clock.Advance(step)
		}
		o.clock.Advance(step)
	}
}

// counts notes when GitHub counts a call, up to a time.
func (o *office) counts(c counted, until time.Time) {
	after := time.Duration(rapid.Int64Range(0, int64(until.Sub(c.at))).Draw(o.T, "counted after"))
	o.hub = append(o.hub, counted{c.at.Add(after), c.call})
}

func (o *office) answers(r *replica, w *working) {
	for _, c := range w.sent {
		o.counts(c, o.clock.Now())
		r.ended(w.grant, c.call, nil)
	}
	w.sent = nil
}

// sends makes a call for a request, if the budgets allow it.
func (o *office) sends(r *replica, w *working, method string, issue int) bool {
	path := fmt.Sprintf("/repos/acme/widgets/issues/%d/comments", issue)
	request, err := http.NewRequestWithContext(With(context.Background(), w.grant), method, "https://github.test"+path, http.NoBody)
	if err != nil {
		o.Fatal(err)
	}
	r.needShare(o.Context(), 7)
	c, err := r.admit(w.grant, request)
	if err == nil {
		w.sent = append(w.sent, counted{o.clock.Now(), c})
	}
	return err == nil
}

// dies kills a replica. Its calls arrive at GitHub all the same.
func (o *office) dies(n int) {
	for _, w := range o.replicas[n].all {
		for _, c := range w.sent {
			o.counts(c, c.at.Add(aCallTakes))
		}
	}
	o.replicas = slices.Delete(o.replicas, n, n+1)
}

// works does something at a replica.
func (o *office) works(r *replica) {
	what := rapid.IntRange(0, 6).Draw(o.T, "what")
	if len(r.all) == 0 && what > 1 {
		what = 0
	}
	switch what {
	case 0, 1:
		caller := Caller{Installation: 7, Class: rapid.SampledFrom([]Class{People, People, People, Background, Questions}).Draw(o.T, "class"), Repository: int64(rapid.IntRange(1, 3).Draw(o.T, "repository")), Waited: true}
		if grant, wait := r.Begin(caller, rapid.IntRange(0, 60).Draw(o.T, "needs")); wait == 0 {
			r.all = append(r.all, &working{grant: grant})
		}
	case 2:
		n := rapid.IntRange(0, len(r.all)-1).Draw(o.T, "ends")
		o.answers(r, r.all[n])
		r.all[n].grant.End()
		r.all = slices.Delete(r.all, n, n+1)
	case 3:
		o.answers(r, rapid.SampledFrom(r.all).Draw(o.T, "answered"))
	default:
		w, method := rapid.SampledFrom(r.all).Draw(o.T, "sends"), rapid.SampledFrom([]string{http.MethodGet, http.MethodPatch, http.MethodPost}).Draw(o.T, "method")
		issue := rapid.IntRange(1, 30).Draw(o.T, "issue")
		for range rapid.SampledFrom([]int{3, 1000}).Draw(o.T, "calls") {
			if !o.sends(r, w, method, issue) {
				break
			}
		}
	}
}

// Replicas together keep to the budgets in each window: when they work at the same time, when a replica is killed or cut off from the ledger,
// when its writes arrive late, when clocks differ, and when the ledger is lost. The comments of an hour are forgotten with the ledger.
func TestReplicasTogetherKeepToTheBudgets(t *testing.T) {
	t.Parallel()
	long.Check(t, func(t *rapid.T) {
		clock := clockwork.NewFakeClockAt(began)
		o := &office{T: t, clock: clock, ledger: newMemory(clock), settings: Settings{
			Points: rapid.SampledFrom([]int{SmallestBudget, 40, 300}).Draw(t, "points"), ContentMinute: rapid.IntRange(2, 30).Draw(t, "comments"), ContentHour: rapid.IntRange(10, 60).Draw(t, "hour"),
		}}
		for range rapid.IntRange(1, 4).Draw(t, "replicas") {
			o.hires()
		}
		lost, busy := false, false
		o.ledger.between = func() {
			if busy || rapid.IntRange(0, 9).Draw(t, "between") > 0 {
				return
			}
			busy = true
			for _, r := range o.replicas {
				if r.replicas.steps.TryLock() {
					_ = r.step(t.Context(), 7)
					r.replicas.steps.Unlock()
				}
			}
			busy = false
		}
		for range rapid.IntRange(200, 300).Draw(t, "steps") {
			o.passes(time.Duration(rapid.SampledFrom([]int{0, 0, 0, 500, 500, 2000, 9000, 29_000, 59_000, 61_000}).Draw(t, "ms")) * time.Millisecond)
			for range rapid.IntRange(0, 3).Draw(t, "ticks") {
				for _, r := range o.replicas {
					_ = r.keepShares(t.Context())
				}
			}
			switch n := rapid.IntRange(0, len(o.replicas)-1).Draw(t, "replica"); rapid.IntRange(0, 39).Draw(t, "happens") {
			case 0:
				o.dies(n)
				o.hires()
			case 1:
				o.ledger.lose()
				lost = true
			case 2, 3, 4:
				o.replicas[n].cutOff = !o.replicas[n].cutOff
			case 5:
				for _, late := range o.ledger.late {
					late()
				}
				o.ledger.late = nil
			default:
				o.works(o.replicas[n])
			}
		}
		for len(o.replicas) > 0 {
			o.dies(0)
		}
		keepsTo(t, o.hub, o.settings, lost)
	})
}

// keepsTo asserts that no window has more calls than the budgets allow; forgets says that comments of the hour can have been forgotten.
func keepsTo(t *rapid.T, hub []counted, settings Settings, forgets bool) {
	within := func(last, at time.Time, over time.Duration) bool { return !at.After(last) && at.After(last.Add(-over)) }
	for _, last := range hub {
		var used amounts
		for _, c := range hub {
			for i, over := range windows {
				if within(last.at, c.at, over) && (i == 0 || c.comment) {
					used[i] += max(1, (1-min(i, 1))*c.points)
				}
			}
		}
		for i, most := range settings.amounts() {
			if used[i] > most && (i < 2 || !forgets) {
				t.Fatalf("%d of %d in the window of %s before %s", used[i], most, windows[i], last.at)
			}
		}
	}
}
