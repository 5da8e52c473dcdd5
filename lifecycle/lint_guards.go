package lifecycle

import (
	"fmt"
	"slices"
	"strings"
)

// guards warns of guards that let nobody through or stop nobody, alone or with another one, and of states that guards make dead ends. What a
// guard asks for is judged by what is sure from the file: see request.canBe.
func (l *linter) guards() {
	requests := make([][]request, len(l.life.Guards))
	for i, g := range l.life.Guards {
		requests[i] = l.requests(g)
		l.guard(i, g, requests[i])
		for j := range i {
			l.besides(i, j, shared(requests[i], requests[j]))
		}
	}
	l.shutIn()
}

// guard looks at one guard by itself.
func (l *linter) guard(i int, g Guard, requests []request) {
	here := at("guards", i)
	switch never := impossible(requests, g.literals()); {
	case len(requests) == 0:
		l.aboutNobody(here, g)
	case never == "":
		l.stopsSomebody(here, g, requests)
		l.leavesOut(here, g, requests)
	case !slices.ContainsFunc(requests, func(r request) bool { return r.mayPass(g) }):
		l.warn(here, "guard %q lets nobody through: it can never be that %s", g.Name, never)
	default:
		l.warn(here, "only by an exception does guard %q let anybody through: it can never be that %s", g.Name, never)
	}
}

// requests lists how the moves that a guard is about can be asked for; none if nobody whom it is about may.
func (l *linter) requests(g Guard) []request {
	var all []request
	for _, p := range l.life.Pairs {
		if !slices.Contains(g.To, p.To) || len(g.From) > 0 && !slices.Contains(g.From, p.From) {
			continue
		}
		for _, r := range l.requestsFor(p) {
			asks := r.kind == Operator && g.Of != Bots && len(g.Roles) == 0 ||
				r.kind == Executor && g.Of != People && l.life.Judge(Actor{Kind: Executor, Roles: g.Roles}, p.From, p.To) == Legal
			by := len(g.Commands) == 0 || r.by == ByCommand && slices.ContainsFunc(g.Commands, func(verb string) bool { return l.mayMake(verb, p) })
			if asks && by && !slices.Contains(all, r) {
				all = append(all, r)
			}
		}
	}
	return all
}

// requestsFor lists how people and executors ask for a move of the table.
func (l *linter) requestsFor(p Pair) []request {
	var all []request
	for _, kind := range []ActorKind{Operator, Executor} {
		for _, by := range []string{ByLabel, ByCommand} {
			all = append(all, request{kind: kind, by: by, fromStart: p.From == l.life.Initial})
		}
	}
	return all
}

// mayMake reports whether a command can ask for a move.
func (l *linter) mayMake(verb string, p Pair) bool {
	c, known := l.life.Commands.Of(verb)
	switch {
	case !known: // it is `move`
		return true
	case len(c.From) > 0 && !slices.Contains(c.From, p.From):
		return false
	}
	return c.To == p.To || c.To == Previous || c.Target != NotTaken
}

// aboutNobody says why nobody whom a guard is about may ask for its moves.
func (l *linter) aboutNobody(here []any, g Guard) {
	everybody := g
	everybody.Of, everybody.Roles = "", nil
	if len(l.requests(everybody)) == 0 {
		l.warn(append(here, "command"), "/colony:%s asks for none of the moves that guard %q is about", strings.Join(g.Commands, " and /colony:"), g.Name)
		return
	}
	who := "no role asks"
	if len(g.Roles) > 0 {
		who = "role " + strings.Join(g.Roles, " or ") + " does not ask"
	}
	l.say(Information, here, "%s for any move that guard %q is about, unless the configuration lets it", who, g.Name)
}

// leavesOut tells of a guard that is about people and executors, and that only the latter can satisfy.
func (l *linter) leavesOut(here []any, g Guard, requests []request) {
	ofPeople := slices.DeleteFunc(slices.Clone(requests), func(r request) bool { return r.kind != Operator })
	if len(ofPeople) == len(requests) || len(ofPeople) == 0 || slices.ContainsFunc(ofPeople, func(r request) bool { return r.mayPass(g) }) {
		return
	}
	l.say(Information, here, "guard %q lets no person through, of whom it can never be that %s; if it is about executors alone, say of: executors",
		g.Name, impossible(ofPeople, g.literals()))
}

// stopsSomebody warns of what a guard asks for in vain: conditions and exceptions that make no difference.
func (l *linter) stopsSomebody(here []any, g Guard, requests []request) {
	if l.exceptionsCount(here, g, requests) && l.conditionsCount(here, g, requests) && !stops(requests, g, g.Unless) {
		l.warn(here, "guard %q stops nobody: whoever does not satisfy it is an exception", g.Name)
	}
}

// exceptionsCount reports whether each exception can hold, can fail, and makes a difference.
func (l *linter) exceptionsCount(here []any, g Guard, requests []request) bool {
	fine := true
	for j, e := range g.Unless {
		warn := func(format string, args ...any) {
			fine = false
			l.warn(append(slices.Clone(here), "unless", j), format, args...)
		}
		holds, fails := literal{e.Condition, true}, literal{e.Condition, false}
		switch {
		case !anyCanBe(requests, fails):
			warn("it always holds that %s, so guard %q never counts", holds, g.Name)
		case !anyCanBe(requests, holds):
			warn("it can never be that %s, so this is no exception to anything", holds)
		case !slices.ContainsFunc(g.literals(), func(asked literal) bool { return anyCanBe(requests, holds, asked.not()) }):
			warn("whenever %s, guard %q lets everybody through anyway", holds, g.Name)
		}
	}
	return fine
}

// conditionsCount reports whether each condition asks for something that the others do not.
func (l *linter) conditionsCount(here []any, g Guard, requests []request) bool {
	fine, kept := true, g.literals()
	for k, asked := range slices.Backward(g.literals()) { // of two that say the same, the second is superfluous
		others := slices.Delete(slices.Clone(kept), k, k+1)
		if anyCanBe(requests, append(others, asked.not())...) {
			continue
		}
		kept, fine = others, false
		path := append(slices.Clone(here), "requires", k)
		if k >= len(g.Requires) {
			path = append(slices.Clone(here), "forbids", k-len(g.Requires))
		}
		if anyCanBe(requests, asked.not()) {
			l.warn(path, "what else guard %q asks for already says that %s", g.Name, asked)
		} else {
			l.warn(path, "it always holds that %s, so guard %q asks for nothing here", asked, g.Name)
		}
	}
	return fine
}

// stops reports whether a guard can refuse something if only some of its exceptions counted.
func stops(requests []request, g Guard, unless []Exception) bool {
	var excused []literal
	for _, e := range unless {
		excused = append(excused, literal{e.Condition, false})
	}
	return slices.ContainsFunc(g.literals(), func(asked literal) bool { return anyCanBe(requests, append(excused, asked.not())...) })
}

// besides looks at two guards, of which the second comes first, and at the requests that both are about: one may ask for nothing more, or
// nobody satisfies the two together.
func (l *linter) besides(i, j int, both []request) {
	g, earlier := l.life.Guards[i], l.life.Guards[j]
	passes := func(guards ...Guard) bool {
		return slices.ContainsFunc(both, func(r request) bool { return r.mayPass(guards...) })
	}
	switch {
	case len(both) == 0 || !l.shareMoves(earlier, g):
	case covers(earlier, g):
		l.warn(at("guards", i), "guard %q asks for no more than guard %q, which is about the same moves", g.Name, earlier.Name)
	case covers(g, earlier):
		l.warn(at("guards", j), "guard %q asks for no more than guard %q, which is about the same moves", earlier.Name, g.Name)
	case passes(earlier) && passes(g) && !passes(earlier, g):
		l.warn(at("guards", i), "guards %q and %q never let the same move through, so nobody makes those that both are about", earlier.Name, g.Name)
	}
}

// shareMoves reports whether two guards are about the same move.
func (l *linter) shareMoves(a, b Guard) bool {
	about := func(g Guard, p Pair) bool {
		return slices.Contains(g.To, p.To) && (len(g.From) == 0 || slices.Contains(g.From, p.From))
	}
	return slices.ContainsFunc(l.life.Pairs, func(p Pair) bool { return about(a, p) && about(b, p) })
}

// shared lists the requests that are in both lists.
func shared(a, b []request) []request {
	return slices.DeleteFunc(slices.Clone(a), func(r request) bool { return !slices.Contains(b, r) })
}

// covers reports whether a guard refuses whatever another one does, by the same words: it is about the same, asks for all that the other
// asks for, and has no exception of its own.
func covers(g, other Guard) bool {
	same := func(a, b []string) bool { return subset(a, b) && subset(b, a) }
	if !same(g.From, other.From) || !same(g.To, other.To) || !same(g.Commands, other.Commands) || !same(g.Roles, other.Roles) || g.Of != other.Of {
		return false
	}
	excuses := func(e Exception) bool {
		return slices.ContainsFunc(other.Unless, func(o Exception) bool { return o.Same(e.Condition) })
	}
	asks := func(asked literal) bool { return slices.ContainsFunc(g.literals(), asked.same) }
	return !slices.ContainsFunc(g.Unless, func(e Exception) bool { return !excuses(e) }) &&
		!slices.ContainsFunc(other.literals(), func(asked literal) bool { return !asks(asked) }) && (g.NeedsHuman || !other.NeedsHuman)
}

// shutIn warns of states that guards let nobody out of, and of those that wait for a person whom guards do not let out. A forced move is
// no way out.
func (l *linter) shutIn() {
	for i, s := range l.life.States {
		if s.Type == Terminal {
			continue
		}
		leaves, person, otherwise := false, false, false
		for _, p := range l.life.Pairs {
			if p.From != s.Name || p.To == s.Name {
				continue
			}
			leaves = true
			person = person || l.letsOut(p, Operator)
			otherwise = otherwise || l.letsOut(p, Executor) || l.onItsOwn(p)
		}
		switch {
		case !leaves || person:
		case !otherwise:
			l.warn(at("states", i), "guards let nobody out of state %q", s.Name)
		case s.Type == AwaitingHuman || s.Recovery == RecoveryManual:
			l.warn(at("states", i), "state %q waits for a person, and guards let no person out of it", s.Name)
		}
	}
}

// letsOut reports whether somebody of a kind may make a move and its guards can be satisfied together. Those of roles are left out: not
// every executor has one.
func (l *linter) letsOut(p Pair, kind ActorKind) bool {
	if l.life.Judge(Actor{Kind: kind}, p.From, p.To) != Legal {
		return false
	}
	return slices.ContainsFunc(l.requestsFor(p), func(r request) bool {
		if r.kind != kind || r.by == ByLabel && p.Reason == Required && l.life.ReasonOf(Actor{Kind: kind}, p.From, p.To) == "" {
			return false
		}
		asking := Asking{By: Actor{Kind: kind}, From: p.From, To: p.To}
		if r.by == ByCommand {
			asking.Command = "move"
		}
		return r.mayPass(slices.DeleteFunc(slices.Clone(l.life.Guards), func(g Guard) bool { return len(g.Roles) > 0 || !g.Concerns(asking) })...)
	})
}

// onItsOwn reports whether Colony makes a move without being asked for it.
func (l *linter) onItsOwn(p Pair) bool {
	return len(l.life.ByItself(p.From, p.To)) > 0 || p.To == l.life.BadRequest && l.life.ExecutorsAct(p.From) ||
		slices.ContainsFunc(l.life.Limits, func(limit Limit) bool { return limit.AtMost > 0 && limit.Instead == p.To && limit.CountsFrom(p.From) })
}

// literal is a condition that has to hold, or not to.
type literal struct {
	Condition
	holds bool
}

func (x literal) not() literal { return literal{x.Condition, !x.holds} }

func (x literal) same(other literal) bool {
	return x.holds == other.holds && x.Same(other.Condition)
}

// String says it as people read it.
func (x literal) String() string {
	named := strings.Join(x.Words, " or ")
	switch x.Kind {
	case CapacityAllowed:
		named = fmt.Sprint(x.AtMost)
	case InStateFor:
		named = Span(x.For)
	default:
	}
	if x.holds {
		return fmt.Sprintf(x.Kind.spec().Says, named)
	}
	return fmt.Sprintf(x.Kind.spec().Denies, named)
}

// literals lists what a guard asks for: what it requires, then what it forbids.
func (g Guard) literals() []literal {
	var all []literal
	for _, c := range g.Requires {
		all = append(all, literal{c, true})
	}
	for _, c := range g.Forbids {
		all = append(all, literal{c, false})
	}
	return all
}
