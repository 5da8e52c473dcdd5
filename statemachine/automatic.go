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
	// OnPullRequest says that Colony also says on the open pull requests that the limit is reached.
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
	// Unless lists facts during which the row does nothing.
	Unless []Fact
	// To is where it leads. A row that leads nowhere says in a comment why the issue stays, and may ask for a person.
	To  string
	Why string
	// AsksPerson says that the move is explained in a comment, and that a person is asked for.
	AsksPerson bool
	// Holds says that the issue is not moved when another state has capacity (Dispatch), as long as the fact holds. Nothing is
	// said then, and nobody else's move is judged by it.
	Holds bool
	// Since is from when on the fact counts; empty: as the table of facts says. See Trigger.since.
	Since Since
}

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
}

// isAutomatic reports whether Colony makes a move on its own.
func (l *Lifecycle) isAutomatic(from, to string) bool {
	return slices.ContainsFunc(l.Triggers, func(t Trigger) bool { return t.moves(from, to) }) ||
		slices.ContainsFunc(l.TimeOuts, func(t TimeOut) bool { return t.moves(from, to) }) ||
		slices.ContainsFunc(l.Dispatch, func(d Dispatch) bool { return d.To == to && slices.Contains(d.From, from) }) ||
		slices.ContainsFunc(l.Limits, func(limit Limit) bool { return limit.Instead == to && limit.AtMost > 0 && limit.from(from) })
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
	if l.isAutomatic(m.From, m.To) && !bare.isAutomatic(m.From, m.To) {
		return whyDispatched, true
	}
	return "", false
}

// moves reports whether the row leads from one state to another.
func (t Trigger) moves(from, to string) bool { return t.To == to && slices.Contains(t.In, from) }

// suspended reports whether a fact holds during which the row does nothing.
func (t Trigger) suspended(f Facts) bool {
	return slices.ContainsFunc(f.Observed, func(o Observation) bool { return slices.Contains(t.Unless, o.Fact) })
}

// moves reports whether the row leads from one state to another.
func (t TimeOut) moves(from, to string) bool { return t.To == to && slices.Contains(t.In, from) }

func (limit Limit) from(state string) bool {
	return len(limit.From) == 0 || slices.Contains(limit.From, state)
}

// bounds reports whether a move is limited, and not only counted.
func (limit Limit) bounds(from, to string) bool {
	return limit.AtMost > 0 && limit.To == to && limit.from(from)
}

// own reports whether Colony most likely made a move without being asked.
func (l *Lifecycle) own(m Move) bool { return m.Kind == Moved && l.makers(m)[0] == Colony }

// Count returns how often a limited move was made since a person last intervened.
func (l *Lifecycle) Count(limit Limit, s Standing) int {
	n := 0
	for m := range l.sincePerson(s) {
		if limit.counts(m) {
			n++
		}
	}
	return n
}

func (limit Limit) counts(m Move) bool {
	return m.To == limit.To && m.Kind != Settled && limit.from(m.From)
}

// exhausted returns the limit that one more move would exceed, made by such an actor. A person's move is never limited: it
// intervenes. doubt is since when it has to be known who ordered Colony's moves before that is sure; zero if it is.
func (l *Lifecycle) exhausted(s Standing, maker ActorKind, to string) (found Limit, over bool, doubt time.Time) {
	if maker == Operator {
		return Limit{}, false, time.Time{}
	}
	for _, limit := range l.Limits {
		if !limit.bounds(s.State, to) {
			continue
		}
		least, most, since := l.counted(limit, s)
		if most >= limit.AtMost && least < limit.AtMost {
			doubt = earlier(doubt, since)
		}
		if !over && l.Count(limit, s) >= limit.AtMost {
			found, over = limit, true
		}
	}
	return found, over, doubt
}

// Exhausted returns the limit that keeps everybody but people from moving an issue to a state once more, and how often that was done.
func (l *Lifecycle) Exhausted(s Standing, to string) (limit Limit, count int, ok bool) {
	limit, ok, _ = l.exhausted(s, Executor, to)
	return limit, l.Count(limit, s), ok
}

// counted returns how often a limited move was made since a person last intervened: at least, if a person ordered whatever a person may
// have ordered, and at most. since is the time of the earliest such move.
func (l *Lifecycle) counted(limit Limit, s Standing) (least, most int, since time.Time) {
	for _, m := range slices.Backward(s.Trail) {
		may, must := l.mayIntervene(m)
		if m.Kind == Settled || must || m.At.Before(s.Installed) {
			break
		}
		if may {
			since = m.At
		}
		if limit.counts(m) {
			most++
			if since.IsZero() {
				least++
			}
		}
	}
	return least, most, since
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
		if limit.AtMost > 0 && limit.Instead == m.To && limit.from(m.From) && l.Count(limit, before) >= limit.AtMost {
			return Automatic{From: m.From, To: m.To, Why: limit.Why, AsksPerson: true, OnPullRequest: limit.OnPullRequest}, true
		}
	}
	if t, ok := l.timeOut(m.From); ok && t.To == m.To && lasted(before, m.At) >= t.After {
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

// lasted returns for how long an issue had been where it stood at a time; less than nothing if the log does not tell.
func lasted(s Standing, at time.Time) time.Duration {
	entered, known := s.Since()
	if !known {
		return -1
	}
	return at.Sub(entered.At)
}

func (l *Lifecycle) timeOut(state string) (TimeOut, bool) {
	for _, t := range l.TimeOuts {
		if slices.Contains(t.In, state) {
			return t, true
		}
	}
	return TimeOut{}, false
}

// TimeOutOf returns how long an issue may be in a state, and ok if that is limited.
func (l *Lifecycle) TimeOutOf(state string) (t TimeOut, ok bool) { return l.timeOut(state) }

// TriggersIn returns the rows by which Colony moves issues out of a state, or into another round of it.
func (l *Lifecycle) TriggersIn(state string) []Trigger {
	return slices.DeleteFunc(slices.Clone(l.Triggers), func(t Trigger) bool { return t.To == "" || !slices.Contains(t.In, state) })
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

// Following returns a copy of the lifecycle whose triggers use only some readings: what nobody wants to be followed moves no issue,
// and is not read. What such a copy does not follow, a copy of it can follow again. What is sealed stays so.
func (l *Lifecycle) Following(readings []Reading) *Lifecycle {
	following := *l
	if following.inFile == nil {
		following.inFile = l.Triggers
	}
	left := func(f Fact) bool {
		spec, _ := factSpec(f)
		return !spec.Sealed && !slices.Contains(readings, spec.Needs)
	}
	following.Triggers = slices.DeleteFunc(slices.Clone(following.inFile), func(t Trigger) bool { return left(t.On) })
	for i, t := range following.Triggers {
		following.Triggers[i].Unless = slices.DeleteFunc(slices.Clone(t.Unless), left)
	}
	return &following
}

// Readings returns what has to be read to know whether Colony moves an issue in a state on its own.
func (l *Lifecycle) Readings(state string) []Reading { return l.readings(state, false) }

// ReadingsAt returns what has to be read to know whether Colony moves an issue on its own from where it stands.
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
		if !slices.Contains(t.In, state) || closed && !spec.OnClosed || t.Holds && !l.dispatchedFrom(state) {
			continue
		}
		for _, f := range append([]Fact{t.On}, t.Unless...) {
			if spec, _ := factSpec(f); !slices.Contains(needs, spec.Needs) {
				needs = append(needs, spec.Needs)
			}
		}
	}
	return needs
}

// automatic returns the move that Colony makes on its own now: a time-out first, then the triggers in the order of the file. It
// is where the limits lead if the move is exhausted. What a person closed is left alone: see FactSpec.OnClosed.
//
// doubt is since when it has to be known who ordered Colony's moves before that is sure; zero if it is.
func (l *Lifecycle) automatic(in Input) (a Automatic, ok bool, doubt time.Time) {
	s := in.Standing
	if t, ok := l.overdue(in); ok {
		return Automatic{From: s.State, To: t.To, Why: t.Why, AsksPerson: true}, true, time.Time{}
	}
	if s.Untouched() {
		return Automatic{}, false, time.Time{}
	}
	for _, t := range l.Triggers {
		spec, _ := factSpec(t.On)
		if !slices.Contains(t.In, s.State) || in.Closed && !spec.OnClosed || t.suspended(in.Facts) {
			continue
		}
		for _, o := range in.Facts.Observed {
			if t.To == "" || o.Fact != t.On {
				continue
			}
			counts, doubt := l.counts(s, t, o)
			if !doubt.IsZero() {
				return Automatic{}, false, doubt
			}
			if !counts {
				continue
			}
			limit, over, doubt := l.exhausted(s, Colony, t.To)
			if over {
				return Automatic{From: s.State, To: limit.Instead, Why: limit.Why, About: o.About, Link: o.Link, AsksPerson: true}, true, doubt
			}
			return Automatic{From: s.State, To: t.To, Why: t.Why, About: o.About, Link: o.Link, AsksPerson: t.AsksPerson}, true, doubt
		}
	}
	return Automatic{}, false, time.Time{}
}

// overdue returns the time-out of an open issue that has been in its state for too long.
func (l *Lifecycle) overdue(in Input) (TimeOut, bool) {
	at, ok := l.TimesOut(in.Standing)
	if !ok || in.Now.Before(at) || in.Closed {
		return TimeOut{}, false
	}
	return l.timeOut(in.Standing.State)
}

// EndsClosed reports whether an issue that is closed can still be moved by Colony in a state: see FactSpec.OnClosed.
func (l *Lifecycle) EndsClosed(state string) bool { return len(l.readings(state, true)) > 0 }
