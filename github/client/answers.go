package client

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/maypok86/otter/v2"

	"github.com/colony-app/colony/github/ratelimit"
)

const (
	// answersBytes bounds what is kept of GitHub's answers, of all installations together. They are packed to about a quarter of their
	// size, so that this is enough for about 1,500 issues with a pull request each.
	answersBytes = 16 << 20
	// maxAnswer bounds one answer, before it is packed.
	maxAnswer = 4 << 20
	// answerKeptFor is how long an answer is kept that nobody asks for. It is of use for as long as its token, an hour.
	answerKeptFor = 70 * time.Minute
	// answerOverhead is about what an entry costs beside its key and its text.
	answerOverhead = 256
)

// answerStore keeps GitHub's answers for conditional requests (https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api#use-conditional-requests-if-appropriate).
// It bounds their bytes in total, and which of them it keeps does not turn over when more are read than there is room for: what
// stays is still "not modified" next time. It is safe for concurrent use.
type answerStore struct {
	kept   *otter.Cache[answerID, answer]
	pack   *zstd.Encoder
	unpack *zstd.Decoder
}

// answerID is what was asked for, and for which installation (0: for the App itself): an answer to one never reaches another.
type answerID struct {
	installation int64
	url          string
}

// answer is what GitHub answered, with its headers.
type answer struct {
	etag   string
	packed []byte
}

func newAnswerStore() *answerStore {
	// Only what does not go together is an error of these three.
	pack, packErr := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
		zstd.WithWindowSize(64<<10), zstd.WithLowerEncoderMem(true))
	unpack, unpackErr := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxMemory(2*maxAnswer))
	kept, keptErr := otter.New(&otter.Options[answerID, answer]{
		MaximumWeight: answersBytes,
		Weigher: func(key answerID, a answer) uint32 {
			return uint32(answerOverhead + len(key.url) + len(a.etag) + len(a.packed))
		},
		ExpiryCalculator: otter.ExpiryAccessing[answerID, answer](answerKeptFor),
		Executor:         func(do func()) { do() }, // the bound holds as soon as something is kept
	})
	if err := errors.Join(packErr, unpackErr, keptErr); err != nil {
		panic(fmt.Sprintf("make the store of GitHub's answers: %v", err))
	}
	return &answerStore{kept: kept, pack: pack, unpack: unpack}
}

// installationAnswers are the answers to one installation. What it got with one token may be read with the next, if GitHub says by
// the answer's tag that it still holds.
type installationAnswers struct {
	store        *answerStore
	installation int64
}

// Get implements httpcache.Cache.
func (c installationAnswers) Get(address string) ([]byte, bool) {
	a, there := c.store.kept.GetIfPresent(answerID{c.installation, address})
	if !there {
		return nil, false
	}
	text, err := c.store.unpack.DecodeAll(a.packed, nil)
	return text, err == nil
}

// Set implements httpcache.Cache. Nothing but success is kept: a failure would come back with each "not modified" that somebody's own
// condition gets.
func (c installationAnswers) Set(address string, text []byte) {
	key := answerID{c.installation, address}
	etag := headerOf(text, "Etag")
	if !isOK(text) || etag == "" || len(text) > maxAnswer || mayGrow(address, text) {
		c.store.kept.Invalidate(key)
		return
	}
	if a, there := c.store.kept.GetIfPresent(key); there && a.etag == etag {
		return
	}
	c.store.kept.Set(key, answer{etag, bytes.Clone(c.store.pack.EncodeAll(essence(text), nil))})
}

// Delete implements httpcache.Cache, and does nothing: what is kept is used only if GitHub says by its tag that it still holds. The
// cache calls it after each "not modified": see keepUnmodified.
func (c installationAnswers) Delete(string) {}

// essential are the headers that make an answer usable again: those by which it is validated, paged and framed.
var essential = []string{
	"Cache-Control", "Connection", "Content-Length", "Content-Type", "Etag", "Last-Modified", "Link", "Transfer-Encoding", "Vary", "X-Varied-",
}

// essence leaves out the other headers of an answer, which weigh as much as many a body. GitHub gives them anew with each "not modified".
func essence(text []byte) []byte {
	head, body, _ := bytes.Cut(text, []byte("\r\n\r\n"))
	status, headers, _ := bytes.Cut(head, []byte("\r\n"))
	kept := append(make([]byte, 0, len(text)), status...)
	for header := range bytes.SplitSeq(headers, []byte("\r\n")) {
		if slices.ContainsFunc(essential, func(name string) bool { return bytes.HasPrefix(header, []byte(name)) }) {
			kept = append(append(kept, "\r\n"...), header...)
		}
	}
	return append(append(kept, "\r\n\r\n"...), body...)
}

func isOK(text []byte) bool {
	_, status, _ := bytes.Cut(text, []byte(" "))
	return bytes.HasPrefix(status, []byte("200 "))
}

// headerOf returns a header of an answer as it is sent.
func headerOf(text []byte, name string) string {
	head, _, _ := bytes.Cut(text, []byte("\r\n\r\n"))
	_, rest, there := bytes.Cut(head, []byte("\r\n"+name+": "))
	if !there {
		return ""
	}
	value, _, _ := bytes.Cut(rest, []byte("\r\n"))
	return string(value)
}

// mayGrow reports whether an answer is a full page that was the last of a list. GitHub says "not modified" of it after another page
// came, and does not tell of that page (https://github.com/app-sre/github-mirror/pull/57), so it must be read without a condition.
func mayGrow(address string, text []byte) bool {
	at, err := url.Parse(address)
	if err != nil {
		return true
	}
	_, body, _ := bytes.Cut(text, []byte("\r\n\r\n"))
	if !bytes.HasPrefix(body, []byte("[")) || strings.Contains(headerOf(text, "Link"), `rel="next"`) {
		return false // an object has a count of what is in it
	}
	var items []json.RawMessage
	if json.Unmarshal(body, &items) != nil {
		return true
	}
	return fmt.Sprint(len(items)) == cmp.Or(at.Query().Get("per_page"), "30")
}

// keepUnmodified lets the cache leave what it has as it is when GitHub answers that nothing changed: it would write the same again.
func keepUnmodified(next http.RoundTripper) http.RoundTripper {
	return ratelimit.RoundTripperFunc(func(request *http.Request) (*http.Response, error) {
		response, err := next.RoundTrip(request)
		if err == nil && response.StatusCode == http.StatusNotModified {
			response.Header.Set("Cache-Control", "no-store")
		}
		return response, err //nolint:wrapcheck // a round tripper returns what it got
	})
}
