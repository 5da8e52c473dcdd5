package client

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/gregjones/httpcache"
	"github.com/klauspost/compress/s2"
	"github.com/maypok86/otter/v2"

	"github.com/colony-app/colony/bounded"
)

const (
	// answersBytes bounds what is kept of GitHub's answers, of all installations together. They are packed to about a quarter of their
	// size: this is enough for about 1,000 issues with a pull request each.
	answersBytes = 16 << 20
	// maxAnswer bounds one answer that is kept, before it is packed.
	maxAnswer = 4 << 20
	// largestAnswer is the most bytes that Colony reads of an answer: a page of 100 issues or comments, each with 65,536 characters of four
	// bytes, has less.
	largestAnswer = 32 << 20
	// answerOverhead is about what an entry costs in addition to its key and its text.
	answerOverhead = 256
)

// conditional makes the reads of one installation conditional, by httpcache. It always asks GitHub, and uses an answer again only if GitHub
// says by its tag that it still holds
// (https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api#use-conditional-requests-if-appropriate).
func conditional(whole wholeAnswers, kept *otter.Cache[string, []byte], installation int64) http.RoundTripper {
	return pastOwnConditions{&httpcache.Transport{Transport: whole, Cache: installationAnswers{kept, strconv.FormatInt(installation, 10) + " "}, MarkCachedResponses: true}}
}

// pastOwnConditions lets a read with a condition of its own pass the cache, which would replace its "not modified" by an older answer.
type pastOwnConditions struct{ *httpcache.Transport }

func (t pastOwnConditions) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.Header.Get("If-None-Match") != "" {
		return t.Transport.Transport.RoundTrip(request) //nolint:wrapcheck // a round tripper returns what it got
	}
	return t.Transport.RoundTrip(request) //nolint:wrapcheck // a round tripper returns what it got
}

// newAnswers makes room for the answers to all installations. When more arrive than fit, it keeps the most used.
func newAnswers() *otter.Cache[string, []byte] {
	return bounded.ByWeight(answersBytes, func(key string, packed []byte) int { return answerOverhead + len(key) + len(packed) })
}

// installationAnswers are the answers to one installation (0: to the App itself). An answer to one never reaches another.
type installationAnswers struct {
	kept   *otter.Cache[string, []byte]
	prefix string // of the installation's keys
}

func (a installationAnswers) Get(address string) ([]byte, bool) {
	packed, there := a.kept.GetIfPresent(a.prefix + address)
	text, err := s2.Decode(nil, packed)
	return text, there && err == nil
}

func (a installationAnswers) Set(address string, text []byte) {
	a.kept.Set(a.prefix+address, bytes.Clone(s2.Encode(nil, essence(text))))
}

func (a installationAnswers) Delete(address string) { a.kept.Invalidate(a.prefix + address) }

// essential are the headers that an answer is used again by. A "not modified" brings the others again.
var essential = []string{"Cache-Control: ", "Content-Length: ", "Content-Type: ", "Etag: ", "Link: ", "Vary: ", "X-Varied-"}

// essence leaves out the other headers of an answer, which weigh as much as many a body.
func essence(text []byte) []byte {
	head, body, _ := bytes.Cut(text, []byte("\r\n\r\n"))
	lines := bytes.Split(head, []byte("\r\n"))
	kept := slices.DeleteFunc(lines[1:], func(line []byte) bool {
		return !slices.ContainsFunc(essential, func(name string) bool { return bytes.HasPrefix(line, []byte(name)) })
	})
	return slices.Concat(bytes.Join(lines[:1+len(kept)], []byte("\r\n")), []byte("\r\n\r\n"), body)
}

// wholeAnswers reads each answer whole, which frees its connection for the next call even if the caller does not read the answer. It tells the
// cache in front of it which answers to keep, and to ask GitHub before using one.
type wholeAnswers struct {
	next    http.RoundTripper
	timeout time.Duration // of a call, its answer included; an http.Client's timer would outlive an answer that go-github makes an error of
}

func (w wholeAnswers) RoundTrip(request *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(request.Context(), w.timeout)
	defer cancel()
	response, err := w.next.RoundTrip(request.WithContext(ctx))
	if err != nil {
		return nil, err //nolint:wrapcheck // a round tripper returns what it got
	}
	text, err := bounded.Read(response.Body, "the answer of "+request.URL.Host, largestAnswer)
	_ = response.Body.Close() // it was read
	if err != nil {
		return nil, err
	}
	response.Body, response.ContentLength, response.TransferEncoding = wholeBody{bytes.NewReader(text)}, int64(len(text)), nil
	keeps := "no-store"
	if response.StatusCode == http.StatusNotModified || isKept(request, response, text) {
		keeps = "no-cache" // keep it, and ask before it is used
	}
	response.Header.Set("Cache-Control", keeps)
	return response, nil
}

// isKept reports whether an answer can be used again: a success, with a tag.
func isKept(request *http.Request, response *http.Response, text []byte) bool {
	return response.StatusCode == http.StatusOK && response.Header.Get("Etag") != "" && len(text) <= maxAnswer &&
		!strings.Contains(response.Header.Get("Cache-Control"), "no-store") && !isFullEnd(request, response, text)
}

// isFullEnd reports whether an answer is the last page of a list, and full. GitHub says "not modified" of it after another page came, and
// does not tell of that page (https://github.com/app-sre/github-mirror/pull/57), so Colony must read it without a condition.
func isFullEnd(request *http.Request, response *http.Response, text []byte) bool {
	if !bytes.HasPrefix(text, []byte("[")) || strings.Contains(response.Header.Get("Link"), `rel="next"`) {
		return false // an object has a count of what is in it
	}
	var items []jsontext.Value
	err := json.Unmarshal(text, &items)
	return err != nil || strconv.Itoa(len(items)) == cmp.Or(request.URL.Query().Get("per_page"), "30")
}

// wholeBody is a body in memory. It returns io.EOF with its last bytes: a decoder of one value reads no further, and httpcache keeps only what
// was read to its end.
type wholeBody struct{ *bytes.Reader }

func (b wholeBody) Read(into []byte) (int, error) {
	n, err := b.Reader.Read(into)
	if err == nil && b.Len() == 0 {
		err = io.EOF
	}
	return n, err
}

func (wholeBody) Close() error { return nil }
