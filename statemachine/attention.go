package statemachine

import (
	"slices"
	"time"
)

// Need is why an issue waits for a person.
type Need string

// Why an issue may wait for a person.
const (
	NeedsRestart    Need = "halted"
	NeedsLook       Need = "needs-human"
	NeedsAnswer     Need = "awaiting-human"
	NeedsRecovery   Need = "blocked"
	NeedsResuming   Need = "paused"
	NeedsHurry      Need = "overdue"
	NeedsReflection Need = "orphan"
)

// NeedSpec is one row of the vocabulary of needs.
type NeedSpec struct {
	Need    Need
	Meaning string
}

// NeedSpecs returns why an issue may wait for a person, the most pressing first, with what each means to people.
func NeedSpecs() []NeedSpec {
	return []NeedSpec{
		{NeedsRestart, "Colony stopped undoing changes there, or stopped moving it, until a person makes a legal move."},
		{NeedsLook, "It carries the label `colony:needs-human`."},
		{NeedsAnswer, "Its state asks a person for something."},
		{NeedsRecovery, "It is blocked until a person retries it."},
		{NeedsResuming, "It is paused until a person resumes it."},
		{NeedsHurry, "It has been in its state for longer than the lifecycle allows."},
		{NeedsReflection, "It ended without the reflection that its lifecycle requires."},
	}
}

// Party is somebody who is expected to act on an issue.
type Party struct {
	Kind ActorKind
	// Role is the role of an executor, and Login the name of somebody; each is empty if it does not matter.
	Role, Login string
}

// Attended is what beside its log tells whether an issue waits for a person.
type Attended struct {
	Labels []string
	Closed bool
	Author string // login
	Now    time.Time
	// Halted is what tripped the breaker; nil if it is not tripped, or if that was not read.
	Halted *Rejection
	// Marked is since when the mark NeedsHuman is there; zero: about as long as the log tells.
	Marked time.Time
	// Orphan is the move that ended the issue if its reflection is overdue, and OrphanedBy who made it.
	Orphan     *Move
	OrphanedBy Actor
}

// Attention is that an issue waits for a person.
type Attention struct {
	Need  Need
	State string
	// Since is since when, as far as the log tells, and By whose doing it was.
	Since time.Time
	By    Actor
	// Who has to act, and Action what is recommended to them; nil if nothing is.
	Who    []Party
	Action *Action
}

// Attention returns why an issue waits for a person, the most pressing reason first; nothing if it does not. Of what is closed the state
// does not matter.
func (l *Lifecycle) Attention(s Standing, on Attended) []Attention {
	var all []Attention
	entered, _ := s.Since()
	add := func(need Need, since time.Time, by Actor, who []Party) {
		a := Attention{Need: need, State: s.State, Since: since, By: by, Who: who}
		if action, ok := l.Recommend(s); ok {
			a.Action = &action
		}
		all = append(all, a)
	}
	operators := []Party{{Kind: Operator}}
	if on.Halted != nil {
		add(NeedsRestart, on.Halted.At, on.Halted.By, operators)
	}
	if HasLabel(on.Labels, NeedsHuman) {
		since, by := l.askedForPerson(s)
		if !on.Marked.IsZero() {
			since = on.Marked
		}
		add(NeedsLook, since, by, operators)
	}
	if on.Orphan != nil {
		all = append(all, Attention{Need: NeedsReflection, State: s.State, Since: on.Orphan.At, By: on.OrphanedBy, Who: []Party{{Kind: on.OrphanedBy.Kind, Login: on.OrphanedBy.Login}}})
	}
	state, known := l.State(s.State)
	switch {
	case !known || on.Closed:
	case state.Type == AwaitingHuman:
		add(NeedsAnswer, entered.At, entered.Maker(), l.Expected(s, on.Author))
	case l.pauses(state.Name):
		add(NeedsResuming, entered.At, entered.Maker(), operators)
	case state.Type == Blocked && state.Recovery == RecoveryManual:
		add(NeedsRecovery, entered.At, entered.Maker(), operators)
	}
	if at, times := l.TimesOut(s); times && !on.Closed && at.Before(on.Now) {
		add(NeedsHurry, entered.At, entered.Maker(), l.Expected(s, on.Author))
	}
	return all
}

// askedForPerson returns when, and over whose doing, Colony last asked for a person, as far as the log tells.
func (l *Lifecycle) askedForPerson(s Standing) (since time.Time, by Actor) {
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

// pauses reports whether a state is one that pauses lead to.
func (l *Lifecycle) pauses(state string) bool {
	return slices.ContainsFunc(l.Pairs, func(p Pair) bool { return p.To == state && p.Kind == Pause })
}

// Expected returns who has to act for an issue to go on from where it stands, and author is who opened it: nobody where the work has ended,
// and Colony where it waits for a fact.
func (l *Lifecycle) Expected(s Standing, author string) []Party {
	state, known := l.State(s.State)
	operators := []Party{{Kind: Operator}}
	switch {
	case !known || state.Type == Terminal:
		return nil
	case state.Type == AwaitingHuman:
		if l.answeredByAuthor(s.State) {
			return append([]Party{{Kind: Author, Login: author}}, operators...)
		}
		return operators
	case state.Type == Blocked && state.Recovery == RecoveryManual:
		return operators
	case state.Type == Blocked:
		return []Party{{Kind: Colony}}
	}
	var roles []Party
	for _, r := range l.RolesIn(s.State) {
		roles = append(roles, Party{Kind: Executor, Role: r})
	}
	if len(roles) == 0 {
		return operators
	}
	return roles
}

// answeredByAuthor reports whether what the author of an issue writes moves it on from a state.
func (l *Lifecycle) answeredByAuthor(state string) bool {
	return slices.ContainsFunc(l.Triggers, func(t Trigger) bool {
		spec, _ := SpecOf(t.On)
		return slices.Contains(t.In, state) && (spec.By == ByAuthor || spec.By == ByMover || spec.Needs == ReadEdits && !spec.Sealed)
	})
}
