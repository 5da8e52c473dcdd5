package handlers

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/go-json-experiment/json/v1"
)

// Colony reads some hundred bytes of a payload's thirteen kilobytes and more. So a payload is read in two steps: skim checks that
// it is JSON and copies the fields that a handler declares, and the decoder reads only those. The decoder is that of Go's encoding/json
// (v1), from the module that holds its next implementation until Go has it.

// shape is which fields of a value are declared.
type shape struct {
	// fields are those of an object, or of the objects of an array, by their names, which are in small letters; nil if the value is to be
	// taken whole.
	fields map[string]*shape
}

// shapeOf returns the shape of what is decoded into a type.
func shapeOf(t reflect.Type) *shape {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		return &shape{}
	}
	s := &shape{fields: map[string]*shape{}}
	for _, f := range reflect.VisibleFields(t) {
		name, tagged := f.Tag.Lookup("json")
		if !tagged {
			if !f.Anonymous {
				panic(fmt.Sprintf("%s.%s has no name in JSON", t, f.Name))
			}
			continue // its fields are visible fields of t
		}
		s.fields[name] = shapeOf(f.Type)
	}
	return s
}

// field returns the shape of the field with a name as it is written, quotes and all; nil if it is not declared. Names can be in capital
// letters, as Go reads them.
func (s *shape) field(quoted jsontext.Value) *shape {
	plain := true
	for _, b := range quoted {
		plain = plain && b < 0x80 && b != '\\' && (b < 'A' || b > 'Z')
	}
	if plain {
		return s.fields[string(quoted[1:len(quoted)-1])]
	}
	name, err := jsontext.AppendUnquote(nil, quoted)
	if err != nil { // what is not UTF-8 is no name that is declared
		return nil
	}
	for declared, of := range s.fields {
		if strings.EqualFold(declared, string(name)) {
			return of
		}
	}
	return nil
}

// skimmer copies the declared fields of a payload.
type skimmer struct {
	decoder jsontext.Decoder
	in      bytes.Buffer
	out     []byte
	err     error // the first one
}

var skimmers = sync.Pool{New: func() any { return &skimmer{} }}

// maxSkimmed is how much room for a copy is kept for the next payload.
const maxSkimmed = 64 << 10

// skim decodes the fields of a payload that have a shape. All of the payload has to be JSON.
func skim(payload []byte, s *shape, into any) error {
	k, _ := skimmers.Get().(*skimmer)
	defer k.release()
	k.in = *bytes.NewBuffer(payload)
	k.decoder.Reset(&k.in, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) // as encoding/json does
	k.value(s)
	if k.err != nil {
		return k.err
	}
	k.token()
	switch {
	case k.err == nil:
		return errTrailing
	case !errors.Is(k.err, io.EOF):
		return k.err
	}
	return json.Unmarshal(k.out, into) //nolint:wrapcheck // the delivery says what it is about
}

var errTrailing = errors.New("more than one value")

// release lets go of the payload and keeps the rest for the next one.
func (k *skimmer) release() {
	k.in, k.err = bytes.Buffer{}, nil
	k.decoder.Reset(&k.in)
	if k.out = k.out[:0]; cap(k.out) > maxSkimmed {
		k.out = nil
	}
	skimmers.Put(k)
}

// token reads the beginning or the end of an object or array.
func (k *skimmer) token() {
	if k.err == nil {
		_, k.err = k.decoder.ReadToken()
	}
}

// whole reads a value.
func (k *skimmer) whole() jsontext.Value {
	if k.err != nil {
		return nil
	}
	var v jsontext.Value
	v, k.err = k.decoder.ReadValue()
	return v
}

// until reports whether there is more before the end of an object or array.
func (k *skimmer) until(end jsontext.Kind) bool { return k.err == nil && k.decoder.PeekKind() != end }

func (k *skimmer) write(text string) { k.out = append(k.out, text...) }

// value copies what is declared of the next value.
func (k *skimmer) value(s *shape) {
	switch kind := k.decoder.PeekKind(); {
	case s.fields != nil && kind == '{' && len(s.fields) == 0: // only that it is there matters
		k.whole()
		k.write("{}")
	case s.fields != nil && kind == '{':
		k.object(s)
	case s.fields != nil && kind == '[':
		k.array(s)
	default:
		k.out = append(k.out, k.whole()...)
	}
}

func (k *skimmer) object(s *shape) {
	k.token()
	k.write("{")
	for first := true; k.until('}'); {
		name := k.whole()
		if k.err != nil {
			return
		}
		of := s.field(name)
		if of == nil {
			k.whole()
			continue
		}
		if !first {
			k.write(",")
		}
		first = false
		k.out = append(k.out, name...)
		k.write(":")
		k.value(of)
	}
	k.write("}")
	k.token()
}

func (k *skimmer) array(s *shape) {
	k.token()
	k.write("[")
	for first := true; k.until(']'); first = false {
		if !first {
			k.write(",")
		}
		k.value(s)
	}
	k.write("]")
	k.token()
}
