package commands

import (
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/statemachine"
)

// Moves that `status` and `history` list: a comment is read by people.
const (
	statusMoves  = 5
	historyMoves = 50
)

func (t *turn) help() {
	var rows []wording.HelpRow
	for _, s := range t.specs {
		rows = append(rows, wording.HelpRow{Usage: s.Usage, Help: s.Help, Who: s.Needs.String()})
	}
	t.reply(wording.RenderHelp(t.Lifecycle.Name, t.Lifecycle.Summary, rows))
}

func (t *turn) status() { t.reply(wording.RenderStatus(t.report(statusMoves))) }

func (t *turn) history() { t.reply(wording.RenderHistory(t.report(historyMoves))) }

func (t *turn) report(most int) wording.Status {
	standing := t.result.Standing
	state, _ := t.Lifecycle.State(standing.State)
	s := wording.Status{
		State: state, Asker: t.Actor,
		Next:       t.Lifecycle.NextAt(standing, t.Actor),
		Operator:   t.Lifecycle.NextAt(standing, statemachine.Actor{Kind: statemachine.Operator}),
		NeedsHuman: t.NeedsHuman, Halted: t.Halted, SubIssues: t.SubIssues,
	}
	if standing.State == t.Standing.State { // a command before this one may have moved the issue since that was read
		s.Blockers = t.Blockers
	}
	for _, limit := range t.Lifecycle.Limits {
		if n := t.Lifecycle.Count(limit, standing); n > 0 {
			s.Counts = append(s.Counts, wording.Count{Name: limit.Name, Count: n, AtMost: limit.AtMost})
		}
	}
	if r, n := t.Lifecycle.Failing(standing); n > 1 {
		s.Failing = &wording.Failing{From: r.From, To: r.To, Times: n}
	}
	for _, scale := range t.Lifecycle.Scales {
		s.Levels = append(s.Levels, wording.Level{Name: scale.Name, Level: scale.Level(t.Labels), Of: scale.Levels - 1})
	}
	s.Capacities = t.capacities(standing.State)
	s.TimesOut, _ = t.Lifecycle.TimesOut(standing)
	if last, ok := standing.Since(); ok {
		s.Known, s.Entered = true, t.step(last)
		if standing.Steps() == t.Standing.Steps() && s.Entered.Command == "" && s.Entered.Reason == "" { // no command moved the issue since
			s.Entered.Reason = t.Because
		}
	}
	trail := standing.Whole()
	if len(trail) > most {
		s.Left = len(trail) - most
		trail = trail[s.Left:]
	}
	for _, m := range trail {
		s.Steps = append(s.Steps, t.step(m))
	}
	return s
}

// step tells a move; one that Colony made on a command counts as the move of the person who wrote it.
func (t *turn) step(m statemachine.Move) wording.Step {
	step := wording.Step{From: m.From, To: m.To, Kind: m.Kind, By: m.By, At: m.At, Reason: m.Reason}
	if m.Ordered.Kind != "" {
		step.By = m.Ordered
	}
	if order, ok := t.Orders[m.EventID]; ok {
		step.By, step.Command, step.Reason = order.By, order.Verb, order.Reason
	}
	return step
}

// why is `why [state]`.
func (t *turn) why() {
	standing := t.result.Standing
	to := standing.State
	if word, _ := t.words(); word != "" {
		named, ok := t.target(word)
		if !ok {
			return
		}
		to = named
	}
	why := wording.ExplainWhy(t.Lifecycle, standing, t.Actor, to)
	if word, _ := t.words(); word == "" || why.Verdict == statemachine.Same {
		t.reply(wording.RenderHere(wording.ExplainHere(t.Lifecycle, standing, t.report(0))))
		return
	}
	t.reply(wording.RenderWhy(why))
}
