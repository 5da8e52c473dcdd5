package commands

import (
	"bytes"
	"regexp"
	"strings"
)

// setApart are the elements whose content is folded, quoted, struck, listed, linked or otherwise shown apart from the text that its
// writer says in person, or not shown at all. The value says what an end tag closes.
var setApart = map[string]closingTag{
	"details": byScope, "blockquote": byScope, "ul": byScope, "ol": byScope, "dl": byScope, "menu": byScope, "dir": byScope,
	"pre": byScope, "listing": byScope, "table": byScope, "fieldset": byScope, "button": byScope, "dialog": byScope,
	"h1": byScope, "h2": byScope, "h3": byScope, "h4": byScope, "h5": byScope, "h6": byScope,
	"object": byScope, "applet": byScope, "marquee": byScope,
	"code": byScope, "tt": byScope, "s": byScope, "strike": byScope, "a": byScope,
	"q": unlessBlock, "samp": unlessBlock, "kbd": unlessBlock, "del": unlessBlock, "rp": unlessBlock, "rt": unlessBlock,
	"video": unlessBlock, "audio": unlessBlock, "canvas": unlessBlock, "noscript": unlessBlock,
}

// closingTag is what HTML does with the end tag of an element.
type closingTag int

const (
	byScope     closingTag = iota // it closes the element, and what was left open in it
	unlessBlock                   // it does nothing where a block was left open in the element
)

// blockTags are the elements that are shown like the text around them, and inside which an end tag of unlessBlock does nothing.
var blockTags = set("address article aside center div figcaption figure footer form header hgroup main nav p search section summary")

// strange are the elements with which HTML's parser changes its rules, and those that mean something only within another one:
// browsers and sanitizers differ in what they make of them.
var strange = set("html head body frameset frame svg math select option optgroup template base link meta image isindex keygen")

// parts belong into a list or a table.
var parts = set("li dd dt tr td th caption col colgroup tbody thead tfoot")

// wholes are what they belong into.
var wholes = set("ul ol dl menu dir table")

// filtered are the tags that GitHub shows as text: https://github.github.com/gfm/#disallowed-raw-html-extension-.
var filtered = set("title textarea style xmp iframe noembed noframes script plaintext")

func set(names string) map[string]bool {
	all := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		all[name] = true
	}
	return all
}

// openElements follows raw HTML through a document and knows which of the setApart elements are open. Markdown ends a paragraph, a
// list item or a quote whatever HTML was left open in it, and browsers and sanitizers differ in how far such an element then
// reaches; the same holds for tags that cross, and for what is no complete tag. From there on everything is in doubt.
type openElements struct {
	stack []openElement
	count map[string]int // of each element in the stack
	// floor is how many of them were open when the present block began. Only the others can be closed in it.
	floor  int
	blocks int // how many blockTags came
	doubt  bool
}

type openElement struct {
	name   string
	blocks int
}

func (o *openElements) hiding() bool { return len(o.stack) > 0 }

// inWhole reports whether the innermost element is one that has parts.
func (o *openElements) inWhole() bool {
	return o.hiding() && wholes[o.stack[len(o.stack)-1].name]
}

// within reads a block of Markdown's that is no HTML: what is opened in it has to be closed in it.
func (o *openElements) within(read func()) {
	outer := o.floor
	o.floor = len(o.stack)
	read()
	if len(o.stack) > o.floor {
		o.doubt = true
	}
	o.floor = outer
}

// tag is a start or end tag. Where no quotation mark is missing, everybody sees its end at the same place.
var tag = regexp.MustCompile("^<(/?)([A-Za-z][^\\s/>\"'<=`]*)((?:[\\s/]+|[^\\s\"'<>=/]+(?:\\s*=\\s*(?:\"[^\"]*\"|'[^']*'|[^\\s\"'=<>`]+))?)*)>")

// hyperlink is an attribute that makes <a> a link.
var hyperlink = regexp.MustCompile(`(?i)(?:^|[\s/"'])href(?:[\s/=]|$)`)

// read follows the HTML of an HTML block.
func (o *openElements) read(raw []byte) {
	for !o.doubt {
		at := bytes.IndexByte(raw, '<')
		if at < 0 {
			return
		}
		raw = raw[at:]
		switch {
		case bytes.HasPrefix(raw, []byte("<!--")):
			end := bytes.Index(raw, []byte("-->"))
			if end < 0 || !plainComment(raw[:end+len("-->")]) {
				o.doubt = true
				return
			}
			raw = raw[end+len("-->"):]
		case len(raw) > 1 && (raw[1] == '!' || raw[1] == '?' || raw[1] == '/' || isLetter(raw[1])):
			parts := tag.FindSubmatch(raw)
			if parts == nil {
				o.doubt = true
				return
			}
			o.take(parts)
			raw = raw[len(parts[0]):]
		default:
			raw = raw[1:]
		}
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
		o.doubt = true
	}
}

// plainInline is plainComment within a paragraph: older versions of CommonMark, GitHub's among them, take a comment with two hyphens
// in it for text.
func plainInline(comment []byte) bool {
	inner := bytes.TrimSuffix(bytes.TrimPrefix(comment, []byte("<!--")), []byte("-->"))
	return plainComment(comment) && !bytes.Contains(inner, []byte("--")) && !bytes.HasSuffix(inner, []byte("-"))
}

func isLetter(c byte) bool { return 'a' <= c|' ' && c|' ' <= 'z' }

func (o *openElements) take(tag [][]byte) {
	name := strings.ToLower(string(tag[2]))
	end := len(tag[1]) > 0
	how, tracked := setApart[name]
	switch {
	case filtered[name]:
	case strange[name], parts[name] && !o.inWhole():
		o.doubt = true
	case !tracked:
		if !end && blockTags[name] {
			o.blocks++
		}
	case end:
		o.close(name, how)
	case name != "a" || hyperlink.Match(tag[3]):
		if o.count == nil {
			o.count = map[string]int{}
		}
		o.stack = append(o.stack, openElement{name, o.blocks})
		o.count[name]++
	}
}

// close takes only an end tag of the innermost element, in the block where that was opened, for what it seems to be.
func (o *openElements) close(name string, how closingTag) {
	last := len(o.stack) - 1
	switch {
	case last >= o.floor && o.stack[last].name == name:
		if how == unlessBlock && o.blocks > o.stack[last].blocks {
			o.doubt = true
		}
		o.stack = o.stack[:last]
		o.count[name]--
	case o.count[name] > 0:
		o.doubt = true
	}
}
