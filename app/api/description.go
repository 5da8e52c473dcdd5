package api

import (
	_ "embed"
	"encoding/json"
)

//go:embed openapi.json
var description []byte

// Text is the description of the API in OpenAPI. A test compares it with the table of routes and the types of their answers.
func Text() json.RawMessage { return description }
