package lifecycle

import (
	"slices"
	"strings"
	"time"
)

// usualHorizon is for how long servers reconcile what was done, unless their configuration says otherwise: the time for which GitHub keeps the log of
// deliveries.
const usualHorizon = 72 * time.Hour

// unattended is a move that is made without a person: a role asks for it, a trigger or a timeout makes it, or a limit or a bad request leads there.
type unattended struct {
	from, to string
	// judged says that limits count and end it; a bad request and a limit's own move are only counted.
	judged bool
}

// unattended returns the moves that can be made without a person. A bot gives the reason that a move needs with a command.
func (l *linter) unattended() []unattended {
	var moves []unattended
	for _, p := range l.life.Pairs {
		if l.life.Judge(Actor{Kind: Executor}, p.From, p.To) == Legal || len(l.life.ByItself(p.From, p.To)) > 0 {
			moves = append(moves, unattended{p.From, p.To, true})
		}
		if l.punishes(p) {
			moves = append(moves, unattended{p.From, p.To, false})
		}
	}
	for _, m := range slices.Clone(moves) {
		for _, limit := range l.life.Limits.Bounding(m.from, m.to) {
			moves = append(moves, unattended{m.from, limit.Instead, false})
		}
	}
	return moves
}

// punishes reports whether a bot's bad request makes a move.
func (l *linter) punishes(p Pair) bool {
	return p.To == l.life.BadRequest && l.life.ExecutorsAct(p.From)
}

// limits warns of limits that are never reached. Each move by a person begins every count again. Where only people move, it takes a role that the
// configuration widens.
func (l *linter) limits() {
	alone := Ways{}
	for _, m := range l.moves {
		alone.Add(m.from, m.to)
	}
	for i, limit := range l.life.Limits {
		here := l.at("limits", i)
		counted := slices.DeleteFunc(slices.Clone(l.moves), func(m unattended) bool { return m.to != limit.To || !limit.CountsFrom(m.from) })
		from := alone.From(limit.To)
		again := slices.ContainsFunc(counted, func(m unattended) bool { return m.judged && from[m.from] != "" })
		switch {
		case len(counted) == 0:
			here.say(Information, "only people make this move, unless the configuration gives it to a role, and the count of %q starts again when a person moves the issue", limit.Name)
		case limit.AtMost == 0:
		case !again:
			here.warn("without a person no issue comes from %q to %q again, so this limit is never reached", limit.To, limit.To)
		default:
			l.later(here, i, limit)
		}
	}
}

// later warns of a limit before which another one is reached.
func (l *linter) later(here place, i int, limit Limit) {
	for j, other := range l.life.Limits {
		covers := other.AtMost > 0 && other.To == limit.To && (len(other.From) == 0 || len(limit.From) > 0 && subset(limit.From, other.From))
		if covers && (other.AtMost < limit.AtMost || other.AtMost == limit.AtMost && j < i) {
			here.warn("the limit of %q is reached first, so this one never is", other.Name)
			return
		}
	}
}

// triggers warns of rows that another one always comes before, and of guarded ones that no guard is about.
func (l *linter) triggers() {
	for i, t := range l.life.Triggers {
		guardless := !slices.ContainsFunc(t.In, func(from string) bool { return len(l.life.Guards.Of(Actor{Kind: Executor}, from, t.To)) > 0 })
		l.at("triggers", i, "guarded").warnIf(t.Guarded && guardless, "no guard that executors have is about the move of this row")
		wider := implied(t.On)[1:]
		for _, earlier := range l.life.Triggers[:i] {
			for j, state := range t.In {
				if slices.Contains(wider, earlier.On) && stands(earlier.On) && slices.Contains(earlier.In, state) {
					l.at("triggers", i, "in", j).warn("%s holds in %q whenever %s does, and its row comes before, so this one never moves anything there", earlier.On, state, t.On)
				}
			}
		}
	}
}

// timeOuts warns of timeouts where no time is known: no move leads to where issues begin.
func (l *linter) timeOuts() {
	for i, t := range l.life.TimeOuts {
		for j, state := range t.In {
			l.at("time-outs", i, "in", j).warnIf(state == l.life.Initial, "issues begin in %q, so the log does not tell since when they are there, and this time is never over", state)
		}
	}
}

// row is a trigger on a standing fact or a timeout, in one state: it moves an issue whenever it comes there.
type row struct {
	number   int // of rows
	place    place
	cause    string
	from, to string
	on       Fact
	unless   []Fact
}

// circles warns of rows that move an issue round and round while their facts hold. Parse refuses two triggers that do so. Here are longer circles,
// rounds in one state, and circles that timeouts drive. A circle that a limit ends does not count.
func (l *linter) circles() {
	rows := l.restless()
	leaving, reported := map[string][]row{}, map[string]bool{}
	for _, r := range rows {
		leaving[r.from] = append(leaving[r.from], r)
	}
	var walk func(path []row)
	walk = func(path []row) {
		first, last := path[0], path[len(path)-1]
		if last.to == first.from {
			l.circle(path, reported)
			return
		}
		for _, next := range leaving[last.to] {
			// each circle is found once, from its earliest row
			if len(path) < maxCircle && next.number > first.number && next.follows(path) {
				walk(append(slices.Clone(path), next))
			}
		}
	}
	for _, first := range rows {
		walk([]row{first})
	}
}

// maxCircle bounds the search: a longer circle ends with the breaker.
const maxCircle = 5

func (l *linter) circle(path []row, reported map[string]bool) {
	var states, causes []string
	for _, r := range path {
		states = append(states, r.from)
		if !slices.Contains(causes, r.cause) {
			causes = append(causes, r.cause)
		}
	}
	key := strings.Join(slices.Sorted(slices.Values(states)), " ")
	path[len(path)-1].place.warnIf(!reported[key], "%s can move an issue for ever: %s", strings.Join(causes, " and "), strings.Join(append(states, path[0].from), " -> "))
	reported[key] = true
}

// restless returns the rows that can hold again and again and that no limit ends.
func (l *linter) restless() []row {
	var rows []row
	add := func(states []string, r row) {
		for _, from := range states {
			if len(l.life.Limits.Bounding(from, r.to)) == 0 {
				r.from, r.number = from, len(rows)
				rows = append(rows, r)
			}
		}
	}
	for i, t := range l.life.Triggers {
		if stands(t.On) && t.To != "" {
			add(t.In, row{place: l.at("triggers", i), cause: string(t.On), to: t.To, on: t.On, unless: t.Unless})
		}
	}
	for i, t := range l.life.TimeOuts {
		add(t.In, row{place: l.at("time-outs", i), cause: "a time-out of " + Span(t.After), to: t.To})
	}
	return rows
}

// follows reports whether a row leaves another state than all rows before, and its fact can hold together with theirs.
func (r row) follows(path []row) bool {
	return !slices.ContainsFunc(path, func(before row) bool {
		return before.from == r.from || !together(before.on, r.on) || slices.Contains(before.unless, r.on) || slices.Contains(r.unless, before.on)
	})
}

// reflection warns of a time for reflections that is longer than anybody looks back.
func (l *linter) reflection() {
	if r := l.life.Reflection; r != nil && time.Duration(r.Within) >= usualHorizon {
		l.at("reflection", "within").warn("Colony looks back for %g hours, unless the server's judging.horizon is longer, so what lacks a reflection is never reported", usualHorizon.Hours())
	}
}
