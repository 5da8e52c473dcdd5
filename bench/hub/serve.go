package hub

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// call is one call about issues.
type call struct {
	method string
	path   []string // below /repos/{owner}/{repo}/issues
	query  url.Values
	body   []byte
}

// answer is what the hub says to a call.
type answer struct {
	status int
	body   []byte
	link   string
}

const issuesPath = "/api/v3/repos/" + Owner + "/" + Repository + "/issues"

func (h *Hub) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // nobody is left to tell
	}
	h.mu.Lock()
	live, options := h.live, h.options
	if live {
		h.count(r.Method)
	}
	h.mu.Unlock()
	if !live {
		h.delegate(w, r, body)
		return
	}
	defer func() {
		h.mu.Lock()
		h.inFlight--
		h.mu.Unlock()
	}()
	if options.Latency > 0 {
		select {
		case <-time.After(options.Latency):
		case <-r.Context().Done():
			return
		}
	}
	rest, own := strings.CutPrefix(r.URL.EscapedPath(), issuesPath)
	if !own {
		h.delegate(w, r, body)
		return
	}
	h.answerIssues(w, r, rest, body)
}

// count counts a call. The caller holds the lock.
func (h *Hub) count(method string) {
	h.inFlight++
	h.stats.InFlight = max(h.stats.InFlight, h.inFlight)
	h.stats.Calls++
	if method == http.MethodGet {
		h.stats.Reads++
	} else {
		h.stats.Writes++
	}
}

func (h *Hub) answerIssues(w http.ResponseWriter, r *http.Request, rest string, body []byte) {
	c := call{method: r.Method, query: r.URL.Query(), body: body}
	for part := range strings.SplitSeq(strings.Trim(rest, "/"), "/") {
		plain, err := url.PathUnescape(part)
		if err == nil && plain != "" {
			c.path = append(c.path, plain)
		}
	}
	_, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	h.mu.Lock()
	var a answer
	switch {
	case !h.tokens[token]:
		a = refusal(http.StatusUnauthorized, "Bad credentials")
	case h.limits():
		h.limit(time.Now())
		w.Header().Set("Retry-After", "1")
		a = refusal(http.StatusForbidden, "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.")
	default:
		a = h.route(c)
	}
	if a.status == http.StatusNotImplemented {
		h.refused[r.Method+" "+r.URL.Path]++
	}
	if r.Method != http.MethodGet {
		close(h.changed)
		h.changed = make(chan struct{})
	}
	h.stats.Bytes += int64(len(a.body))
	h.mu.Unlock()
	h.write(w, r, token, a)
}

// limit counts a limit of a second. The caller holds the lock.
func (h *Hub) limit(now time.Time) {
	h.stats.Limited++
	until := now.Add(time.Second)
	if now.After(h.limitedUntil) {
		h.limitedUntil = now
	}
	h.stats.LimitedFor += until.Sub(h.limitedUntil)
	h.limitedUntil = until
}

// limits reports whether this call is one that fails. The caller holds the lock.
func (h *Hub) limits() bool {
	h.asked++ // not the number of calls: of those under way at once each would see the same
	return h.options.LimitEvery > 0 && h.asked%h.options.LimitEvery == 0
}

// write sends an answer, with GitHub's headers and its "not modified".
func (h *Hub) write(w http.ResponseWriter, r *http.Request, token string, a answer) {
	header := w.Header()
	header.Set("Server", "github.com")
	header.Set("X-GitHub-Media-Type", "github.v3; format=json")
	header.Set("X-GitHub-Request-Id", "C0DE:1234:56789A:BCDEF0:6743F1A2")
	header.Set("X-RateLimit-Limit", "1073741824")
	header.Set("X-RateLimit-Remaining", "1073741000")
	header.Set("X-RateLimit-Used", "824")
	header.Set("X-RateLimit-Reset", strconv.FormatInt(time.Now().Add(time.Hour).Unix(), 10))
	header.Set("X-RateLimit-Resource", "core")
	header.Set("Content-Type", "application/json; charset=utf-8")
	if r.Method == http.MethodGet && a.status == http.StatusOK {
		sum := fnv.New128a()
		_, _ = io.WriteString(sum, token) // never fails
		_, _ = sum.Write(a.body)
		tag := fmt.Sprintf(`W/"%x"`, sum.Sum(nil))
		header.Set("ETag", tag)
		header.Set("Cache-Control", "private, max-age=60, s-maxage=60")
		header.Set("Vary", "Accept, Authorization, Cookie, X-GitHub-OTP,Accept-Encoding, Accept, X-Requested-With")
		if r.Header.Get("If-None-Match") == tag {
			h.mu.Lock()
			h.stats.Unmodified++
			h.stats.Bytes -= int64(len(a.body))
			h.mu.Unlock()
			header.Del("Content-Type")
			w.WriteHeader(http.StatusNotModified)
			return
		}
		if a.link != "" {
			header.Set("Link", a.link)
		}
	}
	header.Set("Content-Length", strconv.Itoa(len(a.body)))
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body) // the client may be gone
}

func refusal(status int, message string) answer {
	text, _ := json.Marshal(object{"message": message, "documentation_url": "https://docs.github.com/rest", "status": strconv.Itoa(status)}) // strings
	return answer{status: status, body: text}
}

// delegate lets the playground answer. Of what does not change the answer is kept.
func (h *Hub) delegate(w http.ResponseWriter, r *http.Request, body []byte) {
	r.Body = io.NopCloser(bytes.NewReader(body))
	if !strings.HasSuffix(r.URL.Path, "/access_tokens") {
		h.behind.ServeHTTP(w, r)
		return
	}
	heard := &listener{ResponseWriter: w}
	h.behind.ServeHTTP(heard, r)
	var issued struct {
		Token string `json:"token"`
	}
	if json.Unmarshal(heard.text, &issued) == nil && issued.Token != "" {
		h.mu.Lock()
		h.tokens[issued.Token] = true
		h.mu.Unlock()
	}
}

// listener keeps what is written.
type listener struct {
	http.ResponseWriter
	text []byte
}

func (l *listener) Write(text []byte) (int, error) {
	l.text = append(l.text, text...)
	return l.ResponseWriter.Write(text) //nolint:wrapcheck // a writer returns what it got
}
