package replay

import (
	"slices"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

func (r *run) count(standing statemachine.Standing, d statemachine.Decision) {
	r.countMoves(standing)
	for _, rejection := range d.Explain {
		r.out.find(r.rejected(rejection))
	}
	if d.HaltUnsaid {
		f := r.rejected(*d.Halted)
		f.Kind, f.Reason = Stops, TooMany
		r.out.find(f)
	}
	r.countLeftBehind(standing, d)
	if a, entered := d.Withheld, entry(standing); a != nil && !r.withheld[entered] {
		r.withheld[entered] = true
		r.out.find(Finding{Kind: Withholds, At: r.now, From: a.From, To: a.To, Reason: a.Why, By: lifecycle.Actor{Kind: lifecycle.Colony}})
	}
	if a := d.Automatic; a != nil {
		r.out.find(Finding{Kind: Moves, At: r.now, From: a.From, To: a.To, Reason: a.Why, By: lifecycle.Actor{Kind: lifecycle.Colony}})
	}
	if lifecycle.HasLabel(d.Add, lifecycle.NeedsHuman) {
		r.out.find(r.asks(standing, d))
	}
}

// entry is the event by which the issue came to its state; 0 if the log does not tell.
func entry(standing statemachine.Standing) int64 {
	entered, _ := standing.Since()
	return entered.ID
}

// countMoves counts the moves of people and bots that the log holds since the last time.
func (r *run) countMoves(standing statemachine.Standing) {
	for _, m := range standing.Trail {
		if m.ID <= r.seen || m.Kind == statemachine.Settled {
			continue
		}
		r.seen = m.ID
		if m.By.Kind != lifecycle.Colony && m.Kind == statemachine.Moved {
			r.out.Legal++
		}
	}
}

// rejected is a rejection as a finding.
func (r *run) rejected(rejection statemachine.Rejection) Finding {
	f := Finding{Kind: Refuses, At: rejection.At, By: rejection.By, From: rejection.From, To: rejection.To, Reason: string(rejection.Verdict)}
	if rejection.To == "" {
		f.Reason = Removed
	}
	if rejection.LedTo != "" && rejection.Verdict != lifecycle.LimitReached {
		f.Kind = Blocks
	}
	if rejection.Stood {
		f.Kind = Warns
	}
	f.EventIDs = r.realOf(rejection.IDs)
	if len(f.EventIDs) > 0 {
		f.EventID = slices.Max(f.EventIDs)
	}
	return f
}

// realOf returns the real events of simulated ones.
func (r *run) realOf(ids []int64) []int64 {
	var found []int64
	for _, id := range ids {
		if event, ok := r.real[id]; ok {
			found = append(found, event)
		}
	}
	return found
}

// countLeftBehind counts an allowed move whose old label Colony removes, once.
func (r *run) countLeftBehind(standing statemachine.Standing, d statemachine.Decision) {
	last, known := standing.Since()
	if !known || last.Kind != statemachine.Moved || last.By.Kind == lifecycle.Colony || !lifecycle.HasLabel(d.Remove, r.life.Label(last.From)) || r.told[last.ID] {
		return
	}
	r.told[last.ID] = true
	r.out.find(Finding{
		Kind: Finishes, At: last.At, By: last.By, From: last.From, To: last.To, Reason: LeftBehind, EventID: r.real[last.ID], EventIDs: r.realOf([]int64{last.ID}),
	})
}

// asks is why Colony asks for a person.
func (r *run) asks(standing statemachine.Standing, d statemachine.Decision) Finding {
	f := Finding{Kind: Asks, At: r.now, From: standing.State, Reason: AsksForFact}
	about := func(other Finding, why string) Finding {
		other.Kind, other.Reason = Asks, why
		return other
	}
	switch asking := slices.IndexFunc(d.Explain, func(r statemachine.Rejection) bool { return r.AsksPerson }); {
	case asking >= 0:
		return about(r.rejected(d.Explain[asking]), AsksForRefusal)
	case d.Halted != nil:
		return about(r.rejected(*d.Halted), AsksForStop)
	case len(d.Announce) > 0:
		f.From, f.To, f.Reason = d.Announce[0].From, d.Announce[0].To, AsksForMove
	case len(d.Ask) > 0:
		f.Reason = AsksForFact
	}
	return f
}

// commandRun notes what a comment with commands comes to.
func (r *run) commandRun(c Comment, standing statemachine.Standing, result commands.Result) {
	f := Finding{At: c.At, By: c.Requester.Actor, From: standing.State, CommentID: c.ID}
	switch result.Answer {
	case commands.Refused:
		f.Kind, f.Reason = Refuses, BadCommand
		r.refusedAt = append(r.refusedAt, r.now)
	case commands.NotPermitted:
		f.Kind, f.Reason = Refuses, NotPermitted
	case commands.Accepted:
		f.Kind, f.Reason = Finishes, CommandRun
	}
	for _, m := range result.Moves {
		if m.Led == "" {
			r.out.find(Finding{Kind: Finishes, At: f.At, By: f.By, From: m.From, To: m.To, CommentID: f.CommentID, Reason: CommandRun})
			continue
		}
		f.To = m.To
		if m.Led == statemachine.BadRequest {
			f.Kind = Blocks
		}
	}
	for _, said := range slices.Backward(result.Recorded) {
		if said.Verdict != "" { // it was refused where earlier commands of the comment had brought the issue
			f.From = said.From
		}
	}
	if f.Kind == Refuses || f.Kind == Blocks {
		r.out.find(f)
	}
	if result.NeedsHuman && r.Settings.Mode.Undoes() && !lifecycle.HasLabel(r.view.Labels, lifecycle.NeedsHuman) {
		f.Kind, f.Reason = Asks, AsksForRefusal
		r.out.find(f)
	}
}
