package lifecycle

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// usualHorizon is for how long servers judge what was done, unless their configuration says otherwise: as long as GitHub keeps the log
// of deliveries.
const usualHorizon = 72 * time.Hour

// unattended is a move that is made without a person: a role asks for it, a trigger or a time-out makes it, or a limit or a
// bad request leads there.
type unattended struct {
	from, to string
	// judged says that limits count and end it; a bad request and a limit's own move are only counted.
	judged bool
}

// movesUnattended returns the moves that can be made without a person.
func movesUnattended(l *Lifecycle) []unattended {
	var moves []unattended
	for _, p := range l.Pairs {
		anyone := Actor{Kind: Executor}
		if l.Judge(anyone, p.From, p.To) == Legal && (p.Reason != Required || l.ReasonOf(anyone, p.From, p.To) != "") ||
			len(l.ByItself(p.From, p.To)) > 0 {
			moves = append(moves, unattended{p.From, p.To, true})
		}
		if p.To == l.BadRequest && l.ExecutorsAct(p.From) {
			moves = append(moves, unattended{p.From, p.To, false})
		}
	}
	for _, m := range slices.Clone(moves) {
		for _, limit := range l.Limits.Bounding(m.from, m.to) {
			moves = append(moves, unattended{m.from, limit.Instead, false})
		}
	}
	return moves
}

// limits warns of limits that are never reached. Whatever a person moves begins every count anew. Where only people move, it
// takes a role that the configuration widens.
func (l *linter) limits() {
	for i, limit := range l.life.Limits {
		here := at("limits", i)
		counted := slices.DeleteFunc(slices.Clone(l.moves), func(m unattended) bool { return m.to != limit.To || !limit.CountsFrom(m.from) })
		if len(counted) == 0 {
			l.say(Information, here, "only people make this move, unless the configuration gives it to a role, and the count of %q starts again when a person moves the issue", limit.Name)
			continue
		}
		if limit.AtMost == 0 {
			continue
		}
		from := l.alone(limit.To)
		if !slices.ContainsFunc(counted, func(m unattended) bool { return m.judged && from[m.from] }) {
			l.warn(here, "without a person no issue comes from %q to %q again, so this limit is never reached", limit.To, limit.To)
			continue
		}
		for j, other := range l.life.Limits {
			covers := j != i && other.AtMost > 0 && other.To == limit.To && (len(other.From) == 0 || len(limit.From) > 0 && subset(limit.From, other.From))
			if covers && (other.AtMost < limit.AtMost || other.AtMost == limit.AtMost && j < i) {
				l.warn(here, "the limit of %q is reached first, so this one never is", other.Name)
				break
			}
		}
	}
}

// alone returns the states that an issue can come to from one state without a person.
func (l *linter) alone(from string) map[string]bool {
	reached := map[string]bool{from: true}
	for todo := []string{from}; len(todo) > 0; todo = todo[1:] {
		for _, m := range l.moves {
			if m.from == todo[0] && !reached[m.to] {
				reached[m.to] = true
				todo = append(todo, m.to)
			}
		}
	}
	return reached
}

// triggers warns of rows that another one always comes before.
func (l *linter) triggers() {
	for i, t := range l.life.Triggers {
		wider := implied(t.On)[1:]
		for _, earlier := range l.life.Triggers[:i] {
			for j, state := range t.In {
				if slices.Contains(wider, earlier.On) && stands(earlier.On) && slices.Contains(earlier.In, state) {
					l.warn(at("triggers", i, "in", j), "%s holds in %q whenever %s does, and its row comes before, so this one never moves anything there", earlier.On, state, t.On)
				}
			}
		}
	}
}

// timeOuts warns of time-outs where no time is known: no move leads to where issues begin.
func (l *linter) timeOuts() {
	for i, t := range l.life.TimeOuts {
		for j, state := range t.In {
			if state == l.life.Initial {
				l.warn(at("time-outs", i, "in", j), "issues begin in %q, so the log does not tell since when they are there, and this time is never over", state)
			}
		}
	}
}

// row is a trigger on a standing fact or a time-out, in one state: it moves an issue whenever it comes there.
type row struct {
	path     []any
	from, to string
	on       Fact
	unless   []Fact
	after    time.Duration
}

func (r row) String() string {
	if r.on == "" {
		return fmt.Sprintf("a time-out of %s", Span(r.after))
	}
	return string(r.on)
}

// circles warns of rows that move an issue round and round for as long as their facts hold. Parse refuses two triggers that do so;
// here are longer circles, rounds in one state, and those that time-outs drive. A circle that a limit ends is none.
func (l *linter) circles() {
	rows := l.restless()
	leaving := map[string][]int{}
	for i, r := range rows {
		leaving[r.from] = append(leaving[r.from], i)
	}
	reported := map[string]bool{}
	for i, first := range rows {
		var walk func(path []row)
		walk = func(path []row) {
			last := path[len(path)-1]
			if last.to == first.from {
				l.circle(path, reported)
				return
			}
			if len(path) == maxCircle {
				return
			}
			for _, j := range leaving[last.to] {
				next := rows[j]
				early := j <= i // each circle is found once, from its earliest row
				if !early && agree(path, next) && !slices.ContainsFunc(path, func(r row) bool { return r.from == next.from }) {
					walk(append(slices.Clone(path), next))
				}
			}
		}
		walk([]row{first})
	}
}

// maxCircle bounds the search: whatever is longer ends with the breaker.
const maxCircle = 5

func (l *linter) circle(path []row, reported map[string]bool) {
	var states, causes []string
	for _, r := range path {
		states = append(states, r.from)
		if cause := r.String(); !slices.Contains(causes, cause) {
			causes = append(causes, cause)
		}
	}
	key := strings.Join(slices.Sorted(slices.Values(states)), " ")
	if reported[key] {
		return
	}
	reported[key] = true
	last := path[len(path)-1]
	round := strings.Join(append(states, path[0].from), " -> ")
	l.warn(last.path, "%s can move an issue for ever: %s", strings.Join(causes, " and "), round)
}

// restless returns the rows that can hold again and again and that no limit ends.
func (l *linter) restless() []row {
	var rows []row
	add := func(r row) {
		if len(l.life.Limits.Bounding(r.from, r.to)) == 0 {
			rows = append(rows, r)
		}
	}
	for i, t := range l.life.Triggers {
		if !stands(t.On) || t.To == "" {
			continue
		}
		for _, from := range t.In {
			add(row{path: at("triggers", i), from: from, to: t.To, on: t.On, unless: t.Unless})
		}
	}
	for i, t := range l.life.TimeOuts {
		for _, from := range t.In {
			add(row{path: at("time-outs", i), from: from, to: t.To, after: t.After})
		}
	}
	return rows
}

// agree reports whether a row's fact can hold together with those of all rows before.
func agree(path []row, next row) bool {
	return !slices.ContainsFunc(path, func(r row) bool {
		return r.on != "" && next.on != "" && r.on != next.on && !together(r.on, next.on) || slices.Contains(r.unless, next.on) || slices.Contains(next.unless, r.on)
	})
}

// reflection warns of a time for reflections that is longer than anybody looks back.
func (l *linter) reflection() {
	if r := l.life.Reflection; r != nil && r.Within >= usualHorizon {
		l.warn(at("reflection", "within"), "Colony looks back for %g hours, unless the server's judging.horizon is longer, so what lacks a reflection is never reported", usualHorizon.Hours())
	}
}
