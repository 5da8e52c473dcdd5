package wording

import (
	"regexp"
	"strings"
)

// Markers and records are hidden in Colony's comments. People with write access can edit them there, so a comment carries a signature of
// them, which is hidden too.

var (
	hidden    = regexp.MustCompile(`<!-- colony:.*?-->`)
	signature = regexp.MustCompile(`^<!-- colony:signed (\S+) -->$`)
	ofTrail   = regexp.MustCompile(`^<!-- colony:trail \d+ -->$`)
	ofRecord  = regexp.MustCompile(`^<!-- colony:record `)
)

// Hidden returns what a comment says for programs, part by part, without its signature.
func Hidden(comment string) []string {
	var parts []string
	for _, part := range hidden.FindAllString(comment, -1) {
		if !signature.MatchString(part) {
			parts = append(parts, part)
		}
	}
	return parts
}

// WithSignature returns a comment that carries a signature behind what it says for programs; unchanged if it says nothing.
func WithSignature(comment, signed string) string {
	parts := hidden.FindAllStringIndex(comment, -1)
	if len(parts) == 0 {
		return comment
	}
	end := parts[len(parts)-1][1]
	return comment[:end] + "\n<!-- colony:signed " + signed + " -->" + comment[end:]
}

// Signature returns the signature that a comment carries; empty if it carries none, or several.
func Signature(comment string) (signed string) {
	for _, part := range hidden.FindAllString(comment, -1) {
		if m := signature.FindStringSubmatch(part); m != nil {
			if signed != "" {
				return ""
			}
			signed = m[1]
		}
	}
	return signed
}

// WithoutRecord returns a comment without the words that it has for programs.
func WithoutRecord(comment string) string { return without(comment, ofRecord.MatchString) }

// Disowned returns a comment of Colony's as one that says nothing for programs, except that it has the place of a trail: the next one is
// written over it.
func Disowned(comment string) string {
	return without(comment, func(part string) bool { return !ofTrail.MatchString(part) })
}

func without(comment string, goes func(part string) bool) string {
	comment = hidden.ReplaceAllStringFunc(comment, func(part string) string {
		if goes(part) {
			return ""
		}
		return part
	})
	return strings.TrimRight(comment, "\n")
}
