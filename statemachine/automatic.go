package statemachine

import (
	"slices"
	"strings"
	"time"

	"github.com/colony-app/colony/lifecycle"
)

// Automatic is a move that Colony makes or made on its own.
type Automatic struct {
	From, To string
	Why      string
	// About names what it was made for: "#12", a login, a count.
	About string
	// Link is where that can be seen; empty if there is no such place.
	Link string
	// Causes names the fact that the move is for, and all that last and ask for it too; none if they are more than causesNamed. See
	// Observation.Cause.
	Causes []string
	// AsksPerson says that a comment explains it and asks for a person.
	AsksPerson bool
	// OnPullRequest says that Colony also says so on the open pull requests.
	OnPullRequest bool
	// TakesIn says that the move takes the issue into the lifecycle.
	TakesIn bool
}

// whyDispatched is why Colony moves an issue to a state with a capacity.
const whyDispatched = "There is room"

// Evident returns why Colony made a move on its own, if no row of the lifecycle but those of its settings leads there. Then no one has to write it
// down. Such moves are many, and all alike.
func (t *Table) Evident(m Move) (why string, ok bool) {
	if m.By.Kind != lifecycle.Colony || m.Kind != Moved || m.Ordered.Kind != "" {
		return "", false
	}
	if m.From == t.Initial && m.To == t.Intake && t.Intake != "" {
		return whyTakenIn, true
	}
	bare := *t
	bare.Dispatch = nil
	if t.MakesItself(m.From, m.To) && !bare.MakesItself(m.From, m.To) {
		return whyDispatched, true
	}
	return "", false
}

// suspended reports whether a fact holds during which a row does nothing.
func suspended(t lifecycle.Trigger, f Facts) bool {
	return slices.ContainsFunc(f.Observed, func(o Observation) bool { return slices.Contains(t.Unless, o.Fact) })
}

// own reports whether Colony made a move without being asked.
func (t *Table) own(m Move) bool { return m.Kind == Moved && t.maker(m) == lifecycle.Colony }

// announcement returns what there is to say about a move of Colony's that was no command's, and whether there is anything.
func (t *Table) announcement(s Standing, at int) (Automatic, bool) {
	m := s.Trail[at]
	before := s
	before.State, before.Trail = m.From, s.Trail[:at]
	if m.Reason != "" {
		return Automatic{From: m.From, To: m.To, Why: m.Reason}, true
	}
	for _, limit := range t.Limits {
		if limit.Instead == m.To && limit.CountsFrom(m.From) && t.Count(limit, before) >= limit.AtMost {
			return Automatic{From: m.From, To: m.To, Why: limit.Why, AsksPerson: true, OnPullRequest: limit.OnPullRequest}, true
		}
	}
	if row, ok := TimedOut(t, s, at); ok {
		return Automatic{From: m.From, To: m.To, Why: row.Why, About: lifecycle.Span(row.After), AsksPerson: true}, true
	}
	var whys []string // the log does not tell which of several rows it was
	for _, row := range t.Triggers {
		if row.AsksPerson && row.Moves(m.From, m.To) {
			whys = append(whys, row.Why)
		}
	}
	return Automatic{From: m.From, To: m.To, Why: eitherOf(whys), AsksPerson: true}, len(whys) > 0
}

// eitherOf says several reasons, each once, where it is not known which one is right.
func eitherOf(whys []string) string {
	var each []string
	for _, why := range whys {
		if !slices.Contains(each, why) {
			each = append(each, why)
		}
	}
	return strings.Join(each, "; or: ")
}

// TimesOut returns when an issue will have been in its state for too long, and ok if such a time exists. A state whose beginning the log does not
// tell has no such time, nor has a closed issue: no one works on it, and its time begins again when it is reopened. The time before Colony came does
// not count, so that nothing old is moved when it is installed.
func (t *Table) TimesOut(s Standing) (at time.Time, ok bool) {
	row, limited := t.TimeOuts.In(s.State)
	entered, known := s.Since()
	if !limited || !known || s.Closed || entered.Kind == Settled || s.Untouched() {
		return time.Time{}, false
	}
	begun, _ := s.SinceOpen()
	return latest(begun.At, s.Begun).Add(time.Duration(row.After)), true
}

// TimedOut returns the timeout that was over when a move of the trail was made, and ok if it leads where that move led.
func TimedOut(t *Table, s Standing, at int) (row lifecycle.TimeOut, ok bool) {
	m, before := s.Trail[at], s.before(at)
	before.Terms, before.Reached, before.Closed = s.Terms, s.Reached, false // it can be closed while Colony moves it
	row, _ = t.TimeOuts.In(m.From)
	over, times := t.TimesOut(before)
	return row, times && row.To == m.To && !m.before(over.Add(-ClocksDiffer))
}

// readings returns what has to be read to know whether Colony moves the issue on its own from the state it is in.
func (in *input) readings() []lifecycle.Reading {
	if in.Standing.Untouched() {
		return nil
	}
	all := in.life.ReadingsIn(in.Standing.State, in.Closed, in.Standing.Reopened.At)
	if in.Standing.Reopened.At.IsZero() {
		return all
	}
	return append(slices.Clip(all), slices.DeleteFunc(in.belatedReadings(), func(r lifecycle.Reading) bool { return slices.Contains(all, r) })...)
}

// ReadingsIn returns what has to be read to know what happens on its own in a state. An issue that is open and always was needs no reading to
// know that.
func (t *Table) ReadingsIn(state string, closed bool, reopened time.Time) []lifecycle.Reading {
	all := t.Readings(state, closed)
	if closed || !reopened.IsZero() {
		return all
	}
	return slices.DeleteFunc(all, func(r lifecycle.Reading) bool { return r == lifecycle.ReadClosing })
}

// Outside returns what has to be read to know whether something besides an open issue moves it from a state: no change of the issue tells of
// that.
func Outside(t *Table, state string) []lifecycle.Reading {
	return t.ReadingsIn(state, false, time.Time{})
}

// triggered returns the move that Colony makes on its own now because of a fact, by the first row of the file that has one. It is where
// the limits lead if the move is exhausted. What a person closed is left alone: see FactSpec.On.
func (in *input) triggered() (a Automatic, ok bool) {
	for _, h := range in.holding() {
		if !h.row.Guarded || in.guarding(h.row).Answer == lifecycle.Yes {
			s := in.Standing
			return in.life.limited(s, Automatic{
				From: s.State, To: h.row.To, Why: h.row.Why, About: h.by.About, Link: h.by.Link, Causes: in.causes(h), AsksPerson: h.row.AsksPerson,
			}), true
		}
	}
	return Automatic{}, false
}

// causesNamed bounds what the record of a move names; a list of overlaps ends where it has one more. Without names, the move was made for all that
// can ask for it.
const causesNamed = 4

// causes names what a move is made for, and all facts that last and ask for it too, also those about which a person has decided.
func (in *input) causes(h held) []string {
	all := []string{h.by.Cause()}
	for _, o := range in.Facts.Observed {
		if slices.ContainsFunc(in.life.Triggers, func(row lifecycle.Trigger) bool {
			return row.On == o.Fact && row.CountsSince() == "" && row.Moves(in.Standing.State, h.row.To)
		}) {
			all = append(all, o.Cause())
		}
	}
	slices.Sort(all)
	if all = slices.Compact(all); len(all) > causesNamed {
		return nil
	}
	return all
}

// held is a row whose fact moves the issue now, and what was observed of it.
type held struct {
	row lifecycle.Trigger
	by  Observation
}

// holding lists the rows that move the issue now, unless a guard keeps them from it, in the order of the file.
func (in *input) holding() []held {
	s, t := in.Standing, in.life
	if s.Untouched() {
		return nil
	}
	var rows []held
	for _, row := range t.Triggers {
		spec, _ := lifecycle.SpecOf(row.On)
		if row.To == "" || !slices.Contains(row.In, s.State) || !spec.On.Has(in.Closed) || suspended(row, in.Facts) {
			continue
		}
		is := func(o Observation) bool { return o.Fact == row.On && !o.Waits && in.counts(row, o) }
		if i := slices.IndexFunc(in.Facts.Observed, is); i >= 0 {
			rows = append(rows, held{row, in.Facts.Observed[i]})
		}
	}
	return rows
}

// guarding is what the guards that bots have on the move of a guarded row say of it, by the facts that were read.
func (in *input) guarding(row lifecycle.Trigger) Guarding {
	return in.life.Guarded(in.Standing, in.askingFor(row), func(a lifecycle.Asking, c lifecycle.Condition) lifecycle.Answer {
		if c.Kind != lifecycle.HasFact || len(UnreadFor(in.life, in.Standing, a, c.Words, in.Facts)) > 0 {
			return lifecycle.Unknown
		}
		return lifecycle.AnswerOf(in.life.FactHolds(in.Standing, a, c.Words, in.Facts))
	})
}

// askingFor is the move of a row as a bot's request.
func (in *input) askingFor(row lifecycle.Trigger) lifecycle.Asking {
	return lifecycle.Asking{By: lifecycle.Actor{Kind: lifecycle.Executor}, From: in.Standing.State, To: row.To, At: in.Now}
}

// unreadByGuards lists the readings that the guards of the guarded rows lack.
func (in *input) unreadByGuards() []lifecycle.Reading {
	var all []lifecycle.Reading
	for _, h := range in.holding() {
		if h.row.Guarded {
			for _, c := range in.guarding(h.row).Needs {
				all = append(all, UnreadFor(in.life, in.Standing, in.askingFor(h.row), c.Words, in.Facts)...)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// overdue returns the timeout of an open issue that has been in its state for too long.
func (in *input) overdue() (lifecycle.TimeOut, bool) {
	at, ok := in.life.TimesOut(in.Standing)
	if !ok || in.readBefore(at) || in.Closed {
		return lifecycle.TimeOut{}, false
	}
	return in.life.TimeOuts.In(in.Standing.State)
}

// allows reports whether Colony is allowed to make a move on its own.
func (t *Table) allows(s Standing, a Automatic) bool {
	return t.Rule(s, Ask{By: lifecycle.Actor{Kind: lifecycle.Colony}, To: a.To}, nil).Verdict == lifecycle.Legal
}
