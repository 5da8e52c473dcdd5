package handlers

import (
	"github.com/go-json-experiment/json/v1"

	"github.com/colony-app/colony/commands"
)

// text is a text that people wrote. It can be long, and all that is kept of it is whether it may hold a command: see commands.MayInvoke.
type text struct{ mayCommand bool }

// UnmarshalJSON implements json.Unmarshaler.
func (t *text) UnmarshalJSON(quoted []byte) error {
	var plain string
	if err := json.Unmarshal(quoted, &plain); err != nil {
		return err //nolint:wrapcheck // the decoder that called says where
	}
	t.mayCommand = commands.MayInvoke([]byte(plain))
	return nil
}
