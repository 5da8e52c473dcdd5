package schematest

import "bytes"

// skeleton is a JSON text without what its strings and numbers say. Of neighbours in a list that have the same skeleton it has one.
func skeleton(text []byte) string {
	var (
		bones []byte
		open  []list // objects and lists that are open
	)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
		case c == '"':
			from := i
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			if i+1 < len(text) && text[i+1] == ':' {
				bones = append(bones, text[from:i]...)
			} else {
				bones = append(bones, 's')
			}
		case c == '-' || c >= '0' && c <= '9':
			for i+1 < len(text) && bytes.IndexByte([]byte("0123456789.eE+-"), text[i+1]) >= 0 {
				i++
			}
			bones = append(bones, '0')
		case c == '[' || c == '{':
			bones = append(bones, c)
			open = append(open, list{c == '[', len(bones), len(bones)})
		case (c == ',' || c == ']' || c == '}') && len(open) > 0:
			bones = open[len(open)-1].closed(bones)
			if c != ',' {
				open = open[:len(open)-1]
			}
			bones = append(bones, c)
		default:
			bones = append(bones, c)
		}
	}
	return string(bones)
}

// list is a list, or else an object, that is open: where its last element begins, and the one before.
type list struct {
	isList       bool
	before, last int
}

// closed is the skeleton once an element ended.
func (l *list) closed(bones []byte) []byte {
	if !l.isList {
		return bones
	}
	if l.last > l.before && bytes.Equal(bones[l.before:l.last-1], bones[l.last:]) {
		return bones[:l.last-1]
	}
	l.before, l.last = l.last, len(bones)+1
	return bones
}
