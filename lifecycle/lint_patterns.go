package lifecycle

import (
	"regexp/syntax"
	"slices"
)

// longestTitle is how long a title is at most on GitHub, in characters.
const longestTitle = 256

// matchesEverything reports whether a pattern surely matches every text: if nothing at all at the beginning of a text, or at its end,
// matches it.
func matchesEverything(pattern string) bool {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return false
	}
	parsed = parsed.Simplify()
	return emptyMatches(parsed, syntax.OpBeginText, syntax.OpBeginLine) || emptyMatches(parsed, syntax.OpEndText, syntax.OpEndLine)
}

// emptyMatches reports whether a pattern matches nothing at all where only these assertions are known to hold.
func emptyMatches(p *syntax.Regexp, hold ...syntax.Op) bool {
	empty := func(sub *syntax.Regexp) bool { return emptyMatches(sub, hold...) }
	switch p.Op {
	case syntax.OpEmptyMatch, syntax.OpStar, syntax.OpQuest:
		return true
	case syntax.OpCapture, syntax.OpPlus:
		return empty(p.Sub[0])
	case syntax.OpRepeat:
		return p.Min == 0 || empty(p.Sub[0])
	case syntax.OpConcat:
		return !slices.ContainsFunc(p.Sub, func(sub *syntax.Regexp) bool { return !empty(sub) })
	case syntax.OpAlternate:
		return slices.ContainsFunc(p.Sub, empty)
	default:
		return slices.Contains(hold, p.Op)
	}
}

// matchesNothing reports whether a pattern surely matches no text: it wants something before the beginning of the text, after its end, or
// a character that there is none of. A title has one line, and is not too long.
func matchesNothing(pattern string, title bool) bool {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return false
	}
	n, possible := shortest(parsed.Simplify(), title)
	return !possible || title && n > longestTitle
}

// shortest returns how many characters a pattern takes at least, and whether it can match at all.
func shortest(p *syntax.Regexp, title bool) (n int, possible bool) {
	switch p.Op {
	case syntax.OpNoMatch:
		return 0, false
	case syntax.OpLiteral:
		return len(p.Rune), !title || !slices.Contains(p.Rune, '\n')
	case syntax.OpCharClass:
		return 1, len(p.Rune) > 0
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1, true
	case syntax.OpCapture, syntax.OpPlus:
		return shortest(p.Sub[0], title)
	case syntax.OpRepeat:
		n, possible = shortest(p.Sub[0], title)
		return n * p.Min, possible || p.Min == 0
	case syntax.OpConcat:
		return shortestInTurn(p.Sub, title)
	case syntax.OpAlternate:
		for _, sub := range p.Sub {
			if m, can := shortest(sub, title); can && (!possible || m < n) {
				n, possible = m, true
			}
		}
		return n, possible
	default:
		return 0, true
	}
}

// shortestInTurn is shortest of patterns that follow each other.
func shortestInTurn(all []*syntax.Regexp, title bool) (n int, possible bool) {
	ended := false
	for _, p := range all {
		m, can := shortest(p, title)
		switch {
		case !can, n > 0 && p.Op == syntax.OpBeginText, ended && m > 0:
			return 0, false
		}
		n, ended = n+m, ended || p.Op == syntax.OpEndText
	}
	return n, true
}
