package commands

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// setApart are the elements whose content is folded, quoted, struck, listed, linked or otherwise shown apart from the text that its
// writer says in person, or not shown at all.
var setApart = set("details blockquote ul ol dl menu dir pre listing table fieldset button dialog h1 h2 h3 h4 h5 h6 object applet marquee " +
	"code tt s strike a q samp kbd del rp rt video audio canvas noscript")

// blockTags are the elements that are shown like the text around them, but make HTML ignore some end tags before their own.
var blockTags = set("address article aside center div figcaption figure footer form header hgroup main nav p search section summary")

// strange are the elements with which HTML's parser changes its rules: browsers and sanitizers differ in what they make of them.
var strange = set("html head body frameset frame svg math select option optgroup template base link meta image isindex keygen")

// parts belong into one of the wholes, and mean something only there.
var (
	parts  = set("li dd dt tr td th caption col colgroup tbody thead tfoot")
	wholes = set("ul ol dl menu dir table")
)

func set(names string) map[string]bool {
	all := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		all[name] = true
	}
	return all
}

// openElements follows raw HTML through a document. Markdown ends a paragraph, a list item or a quote no matter which HTML was left open in it.
// Browsers and sanitizers differ in how far such an element then reaches; the same holds for tags that cross, and for what is no complete tag. From
// there on everything is uncertain.
type openElements struct {
	stack     []string // the elements of setApart and blockTags that are open
	floor     int      // how many of them were open when the present block began; only the others can be closed in it
	uncertain bool
}

// hiding reports whether an element is open that shows its content apart.
func (o *openElements) hiding() bool { return slices.ContainsFunc(o.stack, isApart) }

func isApart(name string) bool { return setApart[name] }

// within reads a block of Markdown's that is not HTML: what is opened in it has to be closed in it.
func (o *openElements) within(read func()) {
	outer := o.floor
	o.floor = len(o.stack)
	read()
	o.uncertain = o.uncertain || slices.ContainsFunc(o.stack[o.floor:], isApart)
	o.floor = outer
}

// tag is a start or end tag: https://spec.commonmark.org/0.31.2/#raw-html. Readers differ in where other tags end.
var tag = regexp.MustCompile("^<(?:(/[A-Za-z][A-Za-z0-9-]*)|([A-Za-z][A-Za-z0-9-]*)" +
	"(?:[ \\t\\n]+[A-Za-z_:][A-Za-z0-9_.:-]*(?:[ \\t\\n]*=[ \\t\\n]*(?:[^\\s\"'=<>`]+|'[^']*'|\"[^\"]*\"))?)*[ \\t\\n]*/?)[ \\t\\n]*>")

// read follows the HTML of an HTML block.
func (o *openElements) read(raw []byte) {
	for !o.uncertain {
		at := bytes.IndexByte(raw, '<')
		if at < 0 {
			return
		}
		raw = raw[at:]
		end := 1
		switch {
		case bytes.HasPrefix(raw, []byte("<!--")):
			end = bytes.Index(raw, []byte("-->")) + len("-->")
			o.uncertain = !plainComment(raw[:end])
		case len(raw) > 1 && (raw[1] == '!' || raw[1] == '?' || raw[1] == '/' || isLetter(raw[1])):
			found := tag.FindSubmatch(raw)
			if found == nil {
				o.uncertain = true
				return
			}
			end = len(found[0])
			o.take(strings.ToLower(string(found[1]) + string(found[2])))
		}
		raw = raw[end:]
	}
}

// plainComment reports whether everybody takes a comment for one, and for the same one.
func plainComment(comment []byte) bool {
	return len(comment) >= len("<!---->") && !bytes.HasPrefix(comment, []byte("<!-->")) && !bytes.HasPrefix(comment, []byte("<!--->")) &&
		!bytes.Contains(comment, []byte("--!>"))
}

// readInline follows one piece of HTML within a paragraph, as Markdown cut it out.
func (o *openElements) readInline(raw []byte) {
	if !bytes.HasPrefix(raw, []byte("<!--")) {
		o.read(raw)
	} else if !plainInline(raw) {
		o.uncertain = true
	}
}

// plainInline is plainComment within a paragraph: older versions of CommonMark, GitHub's among them, take a comment with two hyphens
// in it for text.
func plainInline(comment []byte) bool {
	inner := bytes.TrimSuffix(bytes.TrimPrefix(comment, []byte("<!--")), []byte("-->"))
	return plainComment(comment) && !bytes.Contains(inner, []byte("--")) && !bytes.HasSuffix(inner, []byte("-"))
}

func isLetter(c byte) bool { return 'a' <= c|' ' && c|' ' <= 'z' }

// take follows a tag, by its name with the slash of an end tag. An end tag closes only the innermost element, in the block where that
// was opened.
func (o *openElements) take(tag string) {
	name, end := strings.CutPrefix(tag, "/")
	last := len(o.stack) - 1
	switch {
	case strange[name], parts[name] && (last < 0 || !wholes[o.stack[last]]):
		o.uncertain = true
	case !setApart[name] && !blockTags[name]:
	case !end:
		o.stack = append(o.stack, name)
	case last >= o.floor && o.stack[last] == name:
		o.stack = o.stack[:last]
	case slices.Contains(o.stack, name):
		o.uncertain = true
	}
}
