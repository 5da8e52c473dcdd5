package simulation

import (
	"maps"
	"slices"
	"time"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/statemachine"
)

// accounts reports whether a trigger of the lifecycle or of the repository accounts for a move of Colony's that nobody requested, by what
// held when it was made. What happened at one time accounts for one move only.
func (p *sprint) accounts(i *simulatedIssue, m statemachine.Move, used map[int]bool) bool {
	before := p.trailBefore(i, m)
	return slices.ContainsFunc(p.moves, func(made simulatedMove) bool {
		return made.issue == i.number && made.label == m.To && made.at.Equal(m.At) && p.explains(made, m, before, used)
	})
}

// trailBefore is how an issue came to where a move begins.
func (p *sprint) trailBefore(i *simulatedIssue, m statemachine.Move) []statemachine.Move {
	standing, _ := p.standing(i)
	for _, w := range standing.Withdrawn {
		if w.ID == m.ID {
			return w.Before
		}
	}
	at := slices.IndexFunc(standing.Trail, func(o statemachine.Move) bool { return o.ID == m.ID })
	return standing.Trail[:max(at, 0)]
}

func (p *sprint) explains(made simulatedMove, m statemachine.Move, before []statemachine.Move, used map[int]bool) bool {
	var entered time.Time // zero if the log does not show it
	if len(before) > 0 && before[len(before)-1].Kind != statemachine.Settled {
		entered = before[len(before)-1].At
	}
	for _, t := range p.life.TimeOuts {
		if t.To == m.To && slices.Contains(t.In, m.From) && !entered.IsZero() && m.At.Sub(issues.Latest(entered, p.since)) >= time.Duration(t.After) {
			return true
		}
	}
	if m.From == p.life.Initial && m.To == p.life.Intake && len(before) == 0 && made.held[wanted] {
		return true
	}
	to := []string{m.To}
	for _, limit := range p.life.Limits {
		if limit.AtMost > 0 && limit.Instead == m.To && slices.Contains(limit.From, m.From) && entries(p.life, limit, before, m.ID) >= limit.AtMost {
			to = append(to, limit.To)
		}
	}
	for _, row := range p.life.Dispatch {
		if made.dispatched && slices.Contains(to, row.To) && slices.Contains(row.From, m.From) {
			return true
		}
	}
	return slices.ContainsFunc(p.life.Triggers, func(t lifecycle.Trigger) bool {
		return slices.Contains(to, t.To) && slices.Contains(t.In, m.From) && p.fires(t, made, entered, used)
	})
}

// fires reports whether a fact accounts for a move: one that held then or, for a fact that happens at some time, one that happened since
// the issue was in its state and made no other move.
func (p *sprint) fires(t lifecycle.Trigger, made simulatedMove, entered time.Time, used map[int]bool) bool {
	if slices.Contains(standingFacts, t.On) {
		return made.held[t.On]
	}
	for n, f := range p.simulation.facts {
		switch {
		case f.fact != t.On || f.issue != made.issue || f.at.After(made.at) || used[n] && !standsOn(t.On):
		case sinceOf(t.On) == lifecycle.SinceEntry && f.at.Before(entered):
		default:
			used[n] = true
			return true
		}
	}
	return false
}

func sinceOf(fact lifecycle.Fact) lifecycle.Since {
	for _, spec := range lifecycle.FactSpecs() {
		if spec.Fact == fact {
			return spec.Since
		}
	}
	return ""
}

// checkCapacity asserts that Colony does not exceed the capacity. An issue that somebody else put there after the reconciliation began
// does not count.
func (p *sprint) checkCapacity(n int, state string) {
	for _, row := range p.life.Dispatch {
		if row.To != state {
			continue
		}
		p.filled[n] = true
		if len(p.filled) > row.AtMost {
			p.wrong("Colony moves #%d to %s, where %v are already, and the capacity is %d", n, state, slices.Sorted(maps.Keys(p.filled)), row.AtMost)
		}
	}
}

// check holds that what the facts ask for is done.
func (p *sprint) check(i *simulatedIssue, standing statemachine.Standing, view issues.View, ordered func(statemachine.Move) bool) {
	if p == nil || i.halted || view.Closed {
		return
	}
	now := p.facts(i.number)
	for _, t := range p.life.Triggers {
		held := slices.ContainsFunc(t.Unless, func(f lifecycle.Fact) bool { return now[f] })
		if held || t.To == "" || t.On == "dependencies-none" || t.On == "files-clear" {
			continue // who was asked, and what depends on who moved the issue, is checked with everything else
		}
		if slices.Contains(t.In, standing.State) && now[t.On] && !p.undone(standing, t, ordered) {
			p.wrong("#%d is in %s although it holds that %s: %v", i.number, standing.State, t.On, now)
		}
	}
	p.checkAnswered(i, standing)
	p.checkIntake(i, standing, view)
	p.checkWaiting(i, standing, view)
}

// undone reports whether a person put the issue back against a trigger, and it has only been blocked or come back from that since. A
// command that puts it back along a trigger's pair as well counts as Colony's own.
func (p *sprint) undone(standing statemachine.Standing, t lifecycle.Trigger, ordered func(statemachine.Move) bool) bool {
	blocked := func(state string) bool { s, _ := p.life.State(state); return s.Type == lifecycle.Blocked }
	for n, m := range slices.Backward(standing.Trail) {
		if m.From == t.To && m.Kind != statemachine.Settled &&
			(m.By.Kind == lifecycle.Operator || m.Kind == statemachine.ForcedMove || ordered(m) && !p.isRow(m)) {
			return true
		}
		returns := blocked(m.From) && n > 0 && m.To == standing.Trail[n-1].From
		if m.Kind != statemachine.Moved || !blocked(m.To) && !returns {
			return false
		}
	}
	return false
}

func (p *sprint) isRow(m statemachine.Move) bool {
	return slices.ContainsFunc(p.life.Triggers, func(t lifecycle.Trigger) bool { return t.To == m.To && slices.Contains(t.In, m.From) }) ||
		slices.ContainsFunc(p.life.TimeOuts, func(t lifecycle.TimeOut) bool { return t.To == m.To && slices.Contains(t.In, m.From) }) ||
		slices.ContainsFunc(p.life.Dispatch, func(d lifecycle.Dispatch) bool { return d.To == m.To && slices.Contains(d.From, m.From) }) ||
		slices.ContainsFunc(p.life.Limits, func(l lifecycle.Limit) bool { return l.Instead == m.To && slices.Contains(l.From, m.From) })
}

// checkAnswered holds that an answer since the issue came to wait for one moved it.
func (p *sprint) checkAnswered(i *simulatedIssue, standing statemachine.Standing) {
	entered, known := standing.Since()
	if !known || entered.Kind == statemachine.Settled {
		return
	}
	for _, t := range p.life.Triggers {
		if t.On.By() == "" || !slices.Contains(t.In, standing.State) {
			continue
		}
		for _, f := range p.simulation.facts {
			if f.fact == t.On && f.issue == i.number && f.at.After(entered.At) && f.at.After(standing.JudgedSince) {
				p.wrong("#%d is in %s although somebody replied at %s", i.number, standing.State, f.at)
			}
		}
	}
}

// checkIntake holds that an issue that nobody ever moved is taken in if the repository wants it.
func (p *sprint) checkIntake(i *simulatedIssue, standing statemachine.Standing, view issues.View) {
	if standing.State != p.life.Initial || len(standing.Trail)+len(standing.Withdrawn)+len(standing.Rejections) > 0 || !p.asks(i) {
		return
	}
	since := view.Created
	if p.config.Intake.When == policy.Labelled {
		for _, c := range view.Changes {
			if c.Added && lifecycle.SameLabel(c.Label, p.config.Intake.Labels[0]) {
				since = issues.Latest(since, c.At)
			}
		}
	}
	if !since.Before(standing.JudgedSince) {
		p.wrong("#%d is not taken in", i.number)
	}
}

// checkWaiting asserts that nothing waits while capacity is free. An issue waits by its labels, which a sweep leaves in disorder on one that is
// older than the horizon.
func (p *sprint) checkWaiting(i *simulatedIssue, standing statemachine.Standing, view issues.View) {
	if _, alone := p.life.Alone(view.Labels); !alone && p.isOld(view) {
		return
	}
	for _, row := range p.life.Dispatch {
		if there := p.inDevelopment(); slices.Contains(row.From, standing.State) && len(there) < row.AtMost {
			p.wrong("#%d waits in %s, and capacity is free: %v", i.number, standing.State, slices.Sorted(maps.Keys(there)))
		}
	}
}
