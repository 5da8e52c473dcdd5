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

// stay is that an issue was in a state. It is zero where it left if it is there still.
type stay struct {
	state         string
	entered, left time.Time
}

type refusal struct {
	verdict lifecycle.Verdict
	at      time.Time
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
		stays = append(stays, stay{state: s.State, entered: entered})
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
	Start, End time.Time
	// InState tells, for each state that issues left, how long they stayed.
	InState []TimeInState
	// Ended is how many issues came to an end in each week, the first week first.
	Ended []Week
	// Progress is how much work was under way at the end of each day.
	Progress []Day
	// Ageing lists the states of work under way, with how long its issues have been there.
	Ageing []Ageing
	// Refused counts refusals by reason, the most frequent first.
	Refused []Refused
}

// TimeInState is how long issues stayed in a state.
type TimeInState struct {
	State    string
	Count    int
	P50, P85 time.Duration
}

// Week is how many issues came to an end in a week.
type Week struct {
	Start time.Time
	Count int
}

// Day is how many issues were worked on at the end of a day.
type Day struct {
	End   time.Time
	Count int
}

// Ageing is how long the issues of a state have been there.
type Ageing struct {
	State       string
	Count       int
	P50, Oldest time.Duration
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
	_, life, all, ok := x.Issues(owner, name)
	if !ok {
		return f, false
	}
	for end := f.Start.Add(7 * day); !end.After(now); end = end.Add(7 * day) {
		f.Ended = append(f.Ended, Week{Start: end.Add(-7 * day)})
	}
	for end := f.Start.Add(day); !end.After(now); end = end.Add(day) {
		f.Progress = append(f.Progress, Day{End: end})
	}
	c := counting{&f, life, map[string][]time.Duration{}, map[string][]time.Duration{}, map[lifecycle.Verdict]int{}}
	for _, i := range all {
		c.issue(i)
	}
	for _, name := range life.StateNames() {
		if d := c.left[name]; len(d) > 0 {
			slices.Sort(d)
			f.InState = append(f.InState, TimeInState{name, len(d), percentile(d, 50), percentile(d, 85)})
		}
		if d := c.stayed[name]; len(d) > 0 {
			slices.Sort(d)
			f.Ageing = append(f.Ageing, Ageing{name, len(d), percentile(d, 50), d[len(d)-1]})
		}
	}
	for _, v := range slices.Sorted(maps.Keys(c.refused)) {
		f.Refused = append(f.Refused, Refused{v, c.refused[v]})
	}
	slices.SortStableFunc(f.Refused, func(a, b Refused) int { return cmp.Compare(b.Count, a.Count) })
	return f, true
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
		works := underWay(c.life, s.state) && (!i.Closed || !s.left.IsZero())
		switch {
		case !s.left.IsZero() && !s.left.Before(c.Start):
			c.left[s.state] = append(c.left[s.state], s.left.Sub(s.entered))
		case s.left.IsZero() && works:
			c.stayed[s.state] = append(c.stayed[s.state], c.End.Sub(s.entered))
		}
		if works {
			c.worked(s)
		}
		if n > 0 && c.life.IsEnd(s.state) && !s.entered.Before(c.Start) {
			if week := int(s.entered.Sub(c.Start) / (7 * day)); week < len(c.Ended) {
				c.Ended[week].Count++
			}
		}
	}
	for _, r := range i.refusals {
		if !r.at.Before(c.Start) {
			c.refused[r.verdict]++
		}
	}
}

// worked counts a stay on the days at whose end it lasted.
func (f *Flow) worked(s stay) {
	first := max(0, int((s.entered.Sub(f.Start)+day-1)/day)-1)
	for n := first; n < len(f.Progress); n++ {
		end := f.Progress[n].End
		if !s.left.IsZero() && !end.Before(s.left) {
			return
		}
		if !s.entered.After(end) {
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
