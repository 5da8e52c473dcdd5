package lifecycle

import (
	"slices"
	"strings"
)

// FoldCase makes label names comparable: GitHub compares them without regard to case.
func FoldCase(label string) string { return strings.ToLower(label) }

// SameLabel reports whether two label names are the same label to GitHub.
func SameLabel(a, b string) bool { return FoldCase(a) == FoldCase(b) }

// HasLabel reports whether a label is among others, as GitHub compares them.
func HasLabel(labels []string, label string) bool {
	return slices.ContainsFunc(labels, func(l string) bool { return SameLabel(l, label) })
}

// LabelBegins reports whether the name of a label begins with another text, as GitHub compares names.
func LabelBegins(label, prefix string) bool {
	return len(label) >= len(prefix) && strings.EqualFold(label[:len(prefix)], prefix)
}

// HasNoAddress reports whether a name of a label or of a repository is . or .., which an address leaves out, in the second case with what is before
// it: a call about the name would be about something else.
func HasNoAddress(name string) bool { return name == "." || name == ".." }
