package lifecycle

import (
	"slices"
	"strings"
)

// request is a way to ask for a move, as far as it decides what conditions can be.
type request struct {
	kind ActorKind // Operator or Executor
	by   string    // ByCommand or ByLabel
	// fromStart says that the issue is where issues begin: the log does not tell since when.
	fromStart bool
}

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
		return pass(slices.Concat(asked, first.literals()), rest) || slices.ContainsFunc(first.Unless, func(e Exception) bool {
			return pass(append(slices.Clone(asked), literal{e.Condition, true}), rest)
		})
	}
	return pass(nil, guards)
}

// anyCanBe reports whether all of some things can be at once for one of the requests.
func anyCanBe(requests []request, all ...literal) bool {
	return slices.ContainsFunc(requests, func(r request) bool { return r.canBe(all...) })
}

// impossible names what can never be at once, of what is asked for in all these requests: as little of it as says so. It is empty if it can.
func impossible(requests []request, asked []literal) string {
	if anyCanBe(requests, asked...) {
		return ""
	}
	for _, one := range asked {
		if !anyCanBe(requests, one) {
			return one.String()
		}
	}
	for i, one := range asked {
		for _, other := range asked[i+1:] {
			if !anyCanBe(requests, one, other) {
				return one.String() + " and " + other.String()
			}
		}
	}
	var all []string
	for _, one := range asked {
		all = append(all, one.String())
	}
	return strings.Join(all, " and ")
}

// canBe reports whether all of some things can be at once for a request. It is false only if that is sure.
func (r request) canBe(all ...literal) bool {
	asked := map[ConditionKind]*demand{}
	for _, x := range all {
		if always := r.always(x.Condition); always == Yes && !x.holds || always == No && x.holds {
			return false
		}
		d := asked[x.Kind]
		if d == nil {
			d = &demand{kind: x.Kind}
			asked[x.Kind] = d
		}
		if x.holds {
			d.hold = append(d.hold, x.Condition)
		} else {
			d.fail = append(d.fail, x.Condition)
		}
	}
	for _, d := range asked {
		if !d.canBe() {
			return false
		}
	}
	return !movedByNobody(asked)
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
		if r.kind == Operator && all(func(login string) bool { return strings.HasSuffix(login, "[bot]") }) {
			return No
		}
	case HasPermission: // who may not even read an issue asks for nothing
		if slices.Contains(c.Words, Permissions()[0]) {
			return Yes
		}
	case InStateFor:
		if r.fromStart {
			return Yes
		}
	case TitleMatches, BodyMatches:
		switch {
		case slices.ContainsFunc(c.Words, matchesEverything):
			return Yes
		case all(func(pattern string) bool { return matchesNothing(pattern, c.Kind == TitleMatches) }):
			return No
		}
	default:
	}
	return Unknown
}

// demand is what conditions of one kind have to be: all of hold, and none of fail.
type demand struct {
	kind       ConditionKind
	hold, fail []Condition
}

// canBe reports whether it can be.
func (d demand) canBe() bool {
	if len(d.hold) == 0 {
		return true
	}
	switch d.kind {
	case HasFact:
		return d.factsTogether()
	case InStateFor, HasPermission:
		return most(d.hold, Condition.size) < least(d.fail, Condition.size)
	case CapacityAllowed: // fewer than the least that is held, and as many as the most that is not
		return len(d.fail) == 0 || most(d.fail, Condition.size) < least(d.hold, Condition.size)
	case HasLogin, MovedBefore, InMilestone, IsType:
		return d.oneWord()
	default:
		return d.someWords()
	}
}

// size is what conditions are compared by that hold for all that is more.
func (c Condition) size() int {
	switch c.Kind {
	case InStateFor:
		return int(c.For)
	case HasPermission:
		return slices.Index(Permissions(), c.Words[0])
	default:
		return c.AtMost
	}
}

func most(all []Condition, size func(Condition) int) int {
	most := -1
	for _, c := range all {
		most = max(most, size(c))
	}
	return most
}

func least(all []Condition, size func(Condition) int) int {
	least := int(^uint(0) >> 1)
	for _, c := range all {
		least = min(least, size(c))
	}
	return least
}

// words are those that must not be.
func (d demand) words() []string {
	var words []string
	for _, c := range d.fail {
		words = append(words, c.plainWords()...)
	}
	return words
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

// someWords is of kinds of which an issue can have several words, such as labels.
func (d demand) someWords() bool {
	if slices.ContainsFunc(d.fail, Condition.isAny) {
		return false
	}
	not := d.words()
	return !slices.ContainsFunc(d.hold, func(c Condition) bool { return subset(c.plainWords(), not) })
}

// oneWord is of kinds of which there is one word only, such as logins.
func (d demand) oneWord() bool {
	if !d.someWords() {
		return false
	}
	var left []string
	narrowed := false
	for _, c := range d.hold {
		switch words := c.plainWords(); {
		case c.isAny():
		case !narrowed:
			left, narrowed = words, true
		default:
			left = slices.DeleteFunc(left, func(w string) bool { return !slices.Contains(words, w) })
		}
	}
	return !narrowed || !subset(left, d.words())
}

// factsTogether is of facts, of which some imply and some exclude others.
func (d demand) factsTogether() bool {
	not := d.words()
	choices := make([][]string, 0, len(d.hold))
	for _, c := range d.hold {
		choices = append(choices, slices.DeleteFunc(slices.Clone(c.Words), func(w string) bool {
			return slices.ContainsFunc(implied(Fact(w)), func(f Fact) bool { return slices.Contains(not, string(f)) })
		}))
	}
	tried := 0
	var choose func(chosen []string, rest [][]string) bool
	choose = func(chosen []string, rest [][]string) bool {
		tried++
		if len(rest) == 0 || tried > maxBranches {
			return true
		}
		return slices.ContainsFunc(rest[0], func(w string) bool {
			excluded := slices.ContainsFunc(chosen, func(other string) bool { return other != w && !together(Fact(w), Fact(other)) })
			return !excluded && choose(append(slices.Clone(chosen), w), rest[1:])
		})
	}
	return choose(nil, choices)
}

// movedByNobody reports whether who asks must have made the move before, and Colony must have made it on its own.
func movedByNobody(asked map[ConditionKind]*demand) bool {
	who, by := asked[IsWho], asked[MovedBefore]
	if who == nil || by == nil {
		return false
	}
	not := who.words()
	mover := slices.ContainsFunc(who.hold, func(c Condition) bool {
		return slices.Contains(c.Words, PreviousMover) && subset(c.Words, append(not, PreviousMover))
	})
	return mover && slices.ContainsFunc(by.hold, func(c Condition) bool { return subset(c.Words, append(by.words(), ByColony)) })
}
