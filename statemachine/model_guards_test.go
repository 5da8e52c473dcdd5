package statemachine

import (
	"maps"
	"slices"
	"strings"

	"github.com/colony-app/colony/lifecycle"
	"pgregory.net/rapid"
)

// modelGuards are guards on the tiny GitHub: rows that are drawn for a history, and what they read, which changes and sometimes cannot be read.
type modelGuards struct {
	rows   []lifecycle.Guard
	holds  map[string]bool // by the word of a condition
	silent bool            // GitHub does not tell
	read   bool            // the reconciliation under way has read what its guards need
	looks  []look
	// overtaken is the last event about which Colony wrote something although somebody had changed the labels since it decided that, or it had
	// read too little: that may pass for a verdict.
	overtaken int64
}

// look is what Colony read for guards, after how many events.
type look struct {
	events int
	silent bool
	holds  map[string]bool
}

var modelConditions = []lifecycle.Condition{
	{Kind: lifecycle.OnIssueLabel, Words: []string{"security"}},
	{Kind: lifecycle.InTeam, Words: []string{"acme/leads"}},
	{Kind: lifecycle.InMilestone, Words: []string{"next"}},
	{Kind: lifecycle.HasLogin, Words: []string{"olga", "one[bot]"}},
}

// drawGuards returns no guards, or up to three.
func drawGuards(t *rapid.T, life *Table) modelGuards {
	g := modelGuards{holds: map[string]bool{}}
	for range rapid.SampledFrom([]int{0, 0, 1, 2, 3}).Draw(t, "guards") {
		states := func(what string, atLeast int) (names []string) {
			for range rapid.IntRange(atLeast, len(life.States)/2).Draw(t, what) {
				names = append(names, rapid.SampledFrom(life.States).Draw(t, what).Name)
			}
			return names
		}
		conditions := func(what string, atLeast int) []lifecycle.Condition {
			return rapid.SliceOfN(rapid.SampledFrom(modelConditions), atLeast, 1).Draw(t, what)
		}
		row := lifecycle.Guard{Name: string(rune('a' + len(g.rows))), Why: "It takes more.", To: states("guards to", 1), Whom: lifecycle.Whom{Of: rapid.SampledFrom([]lifecycle.Askers{"", lifecycle.People, lifecycle.Bots}).Draw(t, "of")}}
		if rapid.Bool().Draw(t, "from some") {
			row.From = states("guards from", 1)
		}
		row.Requires = conditions("requires", 0)
		row.Forbids = conditions("forbids", 1-len(row.Requires))
		for _, c := range conditions("unless", 0) {
			row.Unless = append(row.Unless, lifecycle.Exception{Condition: c, Why: "It is an exception."})
		}
		row.NeedsHuman = rapid.Bool().Draw(t, "asks a person")
		g.rows = append(g.rows, row)
	}
	return g
}

// guarded is a lifecycle with these guards.
func (g *modelGuards) guarded(life *Table) *Table {
	with := *life
	with.Guards = g.rows
	return &with
}

func (g *modelGuards) answer(a lifecycle.Asking, c lifecycle.Condition) lifecycle.Answer {
	return look{0, g.silent, g.holds}.says(a.By, c)
}

// reads keeps what Colony reads now, after how many events.
func (g *modelGuards) reads(events int) {
	g.read = true
	g.looks = append(g.looks, look{events, g.silent, maps.Clone(g.holds)})
}

// doubt keeps that Colony wrote something about an event, if it was not sure.
func (g *modelGuards) doubt(id int64, sure bool) {
	if !sure {
		g.overtaken = max(g.overtaken, id)
	}
}

func (l look) says(by lifecycle.Actor, c lifecycle.Condition) lifecycle.Answer {
	switch {
	case c.Kind == lifecycle.HasLogin:
		return lifecycle.AnswerOf(slices.Contains(c.Words, strings.ToLower(by.Login)))
	case l.silent:
		return lifecycle.Unknown
	}
	return lifecycle.AnswerOf(l.holds[c.Words[0]])
}

// may says what the guards say about a move, written from docs/lifecycle-format.md: nobody who is concerned may make it unless all that it
// requires holds and nothing that it forbids, or an exception holds.
func (g *modelGuards) may(l look, by lifecycle.Actor, from, to string) (verdict lifecycle.Answer, concerned bool) {
	verdict = lifecycle.Yes
	for _, row := range g.rows {
		others := row.Of == lifecycle.People && by.Kind != lifecycle.Operator || row.Of == lifecycle.Bots && by.Kind != lifecycle.Executor
		if by.Kind == lifecycle.Colony || others || !slices.Contains(row.To, to) || len(row.From) > 0 && !slices.Contains(row.From, from) {
			continue
		}
		concerned = true
		met := true
		for _, c := range row.Requires {
			met = met && l.says(by, c) == lifecycle.Yes
		}
		for _, c := range row.Forbids {
			met = met && l.says(by, c) == lifecycle.No
		}
		for _, x := range row.Unless {
			met = met || l.says(by, x.Condition) == lifecycle.Yes
		}
		if !met {
			verdict = lifecycle.No
		}
	}
	return verdict, concerned
}

// conditionChanges makes something hold that guards read, or no longer, or has GitHub not tell.
func (w *world) conditionChanges() {
	c := rapid.SampledFrom(modelConditions[:4]).Draw(w.t, "condition")
	if c.Kind == lifecycle.HasLogin {
		w.guards.silent = !w.guards.silent
		return
	}
	w.guards.holds[c.Words[0]] = !w.guards.holds[c.Words[0]]
}

// recorded reports whether the log tells all verdicts of the guards. Colony runs commands only then.
func (w *world) recorded() bool {
	h := w.history(len(w.log), len(w.log))
	h.Answers = nil
	return len(w.life.Fold(h).Pending) == 0 && len(w.standing().Granted) == 0
}

// verdicts tells of each change that guards concern what the fold says that they said: Yes if it moved the issue, and No if it was refused.
func (w *world) verdicts(s Standing) map[int64]lifecycle.Answer {
	said := map[int64]lifecycle.Answer{}
	for _, m := range s.Made() {
		said[m.ID] = lifecycle.Yes
	}
	for _, r := range s.Rejections {
		for _, id := range r.IDs {
			said[id] = lifecycle.No
		}
	}
	return said
}

// checkGuards holds that in a log that is judged whole a move that guards concern counts only if they granted it at a time when Colony looked, and is refused only if they
// refused it then; and that what they read has no say any more in what is settled. Where Colony has stopped it writes nothing that
// records a verdict.
func (w *world) checkGuards(s Standing, fail func(string, ...any)) {
	looked := func(id int64, by lifecycle.Actor, from, to string, verdict lifecycle.Answer) bool {
		return w.unsure(id) || w.underBothNames(to) || w.log[0].At.Before(s.JudgedSince) || w.fromLog(by, from, to) || slices.ContainsFunc(w.guards.looks, func(l look) bool {
			says, concerned := w.guards.may(l, by, from, to)
			return !concerned || l.events >= int(id) && (l.silent || says == verdict) // what is overtaken before it could be read is tidied in any order
		})
	}
	_, silenced := (&input{life: w.life, p: w.patience, Case: Case{Standing: s}, Evidence: Evidence{Said: Said{Answered: w.answered}}}).breaker()
	if slices.ContainsFunc(s.Rejections, func(r Rejection) bool { return slices.Contains(silenced, r.ID) && !r.comesTooEarly() }) {
		return
	}
	for _, m := range s.Trail {
		if _, concerned := w.guards.may(look{}, m.By, m.From, m.To); concerned && m.Kind == Moved && !m.At.Before(s.JudgedSince) && !looked(m.ID, m.By, m.From, m.To, lifecycle.Yes) {
			fail("the guards never granted %+v", m)
		}
	}
	for _, r := range s.Rejections {
		if r.Verdict == lifecycle.Guarded && !looked(r.Asked, r.By, r.From, r.To, lifecycle.No) {
			fail("the guards never refused %+v", r)
		}
	}
	holds := w.guards.holds
	for n := range 1 << 3 {
		w.guards.holds = map[string]bool{}
		for i, c := range modelConditions[:3] {
			w.guards.holds[c.Words[0]] = n>>i&1 == 1
		}
		if now := w.standing(); now.State != s.State {
			fail("the issue is in %s while %v, and in %s with %v", s.State, holds, now.State, w.guards.holds)
		}
		if d := w.decide(w.view(len(w.log), len(w.log), false), true); !d.Nothing() {
			fail("with %v there is something to do again: %+v", w.guards.holds, d)
		}
	}
	w.guards.holds = holds
}

// unsure reports whether Colony wrote something after an event that it could not know to be true: that may pass for a verdict.
func (w *world) unsure(id int64) bool {
	return w.guards.overtaken >= id || slices.ContainsFunc(w.log[id:], func(c Change) bool { sure, repair := w.repairs[c.ID]; return repair && !sure })
}

// fromLog reports whether the log alone tells what the guards say about a move: they say the same whatever is read.
func (w *world) fromLog(by lifecycle.Actor, from, to string) bool {
	said := map[lifecycle.Answer]bool{}
	for n := range 1 << 3 {
		l := look{holds: map[string]bool{}}
		for i, c := range modelConditions[:3] {
			l.holds[c.Words[0]] = n>>i&1 == 1
		}
		verdict, _ := w.guards.may(l, by, from, to)
		said[verdict] = true
	}
	return len(said) == 1
}

// closes closes the issue, or opens it again.
func (w *world) closes() {
	w.closed = !w.closed
	if !w.closed {
		w.reopened = w.now
	}
	w.commented = w.now
}
