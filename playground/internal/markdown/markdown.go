// Package markdown renders what people write, as GitHub renders issues and comments.
package markdown

import (
	"bytes"
	"fmt"
	"regexp"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdown is GFM with line breaks kept. HTML and
// HTML comments in it are left out, but for what folds a part away; dangerous links are emptied, and an image is a link to it: the
// page loads nothing from elsewhere.
var markdown = goldmark.New(
	goldmark.WithExtensions(extension.GFM),
	goldmark.WithParserOptions(parser.WithASTTransformers(util.Prioritized(directions{}, 1000))),
	goldmark.WithRendererOptions(
		html.WithHardWraps(),
		renderer.WithNodeRenderers(util.Prioritized(ownRendering{}, 100)),
	),
)

// directions lets the browser find out in which direction a block is read, as GitHub does.
type directions struct{}

// Transform marks paragraphs, headings and lists.
func (directions) Transform(document *ast.Document, _ text.Reader, _ parser.Context) {
	_ = ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the walker returns no error
		switch n.Kind() {
		case ast.KindParagraph, ast.KindHeading, ast.KindList:
			if entering {
				n.SetAttributeString("dir", []byte("auto"))
			}
		}
		return ast.WalkContinue, nil
	})
}

type ownRendering struct{}

// RegisterFuncs replaces the renderers that leave traces of HTML, and the renderers that load.
func (ownRendering) RegisterFuncs(on renderer.NodeRendererFuncRegisterer) {
	on.Register(ast.KindImage, renderImage)
	on.Register(ast.KindRawHTML, leaveOut)
	on.Register(ast.KindHTMLBlock, renderFold)
}

func leaveOut(util.BufWriter, []byte, ast.Node, bool) (ast.WalkStatus, error) {
	return ast.WalkSkipChildren, nil
}

// Blocks of HTML that fold away what is between them. GitHub renders them in comments, and Colony writes them.
var (
	foldBegins = regexp.MustCompile(`^<details><summary>([^<>&]*)</summary>\s*$`)
	foldEnds   = regexp.MustCompile(`^</details>\s*$`)
)

// renderFold renders the beginning of a fold that ends in a sibling block, and its end, and leaves any other HTML out.
func renderFold(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	var began ast.Node
	for n := node.Parent().FirstChild(); n != nil && entering; n = n.NextSibling() {
		if n.Kind() != ast.KindHTMLBlock {
			continue
		}
		line := n.Lines().Value(source)
		switch {
		case began == nil && foldBegins.Match(line):
			began = n
		case began != nil && foldEnds.Match(line):
			if began == node {
				fmt.Fprintf(w, "<details><summary>%s</summary>\n", util.EscapeHTML(foldBegins.FindSubmatch(began.Lines().Value(source))[1]))
			}
			if n == node {
				_, _ = w.WriteString("</details>\n") // the error stays with the writer and is met at its end
			}
			began = nil
		}
	}
	return ast.WalkSkipChildren, nil
}

func renderImage(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	image := node.(*ast.Image) //nolint:forcetypeassert // registered for this kind alone
	switch {
	case html.IsDangerousURL(image.Destination):
	case entering:
		fmt.Fprintf(w, `<a class="image" href="%s">`, util.EscapeHTML(util.URLEscape(image.Destination, true)))
	default:
		_, _ = w.WriteString("</a>") // the error stays with the writer and is met at its end
	}
	return ast.WalkContinue, nil
}

// HTML renders a text as HTML that is safe to show. An error means that it could not be parsed.
func HTML(source string) (string, error) {
	var out bytes.Buffer
	if err := markdown.Convert([]byte(source), &out); err != nil {
		return "", fmt.Errorf("render Markdown: %w", err)
	}
	return out.String(), nil
}
