package handlers

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
	"github.com/palantir/go-githubapp/githubapp"
)

// delivery is one webhook as GitHub sent it
// (https://docs.github.com/webhooks/webhook-events-and-payloads#delivery-headers).
type delivery struct {
	event string // X-GitHub-Event
	guid  string // X-GitHub-Delivery; GitHub keeps it when it delivers again
	body  []byte
}

// asEncodingJSON takes what encoding/json takes, in one pass: that one checks a payload before it decodes it, which takes half as long again.
var asEncodingJSON = json.JoinOptions(jsonv1.DefaultOptionsV1(), jsonv1.ReportErrorsWithLegacySemantics(false))

// read decodes the fields that a handler declares, some hundred bytes of thirteen kilobytes and more, and skips all others. A body that cannot
// be read is a githubapp.ValidationError, which Webhook answers with 400: the failure shows in GitHub's delivery log, and a redelivery brings
// the same body.
func (d delivery) read(into any) error {
	if err := json.Unmarshal(d.body, into, asEncodingJSON); err != nil {
		return githubapp.ValidationError{
			EventType:  d.event,
			DeliveryID: d.guid,
			Cause:      fmt.Errorf("read the payload of %d bytes: %w", len(d.body), withoutContent(err)),
		}
	}
	return nil
}

// withoutContent says where a body is wrong without quoting it, as the decoder does: bodies are never logged.
func withoutContent(err error) error {
	var wrongType *json.SemanticError
	var wrongSyntax *jsontext.SyntacticError
	switch {
	case errors.As(err, &wrongSyntax):
		return fmt.Errorf("not JSON at byte %d", wrongSyntax.ByteOffset)
	case errors.As(err, &wrongType) && wrongType.GoType != reflect.TypeFor[time.Time]():
		return fmt.Errorf("field %q cannot be a %s", strings.Join(slices.Collect(wrongType.JSONPointer.Tokens()), "."), wrongType.GoType)
	default:
		return errors.New("a time is not in RFC 3339")
	}
}

// identity tells deliveries apart: the same one sent again has the same identity, another body under the same GUID
// has not.
func (d delivery) identity() string {
	digest := sha256.Sum256(d.body)
	return fmt.Sprintf("%s/%x", d.guid, digest[:8])
}
