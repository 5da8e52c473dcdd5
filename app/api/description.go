package api

import (
	_ "embed"
	"encoding/json"
)

//go:embed openapi.json
var description []byte

// Text is the description of the API. It is generated from the table of routes and the types of their answers; see describe.
func Text() json.RawMessage { return description }
