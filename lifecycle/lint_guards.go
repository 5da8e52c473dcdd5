package lifecycle

import (
	"slices"
	"strings"
)

// guards warns of guards that let nobody through or stop nobody, alone or with another one. What a guard asks for is judged by what is
// sure from the file: see request.canBe.
func (l *linter) guards() {
	asked := make([]requests, len(l.life.Guards))
	for i, g := range l.life.Guards {
		asked[i] = l.requests(g)
		l.guard(at("guards", i), g, asked[i])
		for j := range i {
			both := slices.DeleteFunc(slices.Clone(asked[i]), func(r request) bool { return !slices.Contains(asked[j], r) })
			l.besides(i, j, both)
		}
	}
}

// guard looks at one guard by itself.
func (l *linter) guard(here []any, g Guard, asked requests) {
	switch never := asked.impossible(g.literals()); {
	case len(asked) == 0:
		l.aboutNobody(here, g)
	case never == "":
		l.stopsSomebody(here, g, asked)
		l.leavesOut(here, g, asked)
	case !asked.mayPass(g):
		l.warn(here, "guard %q lets nobody through: it can never be that %s", g.Name, never)
	default:
		l.warn(here, "only by an exception does guard %q let anybody through: it can never be that %s", g.Name, never)
	}
}

// requests lists how the moves that a guard is about can be asked for; empty if no actor whom it is about can.
func (l *linter) requests(g Guard) requests {
	verbs := g.Commands
	if len(verbs) == 0 {
		verbs = []string{"", "move"}
	}
	var all requests
	for _, p := range l.life.Pairs {
		for _, verb := range verbs {
			for _, kind := range []ActorKind{Operator, Executor} {
				who := Actor{Kind: kind, Roles: g.Roles}
				r := l.request(kind, verb, p)
				if g.Concerns(Asking{By: who, From: p.From, To: p.To, Command: verb}) && l.life.Judge(who, p.From, p.To) == Legal && l.mayMake(verb, p) && !slices.Contains(all, r) {
					all = append(all, r)
				}
			}
		}
	}
	return all
}

// request is how a move is asked for with a command, or with a label if that is empty.
func (l *linter) request(kind ActorKind, verb string, p Pair) request {
	r := request{kind: kind, by: ByCommand, fromStart: p.From == l.life.Initial}
	if verb == "" {
		r.by = ByLabel
	}
	return r
}

// mayMake reports whether a command can ask for a move. Labels can, and so can `move`, which is no command of the lifecycle.
func (l *linter) mayMake(verb string, p Pair) bool {
	c, known := l.life.Commands.Of(verb)
	return !known || c.MayMake(p.From, p.To)
}

// aboutNobody says why no actor whom a guard is about can ask for its moves.
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

// leavesOut tells of a guard that is about people and bots, and that only bots can satisfy.
func (l *linter) leavesOut(here []any, g Guard, asked requests) {
	ofPeople := slices.DeleteFunc(slices.Clone(asked), func(r request) bool { return r.kind != Operator })
	if 0 < len(ofPeople) && len(ofPeople) < len(asked) && !ofPeople.mayPass(g) {
		l.say(Information, here, "guard %q lets no person through, of whom it can never be that %s; if it is about executors alone, say of: executors",
			g.Name, ofPeople.impossible(g.literals()))
	}
}

// stopsSomebody warns of what a guard asks for in vain: conditions and exceptions that make no difference.
func (l *linter) stopsSomebody(here []any, g Guard, asked requests) {
	if l.exceptionsCount(here, g, asked) && l.conditionsCount(here, g, asked) && !asked.canFail(g.literals(), g.exceptions(false)...) {
		l.warn(here, "guard %q stops nobody: whoever does not satisfy it is an exception", g.Name)
	}
}

// exceptionsCount reports whether each exception can hold, can fail, and makes a difference.
func (l *linter) exceptionsCount(here []any, g Guard, asked requests) bool {
	fine := true
	for _, holds := range g.exceptions(true) {
		path := append(slices.Clone(here), holds.path...)
		switch {
		case !asked.canBe(holds.not()):
			l.warn(path, "it always holds that %s, so guard %q never counts", holds, g.Name)
		case !asked.canBe(holds):
			l.warn(path, "it can never be that %s, so this is no exception to anything", holds)
		case !asked.canFail(g.literals(), holds):
			l.warn(path, "whenever %s, guard %q lets everybody through anyway", holds, g.Name)
		default:
			continue
		}
		fine = false
	}
	return fine
}

// conditionsCount reports whether each condition asks for something that the others do not.
func (l *linter) conditionsCount(here []any, g Guard, asked requests) bool {
	fine, kept := true, g.literals()
	for k, x := range slices.Backward(g.literals()) { // of two that say the same, the second is superfluous
		others := slices.Delete(slices.Clone(kept), k, k+1)
		if asked.canBe(append(others, x.not())...) {
			continue
		}
		kept, fine = others, false
		path := append(slices.Clone(here), x.path...)
		if asked.canBe(x.not()) {
			l.warn(path, "what else guard %q asks for already says that %s", g.Name, x)
		} else {
			l.warn(path, "it always holds that %s, so guard %q asks for nothing here", x, g.Name)
		}
	}
	return fine
}

// besides looks at two guards, of which the second comes first, and at the requests that both are about: one may ask for nothing more, or
// nobody satisfies the two together.
func (l *linter) besides(i, j int, both requests) {
	g, earlier := l.life.Guards[i], l.life.Guards[j]
	superfluous := func(i int, g, other Guard) {
		l.warn(at("guards", i), "guard %q asks for no more than guard %q, which is about the same moves", g.Name, other.Name)
	}
	switch {
	case len(both) == 0 || !slices.ContainsFunc(l.life.Pairs, func(p Pair) bool { return earlier.about(p.From, p.To) && g.about(p.From, p.To) }):
	case covers(earlier, g):
		superfluous(i, g, earlier)
	case covers(g, earlier):
		superfluous(j, earlier, g)
	case both.mayPass(earlier) && both.mayPass(g) && !both.mayPass(earlier, g):
		l.warn(at("guards", i), "guards %q and %q never let the same move through, so nobody makes those that both are about", earlier.Name, g.Name)
	}
}

// covers reports whether a guard refuses whatever another one does, by the same words: it is about the same, asks for all that the other
// asks for, and has no exception of its own.
func covers(g, other Guard) bool {
	same := func(a, b []string) bool { return subset(a, b) && subset(b, a) }
	holds := func(some, all []literal) bool {
		return !slices.ContainsFunc(some, func(x literal) bool { return !slices.ContainsFunc(all, x.same) })
	}
	return same(g.From, other.From) && same(g.To, other.To) && same(g.Commands, other.Commands) && same(g.Roles, other.Roles) && g.Of == other.Of &&
		holds(g.exceptions(true), other.exceptions(true)) && holds(other.literals(), g.literals()) && (g.NeedsHuman || !other.NeedsHuman)
}

// exits warns of states that guards let nobody out of, and of those that wait for a person whom guards do not let out. A forced move is
// no way out.
func (l *linter) exits() {
	for i, s := range l.life.States {
		out := slices.DeleteFunc(slices.Clone(l.life.Pairs), func(p Pair) bool { return p.From != s.Name || p.To == s.Name })
		switch {
		case s.Type == Terminal, slices.ContainsFunc(out, func(p Pair) bool { return l.letsOut(p, Operator) }):
		case !slices.ContainsFunc(out, func(p Pair) bool {
			return l.letsOut(p, Executor) || l.life.MakesItself(p.From, p.To) || l.punishes(p)
		}):
			l.warn(at("states", i), "guards let nobody out of state %q", s.Name)
		case s.Type == AwaitingHuman || s.Recovery == RecoveryManual:
			l.warn(at("states", i), "state %q waits for a person, and guards let no person out of it", s.Name)
		}
	}
}

// letsOut reports whether an actor of a kind can make a move and satisfy its guards together. Guards of roles are left out: not every bot
// has a role. A label gives no reason, unless it is a role's request.
func (l *linter) letsOut(p Pair, kind ActorKind) bool {
	who := Actor{Kind: kind}
	return l.life.Judge(who, p.From, p.To) == Legal && slices.ContainsFunc([]string{"", "move"}, func(verb string) bool {
		asking := Asking{By: who, From: p.From, To: p.To, Command: verb}
		guards := slices.DeleteFunc(slices.Clone(l.life.Guards), func(g Guard) bool { return len(g.Roles) > 0 || !g.Concerns(asking) })
		return (kind == Executor || verb != "" || p.Reason != Required) && l.request(kind, verb, p).mayPass(guards...)
	})
}
