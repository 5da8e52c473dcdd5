package lifecycle

import (
	"fmt"
	"slices"
	"strings"
)

// literal is a condition that has to hold, or not to.
type literal struct {
	Condition
	holds bool
	path  []any // of the condition in its guard
}

func (x literal) not() literal { return literal{x.Condition, !x.holds, x.path} }

func (x literal) same(other literal) bool { return x.holds == other.holds && x.Same(other.Condition) }

// String says it as people read it.
func (x literal) String() string {
	if x.holds {
		return fmt.Sprintf(x.Kind.spec().Says, x.named(" or "))
	}
	return fmt.Sprintf(x.Kind.spec().Denies, x.named(" or "))
}

func said(all []literal) string {
	words := make([]string, len(all))
	for i, x := range all {
		words[i] = x.String()
	}
	return strings.Join(words, " and ")
}

// literals makes literals of the conditions below a key of a guard.
func literals(key string, all []Condition, holds bool) []literal {
	literals := make([]literal, len(all))
	for i, c := range all {
		literals[i] = literal{c, holds, []any{key, i}}
	}
	return literals
}

// asks lists what a guard asks for: what it requires, then what it forbids.
func (g Guard) asks() []literal {
	return slices.Concat(literals("requires", g.Requires, true), literals("forbids", g.Forbids, false))
}

// excuses lists the exceptions of a guard: all hold, or none.
func (g Guard) excuses(hold bool) []literal { return literals("unless", g.exceptions(), hold) }

// request is a way to ask for a move, as far as it decides what conditions can be.
type request struct {
	kind ActorKind // Operator or Executor
	by   string    // ByCommand or ByLabel
	// fromStart says that the issue is where issues begin: the log does not tell from when on.
	fromStart bool
}

// requests are ways to ask for the moves of a guard.
type requests []request

// maxBranches bounds the search for a way through several guards: beyond it there is one.
const maxBranches = 256

// mayPass reports whether a request can satisfy some guards together, by their conditions or by exceptions. It is true if that is not sure.
func (r request) mayPass(guards ...Guard) bool {
	tried := 0
	var pass func(asked []literal, rest []Guard) bool
	pass = func(asked []literal, rest []Guard) bool {
		tried++
		switch {
		case tried > maxBranches:
			return true
		case !r.canBe(asked...):
			return false
		case len(rest) == 0:
			return true
		}
		first, rest := rest[0], rest[1:]
		return pass(slices.Concat(asked, first.asks()), rest) ||
			slices.ContainsFunc(first.excuses(true), func(e literal) bool { return pass(append(slices.Clone(asked), e), rest) })
	}
	return pass(nil, guards)
}

// mayPass reports whether one of the requests can satisfy some guards together.
func (all requests) mayPass(guards ...Guard) bool {
	return slices.ContainsFunc(all, func(r request) bool { return r.mayPass(guards...) })
}

// canBe reports whether conditions can be as asked, all together, for one of the requests.
func (all requests) canBe(asked ...literal) bool {
	return slices.ContainsFunc(all, func(r request) bool { return r.canBe(asked...) })
}

// canFail reports whether some conditions can be as given, and one of some others not.
func (all requests) canFail(asked []literal, given ...literal) bool {
	return slices.ContainsFunc(asked, func(x literal) bool { return all.canBe(append(slices.Clone(given), x.not())...) })
}

// impossible names what can never be together for any of the requests: as little of it as says so. It is empty if all of it can.
func (all requests) impossible(asked []literal) string {
	if all.canBe(asked...) {
		return ""
	}
	var some [][]literal
	for _, one := range asked {
		some = append(some, []literal{one})
	}
	for i, one := range asked {
		for _, other := range asked[i+1:] {
			some = append(some, []literal{one, other})
		}
	}
	if least := slices.IndexFunc(some, func(some []literal) bool { return !all.canBe(some...) }); least >= 0 {
		asked = some[least]
	}
	return said(asked)
}

// canBe reports whether conditions can be as asked, all together, for a request. It is false only if that is sure.
func (r request) canBe(asked ...literal) bool {
	demands := map[ConditionKind]demand{}
	for _, x := range asked {
		if r.always(x.Condition) == AnswerOf(!x.holds) {
			return false
		}
		d := demands[x.Kind]
		if x.holds {
			d.hold = append(d.hold, x.Condition)
		} else {
			d.fail = append(d.fail, x.Condition)
		}
		demands[x.Kind] = d
	}
	for kind, d := range demands {
		if !d.canBe(kind) {
			return false
		}
	}
	// who asks must not have made a move that Colony made on its own
	return !demands[IsWho].leaves(PreviousMover) || !demands[MovedBefore].leaves(ByColony)
}

// always says of a condition that is the same for all requests of a kind whether it holds.
func (r request) always(c Condition) Answer {
	all := func(is func(string) bool) bool {
		return !slices.ContainsFunc(c.Words, func(w string) bool { return !is(w) })
	}
	switch c.Kind {
	case AsksBy:
		return AnswerOf(slices.Contains(c.Words, r.by))
	case HasRole:
		if r.kind == Operator {
			return No
		}
	case HasLogin:
		if r.kind == Operator && all(IsAppLogin) {
			return No
		}
	case HasPermission: // an account that cannot even read an issue asks for nothing
		if slices.Contains(c.Words, Permissions()[0]) {
			return Yes
		}
	case InStateFor:
		if r.fromStart {
			return Yes
		}
	case TitleMatches, BodyMatches:
		answer := func(pattern string) Answer { return matches(pattern, c.Kind == TitleMatches) }
		switch {
		case slices.ContainsFunc(c.Words, func(pattern string) bool { return answer(pattern) == Yes }):
			return Yes
		case all(func(pattern string) bool { return answer(pattern) == No }):
			return No
		}
	default:
	}
	return Unknown
}

// demand is what conditions of one kind have to be: all of hold, and none of fail.
type demand struct{ hold, fail []Condition }

// canBe reports whether it can be.
func (d demand) canBe(kind ConditionKind) bool {
	choices := make([][]string, len(d.hold))
	for i, c := range d.hold {
		choices[i] = slices.DeleteFunc(c.plainWords(), d.denies)
	}
	switch kind {
	case HasFact:
		return choose(nil, choices, new(int))
	case InStateFor, HasPermission, CapacityAllowed:
		return !slices.ContainsFunc(d.hold, func(c Condition) bool {
			return slices.ContainsFunc(d.fail, func(f Condition) bool { return c.size() >= f.size() })
		})
	case HasLogin, MovedBefore, InMilestone, IsType: // there is only one of each
		return len(d.hold) == 0 || slices.ContainsFunc(slices.Concat(choices...), func(w string) bool {
			met := func(c Condition) bool { return c.isAny() || slices.Contains(c.plainWords(), w) }
			return !slices.ContainsFunc(d.hold, func(c Condition) bool { return !met(c) })
		})
	default: // an issue can have several words, such as labels
		return !slices.ContainsFunc(choices, func(words []string) bool { return len(words) == 0 })
	}
}

// denies reports whether a word must not be.
func (d demand) denies(word string) bool {
	return slices.ContainsFunc(d.fail, func(c Condition) bool {
		if c.Kind != HasFact {
			return c.isAny() || slices.Contains(c.plainWords(), word)
		}
		return slices.ContainsFunc(implied(Fact(word)), func(f Fact) bool { return slices.Contains(c.Words, string(f)) })
	})
}

// leaves reports whether something that must hold is denied but for one word.
func (d demand) leaves(word string) bool {
	return slices.ContainsFunc(d.hold, func(c Condition) bool {
		return !slices.ContainsFunc(c.Words, func(w string) bool { return w != word && !d.denies(w) })
	})
}

// choose reports whether some facts and one of each choice can hold together.
func choose(chosen []string, choices [][]string, tried *int) bool {
	*tried++
	if len(choices) == 0 || *tried > maxBranches {
		return true
	}
	return slices.ContainsFunc(choices[0], func(w string) bool {
		excluded := slices.ContainsFunc(chosen, func(other string) bool { return !together(Fact(w), Fact(other)) })
		return !excluded && choose(append(slices.Clone(chosen), w), choices[1:], tried)
	})
}

// size is what conditions are compared by that hold for all that is more.
func (c Condition) size() int {
	switch c.Kind {
	case InStateFor:
		return int(c.For)
	case HasPermission:
		return slices.Index(Permissions(), c.Words[0])
	default:
		return -c.AtMost // fewer issues than this hold for all that are fewer
	}
}

// plainWords are the words of a condition as they are compared.
func (c Condition) plainWords() []string {
	words := slices.Clone(c.Words)
	switch c.Kind {
	case HasLogin, OnIssueLabel, AssignedTo, IsType, InTeam:
		for i, w := range words {
			words[i] = FoldCase(w)
		}
	default:
	}
	return words
}

// isAny reports whether a condition is met by any milestone, or any assignee.
func (c Condition) isAny() bool {
	return (c.Kind == InMilestone || c.Kind == AssignedTo) && slices.Contains(c.Words, AnyOne)
}
