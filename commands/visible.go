package commands

import (
	"bytes"
	"regexp"
	"slices"

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
	// doubtful is one that the page may hide or set apart, because of the HTML above it.
	doubtful bool
}

// visibleLines returns those of the lines that start at the given offsets which Parse's rules accept, and those that they may accept.
//
// The document is parsed twice, to keep the cost of hostile input down: once for its blocks, without any
// inline markup, and then the inline markup of only those paragraphs that can matter.
func visibleLines(source []byte, starts map[int]bool) []visibleLine {
	d := &reading{source: source, starts: starts, references: parser.NewContext()}
	document := blocks.Parse(text.NewReader(source), parser.WithContext(d.references))
	d.areas = areasIn(document, source)
	unclear := slices.ContainsFunc(d.areas, func(a area) bool { return a.unclear(source) })
	d.html.doubt = unclear || d.references.Get(removedHTML) != nil || d.dependsOnVersion(document)
	d.blocks(document, true)
	return append(d.lines, d.undecided()...)
}

// reading is how far a document was read.
type reading struct {
	source     []byte
	starts     map[int]bool
	references parser.Context
	html       openElements
	areas      []area
	lines      []visibleLine
	// waiting are the lines in an HTML element that is open: they are apart if it is closed, and in doubt if it is not. There are
	// none while no element is open, so that all of them come after all of lines.
	waiting []visibleLine
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

// changed are tags at the beginning of a line that begin a block in some versions of CommonMark, GitHub's among them, and do not in
// others. What such a block holds, or ends, can change how all the rest is read.
var changed = regexp.MustCompile(`^[ \t]*<(?:/?(?i:source|search|textarea)(?:[\s/>]|$)|![a-z])`)

// changedFirst is such a tag that begins a block only where no paragraph is before it: what only ends an element of raw text, and, to
// GitHub alone, one with a tab behind it.
var changedFirst = regexp.MustCompile(`^[ \t]*<(?:/(?i:pre|script|style)[\s/>]|[^\n]*> *\t\s*$)`)

// wholeTag is a line of one tag, as CommonMark has it: https://spec.commonmark.org/0.31.2/#raw-html.
var wholeTag = regexp.MustCompile("^ *(?:</[A-Za-z][A-Za-z0-9-]*[ \\t]*|<[A-Za-z][A-Za-z0-9-]*(?:[ \\t]+[A-Za-z_:][A-Za-z0-9_.:-]*(?:[ \\t]*=[ \\t]*(?:[^\\s\"'=<>`]+|'[^']*'|\"[^\"]*\"))?)*[ \\t]*/?)>[ \\t]*$")

// isOddBlock reports whether GitHub may end, or not even begin, a block of HTML where goldmark does.
func isOddBlock(block *ast.HTMLBlock, source []byte) bool {
	html := htmlOf(block, source)
	first, _, _ := bytes.Cut(html, newline)
	return bytes.Contains(bytes.ToLower(html), []byte("</textarea>")) || block.HTMLBlockType == ast.HTMLBlockType7 && !wholeTag.Match(first)
}

func (d *reading) dependsOnVersion(parent ast.Node) bool {
	for block := parent.FirstChild(); block != nil && block.Type() == ast.TypeBlock; block = block.NextSibling() {
		if block.Kind() == ast.KindCodeBlock || block.Kind() == ast.KindFencedCodeBlock {
			continue
		}
		if html, ok := block.(*ast.HTMLBlock); ok && isOddBlock(html, d.source) {
			return true
		}
		for i := range block.Lines().Len() {
			segment := block.Lines().At(i)
			if line := segment.Value(d.source); changed.Match(line) || i == 0 && changedFirst.Match(line) {
				return true
			}
		}
		if block.Lines().Len() == 0 && d.dependsOnVersion(block) {
			return true
		}
	}
	return false
}

// settle decides about the lines in an HTML element once it is closed, or will never be for sure.
func (d *reading) settle() {
	switch {
	case d.html.doubt:
		d.lines = append(d.lines, d.undecided()...)
	case !d.html.hiding():
		d.waiting = nil
	}
}

func (d *reading) undecided() []visibleLine {
	lines := d.waiting
	d.waiting = nil
	for i := range lines {
		lines[i].doubtful = true
	}
	return lines
}

// shown takes a line that is set apart by nothing but, perhaps, HTML.
func (d *reading) shown(line visibleLine) {
	d.settle()
	for len(d.areas) > 0 && d.areas[0].stop <= line.start {
		d.areas = d.areas[1:]
	}
	if len(d.areas) > 0 && line.start >= d.areas[0].start {
		return
	}
	line.doubtful = line.doubtful || d.html.doubt
	if d.html.hiding() && !d.html.doubt {
		d.waiting = append(d.waiting, line)
	} else {
		d.lines = append(d.lines, line)
	}
}

func htmlOf(block *ast.HTMLBlock, source []byte) []byte {
	var html []byte
	for i := range block.Lines().Len() {
		segment := block.Lines().At(i)
		html = append(html, segment.Value(source)...)
	}
	if block.HasClosure() {
		html = append(html, block.ClosureLine.Value(source)...)
	}
	return html
}

// paragraph is a paragraph's lines without their indentation, one after the other.
type paragraph struct {
	text  []byte
	lines []paragraphLine // those that may be commands
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
	if len(p.lines) == 0 && bytes.IndexByte(p.text, '<') < 0 {
		return
	}
	context := &inlineContext{Context: parser.NewContext(), references: d.references}
	markup := inlines
	if bytes.IndexByte(p.text, '~') >= 0 {
		markup = inlinesAndStrikes
	}
	document := markup.Parse(text.NewReader(p.text), parser.WithContext(context))

	comments, odd := commentsIn(document, p)
	d.collectShown(document, p, func(line paragraphLine) {
		if context.gaveUp && line.start >= context.gaveUpAt {
			return
		}
		var words []byte
		words, line.stop, comments = cutComments(p.text, line, comments)
		for len(odd) > 0 && odd[0] < line.start {
			odd = odd[1:]
		}
		d.shown(visibleLine{start: line.source, words: string(words), doubtful: len(odd) > 0 && odd[0] < line.stop})
	})
	d.html.doubt = d.html.doubt || context.gaveUpHTML
}

// commentsIn returns the HTML comments in a paragraph, and where those begin that not everybody takes for one.
func commentsIn(document ast.Node, p paragraph) (comments []text.Segment, odd []int) {
	_ = ast.Walk(document, func(node ast.Node, entering bool) (ast.WalkStatus, error) { // the walker returns no error
		if html, ok := node.(*ast.RawHTML); ok && entering && bytes.HasPrefix(html.Segments.Value(p.text), []byte("<!--")) {
			comments = append(comments, html.Segments.Sliced(0, html.Segments.Len())...)
			if !plainInline(html.Segments.Value(p.text)) {
				odd = append(odd, html.Segments.At(0).Start)
			}
		}
		return ast.WalkContinue, nil
	})
	return comments, odd
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

// cutComments returns a line without the HTML comments in it, where it stops on the page, and the comments that come after it. A
// comment hides the ends of its lines too: what follows it is shown on the line on which it began.
func cutComments(source []byte, line paragraphLine, comments []text.Segment) (words []byte, stop int, after []text.Segment) {
	from, stop := line.start, line.stop
	for len(comments) > 0 && comments[0].Start < stop {
		if comments[0].Start >= from {
			words = append(words, source[from:comments[0].Start]...)
			from = comments[0].Stop
		}
		if from > stop {
			stop = from + bytes.IndexByte(source[from:], '\n')
		}
		comments = comments[1:]
	}
	return append(words, source[from:stop]...), stop, comments
}

// maxNesting is how many quotes, lists and footnotes are opened inside each other. The markers of deeper ones
// are taken for text, which cannot make a line a top-level paragraph that was none.
const maxNesting = 16

type shallow struct{ parser.BlockParser }

// tooDeep is set in the context where a block was not opened for that reason.
var tooDeep = parser.NewContextKey()

func (s shallow) Open(parent ast.Node, reader text.Reader, context parser.Context) (ast.Node, parser.State) {
	depth := 0
	for node := parent; node != nil; node = node.Parent() {
		depth++
	}
	if depth > maxNesting {
		context.Set(tooDeep, true)
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
		util.Prioritized(withoutBombs{}, 50),
		util.Prioritized(parser.LinkReferenceParagraphTransformer, 100),
		util.Prioritized(extension.NewTableParagraphTransformer(), 200),
	),
)

// Limits of one paragraph. They are far above what people write and keep the parsers, whose cost grows with
// the product of a paragraph's length and its markers, near-linear.
const (
	maxBackticks = 80 // as in cmark, which GitHub uses: a longer run opens no code span
	maxLinks     = 256
	maxStrikes   = 256
	maxEmphasis  = 1000
	maxTags      = 4096
)

// Limits of the definitions and table cells that one paragraph may turn into.
const (
	maxDefinitions = 1000
	maxCells       = 20_000
)

// withoutBombs removes a paragraph that would cost too much to tell apart into text, definitions and a table.
type withoutBombs struct{}

// removedHTML is set in the context where a removed paragraph may hold HTML.
var removedHTML = parser.NewContextKey()

// Transform implements parser.ParagraphTransformer.
func (withoutBombs) Transform(paragraph *ast.Paragraph, reader text.Reader, context parser.Context) {
	definitions, columns := 0, 0
	mayHoldHTML := false
	lines := paragraph.Lines()
	for i := range lines.Len() {
		segment := lines.At(i)
		line := segment.Value(reader.Source())
		mayHoldHTML = mayHoldHTML || bytes.IndexByte(line, '<') >= 0
		definitions += bytes.Count(line, []byte("]:"))
		if len(bytes.Trim(line, "|:- \t\n")) == 0 {
			columns = max(columns, bytes.Count(line, []byte("|"))+1)
		}
	}
	if definitions > maxDefinitions || columns*lines.Len() > maxCells {
		paragraph.Parent().RemoveChild(paragraph.Parent(), paragraph)
		if mayHoldHTML {
			context.Set(removedHTML, true)
		}
	}
}

// inlines knows the markup that can hide a line from a reader. Emphasis cannot, but where there are strikes it
// decides which marks pair up.
var (
	inlines           = newInlines()
	inlinesAndStrikes = newInlines(
		atMost(maxStrikes, extension.NewStrikethroughParser(), 500),
		atMost(maxEmphasis, parser.NewEmphasisParser(), 500),
	)
)

func newInlines(more ...util.PrioritizedValue) parser.Parser {
	html := &counted{InlineParser: parser.NewRawHTMLParser(), key: parser.NewContextKey(), limit: maxTags, html: true}
	return parser.NewParser(
		parser.WithBlockParsers(util.Prioritized(parser.NewParagraphParser(), 1000)),
		parser.WithInlineParsers(append(more,
			util.Prioritized(shortFence{parser.NewCodeSpanParser()}, 100),
			atMost(maxLinks, parser.NewLinkParser(), 200),
			util.Prioritized(parser.NewAutoLinkParser(), 300),
			util.Prioritized(html, 400),
		)...),
	)
}

func atMost(limit int, inline parser.InlineParser, priority int) util.PrioritizedValue {
	return util.Prioritized(&counted{InlineParser: inline, key: parser.NewContextKey(), limit: limit}, priority)
}

// inlineContext resolves references against the whole document and remembers where a limit was met.
type inlineContext struct {
	parser.Context
	references parser.Context

	gaveUp     bool
	gaveUpAt   int
	gaveUpHTML bool
}

// Reference implements parser.Context.
func (c *inlineContext) Reference(label string) (parser.Reference, bool) {
	return c.references.Reference(label)
}

// counted asks its parser at most limit times in a paragraph.
type counted struct {
	parser.InlineParser
	key   parser.ContextKey
	limit int
	html  bool
}

// Parse implements parser.InlineParser.
func (c *counted) Parse(parent ast.Node, block text.Reader, context parser.Context) ast.Node {
	asked, _ := context.Get(c.key).(int)
	if asked < c.limit {
		context.Set(c.key, asked+1)
		return c.InlineParser.Parse(parent, block, context)
	}
	bounds := context.(*inlineContext)
	_, position := block.Position()
	if !bounds.gaveUp || position.Start < bounds.gaveUpAt {
		bounds.gaveUp, bounds.gaveUpAt = true, position.Start
	}
	bounds.gaveUpHTML = bounds.gaveUpHTML || c.html
	return nil
}

// CloseBlock implements parser.CloseBlocker, which the link parser relies on.
func (c *counted) CloseBlock(parent ast.Node, block text.Reader, context parser.Context) {
	if closer, ok := c.InlineParser.(parser.CloseBlocker); ok {
		closer.CloseBlock(parent, block, context)
	}
}

type shortFence struct{ parser.InlineParser }

// Parse implements parser.InlineParser.
func (s shortFence) Parse(parent ast.Node, block text.Reader, context parser.Context) ast.Node {
	line, segment := block.PeekLine()
	run := len(line) - len(bytes.TrimLeft(line, "`"))
	if run > maxBackticks {
		block.Advance(run)
		return ast.NewTextSegment(segment.WithStop(segment.Start + run))
	}
	return s.InlineParser.Parse(parent, block, context)
}
