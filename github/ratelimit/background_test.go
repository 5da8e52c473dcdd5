package ratelimit

import (
	"testing"
	"time"

	"github.com/jonboulle/clockwork"
)

// What needs little at once asks again and again, as questions and the board do. What needs much begins all the same, and not much later than
// alone; and what needs little goes on meanwhile.
func TestWhatNeedsLittleLeavesRoomForWhatNeedsMuch(t *testing.T) {
	t.Parallel()
	const installation, step = 7, 100 * time.Millisecond
	for name, little := range map[string]struct {
		wait func(l *Limiter) time.Duration
		cost int
	}{
		"questions": {func(l *Limiter) time.Duration { return l.WaitToAnswer(installation) }, pointsOfQuestion},
		"the board": {func(l *Limiter) time.Duration { return l.WaitToFill(installation) }, pointsOfFilling},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := clockwork.NewFakeClock()
			l := NewLimiter(Settings{Points: 900}, clock)
			points := l.budget(installation).points
			points.AllowN(clock.Now(), points.Burst()*2/7) // it has to wait, and what needs little has not
			alone := l.WaitInBackground(installation, Onboarding, PointsOfProvisioning, 0)
			if alone == 0 {
				t.Fatal("nothing has to wait: this test shows nothing")
			}
			began, times := clock.Now(), 0
			for comes := alone; ; clock.Advance(step) {
				for little.wait(l) == 0 {
					points.AllowN(clock.Now(), little.cost)
					times++
				}
				waited := clock.Since(began)
				if waited < comes {
					continue
				}
				again := l.WaitInBackground(installation, Onboarding, PointsOfProvisioning, 0)
				if again == 0 {
					t.Logf("it waited for %s instead of %s, and what needs little went on %d times", waited, alone, times)
					break
				}
				if waited > time.Minute {
					t.Fatal("it never begins")
				}
				comes = waited + again
			}
			if times == 0 {
				t.Error("what needs little has to wait until it has begun")
			}
		})
	}
}
