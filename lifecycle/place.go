package lifecycle

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// place is a setting of the file that is checked, or the nearest thing above one that is not there.
type place struct {
	*checker
	node *yaml.Node
	path string // the names on the way to it, with dots
	gone bool   // it is not there: node is what is above it
}

// at returns the place of a setting of the file: what is below it by names and indexes.
func (c *checker) at(steps ...any) place { return place{checker: c, node: c.root}.in(steps...) }

// in returns a place below another one. That of a value of a list that is written as a single word is the word's.
func (p place) in(steps ...any) place {
	for _, step := range steps {
		if name, ok := step.(string); ok {
			p.path = strings.TrimPrefix(p.path+"."+name, ".")
		}
		next := child(p.node, step)
		if p.gone = p.gone || next == nil; !p.gone {
			p.node = next
		}
	}
	return p
}

func (p place) wrong(format string, args ...any) { p.say(Error, format, args...) }

// say keeps a problem with the place; people who have this many to fix do not miss more.
func (p place) say(severity Severity, format string, args ...any) {
	if len(p.problems) < maxProblems {
		problem := p.source.at(p.node.Line, p.node.Column, fmt.Sprintf(format, args...))
		problem.Severity = severity
		p.problems = append(p.problems, problem)
	}
}

// names reports whether a word is written at the place, alone or in a list.
func (p place) names(word string) bool {
	return !p.gone && (p.node.Value == word || slices.ContainsFunc(p.node.Content, func(n *yaml.Node) bool { return n.Value == word }))
}

func (p place) key() string { return p.path[strings.LastIndex(p.path, ".")+1:] }

// check holds a value of the file, and all below it, to the tags of its setting. A list without values becomes nil; a list of states is left
// with what is right in it, and a list of rows that is too long with none, but neither becomes nil.
func (p place) check(v reflect.Value, tag reflect.StructTag) {
	switch value := v.Addr().Interface().(type) {
	case *Duration:
		if *value != 0 || strings.HasSuffix(tag.Get("is"), "needed") {
			p.duration(*value)
		}
		return
	case *Condition:
		p.condition(*value)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			p.check(v.Elem(), tag)
		}
	case reflect.Struct:
		p.row(v, nil)
	case reflect.Slice:
		p.list(v, tag)
	case reflect.String:
		p.word(v, tag)
	default: // the tags say nothing of numbers, truths and maps
	}
}

// row checks the settings of a row, and returns its name. No earlier row can have that name.
func (p place) row(row reflect.Value, earlier []string) (name string) {
	for field, value := range row.Fields() {
		here := p
		if !field.Anonymous {
			here = p.in(SettingOf(field))
		}
		if missing := field.Tag.Get("missing"); missing != "" && value.IsZero() {
			p.wrong("%s", strings.ReplaceAll(missing, "%q", strconv.Quote(name)))
		}
		if value.CanSet() {
			here.check(value, field.Tag)
		}
		if twice := field.Tag.Get("twice"); twice != "" {
			if name = value.String(); slices.Contains(earlier, name) {
				here.wrong(twice, name)
			}
		}
	}
	return name
}

func (p place) list(list reflect.Value, tag reflect.StructTag) {
	of := list.Type().Elem().Kind()
	var most int
	var what string
	if n, _ := fmt.Sscan(tag.Get("most"), &most, &what); n > 0 && list.Len() > most {
		p.wrong("%d %s, more than %d", list.Len(), what, most)
		if of != reflect.String {
			list.Set(reflect.MakeSlice(list.Type(), 0, 0))
		}
	} else if list.Len() == 0 {
		list.SetZero()
	}
	if strings.HasPrefix(tag.Get("is"), "states") {
		words, _ := reflect.TypeAssert[[]string](list.Convert(reflect.TypeFor[[]string]()))
		list.Set(reflect.ValueOf(p.states(cmp.Or(tag.Get("as"), p.key()), words)).Convert(list.Type()))
	}
	var names []string
	for i := range list.Len() {
		switch item := list.Index(i); {
		case item.Type() == reflect.TypeFor[Condition]():
			p.in(i).check(item, "")
		case of == reflect.Struct:
			names = append(names, p.in(i).row(item, names))
		}
	}
}

// states returns the states of a list, each once, and complains of the others.
func (p place) states(what string, words []string) []string {
	if len(words) == 0 {
		return nil
	}
	states := []string{}
	for i, word := range words {
		switch here := p.in(i); {
		case !here.known(what, word):
		case slices.Contains(states, word):
			here.wrong("%s names %q twice", what, word)
		default:
			states = append(states, word)
		}
	}
	return states
}

// known reports whether a word is a state, and complains if it is not.
func (p place) known(what, state string) bool {
	if p.life.byName[state] != nil {
		return true
	}
	p.wrong("%s names %q, which is no state of this lifecycle", what, state)
	return false
}

// word checks a text by what it is.
func (p place) word(v reflect.Value, tag reflect.StructTag) {
	text := v.String()
	switch is := tag.Get("is"); strings.TrimSuffix(is, ",needed") {
	case "slug":
		p.slug(text)
	case "plain":
		p.plain(text)
	case "fact":
		p.fact(Fact(text))
	case "link":
		if text != "" && (!plainLink.MatchString(text) || len(text) > maxLink) {
			p.wrong("link %q is not a plain https address of at most %d characters", text, maxLink)
		}
	case "word":
		if (text != "" || is != "word") && !isWord(p.path, text) {
			p.wrong(cmp.Or(tag.Get("as"), p.key()+" %q")+" is not %s", text, wordsOf(p.path))
		}
	}
}

// fact reports whether a word is a fact, and complains if it is not.
func (p place) fact(f Fact) bool {
	_, known := SpecOf(f)
	if !known {
		p.wrong("%q is no fact that Colony knows; there are: %s", f, strings.Join(factNames(), ", "))
	}
	return known
}

// isWord reports whether a word is one that a setting can be.
func isWord[T ~string](path string, word T) bool {
	return slices.ContainsFunc(vocabulary[path], func(w Word) bool { return w.Word == string(word) })
}

func wordsOf(path string) string {
	var words []string
	for _, w := range vocabulary[path] {
		words = append(words, w.Word)
	}
	if len(words) > 2 {
		return "one of " + strings.Join(words, ", ")
	}
	return strings.Join(words, " or ")
}

func (p place) slug(value string) {
	switch {
	case value == "":
		p.wrong("%s is missing", p.key())
	case !slug.MatchString(value) || len(value) > maxSlug:
		p.wrong("%s %q is not kebab-case of 1 to %d characters", p.key(), value, maxSlug)
	}
}

// plain insists on words that mean the same in a comment, in a table and in a diagram: a person who can edit a lifecycle file must
// not be able to mention people, or to write Colony's own markers, in Colony's name.
func (p place) plain(text string) {
	switch {
	case utf8.RuneCountInString(text) > maxText:
		p.wrong("the text has %d characters, more than %d", utf8.RuneCountInString(text), maxText)
	case strings.ContainsAny(text, unplain) || strings.ContainsFunc(text, unicode.IsControl) || strings.Contains(text, "://"):
		p.wrong("the text is not plain: it may not hold line breaks, addresses, quotation marks or any of < > | ` @ [ ] \\ * _ # ~")
	}
}

// unplain are the characters that Markdown, GitHub or Mermaid might read as their own.
const unplain = "<>|`@[]\\*_#~\""

func (p place) duration(d Duration) {
	if d >= Duration(minTimeOut) && d <= Duration(maxTimeOut) {
		return
	}
	text := ""
	if d != 0 && !p.gone && p.node.Kind == yaml.ScalarNode {
		text = p.node.Value
	}
	p.wrong("%q is not a duration from %s to %s, written like 30m or 72h", text, Span(minTimeOut), Span(maxTimeOut))
}
