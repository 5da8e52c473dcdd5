package commands

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/colony-app/colony/lifecycle"
)

// Reference names an issue or pull request. Owner and Name are empty for one of the repository in which it is named.
type Reference struct {
	Owner, Name string
	Number      int
}

// String writes a reference as GitHub understands it.
func (r Reference) String() string {
	if r.Owner == "" {
		return fmt.Sprintf("#%d", r.Number)
	}
	return fmt.Sprintf("%s/%s#%d", r.Owner, r.Name, r.Number)
}

// In completes a reference that was made in a repository.
func (r Reference) In(owner, name string) Reference {
	if r.Owner == "" {
		r.Owner, r.Name = owner, name
	}
	return r
}

// Same reports whether two complete references name the same. Names of owners and repositories compare without regard to case.
func (r Reference) Same(other Reference) bool {
	return r.Number == other.Number && strings.EqualFold(r.Owner, other.Owner) && strings.EqualFold(r.Name, other.Name)
}

// referencePattern is what GitHub makes links of, besides its own servers' addresses:
// https://docs.github.com/get-started/writing-on-github/working-with-advanced-formatting/autolinked-references-and-urls.
const (
	repositoryPattern = `([A-Za-z0-9][A-Za-z0-9_-]*)/([A-Za-z0-9._-]+)`
	numberPattern     = `([1-9][0-9]{0,8})\b`
	referencePattern  = `(?:https?://[^\s/]+/` + repositoryPattern + `/(?:issues|pull)/` + numberPattern +
		`|` + repositoryPattern + `#` + numberPattern + `|#` + numberPattern + `|[Gg][Hh]-` + numberPattern + `)`
)

var wholeReference = regexp.MustCompile(`^(?:` + referencePattern + `|` + numberPattern + `)$`)

// ParseReference reads a word that names an issue: #3, 3, GH-3, owner/name#3, or an address.
func ParseReference(word string) (Reference, bool) {
	return reference(wholeReference.FindStringSubmatch(word))
}

// reference reads the groups that referencePattern matched, and any number that follows them.
func reference(groups []string) (Reference, bool) {
	if groups == nil {
		return Reference{}, false
	}
	groups = groups[1:]
	var r Reference
	for len(groups) > 0 {
		if len(groups) >= 3 && groups[0] != "" && groups[1] != "" {
			r.Owner, r.Name, groups = groups[0], groups[1], groups[2:]
			if lifecycle.HasNoAddress(r.Name) {
				return Reference{}, false
			}
		}
		if n, err := strconv.Atoi(groups[0]); err == nil {
			r.Number = n
			return r, true
		}
		groups = groups[1:]
	}
	return Reference{}, false
}

// closing is how a pull request names an issue that its merge closes:
// https://docs.github.com/issues/tracking-your-work-with-issues/using-issues/linking-a-pull-request-to-an-issue.
var closing = regexp.MustCompile(`(?i)\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+` + referencePattern)

// mayRefer is a cheap test that many a text fails, before anything is parsed: a reference has a number, and a sign before it.
func mayRefer(markdown string) bool {
	return strings.ContainsAny(markdown, "#/-") && strings.ContainsAny(markdown, "123456789")
}

// closes lists what a text names with a closing keyword, each once.
func closes(markdown string) []Reference {
	if !mayRefer(markdown) {
		return nil
	}
	var found []Reference
	for _, groups := range closing.FindAllStringSubmatch(prose(markdown), -1) {
		if r, ok := reference(groups); ok && !slices.Contains(found, r) {
			found = append(found, r)
		}
	}
	return found
}

// ClosesIn lists the numbers of the issues of a repository that texts name with a closing keyword, each once.
func ClosesIn(owner, name string, texts ...string) []int {
	var numbers []int
	for _, text := range texts {
		for _, r := range closes(text) {
			here := Reference{Owner: owner, Name: name, Number: r.Number}
			if here.Same(r.In(owner, name)) && !slices.Contains(numbers, r.Number) {
				numbers = append(numbers, r.Number)
			}
		}
	}
	return numbers
}

var (
	// depending is what comes before the names of what an issue depends on, in a sentence or as a line of its own.
	depending = regexp.MustCompile(`(?i)\b(?:depends on|blocked by|requires)\b:?(?:[ \t]+|$)`)
	// denied is what such words follow if they say the opposite, or speak of another time or issue.
	denied = regexp.MustCompile(`(?i)(?:\bnot|\bwas|\bno longer|\bnever|\bformerly|\bpreviously|n't|` + referencePattern + `)[ \t]+$`)
	// marked is what a line of a list begins with.
	marked = regexp.MustCompile(`^(?:[-*+][ \t]+|\|[ \t]*)?(?:\[[ xX]\][ \t]+)?`)
	// listed is what is at the beginning of the rest of such a line, and what can be between two.
	listed = regexp.MustCompile(`^(?:[,;]?[ \t]*(?:and[ \t]+)?|[,;][ \t]*)(?:(?i:issues?)[ \t]+)?` + referencePattern)
)

// struck is what is struck out in a paragraph, also over lines: it no longer counts.
var struck = []struct {
	pattern *regexp.Regexp
	shown   string
}{
	{regexp.MustCompile(`~~(?:[^~\n]|\n[^~\n])*~~`), ""},
	{regexp.MustCompile(`(^|[\s(,;*_])~[^~\s](?:(?:[^~\n]|\n[^~\n])*[^~\s])?~([\s),;.*_]|$)`), "$1$2"},
}

// withoutStruck returns the words of a text that are not struck out.
func withoutStruck(words string) string {
	for _, s := range struck {
		words = s.pattern.ReplaceAllString(words, s.shown)
	}
	return words
}

// emphasis is what marks words as bold or italic: GitHub shows the words without it.
var emphasis = []struct {
	pattern *regexp.Regexp
	shown   string
}{
	{regexp.MustCompile(`(^|[\s(,;])[*_]{1,3}(\S)`), "$1$2"},
	{regexp.MustCompile(`(\S)[*_]{1,3}([\s:),;.]|$)`), "$1$2"},
}

func withoutEmphasis(line string) string {
	for _, e := range emphasis {
		line = e.pattern.ReplaceAllString(line, e.shown)
	}
	return strings.ReplaceAll(line, "\u00a0", " ")
}

// DependsOn lists what a text says to depend on, each once: after "Depends on", "Blocked by" or "Requires", or in the lines below a line
// with nothing else, such as the heading of an issue form.
func DependsOn(markdown string) []Reference {
	if !mayRefer(markdown) {
		return nil
	}
	var found []Reference
	below := false
	for line := range strings.Lines(withoutStruck(prose(markdown))) {
		line = strings.TrimSpace(withoutEmphasis(line))
		if line == "" {
			continue
		}
		line = line[len(marked.FindString(line)):]
		parts := depending.FindAllStringIndex(line, -1)
		switch {
		case strings.HasPrefix(line, ">"):
			parts, below = nil, false
		case len(parts) > 0:
			below = parts[0][0] == 0 && parts[0][1] == len(line)
		case below:
			here := referencesIn(line)
			found, below = append(found, here...), len(here) > 0
		}
		before := 0
		for _, at := range parts {
			if !denied.MatchString(line[before:at[0]]) {
				found = append(found, referencesIn(line[at[1]:])...)
			}
			before = at[1]
		}
	}
	return once(found)
}

func referencesIn(line string) (found []Reference) {
	for {
		groups := listed.FindStringSubmatch(line)
		r, ok := reference(groups)
		if !ok {
			return found
		}
		found, line = append(found, r), line[len(groups[0]):]
	}
}

// once leaves each reference where it comes first.
func once(all []Reference) (found []Reference) {
	for _, r := range all {
		if !slices.Contains(found, r) {
			found = append(found, r)
		}
	}
	return found
}
