package wording

import (
	"regexp"
	"strings"
	"unicode"
)

// MaxRunes is how much of a stranger's text Inline and Code show; a longer one ends in "…".
const MaxRunes = 200

// Inline renders a stranger's text (a label, a reason, a login, a title) for use inside a sentence of a Markdown comment. The result is one line that
// shows the text, cleaned as described below, and nothing else happens: no one is mentioned, nothing is linked or cross-referenced, no markup or HTML
// comes to life, no line of it is a command.
//
// Words that are evidently harmless stay as they are; all others are set as code. GitHub makes mentions, references, commit and web links, emoji and
// mathematics from the text it has rendered. There, an entity or a backslash has already become the character it represents, so escaping cannot
// prevent them. But it leaves the text of code elements alone (the filters of https://github.com/gjtorikian/html-pipeline skip pre, code, a and
// style). The usual alternative, an invisible character after the @, would end up in what people copy.
//
// Cleaned means: broken UTF-8 replaced; control, format (zero-width, bidirectional) and private characters
// removed; any white space one space; "<!--" and "-->" parted by a space, so that the source of a comment
// cannot hold a forged hidden marker; at most MaxRunes.
//
// The result must follow white space, opening punctuation or the start of a line, and it does not fit into a
// table cell or a link.
func Inline(untrusted string) string {
	text := clean(untrusted)
	if text == "" {
		return ""
	}
	var inline strings.Builder
	var code []string // the words of a code span that is still growing
	closeSpan := func() {
		if len(code) > 0 {
			inline.WriteString(span(strings.Join(code, " ")))
			code = nil
		}
	}
	for i, word := range strings.Split(text, " ") {
		before, core, after := punctuated(word)
		harmless := isHarmless(core) && (i > 0 || startsNothing(before, core, after))
		if !harmless && i == 0 && before != "" {
			before, core = "", before+core
		}
		// A span grows while nothing comes between its words.
		if harmless || before != "" {
			closeSpan()
		}
		if i > 0 && len(code) == 0 {
			inline.WriteByte(' ')
		}
		if harmless {
			inline.WriteString(word)
			continue
		}
		inline.WriteString(before)
		code = append(code, core)
		if after != "" {
			closeSpan()
			inline.WriteString(after)
		}
	}
	closeSpan()
	return inline.String()
}

// Code renders a stranger's text as one code span, cleaned as Inline does. An empty text shows as a space.
// The result must not touch another backtick, and it does not fit into a table cell.
func Code(untrusted string) string {
	text := clean(untrusted)
	if text == "" {
		text = " "
	}
	return span(text)
}

// clean can lengthen the text by the spaces and the replacement characters it puts in, so it cuts last.
func clean(untrusted string) string {
	text := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), r == '\u2028', r == '\u2029':
			return ' '
		case unicode.In(r, unicode.C) && r != unicode.ReplacementChar:
			return -1
		}
		return r
	}, strings.ToValidUTF8(untrusted, string(unicode.ReplacementChar)))
	text = strings.Join(strings.Fields(text), " ")
	// In turn: "<!-->" holds both.
	text = strings.ReplaceAll(text, "<!--", "<! --")
	text = strings.ReplaceAll(text, "-->", "-- >")
	if runes := []rune(text); len(runes) > MaxRunes {
		text = strings.TrimRight(string(runes[:MaxRunes-1]), " ") + "…"
	}
	return text
}

// span sets a text as code between the shortest run of backticks that is not in it. With at most MaxRunes
// that is fewer than twenty; GitHub would not take more than eighty for a fence.
func span(text string) string {
	runs := map[int]bool{}
	run := 0
	for _, r := range text + " " {
		if r == '`' {
			run++
			continue
		}
		runs[run] = true
		run = 0
	}
	length := 1
	for runs[length] {
		length++
	}
	fence := strings.Repeat("`", length)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + text + fence
}

// Punctuation that means nothing to Markdown or to GitHub next to a word.
const (
	opening = `("'“‘«¿¡„`
	closing = `.,;:!?)"'”’»…、。，！？：；`
)

func punctuated(word string) (before, core, after string) {
	core = strings.TrimLeft(word, opening)
	before = word[:len(word)-len(core)]
	trimmed := strings.TrimRight(core, closing)
	return before, trimmed, core[len(trimmed):]
}

var (
	// plainWord lets through letters of any script, digits, symbols such as emoji, and what joins them.
	plainWord = regexp.MustCompile(`^[\p{L}\p{N}\p{So}][\p{L}\p{M}\p{N}\p{So}.'’-]*$`)
	// linked is what GitHub links all the same: commits, GH-12 and an organisation's own ABC-12, and www.
	linked = regexp.MustCompile(`(?i)\b[0-9a-f]{7,}\b|[a-z]-\d|^www\.`)
	number = regexp.MustCompile(`^\d+$`)
)

func isHarmless(core string) bool {
	if core == "" || core == "-" || core == "–" || core == "—" {
		return true
	}
	return plainWord.MatchString(core) && !linked.MatchString(core)
}

// startsNothing reports whether a harmless word is harmless as the first of a line too: it is no list marker and cannot be read as the address of a
// link that ended before it.
func startsNothing(before, core, after string) bool {
	return core != "-" && !strings.Contains(before, "(") && (!number.MatchString(core) || after == "")
}
