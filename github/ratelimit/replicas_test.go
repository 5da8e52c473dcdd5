package ratelimit

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/jonboulle/clockwork"
)

// three is replicas with one clock. Each of them reads for people.
type three struct {
	*testing.T
	clock  *clockwork.FakeClock
	ledger *memory
	of     [3]*Limiter
	cutOff [3]outcome // what becomes of a replica's writes
}

func newThree(t *testing.T) *three {
	t.Helper()
	clock := clockwork.NewFakeClockAt(began)
	s := &three{T: t, clock: clock, ledger: newMemory(clock)}
	s.ledger.since = began.Add(-time.Hour)
	for n := range s.of {
		s.of[n] = NewLimiter(Share(GitHubPoints), clock)
		s.of[n].ShareBy(line{s.ledger, func(what string) outcome {
			if what == "write" || s.cutOff[n] == gone {
				return s.cutOff[n]
			}
			return works
		}})
	}
	return s
}

// reads makes calls at a replica until it has no points for another, but not more than some.
func (s *three) reads(n, most int) (done int) {
	s.Helper()
	for done < most && s.read(n, done) {
		done++
	}
	return done
}

// read makes a call at a replica for a repository.
func (s *three) read(n, repository int) bool {
	s.Helper()
	caller := Caller{Installation: 7, Repository: int64(repository % 50), Waited: true}
	grant, wait := s.of[n].Begin(caller, pointsOfRead)
	if wait > 0 {
		return false
	}
	defer grant.End()
	request, err := http.NewRequestWithContext(With(context.Background(), grant), http.MethodGet, "https://github.test/x", http.NoBody)
	if err != nil {
		s.Fatal(err)
	}
	c, err := s.of[n].admit(grant, request)
	if err != nil {
		return false
	}
	s.of[n].ended(grant, c, nil)
	return true
}

// passes lets time pass, in which the replicas keep their shares and some of them read all they can. It returns how many reads each made.
func (s *three) passes(d time.Duration, busy ...int) (done [3]int) {
	s.Helper()
	for range d / sharePace {
		s.clock.Advance(sharePace)
		for _, n := range busy {
			done[n] += s.reads(n, GitHubPoints)
		}
		for n := range s.of {
			_ = s.of[n].keepShares(s.Context())
		}
	}
	return done
}

// Shares follow use: a replica that alone has work gets nearly all points, and those that have work share them.
func TestSharesFollowUse(t *testing.T) {
	t.Parallel()
	s := newThree(t)
	atLeast := func(about string, want int, got ...int) {
		t.Helper()
		for _, n := range got {
			if n < want {
				t.Errorf("%s: %d points in a minute, want at least %d", about, n, want)
			}
		}
	}
	for n := range s.of {
		compare(t, "a call at each", 1, s.reads(n, 1))
	}
	s.passes(time.Minute, 0)
	one := s.passes(time.Minute, 0)
	t.Logf("one: %v", one)
	atLeast("one of three", 720, one[0])
	s.passes(time.Minute, 0, 1)
	two := s.passes(time.Minute, 0, 1)
	t.Logf("two: %v", two)
	atLeast("two of three", 400, two[0], two[1])
	s.passes(2*time.Minute, 2)
	last := s.passes(time.Minute, 2)
	t.Logf("the last: %v", last)
	atLeast("the others have no work", 800, last[2])
}

// While others use all points, a replica gets some in two seconds, and its part in a minute. The requests of others still find some.
func TestAReplicaThatComesLateGetsPoints(t *testing.T) {
	t.Parallel()
	s := newThree(t)
	s.passes(2*time.Minute, 0)
	compare(t, "a call finds nothing yet", 0, s.reads(1, 1))
	s.passes(2 * time.Second)
	compare(t, "two seconds later", 20, s.reads(1, 20))
	s.passes(time.Minute, 0, 1)
	if both := s.passes(time.Minute, 0, 1); both[1] < 400 {
		t.Errorf("it uses %d points, want 400", both[1])
	}
}

// The share of a replica that was killed comes back, but not while GitHub can count its last calls in the same window.
func TestTheShareOfAKilledReplicaComesBack(t *testing.T) {
	t.Parallel()
	s := newThree(t)
	s.passes(time.Minute, 0)
	s.cutOff[0] = gone
	wrote := s.clock.Now()
	for range 2 {
		s.clock.Advance(leaseLasts/2 - time.Millisecond)
		s.reads(0, GitHubPoints)
	}
	counted := s.clock.Now().Add(aCallTakes)
	s.clock.Advance(2 * time.Millisecond)
	compare(t, "its lease is over", 0, s.reads(0, 1))
	for points := 0; points < 700; {
		points += s.passes(sharePace, 1)[1]
		switch now := s.clock.Now(); {
		case points > 100 && now.Before(counted.Add(time.Minute)):
			t.Fatalf("%d points %s after the last call", points, now.Sub(counted))
		case now.Sub(wrote) > 2*time.Minute+2*sharePace:
			t.Fatalf("%d points %s after the last lease", points, now.Sub(wrote))
		}
	}
	s.cutOff[0] = works
	compare(t, "it is back", true, s.passes(2*time.Minute, 0)[0] > 400)
}

// What a replica gives back is no longer its own, even if it does not learn that the ledger has it.
func TestAnAnswerOfTheLedgerThatIsLost(t *testing.T) {
	t.Parallel()
	s := newThree(t)
	s.passes(5*time.Second, 0)
	s.passes(50 * time.Second)
	s.cutOff[0] = goneAndDone
	s.passes(10 * time.Second) // all points are back, and it keeps a few
	others := s.passes(2*time.Second, 1)[1]
	if one := s.reads(0, GitHubPoints); others < 600 || one+others > GitHubPoints {
		t.Errorf("%d and %d points are used", one, others)
	}
}

// A replica asks the ledger for shares, not for calls. One that leaves returns at the ledger what it has not used.
func TestTheLedgerIsAskedSeldom(t *testing.T) {
	t.Parallel()
	s := newThree(t)
	asked := 0
	s.of[0].replicas.ledger = line{s.ledger, func(string) outcome {
		asked++
		return works
	}}
	compare(t, "reads", 200, s.reads(0, 200))
	compare(t, "what the ledger is asked: a page, since when, and a share", 3, asked)
	s.passes(time.Minute)
	if asked > 3+2*10 {
		t.Errorf("it is asked %d times in a minute in which nothing happens", asked)
	}
	before := asked
	s.passes(10 * time.Minute)
	compare(t, "nothing is left to ask for", before, asked)
	s.reads(0, 200)
	compare(t, "it leaves", nil, s.of[0].LeaveShares(t.Context()))
	s.passes(5*time.Second, 1)
	if left := s.reads(1, GitHubPoints); left != 0 || s.of[1].budget(7).points.budget != GitHubPoints-200 {
		t.Errorf("another has %d points, want what was not used of 900", s.of[1].budget(7).points.budget)
	}
}

// The calls of other replicas are in their shares: GitHub's count of them does not lower this one's.
func TestOtherReplicasAreNotCountedTwice(t *testing.T) {
	t.Parallel()
	s := newShared(t, GitHubPoints)
	s.ShareBy(line{newMemory(s.clock), func(string) outcome { return works }})
	before := s.reads(People)
	s.used += 300
	compare(t, "another replica read 300 times", before-1, s.reads(People))
	compare(t, "the hour", 300, s.Hours()[7].Others)
}

// writes makes comments at a replica, of some that it has, until one waits. The one that waits is written first when its time has come.
func (s *three) writes(n int, written *int, due *time.Time) {
	s.Helper()
	for !s.clock.Now().Before(*due) {
		path := fmt.Sprintf("/repos/acme/widgets/issues/%d/comments", n*10_000+*written)
		ctx := WithCaller(s.Context(), Caller{Installation: 7, Repository: int64(n)})
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://github.test"+path, http.NoBody)
		if err != nil {
			s.Fatal(err)
		}
		_, err = s.of[n].Middleware(RoundTripperFunc(func(*http.Request) (*http.Response, error) { return &http.Response{Header: http.Header{}}, nil })).RoundTrip(request)
		if limited, ok := errors.AsType[*Error](err); ok {
			*due = s.clock.Now().Add(limited.Wait)
		} else {
			*written++
		}
	}
}

// Comments are shared as points are: a replica that alone has some writes nearly all of a minute and of an hour.
func TestSharesOfComments(t *testing.T) {
	t.Parallel()
	s := newThree(t)
	var written [3]int
	var due [3]time.Time
	passes := func(d time.Duration, busy ...int) {
		for range d / sharePace {
			s.passes(sharePace)
			for _, n := range busy {
				s.writes(n, &written[n], &due[n])
			}
		}
	}
	passes(time.Minute, 0)
	if written[0] < 70 {
		t.Errorf("%d comments in the first minute, want 70 of 80", written[0])
	}
	passes(59*time.Minute, 0)
	if written[0] < 490 {
		t.Errorf("%d comments in the first hour, want 490 of 500", written[0])
	}
	written = [3]int{}
	passes(time.Hour, 0, 1)
	t.Logf("in an hour of both: %v", written)
	passes(time.Hour, 0, 1)
	t.Logf("in two: %v", written)
	if written[0] < 300 || written[1] < 300 {
		t.Errorf("they write %v comments in two hours, want 300 each of 1000", written)
	}
}

// A request cannot use the points that it holds once the share is over that they are of.
func TestPointsThatAreHeldEndWithTheirShare(t *testing.T) {
	t.Parallel()
	s := newThree(t)
	grant, wait := s.of[0].Begin(Caller{Installation: 7}, PointsOfReconciliation)
	if wait > 0 {
		t.Fatalf("it waits %s", wait)
	}
	reads := func() string {
		request, err := http.NewRequestWithContext(With(s.Context(), grant), http.MethodGet, "https://github.test/x", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = s.of[0].admit(grant, request); err != nil {
			return err.Error()
		}
		return "ok"
	}
	s.cutOff[0] = gone
	s.clock.Advance(leaseLasts - 1)
	compare(t, "the last moment", "ok", reads())
	s.clock.Advance(1)
	compare(t, "the end", "the budget of points is used up, wait 500ms", reads())
}
