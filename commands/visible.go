package commands

import (
	"bytes"
	"iter"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// visibleLine is a line of a top-level paragraph that shows as text.
type visibleLine struct {
	start int    // offset in the source
	words string // from there to the end of the line, without HTML comments
}

// visibleLines yields those of the lines that start at the given offsets which Parse's rules accept.
//
// The document is parsed twice, to keep the cost of hostile input down: once for its blocks, without any
// inline markup, and then the inline markup of only those paragraphs that can matter.
func visibleLines(source []byte, starts map[int]bool) iter.Seq[visibleLine] {
	return func(yield func(visibleLine) bool) {
		context := parser.NewContext()
		document := blocks.Parse(text.NewReader(source), parser.WithContext(context))
		var html openElements
		for block := document.FirstChild(); block != nil; block = block.NextSibling() {
			switch block := block.(type) {
			case *ast.HTMLBlock:
				html.read(htmlOf(block, source))
			case *ast.Paragraph:
				lines, complete := readParagraph(newParagraph(block, source, starts), context, &html)
				for _, line := range lines {
					if !yield(line) {
						return
					}
				}
				if !complete {
					return
				}
			}
		}
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

func newParagraph(block *ast.Paragraph, source []byte, starts map[int]bool) paragraph {
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

// readParagraph returns the paragraph's lines that show as text; complete is false when there was too much
// HTML in it to know what is open after it.
func readParagraph(p paragraph, references parser.Context, html *openElements) (lines []visibleLine, complete bool) {
	if len(p.lines) == 0 && bytes.IndexByte(p.text, '<') < 0 {
		return nil, true
	}
	context := &inlineContext{Context: parser.NewContext(), references: references}
	markup := inlines
	if bytes.IndexByte(p.text, '~') >= 0 {
		markup = inlinesAndStrikes
	}
	document := markup.Parse(text.NewReader(p.text), parser.WithContext(context))

	shown, comments := collectShown(document, p, html)
	for _, line := range shown {
		if context.gaveUp && line.start >= context.gaveUpAt {
			break
		}
		var words []byte
		words, comments = cutComments(p.text, line, comments)
		lines = append(lines, visibleLine{start: line.source, words: string(words)})
	}
	return lines, !context.gaveUpHTML
}

// collectShown finds which of a paragraph's lines begin as text that is shown and set apart by nothing, and where its HTML
// comments are.
func collectShown(document ast.Node, p paragraph, html *openElements) (shown []paragraphLine, comments []text.Segment) {
	waiting := p.lines
	nested := 0
	_ = ast.Walk(document, func(node ast.Node, entering bool) (ast.WalkStatus, error) { // the walker returns no error
		switch node := node.(type) {
		case *ast.Document, *ast.Paragraph, *ast.Emphasis:
		case *ast.Text:
			if !entering {
				break
			}
			for len(waiting) > 0 && waiting[0].start < node.Segment.Start {
				waiting = waiting[1:]
			}
			if len(waiting) > 0 && waiting[0].start < node.Segment.Stop && nested == 0 && !html.hiding() {
				shown = append(shown, waiting[0])
			}
		case *ast.RawHTML:
			if !entering {
				break
			}
			tag := node.Segments.Value(p.text)
			if bytes.HasPrefix(tag, []byte("<!--")) {
				comments = append(comments, node.Segments.Sliced(0, node.Segments.Len())...)
			}
			html.read(tag)
		default:
			if entering {
				nested++
			} else {
				nested--
			}
		}
		return ast.WalkContinue, nil
	})
	return shown, comments
}

// cutComments returns a line without the HTML comments in it, and the comments that come after it.
func cutComments(source []byte, line paragraphLine, comments []text.Segment) (words []byte, after []text.Segment) {
	from := line.start
	for len(comments) > 0 && comments[0].Start < line.stop {
		if comments[0].Start >= from {
			words = append(words, source[from:comments[0].Start]...)
			from = min(comments[0].Stop, line.stop)
		}
		comments = comments[1:]
	}
	return append(words, source[from:line.stop]...), comments
}

// maxNesting is how many quotes, lists and footnotes are opened inside each other. The markers of deeper ones
// are taken for text, which cannot make a line a top-level paragraph that was none.
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

// Transform implements parser.ParagraphTransformer.
func (withoutBombs) Transform(paragraph *ast.Paragraph, reader text.Reader, _ parser.Context) {
	definitions, columns := 0, 0
	lines := paragraph.Lines()
	for i := range lines.Len() {
		segment := lines.At(i)
		line := segment.Value(reader.Source())
		definitions += bytes.Count(line, []byte("]:"))
		if len(bytes.Trim(line, "|:- \t\n")) == 0 {
			columns = max(columns, bytes.Count(line, []byte("|"))+1)
		}
	}
	if definitions > maxDefinitions || columns*lines.Len() > maxCells {
		paragraph.Parent().RemoveChild(paragraph.Parent(), paragraph)
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
