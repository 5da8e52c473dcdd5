package client

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/gregjones/httpcache"
	"github.com/maypok86/otter/v2"

	"github.com/colony-app/colony/github/ratelimit"
)

const anAddress = "https://api.github.test/repos/acme/widgets/issues?per_page=2"

// an answer as GitHub sends it, which lets it be used for a minute without asking; with the tag of its text unless its headers say another.
func an(status int, body string, headers ...string) *http.Response {
	response := &http.Response{StatusCode: status, ProtoMajor: 2, ContentLength: -1, Body: io.NopCloser(strings.NewReader(body)), Header: http.Header{
		"Etag": {tagOf(body)}, "Cache-Control": {"private, max-age=60, s-maxage=60"}, "Date": {time.Now().UTC().Format(http.TimeFormat)},
		"Vary": {"Accept, Authorization, Cookie, X-GitHub-OTP,Accept-Encoding, Accept, X-Requested-With"},
	}}
	for i := 0; i < len(headers); i += 2 {
		response.Header.Set(headers[i], headers[i+1])
	}
	return response
}

func tagOf(body string) string { return fmt.Sprintf("W/%q", body) }

// reader reads for an installation.
type reader struct {
	testing.TB
	kept         *otter.Cache[string, []byte]
	installation int64
}

// get asks for an address, which GitHub answers so. It returns what came of it, and the condition that GitHub was told.
func (r reader) get(address string, answer *http.Response, headers ...string) (response *http.Response, body, condition string) {
	r.Helper()
	github := ratelimit.RoundTripperFunc(func(request *http.Request) (*http.Response, error) {
		condition = request.Header.Get("If-None-Match")
		answer.Request = request
		return answer, nil
	})
	request := httptest.NewRequest(http.MethodGet, address, http.NoBody)
	request.Header.Set("Authorization", "token x")
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	before := request.Header.Clone()
	response, err := conditional(wholeAnswers{github, time.Minute}, r.kept, r.installation).RoundTrip(request)
	if err != nil {
		r.Fatal(err)
	}
	if !reflect.DeepEqual(request.Header, before) {
		r.Errorf("the headers of the request are %v now", request.Header)
	}
	text, _ := io.ReadAll(response.Body)
	if err := response.Body.Close(); err != nil {
		r.Error(err)
	}
	return response, string(text), condition
}

// GitHub's "not modified" must not bring back an answer that failed, or one after which there may be more by now.
func TestWhichAnswersAreKept(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status  int
		body    string
		headers []string
		kept    bool
	}{
		{200, "[1]", nil, true},
		{200, "[]", nil, true},
		{200, `[{"a":[1,2]}]`, nil, true},
		{200, `[ "a\\\",b" ]`, nil, true},
		{200, `{"total_count":2}`, nil, true},
		{200, "[1,2]", []string{"Link", `<https://api.github.test/2>; rel="next"`}, true},
		{200, "[1,2]", []string{"Link", `<https://api.github.test/1>; rel="prev"`}, false},
		{200, "[3,2]", nil, false},
		{200, `[{"a":1},{"b":2}]`, nil, false},
		{200, `["a","b"]`, nil, false},
		{200, `[{"a":`, nil, false},               // it does not end
		{200, `["a`, nil, false},                  // nor does this
		{200, "[1]", []string{"Etag", ""}, false}, // without a tag there is no condition
		{200, "[1]", []string{"Cache-Control", "private, no-store"}, false},
		{500, "", nil, false},
		{404, "{}", nil, false},
		{200, `"` + strings.Repeat("x", maxAnswer) + `"`, nil, false},
	} {
		r := reader{t, newAnswers(), 1}
		r.get(anAddress, an(200, "[0]"))
		for range 2 {
			if _, body, _ := r.get(anAddress, an(c.status, c.body, c.headers...)); body != c.body {
				t.Errorf("%d %.80q came as %.80q", c.status, c.body, body)
			}
		}
		_, _, condition := r.get(anAddress, an(500, ""))
		if kept := condition != ""; kept != c.kept || kept && condition != tagOf(c.body) {
			t.Errorf("%d %.80q: GitHub is asked on the condition %q; it is to be kept: %t", c.status, c.body, condition, c.kept)
		}
	}
}

// An answer that breaks off is an error for the caller, and is not kept.
func TestAnAnswerThatBreaksOff(t *testing.T) {
	t.Parallel()
	r := reader{t, newAnswers(), 1}
	gone := errors.New("the connection is gone")
	github := ratelimit.RoundTripperFunc(func(*http.Request) (*http.Response, error) {
		answer := an(200, "[1]")
		answer.Body = io.NopCloser(io.MultiReader(strings.NewReader("[1]"), iotest.ErrReader(gone)))
		return answer, nil
	})
	request := httptest.NewRequest(http.MethodGet, anAddress, http.NoBody)
	request.Header.Set("Authorization", "token x")
	if response, err := conditional(wholeAnswers{github, time.Minute}, r.kept, r.installation).RoundTrip(request); !errors.Is(err, gone) {
		t.Errorf("%v and %v came", response, err)
	}
	if _, _, condition := r.get(anAddress, an(200, "[1]")); condition != "" {
		t.Errorf("GitHub is asked on the condition %q", condition)
	}
}

// What is kept stands in the place of "not modified": with the headers that the caller needs of it, and those that GitHub gave anew.
func TestAnAnswerUsedAgain(t *testing.T) {
	t.Parallel()
	const next = `<https://api.github.test/2>; rel="next"`
	r := reader{t, newAnswers(), 1}
	r.get(anAddress, an(200, "[1]", "Link", next, "Content-Type", "application/json", "X-RateLimit-Remaining", "9", "Server", "github.com"))
	for range 2 {
		response, body, condition := r.get(anAddress, an(304, "", "Etag", tagOf("[1]"), "X-RateLimit-Remaining", "8"))
		for name, want := range map[string]string{"Etag": tagOf("[1]"), "Link": next, "Content-Type": "application/json", "X-RateLimit-Remaining": "8", "Server": "", httpcache.XFromCache: "1"} {
			if is := response.Header.Get(name); is != want {
				t.Errorf("%s is %q, want %q", name, is, want)
			}
		}
		if body != "[1]" || condition != tagOf("[1]") || response.StatusCode != 200 {
			t.Errorf("%d %q on the condition %q came", response.StatusCode, body, condition)
		}
	}
	if response, body, _ := r.get(anAddress, an(200, "[7]")); body != "[7]" || response.Header.Get(httpcache.XFromCache) != "" {
		t.Errorf("%q came, with %v", body, response.Header)
	}
}

// GitHub's tags depend on the token and on the form that is asked for. A read with a condition of its own is left alone.
func TestWhoseAnswersAreUsedAgain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		headers   []string
		condition string
	}{
		{nil, tagOf("[1]")},
		{[]string{"Authorization", "token y"}, ""},
		{[]string{"Accept", "application/vnd.github.raw"}, ""},
		{[]string{"Cache-Control", "no-store"}, tagOf("[1]")},
		{[]string{"Cache-Control", "no-store", "If-None-Match", "mine"}, "mine"},
		{[]string{"If-None-Match", "mine"}, "mine"},
	} {
		r := reader{t, newAnswers(), 1}
		r.get(anAddress, an(200, "[1]"))
		if _, _, condition := r.get(anAddress, an(200, "[2]"), c.headers...); condition != c.condition {
			t.Errorf("with %q GitHub is asked on the condition %q, want %q", c.headers, condition, c.condition)
		}
	}
	r := reader{t, newAnswers(), 1}
	r.get(anAddress, an(200, "[1]"))
	if response, body, _ := r.get(anAddress, an(304, ""), "If-None-Match", "mine"); response.StatusCode != 304 || body != "" {
		t.Errorf("to a condition of its own came %d %q", response.StatusCode, body)
	}
}

// A token lasts an hour. What was read with the next one is kept for it, also where the text is the same.
func TestAnswersToTheNextToken(t *testing.T) {
	t.Parallel()
	r := reader{t, newAnswers(), 1}
	r.get(anAddress, an(200, "[1]"))
	r.get(anAddress, an(200, "[1]"), "Authorization", "token y")
	if _, body, condition := r.get(anAddress, an(304, ""), "Authorization", "token y"); body != "[1]" || condition != tagOf("[1]") {
		t.Errorf("%q came on the condition %q", body, condition)
	}
}

// One installation may not read what another may.
func TestAnswersOfOneInstallation(t *testing.T) {
	t.Parallel()
	store := newAnswers()
	one, other := reader{t, store, 1}, reader{t, store, 2}
	one.get(anAddress, an(200, "[1]"))
	if _, _, condition := other.get(anAddress, an(200, "[2]")); condition != "" {
		t.Errorf("another installation asks on the condition %q", condition)
	}
	if _, body, _ := one.get(anAddress, an(304, "")); body != "[1]" {
		t.Errorf("the installation itself got %q", body)
	}
}

// All answers together are bounded in bytes, also those of an installation that got none before; and of more than fit,
// read over and over in a cycle, the cache keeps as many as fit.
func TestAnswersAreBounded(t *testing.T) {
	t.Parallel()
	store := newAnswers()
	noise := rand.New(rand.NewPCG(1, 2))
	text := make([]byte, 40_000)
	const rounds, each, installations = 4, 300, 3 // 36 MB that do not pack well
	kept := 0
	for range rounds {
		kept = 0
		for installation := range int64(installations) {
			for n := range each {
				r, address := reader{t, store, installation}, fmt.Sprintf("https://api.github.test/%d", n)
				if _, there := (installationAnswers{store, fmt.Sprint(installation) + " "}).Get(address); there {
					kept++
					continue
				}
				for i := range text {
					text[i] = byte(' ' + noise.IntN(90))
				}
				r.get(address, an(200, string(text), "Etag", fmt.Sprint(n)))
				if weight := store.WeightedSize(); weight > answersBytes {
					t.Fatalf("%d bytes are kept, more than %d", weight, answersBytes)
				}
			}
		}
	}
	if share := float64(kept) / (each * installations); share < 0.3 {
		t.Errorf("%.0f %% of the answers are found again, want 30 %% at least", 100*share)
	}
}
