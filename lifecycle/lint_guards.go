package lifecycle

import (
	"slices"
	"strings"
)

// guards warns of guards that let no one through or stop no one, alone or with another one. What a guard asks for is checked against what is sure
// from the file: see request.canBe.
func (l *linter) guards() {
	asked := make([]requests, len(l.life.Guards))
	for i, g := range l.life.Guards {
		asked[i] = l.requests(g)
		l.guard(l.at("guards", i), g, asked[i])
		for j := range i {
			both := slices.DeleteFunc(slices.Clone(asked[i]), func(r request) bool { return !slices.Contains(asked[j], r) })
			l.besides(i, j, both)
		}
	}
}

// guard looks at one guard alone.
func (l *linter) guard(here place, g Guard, asked requests) {
	switch never := asked.impossible(g.asks()); {
	case len(asked) == 0:
		l.aboutNobody(here, g)
	case never == "":
		l.vain(here, g, asked)
		l.leavesOut(here, g, asked)
	case !asked.mayPass(g):
		here.warn("guard %q lets nobody through: it can never be that %s", g.Name, never)
	default:
		here.warn("only by an exception does guard %q let anybody through: it can never be that %s", g.Name, never)
	}
}

// requests lists how the moves that a guard is about can be asked for; empty if no actor whom it is about can.
func (l *linter) requests(g Guard) requests {
	verbs := g.Commands
	if len(verbs) == 0 {
		verbs = []string{"", "move"}
	}
	var all requests
	for _, verb := range verbs {
		command, declared := l.life.Commands.Of(verb) // a label can ask for all moves, and so can `move`, which is in no file
		for _, p := range l.life.Pairs {
			for _, kind := range []ActorKind{Operator, Executor} {
				who, r := Actor{Kind: kind, Roles: g.Roles}, l.request(kind, verb, p)
				asks := g.Concerns(Asking{By: who, From: p.From, To: p.To, Command: verb}) && l.life.Judge(who, p.From, p.To) == Legal
				if asks && (!declared || command.MayMake(p.From, p.To)) && !slices.Contains(all, r) {
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

// aboutNobody says why no actor whom a guard is about can ask for its moves.
func (l *linter) aboutNobody(here place, g Guard) {
	if slices.ContainsFunc(l.life.Triggers, func(t Trigger) bool {
		return t.Guarded && slices.ContainsFunc(t.In, func(from string) bool { return g.about(from, t.To) })
	}) {
		return
	}
	everybody := g
	everybody.Of, everybody.Roles = "", nil
	if len(l.requests(everybody)) == 0 {
		here.in("command").warn("/colony:%s asks for none of the moves that guard %q is about", strings.Join(g.Commands, " and /colony:"), g.Name)
		return
	}
	who := "no role asks"
	if len(g.Roles) > 0 {
		who = "role " + strings.Join(g.Roles, " or ") + " does not ask"
	}
	here.say(Information, "%s for any move that guard %q is about, unless the configuration lets it", who, g.Name)
}

// leavesOut tells of a guard that is about people and bots, and that only bots can satisfy.
func (l *linter) leavesOut(here place, g Guard, asked requests) {
	ofPeople := slices.DeleteFunc(slices.Clone(asked), func(r request) bool { return r.kind != Operator })
	if 0 < len(ofPeople) && len(ofPeople) < len(asked) && !ofPeople.mayPass(g) {
		here.say(Information, "guard %q lets no person through, of whom it can never be that %s; if it is about executors alone, say of: executors",
			g.Name, ofPeople.impossible(g.asks()))
	}
}

// vain warns of exceptions and conditions of a guard that make no difference; of two that say the same, the second is one.
func (l *linter) vain(here place, g Guard, asked requests) {
	fine := true
	warn := func(path []any, format string, args ...any) {
		fine = false
		here.in(path...).warn(format, args...)
	}
	for _, holds := range g.excuses(true) {
		switch {
		case !asked.canBe(holds.not()):
			warn(holds.path, "it always holds that %s, so guard %q never counts", holds, g.Name)
		case !asked.canBe(holds):
			warn(holds.path, "it can never be that %s, so this is no exception to anything", holds)
		case !asked.canFail(g.asks(), holds):
			warn(holds.path, "whenever %s, guard %q lets everybody through anyway", holds, g.Name)
		}
	}
	if !fine {
		return
	}
	kept := g.asks()
	for k, x := range slices.Backward(g.asks()) {
		others := slices.Delete(slices.Clone(kept), k, k+1)
		switch {
		case asked.canBe(append(slices.Clone(others), x.not())...):
			continue
		case asked.canBe(x.not()):
			warn(x.path, "what else guard %q asks for already says that %s", g.Name, x)
		default:
			warn(x.path, "it always holds that %s, so guard %q asks for nothing here", x, g.Name)
		}
		kept = others
	}
	if fine && !asked.canFail(kept, g.excuses(false)...) {
		warn(nil, "guard %q stops nobody: whoever does not satisfy it is an exception", g.Name)
	}
}

// besides looks at two guards and at the requests that both are about. The second guard comes first. It might be that one asks for nothing more, or
// that no one satisfies the two together.
func (l *linter) besides(i, j int, both requests) {
	g, earlier := l.life.Guards[i], l.life.Guards[j]
	superfluous := func(i int, g, other Guard) {
		l.at("guards", i).warn("guard %q asks for no more than guard %q, which is about the same moves", g.Name, other.Name)
	}
	switch {
	case len(both) == 0 || !slices.ContainsFunc(l.life.Pairs, func(p Pair) bool { return earlier.about(p.From, p.To) && g.about(p.From, p.To) }):
	case covers(earlier, g):
		superfluous(i, g, earlier)
	case covers(g, earlier):
		superfluous(j, earlier, g)
	case both.mayPass(earlier) && both.mayPass(g) && !both.mayPass(earlier, g):
		l.at("guards", i).warn("guards %q and %q never let the same move through, so nobody makes those that both are about", earlier.Name, g.Name)
	}
}

// covers reports whether a guard refuses everything that another one refuses, by the same words: it is about the same, asks for all that the other
// asks for, and has no exception of its own.
func covers(g, other Guard) bool {
	same := func(a, b []string) bool { return subset(a, b) && subset(b, a) }
	holds := func(some, all []literal) bool {
		return !slices.ContainsFunc(some, func(x literal) bool { return !slices.ContainsFunc(all, x.same) })
	}
	return same(g.From, other.From) && same(g.To, other.To) && same(g.Commands, other.Commands) && same(g.Roles, other.Roles) && g.Of == other.Of &&
		holds(g.excuses(true), other.excuses(true)) && holds(other.asks(), g.asks()) && (g.NeedsHuman || !other.NeedsHuman)
}

// exits warns of states that guards let no one out of, and of states that wait for a person whom guards do not let out. A forced move is no way out.
func (l *linter) exits() {
	for i, s := range l.life.States {
		out := slices.DeleteFunc(slices.Clone(l.life.Pairs), func(p Pair) bool { return p.From != s.Name || p.To == s.Name })
		switch {
		case s.Type == Terminal, slices.ContainsFunc(out, func(p Pair) bool { return l.letsOut(p, Operator) }):
		case !slices.ContainsFunc(out, func(p Pair) bool {
			return l.letsOut(p, Executor) || l.life.MakesItself(p.From, p.To) || l.punishes(p)
		}):
			l.at("states", i).warn("guards let nobody out of state %q", s.Name)
		case s.Type == AwaitingHuman || s.Recovery == RecoveryManual:
			l.at("states", i).warn("state %q waits for a person, and guards let no person out of it", s.Name)
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
		return (l.life.ReasonOf(who, p.From, p.To) != "" || verb != "" || p.Reason != Required) && l.request(kind, verb, p).mayPass(guards...)
	})
}
