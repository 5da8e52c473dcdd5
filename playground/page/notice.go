package page

import (
	"regexp"
	"strings"
)

// span is a piece of a line of the notice.
type span struct {
	Text  string
	Code  bool
	Issue string // the address of the issue that the text names; empty if it names none
}

var issueNumber = regexp.MustCompile(`#(\d+)\b`)

// noticed splits the notice into lines and pieces: text between backquotes is code, and #1 leads to the issue of the repository, if there is one. A
// backquote without a partner is text.
func noticed(notice string, in *repository) [][]span {
	if notice == "" {
		return nil
	}
	var lines [][]span
	for line := range strings.Lines(notice) {
		var pieces []span
		parts := strings.Split(strings.TrimSpace(line), "`")
		for i, part := range parts {
			switch {
			case i%2 == 0:
				pieces = append(pieces, numbered(part, in)...)
			case i == len(parts)-1:
				pieces = append(pieces, span{Text: "`" + part})
			default:
				pieces = append(pieces, span{Text: part, Code: true})
			}
		}
		lines = append(lines, pieces)
	}
	return lines
}

// numbered makes the numbers of issues in a text lead there.
func numbered(text string, in *repository) []span {
	if in == nil {
		return []span{{Text: text}}
	}
	var pieces []span
	at := 0
	for _, found := range issueNumber.FindAllStringSubmatchIndex(text, -1) {
		pieces = append(pieces, span{Text: text[at:found[0]]}, span{Text: text[found[0]:found[1]], Issue: in.Path() + "/issues/" + text[found[2]:found[3]]})
		at = found[1]
	}
	return append(pieces, span{Text: text[at:]})
}
