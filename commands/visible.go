package commands

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// visibleLine is a line of a top-level paragraph that shows as text.
type visibleLine struct {
	start int    // offset in the source
	words string // from there to the end of the line as the page shows it, without HTML comments
	// doubtful is one that the page might hide or set apart, because of the HTML above it.
	doubtful bool
}

// visibleLines looks at the lines that start at the given offsets. It returns the lines that Parse's rules accept, and the lines that they might
// accept.
//
// The document is parsed twice, to keep the cost of hostile input down: once for its blocks, without any
// inline markup, and then the inline markup of only those paragraphs that can matter.
func visibleLines(source []byte, starts map[int]bool) []visibleLine {
	document, references := parseBlocks(source)
	d := &reading{source: source, starts: starts, references: references}
	d.html.uncertain = bytes.ContainsAny(source, "\f\v") // goldmark takes them for spaces everywhere, GitHub only in places
	d.leaveOut(d.survey(document))
	d.blocks(document, true)
	d.settle()
	for i := d.settled; i < len(d.lines); i++ {
		d.lines[i].doubtful = true
	}
	return d.lines
}

type reading struct {
	source     []byte
	starts     map[int]bool
	references parser.Context
	html       openElements
	lines      []visibleLine
	// settled is how many of the lines do not depend on HTML below them. The others are in an element that is open: they are apart if
	// it is closed, and uncertain if it is not.
	settled int
}

func (d *reading) blocks(parent ast.Node, top bool) {
	for block := parent.FirstChild(); block != nil && block.Type() == ast.TypeBlock; block = block.NextSibling() {
		switch block := block.(type) {
		case *ast.HTMLBlock:
			d.html.read(htmlOf(block, d.source))
		case *ast.CodeBlock, *ast.FencedCodeBlock:
		default:
			d.html.within(func() {
				if block.Lines().Len() == 0 {
					d.blocks(block, false)
				} else {
					d.text(newParagraph(block, d.source, d.starts), top && block.Kind() == ast.KindParagraph)
				}
			})
		}
		d.settle()
	}
}

// settle drops the lines in an HTML element once it is closed.
func (d *reading) settle() {
	if !d.html.uncertain && !d.html.hiding() {
		d.lines = d.lines[:d.settled]
	}
}

// shown takes a line that is set apart by nothing but, perhaps, HTML.
func (d *reading) shown(line visibleLine) {
	d.settle()
	d.lines = append(d.lines, line)
	if !d.html.uncertain && !d.html.hiding() {
		d.settled = len(d.lines)
	}
}

// odd is a line that begins a block of HTML in some versions of CommonMark, GitHub's among them, and does not in others. What such a
// block holds, or ends, can change how all the rest is read.
var odd = regexp.MustCompile(`^[ \t]*<(?:(?i:/?(?:source|search|textarea|script|style)|/pre)(?:[\s/>]|$)|![a-z]|[^\n]*> *\t\s*$)`)

// survey returns where the lines of code and HTML begin, and where the items of lists at the top level do. A document with an odd line is uncertain.
func (d *reading) survey(document ast.Node) (raw, items map[int]bool) {
	raw, items = map[int]bool{}, map[int]bool{}
	_ = ast.Walk(document, func(block ast.Node, entering bool) (ast.WalkStatus, error) { // the walker returns no error
		if !entering || block.Type() == ast.TypeInline {
			return ast.WalkContinue, nil
		}
		if block.Kind() == ast.KindListItem && block.Parent().Parent() == document {
			items[lineStart(d.source, max(block.Pos(), 0))] = true
		}
		code := block.Kind() == ast.KindCodeBlock || block.Kind() == ast.KindFencedCodeBlock
		html := block.Kind() == ast.KindHTMLBlock
		for i := range block.Lines().Len() {
			segment := block.Lines().At(i)
			if code || html {
				raw[lineStart(d.source, segment.Start)] = true
			}
			if !code && (!html || i == 0) && odd.Match(segment.Value(d.source)) {
				d.html.uncertain = true
			}
		}
		return ast.WalkContinue, nil
	})
	return raw, items
}

func lineStart(source []byte, offset int) int { return bytes.LastIndexByte(source[:offset], '\n') + 1 }

var (
	// delimiters is the line below the header of a table: https://github.github.com/gfm/#tables-extension-.
	delimiters = regexp.MustCompile(`^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$`)
	// footnote is the first line of a footnote, in any block.
	footnote = regexp.MustCompile(`^[ \t>*+\-0-9.)]*\[\^[^\]\n]+\]:`)
	// harmless are tags that mean the same in a table and in a paragraph.
	harmless = regexp.MustCompile(`<(?:/?(?i:b|br|em|i|strong|sub|sup)[ \t]*/?|https?://[^\s<>|]*)>`)
)

// leaveOut takes those lines out of starts that might belong to a table or a footnote, or to what is indented below these or below a
// list. They end with the first line after an empty one that is not indented; GitHub and goldmark disagree about those before.
func (d *reading) leaveOut(raw, items map[int]bool) {
	var above []byte // the line above, without the spaces around it
	list, rows, out := false, false, false
	offset, firstAbove := 0, 0
	for line := range bytes.Lines(d.source) {
		words := bytes.Trim(line, " \t\n")
		first := offset + bytes.Index(line, words)
		switch {
		case len(words) == 0:
			rows, out = false, out || list
		case len(above) == 0 && first == offset:
			list, out = false, false
		}
		list = list || items[offset]
		if len(above) > 0 && !raw[offset] && isDelimiters(words) {
			delete(d.starts, firstAbove)
			d.readRow(above)
			rows, out = true, true
		} else if footnote.Match(line) {
			rows, out = true, true
		}
		if rows {
			d.readRow(words)
		}
		if out {
			delete(d.starts, first)
		}
		above, firstAbove = words, first
		offset += len(line)
	}
}

func isDelimiters(line []byte) bool { return bytes.ContainsAny(line, "|:") && delimiters.Match(line) }

// readRow follows the HTML in a row of a table. A bar parts a tag there, and a tag on a line of its own interrupts a table but not a
// paragraph, so most HTML makes the document uncertain.
func (d *reading) readRow(row []byte) {
	if bytes.HasPrefix(row, []byte("<")) || bytes.IndexByte(harmless.ReplaceAll(row, nil), '<') >= 0 {
		d.html.uncertain = true
	}
}

func htmlOf(block *ast.HTMLBlock, source []byte) []byte {
	html := block.Lines().Value(source)
	if block.HasClosure() {
		html = append(html, block.ClosureLine.Value(source)...)
	}
	return html
}

// paragraph is a paragraph's lines without their indentation, one after the other.
type paragraph struct {
	text  []byte
	lines []paragraphLine // the lines that might be commands
}

type paragraphLine struct{ start, stop, source int }

func newParagraph(block ast.Node, source []byte, starts map[int]bool) paragraph {
	var p paragraph
	for i := range block.Lines().Len() {
		segment := block.Lines().At(i)
		start := len(p.text)
		p.text = append(p.text, bytes.TrimSuffix(segment.Value(source), newline)...)
		if starts[segment.Start] {
			p.lines = append(p.lines, paragraphLine{start: start, stop: len(p.text), source: segment.Start})
		}
		p.text = append(p.text, '\n')
	}
	return p
}

// escapedTilde ends a strike to GitHub, but not to goldmark.
var escapedTilde = []byte(`\~~`)

// text reads the lines of one block: its HTML, and where it is a paragraph at the top level the lines that show as text.
func (d *reading) text(p paragraph, top bool) {
	if !top || bytes.Contains(p.text, escapedTilde) {
		p.lines = nil
	}
	mayHoldHTML := bytes.IndexByte(p.text, '<') >= 0
	if len(p.lines) == 0 && !mayHoldHTML {
		return
	}
	if isDear(p.text) {
		for _, line := range p.lines {
			d.shown(visibleLine{start: line.source, words: string(p.text[line.start:line.stop]), doubtful: true})
		}
		d.html.uncertain = d.html.uncertain || mayHoldHTML
		return
	}
	markup := inlines
	if bytes.IndexByte(p.text, '~') >= 0 {
		markup = inlinesAndStrikes
	}
	document := markup.Parse(text.NewReader(p.text), parser.WithContext(inlineContext{parser.NewContext(), d.references}))
	withoutComments := cutComments(document, p.text)
	marks := mathematics(document, p.text)
	d.collectShown(document, p, func(line paragraphLine) {
		if before, _ := slices.BinarySearch(marks, line.start); before%2 == 1 && before < len(marks) {
			return
		}
		words, _, _ := bytes.Cut(withoutComments[line.start:], newline)
		words = bytes.ReplaceAll(words, cut, nil)
		d.shown(visibleLine{start: line.source, words: string(words), doubtful: bytes.Contains(words, []byte("<!--"))})
	})
}

// mathematics returns where the marks $$ of a paragraph are. GitHub typesets what is between two of them: see
// https://docs.github.com/get-started/writing-on-github/working-with-advanced-formatting/writing-mathematical-expressions.
func mathematics(document ast.Node, source []byte) (marks []int) {
	if !bytes.Contains(source, []byte("$$")) {
		return nil
	}
	_ = ast.Walk(document, func(node ast.Node, entering bool) (ast.WalkStatus, error) { // the walker returns no error
		words, ok := node.(*ast.Text)
		switch {
		case node.Kind() == ast.KindCodeSpan:
			return ast.WalkSkipChildren, nil
		case !ok || !entering:
			return ast.WalkContinue, nil
		}
		for i := words.Segment.Start; i+1 < words.Segment.Stop; i++ {
			if source[i] == '\\' {
				i++
			} else if source[i] == '$' && source[i+1] == '$' {
				marks = append(marks, i)
				i++
			}
		}
		return ast.WalkContinue, nil
	})
	return marks
}

// cut replaces each character of a comment. No text holds it: see normalise.
var cut = []byte{0}

// cutComments marks the HTML comments in a paragraph, but for HTML comments that not everybody reads as one. A comment hides the ends of its lines
// too: what follows it is shown on the line on which it began.
func cutComments(document ast.Node, source []byte) []byte {
	source = bytes.Clone(source)
	_ = ast.Walk(document, func(node ast.Node, entering bool) (ast.WalkStatus, error) { // the walker returns no error
		html, ok := node.(*ast.RawHTML)
		if !ok || !entering {
			return ast.WalkContinue, nil
		}
		if raw := html.Segments.Value(source); bytes.HasPrefix(raw, []byte("<!--")) && plainInline(raw) {
			for i := range html.Segments.Len() {
				segment := html.Segments.At(i)
				copy(source[segment.Start:segment.Stop], bytes.Repeat(cut, segment.Len()))
			}
		}
		return ast.WalkContinue, nil
	})
	return source
}

// collectShown follows a paragraph's HTML, and yields which of its lines begin as text that no Markdown sets apart.
func (d *reading) collectShown(document ast.Node, p paragraph, yield func(paragraphLine)) {
	waiting := p.lines
	nested := 0
	_ = ast.Walk(document, func(node ast.Node, entering bool) (ast.WalkStatus, error) { // the walker returns no error
		switch node := node.(type) {
		case *ast.Document, *ast.Paragraph, *ast.Emphasis:
		case *ast.Image:
			return ast.WalkSkipChildren, nil // its text becomes an attribute, in which tags are none
		case *ast.Text:
			if !entering {
				break
			}
			for len(waiting) > 0 && waiting[0].start < node.Segment.Start {
				waiting = waiting[1:]
			}
			if len(waiting) > 0 && waiting[0].start < node.Segment.Stop && nested == 0 {
				yield(waiting[0])
			}
		case *ast.RawHTML:
			if entering {
				d.html.readInline(node.Segments.Value(p.text))
			}
		default:
			if entering {
				nested++
			} else {
				nested--
			}
		}
		return ast.WalkContinue, nil
	})
}

// maxNesting is how many quotes, lists and footnotes are opened inside each other. The markers of deeper ones are read as text. That cannot make a
// top-level paragraph of a line that was not in one.
const maxNesting = 16

type shallow struct{ parser.BlockParser }

func (s shallow) Open(parent ast.Node, reader text.Reader, context parser.Context) (ast.Node, parser.State) {
	depth := 0
	for node := parent; node != nil; node = node.Parent() {
		depth++
	}
	if depth > maxNesting {
		return nil, parser.NoChildren
	}
	return s.BlockParser.Open(parent, reader, context)
}

// blocks knows GitHub's blocks. Priorities are goldmark's own.
var blocks = parser.NewParser(
	parser.WithBlockParsers(
		util.Prioritized(parser.NewSetextHeadingParser(), 100),
		util.Prioritized(parser.NewThematicBreakParser(), 200),
		util.Prioritized(shallow{parser.NewListParser()}, 300),
		util.Prioritized(parser.NewListItemParser(), 400),
		util.Prioritized(parser.NewCodeBlockParser(), 500),
		util.Prioritized(parser.NewATXHeadingParser(), 600),
		util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
		util.Prioritized(shallow{parser.NewBlockquoteParser()}, 800),
		util.Prioritized(parser.NewHTMLBlockParser(), 900),
		util.Prioritized(shallow{extension.NewFootnoteBlockParser()}, 999),
		util.Prioritized(parser.NewParagraphParser(), 1000),
	),
	parser.WithParagraphTransformers(
		util.Prioritized(unlessDear{parser.LinkReferenceParagraphTransformer}, 100),
	),
)

func parseBlocks(source []byte) (document ast.Node, references parser.Context) {
	references = parser.NewContext()
	return blocks.Parse(text.NewReader(source), parser.WithContext(references)), references
}

// maxMarkup is how many signs of markup a paragraph has at most for its markup to be read. That is far above what people write and
// bounds the work of the parsers, which grows with a higher power of that number.
const maxMarkup = 1000

// longestFence is how many backticks begin a code span at most in cmark, which GitHub uses, but not in goldmark.
const longestFence = 80

// isDear reports whether the markup of a paragraph is not read.
func isDear(paragraph []byte) bool {
	signs := "<[]`"
	if bytes.IndexByte(paragraph, '~') >= 0 {
		signs += "~*_"
	}
	markup, fence := 0, 0
	for _, c := range paragraph {
		if strings.IndexByte(signs, c) >= 0 {
			markup++
		}
		if c == '`' {
			fence++
		} else {
			fence = 0
		}
		if markup > maxMarkup || fence > longestFence {
			return true
		}
	}
	return false
}

// unlessDear leaves a paragraph whose markup is not read as it is.
type unlessDear struct{ parser.ParagraphTransformer }

func (u unlessDear) Transform(paragraph *ast.Paragraph, reader text.Reader, context parser.Context) {
	if !isDear(paragraph.Lines().Value(reader.Source())) {
		u.ParagraphTransformer.Transform(paragraph, reader, context)
	}
}

// inlines knows the markup that can hide a line from a reader. Emphasis cannot, but where there are strikes it
// decides which marks pair up.
var (
	inlines           = newInlines()
	inlinesAndStrikes = newInlines(
		util.Prioritized(extension.NewStrikethroughParser(), 500),
		util.Prioritized(parser.NewEmphasisParser(), 500),
	)
)

func newInlines(more ...util.PrioritizedValue) parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(util.Prioritized(parser.NewParagraphParser(), 1000)),
		parser.WithInlineParsers(append(more,
			util.Prioritized(parser.NewCodeSpanParser(), 100),
			util.Prioritized(parser.NewLinkParser(), 200),
			util.Prioritized(parser.NewAutoLinkParser(), 300),
			util.Prioritized(parser.NewRawHTMLParser(), 400),
		)...),
	)
}

// inlineContext resolves references against the whole document.
type inlineContext struct {
	parser.Context
	references parser.Context
}

func (c inlineContext) Reference(label string) (parser.Reference, bool) {
	return c.references.Reference(label)
}
