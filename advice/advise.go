package advice

import (
	"slices"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// Reason is why people get advice about an issue.
type Reason string

// The reasons.
const (
	Refused Reason = "refused" // a move that they asked for was not granted
	Failed  Reason = "failed"  // a bot's request blocked the issue
	Called  Reason = "called"  // Colony asks a person: it moved the issue, or keeps it where it is
	Late    Reason = "late"    // the issue is in its state for longer than the lifecycle allows, or soon will be
	Waits   Reason = "waits"   // it waits for a person, or a comment asks what it waits for
)

// Request asks for advice.
type Request struct {
	Reason Reason
	// Who gets it, and Wanted is the state that they asked for; empty if they asked for none.
	Who    lifecycle.Actor
	Wanted string
	// Stuck says that no fact moves the issue on from a state that waits for one, as far as is known: see statemachine.Facts.Stuck.
	Stuck bool
}

// Advice is the one thing to do about an issue. The zero value: there is nothing to advise.
type Advice struct {
	Kind Kind
	// Action makes it, by a command or by a label; nil if none does. It is for people who can move issues.
	Action *Action
	// Way leads to the state that was asked for, both ends included; only of TakeWay.
	Way []string
	// Late are the roles whose work was not handed on, if that brought the issue here.
	Late []Party
}

// Kind is what there is to do.
type Kind string

// The kinds of advice.
const (
	Nothing Kind = ""
	TakeWay Kind = "way"     // go to where they wanted, by other states
	Answer  Kind = "answer"  // answer the question that the issue waits for
	Ask     Kind = "ask"     // ask the author, whose answer alone counts
	Reopen  Kind = "reopen"  // reopen the issue, which Colony does not move on while it is closed
	Await   Kind = "await"   // see to what the issue waits for: Colony moves it on then
	Return  Kind = "return"  // see to what stopped the issue, then return it
	Requeue Kind = "requeue" // see to the bot that is late, then give its work to the next
	Decide  Kind = "decide"  // decide what the state asks a person for
)

// situation is what an issue waits for in a state.
type situation string

const (
	atQuestion situation = "question" // its author's answer
	askedOther situation = "other"    // its author's answer, and the advice is for someone else
	shut       situation = "shut"     // an answer or a fact, which does not count while it is closed
	atDecision situation = "decision" // a person's decision
	held       situation = "held"     // a fact
	stuck      situation = "stuck"    // a fact, though no known one moves it on
	stopped    situation = "stopped"  // a person who returns it
	working    situation = "working"  // a bot that works
	elsewhere  situation = "elsewhere"
)

// row gives advice of a kind for some reasons in some situations.
type row struct {
	reasons    []Reason // none: all
	situations []situation
	// people: only for people who asked for something.
	people bool
	kind   Kind
	why    string
}

// rows are what Colony advises. The first that fits, and has something to say, does; without one Colony advises nothing.
var rows = []row{
	{nil, []situation{shut}, false, Reopen, "While the issue is closed, no answer and no other fact moves it on"},
	{nil, []situation{askedOther}, false, Ask, "The answer of someone else moves nothing"},
	{nil, []situation{atQuestion}, false, Answer, "A question wants an answer; to move the issue on leaves the work without it"},
	{nil, []situation{held}, false, Await, "Colony moves the issue on once the fact is there; a move by hand brings the fact no nearer"},
	{[]Reason{Refused}, []situation{stopped}, true, Return, "Work that stopped goes on where it stopped, and from there to where they wanted"},
	{[]Reason{Failed, Called, Late, Waits}, []situation{stopped}, false, Return, "Somebody has to see to what stopped the work, or it stops there again"},
	{[]Reason{Refused}, []situation{atDecision, working, elsewhere}, true, TakeWay, "They want to get there, and not where the work would have gone"},
	{[]Reason{Late}, []situation{working}, false, Requeue, "A bot that is late has not done its work, so the issue goes to the next and not on"},
	{[]Reason{Called, Waits}, []situation{atDecision}, false, Decide, "The state asks a person for this decision, and nobody else can make it"},
}

// Of returns the advice about an issue. It never repeats what was refused, skips no work and no review, leads to no end, closes no pull request, and
// asks people for nothing that they cannot do.
func Of(l *statemachine.Table, s statemachine.Standing, r Request) Advice {
	where := situationOf(l, s, r)
	for _, row := range rows {
		if !row.fits(where, r) {
			continue
		}
		a := row.give(l, s, r.Wanted)
		if a.Action != nil && (a.Action.To == r.Wanted || l.IsEnd(a.Action.To)) {
			a.Action = nil
		}
		if a.Action != nil || row.kind != Decide && row.kind != TakeWay {
			return a
		}
	}
	return Advice{}
}

func (row row) fits(where situation, r Request) bool {
	return (len(row.reasons) == 0 || slices.Contains(row.reasons, r.Reason)) && slices.Contains(row.situations, where) &&
		(!row.people || r.Who.Kind == lifecycle.Operator)
}

func (row row) give(l *statemachine.Table, s statemachine.Standing, wanted string) Advice {
	a := Advice{Kind: row.kind}
	switch row.kind {
	case TakeWay:
		if a.Way = Way(l, s, wanted); len(a.Way) > 0 {
			a.Action = allowed(actionTo(l, s, a.Way[1]))
		}
	case Return:
		a.Action = allowed(returning(l, s))
		a.Late = timedOut(l, s)
	case Requeue:
		a.Late = workers(l, s.State)
		a.Action = allowed(requeue(l, s))
	case Decide:
		a.Action = allowed(recommended(l, s))
	}
	return a
}

// allowed returns an action that can be taken; nil for another.
func allowed(action Action, ok bool) *Action {
	if !ok {
		return nil
	}
	return &action
}

// situationOf says what an issue waits for, seen by who gets the advice.
func situationOf(l *statemachine.Table, s statemachine.Standing, r Request) situation {
	where := situationIn(l, s.State)
	switch waits := where == atQuestion || where == held; {
	case waits && s.Closed && !movesOnClosed(l, s.State):
		return shut
	case where == held && r.Stuck:
		return stuck
	case where == atQuestion && !mayAnswer(l, s, r.Who):
		return askedOther
	}
	return where
}

// movesOnClosed reports whether a fact that can come while an issue is closed moves it on from a state.
func movesOnClosed(l *statemachine.Table, state string) bool {
	return slices.ContainsFunc(l.Triggers, func(t lifecycle.Trigger) bool {
		spec, _ := lifecycle.SpecOf(t.On)
		return slices.Contains(t.In, state) && t.To != "" && spec.On == lifecycle.OnAny
	})
}

// mayAnswer reports whether the answer of an actor can count where an issue waits for one; true if the actor or the author is not known.
func mayAnswer(l *statemachine.Table, s statemachine.Standing, who lifecycle.Actor) bool {
	return who.Login == "" || s.Author == "" || who.Login == s.Author || slices.ContainsFunc(l.Triggers, func(t lifecycle.Trigger) bool {
		return slices.Contains(t.In, s.State) && t.On.By() == lifecycle.ByMover && who.Kind == lifecycle.Operator
	})
}

func situationIn(l *statemachine.Table, name string) situation {
	state, known := l.State(name)
	switch {
	case !known || state.Type == lifecycle.Terminal:
		return elsewhere
	case state.Recovery == lifecycle.RecoveryAuto:
		return held
	case state.Type == lifecycle.Blocked:
		return stopped
	case state.Type == lifecycle.AwaitingHuman && answeredByAuthor(l, name):
		return atQuestion
	case state.Type == lifecycle.AwaitingHuman, decidedByCommand(l, &state):
		return atDecision
	case len(workersIn(l, name)) > 0:
		return working
	}
	return elsewhere
}

// decidedByCommand reports whether the lifecycle recommends a command in a state whose move is no bot's: that is a person's decision.
func decidedByCommand(l *statemachine.Table, state *lifecycle.State) bool {
	action, ok := recommended(l, statemachine.Standing{State: state.Name})
	return ok && action.Verb != "" && l.Judge(lifecycle.Actor{Kind: lifecycle.Executor}, state.Name, action.To) != lifecycle.Legal
}

func workersIn(l *statemachine.Table, state string) []lifecycle.Role {
	return slices.DeleteFunc(slices.Clone(l.Roles), func(r lifecycle.Role) bool { return !slices.Contains(r.WorksIn, state) })
}

func workers(l *statemachine.Table, state string) (all []Party) {
	for _, r := range workersIn(l, state) {
		all = append(all, Party{Kind: lifecycle.Executor, Role: r.Name})
	}
	return all
}

// timedOut returns whose work was not handed on in time, if that is why the issue is where it is.
func timedOut(l *statemachine.Table, s statemachine.Standing) []Party {
	entered, known := s.Since()
	if !known || entered.Maker().Kind != "" || entered.Kind != statemachine.Moved {
		return nil
	}
	if _, timed := statemachine.TimedOut(l, s, len(s.Trail)-1); !timed {
		return nil
	}
	return workers(l, entered.From)
}

// requeue returns the move back to where the role that works in a state claims its work from.
func requeue(l *statemachine.Table, s statemachine.Standing) (Action, bool) {
	for _, r := range workersIn(l, s.State) {
		for _, c := range r.Claims {
			pair, legal := l.Pair(s.State, c.From)
			if c.To == s.State && legal && pair.Kind == lifecycle.Backward && !pair.FreshStart {
				if action, ok := actionTo(l, s, c.From); ok {
					return action, true
				}
			}
		}
	}
	return Action{}, false
}
