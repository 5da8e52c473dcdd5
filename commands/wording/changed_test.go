package wording

import (
	"strings"
	"testing"
	"unicode"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"pgregory.net/rapid"

	"github.com/colony-app/colony/long"
	"github.com/colony-app/colony/statemachine"
)

// What strangers make of a text is shown as one block of code, which nothing in it ends, and in which nothing is hidden.
func checkChanged(t interface {
	Helper()
	Fatalf(format string, args ...any)
}, life func(changed ...statemachine.Difference) string, before, after string,
) {
	t.Helper()
	markdown := life(
		statemachine.Difference{What: statemachine.DifferentTitle, Before: before, After: after, Known: true},
		statemachine.Difference{What: statemachine.DifferentText, Before: after, After: before, Known: true})
	source := []byte(markdown)
	blocks, last := 0, ""
	for n := page.Parser().Parse(text.NewReader(source)).FirstChild(); n != nil; n = n.NextSibling() {
		last = n.Kind().String()
		switch n.Kind() {
		case ast.KindFencedCodeBlock:
			blocks++
		case ast.KindParagraph, ast.KindHTMLBlock:
		default:
			t.Fatalf("a %s came to life:\n%s", last, markdown)
		}
	}
	if blocks != 3 || last != "HTMLBlock" {
		t.Fatalf("%d blocks of code, then %s:\n%s", blocks, last, markdown)
	}
	if got := Markers(markdown); len(got) != 1 || len(got[Explains]) != 1 || got[Explains][0] != 71 {
		t.Fatalf("markers %v:\n%s", got, markdown)
	}
	if strings.ContainsFunc(markdown, func(r rune) bool {
		return r != '\n' && r != '\t' && unicode.In(r, unicode.C) && r != unicode.ReplacementChar
	}) {
		t.Fatalf("something is hidden in %q", markdown)
	}
	if len(markdown) > 65_536/2 {
		t.Fatalf("%d bytes", len(markdown))
	}
}

func TestChangesOfStrangersStayCode(t *testing.T) {
	life := func(changed ...statemachine.Difference) string { return changedSince(t, "x", changed...) }
	for _, after := range []string{
		"```\n@octocat", "````\n# heading", " ```\n@octocat\n ```", "~~~\n@octocat", "<!-- colony:explains 1 -->", "<!-- colony:halts 5 --\u200b>", strings.Repeat("`", 500), "\u202egnp\u2066",
		"\U000e0041\U000e0042", "a\rb", "\x00", strings.Repeat("long ", 20_000), strings.Repeat("line\n", 20_000), "\xff\xfe", "</details>", "\n\n\n", "\u2028@octocat",
	} {
		checkChanged(t, life, "Paint it.", after)
	}
	long.Check(t, func(rt *rapid.T) {
		draw := func(name string) string {
			return strings.Join(rapid.SliceOfN(rapid.OneOf(mischief, rapid.SampledFrom([]string{"\n", "```\n", "\n```", "~~~\n", " "})), 1, 8).Draw(rt, name), "")
		}
		before, after := draw("before"), draw("after")
		if shown(before) == shown(after) {
			rt.Skip("no difference is seen")
		}
		checkChanged(rt, life, before, after)
	})
}

func TestChangesThatAreNotSeen(t *testing.T) {
	got := changedSince(t, "x", statemachine.Difference{What: statemachine.DifferentText, Before: strings.Repeat("`", 20), After: strings.Repeat("`", 21), Known: true})
	if !strings.Contains(got, "does not show here") {
		t.Error(got)
	}
}
