package commands

import (
	"bytes"
	"regexp"
	"strings"
	"unicode/utf8"
)

// MaxInvocations is how many commands of one comment are run.
const MaxInvocations = 20

// MaxBody is the longest text, in characters, in which commands are looked for: GitHub refuses a longer body.
// A longer one is left alone rather than cut, as a cut could remove the end of a comment that hides a command.
const MaxBody = 65536

// Doubtful is the verb of a command that HTML above it might hide from readers. It is not one that can be written.
const Doubtful = "?"

// Excess is the verb of the command after the first MaxInvocations, and says that the rest is not run. It is not one that can be written.
const Excess = "+"

// Invocation is one command as written in a comment or in an issue's opening text.
type Invocation struct {
	// Verb is lower-cased, 1 to 64 ASCII letters, digits and inner hyphens. It is "help" for a bare
	// "/colony". It need not be a verb that exists. It is Doubtful or Excess for a command that is not run.
	Verb string
	// Rest is what follows the verb on its line, trimmed and otherwise as written, without HTML comments.
	Rest string
	// Line is the 1-based line of the command in the text.
	Line int
}

// Parse finds the commands in a GitHub-flavoured Markdown text, in order. Colony runs the first MaxInvocations of them, and says that it leaves
// out the rest.
//
// A command is "/colony:verb rest" or "/colony verb rest", in any case, at the start of a line with at most three spaces before it.
// Punctuation that ends the verb ("/colony:retry.") does not belong to it. "/colony" and "/colony:" alone ask for help. A verb with any
// other character, such as a Cyrillic letter, makes the line prose.
//
// A line counts only in a paragraph at the top level of the document. It does not count
//   - in a block quote or a list item, including unindented lines that still belong to its last paragraph (leave an
//     empty line after a quote);
//   - in a heading ("/colony:retry" directly above a line of dashes is one), a link reference definition, a table or
//     a footnote, down to the next empty line;
//   - in code: fenced, indented, or a span, also one over several lines;
//   - in HTML: a block, a tag's attribute, a comment; nor as Markdown between the tags that fold, quote,
//     strike, list, link or typeset it (<details>, <blockquote>, <del>, <ul>, <a>, <pre> and the like);
//   - in the text, address or title of a link or an image, or between ~~strikes~~;
//   - in mathematics: between two marks $$ of one paragraph;
//   - after a backslash: "\/colony:retry" shows a command without giving it.
//
// Below incomplete HTML it is uncertain what a page shows: an element without its end in the same block of Markdown, tags that cross, a tag or
// comment without an end, and HTML that does not belong in a text. Colony does not run a command there, and says so. It reads the markers of
// containers nested deeper than maxNesting as text, and does not run a command in a paragraph with more than maxMarkup brackets, backticks and
// tags.
func Parse(markdown string) []Invocation {
	if !MayInvoke([]byte(markdown)) {
		return nil
	}
	source := normalise(markdown)
	starts := invocationStarts(source)
	if len(starts) == 0 {
		return nil
	}

	var found []Invocation
	line, counted := 1, 0
	for _, text := range visibleLines(source, starts) {
		invocation, ok := readLine(text.words)
		if !ok {
			continue
		}
		switch {
		case len(found) == MaxInvocations:
			invocation = Invocation{Verb: Excess}
		case text.doubtful:
			invocation = Invocation{Verb: Doubtful}
		}
		line += bytes.Count(source[counted:text.start], newline)
		counted = text.start
		invocation.Line = line
		found = append(found, invocation)
		if len(found) > MaxInvocations {
			break
		}
	}
	return found
}

const command = "/colony"

var newline = []byte{'\n'}

// MayInvoke reports whether a text might hold a command. It is a cheap test that nearly every comment fails, before anything is parsed, and errs
// towards yes: code, quotes and HTML comments are the parser's business.
func MayInvoke(text []byte) bool {
	for {
		slash := bytes.IndexByte(text, command[0])
		if slash < 0 {
			return false
		}
		text = text[slash:]
		if hasCommandPrefix(text) {
			return true
		}
		text = text[1:]
	}
}

// hasCommandPrefix ignores case: no letter of another script folds to one of these.
func hasCommandPrefix(text []byte) bool {
	return len(text) >= len(command) && strings.EqualFold(string(text[:len(command)]), command)
}

var lineEndings = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "\uFFFD")

// normalise applies what CommonMark asks for before parsing (https://spec.commonmark.org/0.31.2/#preliminaries):
// three line endings are one, NUL is replaced. A byte order mark is not part of the first line. Nothing is left of a text that is longer
// than MaxBody.
func normalise(markdown string) []byte {
	if utf8.RuneCountInString(markdown) > MaxBody {
		return nil
	}
	markdown = strings.TrimPrefix(markdown, "\uFEFF")
	return []byte(lineEndings.Replace(strings.ToValidUTF8(markdown, "\uFFFD")))
}

// invocationStarts returns the offset of the slash of every line that begins like a command.
func invocationStarts(source []byte) map[int]bool {
	return startsOf(source, " ", func(indent int, words []byte) bool { return indent <= 3 && hasCommandPrefix(words) })
}

// startsOf returns the offset of the first character, after some that indent it, of the lines that count.
func startsOf(source []byte, indents string, counts func(indent int, words []byte) bool) map[int]bool {
	starts := map[int]bool{}
	offset := 0
	for line := range bytes.Lines(source) {
		words := bytes.TrimLeft(line, indents)
		if indent := len(line) - len(words); counts(indent, words) {
			starts[offset+indent] = true
		}
		offset += len(line)
	}
	return starts
}

// The space after a verb can be any of Unicode's: text copied from a page brings no-break spaces along.
var invocationLine = regexp.MustCompile(`^/[Cc][Oo][Ll][Oo][Nn][Yy]` +
	`(?:(?::[\s\p{Zs}]*|[\s\p{Zs}]+)([A-Za-z0-9](?:[A-Za-z0-9-]{0,62}[A-Za-z0-9])?)[.,;:!?)*_~"']*(?:[\s\p{Zs}]+(.*))?` +
	`|[.,;:!?)*_~"']*)[\s\p{Zs}]*$`)

func readLine(text string) (Invocation, bool) {
	parts := invocationLine.FindStringSubmatch(text)
	if parts == nil {
		return Invocation{}, false
	}
	verb := strings.ToLower(parts[1])
	if verb == "" {
		verb = "help"
	}
	return Invocation{Verb: verb, Rest: strings.TrimSpace(parts[2])}, true
}
