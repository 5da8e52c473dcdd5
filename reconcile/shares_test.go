package reconcile

import (
	"fmt"
	"testing"
	"time"

	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
)

// The shares: of 600 points in a minute, what people ask who may not move issues has 60 for a person, 60 on an issue, and 150 in a
// repository; and so many comments in an hour.
func TestWhoGetsWhat(t *testing.T) {
	t.Parallel()
	at := func(installation int64, repository string, number int) issues.Ref {
		return issues.Ref{Repository: issues.Repository{Installation: installation, Owner: "acme", Name: repository}, Number: number}
	}
	for _, row := range []struct {
		name string
		ask  func(n int) question // the n-th question
		// of 100 questions at one moment
		begun int
		// of 100 comments at one moment, and of 100 more an hour later
		comments [2]int
	}{
		{"one person, one issue", func(int) question { return question{at(1, "widgets", 1), "rita"} }, 12, [2]int{5, 5}},
		{"one person, in capitals too, many issues", func(n int) question { return question{at(1, "widgets", n), []string{"rita", "Rita"}[n%2]} }, 12, [2]int{5, 5}},
		{"one person, many repositories", func(n int) question { return question{at(1, fmt.Sprint("r", n), 1), "rita"} }, 12, [2]int{5, 5}},
		{"many people, one issue", func(n int) question { return question{at(1, "widgets", 1), fmt.Sprint("p", n)} }, 12, [2]int{10, 10}},
		{"many people, many issues", func(n int) question { return question{at(1, "widgets", n), fmt.Sprint("p", n)} }, 30, [2]int{30, 30}},
		{"many people, many repositories", func(n int) question { return question{at(1, fmt.Sprint("r", n), 1), fmt.Sprint("p", n)} }, 100, [2]int{100, 100}},
		{"one person, many installations", func(n int) question { return question{at(int64(n), "widgets", 1), "rita"} }, 100, [2]int{100, 100}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			clock := clockwork.NewFakeClock()
			s, newer := newShares(ratelimit.Settings{Points: 600}, clock), newShares(ratelimit.Settings{Points: 600}, clock)
			begun := 0
			for n := range 100 {
				if wait, _ := newer.begin(row.ask(n), 0); wait == 0 {
					begun++
				}
			}
			if begun != row.begun {
				t.Errorf("%d questions begin at once, want %d", begun, row.begun)
			}
			var comments [2]int
			for hour := range comments {
				for n := range 100 {
					if s.comment(row.ask(n)) {
						comments[hour]++
					}
				}
				clock.Advance(time.Hour)
			}
			if comments != row.comments {
				t.Errorf("%v comments, want %v", comments, row.comments)
			}
		})
	}
}

// A question that waits comes to the next share when its time is there, and pays for each once.
func TestQuestionsWaitForTheirShare(t *testing.T) {
	t.Parallel()
	clock := clockwork.NewFakeClock()
	s := newShares(ratelimit.Settings{Points: 600}, clock)
	q := question{issues.Ref{Repository: issues.Repository{Installation: 1, Owner: "acme", Name: "widgets"}, Number: 1}, "rita"}
	var waits []time.Duration
	for range 15 {
		wait, passed := s.begin(q, 0)
		if waits = append(waits, wait); wait > 0 && passed != 1 {
			t.Errorf("passed %d shares, and waits for the first", passed)
		}
	}
	for n, wait := range waits {
		if want := max(0, time.Duration(n-11)*5*time.Second); wait.Round(time.Millisecond) != want {
			t.Errorf("question %d waits for %s, want %s", n, wait, want)
		}
	}
	clock.Advance(waits[14])
	for n := range 3 { // the issue's share has been used by twelve; what it had since is enough for these
		if wait, passed := s.begin(q, 1); wait > 0 || passed != len(shareTable) {
			t.Errorf("the %d. that waited waits for %s more, past %d shares", n, wait, passed)
		}
	}
}

func TestWithoutABoundOfPointsOnlyCommentsAreBounded(t *testing.T) {
	t.Parallel()
	s := newShares(ratelimit.Settings{}, clockwork.NewFakeClock())
	q := question{issues.Ref{Number: 1}, "rita"}
	comments := 0
	for range 100 {
		if wait, _ := s.begin(q, 0); wait > 0 || s.answer(q, 1) > 0 {
			t.Fatal("it waits for points that nobody bounds")
		}
		if s.comment(q) {
			comments++
		}
	}
	if comments != shareTable[0].comments {
		t.Errorf("%d comments", comments)
	}
}

// However many requests come while answers wait on an issue, one comes back for all of them.
func TestOneRequestComesBackForTheAnswersThatWait(t *testing.T) {
	t.Parallel()
	clock := clockwork.NewFakeClock()
	s := newShares(ratelimit.Settings{Points: 600}, clock)
	widget, gadget := issues.Ref{Repository: issues.Repository{ID: 1}, Number: 1}, issues.Ref{Repository: issues.Repository{ID: 1}, Number: 2}
	for n, step := range []struct {
		ref     issues.Ref
		comes   bool
		advance time.Duration
	}{
		{widget, true, 0}, {widget, false, 0}, {gadget, true, 9 * time.Second}, {widget, false, time.Second}, {widget, true, 0}, {widget, false, 0},
	} {
		if comes := s.deferAnswers(step.ref, 10*time.Second); comes != step.comes {
			t.Errorf("step %d: comes back is %v", n, comes)
		}
		clock.Advance(step.advance)
	}
}
