package lifecycle

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// GitHub's limits on labels: https://docs.github.com/rest/issues/labels.
const (
	maxLabelDescription = 100
	maxLabelName        = 50
)

// DefaultLabelPrefix begins the labels of the scales of a lifecycle that names no other prefix, and Colony's marks in all of them.
const DefaultLabelPrefix = "colony:"

// maxPrefix leaves room for a state in GitHub's 50 characters of a label.
const maxPrefix = 20

// Bounds on what a file that a repository supplies can make Colony do: moves grow with the square of the states.
const (
	maxStates     = 200
	maxProblems   = 50
	maxRows       = 200
	maxText       = 300
	maxPreviously = 10
	maxGlyph      = 4 // code points: a sign may have a variation selector, or be two letters of a flag
)

var (
	slug     = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	hexColor = regexp.MustCompile(`^[0-9a-fA-F]{6}$`)
)

// Parse reads and checks a lifecycle file. The name is used in messages only. Every error is a *FileError that
// names line and column of everything that is wrong.
func Parse(file string, text []byte) (*Lifecycle, error) {
	src, err := readSource(file, text)
	if err != nil {
		return nil, err
	}
	var doc fileDocument
	if err := src.decode(&doc); err != nil {
		return nil, err
	}
	for i := range doc.States { // black is a number to the decoder, and 0
		doc.States[i].Color = src.written(doc.States[i].Color, "states", i, "color")
	}
	for i := range doc.Scales {
		doc.Scales[i].Color = src.written(doc.Scales[i].Color, "scales", i, "color")
	}
	c := &checker{source: src, life: &Lifecycle{
		byName:  map[string]*State{},
		byLabel: map[string]*State{},
		legal:   map[[2]string]*Pair{},
	}}
	c.names(doc)
	c.states(doc)
	if len(c.problems) == 0 { // what follows speaks of states
		c.pairs(doc)
		c.roles(doc)
		c.commands(doc)
	}
	if len(c.problems) == 0 { // what follows speaks of moves
		c.limits(doc)
		c.timeOuts(doc)
		c.triggers(doc)
		c.guards(doc)
		c.scales(doc)
		c.endings(doc)
		c.force(doc)
		c.intake(doc)
		c.breaker(doc)
	}
	if len(c.problems) == 0 {
		c.unreasoned(doc)
		c.recommended()
		c.reach()
	}
	if len(c.problems) > 0 {
		slices.SortStableFunc(c.problems, func(a, b Problem) int {
			return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
		})
		return nil, &FileError{Problems: c.problems}
	}
	return c.life, nil
}

// checker turns a file into a lifecycle and collects what is wrong on the way.
type checker struct {
	*source
	life     *Lifecycle
	problems []Problem
}

// wrong keeps a problem; people who have this many to mend do not miss more.
func (c *checker) wrong(path []any, format string, args ...any) {
	if len(c.problems) == maxProblems {
		return
	}
	line, column := c.find(path...)
	c.problems = append(c.problems, c.at(line, column, fmt.Sprintf(format, args...)))
}

func at(path ...any) []any { return path }

func (c *checker) names(doc fileDocument) {
	c.life.Name, c.life.Summary = doc.Name, doc.Summary
	c.life.Initial, c.life.BadRequest, c.life.Final = doc.Initial, doc.BadRequest, doc.Final
	c.slug(at("name"), "name", doc.Name)
	if doc.Summary == "" {
		c.wrong(at("summary"), "summary is missing: one sentence that says what the lifecycle is for")
	}
	c.plain(at("summary"), doc.Summary)
	if doc.LabelPrefix == DefaultLabelPrefix {
		return // it says nothing new
	}
	c.life.Prefix = doc.LabelPrefix
	if n := utf8.RuneCountInString(doc.LabelPrefix); n > maxPrefix || strings.TrimLeft(doc.LabelPrefix, " ") != doc.LabelPrefix {
		c.wrong(at("label-prefix"), "label-prefix %q is not 1 to %d characters that begin with no blank", doc.LabelPrefix, maxPrefix)
	}
	c.plain(at("label-prefix"), doc.LabelPrefix)
}

// plain insists on words that mean the same in a comment, in a table and in a diagram: a person who can edit a lifecycle file must
// not be able to mention people, or to write Colony's own markers, in Colony's name.
func (c *checker) plain(path []any, text string) {
	switch {
	case utf8.RuneCountInString(text) > maxText:
		c.wrong(path, "the text has %d characters, more than %d", utf8.RuneCountInString(text), maxText)
	case strings.ContainsAny(text, unplain) || strings.ContainsFunc(text, unicode.IsControl) || strings.Contains(text, "://"):
		c.wrong(path, "the text is not plain: it may not hold line breaks, addresses, quotation marks or any of < > | ` @ [ ] \\ * _ # ~")
	}
}

// unplain are the characters that Markdown, GitHub or Mermaid may take for their own.
const unplain = "<>|`@[]\\*_#~\""

func (c *checker) slug(path []any, what, value string) {
	switch {
	case value == "":
		c.wrong(path, "%s is missing", what)
	case !slug.MatchString(value) || len(value) > maxSlug:
		c.wrong(path, "%s %q is not kebab-case of 1 to %d characters", what, value, maxSlug)
	}
}
