package prose

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// rule is one row of tools/prose/banned.tsv.
type rule struct {
	pattern, instead string
	scope            []string // kinds of texts, or: all, sentence (of a page), heading (of a page)
	banned           *regexp.Regexp
}

// newRule compiles a pattern, which matches small letters and whole words.
func newRule(pattern, instead, scope string) rule {
	spaced := strings.ReplaceAll(pattern, " ", `\s+`)
	return rule{pattern, instead, strings.Split(scope, ","), regexp.MustCompile(`(?s)(?:` + spaced + `)(?:\b|$)`)}
}

// finding is a place where a text breaks a rule.
type finding struct {
	rule   rule
	offset int // in bytes
	words  string
}

// What the masks write over text that is not prose.
const (
	code = "\x01" // counts as one word
	end  = "\x00" // no phrase and no sentence reaches across it
)

// masks replace byte for byte, so that offsets stay those of the file.
var masks = []struct {
	what *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`(?s)<!--.*?-->|<style.*?</style>|<script.*?</script>`), end},
	{regexp.MustCompile("(?ms)^[ \t]*```.*?\n[ \t]*```[^\n]*$"), end},
	{regexp.MustCompile(`(?s)\{\{.*?\}\}`), code},
	{regexp.MustCompile("``.+?``|`[^`]+`"), code},
	{regexp.MustCompile(`\]\([^()\s]*\)`), " "},
	{regexp.MustCompile(`https?://[^\s)>"]+`), code},
	{regexp.MustCompile(`</?[A-Za-z][^<>]*>`), " "},
	{regexp.MustCompile(`\B--?[a-z][\w-]*|\w+(?:[./:_]+\w+)+|\w+\(\)|\B/[a-z]\w*`), code},
	{regexp.MustCompile(`\n[ \t]*\n|(?m)^[ \t]*(?:[-*+]|\d+[.)]|#{1,6})[ \t]|\|`), end},
	{regexp.MustCompile(`(?m)^[ \t]*>|[*_]|\s[–→=+-]\s`), " "},
}

// prose blanks everything in a text but its prose, and makes capital letters small.
func prose(text string) string {
	for _, m := range masks {
		text = overwrite(text, m.what, m.with)
	}
	return strings.Map(func(r rune) rune { // strings.ToLower changes the length of some letters
		if 'A' <= r && r <= 'Z' {
			return r - 'A' + 'a'
		}
		return r
	}, text)
}

func overwrite(text string, what *regexp.Regexp, with string) string {
	return what.ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat(with, len(s)) })
}

var (
	headings    = regexp.MustCompile(`(?m)^#{1,6} .+$`)
	sentences   = regexp.MustCompile(`[^\x00]+?(?:[.!?]["”)\]]*(?:\s|\x00|$)|\x00|$)`)
	middleOfOne = regexp.MustCompile(`[\pL\pN_-]$`)
)

// find lists what the rules find in a text of a kind.
func find(rules []rule, kind, text string) (found []finding) {
	clean := prose(text)
	search := func(scope string, from, to int) {
		ends := map[int]bool{} // where a phrase ends, a later rule does not find a part of it again
		for _, r := range rules {
			if !slices.Contains(r.scope, scope) && (scope != kind || !slices.Contains(r.scope, "all")) {
				continue
			}
			for _, at := range r.banned.FindAllStringIndex(clean[from:to], -1) {
				at[0], at[1] = at[0]+from, at[1]+from
				// Patterns do not begin with \b: what begins with a letter is found ten times as fast.
				if !ends[at[1]] && !middleOfOne.MatchString(clean[max(from, at[0]-4):at[0]]) {
					ends[at[1]] = true
					found = append(found, finding{r, at[0], text[at[0]:at[1]]})
				}
			}
		}
	}
	search(kind, 0, len(clean))
	if kind != "page" {
		return found
	}
	for _, at := range headings.FindAllStringIndex(overwrite(text, masks[1].what, end), -1) {
		search("heading", at[0]+strings.Index(text[at[0]:], " ")+1, at[1])
	}
	for _, at := range sentences.FindAllStringIndex(clean, -1) {
		search("sentence", at[0], at[1])
	}
	return found
}

func TestFinderReadsProseOnly(t *testing.T) {
	t.Parallel()
	rules := []rule{
		newRule("is told", "", "all"), newRule("told", "", "all"), newRule("at once", "", "all"), newRule("looks?", "", "log,comment"),
		newRule("time-outs?", "", "all"), newRule(`(\S+ ){7}\S.*`, "", "sentence"), newRule(`that\b.*\bthat`, "", "sentence"), newRule(`^what.*|.*\?`, "", "heading"),
	}
	for _, c := range []struct {
		kind, text string
		want       []string
	}{
		{"page", "You told **it** at\nonce: Time-outs.", []string{"told", "at\nonce", "Time-outs"}},
		{"page", "It is told.", []string{"is told"}},
		{"page", "Retold, untold-of, tolds, told_by, un-told.", nil},
		{"page", "A `told` or ``a ` told``, [x](told.md#told). https://x.test/told, issue.told, told(). --told, /told, <b told>.", nil},
		{"page", "```\ntold\n```\n\n<!-- told -->", nil},
		{"page", "- one at\n- once | at | once\n\nat\n\nonce", nil},
		{"page", "One two three four five six seven. One two, three, `four is code` five – six, seven.", nil},
		{"page", "One two three `four is code` five six, seven eight. Nine.", []string{"One two three `four is code` five six, seven eight. "}},
		{"page", "The one that is that. That one. That two.", []string{"that is that"}},
		{"page", "# What it says\n\n## Is it?\n\n## Say what it is\n\nWhat it says.", []string{"What it says", "Is it?"}},
		{"page", "a look", nil},
		{"log", "a look", []string{"look"}},
		{"template", "{{if told}}at once{{else}}{{told \"at once\"}}{{end}}", []string{"at once"}},
		{"template", "# What one two three four five six", nil},
	} {
		var got []string
		for _, f := range find(rules, c.kind, c.text) {
			got = append(got, f.words)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s %q (-want +got):\n%s", c.kind, c.text, diff)
		}
	}
}
