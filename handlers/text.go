package handlers

import (
	"bytes"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/go-json-experiment/json/v1"
)

// text is a text that people wrote. It can be long, and all that is kept of it is whether it may hold a command. It errs towards yes: code,
// quotes and HTML comments are the parser's business.
type text struct{ mayCommand bool }

// command is what a text has that may hold a command.
const command = "/colony"

// UnmarshalJSON implements json.Unmarshaler.
func (t *text) UnmarshalJSON(quoted []byte) error {
	switch {
	case string(quoted) == "null":
		return nil
	case quoted[0] != '"':
		return &json.UnmarshalTypeError{Value: "other than a text", Type: reflect.TypeFor[string]()}
	}
	if bytes.Contains(quoted, []byte(`\/`)) || bytes.Contains(quoted, []byte(`\u`)) { // the command may be written so
		plain, _ := jsontext.AppendUnquote(nil, quoted) // what is not UTF-8 is no part of a command
		quoted = plain
	}
	t.mayCommand = containsFold(quoted, command)
	return nil
}

// containsFold reports whether a text contains a word that begins with a slash, in any case.
func containsFold(in []byte, word string) bool {
	for {
		at := bytes.IndexByte(in, word[0])
		if at < 0 || len(in)-at < len(word) {
			return false
		}
		if strings.EqualFold(string(in[at:at+len(word)]), word) {
			return true
		}
		in = in[at+1:]
	}
}
