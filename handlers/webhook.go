package handlers

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
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

// AnswerMeanings says what each answer means, and what to do about those that the log tells, in the order of the answers.
var AnswerMeanings = []struct {
	Answer  Answer
	Meaning string
	Do      string
}{
	{AnswerTaken, "2xx", ""},
	{
		AnswerUnsigned, "400: no X-Hub-Signature-256, or none that can be right",
		"set the secret of the App's settings, General, Webhook, to that of github.app.webhook_secret; if it is set, someone else sends webhooks",
	},
	{
		AnswerForged, "400: signed with another secret",
		"compare github.app.webhook_secret with the secret of the App's settings, General, Webhook; if they are the same, someone else sends webhooks",
	},
	{AnswerUnreadable, "400: signed, but not as GitHub writes it, or cut off", "does a proxy cut bodies off or change them?"},
	{AnswerTooLarge, "413: larger than GitHub sends", "let only GitHub's addresses reach the webhook"},
	{AnswerBusy, "503: too many bytes of other webhooks in memory", "nothing: the next sweep requests it again; if it stays, let only GitHub's addresses reach the webhook"},
	{AnswerFull, "503: the queue is full", ""},
	{AnswerFailed, "500", ""},
}

// Webhook returns what GitHub sends webhooks to. It hands a webhook to go-githubapp's dispatcher, which calls one of the handlers, if it is
// signed with the secret. The older signature X-Hub-Signature (SHA-1) is not enough:
//
//   - Without a well-formed X-Hub-Signature-256 the body is not read.
//   - Bodies are read within a fixed budget of memory. Webhooks beyond it get 503 with Retry-After: GitHub records a failed
//     delivery, and Colony asks for that again.
//   - The signature is computed while the body arrives, and compared in constant time at its end.
//
// A handler runs before its webhook is answered: a task that it published is safe when it returns, and its error makes GitHub record a failed
// delivery that can be redelivered. (The schedulers of go-githubapp that answer first keep events in memory.)
//
// A delivery id that is not like GitHub's is replaced by its hash, as it becomes part of ids and subjects in the queue. counted is
// called once for each webhook. The log tells of webhooks that are not signed at most once in a minute for each answer: anyone can send them.
func Webhook(secret string, all []githubapp.EventHandler, counted func(Answer), clock clockwork.Clock, log zerolog.Logger) http.Handler {
	g := &gate{
		secret: []byte(secret), counted: counted, log: log, refusals: newRefusals(clock, log),
		small: semaphore.NewWeighted(smallBodies), large: semaphore.NewWeighted(largeBodies),
	}
	g.dispatcher = githubapp.NewEventDispatcher(all, "", githubapp.WithErrorCallback(g.fail), githubapp.WithResponseCallback(g.accept))
	return g
}

type gate struct {
	secret       []byte
	dispatcher   http.Handler // has no secret, so it takes a forged webhook too
	counted      func(Answer)
	log          zerolog.Logger
	refusals     *refusals
	small, large *semaphore.Weighted
}

// ServeHTTP implements http.Handler.
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
	b := &body{ReadCloser: http.MaxBytesReader(w, r.Body, MaxBody), mac: hmac.New(sha256.New, g.secret), signature: signature, room: g.small}
	defer b.release()
	if !b.holdLarge(g.large, r.ContentLength) {
		g.refuseBody(w, r, errBusy)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), answerTime)
	defer cancel()
	r = r.WithContext(ctx)
	r.Body = b
	r.Header.Del("X-Hub-Signature-256") // the dispatcher would compare them with the signature by its own secret
	r.Header.Del("X-Hub-Signature")
	r.Header.Set("X-GitHub-Delivery", fitDelivery(r.Header.Get("X-GitHub-Delivery")))
	defer func() {
		if v := recover(); v != nil {
			g.log.Error().Interface("panic", v).Bytes("stack", debug.Stack()).Msg("a webhook's handler panicked")
			g.fail(w, r, fmt.Errorf("panic: %v", v))
		}
	}()
	g.dispatcher.ServeHTTP(w, r)
}

// accept answers a webhook whose handler has returned, or that has none.
func (g *gate) accept(w http.ResponseWriter, r *http.Request, event string, handled bool) {
	g.counted(AnswerTaken)
	githubapp.DefaultResponseCallback(w, r, event, handled)
}

// fail answers a webhook that the dispatcher or its handler did not take.
func (g *gate) fail(w http.ResponseWriter, r *http.Request, err error) {
	if _, unverified := io.Copy(io.Discard, r.Body); unverified != nil { // the dispatcher reads no body without an event or of another type
		g.refuseBody(w, r, unverified)
		return
	}
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

// body is a webhook's body. It holds room for what arrives, and ends with an error unless the signature is right.
type body struct {
	io.ReadCloser
	mac        hash.Hash
	signature  []byte
	room       *semaphore.Weighted
	held, read int64
	err        error // how it ended; io.EOF: it is signed
}

// holdLarge holds room for all of a body that is large or does not say how large it is. It reports false if the room is taken.
func (b *body) holdLarge(room *semaphore.Weighted, size int64) bool {
	if size >= 0 && size <= smallBody {
		return true
	}
	if b.room = room; size < 0 {
		size = MaxBody
	}
	return b.hold(size)
}

func (b *body) hold(to int64) bool {
	if !b.room.TryAcquire(to - b.held) {
		return false
	}
	b.held = to
	return true
}

func (b *body) release() { b.room.Release(b.held) }

// Read implements io.Reader.
func (b *body) Read(p []byte) (n int, err error) {
	if b.err != nil {
		return 0, b.err
	}
	n, b.err = b.ReadCloser.Read(p)
	b.mac.Write(p[:n])
	b.read += int64(n)
	switch {
	case b.read > b.held && !b.hold(b.read):
		n, b.err = 0, errBusy
	case errors.Is(b.err, io.EOF) && !hmac.Equal(b.mac.Sum(nil), b.signature):
		n, b.err = 0, errForged
	}
	return n, b.err
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
