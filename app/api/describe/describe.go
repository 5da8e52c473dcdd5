// Package describe makes the description of the JSON API, in OpenAPI 3.1: the operations from the table of routes that answers them, and
// what is in their bodies from the very types that they are written from, with the comments of their fields.
package describe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/colony-app/colony/advice"
	"github.com/colony-app/colony/app/api"
	"github.com/colony-app/colony/app/inspect"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// module is where the packages of the types are.
const module = "github.com/colony-app/colony"

// The shape of a description, as far as there is something to say: https://spec.openapis.org/oas/v3.1.0.
type (
	document struct {
		OpenAPI    string                          `json:"openapi"`
		Info       info                            `json:"info"`
		Security   []map[string][]string           `json:"security"`
		Paths      map[string]map[string]operation `json:"paths"`
		Components components                      `json:"components"`
	}
	info struct {
		Title       string `json:"title"`
		Version     string `json:"version"`
		Description string `json:"description"`
	}
	components struct {
		SecuritySchemes map[string]any                `json:"securitySchemes"`
		Schemas         map[string]*jsonschema.Schema `json:"schemas"`
	}
	operation struct {
		ID          string                 `json:"operationId"`
		Summary     string                 `json:"summary"`
		Description string                 `json:"description"`
		Security    *[]map[string][]string `json:"security,omitempty"`
		Parameters  []parameter            `json:"parameters,omitempty"`
		Body        *body                  `json:"requestBody,omitempty"`
		Responses   map[string]response    `json:"responses"`
	}
	parameter struct {
		Name        string             `json:"name"`
		In          string             `json:"in"`
		Required    bool               `json:"required,omitempty"`
		Description string             `json:"description,omitempty"`
		Schema      *jsonschema.Schema `json:"schema"`
	}
	body struct {
		Required bool                 `json:"required"`
		Content  map[string]mediaType `json:"content"`
	}
	response struct {
		Description string                `json:"description"`
		Headers     map[string]headerType `json:"headers,omitempty"`
		Content     map[string]mediaType  `json:"content,omitempty"`
	}
	headerType struct {
		Description string             `json:"description"`
		Schema      *jsonschema.Schema `json:"schema"`
	}
	mediaType struct {
		Schema *jsonschema.Schema `json:"schema"`
	}
)

// refusals says of each status that is no answer what it means.
var refusals = map[int]string{
	http.StatusBadRequest:            "The question cannot be understood.",
	http.StatusUnauthorized:          "There is no token, or GitHub does not accept it.",
	http.StatusNotFound:              "There is no such issue, or one may not read it, or Colony does not work there: these are not told apart.",
	http.StatusRequestEntityTooLarge: "The body is too large.",
	http.StatusTooManyRequests:       "Too much was asked with this token, of Colony or of GitHub.",
	http.StatusServiceUnavailable:    "Colony could not find out, or leaves GitHub's limits to people for now. Nothing is said about whether one may.",
}

// words lists what some types of words may be.
var words = map[reflect.Type][]any{
	reflect.TypeFor[lifecycle.ActorKind]():   {lifecycle.Operator, lifecycle.Executor, lifecycle.Author, lifecycle.Colony},
	reflect.TypeFor[lifecycle.StateType]():   {lifecycle.Active, lifecycle.Blocked, lifecycle.AwaitingHuman, lifecycle.Terminal},
	reflect.TypeFor[lifecycle.Mode]():        {lifecycle.ModeOff, lifecycle.ModeObserve, lifecycle.ModeWarn, lifecycle.ModeEnforce},
	reflect.TypeFor[statemachine.MoveKind](): {statemachine.Moved, statemachine.ForcedMove, statemachine.BadRequest, statemachine.Exhausted, statemachine.Stood, statemachine.Settled},
	reflect.TypeFor[inspect.Legality]():      {inspect.Legal, inspect.NotLegal, inspect.NotKnown},
	reflect.TypeFor[advice.Need]():           needs(),
}

func needs() (all []any) {
	for _, s := range advice.NeedSpecs() {
		all = append(all, s.Need)
	}
	return all
}

// OpenAPI returns the description. Root is the folder of the module, where the comments are.
func OpenAPI(root string) ([]byte, error) {
	comments, err := commentsIn(root, "app/api", "app/inspect")
	if err != nil {
		return nil, err
	}
	d := &describer{comments: comments, schemas: map[string]*jsonschema.Schema{}}
	token := []map[string][]string{{"token": {}}}
	doc := document{
		OpenAPI: "3.1.0",
		Info: info{
			Title: "Colony", Version: "1",
			Description: "Where issues stand and why, and what would become of a move. Answers about a repository are for those whose GitHub token can read it, and for operators with the admin token.",
		},
		Security: token, Paths: map[string]map[string]operation{},
		Components: components{
			SecuritySchemes: map[string]any{"token": map[string]string{"type": "http", "scheme": "bearer", "description": "A GitHub token, or the admin token of the server."}},
			Schemas:         d.schemas,
		},
	}
	for _, r := range api.Routes() {
		if doc.Paths[r.Pattern] == nil {
			doc.Paths[r.Pattern] = map[string]operation{}
		}
		doc.Paths[r.Pattern][strings.ToLower(r.Method)] = d.operation(r)
	}
	for _, name := range slices.Sorted(maps.Keys(d.schemas)) {
		if d.schemas[name].Description == "" {
			return nil, fmt.Errorf("the type %s has no comment", name)
		}
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(doc); err != nil {
		return nil, fmt.Errorf("write the description: %w", err)
	}
	return b.Bytes(), nil
}

// commentsIn returns what the source says of types and fields in folders of the module, by their full names.
func commentsIn(root string, folders ...string) (map[string]string, error) {
	root = filepath.Clean(root)
	reader := &jsonschema.Reflector{}
	for _, folder := range folders {
		if err := reader.AddGoComments("", filepath.Join(root, folder), jsonschema.WithFullComment()); err != nil {
			return nil, fmt.Errorf("read the comments in %s: %w", folder, err)
		}
	}
	comments := map[string]string{}
	for name, text := range reader.CommentMap { // which begins with the folder as it was named
		comments[module+strings.TrimPrefix(name, filepath.ToSlash(root))] = text
	}
	return comments, nil
}

// describer collects the schemas of what is in bodies.
type describer struct {
	comments map[string]string
	schemas  map[string]*jsonschema.Schema
}

// inPath matches the parameters of a pattern.
var inPath = regexp.MustCompile(`\{(\w+)\}`)

// ofPath says what the parameters of paths mean.
var ofPath = map[string]parameter{
	"owner":  {Description: "The login of the repository's owner.", Schema: &jsonschema.Schema{Type: "string"}},
	"repo":   {Description: "The name of the repository.", Schema: &jsonschema.Schema{Type: "string"}},
	"number": {Description: "The number of the issue.", Schema: &jsonschema.Schema{Type: "integer", Minimum: "1"}},
}

func (d *describer) operation(r api.Route) operation {
	o := operation{ID: r.Name, Summary: r.Summary, Description: r.Meaning, Responses: map[string]response{}}
	if r.Open {
		o.Security = &[]map[string][]string{}
	}
	for _, m := range inPath.FindAllStringSubmatch(r.Pattern, -1) {
		p := ofPath[m[1]]
		p.Name, p.In, p.Required = m[1], "path", true
		o.Parameters = append(o.Parameters, p)
	}
	for _, q := range r.Query {
		s := &jsonschema.Schema{Type: "string"}
		for _, word := range q.OneOf {
			s.Enum = append(s.Enum, word)
		}
		o.Parameters = append(o.Parameters, parameter{Name: q.Name, In: "query", Required: q.Needed, Description: q.Meaning, Schema: s})
	}
	switch r.Body.(type) {
	case nil:
	case api.File:
		o.Body = &body{Required: true, Content: map[string]mediaType{"application/yaml": {&jsonschema.Schema{Type: "string"}}}}
	default:
		o.Body = &body{Required: true, Content: inJSON(d.schema(r.Body, false))}
	}
	answer := &jsonschema.Schema{Type: "object"}
	if _, is := r.Answer.(api.Description); !is {
		answer = d.schema(r.Answer, true)
	}
	o.Responses["200"] = response{Description: "The answer.", Content: inJSON(answer)}
	for _, status := range r.Refusals {
		refused := response{Description: refusals[status], Content: inJSON(d.schema(api.Error{}, true))}
		if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
			refused.Headers = map[string]headerType{"Retry-After": {"After how many seconds to ask again.", &jsonschema.Schema{Type: "integer"}}}
		}
		o.Responses[strconv.Itoa(status)] = refused
	}
	return o
}

func inJSON(s *jsonschema.Schema) map[string]mediaType {
	return map[string]mediaType{"application/json": {s}}
}

// schema returns a reference to the schema of a value. What grows may have fields that nobody knows yet.
func (d *describer) schema(value any, grows bool) *jsonschema.Schema {
	reflector := &jsonschema.Reflector{
		Anonymous: true, AllowAdditionalProperties: grows, LookupComment: d.comment,
		Mapper: func(t reflect.Type) *jsonschema.Schema {
			if may, ok := words[t]; ok {
				return &jsonschema.Schema{Type: "string", Enum: may}
			}
			return nil
		},
	}
	s := reflector.Reflect(value)
	for name, definition := range s.Definitions {
		refer(definition)
		d.schemas[name] = definition
	}
	return &jsonschema.Schema{Ref: inComponents(s.Ref)}
}

func inComponents(ref string) string {
	return strings.Replace(ref, "#/$defs/", "#/components/schemas/", 1)
}

// refer makes the references of a schema lead to where OpenAPI has them.
func refer(s *jsonschema.Schema) {
	s.Ref = inComponents(s.Ref)
	if s.Items != nil {
		refer(s.Items)
	}
	for pair := s.Properties.Oldest(); pair != nil; pair = pair.Next() {
		refer(pair.Value)
	}
}

// comment returns what the source says of a type or of one of its fields, with the names that the fields have in JSON.
func (d *describer) comment(t reflect.Type, field string) string {
	key := t.PkgPath() + "." + t.Name()
	if field != "" {
		key += "." + field
	}
	text := strings.Join(strings.Fields(d.comments[key]), " ")
	if field == "" {
		return strings.TrimSpace(text)
	}
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name != "" && slices.Contains(strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' }), f.Name) {
			text = regexp.MustCompile(`\b`+f.Name+`\b`).ReplaceAllString(text, "`"+name+"`")
		}
	}
	return text
}
