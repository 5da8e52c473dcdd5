package lifecycle

import (
	"fmt"
	"regexp"
	"regexp/syntax"
)

// Bounds of a pattern, in addition to its length. RE2 takes time in proportion to the text and to the pattern's instructions, never more; these keep
// the product small for the longest text that GitHub takes.
const (
	maxPatternInstructions = 500
	maxPatternText         = 1 << 18 // bytes: GitHub's 65,536 characters
)

// CompilePattern reads a pattern of a lifecycle file: RE2 (https://github.com/google/re2/wiki/Syntax), within bounds.
func CompilePattern(pattern string) (*regexp.Regexp, error) {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, fmt.Errorf("%q is not a pattern of RE2: %w", pattern, err)
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return nil, fmt.Errorf("%q is not a pattern of RE2: %w", pattern, err)
	}
	if n := len(program.Inst); n > maxPatternInstructions {
		return nil, fmt.Errorf("%q is too complex (%d steps, %d are allowed): repeat less", pattern, n, maxPatternInstructions)
	}
	compiled, err := regexp.Compile(pattern)
	if err != nil {
		return nil, fmt.Errorf("%q is not a pattern of RE2: %w", pattern, err)
	}
	return compiled, nil
}

// MatchesPattern reports whether a text matches a pattern of a lifecycle file. A text that is longer than GitHub takes matches nothing.
func MatchesPattern(pattern, text string) (bool, error) {
	compiled, err := CompilePattern(pattern)
	if err != nil {
		return false, err
	}
	return len(text) <= maxPatternText && compiled.MatchString(text), nil
}
