package commands

import (
	"bytes"

	"golang.org/x/net/html"
)

// setApart are the elements whose content is folded, quoted, struck, listed or typeset apart from the text
// that their writer says in person.
var setApart = map[string]bool{
	"details": true, "blockquote": true, "q": true,
	"pre": true, "code": true, "samp": true, "kbd": true, "tt": true,
	"del": true, "s": true, "strike": true,
	"ul": true, "ol": true, "dl": true, "table": true,
	"h1": true, "h2": true, "h3": true, "h4": true, "h5": true, "h6": true,
}

// openElements follows raw HTML through a document and knows which of the setApart elements are open.
type openElements struct {
	stack []string
	count map[string]int
}

func (o *openElements) hiding() bool { return len(o.stack) > 0 }

func (o *openElements) read(raw []byte) {
	tokens := html.NewTokenizer(bytes.NewReader(raw))
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			return
		case html.StartTagToken, html.SelfClosingTagToken:
			// GitHub shows <title>, <script> and their like as text, so what follows them is not raw.
			tokens.NextIsNotRawText()
			name, _ := tokens.TagName()
			o.open(string(name))
		case html.EndTagToken:
			name, _ := tokens.TagName()
			o.close(string(name))
		}
	}
}

func (o *openElements) open(name string) {
	if !setApart[name] {
		return
	}
	if o.count == nil {
		o.count = map[string]int{}
	}
	o.stack = append(o.stack, name)
	o.count[name]++
}

// close also closes what was left open inside the element, as browsers do.
func (o *openElements) close(name string) {
	for o.count[name] > 0 {
		last := o.stack[len(o.stack)-1]
		o.stack = o.stack[:len(o.stack)-1]
		o.count[last]--
		if last == name {
			return
		}
	}
}
