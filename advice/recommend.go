package advice

import (
	"strings"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// operator gets the advice: a person who can move the issue.
var operator = lifecycle.Actor{Kind: lifecycle.Operator}

// returning returns how a person returns an issue that stopped: as the lifecycle recommends in its state, else by the command that returns to
// the previous state, else by its only move. ok is false if none of these is allowed there.
func returning(l *statemachine.Table, s statemachine.Standing) (action Action, ok bool) {
	if action, ok = recommended(l, s); ok {
		return action, true
	}
	for _, c := range l.Commands {
		if c.To == lifecycle.Previous && offered(c, s.State) {
			if action, ok = actionOf(l, s, c); ok {
				return action, true
			}
		}
	}
	if next := l.NextAt(s, operator); len(next) == 1 {
		return actionTo(l, s, next[0].To)
	}
	return Action{}, false
}

// recommended returns what the lifecycle recommends in the state of an issue, if it is allowed.
func recommended(l *statemachine.Table, s statemachine.Standing) (Action, bool) {
	state, known := l.State(s.State)
	if !known || state.Recommended == "" {
		return Action{}, false
	}
	verb, isCommand := strings.CutPrefix(state.Recommended, "/")
	if !isCommand {
		return actionTo(l, s, state.Recommended)
	}
	c, known := l.Commands.Of(verb)
	if !known {
		return Action{}, false
	}
	return actionOf(l, s, c)
}

// actionTo returns a person's move, if it is allowed.
func actionTo(l *statemachine.Table, s statemachine.Standing, to string) (Action, bool) {
	if l.Rule(s, statemachine.Ask{By: operator, To: to, Reason: true}, nil).Verdict != lifecycle.Legal {
		return Action{}, false
	}
	if pair, _ := l.Pair(s.State, to); pair.Reason == lifecycle.Required {
		return Reasoned(l, s.State, to), true
	}
	return Action{To: to}, true
}

// Reasoned returns a move with a reason: by the lifecycle's command for it, else by `move`.
func Reasoned(l *statemachine.Table, from, to string) Action {
	for _, c := range l.Commands {
		if c.To == to && c.Reason != lifecycle.NotTaken && offered(c, from) {
			return Action{To: to, Verb: c.Verb, Reason: true}
		}
	}
	return Action{To: to, Reason: true}
}

// offered reports whether a person who can move issues can write a command in a state, without a target.
func offered(c lifecycle.Command, state string) bool {
	return c.Target != lifecycle.Required && c.StartsIn(state)
}

// actionOf returns a person's command without a target, if its move is allowed.
func actionOf(l *statemachine.Table, s statemachine.Standing, c lifecycle.Command) (Action, bool) {
	to, known := l.Leads(c, s)
	if !known {
		return Action{}, false
	}
	action, ok := actionTo(l, s, to)
	action.Verb, action.Reason = c.Verb, action.Reason || c.Reason == lifecycle.Required
	return action, ok
}

// GiveUp returns the command that gives an issue up permanently from a state, if the lifecycle has one.
func GiveUp(l *statemachine.Table, from string) (lifecycle.Command, bool) {
	for _, c := range l.Commands {
		to, known := l.State(c.To)
		pair, legal := l.Pair(from, c.To)
		if known && legal && to.Type == lifecycle.Terminal && pair.Kind == lifecycle.Abandon && c.StartsIn(from) {
			return c, true
		}
	}
	return lifecycle.Command{}, false
}
