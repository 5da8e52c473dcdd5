package ratelimit

import (
	"net/http"
	"testing"
	"time"
)

// shared is an hour that others use too.
type shared struct {
	*wire
	used  int
	reset time.Time
}

func newShared(t *testing.T, budget int) *shared {
	t.Helper()
	s := &shared{wire: newWire(t, Share(budget)), reset: began.Add(time.Hour)}
	s.answer = func(*http.Request) (*http.Response, error) {
		s.used++
		return anHourWith(s.used, s.reset), nil
	}
	return s
}

// reads makes a call, and says how many points are left after it.
func (s *shared) reads(class Class) int {
	s.Helper()
	compare(s.T, "a call", "ok", s.asked(WithCaller(s.Context(), Caller{Installation: 7, Class: class}), http.MethodGet, "/x"))
	return s.Points(7)
}

// A server has what others leave of a minute's points, but at least a half.
func TestAServerSeesWhatOthersUse(t *testing.T) {
	t.Parallel()
	s := newShared(t, GitHubPoints)
	compare(t, "a call", 899, s.reads(People))
	s.used += 300
	compare(t, "others read 300 times", 598, s.reads(People))
	compare(t, "and no more", 597, s.reads(People))
	s.used += 300
	compare(t, "others can do much else", 446, s.reads(Background))
	s.clock.Advance(time.Minute)
	compare(t, "a minute later", 900, s.Points(7))
	s.used += 300
	s.clock.Advance(2 * time.Minute)
	compare(t, "after three minutes without a call", 799, s.reads(People))
}

// A late answer of the hour before does not count as calls of others.
func TestALateAnswerOfTheHourBefore(t *testing.T) {
	t.Parallel()
	s := newShared(t, GitHubPoints)
	s.reset = began.Add(time.Second)
	s.used = 4000
	s.reads(People)
	s.clock.Advance(2 * time.Second)
	old := s.reset
	s.used, s.reset = 0, s.clock.Now().Add(time.Hour)
	left := s.reads(People)
	answer := s.answer
	s.answer = func(*http.Request) (*http.Response, error) { return anHourWith(4001, old), nil }
	compare(t, "the late one", left-1, s.reads(People))
	s.answer = answer
	compare(t, "the next", left-2, s.reads(People))
	compare(t, "the new hour", 2, s.Hours()[7].People)
}

// A replica that has a share of the points does not give others of it what they have anyway.
func TestAShareOfThePointsIsForOneReplica(t *testing.T) {
	t.Parallel()
	s := newShared(t, GitHubPoints/2)
	compare(t, "a call", 449, s.reads(People))
	s.used += 300
	compare(t, "another replica read 300 times", 448, s.reads(People))
}

// What was used before is not of the minute, except at the beginning of an hour.
func TestWhatOthersUsedBefore(t *testing.T) {
	t.Parallel()
	s := newShared(t, GitHubPoints)
	s.used, s.reset = 600, began.Add(59*time.Minute)
	compare(t, "some minutes of the hour are over", 899, s.reads(People))
	s.clock.Advance(59*time.Minute + 30*time.Second)
	s.used, s.reset = 200, s.clock.Now().Add(59*time.Minute+30*time.Second)
	compare(t, "half a minute of the next", 699, s.reads(People))
}

// Calls under way are not those of others, whether GitHub has counted them or not.
func TestOwnCallsUnderWay(t *testing.T) {
	t.Parallel()
	s := newShared(t, GitHubPoints)
	compare(t, "a call", 899, s.reads(People))
	inner, answer := 0, s.answer
	s.answer = func(*http.Request) (*http.Response, error) {
		s.answer = answer
		s.used++ // GitHub counts this one now, and answers after the next
		inner = s.reads(People)
		return anHourWith(s.used, s.reset), nil
	}
	compare(t, "two at a time", 897, s.reads(People))
	compare(t, "the first answer", 897, inner)
	compare(t, "a third", 896, s.reads(People))
	s.answer = func(*http.Request) (*http.Response, error) { return nil, errDown }
	compare(t, "none", errDown.Error(), s.asked(WithCaller(t.Context(), Caller{Installation: 7}), http.MethodGet, "/x"))
	s.answer = answer
	s.used += 100
	compare(t, "what failed is no longer under way", 794, s.reads(People))
}

// A program leaves to a server what that uses: three points for each of its calls.
func TestAProgramLeavesPointsToAServer(t *testing.T) {
	t.Parallel()
	s := newShared(t, GitHubPoints)
	s.Patiently(func(time.Duration) {})
	compare(t, "a call", 899, s.reads(Questions))
	s.used += 100
	compare(t, "a server made 100 calls", 598, s.reads(Questions))
	s.used += 200
	compare(t, "and 200", -3, s.reads(Questions))
	compare(t, "the program", "background 1m0s", s.asked(WithCaller(t.Context(), Caller{Installation: 7, Class: Questions}), http.MethodGet, "/x"))
	s.clock.Advance(time.Minute)
	compare(t, "a minute later", 899, s.reads(Questions))
}

// A program spreads its calls, so that it has not used much when a server needs many points. A server lets questions use a third before.
func TestAProgramSpreadsItsCalls(t *testing.T) {
	t.Parallel()
	for name, atOnce := range map[string]int{"a program": 101, "a server": 301} {
		s := newShared(t, GitHubPoints)
		if name == "a program" {
			s.Patiently(func(time.Duration) {})
		}
		reads := 0
		for s.asked(WithCaller(t.Context(), Caller{Installation: 7, Class: Questions}), http.MethodGet, "/x") == "ok" {
			reads++
		}
		compare(t, name, atOnce, reads)
	}
}
