package schematest

import (
	"bytes"
	"compress/gzip"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"

	"github.com/colony-app/colony/playground/internal/wiretap"
)

//go:embed testdata/*.gz
var testdata embed.FS

func mustUnpack(name string) []byte {
	packed, err := testdata.ReadFile("testdata/" + name)
	if err != nil {
		panic("schematest: " + err.Error())
	}
	reader, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		panic("schematest: " + name + ": " + err.Error())
	}
	text, err := io.ReadAll(reader)
	if err != nil {
		panic("schematest: " + name + ": " + err.Error())
	}
	return text
}

// restDescription is one of GitHub's OpenAPI descriptions.
type restDescription struct {
	name   string
	doc    *openapi3.T
	shapes map[string]string // method and path with variables unnamed → the description's path
	fields *fieldNames
}

func mustLoadREST(name string) *restDescription {
	text := mustUnpack("rest." + name + ".json.gz")
	doc, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		panic("schematest: " + name + ": " + err.Error())
	}
	d := &restDescription{name: name, doc: doc, shapes: map[string]string{}, fields: mustReadFieldNames(text)}
	for path, item := range doc.Paths.Map() {
		for method := range item.Operations() {
			d.shapes[method+" "+shape(path)] = path
		}
	}
	return d
}

// shape is a path with its variables unnamed: the playground and GitHub call some differently.
func shape(path string) string {
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		if strings.HasPrefix(segment, "{") {
			segments[i] = "{}"
		}
	}
	return strings.Join(segments, "/")
}

func (w *Watch) exchange(e wiretap.Exchange) {
	if e.Route == "" || e.Scripted || e.Status == http.StatusNotImplemented {
		return // nothing of GitHub's
	}
	if e.Method == http.MethodHead {
		e.Method = http.MethodGet
	}
	w.mu.Lock()
	w.exchanges++
	w.mu.Unlock()
	if !w.looksAt(fmt.Sprintf("%s %s %d", e.Method, e.Route, e.Status), []byte(strings.Join(slices.Sorted(maps.Keys(e.Query)), "&")), e.Body, e.AnswerBody) {
		return
	}
	for _, problem := range headerProblems(e) {
		w.note(problem, fmt.Sprintf("%s %s → %v %s", e.Method, e.Path, e.Answer, e.AnswerBody))
	}
	for _, d := range w.rest {
		for _, problem := range d.problems(w, e) {
			where := fmt.Sprintf("%s: %s %s", d.name, e.Method, e.Route)
			again := func(mended func(any) any) []string { return d.problems(w, mendedExchange(e, problem, mended)) }
			if !w.excused(d.name, e.Method+" "+e.Route, problem, again) {
				w.note(where+": "+problem, fmt.Sprintf("%s %s?%s %s → %d %s", e.Method, e.Path, e.Query.Encode(), e.Body, e.Status, e.AnswerBody))
			}
		}
	}
}

func mendedExchange(e wiretap.Exchange, problem string, mended func(any) any) wiretap.Exchange {
	body := &e.AnswerBody
	if strings.HasPrefix(problem, "request ") {
		body = &e.Body
	}
	var value any
	if json.Unmarshal(*body, &value) != nil {
		return e
	}
	text, err := json.Marshal(mended(value))
	if err != nil {
		return e
	}
	*body = text
	return e
}

// problems are the ways in which an exchange departs from the description: "request …" or "200 …".
func (d *restDescription) problems(w *Watch, e wiretap.Exchange) []string {
	path, ok := d.shapes[e.Method+" "+shape(e.Route)]
	if _, elsewhere := githubCom().shapes[e.Method+" "+shape(e.Route)]; !ok && elsewhere {
		return nil // Enterprise Server does not have everything yet
	}
	if !ok {
		return []string{"the operation is not in the description"}
	}
	item := d.doc.Paths.Value(path)
	request, err := http.NewRequestWithContext(context.Background(), e.Method, "https://api.github.com"+e.Path+"?"+e.Query.Encode(), bytes.NewReader(e.Body))
	if err != nil {
		return []string{"request: " + err.Error()}
	}
	request.Header = e.Header.Clone()
	request.Header.Set("Content-Type", "application/json")
	if len(e.Body) == 0 {
		request.Body = http.NoBody
		request.ContentLength = 0
	}
	options := &openapi3filter.Options{MultiError: true, SkipSettingDefaults: true}
	in := &openapi3filter.RequestValidationInput{
		Request: request, PathParams: variables(path, e.Path), Options: options,
		Route: &routers.Route{Spec: d.doc, Path: path, PathItem: item, Method: e.Method, Operation: item.GetOperation(e.Method)},
	}
	var found []string
	refused := e.Status >= http.StatusBadRequest
	malformed := leaves(openapi3filter.ValidateRequest(context.Background(), in), "request")
	switch {
	case e.Interrupted:
	case !refused:
		found = append(found, malformed...)
	case len(malformed) == 0 && saysMalformed(e):
		found = append(found, "request is well-formed, and refused as malformed")
	}
	return append(found, d.answerProblems(w, in, e)...)
}

// saysMalformed is whether an answer says that the request is not even of the right shape.
func saysMalformed(e wiretap.Exchange) bool {
	var answer struct{ Message string }
	_ = json.Unmarshal(e.AnswerBody, &answer) // what is not JSON says nothing
	return strings.HasPrefix(answer.Message, "Invalid request.") || e.Status == http.StatusBadRequest
}

// headerProblems are the headers that GitHub sends with every answer, and that are missing in this one
// (https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#checking-the-status-of-your-rate-limit,
// https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api#use-conditional-requests-if-appropriate).
func headerProblems(e wiretap.Exchange) []string {
	wanted := []string{"X-GitHub-Request-Id", "X-GitHub-Media-Type"}
	if e.Status < http.StatusInternalServerError {
		wanted = append(wanted, "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Used", "X-RateLimit-Reset", "X-RateLimit-Resource")
	}
	if e.Method == http.MethodGet && (e.Status == http.StatusOK || e.Status == http.StatusNotModified) {
		wanted = append(wanted, "ETag", "Cache-Control", "Vary")
	}
	if e.Status >= http.StatusMultipleChoices && e.Status < http.StatusBadRequest && e.Status != http.StatusNotModified {
		wanted = append(wanted, "Location")
	}
	var found []string
	for _, name := range wanted {
		if e.Answer.Get(name) == "" {
			found = append(found, fmt.Sprintf("%d has no %s", e.Status, name))
		}
	}
	if len(e.AnswerBody) > 0 && e.Status >= http.StatusBadRequest {
		var answer struct {
			Message, Status  string
			DocumentationURL string `json:"documentation_url"`
		}
		if err := json.Unmarshal(e.AnswerBody, &answer); err != nil || answer.Message == "" || !strings.HasPrefix(answer.DocumentationURL, "https://docs.github.com/") || answer.Status != fmt.Sprint(e.Status) {
			found = append(found, fmt.Sprintf("%d without message, documentation_url or status", e.Status))
		}
	}
	return found
}

func (d *restDescription) answerProblems(w *Watch, in *openapi3filter.RequestValidationInput, e wiretap.Exchange) []string {
	prefix := fmt.Sprint(e.Status)
	described := in.Route.Operation.Responses.Status(e.Status)
	if described == nil {
		row := undescribedFor(e.Status, e.Method+" "+e.Route)
		if row == nil {
			return []string{prefix + " is not described"}
		}
		w.use(row.String())
		return d.matches(row.Schema, e, prefix)
	}
	if len(described.Value.Content) == 0 {
		if len(e.AnswerBody) > 0 {
			return []string{prefix + " is described without a body"}
		}
		return nil
	}
	if e.Status == http.StatusNotModified {
		return nil
	}
	found := leaves(openapi3filter.ValidateResponse(context.Background(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: in, Status: e.Status, Header: e.Answer, Body: io.NopCloser(bytes.NewReader(e.AnswerBody)), Options: in.Options,
	}), prefix)
	for _, field := range d.fields.ofAnswer(e.Method, in.Route.Path, e.Status, e.AnswerBody) {
		found = append(found, prefix+" "+field+": no such field is described")
	}
	return found
}

// matches holds an answer of an undescribed status against a schema by name; none: it has to be empty.
func (d *restDescription) matches(schema string, e wiretap.Exchange, prefix string) []string {
	if schema == "" {
		if len(e.AnswerBody) > 0 {
			return []string{prefix + " has a body"}
		}
		return nil
	}
	var value any
	if err := json.Unmarshal(e.AnswerBody, &value); err != nil {
		return []string{prefix + " is not JSON"}
	}
	return leaves(d.doc.Components.Schemas[schema].Value.VisitJSON(value, openapi3.MultiErrors()), prefix)
}

// variables are the values of a path's variables by the description's names. The last takes all the rest.
func variables(template, escaped string) map[string]string {
	names, values := strings.Split(template, "/"), strings.Split(escaped, "/")
	found := map[string]string{}
	for i, name := range names {
		if !strings.HasPrefix(name, "{") || i >= len(values) {
			continue
		}
		value := values[i]
		if i == len(names)-1 {
			value = strings.Join(values[i:], "/")
		}
		if plain, err := url.PathUnescape(value); err == nil {
			value = plain
		}
		found[strings.Trim(name, "{}")] = value
	}
	return found
}

var index = regexp.MustCompile(`/\d+(/|$)`)

// leaves are the single mistakes in an error of kin-openapi, each "prefix /where/it/is: reason". An index is a star.
func leaves(err error, prefix string) []string {
	if err == nil {
		return nil
	}
	var (
		several   openapi3.MultiError
		schema    *openapi3.SchemaError
		ofRequest *openapi3filter.RequestError
		ofAnswer  *openapi3filter.ResponseError
	)
	switch err := err.(type) { //nolint:errorlint // one layer after the other
	case openapi3.MultiError:
		several = err
		var found []string
		for _, one := range several {
			found = append(found, leaves(one, prefix)...)
		}
		return found
	case *openapi3.SchemaError:
		schema = err
		where := "/" + strings.Join(schema.JSONPointer(), "/")
		for index.MatchString(where) {
			where = index.ReplaceAllString(where, "/*$1")
		}
		return []string{prefix + " " + where + ": " + schema.Reason}
	case *openapi3filter.RequestError:
		ofRequest = err
		if ofRequest.Parameter != nil {
			prefix += " " + ofRequest.Parameter.In + " " + ofRequest.Parameter.Name
		}
		if ofRequest.Err == nil {
			return []string{prefix + ": " + ofRequest.Reason}
		}
		return leaves(ofRequest.Err, prefix)
	case *openapi3filter.ResponseError:
		ofAnswer = err
		if ofAnswer.Err == nil {
			return []string{prefix + ": " + ofAnswer.Reason}
		}
		return leaves(ofAnswer.Err, prefix)
	}
	if inner := errors.Unwrap(err); inner != nil {
		return leaves(inner, prefix)
	}
	return []string{prefix + ": " + err.Error()}
}
