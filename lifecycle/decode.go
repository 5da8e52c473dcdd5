package lifecycle

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// decode reads the bounded text strictly: unknown and repeated settings, and values of another kind, are errors. What is written without a
// value stays as it was.
func (s *source) decode(into any) error {
	d := &decoding{source: s}
	d.value(s.root, reflect.ValueOf(into).Elem())
	if len(d.wrong) > 0 {
		return &FileError{Problems: d.wrong}
	}
	return nil
}

// decoding reads a file into a value, and collects all that is wrong on the way.
type decoding struct {
	*source
	path  string // of the setting that is read, with dots
	wrong []Problem
}

func (d *decoding) say(n *yaml.Node, format string, args ...any) {
	if len(d.wrong) < maxProblems {
		d.wrong = append(d.wrong, d.at(n.Line, n.Column, fmt.Sprintf(format, args...)))
	}
}

func (d *decoding) value(n *yaml.Node, v reflect.Value) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.ShortTag() == "!!null" {
		return
	}
	if d.special(n, v) {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		d.value(n, v.Elem())
	case reflect.Struct:
		if d.is(n, yaml.MappingNode, "a mapping") {
			d.row(n, v)
		}
	case reflect.Map:
		if d.is(n, yaml.MappingNode, "a mapping") {
			d.byName(n, v)
		}
	case reflect.Slice:
		d.list(n, v)
	default:
		if d.is(n, yaml.ScalarNode, "a single value") {
			d.single(n, v)
		}
	}
}

// special reads a value that has a spelling of its own.
func (d *decoding) special(n *yaml.Node, v reflect.Value) bool {
	switch into := v.Addr().Interface().(type) {
	case *Condition:
		var f FileCondition
		d.value(n, reflect.ValueOf(&f).Elem())
		*into = conditionOf(f)
	case *Exception:
		var f fileException
		d.value(n, reflect.ValueOf(&f).Elem())
		*into = Exception{conditionOf(f.FileCondition), f.Why}
	case *Force: // a permission or off, or a mapping
		if n.Kind != yaml.ScalarNode {
			return false
		}
		into.By = n.Value
	default:
		return false
	}
	return true
}

func (d *decoding) list(n *yaml.Node, v reflect.Value) {
	items := n.Content
	if n.Kind == yaml.ScalarNode && IsOneOrMore(v.Type()) {
		items = []*yaml.Node{n}
	} else if !d.is(n, yaml.SequenceNode, "a list") {
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), len(items), len(items)))
	for i, item := range items {
		d.value(item, v.Index(i))
	}
}

// is insists on a kind of node.
func (d *decoding) is(n *yaml.Node, kind yaml.Kind, what string) bool {
	if n.Kind != kind {
		d.say(n, "%s is expected here", what)
	}
	return n.Kind == kind
}

// row reads the settings of a struct. Where the file has anchors, a merge key brings what the row does not say itself.
func (d *decoding) row(n *yaml.Node, v reflect.Value) {
	fields, names := map[string]reflect.StructField{}, []string(nil)
	for _, field := range reflect.VisibleFields(v.Type()) {
		if name := SettingOf(field); name != "" {
			names, fields[name] = append(names, name), field
		}
	}
	above, seen := d.path, map[string]*yaml.Node{}
	defer func() { d.path = above }()
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Tag == "!!merge" && d.own {
			d.value(n.Content[i+1], v)
		}
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		field, known := fields[key.Value]
		switch first := seen[key.Value]; {
		case key.Tag == "!!merge" && d.own:
		case !known || key.Kind != yaml.ScalarNode:
			d.say(key, "%s", unknownKey(key.Value, names))
		case first != nil:
			d.say(key, "mapping key %q already defined at [%d:%d]", key.Value, first.Line, first.Column)
		default:
			seen[key.Value], d.path = key, strings.TrimPrefix(above+"."+key.Value, ".")
			d.value(n.Content[i+1], v.FieldByIndex(field.Index))
		}
	}
}

// byName reads a map, whose keys are words.
func (d *decoding) byName(n *yaml.Node, v reflect.Value) {
	v.Set(reflect.MakeMap(v.Type()))
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, item := n.Content[i], reflect.New(v.Type().Elem()).Elem()
		name := reflect.ValueOf(key.Value).Convert(v.Type().Key())
		if v.MapIndex(name).IsValid() {
			d.say(key, "mapping key %q is there twice", key.Value)
		}
		d.value(n.Content[i+1], item)
		v.SetMapIndex(name, item)
	}
}

// single reads a value without parts. A text is as it is written: a number keeps its zeros.
func (d *decoding) single(n *yaml.Node, v reflect.Value) {
	switch kind := v.Kind(); {
	case v.Type() == reflect.TypeFor[time.Duration]():
		length, err := time.ParseDuration(n.Value)
		if err != nil {
			d.say(n, "%s: %s is not a duration: write it like 500ms, 20s, 30m or 72h; only 0 needs no unit", d.path, n.Value)
		}
		v.SetInt(int64(length))
	case v.Type() == reflect.TypeFor[Duration]():
		length, err := time.ParseDuration(n.Value)
		if n.Value != "" && (err != nil || length <= 0) {
			length = -1 // the check of the file names it with its place
		}
		v.SetInt(int64(length))
	case kind == reflect.String:
		v.SetString(n.Value)
	case kind == reflect.Bool && n.ShortTag() != "!!bool":
		d.say(n, "true or false is expected here")
	case kind != reflect.Bool && n.ShortTag() != "!!int", n.Decode(v.Addr().Interface()) != nil: // the decoder cuts 1.5 down to 1
		d.say(n, "a whole number is expected here")
	}
}

// SettingOf returns the setting that a field is decoded from; empty without one.
func SettingOf(field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("yaml"), ",")
	return strings.TrimPrefix(name, "-")
}

func unknownKey(key string, known []string) string {
	if len(key) > maxExcerpt {
		key = strings.ToValidUTF8(key[:maxExcerpt], "") + "…"
	}
	if nearest, ok := Closest(key, known); ok {
		return fmt.Sprintf("unknown setting %q: did you mean %q?", key, nearest)
	}
	return fmt.Sprintf("unknown setting %q: there are %s", key, strings.Join(known, ", "))
}
