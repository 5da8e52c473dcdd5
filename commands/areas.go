package commands

import (
	"bytes"
	"regexp"
	"slices"

	"github.com/yuin/goldmark/ast"
)

// area is a part of a text in which goldmark takes for paragraphs at the top level what GitHub does not.
//
// One is a table, and what interrupts it. GitHub begins a table as soon as it reads the line below the header; goldmark finds tables in
// whole paragraphs. So they differ where a header is counted differently (a lone backtick, no bar at all), and where what follows
// would go on or underline a paragraph but ends a table: an empty list item, a list that begins with 2, a line of dashes.
//
// Another is a footnote: what is indented right after its mark is a paragraph, which the lines below it continue, to GitHub, and code
// to goldmark. The last is what is indented below a list: goldmark ends some items that are empty, or hold an empty
// one, above it.
type area struct{ start, belowRows, stop int }

// delimiters is the line below the header of a table: https://github.github.com/gfm/#tables-extension-.
var delimiters = regexp.MustCompile(`^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$`)

// footnote is the first line of a footnote, in whatever block.
var footnote = regexp.MustCompile(`(?m)^[ \t>*+\-0-9.)]*\[\^[^\]\n]+\]:`)

// areasIn returns the areas of a text, in its order.
func areasIn(document ast.Node, source []byte) []area {
	starts := tables(document, source)
	for _, found := range footnote.FindAllIndex(source, -1) {
		starts = append(starts, found[0])
	}
	starts = append(starts, belowItems(document, source)...)
	slices.Sort(starts)
	var areas []area
	last := area{}
	for _, start := range starts {
		if start >= last.belowRows {
			last = areaFrom(source, start, last)
			areas = append(areas, last)
		}
	}
	return areas
}

// tables returns where the lines begin that GitHub may take for the header of a table.
func tables(document ast.Node, source []byte) []int {
	raw := rawLines(document, source)
	var starts []int
	before, offset := -1, 0 // where the line before begins; -1: it is empty
	for line := range bytes.Lines(source) {
		text := bytes.TrimSuffix(line, newline)
		if before >= 0 && !raw[offset] && bytes.ContainsAny(text, "|:") && delimiters.Match(text) {
			starts = append(starts, before)
		}
		before = offset
		if len(bytes.TrimSpace(line)) == 0 {
			before = -1
		}
		offset += len(line)
	}
	return starts
}

// belowItems returns where the first empty lines begin below the items of the lists at the top level.
func belowItems(document ast.Node, source []byte) []int {
	var starts []int
	last := -1
	for block := document.FirstChild(); block != nil; block = block.NextSibling() {
		if block.Kind() != ast.KindList {
			continue
		}
		for item := block.FirstChild(); item != nil; item = item.NextSibling() {
			if item.Pos() < last {
				continue // there is no empty line between the two
			}
			last = firstEmpty(source, lineStart(source, max(item.Pos(), 0)))
			if last < len(source) {
				starts = append(starts, last)
			}
		}
	}
	return starts
}

// rawLines returns where the lines of code and HTML blocks begin.
func rawLines(document ast.Node, source []byte) map[int]bool {
	raw := map[int]bool{}
	_ = ast.Walk(document, func(node ast.Node, _ bool) (ast.WalkStatus, error) { // the walker returns no error
		if node.Type() == ast.TypeInline {
			return ast.WalkSkipChildren, nil
		}
		switch node.Kind() {
		case ast.KindCodeBlock, ast.KindFencedCodeBlock, ast.KindHTMLBlock:
			for i := range node.Lines().Len() {
				raw[lineStart(source, node.Lines().At(i).Start)] = true
			}
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
	return raw
}

// harmless are tags that mean the same in a table and in a paragraph.
var harmless = regexp.MustCompile(`<(?:/?[A-Za-z][A-Za-z0-9]*[ \t]*/?|https?://[^\s<>|]*)>`)

var beginsWithTag = regexp.MustCompile(`(?m)^[ \t]*<`)

// unclear reports whether HTML in an area may be read otherwise than it seems: a bar parts a tag in a table, and a tag on a line of
// its own interrupts a table but no paragraph.
func (a area) unclear(source []byte) bool {
	rows := source[a.start:a.belowRows]
	return bytes.IndexByte(rows, '<') >= 0 && (beginsWithTag.Match(rows) || bytes.IndexByte(harmless.ReplaceAll(rows, nil), '<') >= 0)
}

// areaFrom returns the area that begins at a line, after the one before. It reaches to the next empty line, and as far below that as
// lines are indented, or continue such, since they may belong to a list that interrupted a table.
func areaFrom(source []byte, start int, before area) area {
	a := area{start: start, belowRows: firstEmpty(source, start), stop: len(source)}
	if a.belowRows < before.stop { // the lines below are the same
		a.stop = before.stop
		return a
	}
	offset, afterEmpty := a.belowRows, false
	for line := range bytes.Lines(source[a.belowRows:]) {
		empty := len(bytes.TrimSpace(line)) == 0
		if !empty && afterEmpty && line[0] != ' ' && line[0] != '\t' {
			a.stop = offset
			break
		}
		afterEmpty = empty
		offset += len(line)
	}
	return a
}

// firstEmpty returns where the first empty line begins, from the beginning of a line on.
func firstEmpty(source []byte, start int) int {
	for line := range bytes.Lines(source[start:]) {
		if len(bytes.TrimSpace(line)) == 0 {
			return start
		}
		start += len(line)
	}
	return len(source)
}

func lineStart(source []byte, offset int) int { return bytes.LastIndexByte(source[:offset], '\n') + 1 }
