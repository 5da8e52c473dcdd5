package page

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/google/go-github/v62/github"
	"github.com/gregjones/httpcache"
	lru "github.com/hashicorp/golang-lru/v2"
)

// cachedAnswers is how many REST answers are kept for each login, to be asked for again conditionally: an answer that
// did not change costs nothing of the login's rate limit, however often the page looks.
const cachedAnswers = 512

// errCut is what a call is answered with that the playground cuts off (playground.FaultCut).
var errCut = errors.New("the connection was closed without an answer")

// inProcess answers requests by calling a handler, without a network between.
type inProcess struct{ handler http.Handler }

// RoundTrip never returns both an answer and an error, as http.RoundTripper demands.
func (t inProcess) RoundTrip(r *http.Request) (response *http.Response, err error) {
	r = r.Clone(r.Context())
	if r.Body == nil {
		r.Body = http.NoBody
	}
	answer := &recorder{header: http.Header{}, status: http.StatusOK}
	defer func() {
		if cut := recover(); cut != nil {
			if cut != http.ErrAbortHandler { //nolint:errorlint // net/http compares it so, too
				panic(cut)
			}
			response, err = nil, errCut
		}
	}()
	t.handler.ServeHTTP(answer, r)
	return &http.Response{
		Status: fmt.Sprintf("%d %s", answer.status, http.StatusText(answer.status)), StatusCode: answer.status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: answer.header,
		Body: io.NopCloser(&answer.body), ContentLength: int64(answer.body.Len()), Request: r,
	}, nil
}

// recorder keeps an answer. It is an http.ResponseWriter for handlers that call WriteHeader once, before Write.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *recorder) Header() http.Header    { return a.header }
func (a *recorder) WriteHeader(status int) { a.status = status }

func (a *recorder) Write(text []byte) (int, error) {
	return a.body.Write(text) //nolint:wrapcheck // never fails
}

// signedIn puts a login's token on each request, and has what is cached checked again before it is used.
type signedIn struct {
	page  *page
	login string
	next  http.RoundTripper
}

// RoundTrip asks for the token each time: the playground knows best whether the login still exists.
func (t signedIn) RoundTrip(r *http.Request) (*http.Response, error) {
	token, err := t.page.token(r.Context(), r.URL.Host, t.login)
	if err != nil {
		return nil, err
	}
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Cache-Control", "max-age=0")
	response, err := t.next.RoundTrip(r)
	if err != nil {
		return nil, err //nolint:wrapcheck // a transport in between
	}
	defer response.Body.Close()
	// httpcache keeps an answer when its body was read to the end, which a JSON decoder need not do.
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, fmt.Errorf("read the answer: %w", err)
	}
	response.Body = io.NopCloser(bytes.NewReader(body))
	return response, nil
}

// token is one that acts as the login. It fails for accounts that no one can act as: organizations, the bots of registered Apps, and logins that do
// not exist.
func (g *page) token(ctx context.Context, host, login string) (string, error) {
	if login == "" {
		return "", errNobody
	}
	var answer struct{ Token string }
	if err := g.control(ctx, host, http.MethodPost, "/tokens", map[string]string{"login": login}, &answer); err != nil {
		return "", fmt.Errorf("act as %s: %w", login, err)
	}
	return answer.Token, nil
}

// control calls the playground's control API. Nil answer: the call returns none.
func (g *page) control(ctx context.Context, host, method, path string, body, answer any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("call the control %s: %w", path, err)
	}
	address := url.URL{Scheme: "http", Host: host, Path: "/playground" + path}
	request, err := http.NewRequestWithContext(ctx, method, address.String(), bytes.NewReader(text))
	if err != nil {
		return fmt.Errorf("call the control %s: %w", path, err)
	}
	response, err := inProcess{g.api}.RoundTrip(request)
	if err != nil {
		return fmt.Errorf("call the control %s: %w", path, err)
	}
	defer response.Body.Close()
	if response.StatusCode >= http.StatusBadRequest {
		var refused struct{ Message string }
		if err := json.NewDecoder(response.Body).Decode(&refused); err != nil {
			return fmt.Errorf("call the control %s: status %d", path, response.StatusCode)
		}
		return errors.New(refused.Message)
	}
	if answer == nil {
		return nil
	}
	if err := json.NewDecoder(response.Body).Decode(answer); err != nil {
		return fmt.Errorf("call the control %s: %w", path, err)
	}
	return nil
}

// as is a client of the REST API that acts as a login. It is for one visit: a go-github client that has met a rate
// limit refuses to ask again, and the playground's limits come and go.
func (g *page) as(host, login string) *github.Client {
	client := github.NewClient(&http.Client{Transport: g.transport(login)})
	client.BaseURL = &url.URL{Scheme: "http", Host: host, Path: "/"}
	return client
}

func (g *page) transport(login string) http.RoundTripper {
	g.mu.Lock()
	defer g.mu.Unlock()
	if known := g.transports[login]; known != nil {
		return known
	}
	answers, err := lru.New[string, []byte](cachedAnswers)
	if err != nil {
		panic("page: " + err.Error()) // only for a size below one
	}
	cache := httpcache.NewTransport(answerCache{answers})
	cache.Transport = inProcess{g.api}
	made := signedIn{page: g, login: login, next: cache}
	g.transports[login] = made
	return made
}

// answerCache is a bounded httpcache.Cache.
type answerCache struct{ *lru.Cache[string, []byte] }

// Set keeps an answer.
func (c answerCache) Set(key string, answer []byte) { c.Add(key, answer) }

// Delete forgets an answer.
func (c answerCache) Delete(key string) { c.Remove(key) }
