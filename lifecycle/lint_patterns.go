package lifecycle

import (
	"regexp/syntax"
	"slices"
)

// longestTitle is how long a title is at most on GitHub, in characters.
const longestTitle = 256

// never is more characters than any text has.
const never = 1 << 20

// matches says of a pattern whether it matches every text, or none; Unknown if that is not sure. It matches every one if nothing at all at the
// beginning of a text, or at its end, matches it. It matches none if it wants something before the beginning, after the end, or a character that does
// not exist. A title has one line, and is not too long.
func matches(pattern string, title bool) Answer {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return Unknown
	}
	parsed = parsed.Simplify() // counted repetitions are written out
	switch n := shortest(parsed, title); {
	case emptyMatches(parsed, syntax.OpBeginText, syntax.OpBeginLine), emptyMatches(parsed, syntax.OpEndText, syntax.OpEndLine):
		return Yes
	case n >= never, title && n > longestTitle:
		return No
	}
	return Unknown
}

// emptyMatches reports whether a pattern matches nothing at all where only these assertions are known to hold.
func emptyMatches(p *syntax.Regexp, hold ...syntax.Op) bool {
	empty := func(sub *syntax.Regexp) bool { return emptyMatches(sub, hold...) }
	switch p.Op {
	case syntax.OpEmptyMatch, syntax.OpStar, syntax.OpQuest:
		return true
	case syntax.OpCapture, syntax.OpPlus:
		return empty(p.Sub[0])
	case syntax.OpConcat:
		return !slices.ContainsFunc(p.Sub, func(sub *syntax.Regexp) bool { return !empty(sub) })
	case syntax.OpAlternate:
		return slices.ContainsFunc(p.Sub, empty)
	default:
		return slices.Contains(hold, p.Op)
	}
}

// shortest returns how many characters a pattern takes at least; never or more if it cannot match at all.
func shortest(p *syntax.Regexp, title bool) int {
	switch p.Op {
	case syntax.OpNoMatch:
		return never
	case syntax.OpLiteral:
		if title && slices.Contains(p.Rune, '\n') {
			return never
		}
		return len(p.Rune)
	case syntax.OpCharClass:
		if len(p.Rune) == 0 {
			return never
		}
		return 1
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1
	case syntax.OpCapture, syntax.OpPlus:
		return shortest(p.Sub[0], title)
	case syntax.OpAlternate:
		n := never
		for _, sub := range p.Sub {
			n = min(n, shortest(sub, title))
		}
		return n
	case syntax.OpConcat:
		return shortestSequence(p.Sub, title)
	default:
		return 0
	}
}

// shortestSequence is shortest for patterns that follow each other: none begins a text after a character, or takes one after its end.
func shortestSequence(patterns []*syntax.Regexp, title bool) int {
	n, ended := 0, false
	for _, p := range patterns {
		m := shortest(p, title)
		if n > 0 && p.Op == syntax.OpBeginText || ended && m > 0 {
			return never
		}
		n, ended = n+m, ended || p.Op == syntax.OpEndText
	}
	return n
}
