package statemachine

import (
	"slices"
	"strings"
)

// Action is one thing that a person can do with an issue.
type Action struct {
	// To is the state that it leads to.
	To string
	// Verb is the command of the lifecycle that leads there; empty if a move does.
	Verb string
	// Reason says that it needs a written reason.
	Reason bool
}

// Command is what a person writes for the action, without a reason.
func (a Action) Command() string {
	if a.Verb != "" {
		return "/colony:" + a.Verb
	}
	return "/colony:move " + a.To
}

// Recommend returns what an operator should do with an issue where it stands: what the lifecycle recommends in that state, else the
// command that returns to the state before, else the only move there is. ok is false if none of these is legal there.
func (l *Lifecycle) Recommend(s Standing) (action Action, ok bool) {
	if state, known := l.State(s.State); known && state.Recommended != "" {
		if verb, isCommand := strings.CutPrefix(state.Recommended, "/"); !isCommand {
			action, ok = l.actionTo(s, state.Recommended)
		} else if c, known := l.Command(verb); known {
			action, ok = l.actionOf(s, c)
		}
		if ok {
			return action, true
		}
	}
	for _, c := range l.Commands {
		if c.To != Previous || c.By == Maintainers || c.Target == Required || !slices.Contains(c.From, s.State) {
			continue
		}
		if action, ok = l.actionOf(s, c); ok {
			return action, true
		}
	}
	if next := l.NextAt(s, Actor{Kind: Operator}); len(next) == 1 {
		return l.actionTo(s, next[0].To)
	}
	return Action{}, false
}

// actionTo is a move of an operator, if it is legal.
func (l *Lifecycle) actionTo(s Standing, to string) (Action, bool) {
	if l.JudgeAt(s, Actor{Kind: Operator}, to, true) != Legal {
		return Action{}, false
	}
	if pair, _ := l.Pair(s.State, to); pair.Reason == Required {
		return l.Reasoned(s.State, to), true
	}
	return Action{To: to}, true
}

// Reasoned is a move with its reason: by the command that the lifecycle has for it, else by `move`.
func (l *Lifecycle) Reasoned(from, to string) Action {
	for _, c := range l.Commands {
		if c.To == to && c.Reason != NotTaken && c.Target != Required && c.By != Maintainers && (len(c.From) == 0 || slices.Contains(c.From, from)) {
			return Action{To: to, Verb: c.Verb, Reason: true}
		}
	}
	return Action{To: to, Reason: true}
}

// actionOf is a command of an operator without a target, if what it does is legal.
func (l *Lifecycle) actionOf(s Standing, c Command) (Action, bool) {
	to, known := l.Leads(c, s)
	if !known {
		return Action{}, false
	}
	action, ok := l.actionTo(s, to)
	action.Verb, action.Reason = c.Verb, action.Reason || c.Reason == Required
	return action, ok
}

// Leads returns the state that a command leads to if it names none. ok is false for one that returns to the state before, if the log
// does not tell which that is, or the table has no way back, and the command leads nowhere else.
func (l *Lifecycle) Leads(c Command, s Standing) (to string, ok bool) {
	if c.To != Previous {
		return c.To, true
	}
	before, known := l.Before(s)
	if instead, replaced := c.Instead[before]; replaced {
		before = instead
	}
	if _, legal := l.Pair(s.State, before); known && legal {
		return before, true
	}
	return c.Otherwise, c.Otherwise != ""
}
