package commands

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// prose returns the words of a GitHub-flavoured Markdown text in which references are looked for: without code, HTML blocks,
// HTML comments, and the texts and addresses of links and images. The lines of quotes begin with ">". What is left out leaves a
// bar behind, so that what was parted by it stays apart. It is empty for a text longer than MaxBody, and has no words of a paragraph with
// more than maxMarkup signs.
func prose(markdown string) string {
	source := normalise(markdown)
	document, references := parseBlocks(source)
	var words strings.Builder
	quotes := 0
	_ = ast.Walk(document, func(node ast.Node, entering bool) (ast.WalkStatus, error) { // the walker returns no error
		switch node := node.(type) {
		case *ast.Blockquote:
			if entering {
				quotes++
			} else {
				quotes--
			}
		case *ast.CodeBlock, *ast.FencedCodeBlock, *ast.HTMLBlock:
			return ast.WalkSkipChildren, nil
		default:
			if entering && node.Type() == ast.TypeBlock && node.Lines().Len() > 0 {
				for line := range strings.Lines(proseOf(node, source, references)) {
					if quotes > 0 {
						words.WriteString("> ")
					}
					words.WriteString(strings.TrimSuffix(line, "\n") + "\n")
				}
				words.WriteString("\n")
				return ast.WalkSkipChildren, nil
			}
		}
		return ast.WalkContinue, nil
	})
	return words.String()
}

var codeTags = set("code pre samp kbd tt")

// proseOf returns the words of one block.
func proseOf(block ast.Node, source []byte, references parser.Context) string {
	own := newParagraph(block, source, nil).text
	if isDear(own) {
		return ""
	}
	code := 0
	return inlineWords(own, references, func(node ast.Node) (string, bool) {
		switch node := node.(type) {
		case *ast.CodeSpan, *ast.Link, *ast.Image:
			return " | ", true
		case *ast.RawHTML:
			code = max(0, code+codeDepth(node.Segments.Value(own)))
			return " | ", true
		}
		return "", code > 0
	})
}

// inlineWords returns the words of a paragraph. Where instead returns true for a part of it, its text replaces that part.
func inlineWords(own []byte, references parser.Context, instead func(ast.Node) (string, bool)) string {
	markup := inlines.Parse(text.NewReader(own), parser.WithContext(inlineContext{parser.NewContext(), references}))
	var words strings.Builder
	_ = ast.Walk(markup, func(node ast.Node, entering bool) (ast.WalkStatus, error) { // the walker returns no error
		if !entering || node.Type() != ast.TypeInline {
			return ast.WalkContinue, nil
		}
		if other, ok := instead(node); ok {
			words.WriteString(other)
			return ast.WalkSkipChildren, nil
		}
		switch node := node.(type) {
		case *ast.AutoLink:
			words.Write(node.URL(own))
		case *ast.Text:
			words.Write(node.Segment.Value(own))
			if node.SoftLineBreak() || node.HardLineBreak() {
				words.WriteByte('\n')
			}
		}
		return ast.WalkContinue, nil
	})
	return words.String()
}

// codeDepth is by how many elements of code a piece of HTML leads deeper.
func codeDepth(raw []byte) int {
	found := tag.FindSubmatch(raw)
	switch {
	case found == nil || bytes.HasSuffix(raw, []byte("/>")):
		return 0
	case codeTags[strings.ToLower(string(found[2]))]:
		return 1
	case codeTags[strings.ToLower(strings.TrimPrefix(string(found[1]), "/"))]:
		return -1
	}
	return 0
}
