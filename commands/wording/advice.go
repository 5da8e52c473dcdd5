package wording

import (
	"slices"
	"strings"

	"github.com/colony-app/colony/advice"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// person is a reader of a comment who is allowed to move the issue.
var person = lifecycle.Actor{Kind: lifecycle.Operator}

// Advice is what people can do with an issue where it is.
type Advice struct {
	// Now is the state that the issue is in.
	Now  string
	Kind advice.Kind
	// Operator lists every move that people are allowed to make.
	Operator []lifecycle.Pair
	// Typed is the advised command, as people write it; empty if nothing is to be written.
	Typed string
	// Leads is the state that it leads to; empty without advice. ByCommand says that a label does not do the same.
	Leads     string
	ByCommand bool
	// First is what to do before that.
	First string
	// Way leads to the state that was asked for, and Late are those whose work was not handed on.
	Way  []string
	Late []advice.Party
	Inquiry
	// GivesReason says that the command gives the reason that a refused move lacked.
	GivesReason bool
	Forcing
}

// Forcing is what forced moves can do.
type Forcing struct {
	statemachine.Access
	// Stays says that not even a forced move leads out of where the issue is.
	Stays bool
	// Into lists the states that forced moves lead to; nil if all of them.
	Into []string
}

func forcing(l *statemachine.Table, from string) Forcing {
	f := Forcing{Access: statemachine.AccessOf(l), Stays: !l.Forces(from)}
	if len(l.Force.Into) > 0 {
		f.Into = slices.DeleteFunc(slices.Clone(l.Force.Into), func(to string) bool { return to == from || !l.MayForce(from, to) })
		f.Stays = len(f.Into) == 0
	}
	return f
}

// Forced is the state that a forced move leads to, as people write it.
func (f Forcing) Forced() string {
	if len(f.Into) == 1 {
		return f.Into[0]
	}
	return "<state>"
}

// Inquiry is the question that an issue waits for.
type Inquiry struct {
	// Question is its address; empty if that is not known.
	Question string
	// Author is the login of the only one whose answer counts.
	Author string
}

// advise finds what people can do with an issue: what Colony advises, and what is allowed.
func advise(l *statemachine.Table, standing statemachine.Standing, r advice.Request) Advice {
	of := advice.Of(l, standing, r)
	a := Advice{Now: standing.State, Kind: of.Kind, Operator: l.NextAt(standing, person), Way: of.Way, Late: of.Late, Forcing: forcing(l, standing.State)}
	a.Author = standing.Author
	switch stopped := of.Kind == advice.Return && len(a.Operator) > 0; {
	case of.Action != nil:
		a.Typed, a.Leads, a.ByCommand = Typed(of.Action), of.Action.To, of.Action.Verb != "" || of.Action.Reason
	case stopped:
		a.Typed = "/colony:move <state>"
	}
	if entered, known := standing.Since(); known && entered.Maker().Kind == "" && of.Kind == advice.Return && r.Reason != advice.Refused {
		a.First = "see to what stopped it"
	}
	return a
}

// Goal is the state that the way leads to.
func (a Advice) Goal() string { return a.Way[len(a.Way)-1] }

// LateNames names those whose work was not handed on.
func (a Advice) LateNames() string {
	var names []string
	for _, p := range a.Late {
		names = append(names, Party(a.Access, p))
	}
	return strings.Join(names, " or ")
}

// Others lists the allowed moves without the advised one.
func (a Advice) Others() []lifecycle.Pair {
	return slices.DeleteFunc(slices.Clone(a.Operator), func(p lifecycle.Pair) bool { return p.To == a.Leads })
}
