package commands

import (
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"golang.org/x/net/html"

	"github.com/colony-app/colony/commands/wording"
)

// invisible reports whether nothing of a text would be seen, as of zero-width characters.
func invisible(text string) bool { return wording.Inline(text) == "" }

// unwritten reports whether a reason has no words that a page shows. Tags do not count, and of links and pictures only the words do.
func unwritten(reason string) bool {
	if own := []byte(reason); !isDear(own) {
		reason = inlineWords(own, parser.NewContext(), func(node ast.Node) (string, bool) { return "", node.Kind() == ast.KindRawHTML })
	}
	return invisible(strings.Map(func(r rune) rune {
		if isBlank(r) {
			return -1
		}
		return r
	}, html.UnescapeString(reason)))
}

// isBlank reports whether a letter shows nothing and wording.Inline keeps it.
func isBlank(r rune) bool {
	const emptyBraille = '\u2800'
	return r == emptyBraille || unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}
