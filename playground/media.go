package playground

import (
	"html"
	"regexp"
	"strings"

	"github.com/colony-app/colony/playground/internal/markdown"
)

// bodyMedia says in which form the body of an issue, a pull request, a comment or a review is asked for
// (https://docs.github.com/en/rest/using-the-rest-api/getting-started-with-the-rest-api#media-types). Without it, it is "raw".
var bodyMedia = regexp.MustCompile(`\bvnd\.github(?:\.v3)?\.(text|html|full)\b`)

var tags = regexp.MustCompile(`<[^>]*>`)

// asMedia brings the bodies of an answer into the form that the call accepts.
func (c *call) asMedia(answer any) (any, error) {
	asked := bodyMedia.FindStringSubmatch(c.request.Header.Get("Accept"))
	if asked == nil {
		return answer, nil
	}
	c.header.Set("X-GitHub-Media-Type", "github.v3; param="+asked[1]+"; format=json")
	payloads, list := answer.([]object)
	if one, ok := answer.(object); ok && !list {
		payloads = []object{one}
	}
	for _, payload := range payloads {
		if err := formBody(payload, asked[1]); err != nil {
			return nil, err
		}
	}
	return answer, nil
}

// formBody replaces the body of a payload with its text or its HTML, or adds both.
func formBody(payload object, form string) error {
	body, there := payload["body"]
	if !there {
		return nil
	}
	var source string
	switch body := body.(type) {
	case string:
		source = body
	case *string:
		if body != nil {
			source = *body
		}
	}
	rendered, err := markdown.HTML(source)
	if err != nil {
		return err
	}
	rendered = strings.TrimSpace(rendered)
	if form != "text" {
		payload["body_html"] = rendered
	}
	if form != "html" {
		payload["body_text"] = strings.TrimSpace(html.UnescapeString(tags.ReplaceAllString(rendered, "")))
	}
	if form != "full" {
		delete(payload, "body")
	}
	return nil
}
