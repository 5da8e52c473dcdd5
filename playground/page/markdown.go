package page

import (
	"bytes"
	"fmt"
	"html/template"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
)

// markdown renders what people write as GitHub renders issues and comments: GFM, with line breaks kept. HTML and
// HTML comments in it are left out, dangerous links are emptied, and an image is a link to it: the page loads nothing
// from elsewhere.
var markdown = goldmark.New(
	goldmark.WithExtensions(extension.GFM),
	goldmark.WithRendererOptions(
		html.WithHardWraps(),
		renderer.WithNodeRenderers(util.Prioritized(ownRendering{}, 100)),
	),
)

type ownRendering struct{}

// RegisterFuncs replaces the renderers that leave traces of HTML, and those that load.
func (ownRendering) RegisterFuncs(on renderer.NodeRendererFuncRegisterer) {
	on.Register(ast.KindImage, renderImage)
	on.Register(ast.KindRawHTML, leaveOut)
	on.Register(ast.KindHTMLBlock, leaveOut)
}

func leaveOut(util.BufWriter, []byte, ast.Node, bool) (ast.WalkStatus, error) {
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

// rendered is text as HTML that is safe to show.
func rendered(text string) (template.HTML, error) {
	var out bytes.Buffer
	if err := markdown.Convert([]byte(text), &out); err != nil {
		return "", fmt.Errorf("render Markdown: %w", err)
	}
	return template.HTML(out.String()), nil //nolint:gosec // goldmark has escaped it
}
