package handlers

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"mime"
	"net/http"
	"net/url"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jonboulle/clockwork"
	"github.com/palantir/go-githubapp/githubapp"
	"github.com/rs/zerolog"
	"golang.org/x/sync/semaphore"
)

// MaxBody is GitHub's cap on a webhook's body, in bytes:
// https://docs.github.com/webhooks/webhook-events-and-payloads#payload-cap.
const MaxBody = 25 << 20

// answerTime is the time that a webhook's handler has. GitHub gives up after 10 seconds
// (https://docs.github.com/webhooks/using-webhooks/best-practices-for-using-webhooks).
const answerTime = 8 * time.Second

// How many bytes of bodies are in memory at a time, from all senders together. Nearly every webhook has less than smallBody, so a few
// large bodies, which anyone can send, keep no other webhook waiting.
const (
	smallBody      = 256 << 10
	smallBodies    = 16 << 20
	largeBodies    = 32 << 20
	bodyRetryAfter = 10 // seconds; GitHub does not read it, others do
)

// Answer is what became of a webhook, for counting.
type Answer string

// The answers. Each is also in AnswerMeanings.
const (
	AnswerTaken      Answer = "taken"
	AnswerUnsigned   Answer = "unsigned"
	AnswerForged     Answer = "forged"
	AnswerUnreadable Answer = "unreadable"
	AnswerTooLarge   Answer = "too_large"
	AnswerBusy       Answer = "busy"
	AnswerFull       Answer = "full"
	AnswerFailed     Answer = "failed"
)

// AnswerMeanings has the meaning of each answer, and what to do about the answers that are logged, in the order of the answers.
var AnswerMeanings = []struct {
	Answer  Answer
	Meaning string
	Do      string
}{
	{AnswerTaken, "2xx", ""},
	{
		AnswerUnsigned, "400: no valid X-Hub-Signature-256",
		"set the secret of the App's settings, General, Webhook, to that of github.app.webhook_secret; if it is set, someone else sends webhooks",
	},
	{
		AnswerForged, "400: signed with another secret",
		"compare github.app.webhook_secret with the secret of the App's settings, General, Webhook; if they are the same, someone else sends webhooks",
	},
	{AnswerUnreadable, "400: signed, but cut off or not GitHub's", "does a proxy cut bodies off or change them?"},
	{AnswerTooLarge, "413: larger than GitHub sends", "let only GitHub's addresses reach the webhook"},
	{AnswerBusy, "503: too many other webhooks in memory", "nothing: the next sweep requests it again; if it stays, let only GitHub's addresses reach the webhook"},
	{AnswerFull, "503: the queue is full", ""},
	{AnswerFailed, "500", ""},
}

// Webhook returns what GitHub sends webhooks to. It hands a webhook to the handler of its event if it is signed with the secret. It answers
// as go-githubapp's dispatcher does, but that one copies the body and computes its signature a second time. The older signature
// X-Hub-Signature (SHA-1) is not enough:
//
//   - Without a well-formed X-Hub-Signature-256 the body is not read.
//   - Bodies are read within a fixed budget of memory. Webhooks beyond it get 503 with Retry-After: GitHub records a failed
//     delivery, and Colony asks for that again.
//   - The signature is computed while the body arrives, and compared in constant time at its end.
//   - The memory of a body is used again: it is the handler's until that returns.
//
// A handler runs before its webhook is answered: a task that it published is safe when it returns, and its error makes GitHub record a failed
// delivery that can be redelivered. (The schedulers of go-githubapp that answer first keep events in memory.)
//
// A delivery id that is not like GitHub's is replaced by its hash, as it becomes part of ids and subjects in the queue. counted is
// called once for each webhook. The log tells of webhooks that are not signed at most once in a minute for each answer: anyone can send them.
func Webhook(secret string, all []githubapp.EventHandler, counted func(Answer), clock clockwork.Clock, log zerolog.Logger) http.Handler {
	key := []byte(secret)
	g := &gate{
		handlers: map[string]githubapp.EventHandler{}, counted: counted, log: log, refusals: newRefusals(clock, log),
		small: semaphore.NewWeighted(smallBodies), large: semaphore.NewWeighted(largeBodies),
		bodies: sync.Pool{New: func() any { return &body{mac: hmac.New(sha256.New, key)} }},
	}
	for _, h := range all {
		for _, event := range h.Handles() { // one handler an event; see All
			g.handlers[event] = h
		}
	}
	return g
}

type gate struct {
	handlers     map[string]githubapp.EventHandler
	counted      func(Answer)
	log          zerolog.Logger
	refusals     *refusals
	small, large *semaphore.Weighted
	bodies       sync.Pool
}

func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	signature, ok := signatureOf(r.Header)
	switch {
	case !ok:
		g.refuse(w, r, http.StatusBadRequest, AnswerUnsigned, "The header X-Hub-Signature-256 has to hold the signature: set the webhook's secret in the App's settings.")
		return
	case r.ContentLength > MaxBody:
		g.refuseBody(w, r, &http.MaxBytesError{Limit: MaxBody})
		return
	}
	b, _ := g.bodies.Get().(*body)
	defer g.bodies.Put(b)
	defer b.release()
	if err := b.read(http.MaxBytesReader(w, r.Body, MaxBody), g, r.ContentLength, signature); err != nil {
		g.refuseBody(w, r, err)
		return
	}
	r.Header.Set("X-GitHub-Delivery", fitDelivery(r.Header.Get("X-GitHub-Delivery")))
	handled, err := g.handle(r, b)
	if err != nil {
		g.fail(w, r, err)
		return
	}
	g.counted(AnswerTaken)
	githubapp.DefaultResponseCallback(w, r, r.Header.Get("X-GitHub-Event"), handled)
}

// handle calls the handler of a webhook's event, if there is one.
func (g *gate) handle(r *http.Request, b *body) (handled bool, err error) {
	event, guid := r.Header.Get("X-GitHub-Event"), r.Header.Get("X-GitHub-Delivery")
	if event == "" {
		return false, githubapp.ValidationError{DeliveryID: guid, Cause: errors.New("missing event type")}
	}
	payload, err := b.payload(r.Header.Get("Content-Type"))
	if err != nil {
		return false, githubapp.ValidationError{EventType: event, DeliveryID: guid, Cause: err}
	}
	h, handled := g.handlers[event]
	if !handled {
		return false, nil
	}
	ctx, cancel := context.WithTimeout(r.Context(), answerTime)
	defer cancel()
	defer func() {
		if v := recover(); v != nil {
			g.log.Error().Interface("panic", v).Bytes("stack", debug.Stack()).Msg("a webhook's handler panicked")
			err = fmt.Errorf("panic: %v", v)
		}
	}()
	return true, h.Handle(ctx, event, guid, payload) //nolint:wrapcheck // its type matters
}

// fail answers a webhook that is signed and not accepted.
func (g *gate) fail(w http.ResponseWriter, r *http.Request, err error) {
	var invalid githubapp.ValidationError
	answer, status, level := AnswerFailed, http.StatusInternalServerError, zerolog.ErrorLevel
	switch {
	case errors.As(err, &invalid):
		answer, status, level, err = AnswerUnreadable, http.StatusBadRequest, zerolog.WarnLevel, invalid.Cause
	case errors.Is(err, githubapp.ErrCapacityExceeded):
		answer, status = AnswerFull, http.StatusServiceUnavailable
	}
	g.counted(answer)
	event := r.Header.Get("X-GitHub-Event")
	g.log.WithLevel(level).Err(err).Str("event", event[:min(len(event), longestEvent)]).Str("delivery", r.Header.Get("X-GitHub-Delivery")).
		Int("status", status).Msg("a webhook cannot be accepted")
	http.Error(w, http.StatusText(status), status)
}

// refuseBody answers a webhook whose body was not read to a right end.
func (g *gate) refuseBody(w http.ResponseWriter, r *http.Request, err error) {
	tooLarge := (*http.MaxBytesError)(nil)
	switch {
	case errors.Is(err, errBusy):
		w.Header().Set("Retry-After", strconv.Itoa(bodyRetryAfter))
		g.refuse(w, r, http.StatusServiceUnavailable, AnswerBusy, "Too many webhooks are being read. Send it again later.")
	case errors.As(err, &tooLarge):
		g.refuse(w, r, http.StatusRequestEntityTooLarge, AnswerTooLarge, "The body is larger than GitHub's largest.")
	case errors.Is(err, errForged):
		g.refuse(w, r, http.StatusBadRequest, AnswerForged, "The signature does not match: is the webhook's secret the one that Colony has?")
	default:
		g.refuse(w, r, http.StatusBadRequest, AnswerUnreadable, "The webhook could not be read.")
	}
}

func (g *gate) refuse(w http.ResponseWriter, r *http.Request, status int, answer Answer, why string) {
	g.counted(answer)
	g.refusals.tell(r.Header, status, answer)
	http.Error(w, why, status)
}

// signatureOf returns the bytes of a well-formed signature:
// https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries.
func signatureOf(h http.Header) ([]byte, bool) {
	given := h.Values("X-Hub-Signature-256")
	if len(given) != 1 {
		return nil, false
	}
	text, ok := strings.CutPrefix(given[0], "sha256=")
	if !ok || len(text) != hex.EncodedLen(sha256.Size) {
		return nil, false
	}
	signature, err := hex.DecodeString(text)
	return signature, err == nil
}

var (
	errBusy   = errors.New("the bodies in memory leave no room for more of this one")
	errForged = errors.New("the signature does not match")
)

// body is a webhook's body in memory. It is used again for another webhook.
type body struct {
	bytes.Buffer
	from io.Reader
	mac  hash.Hash
	room *semaphore.Weighted
	held int64
}

// keptBody is how large a body can be whose memory is used for the next one: nearly all are smaller.
const keptBody = 64 << 10

func (b *body) release() {
	b.room.Release(b.held)
	b.held, b.from = 0, nil
	b.mac.Reset()
	b.Reset()
	if b.Cap() > keptBody {
		b.Buffer = bytes.Buffer{}
	}
}

// read reads a body to its end. A large one, or one that does not say its size (-1), holds room for all of it first; a small one holds
// room for the bytes that have arrived, so slow senders hold little.
func (b *body) read(from io.Reader, g *gate, size int64, signature []byte) error {
	b.from, b.room = from, g.small
	if size < 0 || size > smallBody {
		if b.room = g.large; size < 0 {
			size = MaxBody
		}
		if !b.hold(size) {
			return errBusy
		}
		b.Grow(int(size) + bytes.MinRead)
	}
	if _, err := b.ReadFrom(counting{b}); err != nil {
		return err //nolint:wrapcheck // its type matters
	}
	if !hmac.Equal(b.mac.Sum(nil), signature) {
		return errForged
	}
	return nil
}

func (b *body) hold(to int64) bool {
	if !b.room.TryAcquire(to - b.held) {
		return false
	}
	b.held = to
	return true
}

// counting reads a body, and holds room and computes the signature for what arrives.
type counting struct{ *body }

func (c counting) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.mac.Write(p[:n])
	if read := int64(c.Len() + n); read > c.held && !c.hold(read) {
		return 0, errBusy
	}
	return n, err //nolint:wrapcheck // its type matters
}

// payload returns the JSON of a body. A webhook can be set up to send it as a form:
// https://docs.github.com/webhooks/webhook-events-and-payloads#delivery-headers.
func (b *body) payload(contentType string) ([]byte, error) {
	switch contentType, _, err := mime.ParseMediaType(contentType); {
	case err != nil:
		return nil, err //nolint:wrapcheck // it says all that is to be said
	case contentType == "application/json":
		return b.Bytes(), nil
	case contentType != "application/x-www-form-urlencoded":
		return nil, fmt.Errorf("a webhook has no content of the type %.100q", contentType)
	}
	form, err := url.ParseQuery(b.String())
	return []byte(form.Get("payload")), err
}

// fitDelivery returns a delivery's id, or its hash if it has what GitHub's have not.
func fitDelivery(guid string) string {
	const longest = 64
	unlike := func(c rune) bool {
		return (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && c != '-'
	}
	if len(guid) <= longest && !strings.ContainsFunc(guid, unlike) {
		return guid
	}
	digest := sha256.Sum256([]byte(guid))
	return "sha256-" + hex.EncodeToString(digest[:16])
}
