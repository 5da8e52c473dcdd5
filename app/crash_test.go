package app_test

import (
	"errors"
	"iter"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/long"
)

var errKilled = errors.New("this Colony was killed")

// crashingTransport lets a number of calls to GitHub through and none after them, as if the process had ended there.
type crashingTransport struct {
	mu   sync.Mutex
	made int
	last int // 0: all are let through
}

func (c *crashingTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	c.mu.Lock()
	c.made++
	crashed := c.last > 0 && c.made > c.last
	c.mu.Unlock()
	if crashed {
		return nil, errKilled
	}
	return http.DefaultTransport.RoundTrip(r)
}

// after lets k more calls through; 0: all.
func (c *crashingTransport) after(k int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.made, c.last = 0, k
}

// calls is how many there were since the last call of after.
func (c *crashingTransport) calls() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.made
}

// crashPoints are the calls after which a scenario of so many is cut off: every third, or with -long each.
func crashPoints(calls int) iter.Seq[int] {
	step := 3
	if long.Whole() {
		step = 1
	}
	return func(yield func(int) bool) {
		for k := 1; k <= calls; k += step {
			if !yield(k) {
				return
			}
		}
	}
}

// endOf plays a scenario on an issue in development, kills Colony after its k-th call (0: never), starts another one, and
// says how it ended and how many calls there were before the end of the first Colony.
func endOf(t *testing.T, scenario func(*world), k int, change ...func(*config.Config)) (end string, calls int) {
	t.Helper()
	return endWithoutColony(t, scenario, k, func(*issue) {}, change...)
}

// endWithoutColony is endOf with what people do in between, while no Colony runs.
func endWithoutColony(t *testing.T, scenario func(*world), k int, meanwhile func(*issue), change ...func(*config.Config)) (end string, calls int) {
	t.Helper()
	return endFrom(t, func(*world) {}, scenario, k, meanwhile, change...)
}

// endAfter is endOf with what happens before the issue is there.
func endAfter(t *testing.T, before, scenario func(*world), k int) (end string, calls int) {
	t.Helper()
	return endFrom(t, before, scenario, k, func(*issue) {})
}

func endFrom(t *testing.T, before, scenario func(*world), k int, meanwhile func(*issue), change ...func(*config.Config)) (end string, calls int) {
	t.Helper()
	w := newWorldWithoutColony(t, append(change, onDisk(t))...)
	crash := &crashingTransport{}
	w.transport = crash
	w.start()
	w.install()
	before(w)
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-development")
	w.Settle()

	crash.after(k)
	scenario(w)
	w.Settle()
	calls = crash.calls()
	w.stopColony()
	meanwhile(i)
	w.transport = nil
	w.start()
	for range 6 {
		w.clock.Advance(time.Minute)
		w.Settle()
	}
	return i.Describe(), calls
}

// If a person takes back a command's move before the next Colony starts, Colony does not run the command again.
func TestCommandWhoseMoveWasTakenBackIsNotRunAgain(t *testing.T) {
	t.Parallel()
	scenario := func(w *world) { w.Issues[0].Comment("olivia", "/colony:block it burns") }
	_, calls := endOf(t, scenario, 0)
	takenBack := false
	for k := 1; !takenBack && k <= calls; k++ {
		got, _ := endWithoutColony(t, scenario, k, func(i *issue) {
			takenBack = slices.Equal(i.Labels(), []string{"colony:failure-blocked", "colony:in-development"})
			if takenBack {
				i.Unlabel("olivia", "colony:failure-blocked")
			}
		})
		if want := "labels [colony:in-development], reactions [+1], said:\n  "; takenBack && got != want {
			t.Errorf("stopped after call %d of %d:\ngot  %s\nwant %s", k, calls, got, want)
		}
	}
	if !takenBack {
		t.Error("Colony never stopped between the two labels of the move")
	}
}
