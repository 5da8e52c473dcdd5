package handlers

import (
	"bytes"
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/colony-app/colony/commands"
)

// text is a text that people wrote. It can be long, and all that is kept of it is whether it can hold a command: see commands.MayInvoke.
type text struct{ mayCommand bool }

func (t *text) UnmarshalJSON(quoted []byte) error {
	switch {
	case string(quoted) == "null":
		return nil
	case quoted[0] != '"':
		return errors.New("other than a text")
	}
	if bytes.Contains(quoted, []byte(`\/`)) || bytes.Contains(quoted, []byte(`\u`)) { // a command can be written so
		plain, _ := jsontext.AppendUnquote(nil, quoted) // what is not UTF-8 is no part of a command
		quoted = plain
	}
	t.mayCommand = commands.MayInvoke(quoted)
	return nil
}
