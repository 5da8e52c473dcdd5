package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
)

// The bounds of what a request can hold. A lifecycle file has at most 64 KiB, which JSON can make about twice as long.
const (
	maxBody      = 160 << 10
	maxParameter = 200
)

func (c *call) read(w http.ResponseWriter, r Route) error {
	if err := c.readQuery(r); err != nil {
		return err
	}
	if !r.Body {
		return nil
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, c.request.Body, maxBody))
	tooLarge := (*http.MaxBytesError)(nil)
	switch {
	case errors.As(err, &tooLarge):
		return &refusal{http.StatusRequestEntityTooLarge, fmt.Sprintf("The body has more than %d bytes.", maxBody), 0}
	case err != nil:
		return badRequest("The body ended before its time.")
	}
	c.body = text
	return nil
}

func (c *call) readQuery(r Route) error {
	values, err := url.ParseQuery(c.request.URL.RawQuery)
	if err != nil {
		return badRequest("The parameters behind the question mark cannot be read.")
	}
	c.query = map[string]string{}
	for name, given := range values {
		i := slices.IndexFunc(r.Query, func(p Parameter) bool { return p.Name == name })
		switch {
		case i < 0:
			return badRequest(fmt.Sprintf("There is no parameter %q.", clipped(name)))
		case len(given) > 1:
			return badRequest(fmt.Sprintf("The parameter %s is there twice.", name))
		case len(given[0]) > maxParameter || !isText(given[0]):
			return badRequest(fmt.Sprintf("The parameter %s is too long, or no text.", name))
		case given[0] != "" && len(r.Query[i].OneOf) > 0 && !slices.Contains(r.Query[i].OneOf, given[0]):
			return badRequest(fmt.Sprintf("The parameter %s is none of %s.", name, strings.Join(r.Query[i].OneOf, ", ")))
		}
		c.query[name] = given[0]
	}
	for _, p := range r.Query {
		if p.Needed && c.query[p.Name] == "" {
			return badRequest(fmt.Sprintf("The parameter %s is missing: %s", p.Name, p.Meaning))
		}
	}
	return nil
}

// isText reports whether a word holds text only, and nothing that steers.
func isText(word string) bool {
	return utf8.ValidString(word) && !strings.ContainsFunc(word, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// clipped is the beginning of a word that a stranger chose, for an error.
func clipped(word string) string {
	const enough = 40
	letters := []rune(strings.ToValidUTF8(word, "?"))
	if len(letters) > enough {
		return string(letters[:enough]) + "…"
	}
	return string(letters)
}

// decode reads the body as JSON, and refuses what it does not know.
func (c *call) decode(into any) error {
	decoder := json.NewDecoder(bytes.NewReader(c.body))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(into)
	if err == nil && decoder.More() {
		err = errors.New("there is more behind it")
	}
	if err != nil {
		return badRequest("The body is not what this address takes: " + clippedError(err) + ".")
	}
	return nil
}

// clippedError is what the decoder says, which might quote what a stranger wrote.
func clippedError(err error) string {
	wrong := (*json.UnmarshalTypeError)(nil)
	if errors.As(err, &wrong) {
		return fmt.Sprintf("%s is no %s", clipped(wrong.Field), wrong.Type.Kind())
	}
	field, unknown := strings.CutPrefix(err.Error(), "json: unknown field ")
	if unknown {
		return "there is no field " + clipped(field)
	}
	return clipped(strings.TrimPrefix(err.Error(), "json: "))
}
