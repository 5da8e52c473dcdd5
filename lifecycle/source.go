package lifecycle

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"sort"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// MaxFile is the most bytes of a lifecycle, of the settings of a repository and of the configuration of a server.
const MaxFile = 64 << 10

// More bounds on these files: a repository supplies some of them.
const (
	maxFileDepth = 12
	maxFileNodes = 20_000
	maxExcerpt   = 200 // bytes of a line that a problem shows
)

// source is the text of a lifecycle file with the position of everything in it.
type source struct {
	file  string
	lines []string
	root  *yaml.Node
	own   bool // the reader's own file: it can be empty, and have anchors and tags
}

// byteOrderMark begins the files of some editors, and belongs to no line.
const byteOrderMark = "\ufeff"

// lineEnds makes one of the three line ends of YAML (https://yaml.org/spec/1.2.2/#54-line-break-characters).
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// bounded takes a text in which no decoder finds too much.
func (s *source) bounded(text []byte) (*source, error) {
	if len(text) > MaxFile {
		return nil, s.problem(1, 1, fmt.Sprintf("the file has %d bytes, more than %d", len(text), MaxFile))
	}
	s.lines = strings.Split(lineEnds.Replace(strings.TrimPrefix(string(text), byteOrderMark)), "\n")
	for i, line := range s.lines {
		if !utf8.ValidString(line) {
			return nil, s.problem(i+1, 1, "this is not UTF-8 text")
		}
	}
	document, err := s.onlyDocument()
	if err != nil {
		return nil, err
	}
	s.root = document
	if n, why := s.tooMuch(s.root, 1, &amount{}); n != nil {
		return nil, s.problem(n.Line, n.Column, why)
	}
	return s, nil
}

// onlyDocument parses the file, and insists on one document.
func (s *source) onlyDocument() (*yaml.Node, error) {
	document, second, err := documentsIn(strings.Join(s.lines, "\n"))
	switch {
	case err != nil:
		return nil, s.unreadable(err)
	case s.own && (len(document.Content) == 0 || document.Content[0].ShortTag() == "!!null"):
		return &yaml.Node{Kind: yaml.MappingNode, Line: 1, Column: 1}, nil
	case len(document.Content) == 0:
		return nil, s.problem(1, 1, "the file is empty")
	case len(document.Content) != 1 || document.Content[0].Kind != yaml.MappingNode:
		return nil, s.problem(1, 1, "the file is not a mapping of settings")
	case second.Kind != 0:
		return nil, s.problem(second.Line, second.Column, "a second document begins here: a lifecycle file is one")
	}
	return document.Content[0], nil
}

// documentsIn parses the first two documents of a text; documents that are not there are empty.
func documentsIn(text string) (first, second yaml.Node, err error) {
	documents := yaml.NewDecoder(strings.NewReader(text))
	for _, document := range []*yaml.Node{&first, &second} {
		if err := documents.Decode(document); err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return first, second, err
		}
	}
	return first, second, nil
}

// unreadable places what the decoder says about its position only in words, and often far before it: where the list or the mapping
// begins that is broken. It is on the line without which the file is not wrong in this way.
func (s *source) unreadable(err error) error {
	line := 1 + sort.Search(len(s.lines)-1, func(i int) bool {
		_, _, before := documentsIn(strings.Join(s.lines[:i+1], "\n"))
		return before != nil && before.Error() == err.Error()
	})
	indent := len(s.lines[line-1]) - len(strings.TrimLeft(s.lines[line-1], " "))
	return s.problem(line, indent+1, yamlLine.ReplaceAllString(strings.TrimPrefix(err.Error(), "yaml: "), ""))
}

// amount is how much a file holds, with what its aliases repeat.
type amount struct{ nodes, text int }

// tooMuch returns the first node that is nested too deep, too many, or an alias (which can make a small file large).
func (s *source) tooMuch(n *yaml.Node, depth int, seen *amount) (*yaml.Node, string) {
	seen.nodes++
	switch {
	case n.Kind == yaml.AliasNode && s.own:
		return s.tooMuch(n.Alias, depth+1, seen)
	case n.Anchor != "" && !s.own || n.Kind == yaml.AliasNode:
		return n, "anchors and aliases are not supported"
	case n.Style&yaml.TaggedStyle != 0 && !s.own:
		return n, "tags are not supported"
	case depth > maxFileDepth:
		return n, fmt.Sprintf("nested more than %d levels deep", maxFileDepth)
	case seen.nodes > maxFileNodes:
		return n, fmt.Sprintf("more than %d values", maxFileNodes)
	}
	if seen.text += len(n.Value); seen.text > MaxFile {
		return n, fmt.Sprintf("more than %d bytes of text, aliases included", MaxFile)
	}
	for _, child := range n.Content {
		if bad, why := s.tooMuch(child, depth+1, seen); bad != nil {
			return bad, why
		}
	}
	return nil, ""
}

func (s *source) problem(line, column int, message string) *FileError {
	return &FileError{Problems: []Problem{s.at(line, column, message)}}
}

// at makes a problem. What is beyond the end of the file, or of a line, is at that end.
func (s *source) at(line, column int, message string) Problem {
	p := Problem{File: s.file, Line: max(line, 1), Column: max(column, 1), Message: message}
	if len(s.lines) == 0 { // the file was too large to be split
		return p
	}
	p.Line = min(p.Line, len(s.lines))
	written := s.lines[p.Line-1]
	p.Column = min(p.Column, utf8.RuneCountInString(written)+1)
	if len(written) <= maxExcerpt {
		p.Excerpt = strings.ToValidUTF8(written, "?")
	}
	return p
}

func child(n *yaml.Node, step any) *yaml.Node {
	switch step := step.(type) {
	case string:
		for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == step {
				return n.Content[i+1]
			}
		}
	case int:
		if n.Kind == yaml.SequenceNode && step < len(n.Content) {
			return n.Content[step]
		}
	}
	return nil
}

// yamlLine is how the decoder tells a line.
var yamlLine = regexp.MustCompile(`^(?:yaml: )?line \d+: `)
