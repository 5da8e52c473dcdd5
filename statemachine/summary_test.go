package statemachine

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/colony-app/colony/long"
)

// summedUp draws a log and what else a fold reads, of an issue that is much older than the horizon.
type summedUp struct {
	*rapid.T
	life    *Lifecycle
	history History
	now     time.Time
	orders  map[int64]Actor
}

func drawSummedUp(t *rapid.T, life *Lifecycle) *summedUp {
	d := &summedUp{T: t, life: life, now: morning, orders: map[int64]Actor{}}
	d.history.Opening = Opening{By: rapid.SampledFrom([]string{"", "olga", "omar"}).Draw(t, "author"), At: morning, OnlyAsks: rapid.IntRange(0, 4).Draw(t, "only asks") == 0}
	there := labelSet{}
	var untold []string // labels that are there although no event says so
	if rapid.IntRange(0, 3).Draw(t, "before the log") == 0 {
		untold = append(untold, rapid.SampledFrom(d.stateLabels()).Draw(t, "untold"))
		there.add(untold[0])
	}
	pauses := []time.Duration{0, 0, time.Second, time.Minute, 20 * time.Minute, 30 * time.Hour}
	for range rapid.IntRange(0, 40).Draw(t, "edits") {
		d.now = d.now.Add(rapid.SampledFrom(pauses).Draw(t, "later"))
		standing := life.Fold(d.history)
		var label string
		switch what := rapid.IntRange(0, 9).Draw(t, "what"); {
		case what < 7: // most moves are legal, or else no trail is long
			label = rapid.SampledFrom(d.stateLabels()).Draw(t, "any")
			if next := life.NextAt(standing, cast["olga"]); len(next) > 0 {
				label = life.Label(rapid.SampledFrom(next).Draw(t, "legal").To)
			}
		case what < 8:
			label = rapid.SampledFrom(d.stateLabels()).Draw(t, "any")
		default:
			label = rapid.SampledFrom([]string{NeedsHuman, Forced, "bug", "colony:in-reveiw"}).Draw(t, "other")
		}
		by := cast[rapid.SampledFrom([]string{"olga", "omar", "bot", "dev", "rev", "colony", "colony", "for-olga", "for-bot"}).Draw(t, "by")]
		if label != "" {
			d.edit(there, label, !there.has(label), by)
		}
		if before := life.Label(standing.State); before != "" && there.has(before) && !SameLabel(before, label) && rapid.IntRange(0, 4).Draw(t, "tidy") > 0 {
			d.edit(there, before, false, by)
		}
		d.history.Labels = nil
		for _, l := range there {
			d.history.Labels = append(d.history.Labels, l)
		}
		slices.Sort(d.history.Labels)
	}
	known := rapid.IntRange(0, 2).Draw(t, "known orders")
	d.history.Ordered = func(id int64) (Actor, bool) {
		by, is := d.orders[id]
		return by, is && (known == 2 || known == 1 && id%3 > 0)
	}
	d.history.Stands = rapid.IntRange(0, 2).Draw(t, "stands") == 0
	last := d.now
	d.now = d.now.Add(rapid.SampledFrom([]time.Duration{0, time.Second, time.Hour, 80 * time.Hour}).Draw(t, "read"))
	back := time.Duration(rapid.Int64Range(-1, int64(last.Sub(morning)/time.Second)+1).Draw(t, "judged")) * time.Second
	d.history.JudgedSince = last.Add(-back)
	d.history.Begun = rapid.SampledFrom([]time.Time{{}, d.history.JudgedSince, morning, morning.Add(d.history.JudgedSince.Sub(morning) / 2)}).Draw(t, "begun")
	d.history.Installed = rapid.SampledFrom([]time.Time{{}, morning.Add(last.Sub(morning) / 2), d.history.JudgedSince}).Draw(t, "installed")
	return d
}

func (d *summedUp) stateLabels() []string {
	var labels []string
	for _, s := range d.life.States {
		if s.Label != "" {
			labels = append(labels, s.names()...)
		}
	}
	return labels
}

func (d *summedUp) edit(there labelSet, label string, add bool, by Actor) {
	if add {
		there.add(label)
	} else {
		there.remove(label)
	}
	c := Change{ID: int64(len(d.history.Changes) + 1), Added: add, Label: label, By: by, At: d.now}
	switch by.Login {
	case "colony[bot] for olga":
		d.orders[c.ID] = cast["olga"]
	case "colony[bot] for bot":
		d.orders[c.ID] = cast["bot"]
	default:
		d.orders[c.ID] = Actor{}
	}
	d.history.Changes = append(d.history.Changes, c)
}

// settled counts the changes that are older than the horizon.
func (d *summedUp) settled() int {
	n := 0
	for _, c := range d.history.Changes {
		if !c.At.Before(d.history.JudgedSince) {
			break
		}
		n++
	}
	return n
}

// part is the history with some of its changes.
func (d *summedUp) part(from, to int) History {
	h := d.history
	h.Changes = h.Changes[from:to]
	return h
}

// whole is a standing without a summary.
func whole(s Standing) Standing {
	var withdrawn []Withdrawal
	if s.Earlier != nil {
		withdrawn = s.Earlier.Withdrawn
	}
	withdrawn = slices.Concat(withdrawn, s.Withdrawn)
	for i, w := range withdrawn {
		withdrawn[i] = Withdrawal{Move: w.Move, Before: Standing{Earlier: w.Earlier, Trail: w.Before}.Whole()}
	}
	s.Trail, s.Withdrawn, s.Earlier = s.Whole(), withdrawn, nil
	return s
}

// A log that goes on after a summary says what the whole log says, and the same is decided by it: whatever happened, wherever its
// beginning is summed up, in one go or in several.
func TestWhatGoesOnAfterASummarySaysWhatTheWholeLogSays(t *testing.T) {
	prefixed, err := Shipped("colony")
	if err != nil {
		t.Fatal(err)
	}
	lives := map[string]*Lifecycle{"strict": strict(prefixed), "adopting": adopting(t, "colony")}
	for _, name := range ShippedNames() {
		if lives[name], err = Shipped(name); err != nil {
			t.Fatal(err)
		}
	}
	for name, life := range lives {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			served, summed, drawn := 0, 0, 0
			long.Check(t, func(t *rapid.T) {
				d := drawSummedUp(t, life)
				n := d.settled()
				first := rapid.IntRange(0, n).Draw(t, "first")
				second := rapid.IntRange(first, n).Draw(t, "second")
				drawn++
				summary := life.Summarize(nil, d.part(0, first))
				if summary != nil && second > first {
					summary = life.Summarize(summary, d.part(first, second))
				}
				if summary == nil {
					return
				}
				summed++
				got, ok := life.FoldOn(summary, d.part(second, len(d.history.Changes)))
				if !ok {
					return
				}
				served++
				again, _ := life.FoldOn(summary, d.part(second, len(d.history.Changes)))
				want := life.Fold(d.history)
				for what, got := range map[string]Standing{"once": got, "again": again} {
					if diff := cmp.Diff(want, whole(got), cmpopts.EquateEmpty()); diff != "" {
						t.Fatalf("after a summary of %d of %d changes, %s (-want +got):\n%s", second, len(d.history.Changes), what, diff)
					}
				}
				d.decidesTheSame(want, got)
			})
			if !t.Failed() && (served*2 < drawn || summed < served) {
				t.Errorf("of %d logs %d were summed up, and %d of these summaries served: too few to show anything", drawn, summed, served)
			}
		})
	}
}

// decidesTheSame compares what follows from two standings.
func (d *summedUp) decidesTheSame(want, got Standing) {
	t, l := d.T, d.life
	answered := rapid.IntRange(0, 2).Draw(t, "answered")
	in := Input{
		Labels: d.history.Labels, Updated: d.now.Add(-time.Minute), Now: d.now, TakenIn: rapid.Bool().Draw(t, "taken in"),
		Closed: rapid.IntRange(0, 4).Draw(t, "closed") == 0,
	}
	if rapid.IntRange(0, 2).Draw(t, "marked") == 0 {
		in.Labels = append(slices.Clone(in.Labels), NeedsHuman)
	}
	if answered > 0 {
		in.Answered = func(id int64) bool { return answered == 1 || id%2 == 0 }
		in.Commanded = func(id int64) bool { return id%5 == 0 }
		in.RefusedCommand = func(time.Time) bool { return answered == 1 }
		in.Asked = func(int64) bool { return answered == 1 }
	}
	for _, s := range FactSpecs() {
		if !slices.Contains(in.Facts.Read, s.Needs) {
			in.Facts.Read = append(in.Facts.Read, s.Needs)
		}
	}
	for range rapid.IntRange(0, 3).Draw(t, "facts") {
		at := morning.Add(time.Duration(rapid.Int64Range(0, int64(d.now.Sub(morning)/time.Second)).Draw(t, "observed")) * time.Second)
		in.Facts.Observed = append(in.Facts.Observed, Observation{Fact: rapid.SampledFrom(FactSpecs()).Draw(t, "fact").Fact, At: at})
	}
	p := Thresholds{Settle: time.Second, BreakerRejections: rapid.IntRange(1, 3).Draw(t, "breaker"), BreakerWindow: time.Hour}
	conclude := func(s Standing) []any {
		in.Standing = s
		all := []any{l.Decide(p, in)}
		in.Standing.Doubt = time.Time{} // what is decided once it is known
		at, out := l.TimesOut(s)
		previous, known := l.Before(s)
		all = append(all, l.Decide(p, in), at, out, previous, known, s.Untouched(), l.Untraced(s), s.Steps(), l.MayAnnounce(s), l.ReadingsAt(s), l.NextAt(s, cast["bot"]))
		for _, limit := range l.Limits {
			all = append(all, l.Count(limit, s))
		}
		failing, times := l.Failing(s)
		all = append(all, failing, times)
		for _, r := range s.Rejections {
			all = append(all, l.Repeated(s, r))
		}
		for _, o := range in.Facts.Observed {
			all = append(all, l.MayCount(s, o))
		}
		for _, m := range s.Made(d.history.JudgedSince) {
			if !m.At.Before(d.history.JudgedSince) {
				all = append(all, m.Move, m.Before.State, m.Before.Whole())
			}
		}
		for _, m := range s.Made(time.Time{}) {
			all = append(all, m.Move, m.Before.State, m.Before.Whole())
		}
		return all
	}
	if diff := cmp.Diff(conclude(want), conclude(got), cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("what follows after a summary (-want +got):\n%s", diff)
	}
}

// strict is a copy of a lifecycle whose limits allow everything once.
func strict(l *Lifecycle) *Lifecycle {
	numbers := map[string]int{}
	for _, limit := range l.Limits {
		numbers[limit.Name] = 1
	}
	return l.Limiting(numbers)
}

// A summary serves only the settings that it was made for.
func TestASummaryServesOnlyWhatItWasMadeFor(t *testing.T) {
	t.Parallel()
	life := colony(t)
	log := changes(t, "olga +new", "olga +analyzing", "olga -new", "olga +ready-for-dev", "olga -analyzing", "bot +in-development @2h", "bot -ready-for-dev @2h")
	h := History{Labels: labelsAfter(log), JudgedSince: morning.Add(time.Hour), Opening: Opening{By: "olga", At: morning}}
	h.Changes = log[:5]
	summary := life.Summarize(nil, h)
	h.Changes = log[5:]
	if s, ok := life.FoldOn(summary, h); !ok || s.State != "in-development" || len(s.Trail) != 1 || s.Steps() != 4 {
		t.Fatalf("%+v %t", s, ok)
	}
	for name, change := range map[string]func(*History){
		"part of it is judged":                 func(h *History) { h.JudgedSince = log[4].At },
		"Colony was installed at another time": func(h *History) { h.Installed = morning },
		"judging began at another time":        func(h *History) { h.Begun = morning },
		"somebody else opened the issue":       func(h *History) { h.Opening.By = "omar" },
		"who opened it may only ask":           func(h *History) { h.Opening.OnlyAsks = true },
		"there is a label from before the log": func(h *History) { h.Labels = append(slices.Clone(h.Labels), "colony:paused") },
		"a label from before the log is removed": func(h *History) {
			h.Changes = append(slices.Clone(h.Changes), Change{ID: 8, Label: "colony:paused", By: cast["olga"], At: morning.Add(3 * time.Hour)})
		},
		"a change is among what is summed up": func(h *History) { h.Changes = log[4:] },
		"a change is older":                   func(h *History) { h.Changes = slices.Clone(h.Changes); h.Changes[0].At = morning },
	} {
		other := h
		change(&other)
		if s, ok := life.FoldOn(summary, other); ok {
			t.Errorf("%s: %+v", name, s)
		}
	}
	// The label of the state before is still there, so taking the state's off withdraws a move that was summed up.
	kept := changes(t, "olga +new", "olga +analyzing", "olga -analyzing @2h")
	summary = life.Summarize(nil, History{Changes: kept[:2]})
	if s, ok := life.FoldOn(summary, History{Changes: kept[2:], Labels: []string{"colony:new"}, JudgedSince: morning.Add(time.Hour)}); ok {
		t.Errorf("a move that was summed up is withdrawn: %+v", s)
	}
	if life.Summarize(nil, History{Changes: changes(t, "olga +new @2h", "olga +analyzing @1h")}) != nil {
		t.Error("changes that are not in the order of time were summed up")
	}
}

// After a summary the number of changes does not matter.
func BenchmarkFoldOn(b *testing.B) {
	life := colony(b)
	for _, n := range []int{50, 5000} {
		log := longLog(n)
		h := History{JudgedSince: log[n-20].At, Labels: labelsAfter(log), Changes: log}
		b.Run(fmt.Sprintf("%d changes, the whole log", n), func(b *testing.B) {
			for b.Loop() {
				life.Fold(h)
			}
		})
		summary := life.Summarize(nil, History{Changes: log[:n-40]})
		h.Changes = log[n-40:]
		b.Run(fmt.Sprintf("%d changes, after a summary", n), func(b *testing.B) {
			for b.Loop() {
				if _, ok := life.FoldOn(summary, h); !ok {
					b.Fatal("the summary does not serve")
				}
			}
		})
	}
}
