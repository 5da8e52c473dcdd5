package wording

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/colony-app/colony/statemachine"
)

// Bounds of what is shown of a text that someone changed.
const (
	maxChangedLines = 40
	maxLineRunes    = 300
	// maxChangedText bounds what is compared: GitHub takes texts of 65,536 characters.
	maxChangedText = 256 << 10
	// maxTicks bounds a run of backticks, as a fence has to be longer, and GitHub does not take one of any length.
	maxTicks = 16
)

// changedText renders what changed in a text of strangers, line by line, as a block of code that nothing in it ends: there no one is mentioned,
// nothing is linked, and no markup comes to life. Characters that are not seen are shown by their numbers, since instructions can hide in them.
func changedText(d statemachine.Difference) string {
	before, after := shown(d.Before), shown(d.After)
	_, changes, _ := strings.Cut(string(diff.Diff("a", []byte(before), "b", []byte(after))), "\n+++ b\n")
	if changes == "" {
		return "The difference is too long, or of a kind that does not show here."
	}
	lines := strings.Split(strings.TrimSuffix(changes, "\n"), "\n")
	if more := len(lines) - maxChangedLines; more > 0 {
		lines = append(lines[:maxChangedLines], fmt.Sprintf("… %d more lines", more))
	}
	for i, line := range lines {
		if line == " " { // an empty line that did not change
			lines[i] = ""
		}
		if runes := []rune(line); len(runes) > maxLineRunes {
			lines[i] = string(runes[:maxLineRunes-1]) + "…"
		}
	}
	text := strings.Join(lines, "\n")
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "diff\n" + text + "\n" + fence
}

// shown renders a text so that all of its characters are seen, and none of its lines holds a marker of Colony's or a fence without end.
func shown(text string) string {
	if len(text) > maxChangedText {
		text = text[:maxChangedText]
	}
	text = strings.ReplaceAll(strings.ToValidUTF8(text, string(unicode.ReplacementChar)), "\r\n", "\n")
	var b strings.Builder
	ticks := 0
	for _, r := range text {
		ticks++
		if r != '`' {
			ticks = 0
		}
		switch {
		case ticks > maxTicks:
		case r == '\n', r == '\t':
			b.WriteRune(r)
		case unicode.In(r, unicode.C, unicode.Zl, unicode.Zp) && r != unicode.ReplacementChar:
			fmt.Fprintf(&b, "[U+%04X]", r)
		default:
			b.WriteRune(r)
		}
	}
	text = strings.ReplaceAll(b.String(), "<!--", "<! --")
	text = strings.ReplaceAll(text, "-->", "-- >")
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text
}
