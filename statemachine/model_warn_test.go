package statemachine

import (
	"slices"
	"time"

	"github.com/colony-app/colony/lifecycle"
)

// oracleOfWarning is the fold where Colony undoes nothing, written from the row of warn in docs/repositories.md: an illegal change counts, so
// the issue is in whatever state somebody put there last. A label that is taken off may be half of a swap for a minute; after that, or at the
// end, the issue leaves its state by it, for the state that was put there last of those whose labels are left.
func (w *world) oracleOfWarning(log []Change) string {
	present, order := labelSet{}, w.before(log)
	for _, name := range order {
		present.add(w.life.Label(name))
	}
	latest := func(not string) string {
		for _, name := range slices.Backward(order) {
			if name != not && present.has(w.life.Label(name)) {
				return name
			}
		}
		return w.life.Initial
	}
	state := latest("")
	var steps []modelStep
	put := map[string]int64{}
	var off time.Time // since when the label of the state is off
	forced, judging := false, false
	for _, c := range log {
		if !judging && !c.At.Before(w.now.Add(-modelHorizon)) {
			judging = true
			if b := latest(""); b != state && off.IsZero() {
				state, steps = b, nil
			}
		}
		if lifecycle.SameLabel(c.Label, lifecycle.Forced) {
			forced = c.Added && c.By.Kind == lifecycle.Colony
		}
		x, ok := w.life.StateOf(c.Label)
		switch {
		case !ok:
		case c.Added:
			present.add(x.Label)
			order = append(order, x.Name)
			put[x.Name] = c.ID
			if !off.IsZero() && x.Name != state && c.At.Sub(off) > time.Minute {
				state, off = latest(x.Name), time.Time{}
			}
			switch own := c.By.Kind == lifecycle.Colony; {
			case x.Name == state:
				off = time.Time{}
			case !own || forced && !w.life.ForGood(state) || w.grants(c.By, steps, state, x.Name):
				steps = append(steps, modelStep{from: state, to: x.Name, id: c.ID, by: c.By.Kind, at: c.At})
				state, off = x.Name, time.Time{}
			}
		default:
			present.remove(x.Label)
			if x.Name != state || c.By.Kind == lifecycle.Colony {
				continue
			}
			if n := len(steps) - 1; n >= 0 && steps[n].from != w.life.Initial && present.has(w.life.Label(steps[n].from)) && put[steps[n].from] < steps[n].id {
				state, steps, off = steps[n].from, steps[:n], time.Time{}
				continue
			}
			off = c.At
		}
	}
	if !off.IsZero() || !judging {
		return latest("")
	}
	return state
}

// before lists the states whose labels were there before the log begins, in the order of the lifecycle.
func (w *world) before(log []Change) (names []string) {
	touched, there := labelSet{}, labelSet{}
	for _, c := range log {
		if s, ok := w.life.StateOf(c.Label); ok && !touched.has(s.Label) {
			touched.add(s.Label)
			if !c.Added {
				there.add(s.Label)
			}
		}
	}
	for _, s := range w.life.States {
		untold := len(touched) == 0 && slices.Contains(w.seen[len(w.log)], s.Label)
		if s.Label != "" && !w.named[s.Name] && (there.has(s.Label) || untold) {
			names = append(names, s.Name)
		}
	}
	return names
}
