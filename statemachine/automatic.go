package statemachine

import (
	"slices"
	"strings"
	"time"
)

// Limit counts how often an issue moves to a state, since a person last intervened, and bounds it.
type Limit struct {
	// Name says what is counted, for people: "fix attempts".
	Name string
	// To is the state whose entries are counted; From, if it is not empty, lists the states they have to come from.
	To   string
	From []string
	// AtMost is how many are allowed; 0 only counts.
	AtMost int
	// Instead is where the issue goes rather than there for once more.
	Instead string
	Why     string
	// OnPullRequest says that the open pull requests are told as well that the limit is reached.
	OnPullRequest bool
}

// TimeOut moves an issue that has been in a state for too long.
type TimeOut struct {
	In    []string
	After time.Duration
	To    string
	Why   string
}

// Trigger moves an issue because of a fact outside its labels.
type Trigger struct {
	On Fact
	In []string
	// To is where it leads. A row that leads nowhere only asks for a person.
	To  string
	Why string
	// AsksPerson says that the move is explained in a comment, and that a person is asked for.
	AsksPerson bool
}

// Automatic is a move that Colony makes by itself, or made.
type Automatic struct {
	From, To string
	Why      string
	// About names what it was made for: "#12", a login, a count.
	About string
	// AsksPerson says that it is told in a comment and that a person is asked for.
	AsksPerson bool
	// OnPullRequest says that the open pull requests are told as well.
	OnPullRequest bool
}

// isAutomatic reports whether Colony makes a move by itself. One that it was told to make by a command in spite of that
// cannot be told apart by the log, and counts as its own.
func (l *Lifecycle) isAutomatic(from, to string) bool {
	return slices.ContainsFunc(l.Triggers, func(t Trigger) bool { return t.moves(from, to) }) ||
		slices.ContainsFunc(l.TimeOuts, func(t TimeOut) bool { return t.moves(from, to) }) ||
		slices.ContainsFunc(l.Dispatch, func(d Dispatch) bool { return d.To == to && slices.Contains(d.From, from) }) ||
		slices.ContainsFunc(l.Limits, func(limit Limit) bool { return limit.Instead == to && limit.AtMost > 0 && limit.from(from) })
}

// moves reports whether the row leads from one state to another.
func (t Trigger) moves(from, to string) bool { return t.To == to && slices.Contains(t.In, from) }

// moves reports whether the row leads from one state to another.
func (t TimeOut) moves(from, to string) bool { return t.To == to && slices.Contains(t.In, from) }

func (limit Limit) from(state string) bool {
	return len(limit.From) == 0 || slices.Contains(limit.From, state)
}

// bounds reports whether a move is limited, and not only counted.
func (limit Limit) bounds(from, to string) bool {
	return limit.AtMost > 0 && limit.To == to && limit.from(from)
}

// intervened reports whether a person made a move that counts: with the label, or by a command that Colony carried out.
func (l *Lifecycle) intervened(m Move) bool {
	switch m.Kind {
	case Settled, BadRequest, Exhausted:
		return false
	case ForcedMove:
		return true
	case Moved:
	}
	return m.By.Kind == Operator || m.By.Kind == Colony && !l.isAutomatic(m.From, m.To)
}

// own reports whether Colony made a move without being asked.
func (l *Lifecycle) own(m Move) bool {
	return m.By.Kind == Colony && m.Kind == Moved && !l.intervened(m)
}

// sincePerson returns the moves after the last one that a person made. What is settled begins anew: nobody knows how it came, and
// what was done before Colony came was held to no limit.
func (l *Lifecycle) sincePerson(s Standing) []Move {
	for i, m := range slices.Backward(s.Trail) {
		if m.Kind == Settled || l.intervened(m) || m.At.Before(s.Installed) {
			return s.Trail[i+1:]
		}
	}
	return s.Trail
}

// Count returns how often a limited move was made since a person last intervened.
func (l *Lifecycle) Count(limit Limit, s Standing) int {
	n := 0
	for _, m := range l.sincePerson(s) {
		if m.To == limit.To && m.Kind != Settled && limit.from(m.From) {
			n++
		}
	}
	return n
}

// exhausted returns the limit that one more move would exceed. A person's move is never limited: it intervenes.
func (l *Lifecycle) exhausted(s Standing, who Actor, to string) (Limit, bool) {
	if who.Kind == Operator || who.Kind == Colony && !l.isAutomatic(s.State, to) {
		return Limit{}, false
	}
	for _, limit := range l.Limits {
		if limit.bounds(s.State, to) && l.Count(limit, s) >= limit.AtMost {
			return limit, true
		}
	}
	return Limit{}, false
}

// Reached returns the limit that a rejected change met, if it was one.
func (l *Lifecycle) Reached(r Rejection) (Limit, bool) {
	for _, limit := range l.Limits {
		if r.Verdict == LimitReached && limit.bounds(r.From, r.To) && limit.Instead == r.LedTo {
			return limit, true
		}
	}
	return Limit{}, false
}

// told returns what there is to say about a move of Colony's that was no command's, and whether there is anything.
func (l *Lifecycle) told(s Standing, at int) (Automatic, bool) {
	trail, m := s.Trail, s.Trail[at]
	before := s
	before.State, before.Trail = m.From, trail[:at]
	if m.Reason != "" {
		return Automatic{From: m.From, To: m.To, Why: m.Reason}, true
	}
	if m.By.Kind != Colony || m.Kind != Moved {
		return Automatic{}, false
	}
	for _, limit := range l.Limits {
		if limit.AtMost > 0 && limit.Instead == m.To && limit.from(m.From) && l.Count(limit, before) >= limit.AtMost {
			return Automatic{From: m.From, To: m.To, Why: limit.Why, AsksPerson: true, OnPullRequest: limit.OnPullRequest}, true
		}
	}
	if t, ok := l.timeOut(m.From); ok && t.To == m.To && at > 0 && m.At.Sub(trail[at-1].At) >= t.After {
		return Automatic{From: m.From, To: m.To, Why: t.Why, AsksPerson: true}, true
	}
	var whys []string // the log does not tell which of several rows it was
	for _, t := range l.Triggers {
		if t.AsksPerson && t.moves(m.From, m.To) {
			whys = append(whys, t.Why)
		}
	}
	return Automatic{From: m.From, To: m.To, Why: strings.Join(whys, "; or: "), AsksPerson: true}, len(whys) > 0
}

func (l *Lifecycle) timeOut(state string) (TimeOut, bool) {
	for _, t := range l.TimeOuts {
		if slices.Contains(t.In, state) {
			return t, true
		}
	}
	return TimeOut{}, false
}

// TimesOut returns when an issue will have been in its state for too long, and ok if there is such a time. There is none for a
// state whose beginning the log does not tell, and the time before Colony came does not count, so that nothing old is moved when
// it is installed.
func (l *Lifecycle) TimesOut(s Standing) (at time.Time, ok bool) {
	t, limited := l.timeOut(s.State)
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

// Following returns a copy of the lifecycle whose triggers only go by some readings: what nobody wants to be followed moves no issue,
// and is not read. What such a copy does not follow, a copy of it can follow again.
func (l *Lifecycle) Following(readings []Reading) *Lifecycle {
	following := *l
	if following.inFile == nil {
		following.inFile = l.Triggers
	}
	following.Triggers = slices.DeleteFunc(slices.Clone(following.inFile), func(t Trigger) bool {
		spec, _ := factSpec(t.On)
		return !slices.Contains(readings, spec.Needs)
	})
	return &following
}

// Readings returns what has to be read to know whether an issue in a state moves by itself.
func (l *Lifecycle) Readings(state string) []Reading { return l.readings(state, false) }

// ReadingsAt returns what has to be read to know whether an issue moves by itself from where it stands.
func (l *Lifecycle) ReadingsAt(s Standing) []Reading { return l.readingsAt(s, false) }

func (l *Lifecycle) readingsAt(s Standing, closed bool) []Reading {
	if s.Untouched() {
		return nil
	}
	return l.readings(s.State, closed)
}

func (l *Lifecycle) readings(state string, closed bool) []Reading {
	var needs []Reading
	for _, t := range l.Triggers {
		spec, _ := factSpec(t.On)
		if slices.Contains(t.In, state) && !slices.Contains(needs, spec.Needs) && (spec.OnClosed || !closed) {
			needs = append(needs, spec.Needs)
		}
	}
	return needs
}

// automatic returns the move that Colony makes by itself now: a time-out first, then the triggers in the order of the file. It
// is where the limits lead if the move is exhausted. What a person closed is left alone: see FactSpec.OnClosed.
func (l *Lifecycle) automatic(c Case) (Automatic, bool) {
	s := c.Standing
	if t, ok := l.overdue(c); ok {
		return Automatic{From: s.State, To: t.To, Why: t.Why, AsksPerson: true}, true
	}
	if s.Untouched() {
		return Automatic{}, false
	}
	for _, t := range l.Triggers {
		spec, _ := factSpec(t.On)
		if !slices.Contains(t.In, s.State) || c.Closed && !spec.OnClosed {
			continue
		}
		for _, o := range c.Facts.Observed {
			if t.To == "" || o.Fact != t.On || !l.counts(s, t, o) {
				continue
			}
			if limit, over := l.exhausted(s, Actor{Kind: Colony}, t.To); over {
				return Automatic{From: s.State, To: limit.Instead, Why: limit.Why, About: o.About, AsksPerson: true}, true
			}
			return Automatic{From: s.State, To: t.To, Why: t.Why, About: o.About, AsksPerson: t.AsksPerson}, true
		}
	}
	return Automatic{}, false
}

// overdue returns the time-out of an open issue that has been in its state for too long.
func (l *Lifecycle) overdue(c Case) (TimeOut, bool) {
	at, ok := l.TimesOut(c.Standing)
	if !ok || c.Now.Before(at) || c.Closed {
		return TimeOut{}, false
	}
	return l.timeOut(c.Standing.State)
}

// counts reports whether an observation is new enough for a trigger; see Since.
func (l *Lifecycle) counts(s Standing, t Trigger, o Observation) bool {
	spec, _ := factSpec(t.On)
	entered, known := s.Since()
	switch spec.Since {
	case SinceEntry:
		if !known || entered.Kind == Settled {
			return o.At.After(s.JudgedSince)
		}
		return o.At.After(entered.At)
	case SinceDecision, SinceEver:
		return o.At.After(l.lastBy(s, t))
	}
	switch {
	case spec.Own && (!known || entered.Kind == Settled):
		return o.At.After(s.JudgedSince)
	case spec.Own:
		return l.own(entered) || o.At.After(entered.At)
	}
	return !known || !l.intervened(entered) || entered.From != t.To
}

// lastBy returns when a person last moved the issue or, if that was later, when the row itself did.
func (l *Lifecycle) lastBy(s Standing, t Trigger) time.Time {
	for _, m := range slices.Backward(s.Trail) {
		if l.intervened(m) || m.By.Kind == Colony && t.moves(m.From, m.To) {
			return m.At
		}
	}
	return time.Time{}
}

// runsInCircles returns the latest of Colony's own moves if there were more of them within the breaker's window than rejections
// are allowed, none of them undone by a person: two rows that move an issue to and fro must not do so for ever.
func (l *Lifecycle) runsInCircles(p Patience, s Standing) (Move, bool) {
	var own []Move
	for _, m := range l.sincePerson(s) {
		if m.By.Kind == Colony && m.Kind == Moved {
			own = append(slices.DeleteFunc(own, func(old Move) bool { return m.At.Sub(old.At) > p.BreakerWindow }), m)
		}
	}
	if len(own) <= p.BreakerRejections {
		return Move{}, false
	}
	return own[len(own)-1], true
}

// EndsClosed reports whether an issue that is closed can still move by itself in a state: see FactSpec.OnClosed.
func (l *Lifecycle) EndsClosed(state string) bool { return len(l.readings(state, true)) > 0 }
