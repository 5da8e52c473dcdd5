package schematest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/colony-app/colony/playground/internal/wiretap"
)

// webhookDescription is GitHub's description of its webhooks: OpenAPI 3.1, whose schemas are JSON Schema.
type webhookDescription struct {
	name    string
	schemas map[string]*jsonschema.Schema
	headers map[string][]string
	fields  *fieldNames
}

func mustLoadWebhooks(name string) *webhookDescription {
	text := mustUnpack("webhooks." + name + ".json.gz")
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		panic("schematest: " + name + ": " + err.Error())
	}
	var described struct {
		Webhooks map[string]struct {
			Post struct {
				Parameters []struct {
					Name, In string
					Required bool
				}
				RequestBody struct {
					Content map[string]struct {
						Schema struct {
							Ref string `json:"$ref"`
						}
					}
				}
			}
		}
	}
	if err := json.Unmarshal(text, &described); err != nil {
		panic("schematest: " + name + ": " + err.Error())
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.AssertFormat()
	compiler.RegisterFormat(&jsonschema.Format{Name: "uri-template", Validate: uriTemplate})
	const address = "mem:webhooks.json"
	if err := compiler.AddResource(address, doc); err != nil {
		panic("schematest: " + name + ": " + err.Error())
	}
	d := &webhookDescription{name: "webhooks", schemas: map[string]*jsonschema.Schema{}, headers: map[string][]string{}, fields: mustReadFieldNames(text)}
	for event, webhook := range described.Webhooks {
		d.schemas[event] = compiler.MustCompile(address + webhook.Post.RequestBody.Content["application/json"].Schema.Ref)
		for _, p := range webhook.Post.Parameters {
			if p.In == "header" && p.Required {
				d.headers[event] = append(d.headers[event], http.CanonicalHeaderKey(p.Name))
			}
		}
	}
	return d
}

func (w *Watch) webhook(h wiretap.Webhook) {
	name, sent := h.Event, h.Event
	if h.Action != "" {
		name, sent = name+"-"+h.Action, sent+"."+h.Action
	}
	name = strings.ReplaceAll(name, "_", "-")
	w.mu.Lock()
	w.sent[sent]++
	w.mu.Unlock()
	if !w.looksAt("webhook "+sent, h.Payload) {
		return
	}
	for _, problem := range w.webhooks.problems(name, h) {
		if !w.excused("webhooks", sent, problem, nil) {
			w.note("webhook "+sent+": "+problem, string(h.Payload))
		}
	}
}

func (d *webhookDescription) problems(name string, h wiretap.Webhook) []string {
	schema := d.schemas[name]
	if schema == nil {
		return []string{"there is no such webhook"}
	}
	var found []string
	for _, header := range d.headers[name] {
		if h.Header.Get(header) == "" {
			found = append(found, "header "+header+": missing")
		}
	}
	payload, err := jsonschema.UnmarshalJSON(bytes.NewReader(h.Payload))
	if err != nil {
		return append(found, "payload: "+err.Error())
	}
	if wrong := (*jsonschema.ValidationError)(nil); errors.As(schema.Validate(payload), &wrong) {
		found = append(found, causes(wrong)...)
	}
	for _, field := range d.fields.ofWebhook(name, h.Payload) {
		found = append(found, field+": no such field is described")
	}
	return found
}

var expression = regexp.MustCompile(`\{[^{}]+\}`)

// uriTemplate replaces the library's own check, which takes {/name} for a brace that is not closed.
func uriTemplate(value any) error {
	text, ok := value.(string)
	if !ok {
		return nil
	}
	rest := expression.ReplaceAllString(text, "")
	if strings.ContainsAny(rest, "{}") {
		return errors.New("a brace is alone")
	}
	if parsed, err := url.Parse(rest); err != nil || !parsed.IsAbs() {
		return errors.New("not an absolute address")
	}
	return nil
}

var english = message.NewPrinter(language.English)

// causes are the single mistakes in an error of jsonschema. Alternatives are one mistake if none fits.
func causes(err *jsonschema.ValidationError) []string {
	alternatives := false
	switch err.ErrorKind.(type) {
	case *kind.OneOf, *kind.AnyOf:
		alternatives = true
	}
	if len(err.Causes) == 0 || alternatives {
		var where strings.Builder
		for _, segment := range err.InstanceLocation {
			if _, err := strconv.Atoi(segment); err == nil {
				segment = "*"
			}
			where.WriteString("/" + segment)
		}
		what := err.ErrorKind.LocalizedString(english)
		if format, ok := err.ErrorKind.(*kind.Format); ok {
			what = "not a " + format.Want // without the value, so that the same mistake is one
		}
		return []string{fmt.Sprintf("%s: %s", where.String(), what)}
	}
	var found []string
	for _, cause := range err.Causes {
		found = append(found, causes(cause)...)
	}
	return found
}
