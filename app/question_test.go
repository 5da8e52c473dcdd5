package app_test

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// flood has somebody write the same comment on issues, one after the other, as fast as GitHub lets them: 80 in a minute.
func flood(all []*issue, by, body string) (comments map[*issue][]int64) {
	comments = map[*issue][]int64{}
	for n := range 80 {
		i := all[n%len(all)]
		comments[i] = append(comments[i], i.Comment(by, body))
	}
	return comments
}

// openSome opens issues in a state, and lets the budget come back that this took.
func (w *world) openSome(n int) []*issue {
	w.t.Helper()
	var all []*issue
	for range n {
		i := w.open("ada", "")
		i.Label("olivia", "colony:in-development")
		all = append(all, i)
	}
	w.Settle()
	w.clock.Advance(5 * time.Minute)
	w.Quiet()
	return all
}

// ignore takes everything that Colony said and reacted for read, and counts the comments.
func ignore(all []*issue) (comments, characters int) {
	for _, i := range all {
		for _, c := range i.ColonyComments() {
			i.ReadComments[c.GetID()] = true
			comments++
			characters += len(c.GetBody())
		}
		for _, c := range i.AllComments() {
			for _, r := range i.ColonyReactions(c.GetID()) {
				i.ReadReactions[r.GetID()] = true
			}
		}
	}
	return comments, characters
}

// One person who may only read, and writes as many comments as GitHub lets them, holds up nobody's move.
func TestReaderHoldsUpNobody(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, body string
		spread     int
	}{
		{"one command, on an issue", "/colony:status", 1},
		{"twenty commands", strings.Repeat("/colony:status\n/colony:help\n", 10), 20},
		{"a move", "/colony:move done", 20},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			flooded, other := w.openSome(c.spread), w.openSome(2)
			w.github.HoldDeliveries()
			comments := flood(flooded, "rita", c.body)
			other[0].Label("olivia", "colony:in-review")
			pause := other[1].Comment("tara", "/colony:pause")
			w.github.ReleaseDeliveries(nil)
			w.Quiet() // and no time passes
			other[0].Has("colony:in-review")
			other[1].Has("colony:paused")
			other[1].ColonyReacts(pause, "+1")
			other[1].Label("tara", "colony:in-development") // nor is anything used up that comes next
			w.Quiet()
			other[1].Has("colony:in-development")

			w.Pass(20, time.Minute)
			if n := w.Delayed(); n > 0 {
				t.Errorf("%d requests still wait", n)
			}
			for i, ids := range comments {
				for _, id := range ids {
					if len(i.ColonyReactions(id)) != 1 {
						t.Errorf("%d reactions on a comment", len(i.ColonyReactions(id)))
					}
				}
			}
			if n, characters := ignore(flooded); n > 6 || characters > 20_000 { // five, and one comes back in 20 minutes
				t.Errorf("%d comments of %d characters", n, characters)
			}
			w.within()
		})
	}
}

// On the same issue, too: what people ask who may not move it waits for those who may.
func TestMoversGoBeforeQuestions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.openSome(1)[0]
	w.github.HoldDeliveries()
	comments := flood([]*issue{i}, "rita", "/colony:status")
	pause := i.Comment("tara", "/colony:pause")
	w.github.ReleaseDeliveries(nil)
	w.Quiet()
	i.Has("colony:paused")
	i.ColonyReacts(pause, "+1")
	w.Pass(20, time.Minute)
	if n := len(i.ColonyReactions(comments[i][79])); n != 1 {
		t.Errorf("the last question has %d reactions", n)
	}
	ignore([]*issue{i})
}

// A person who may move issues gets answers as before, however much others ask.
func TestMoversAreAnswered(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	all := w.openSome(8)
	for _, i := range all {
		status := i.Comment("tara", "/colony:status")
		w.Quiet()
		i.ColonySays("`in-development`")
		i.ColonyReacts(status, "+1")
	}
}

// Colony does not read again what another request answered already.
func TestRequestsWhoseCommentsAreAnsweredCostNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.openSome(1)[0]
	w.github.HoldDeliveries()
	var comments []int64
	for range 10 {
		comments = append(comments, i.Comment("tara", "/colony:pause"))
	}
	w.github.ResetCalls()
	w.Must(w.colony.server.Sweep(ctx)) // the sweep finds all of them before their webhooks come
	w.Must(w.colony.server.Idle(ctx))
	i.Has("colony:paused")
	for _, c := range comments {
		i.ColonyReacts(c, "+1")
	}
	// The issue, its log, the comments and one permission; then what the sweep read, and what follows from the move.
	if n := w.ReadsOf(i.Number); n > 10 {
		t.Errorf("%d reads of the issue for ten commands that one reconciliation ran", n)
	}
	w.clock.Advance(time.Minute)
	w.github.ResetCalls()
	w.github.ReleaseDeliveries(nil)
	w.Quiet()
	if n := w.ReadsOf(i.Number); n > 0 {
		t.Errorf("%d reads for ten commands that were answered before", n)
	}
}

// BenchmarkReader shows what becomes of 80 comments that one person who may only read writes at once, each with a command or with
// twenty, and how long a legal move on another issue waits for them: by the clock of the test, in seconds (moved-s). answered-s is
// when the last of the comments had its receipt; comments and characters are what Colony wrote by then.
//
//	go test ./app -run '^$' -bench Reader -benchtime 1x
func BenchmarkReader(b *testing.B) {
	for _, c := range []struct {
		name, body string
		spread     int
	}{
		{"one command", "/colony:status", 1},
		{"one command, twenty issues", "/colony:status", 20},
		{"twenty commands, twenty issues", strings.Repeat("/colony:status\n/colony:help\n", 10), 20},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				w := newWorld(b)
				flooded, other := w.openSome(c.spread), w.openSome(1)[0]
				w.github.HoldDeliveries()
				asked := flood(flooded, "rita", c.body)
				other.Label("olivia", "colony:in-review")
				w.github.ReleaseDeliveries(nil)
				began := w.clock.Now()
				until := func(done func() bool) float64 {
					for w.Quiet(); !done(); w.Quiet() {
						w.clock.Advance(5 * time.Second)
					}
					return w.clock.Since(began).Seconds()
				}
				b.ReportMetric(until(func() bool { return slices.Equal(other.Labels(), []string{"colony:in-review"}) }), "moved-s")
				b.ReportMetric(until(func() bool { return answered(asked) }), "answered-s")
				comments, characters := ignore(flooded)
				b.ReportMetric(float64(comments), "comments")
				b.ReportMetric(float64(characters), "characters")
				w.stopColony()
			}
		})
	}
}

// answered reports whether each comment has a reaction of Colony's.
func answered(asked map[*issue][]int64) bool {
	for i, ids := range asked {
		for _, id := range ids {
			if len(i.ColonyReactions(id)) == 0 {
				return false
			}
		}
	}
	return true
}
