package statemachine

import (
	"slices"
	"strings"
	"time"
)

// Automatic is a move that Colony makes or made on its own.
type Automatic struct {
	From, To string
	Why      string
	// About names what it was made for: "#12", a login, a count.
	About string
	// Link is where that can be seen; empty if there is no such place.
	Link string
	// AsksPerson says that a comment explains it and asks for a person.
	AsksPerson bool
	// OnPullRequest says that Colony also says so on the open pull requests.
	OnPullRequest bool
	// TakesIn says that the move takes the issue into the lifecycle.
	TakesIn bool
}

// whyDispatched is why Colony moves an issue to a state with a capacity.
const whyDispatched = "There is room"

// Evident returns why Colony made a move on its own, if no row of the lifecycle but those of its settings leads there: then nobody has to
// write it down. Such moves are many, and all alike.
func (l *Lifecycle) Evident(m Move) (why string, ok bool) {
	if m.By.Kind != Colony || m.Kind != Moved || m.Ordered.Kind != "" {
		return "", false
	}
	if m.From == l.Initial && m.To == l.Intake && l.Intake != "" {
		return whyTakenIn, true
	}
	bare := *l
	bare.Dispatch = nil
	if l.MakesItself(m.From, m.To) && !bare.MakesItself(m.From, m.To) {
		return whyDispatched, true
	}
	return "", false
}

// suspended reports whether a fact holds during which a row does nothing.
func suspended(t Trigger, f Facts) bool {
	return slices.ContainsFunc(f.Observed, func(o Observation) bool { return slices.Contains(t.Unless, o.Fact) })
}

// own reports whether Colony made a move without being asked.
func (l *Lifecycle) own(m Move) bool { return m.Kind == Moved && l.maker(m) == Colony }

// Count returns how often a limited move was made since a person last intervened.
func (l *Lifecycle) Count(limit Limit, s Standing) int {
	n := 0
	for m := range l.sincePerson(s) {
		if countedBy(limit, m) {
			n++
		}
	}
	return n
}

func countedBy(limit Limit, m Move) bool {
	return m.To == limit.To && m.Kind != Settled && limit.CountsFrom(m.From)
}

// exhausted returns the limit that one more move would exceed, made by such an actor. A person's move is never limited: it
// intervenes.
func (l *Lifecycle) exhausted(s Standing, maker ActorKind, to string) (found Limit, over bool) {
	if maker == Operator {
		return Limit{}, false
	}
	for _, limit := range l.Limits {
		if limit.Bounds(s.State, to) && l.Count(limit, s) >= limit.AtMost {
			return limit, true
		}
	}
	return Limit{}, false
}

// Exhausted returns the limit that keeps everybody but people from moving an issue to a state once more, and how often that was done.
func (l *Lifecycle) Exhausted(s Standing, to string) (limit Limit, count int, ok bool) {
	limit, ok = l.exhausted(s, Executor, to)
	return limit, l.Count(limit, s), ok
}

// Reached returns the limit that a rejected change met, if it was one.
func (l *Lifecycle) Reached(r Rejection) (Limit, bool) {
	for _, limit := range l.Limits {
		if r.Verdict == LimitReached && limit.Bounds(r.From, r.To) && limit.Instead == r.LedTo {
			return limit, true
		}
	}
	return Limit{}, false
}

// announcement returns what there is to say about a move of Colony's that was no command's, and whether there is anything.
func (l *Lifecycle) announcement(s Standing, at int) (Automatic, bool) {
	m := s.Trail[at]
	before := s
	before.State, before.Trail = m.From, s.Trail[:at]
	if m.Reason != "" {
		return Automatic{From: m.From, To: m.To, Why: m.Reason}, true
	}
	if m.By.Kind != Colony || m.Kind != Moved || m.Ordered.Kind != "" {
		return Automatic{}, false
	}
	for _, limit := range l.Limits {
		if limit.AtMost > 0 && limit.Instead == m.To && limit.CountsFrom(m.From) && l.Count(limit, before) >= limit.AtMost {
			return Automatic{From: m.From, To: m.To, Why: limit.Why, AsksPerson: true, OnPullRequest: limit.OnPullRequest}, true
		}
	}
	if t, ok := l.TimeOuts.In(m.From); ok && t.To == m.To && lasted(before, m.At) >= t.After {
		return Automatic{From: m.From, To: m.To, Why: t.Why, AsksPerson: true}, true
	}
	var whys []string // the log does not tell which of several rows it was
	for _, t := range l.Triggers {
		if t.AsksPerson && t.Moves(m.From, m.To) {
			whys = append(whys, t.Why)
		}
	}
	return Automatic{From: m.From, To: m.To, Why: strings.Join(whys, "; or: "), AsksPerson: true}, len(whys) > 0
}

// lasted returns for how long an issue had been where it stood at a time; less than nothing if the log does not tell.
func lasted(s Standing, at time.Time) time.Duration {
	entered, known := s.Since()
	if !known {
		return -1
	}
	return at.Sub(entered.At)
}

// TimesOut returns when an issue will have been in its state for too long, and ok if there is such a time. There is none for a
// state whose beginning the log does not tell, and the time before Colony came does not count, so that nothing old is moved when
// it is installed.
func (l *Lifecycle) TimesOut(s Standing) (at time.Time, ok bool) {
	t, limited := l.TimeOuts.In(s.State)
	entered, known := s.Since()
	if !limited || !known || entered.Kind == Settled || s.Untouched() {
		return time.Time{}, false
	}
	begun := entered.At
	if s.Begun.After(begun) {
		begun = s.Begun
	}
	return begun.Add(t.After), true
}

// ReadingsAt returns what has to be read to know whether Colony moves an issue on its own from where it stands.
func (l *Lifecycle) ReadingsAt(s Standing) []Reading { return l.readingsAt(s, false) }

func (l *Lifecycle) readingsAt(s Standing, closed bool) []Reading {
	if s.Untouched() {
		return nil
	}
	return l.Readings(s.State, closed)
}

// automatic returns the move that Colony makes on its own now: a time-out first, then the triggers in the order of the file. It
// is where the limits lead if the move is exhausted. What a person closed is left alone: see FactSpec.OnClosed.
func (l *Lifecycle) automatic(in *input) (a Automatic, ok bool) {
	s := in.Standing
	if t, ok := l.overdue(&in.Case); ok {
		return Automatic{From: s.State, To: t.To, Why: t.Why, AsksPerson: true}, true
	}
	if s.Untouched() {
		return Automatic{}, false
	}
	for _, t := range l.Triggers {
		spec, _ := SpecOf(t.On)
		if !slices.Contains(t.In, s.State) || in.Closed && !spec.OnClosed || suspended(t, in.Facts) {
			continue
		}
		for _, o := range in.Facts.Observed {
			if t.To == "" || o.Fact != t.On || !l.counts(s, t, o) {
				continue
			}
			if limit, over := l.exhausted(s, Colony, t.To); over {
				return Automatic{From: s.State, To: limit.Instead, Why: limit.Why, About: o.About, Link: o.Link, AsksPerson: true}, true
			}
			return Automatic{From: s.State, To: t.To, Why: t.Why, About: o.About, Link: o.Link, AsksPerson: t.AsksPerson}, true
		}
	}
	return Automatic{}, false
}

// overdue returns the time-out of an open issue that has been in its state for too long.
func (l *Lifecycle) overdue(in *Case) (TimeOut, bool) {
	at, ok := l.TimesOut(in.Standing)
	if !ok || in.Now.Before(at) || in.Closed {
		return TimeOut{}, false
	}
	return l.TimeOuts.In(in.Standing.State)
}
