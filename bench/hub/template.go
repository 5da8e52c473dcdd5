package hub

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// slot is a place in a template that each rendering fills.
type slot int

// The places. What is raw is JSON of its own; the others are texts within a JSON string, already escaped.
const (
	number slot = iota
	rawNumber
	rawID
	title
	body
	rawLabels
	rawComments
	created
	updated
	rawLabel
	rawUser
	event
	slots
)

var slotNames = [slots]string{"number", "raw:number", "raw:id", "title", "body", "raw:labels", "raw:comments", "created", "updated", "raw:label", "raw:user", "event"}

// in is how a place is written where a template is made.
func (s slot) in() string { return "@@" + slotNames[s] + "@@" }

// values fill the places of a template.
type values [slots]string

// template is JSON as the playground wrote it, with places. Marshalling the same few objects over and over is what makes the playground
// too slow a counterpart for measurements.
type template struct {
	texts []string // one more than places
	after []slot   // the place after each text but the last
}

var places = regexp.MustCompile(`"@@raw:[a-z]+@@"|@@[a-z]+@@`)

// compile makes a template of a value in which places are written.
func compile(value any) (*template, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("make a template: %w", err)
	}
	t, at := &template{}, 0
	for _, found := range places.FindAllIndex(text, -1) {
		name := strings.Trim(string(text[found[0]:found[1]]), `"@`)
		which := slot(-1)
		for s, known := range slotNames {
			if known == name {
				which = slot(s)
			}
		}
		if which < 0 {
			return nil, fmt.Errorf("make a template: there is no place %q", name)
		}
		t.texts, t.after, at = append(t.texts, string(text[at:found[0]])), append(t.after, which), found[1]
	}
	t.texts = append(t.texts, string(text[at:]))
	return t, nil
}

// render appends the template with its places filled.
func (t *template) render(dst []byte, v *values) []byte {
	for i, s := range t.after {
		dst = append(append(dst, t.texts[i]...), v[s]...)
	}
	return append(dst, t.texts[len(t.texts)-1]...)
}

// rewrite applies a change to every string of a JSON value.
func rewrite(value any, change func(string) string) any {
	switch v := value.(type) {
	case string:
		return change(v)
	case []any:
		for i := range v {
			v[i] = rewrite(v[i], change)
		}
	case map[string]any:
		for key := range v {
			v[key] = rewrite(v[key], change)
		}
	}
	return value
}
