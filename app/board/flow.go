package board

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// stay is that an issue was in a state, until it left: zero if it is there still. Its JSON, and that of a refusal, are a part of record's.
type stay struct {
	State   string    `json:"what"`
	Entered time.Time `json:"from"`
	Left    time.Time `json:"to,omitzero"`
}

type refusal struct {
	Verdict lifecycle.Verdict `json:"what"`
	At      time.Time         `json:"from"`
}

// staysOf are the stays of an issue that did not end before the window began.
func staysOf(v issues.View, s statemachine.Standing, start time.Time) []stay {
	var stays []stay
	entered := v.Created
	for _, m := range s.Trail {
		if !m.At.Before(start) {
			stays = append(stays, stay{m.From, entered, m.At})
		}
		entered = m.At
	}
	if len(stays) > 0 || !v.Closed || !entered.Before(start) {
		stays = append(stays, stay{State: s.State, Entered: entered})
	}
	return stays
}

// refusalsOf are those of some rejections that were within the window.
func refusalsOf(rejections []statemachine.Rejection, start time.Time) []refusal {
	var found []refusal
	for _, r := range rejections {
		if !r.At.Before(start) {
			found = append(found, refusal{r.Verdict, r.At})
		}
	}
	return found
}

// Flow is how the work of a repository flowed within the window.
type Flow struct {
	Repository issues.Repository
	Start, End time.Time
	// InState tells, for each state that issues left, how long they stayed.
	InState []Spread
	// Ended is how many issues came to an end in the week from each time, the first week first.
	Ended []Count
	// Progress is how much work was under way at each time, the end of a day.
	Progress []Count
	// Ageing lists the states of work under way, with how long its issues have been there.
	Ageing []Spread
	// Refused counts refusals by reason, the most frequent first.
	Refused []Refused
}

// Spread is how long issues were in a state.
type Spread struct {
	State             string
	Count             int
	P50, P85, Longest time.Duration
}

// Count is how many issues there were at a time.
type Count struct {
	At    time.Time
	Count int
}

// Refused is how often something was refused for a reason.
type Refused struct {
	Verdict lifecycle.Verdict
	Count   int
}

const day = 24 * time.Hour

// Flow computes the figures of a repository from what is kept of each issue. An issue that is seen again brings its own figures again, which
// costs no call.
func (x *Index) Flow(owner, name string) (Flow, bool) {
	now := x.clock.Now().UTC()
	f := Flow{Start: now.Add(-x.window), End: now}
	repo, life, all, ok := x.Issues(owner, name)
	if !ok {
		return f, false
	}
	f.Repository = repo
	for end := f.Start.Add(7 * day); !end.After(now); end = end.Add(7 * day) {
		f.Ended = append(f.Ended, Count{At: end.Add(-7 * day)})
	}
	for end := f.Start.Add(day); !end.After(now); end = end.Add(day) {
		f.Progress = append(f.Progress, Count{At: end})
	}
	c := counting{&f, life, map[string][]time.Duration{}, map[string][]time.Duration{}, map[lifecycle.Verdict]int{}}
	for _, i := range all {
		c.issue(i)
	}
	f.InState, f.Ageing = spreads(life, c.left), spreads(life, c.stayed)
	for _, v := range slices.Sorted(maps.Keys(c.refused)) {
		f.Refused = append(f.Refused, Refused{v, c.refused[v]})
	}
	slices.SortStableFunc(f.Refused, func(a, b Refused) int { return cmp.Compare(b.Count, a.Count) })
	return f, true
}

// spreads are how long issues were in each of the states of a lifecycle, in their order.
func spreads(life *statemachine.Table, by map[string][]time.Duration) (all []Spread) {
	for _, name := range life.StateNames() {
		if d := by[name]; len(d) > 0 {
			slices.Sort(d)
			all = append(all, Spread{name, len(d), percentile(d, 50), percentile(d, 85), d[len(d)-1]})
		}
	}
	return all
}

// counting is what is summed up over the issues of a repository.
type counting struct {
	*Flow
	life         *statemachine.Table
	left, stayed map[string][]time.Duration // by state
	refused      map[lifecycle.Verdict]int
}

func (c *counting) issue(i *Issue) {
	for n, s := range i.stays {
		works := underWay(c.life, s.State) && (!i.Closed || !s.Left.IsZero())
		switch {
		case !s.Left.IsZero() && !s.Left.Before(c.Start):
			c.left[s.State] = append(c.left[s.State], s.Left.Sub(s.Entered))
		case s.Left.IsZero() && works:
			c.stayed[s.State] = append(c.stayed[s.State], c.End.Sub(s.Entered))
		}
		if works {
			c.worked(s)
		}
		if n > 0 && c.life.IsEnd(s.State) && !s.Entered.Before(c.Start) {
			if week := int(s.Entered.Sub(c.Start) / (7 * day)); week < len(c.Ended) {
				c.Ended[week].Count++
			}
		}
	}
	for _, r := range i.refusals {
		if !r.At.Before(c.Start) {
			c.refused[r.Verdict]++
		}
	}
}

// worked counts a stay on the days at whose end it lasted.
func (f *Flow) worked(s stay) {
	first := max(0, int((s.Entered.Sub(f.Start)+day-1)/day)-1)
	for n := first; n < len(f.Progress); n++ {
		end := f.Progress[n].At
		if !s.Left.IsZero() && !end.Before(s.Left) {
			return
		}
		if !s.Entered.After(end) {
			f.Progress[n].Count++
		}
	}
}

// underWay reports whether an issue in a state is work that was begun and did not end.
func underWay(life *statemachine.Table, state string) bool {
	s, ok := life.State(state)
	return ok && s.Type != lifecycle.Terminal && s.Name != life.Initial && !slices.Contains(life.Waiting, s.Name)
}

// percentile is the smallest of some sorted values that so many in a hundred of them do not exceed.
func percentile(sorted []time.Duration, p int) time.Duration {
	return sorted[max(0, (len(sorted)*p+99)/100-1)]
}
