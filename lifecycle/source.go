package lifecycle

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/token"
	yamlguard "go.yaml.in/yaml/v3"
)

// MaxFile is the most bytes of a lifecycle, of the settings of a repository and of the configuration of a server.
const MaxFile = 64 << 10

// More bounds on these files: a repository supplies some of them, and the strict decoder is super-linear on nesting.
const (
	maxFileDepth = 12
	maxFileNodes = 20_000
	maxExcerpt   = 200 // bytes of a line that a problem shows
)

// source is the text of a lifecycle file with the position of everything in it.
type source struct {
	file  string
	text  []byte
	lines []string
	root  *yamlguard.Node
	own   bool // the reader's own file: it can be empty, and have anchors and tags
}

// byteOrderMark begins the files of some editors, and belongs to no line.
const byteOrderMark = "\ufeff"

// lineEnds makes one of the three line ends of YAML (https://yaml.org/spec/1.2.2/#54-line-break-characters), as the two decoders
// count the other two differently.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// readSource bounds a file and finds the positions in it.
func readSource(file string, text []byte) (*source, error) {
	return (&source{file: file}).bounded(text)
}

// bounded takes a text in which no decoder finds too much.
func (s *source) bounded(text []byte) (*source, error) {
	if len(text) > MaxFile {
		return nil, s.problem(1, 1, fmt.Sprintf("the file has %d bytes, more than %d", len(text), MaxFile))
	}
	s.text = []byte(lineEnds.Replace(string(bytes.TrimPrefix(text, []byte(byteOrderMark)))))
	s.lines = strings.Split(string(s.text), "\n")
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

// onlyDocument parses the file with the decoder whose cost is bounded. It insists on one document: the strict decoder
// reads all of them before it looks at the first, so that a second one would escape the bounds.
func (s *source) onlyDocument() (*yamlguard.Node, error) {
	document, second, err := documentsIn(string(s.text))
	switch {
	case err != nil:
		return nil, s.unreadable(err)
	case len(document.Content) == 0 && s.own:
		return &yamlguard.Node{Kind: yamlguard.MappingNode, Line: 1, Column: 1}, nil
	case len(document.Content) == 0:
		return nil, s.problem(1, 1, "the file is empty")
	case s.own && second.Kind == 0: // the strict decoder says what is no mapping
		return document.Content[0], nil
	case len(document.Content) != 1 || document.Content[0].Kind != yamlguard.MappingNode:
		return nil, s.problem(1, 1, "the file is not a mapping of settings")
	case second.Kind != 0:
		return nil, s.problem(second.Line, second.Column, "a second document begins here: a lifecycle file is one")
	}
	return document.Content[0], nil
}

// documentsIn parses the first two documents of a text; those that are not there are empty.
func documentsIn(text string) (first, second yamlguard.Node, err error) {
	documents := yamlguard.NewDecoder(strings.NewReader(text))
	for _, document := range []*yamlguard.Node{&first, &second} {
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
func (s *source) tooMuch(n *yamlguard.Node, depth int, seen *amount) (*yamlguard.Node, string) {
	seen.nodes++
	switch {
	case n.Kind == yamlguard.AliasNode && s.own:
		return s.tooMuch(n.Alias, depth+1, seen)
	case n.Anchor != "" && !s.own || n.Kind == yamlguard.AliasNode:
		return n, "anchors and aliases are not supported"
	case n.Style&yamlguard.TaggedStyle != 0 && !s.own:
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

// decode reads the bounded text strictly: unknown and repeated settings are errors. The strict decoder itself takes any setting whose name is
// a number, null or another value that is no text, and then loses what follows it.
func (s *source) decode(into any) (err error) {
	defer func() { // the decoder panics on some of what is no lifecycle file, and a file must not end the process
		if recover() != nil {
			err = s.problem(1, 1, "the file cannot be read: something in it is not what a lifecycle file holds")
		}
	}()
	if err = yaml.UnmarshalWithOptions(s.text, into, yaml.Strict()); err != nil {
		return &FileError{Problems: s.explain(err, into)}
	}
	if all := s.unknown(into); len(all) > 0 {
		return &FileError{Problems: all}
	}
	return nil
}

// explain places what the strict decoder said.
func (s *source) explain(err error, into any) []Problem {
	if _, unknown := errors.AsType[*yaml.UnknownFieldError](err); unknown { // the decoder tells any one of several
		if all := s.unknown(into); len(all) > 0 {
			return all
		}
	}
	var positioned yaml.Error
	if errors.As(err, &positioned) && positioned.GetToken() != nil {
		line, column := s.place(positioned.GetToken())
		return []Problem{s.at(line, column, plainly(positioned))}
	}
	return []Problem{s.at(1, 1, err.Error())}
}

// place returns where the strict decoder's token is. That decoder miscounts, and even loses letters, behind a tab. There the value
// that the other decoder found on the same line counts, the nearest one of several.
func (s *source) place(t *token.Token) (line, column int) {
	line, column = t.Position.Line, t.Position.Column
	value := strings.TrimSpace(t.Value)
	if value == "" || s.root == nil || line < 1 || line > len(s.lines) || !strings.Contains(s.lines[line-1], "\t") {
		return line, column
	}
	distance := func(n *yamlguard.Node) int { return max(n.Column-column, column-n.Column) }
	var nearest *yamlguard.Node
	s.scalars(s.root, func(n *yamlguard.Node) {
		if n.Line == line && strings.HasSuffix(n.Value, value) && (nearest == nil || distance(n) < distance(nearest)) {
			nearest = n
		}
	})
	if nearest != nil {
		column = nearest.Column
	}
	return line, column
}

func (s *source) scalars(n *yamlguard.Node, visit func(*yamlguard.Node)) {
	if n.Kind == yamlguard.ScalarNode {
		visit(n)
	}
	for _, child := range n.Content {
		s.scalars(child, visit)
	}
}

// plainly says what is wrong without the names of Go types.
func plainly(err yaml.Error) string {
	var wrongType *yaml.TypeError
	if !errors.As(err, &wrongType) {
		return err.GetMessage()
	}
	switch wrongType.DstType.Kind() {
	case reflect.Slice:
		return "a list is expected here"
	case reflect.Struct, reflect.Map:
		return "a mapping is expected here"
	case reflect.Int, reflect.Int64:
		return "a number is expected here"
	case reflect.Bool:
		return "true or false is expected here"
	}
	return "a single value is expected here"
}

func (s *source) problem(line, column int, message string) *FileError {
	return &FileError{Problems: []Problem{s.at(line, column, message)}}
}

// at makes a problem. What a decoder reports beyond the end of the file, or of a line, is at that end.
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

// find returns the position of the value at a path of keys and indexes, or of its nearest existing parent.
func (s *source) find(path ...any) (line, column int) {
	n := s.root
	if n == nil {
		return 1, 1
	}
	for _, step := range path {
		next := child(n, step)
		if next == nil {
			break
		}
		n = next
	}
	return n.Line, n.Column
}

func child(n *yamlguard.Node, step any) *yamlguard.Node {
	switch step := step.(type) {
	case string:
		for i := 0; n.Kind == yamlguard.MappingNode && i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == step {
				return n.Content[i+1]
			}
		}
	case int:
		if n.Kind == yamlguard.SequenceNode && step < len(n.Content) {
			return n.Content[step]
		}
	}
	return nil
}

// yamlLine is how the decoder tells a line.
var yamlLine = regexp.MustCompile(`^(?:yaml: )?line \d+: `)
