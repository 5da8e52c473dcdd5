package handlers

import (
	"bytes"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"

	"github.com/palantir/go-githubapp/githubapp"
	"github.com/rs/zerolog"
)

// Dispatch hands what Authenticate passes on to the handler of its event. It answers as go-githubapp's dispatcher does, and calls that one's
// schedulers and handlers; but that one copies the body, and computes its signature, a second time. It takes nothing that Authenticate did
// not verify.
//
// The body is the handler's until the scheduler returns.
func Dispatch(all []githubapp.EventHandler, scheduler githubapp.Scheduler, log zerolog.Logger) http.Handler {
	d := &dispatcher{handlers: map[string]githubapp.EventHandler{}, scheduler: scheduler, log: log}
	for _, h := range all {
		for _, event := range h.Handles() { // one handler an event; see All
			d.handlers[event] = h
		}
	}
	return d
}

type dispatcher struct {
	handlers  map[string]githubapp.EventHandler
	scheduler githubapp.Scheduler
	log       zerolog.Logger
}

// ServeHTTP implements http.Handler.
func (d *dispatcher) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	event, guid := r.Header.Get("X-GitHub-Event"), r.Header.Get("X-GitHub-Delivery")
	body, verified := r.Body.(*verifiedBody)
	switch {
	case !verified:
		d.refuse(w, r, errors.New("nobody verified the signature"))
		return
	case event == "":
		d.refuse(w, r, githubapp.ValidationError{DeliveryID: guid, Cause: errors.New("missing event type")})
		return
	}
	payload, err := body.payload(r.Header.Get("Content-Type"))
	if err != nil {
		d.refuse(w, r, githubapp.ValidationError{EventType: event, DeliveryID: guid, Cause: err})
		return
	}
	d.log.Debug().Str(githubapp.LogKeyEventType, event).Str(githubapp.LogKeyDeliveryID, guid).Msg("webhook received")
	h, known := d.handlers[event]
	if known {
		if err := d.scheduler.Schedule(r.Context(), githubapp.Dispatch{Handler: h, EventType: event, DeliveryID: guid, Payload: payload}); err != nil {
			d.refuse(w, r, err)
			return
		}
	}
	githubapp.DefaultResponseCallback(w, r, event, known)
}

// refuse answers and logs an error.
func (d *dispatcher) refuse(w http.ResponseWriter, r *http.Request, err error) {
	event := r.Header.Get("X-GitHub-Event")
	log := d.log.With().Str(githubapp.LogKeyEventType, event[:min(len(event), longestEvent)]).Str(githubapp.LogKeyDeliveryID, r.Header.Get("X-GitHub-Delivery")).Logger()
	githubapp.DefaultErrorCallback(w, r.WithContext(log.WithContext(r.Context())), err)
}

// verifiedBody is a body whose signature Authenticate verified.
type verifiedBody struct {
	bytes.Reader
	whole []byte
}

func newVerifiedBody(body []byte) *verifiedBody {
	b := &verifiedBody{whole: body}
	b.Reset(body)
	return b
}

// Close implements io.Closer.
func (*verifiedBody) Close() error { return nil }

// payload returns the JSON of a body. A webhook can be set up to send it as a form:
// https://docs.github.com/webhooks/webhook-events-and-payloads#delivery-headers.
func (b *verifiedBody) payload(contentType string) ([]byte, error) {
	if contentType == "application/json" {
		return b.whole, nil
	}
	switch contentType, _, err := mime.ParseMediaType(contentType); {
	case err != nil:
		return nil, err //nolint:wrapcheck // it says all that is to be said
	case contentType == "application/json":
		return b.whole, nil
	case contentType != "application/x-www-form-urlencoded":
		return nil, fmt.Errorf("a webhook has no content of the type %q", contentType)
	}
	form, err := url.ParseQuery(string(b.whole))
	return []byte(form.Get("payload")), err
}
