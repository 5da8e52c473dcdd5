package commands

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"golang.org/x/net/html"
)

// noResponse is what GitHub writes for a field of an issue form that was left empty:
// https://docs.github.com/communities/using-templates-to-encourage-useful-issues-and-pull-requests/syntax-for-githubs-form-schema.
const noResponse = "_No response_"

// FilledIn reports whether a section of a GitHub-flavoured Markdown text says something: what is between a heading of that name, of any level, and
// the next heading that is not below it. Issue forms make such a section of each field. A section that is not there is not filled in. Nor is one that
// holds nothing that a page shows, no more than GitHub's "_No response_", or no more than boxes that no one ticked. Of several sections of that name
// one is enough.
//
// Case and marks of emphasis or code do not count in the name. A text longer than MaxBody has no sections. The work is bounded as that of
// Parse is; a paragraph beyond the bounds says something.
func FilledIn(markdown, section string) bool {
	return slices.ContainsFunc(sectionsOf(markdown, section), func(s sectionText) bool { return isAnswer(s.words(false)) })
}

// maxFiles is how many files FilesIn lists at most.
const maxFiles = 100

// fileName is a word that can be a path: with a slash or a dot in it. One that ends with a slash is a folder.
var fileName = regexp.MustCompile(`[^\s"'<>|(),;:*?]*[/.][^\s"'<>|(),;:*?]*`)

// FilesIn lists the files that sections of a text name, each once, in words or in code, with or without boxes. A text longer than MaxBody
// names none.
func FilesIn(markdown string, named ...string) []string {
	var files []string
	for _, section := range sectionsOf(markdown, named...) {
		for _, word := range fileName.FindAllString(section.words(true), -1) {
			if word = strings.TrimRight(strings.TrimPrefix(word, "./"), "."); strings.ContainsAny(word, "/.") && !slices.Contains(files, word) && len(files) < maxFiles {
				files = append(files, word)
			}
		}
	}
	return files
}

type sectionText struct {
	sections
	blocks []ast.Node
}

// words returns what a page shows of the section. Boxes says that an entry of a list counts without a tick as well.
func (s sectionText) words(boxes bool) string {
	s.boxes = boxes
	var words strings.Builder
	for _, block := range s.blocks {
		words.WriteString(s.sections.words(block) + "\n")
	}
	return words.String()
}

// sectionsOf returns the sections of a text that have one of some names.
func sectionsOf(markdown string, named ...string) (found []sectionText) {
	source := normalise(markdown)
	document, references := parseBlocks(source)
	s := sections{source: source, references: references}
	wanted := func(words string) bool {
		return slices.ContainsFunc(named, func(name string) bool { return heading(name) != "" && strings.EqualFold(heading(words), heading(name)) })
	}
	level := 0 // of the section's heading; 0: outside
	for block := document.FirstChild(); block != nil; block = block.NextSibling() {
		h, ok := block.(*ast.Heading)
		switch {
		case !ok && level > 0:
			last := &found[len(found)-1]
			last.blocks = append(last.blocks, block)
		case ok && (level == 0 || h.Level <= level): // a heading alone says nothing
			if level = 0; wanted(s.words(h)) {
				level = h.Level
				found = append(found, sectionText{sections: s})
			}
		}
	}
	return found
}

// isAnswer reports whether someone wrote the words of a section.
func isAnswer(words string) bool {
	words = strings.TrimSpace(words)
	return words != noResponse && !invisible(words)
}

var marksOfHeading = strings.NewReplacer("`", "", "*", "", "_", "")

// heading is a heading's text as sections are compared.
func heading(text string) string {
	return strings.Join(strings.Fields(marksOfHeading.Replace(text)), " ")
}

type sections struct {
	source     []byte
	references parser.Context
	boxes      bool // entries of a list count without a tick as well
}

// box begins an entry of a task list.
var box = regexp.MustCompile(`^\[([ xX])\][ \t]`)

// words returns what a page shows of a block.
func (s sections) words(block ast.Node) string {
	var words strings.Builder
	_ = ast.Walk(block, func(node ast.Node, entering bool) (ast.WalkStatus, error) { // the walker returns no error
		if !entering || node.Type() != ast.TypeBlock {
			return ast.WalkContinue, nil
		}
		switch node := node.(type) {
		case *ast.HTMLBlock:
			words.WriteString(shownHTML(htmlOf(node, s.source)) + "\n")
			return ast.WalkSkipChildren, nil
		case *ast.CodeBlock, *ast.FencedCodeBlock:
			words.Write(node.Lines().Value(s.source))
			return ast.WalkSkipChildren, nil
		}
		if node.Lines().Len() == 0 {
			return ast.WalkContinue, nil
		}
		own := newParagraph(node, s.source, nil).text
		if ticked := box.FindSubmatch(own); ticked != nil && node.Parent() != nil && node.Parent().Kind() == ast.KindListItem {
			if ticked[1][0] == ' ' && !s.boxes { // the form's words, not the writer's
				return ast.WalkSkipChildren, nil
			}
			own = own[len(ticked[0]):]
		}
		words.WriteString(s.inline(own) + "\n")
		return ast.WalkSkipChildren, nil
	})
	return words.String()
}

func (s sections) inline(own []byte) string {
	if isDear(own) {
		return string(own)
	}
	return inlineWords(own, s.references, func(node ast.Node) (string, bool) {
		switch node := node.(type) {
		case *ast.RawHTML:
			return shownHTML(node.Segments.Value(own)), true
		case *ast.Image:
			return image, true
		}
		return "", false
	})
}

// image replaces a picture, which says something without words.
const image = "(image)"

// shownHTML returns what a page shows of HTML: without comments and tags.
func shownHTML(source []byte) string {
	var words strings.Builder
	tokens := html.NewTokenizer(bytes.NewReader(source))
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			return words.String()
		case html.TextToken:
			words.Write(tokens.Text())
		case html.StartTagToken, html.SelfClosingTagToken:
			tokens.NextIsNotRawText()
			if name, _ := tokens.TagName(); string(name) == "img" || string(name) == "video" {
				words.WriteString(image)
			}
		case html.EndTagToken, html.CommentToken, html.DoctypeToken:
		}
	}
}
