package advice

import (
	"slices"
	"time"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// Attended holds what decides, besides its log, whether an issue waits for a person.
type Attended struct {
	Labels []string
	Closed bool
	Author string // login
	Now    time.Time
	// Halted is the rejection that tripped the breaker; nil if it is not tripped, or was not read.
	Halted *statemachine.Rejection
	// Marked is when the label NeedsHuman was added; zero: when Colony last asked for a person.
	Marked time.Time
	// Orphan is the move that ended the issue, if its reflection is overdue; OrphanedBy made it.
	Orphan     *statemachine.Move
	OrphanedBy lifecycle.Actor
}

// Attention is one reason why an issue waits for a person.
type Attention struct {
	Need  Need
	State string
	// Since is the time of its cause, as far as the log tells, and By who caused it.
	Since time.Time
	By    lifecycle.Actor
	// Who must act, and Action is what is advised; nil if nothing is.
	Who    []Party
	Action *Action
}

// Needs returns why an issue waits for a person, the most pressing reason first; nil if it does not. The state of a closed issue does
// not matter.
func Needs(l *statemachine.Table, s statemachine.Standing, on Attended) []Attention {
	var all []Attention
	add := func(need Need, since time.Time, by lifecycle.Actor, who ...Party) {
		a := Attention{Need: need, State: s.State, Since: since, By: by, Who: who}
		if need != NeedsReflection {
			a.Action = Of(l, s, Request{Reason: reasonOf(need), Who: operator}).Action
		}
		all = append(all, a)
	}
	people := Party{Kind: lifecycle.Operator}
	if on.Halted != nil {
		add(NeedsRestart, on.Halted.At, on.Halted.By, people)
	}
	if lifecycle.HasLabel(on.Labels, lifecycle.NeedsHuman) {
		since, by := askedForPerson(s)
		if !on.Marked.IsZero() {
			since = on.Marked
		}
		add(NeedsLook, since, by, people)
	}
	if on.Orphan != nil {
		add(NeedsReflection, on.Orphan.At, on.OrphanedBy, Party{Kind: on.OrphanedBy.Kind, Login: on.OrphanedBy.Login})
	}
	if on.Closed {
		return all
	}
	entered, _ := s.Since()
	switch state, known := l.State(s.State); {
	case !known:
	case state.Type == lifecycle.AwaitingHuman:
		add(NeedsAnswer, entered.At, entered.Maker(), Expected(l, s.State, on.Author)...)
	case slices.ContainsFunc(l.Pairs, func(p lifecycle.Pair) bool { return p.To == s.State && p.Kind == lifecycle.Pause }):
		add(NeedsResuming, entered.At, entered.Maker(), people)
	case state.Recovery == lifecycle.RecoveryManual:
		add(NeedsRecovery, entered.At, entered.Maker(), people)
	}
	if at, times := l.TimesOut(s); times && at.Before(on.Now) {
		add(NeedsHurry, entered.At, entered.Maker(), Expected(l, s.State, on.Author)...)
	}
	return all
}

func reasonOf(need Need) Reason {
	switch need {
	case NeedsRestart, NeedsLook:
		return Called
	case NeedsHurry:
		return Late
	}
	return Waits
}

// askedForPerson returns when Colony last asked for a person, and who caused it, as far as the log tells.
func askedForPerson(s statemachine.Standing) (since time.Time, by lifecycle.Actor) {
	for _, r := range s.Rejections {
		if r.AsksPerson {
			since, by = r.At, r.By
		}
	}
	if m, ok := s.Since(); ok && m.At.After(since) {
		since, by = m.At, m.Maker()
	}
	return since, by
}
