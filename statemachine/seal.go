package statemachine

import (
	"slices"

	"github.com/colony-app/colony/lifecycle"
)

// Someone approves what they have read. In a sealed state that remains what is to be worked on. Facts that are Sealed tell that it no longer is,
// and a row that names one sends the issue back. GitHub keeps who changed what, and when; the log keeps who approved.

// Approval returns the move by which an issue in a sealed state was approved: the one that brought it there. Coming back from a blocked
// state approves nothing, unless a seal was broken before: then that is how a person says that the changed text is right. ok is false
// if the state is not sealed, or the log does not tell.
func (t *Table) Approval(s Standing) (m Move, ok bool) {
	if state, _ := t.State(s.State); !state.Sealed {
		return Move{}, false
	}
	for place, step := range slices.Backward(s.Trail) {
		switch {
		case step.To == s.State && (step.Kind == Settled || !t.isDetour(s.before(place), step)):
			return step, true
		case step.To == s.State: // it came back; from what, the moves before tell
			m, ok = step, true
		case ok && step.From == s.State && t.BrokeSeal(step.From, step.To, "") && t.own(step):
			return m, true
		}
	}
	return m, ok
}

// ApprovalBefore returns the approval that held before a move, given by its event: see Approval.
func (t *Table) ApprovalBefore(s Standing, eventID int64) (Move, bool) {
	for place, m := range slices.Backward(s.Trail) {
		if m.ID == eventID {
			return t.Approval(s.before(place))
		}
	}
	return Move{}, false
}

// BrokeSeal reports whether a row that holds what was approved made a move for this reason; without a reason, whether it might have.
func (t *Table) BrokeSeal(from, to, why string) bool {
	return slices.ContainsFunc(t.Triggers, func(row lifecycle.Trigger) bool {
		return row.Sealed() && row.Moves(from, to) && (why == "" || row.Why == why)
	})
}

// sealGuards are the guards that keep bots from taking up work whose seal is broken: the webhook that tells of the edit can be late or lost.
func sealGuards(file *lifecycle.Lifecycle) (guards []lifecycle.Guard) {
	for _, s := range file.States {
		if !s.Sealed {
			continue
		}
		var facts []string
		taken := slices.DeleteFunc(file.StateNames(), func(to string) bool {
			_, leads := file.Pair(s.Name, to)
			return !leads || len(file.Roles.In(to)) == 0
		})
		for _, row := range file.Triggers.Seals(s.Name) {
			facts = append(facts, string(row.On))
			taken = slices.DeleteFunc(taken, func(to string) bool { return to == row.To })
		}
		if len(taken) > 0 {
			guards = append(guards, lifecycle.Guard{
				Name: "seal-of-" + s.Name, Why: "The issue has to be as it was approved; what changed since needs a new approval.",
				From: []string{s.Name}, To: taken, Whom: lifecycle.Whom{Of: lifecycle.Bots},
				Forbids: []lifecycle.Condition{{Kind: lifecycle.HasFact, Words: facts}},
			})
		}
	}
	return guards
}

// Maker returns who made a move: who ordered it, if Colony made it for a command. It has no kind if that is not known, and if Colony
// made the move on its own.
func (m Move) Maker() lifecycle.Actor {
	switch {
	case m.Kind == Settled || m.By.Kind == lifecycle.Colony && m.Ordered.Kind == "":
		return lifecycle.Actor{}
	case m.By.Kind == lifecycle.Colony:
		return m.Ordered
	}
	return m.By
}
