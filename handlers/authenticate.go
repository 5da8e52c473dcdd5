package handlers

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/rs/zerolog"
	"golang.org/x/sync/semaphore"
)

// MaxBody is GitHub's cap on a webhook's body, in bytes:
// https://docs.github.com/webhooks/webhook-events-and-payloads#payload-cap.
const MaxBody = 25 << 20

// How many bytes of bodies are in memory at once, from all senders together. Nearly every webhook has less than smallBody, so that a few
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

// AnswerMeanings says what each answer means, in the order of the answers.
var AnswerMeanings = []struct {
	Answer  Answer
	Meaning string
}{
	{AnswerTaken, "2xx"},
	{AnswerUnsigned, "400: no X-Hub-Signature-256, or none that can be right"},
	{AnswerForged, "400: signed with another secret"},
	{AnswerUnreadable, "400: signed, but not as GitHub writes it, or cut off"},
	{AnswerTooLarge, "413: larger than GitHub sends"},
	{AnswerBusy, "503: too many bytes of other webhooks in memory"},
	{AnswerFull, "503: the queue is full"},
	{AnswerFailed, "500"},
}

// Authenticate stands before go-githubapp's dispatcher, which reads a body whole before it knows who sent it, and takes the older
// signature X-Hub-Signature (SHA-1) too. Authenticate passes on only what is signed with the secret:
//
//   - Without a well-formed X-Hub-Signature-256 the body is not read.
//   - Bodies are read within a fixed budget of memory. What is beyond it gets 503 with Retry-After: GitHub records a failed
//     delivery, and Colony asks for that again.
//   - The signature is computed while the body arrives, and compared in constant time.
//
// A delivery id that is not like GitHub's is replaced by its hash, as it becomes part of ids and subjects in the queue. counted is
// called once for each webhook.
func Authenticate(secret string, next http.Handler, counted func(Answer)) http.Handler {
	return &authenticator{
		secret: []byte(secret), next: next, counted: counted,
		small: semaphore.NewWeighted(smallBodies), large: semaphore.NewWeighted(largeBodies),
	}
}

type authenticator struct {
	secret       []byte
	next         http.Handler
	counted      func(Answer)
	small, large *semaphore.Weighted
}

// ServeHTTP implements http.Handler.
func (a *authenticator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	signature, ok := signatureOf(r.Header)
	switch {
	case !ok:
		a.refuse(w, r, http.StatusBadRequest, AnswerUnsigned, "The header X-Hub-Signature-256 has to hold the signature: set the webhook's secret in the App's settings.")
		return
	case r.ContentLength > MaxBody:
		a.refuse(w, r, http.StatusRequestEntityTooLarge, AnswerTooLarge, "The body is larger than GitHub's largest.")
		return
	}
	room, size := a.small, r.ContentLength
	if size < 0 || size > smallBody { // -1: it does not say how large it is
		room = a.large
	}
	if size < 0 {
		size = MaxBody
	}
	if !room.TryAcquire(size) {
		w.Header().Set("Retry-After", strconv.Itoa(bodyRetryAfter))
		a.refuse(w, r, http.StatusServiceUnavailable, AnswerBusy, "Too many webhooks are being read. Send it again later.")
		return
	}
	defer room.Release(size)

	mac := hmac.New(sha256.New, a.secret)
	body, err := readSigned(http.MaxBytesReader(w, r.Body, MaxBody), max(r.ContentLength, 0), mac)
	tooLarge := (*http.MaxBytesError)(nil)
	switch {
	case errors.As(err, &tooLarge):
		a.refuse(w, r, http.StatusRequestEntityTooLarge, AnswerTooLarge, "The body is larger than GitHub's largest.")
		return
	case err != nil:
		a.refuse(w, r, http.StatusBadRequest, AnswerUnreadable, "The body could not be read.")
		return
	case !hmac.Equal(mac.Sum(nil), signature):
		a.refuse(w, r, http.StatusBadRequest, AnswerForged, "The signature does not match: is the webhook's secret the one that Colony has?")
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	r.Header.Set("X-GitHub-Delivery", fitDelivery(r.Header.Get("X-GitHub-Delivery")))
	answer := &answerWriter{ResponseWriter: w, status: http.StatusOK}
	defer func() { a.counted(answer.meaning()) }()
	a.next.ServeHTTP(answer, r)
}

func (a *authenticator) refuse(w http.ResponseWriter, r *http.Request, status int, answer Answer, why string) {
	a.counted(answer)
	const longest = 100
	said := r.Header.Get("X-GitHub-Event")
	zerolog.Ctx(r.Context()).Warn().Str("event", said[:min(len(said), longest)]).Str("delivery", fitDelivery(r.Header.Get("X-GitHub-Delivery"))).
		Int("status", status).Str("because", string(answer)).Msg("a webhook is refused")
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

// readSigned reads a body of a known size, or of any size where that is 0, and computes its signature meanwhile.
func readSigned(from io.Reader, size int64, mac hash.Hash) ([]byte, error) {
	body := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead)) // with room to find the end without growing
	_, err := body.ReadFrom(io.TeeReader(from, mac))
	return body.Bytes(), err
}

var likeGitHubs = regexp.MustCompile(`^[0-9A-Za-z-]{0,64}$`)

func fitDelivery(guid string) string {
	if likeGitHubs.MatchString(guid) {
		return guid
	}
	digest := sha256.Sum256([]byte(guid))
	return "sha256-" + hex.EncodeToString(digest[:16])
}

// answerWriter remembers the status.
type answerWriter struct {
	http.ResponseWriter
	status int
}

// WriteHeader implements http.ResponseWriter.
func (w *answerWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap is for http.ResponseController.
func (w *answerWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *answerWriter) meaning() Answer {
	switch {
	case w.status < http.StatusMultipleChoices:
		return AnswerTaken
	case w.status == http.StatusServiceUnavailable:
		return AnswerFull
	case w.status < http.StatusInternalServerError:
		return AnswerUnreadable
	}
	return AnswerFailed
}
