package lifecycle

import (
	"cmp"
	"reflect"
	"regexp"
	"slices"
	"strings"
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
	maxProblems = 50
	maxText     = 300
	maxGlyph    = 4 // code points: a sign can have a variation selector, or be two letters of a flag
)

var (
	slug     = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	hexColor = regexp.MustCompile(`^[0-9a-fA-F]{6}$`)
)

// Parse reads and checks a lifecycle file. The name is used in messages only. Every error is a *FileError that
// names line and column of everything that is wrong.
func Parse(file string, text []byte) (*Lifecycle, error) {
	c, err := check(file, text)
	if err != nil {
		return nil, err
	}
	return c.life, nil
}

// check reads and checks a lifecycle file, and keeps the positions in it.
func check(file string, text []byte) (*checker, error) {
	src, err := (&source{file: file}).bounded(text)
	if err != nil {
		return nil, err
	}
	c := &checker{source: src, life: &Lifecycle{
		byName:  map[string]*State{},
		byLabel: map[string]*State{},
		legal:   map[[2]string]*Pair{},
	}}
	if err := src.decode(&c.life.Document); err != nil {
		return nil, err
	}
	for _, checks := range [][]func(){ // each speaks of what the ones before found right
		{c.names, c.states},
		{c.pairs, c.roles, c.commands},
		{c.limits, c.timeOuts, c.triggers, c.guards, c.scales, c.priority, c.endings, c.force, c.intake},
		{c.unreasoned, c.recommended, c.reach},
	} {
		for _, check := range checks {
			check()
		}
		if len(c.problems) > 0 {
			return nil, &FileError{Problems: c.inOrder()}
		}
	}
	return c, nil
}

// checker turns a file into a lifecycle and collects what is wrong on the way.
type checker struct {
	*source
	life     *Lifecycle
	begins   string // the state in which issues begin, as the file names it
	problems []Problem
}

// inOrder returns the problems in the order of the file.
func (c *checker) inOrder() []Problem {
	slices.SortStableFunc(c.problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return c.problems
}

// hold checks some settings of the file, and all below them, by their tags.
func (c *checker) hold(keys ...string) {
	for field, value := range reflect.ValueOf(&c.life.Document).Elem().Fields() {
		if key := SettingOf(field); slices.Contains(keys, key) {
			c.at(key).check(value, field.Tag)
		}
	}
}

func (c *checker) names() {
	c.hold("name", "summary")
	if c.life.Summary == "" {
		c.at("summary").wrong("summary is missing: one sentence that says what the lifecycle is for")
	}
	if c.life.Prefix == DefaultLabelPrefix {
		c.life.Prefix = "" // it says nothing new
	}
	prefix := c.at("label-prefix")
	if n := utf8.RuneCountInString(c.life.Prefix); n > maxPrefix || strings.TrimLeft(c.life.Prefix, " ") != c.life.Prefix {
		prefix.wrong("label-prefix %q is not 1 to %d characters that begin with no blank", c.life.Prefix, maxPrefix)
	}
	prefix.plain(c.life.Prefix)
}
