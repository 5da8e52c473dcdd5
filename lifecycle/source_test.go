package lifecycle

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/colony-app/colony/long"
)

func problemsIn(text string) []Problem {
	var file *FileError
	if _, err := Parse("x.yml", []byte(text)); errors.As(err, &file) {
		return file.Problems
	}
	problems, _ := Lint("x.yml", []byte(text))
	return problems
}

// pointed returns the text at which a problem points, to the end of its line.
func pointed(p Problem) string { return string([]rune(p.Excerpt)[p.Column-1:]) }

func TestProblemsPointAtTheirWords(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"a setting nobody knows":            {tiny + "foo: bar\n", "foo: bar"},
		"below comments":                    {"# One.\n# Two.\n" + tiny + "# Three.\nfoo: bar # four\n", "foo: bar # four"},
		"below empty lines":                 {"\n\n" + tiny + "\n\nfoo: bar\n", "foo: bar"},
		"behind tabs in a value":            {tiny + "limits:\n  - {count: \"a\tb\t\té漢\", foo: x, to: y}\n", "foo: x, to: y}"},
		"behind tabs between settings":      {tiny + "limits:\n  - {count:\tx,\tfoo:\tx}\n", "foo:\tx}"},
		"behind letters of several bytes":   {tiny + "limits:\n  - {count: é漢🐜, foo: x}\n", "foo: x}"},
		"a value behind tabs":               {strings.Replace(tiny, "type: terminal", "type:\t\ttermina", 1), "termina, label"},
		"a list that is a word over lines":  {tiny + "limits: \"a\n  b\n  c\"\n", "\"a"},
		"a byte order mark is in no column": {"\ufefffoo: bar\n" + tiny, "foo: bar"},
	} {
		for ends, end := range map[string]string{"LF": "\n", "CRLF": "\r\n", "CR": "\r"} {
			t.Run(name+"/"+ends, func(t *testing.T) {
				problems := problemsIn(strings.ReplaceAll(c.text, "\n", end))
				if len(problems) == 0 || !strings.HasPrefix(pointed(problems[0]), c.want) {
					t.Errorf("%+v\nmust point at %q", problems, c.want)
				}
			})
		}
	}
}

func TestTheMarkBelowALineStandsBelowItsTabs(t *testing.T) {
	p := Problem{File: "x.yml", Line: 1, Column: 8, Message: "no", Excerpt: "a:\té\tb c"}
	if want := "x.yml:1:8: no\n    a:\té\tb c\n      \t \t  ^"; p.String() != want {
		t.Errorf("%q, want %q", p, want)
	}
}

// For any file, every problem is on a line that the file has, in a column that the line has, and the same one
// with every kind of line end.
func TestPositionsAreWithinTheFile(t *testing.T) {
	pieces := []string{
		"\n", "\n", "\n  ", "\n\n", "\t", " ", "  ", "# ä\n", "é", "漢", "🐜", ": ", "- ", "{", "}", "[", "]", ",", "\"", "'", "|\n", ">\n", "foo", "foo: bar\n", "\x01", "\u2028", "\u0085",
		"\"a\tb\t\té\"", "limits:\n  - {count:\tx, to: é,\tfoo: y}\n", "time-outs: \"a\n b\"\n", "states: 3\n", "name: again\n", "color:\t'x'\n", "---\n", "&a ", "*a", "!t ", "? ", "%YAML 1.1\n",
	}
	long.Check(t, func(t *rapid.T) {
		text := tiny
		for range rapid.IntRange(1, 4).Draw(t, "changes") {
			at := rapid.IntRange(0, len(text)).Draw(t, "at")
			for !utf8.RuneStart((text + " ")[at]) {
				at--
			}
			text = text[:at] + rapid.SampledFrom(pieces).Draw(t, "piece") + text[at:]
		}
		if rapid.Bool().Draw(t, "byte order mark") {
			text = byteOrderMark + text
		}
		lines := strings.Split(strings.TrimPrefix(text, byteOrderMark), "\n")
		problems := problemsIn(text)
		for _, p := range problems {
			if p.Line < 1 || p.Line > len(lines) {
				t.Fatalf("%q: line %d of %d: %s", text, p.Line, len(lines), p.Message)
			}
			line := lines[p.Line-1]
			if p.Column < 1 || p.Column > utf8.RuneCountInString(line)+1 || p.Excerpt != line && len(line) <= maxExcerpt {
				t.Fatalf("%q: column %d of line %d, %q, is shown as %q: %s", text, p.Column, p.Line, line, p.Excerpt, p.Message)
			}
		}
		for _, end := range []string{"\r\n", "\r"} {
			if diff := cmp.Diff(problems, problemsIn(strings.ReplaceAll(text, "\n", end))); diff != "" {
				t.Fatalf("%q: with line ends %q (-LF +other):\n%s", text, end, diff)
			}
		}
	})
}
