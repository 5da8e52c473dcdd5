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
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/jonboulle/clockwork"
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
	// firstPart of a small body is counted before it arrives, and then as much again as has arrived, so slow senders hold little room.
	firstPart = 4 << 10
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

// Authenticate stands before Dispatch, and passes on only what is signed with the secret. The older signature X-Hub-Signature (SHA-1) is
// not enough:
//
//   - Without a well-formed X-Hub-Signature-256 the body is not read.
//   - Bodies are read within a fixed budget of memory. What is beyond it gets 503 with Retry-After: GitHub records a failed
//     delivery, and Colony asks for that again.
//   - The signature is computed while the body arrives, and compared in constant time.
//
// A delivery id that is not like GitHub's is replaced by its hash, as it becomes part of ids and subjects in the queue. counted is
// called once for each webhook. The log tells of refused ones at most once in a minute for each answer: anyone can send them.
func Authenticate(secret string, next http.Handler, counted func(Answer), clock clockwork.Clock, log zerolog.Logger) http.Handler {
	key := []byte(secret)
	return &authenticator{
		next: next, counted: counted, refusals: newRefusals(clock, log), small: semaphore.NewWeighted(smallBodies), large: semaphore.NewWeighted(largeBodies),
		readers: sync.Pool{New: func() any { return &reader{mac: hmac.New(sha256.New, key)} }},
	}
}

type authenticator struct {
	next         http.Handler
	counted      func(Answer)
	refusals     *refusals
	small, large *semaphore.Weighted
	readers      sync.Pool
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
	room, part := &share{room: a.small}, min(r.ContentLength, firstPart)
	if r.ContentLength < 0 || r.ContentLength > smallBody { // -1: it does not say how large it is
		room.room, part = a.large, r.ContentLength
	}
	if part < 0 {
		part = MaxBody
	}
	defer room.release()

	one, _ := a.readers.Get().(*reader)
	defer func() {
		one.reset()
		a.readers.Put(one)
	}()
	err := errBusy
	if room.grow(part) {
		err = one.read(http.MaxBytesReader(w, r.Body, MaxBody), max(r.ContentLength, 0), room)
	}
	tooLarge := (*http.MaxBytesError)(nil)
	switch {
	case errors.Is(err, errBusy):
		w.Header().Set("Retry-After", strconv.Itoa(bodyRetryAfter))
		a.refuse(w, r, http.StatusServiceUnavailable, AnswerBusy, "Too many webhooks are being read. Send it again later.")
		return
	case errors.As(err, &tooLarge):
		a.refuse(w, r, http.StatusRequestEntityTooLarge, AnswerTooLarge, "The body is larger than GitHub's largest.")
		return
	case err != nil:
		a.refuse(w, r, http.StatusBadRequest, AnswerUnreadable, "The body could not be read.")
		return
	case !hmac.Equal(one.mac.Sum(nil), signature):
		a.refuse(w, r, http.StatusBadRequest, AnswerForged, "The signature does not match: is the webhook's secret the one that Colony has?")
		return
	}
	r.Body = newVerifiedBody(one.body)
	if guid := r.Header.Get("X-GitHub-Delivery"); !likeGitHubs(guid) {
		r.Header.Set("X-GitHub-Delivery", fitDelivery(guid))
	}
	answer := &answerWriter{ResponseWriter: w, status: http.StatusOK}
	defer func() { a.counted(answer.meaning()) }()
	a.next.ServeHTTP(answer, r)
}

func (a *authenticator) refuse(w http.ResponseWriter, r *http.Request, status int, answer Answer, why string) {
	a.counted(answer)
	a.refusals.tell(r.Header, status, answer)
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

// errBusy says that the bodies in memory leave no room for more of one.
var errBusy = errors.New("too many webhooks are being read")

// share is what one body holds of the room for bodies.
type share struct {
	room *semaphore.Weighted
	held int64
}

// grow holds more, or reports that there is no room.
func (s *share) grow(to int64) bool {
	if !s.room.TryAcquire(to - s.held) {
		return false
	}
	s.held = to
	return true
}

func (s *share) release() { s.room.Release(s.held) }

// reader reads a body and computes its signature meanwhile. It is used again for another body.
type reader struct {
	mac  hash.Hash
	body []byte
}

// keptBody is how large a body may be whose memory is used for the next one: nearly all are smaller.
const keptBody = 64 << 10

func (b *reader) reset() {
	b.mac.Reset()
	if b.body = b.body[:0]; cap(b.body) > keptBody {
		b.body = nil
	}
}

// read reads a body of a known size, or of any size where that is 0, into the room that it has and gets.
func (b *reader) read(from io.Reader, size int64, room *share) error {
	for {
		if size > 0 && room.held < size && int64(len(b.body)) == room.held && !room.grow(min(2*room.held, size)) {
			return errBusy
		}
		if size > 0 {
			b.body = slices.Grow(b.body, int(room.held)+bytes.MinRead-len(b.body)) // with room to find the end without growing
		} else if len(b.body) == cap(b.body) {
			b.body = slices.Grow(b.body, bytes.MinRead)
		}
		had, until := len(b.body), cap(b.body)
		if room.held < size {
			until = int(room.held)
		}
		n, err := from.Read(b.body[had:until])
		b.body = b.body[:had+n]
		b.mac.Write(b.body[had:])
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err //nolint:wrapcheck // its type matters
		}
	}
}

// likeGitHubs reports whether a delivery's id has only what GitHub's have.
func likeGitHubs(guid string) bool {
	const longest = 64
	for _, b := range []byte(guid) {
		if (b < '0' || b > '9') && (b < 'A' || b > 'Z') && (b < 'a' || b > 'z') && b != '-' {
			return false
		}
	}
	return len(guid) <= longest
}

func fitDelivery(guid string) string {
	if likeGitHubs(guid) {
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
