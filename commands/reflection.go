package commands

import "strings"

// Reflects reports whether a comment is a reflection. It is one if its first line that shows as ordinary text of its writer, commands left out,
// begins with the given words. The words can be in any case, and the line has to say something in addition to them. What shows as ordinary text is
// decided by Parse; marks of emphasis around the words do not matter.
func Reflects(markdown, words string) bool {
	if words == "" {
		return false
	}
	source := normalise(markdown)
	begun := false
	for _, line := range visibleLines(source, startsOf(source, " \t", func(int, []byte) bool { return true })) {
		text := strings.Trim(strings.TrimSpace(line.words), "*_")
		if _, isCommand := readLine(line.words); isCommand || text == "" || line.doubtful {
			continue
		}
		if !begun {
			rest, ok := cutWords(text, words)
			if !ok {
				return false
			}
			begun, text = true, strings.Trim(rest, "*_ ")
		}
		if !invisible(text) {
			return true
		}
	}
	return false
}

// cutWords cuts words off the beginning of a text, in any case.
func cutWords(text, words string) (rest string, ok bool) {
	begin, from := []rune(words), []rune(text)
	if len(from) < len(begin) || !strings.EqualFold(string(from[:len(begin)]), words) {
		return "", false
	}
	return string(from[len(begin):]), true
}
