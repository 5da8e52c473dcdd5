package commands

import (
	"cmp"

	"github.com/colony-app/colony/advice"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// Moves that `status` and `history` list: a comment is read by people.
const (
	statusMoves  = 5
	historyMoves = 50
)

func (e *execution) help() {
	var rows []wording.HelpRow
	for _, s := range Registry(e.Lifecycle) {
		rows = append(rows, wording.HelpRow{Usage: s.Usage, Help: s.Help, Who: s.Needs.who(statemachine.AccessOf(e.Lifecycle))})
	}
	e.reply(wording.RenderHelp(e.Lifecycle.Name, e.Lifecycle.Summary, rows))
}

func (e *execution) status() { e.reply(wording.RenderStatus(e.report(statusMoves))) }

func (e *execution) history() { e.reply(wording.RenderHistory(e.report(historyMoves))) }

func (e *execution) report(most int) wording.Status {
	standing := e.result.Standing
	state, _ := e.Lifecycle.State(standing.State)
	s := wording.Status{
		State: state, Access: statemachine.AccessOf(e.Lifecycle), Requester: e.Actor, NeedsHuman: e.NeedsHuman, Halted: e.Halted,
		Choice: wording.Choice{
			Next:     e.Lifecycle.NextAt(standing, e.Actor),
			Operator: e.Lifecycle.NextAt(standing, lifecycle.Actor{Kind: lifecycle.Operator}),
		},
		Hindrance: wording.Hindrance{SubIssues: e.SubIssues, Question: e.Question, Stuck: e.stuck()},
	}
	s.Guarded = wording.GuardedNext(e.Lifecycle, e.Actor, standing.State, s.Next)
	if standing.State == e.Standing.State { // a command before this one might have moved the issue since that was read
		s.Blockers, s.Withheld = e.Blockers, e.Withheld
	}
	for _, limit := range e.Lifecycle.Limits {
		if n := e.Lifecycle.Count(limit, standing); n > 0 {
			s.Counts = append(s.Counts, wording.Count{Limit: limit, Count: n})
		}
	}
	if r, n := advice.Failing(e.Lifecycle, standing); n > 1 {
		s.Failing = &wording.Failing{From: r.From, To: r.To, Times: n}
	}
	s.Levels, s.Capacities = levels(e.Lifecycle, e.Labels), e.capacities(standing.State)
	s.TimesOut, _ = e.Lifecycle.TimesOut(standing)
	if last, ok := standing.Since(); ok {
		s.Known, s.Entered = true, e.step(last)
	}
	trail := standing.Trail
	if len(trail) > most {
		s.Left = len(trail) - most
		trail = trail[s.Left:]
	}
	for _, m := range trail {
		s.Steps = append(s.Steps, e.step(m))
	}
	return s
}

// step tells a move; one that Colony made on a command counts as the move of the person who wrote it.
func (e *execution) step(m statemachine.Move) wording.Step {
	step := wording.Step{From: m.From, To: m.To, Kind: m.Kind, By: m.By, At: m.At, Reason: m.Reason}
	if m.Ordered.Kind != "" {
		step.By = m.Ordered
	}
	if a, ok := e.Attributions[m.ID]; ok {
		step.By, step.Command, step.Reason, step.Kind = a.By, a.Verb, a.Reason, cmp.Or(a.Led, m.Kind)
	} else if r, ok := e.Reasons[m.ID]; ok && step.Reason == "" {
		step.Reason, step.Link = r.Why, r.Link
		if r.About != "" {
			step.Reason += " (" + r.About + ")"
		}
	}
	return step
}

// why is `why [state]`.
func (e *execution) why() {
	standing := e.result.Standing
	to := standing.State
	if word, _ := e.words(); word != "" {
		named, ok := e.target(word)
		if !ok {
			return
		}
		to = named
	}
	why := wording.ExplainWhy(e.Lifecycle, standing, e.Actor, to)
	if word, _ := e.words(); word == "" || why.Verdict == lifecycle.Same {
		e.reply(wording.RenderHere(wording.ExplainHere(e.Lifecycle, standing, e.report(0))))
		return
	}
	if why.Verdict == lifecycle.Legal && e.Actor.Kind == lifecycle.Operator && e.Right < MayMove {
		why.ByLabel = e.Lifecycle.Rule(standing, statemachine.Ask{By: e.Actor, To: to}, nil).Verdict == lifecycle.Legal
		if !why.ByLabel { // it needs a reason, which takes a command
			why.Verdict = lifecycle.NotForRole
		}
	}
	e.reply(wording.RenderWhy(why))
}
