package wording

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// mostWords is how much prose of one text is open to the eye.
const mostWords = 60

// TestTextsAreShort counts the words of the open prose: of paragraphs, links included, where a name in code is one word. What is
// folded away does not count. Neither do a command to copy, which is one line of code to the eye, nor the rows of lists and
// tables, which are the facts that somebody asked for. Each answer of a reply is a text of its own, as each command was.
func TestTextsAreShort(t *testing.T) {
	for name, markdown := range texts(t) {
		for _, words := range openProse(markdown) {
			if len(words) > mostWords {
				t.Errorf("%s has %d words of open prose: %s", name, len(words), strings.Join(words, " "))
			}
		}
	}
}

var (
	word        = regexp.MustCompile(`[\p{L}\p{N}]`)
	destination = regexp.MustCompile(`\]\(\S+\)`)
)

// openProse returns the words of each part of a text that a rule ends.
func openProse(markdown string) (parts [][]string) {
	source := []byte(markdown)
	parts, folded := [][]string{nil}, false
	for n := page.Parser().Parse(text.NewReader(source)).FirstChild(); n != nil; n = n.NextSibling() {
		switch n.(type) {
		case *ast.HTMLBlock:
			html := string(n.Lines().Value(source))
			folded = strings.Contains(html, "<details>") || folded && !strings.Contains(html, "</details>")
		case *ast.ThematicBreak:
			parts = append(parts, nil)
		case *ast.Paragraph:
			for w := range strings.FieldsSeq(destination.ReplaceAllString(string(n.Lines().Value(source)), "]")) {
				if !folded && word.MatchString(w) {
					parts[len(parts)-1] = append(parts[len(parts)-1], w)
				}
			}
		}
	}
	return parts
}

func TestOpenProseIsWhatIsOpen(t *testing.T) {
	for markdown, want := range map[string]int{
		"one `two` – three":                   3,
		"one [two three](https://x.test/a-b)": 3,
		"one\n\n```\n/colony:move <state>\n```\n\n- not\n- this\n\n<!-- colony:halts 5 -->":  1,
		"one\n\n<details><summary>not this</summary>\n\nnor this\n\n</details>\n\ntwo three": 3,
	} {
		if got := openProse(markdown); len(got) != 1 || len(got[0]) != want {
			t.Errorf("%q has %q, want %d words", markdown, got, want)
		}
	}
	if got := openProse("one\n\n---\n\ntwo"); len(got) != 2 {
		t.Errorf("two answers are %q", got)
	}
}

// TestLinksOfCommentsLeadSomewhere checks that there is what a comment links to: a page, and its part.
func TestLinksOfCommentsLeadSomewhere(t *testing.T) {
	link := regexp.MustCompile(`\{\{more "([^"]*)"\}\}`)
	notLetters := regexp.MustCompile(`[^a-z0-9 -]`)
	found := 0
	eachTemplate(t, func(name, text string) {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			found++
			file, part, _ := strings.Cut(m[1], "#")
			source, err := os.ReadFile(filepath.Join("..", "..", "docs", file))
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			there := part == ""
			for line := range strings.Lines(string(source)) {
				heading, isHeading := strings.CutPrefix(strings.TrimLeft(strings.ToLower(strings.TrimSpace(line)), "#"), " ")
				there = there || isHeading && strings.ReplaceAll(notLetters.ReplaceAllString(heading, ""), " ", "-") == part
			}
			if !there {
				t.Errorf("%s: %s has no part %q", name, file, part)
			}
		}
	})
	if found == 0 {
		t.Error("no template links to a page")
	}
}
