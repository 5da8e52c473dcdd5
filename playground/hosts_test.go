package playground_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/playground"
)

// listening starts a playground and returns what asks it by another name, and answers with the status.
func listening(t *testing.T, o playground.Options, start func(*playground.Playground) (string, error)) (p *playground.Playground, ask func(host, method, path, body string) int) {
	t.Helper()
	p = playground.New(o)
	base, err := start(p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	p.SetPage(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	client := &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
	}}
	at, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	return p, func(host, method, path, body string) int {
		t.Helper()
		request, err := http.NewRequestWithContext(context.Background(), method, base+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Host = strings.ReplaceAll(host, "PORT", at.Port())
		response, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		return response.StatusCode
	}
}

func onAddress(address string) func(*playground.Playground) (string, error) {
	return func(p *playground.Playground) (string, error) { return p.Start(address) }
}

// A web page can make its own name lead to this machine. Its requests then count as of one origin with the playground, in every
// browser, so that no header but Host tells of it.
func TestALoopbackPlaygroundRefusesForeignHosts(t *testing.T) {
	for way, start := range map[string]func(*playground.Playground) (string, error){
		"plain":        onAddress("127.0.0.1:0"),
		"by localhost": onAddress("localhost:0"),
		"over TLS":     func(p *playground.Playground) (string, error) { return p.StartTLS("127.0.0.1:0", t.TempDir()) },
	} {
		p, ask := listening(t, playground.Options{Hosts: []string{"github.test"}}, start)
		for host, want := range map[string]int{
			"127.0.0.1:PORT": http.StatusOK, "127.0.0.1": http.StatusOK, "127.1.2.3:1": http.StatusOK, "localhost:PORT": http.StatusOK, "LocalHost": http.StatusOK,
			"[::1]:PORT": http.StatusOK, "[::1]": http.StatusOK, "[::ffff:127.0.0.1]:PORT": http.StatusOK, "github.test:PORT": http.StatusOK, "GitHub.Test": http.StatusOK,
			"evil.example:PORT": 421, "evil.example": 421, "localhost.evil.example:PORT": 421, "127.0.0.1.evil.example": 421, "192.168.1.1:PORT": 421, "[::2]:PORT": 421,
			"0.0.0.0:PORT": 421, "evil.github.test": 421, "2130706433": 421, "localhost.": 421,
		} {
			for _, path := range []string{"/rate_limit", "/api/v3/rate_limit", "/playground/state", "/", "/acme/widgets/issues"} {
				if got := ask(host, "GET", path, ""); got != want {
					t.Errorf("%s: %s of %s: %d, want %d", way, path, host, got, want)
				}
			}
		}
		if got := ask("evil.example:PORT", "POST", "/playground/users", `{"login":"eve"}`); got != 421 || len(p.Users()) != 0 {
			t.Errorf("%s: by a foreign name: %d, users %v", way, got, p.Users())
		}
	}
}

// Where others are meant to reach it, it is called by names that it cannot know, unless it was told some.
func TestAPlaygroundForOthersIsCalledByAnyNameUnlessItWasToldSome(t *testing.T) {
	_, ask := listening(t, playground.Options{}, onAddress("0.0.0.0:0"))
	if got := ask("box.example:PORT", "GET", "/rate_limit", ""); got != http.StatusOK {
		t.Errorf("by any name: %d", got)
	}
	_, ask = listening(t, playground.Options{Hosts: []string{"box.example"}}, onAddress("0.0.0.0:0"))
	for host, want := range map[string]int{"box.example:PORT": http.StatusOK, "localhost:PORT": http.StatusOK, "evil.example:PORT": 421} {
		if got := ask(host, "GET", "/rate_limit", ""); got != want {
			t.Errorf("told a name, and asked by %s: %d, want %d", host, got, want)
		}
	}
}

// A playground on this machine must not carry what somebody put into a webhook to the other machines that this one reaches: not
// by an address, nor by a name that leads elsewhere when the webhook is sent.
func TestWebhooksSetUpOverHTTPStayOnThisMachine(t *testing.T) {
	text, err := x509.MarshalPKIXPublicKey(&key().PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	public := string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: text}))
	body := func(of map[string]any) string {
		text, err := json.Marshal(of)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for address, want := range map[string]int{
		"": http.StatusNoContent, "http://127.0.0.1:1/hook": http.StatusNoContent, "http://localhost:1/hook": http.StatusNoContent, "http://[::1]:1/": http.StatusNoContent,
		"http://app.test:1/":  http.StatusNoContent,
		"http://192.168.1.1/": http.StatusBadRequest, "http://169.254.169.254/latest": http.StatusBadRequest, "http://evil.example/": http.StatusBadRequest, "http://127.0.0.1@evil.example/": http.StatusBadRequest,
		"http://0.0.0.0:1/": http.StatusBadRequest, "http://localhost.evil.example/": http.StatusBadRequest, "http://2130706433/": http.StatusBadRequest, "//evil.example": http.StatusBadRequest, "http://[fe80::1]/": http.StatusBadRequest, "http://a b": http.StatusBadRequest,
	} {
		p, ask := listening(t, playground.Options{Hosts: []string{"app.test"}}, onAddress("127.0.0.1:0"))
		if err := p.RegisterApp(playground.App{ID: 7, Slug: "seven", PublicKey: &key().PublicKey, WebhookURL: "http://far.example/", WebhookSecret: "s3cret"}); err != nil {
			t.Fatal(err) // who runs the playground may name any host
		}
		if got := ask("localhost", "PUT", "/playground/apps/webhook-url", body(map[string]any{"app_id": 7, "url": address})); got != want {
			t.Errorf("set to %q: %d, want %d", address, got, want)
		}
		if got := ask("localhost", "POST", "/playground/apps", body(map[string]any{"id": 8, "slug": "eight", "public_key": public, "webhook_url": address, "webhook_secret": "s3cret"})); got != want {
			t.Errorf("registered with %q: %d, want %d", address, got, want)
		}
	}
}

// The App itself is as little trusted with other machines as the controls are.
func TestAnAppCannotSendItsWebhooksToOtherMachines(t *testing.T) {
	w := newWorld(t)
	for address, want := range map[string]int{"http://evil.example/": http.StatusUnprocessableEntity, "http://10.0.0.1/": http.StatusUnprocessableEntity, w.receiver: http.StatusOK} {
		config, response, err := w.app().Apps.UpdateHookConfig(context.Background(), &github.HookConfig{URL: &address})
		if response == nil || response.StatusCode != want {
			t.Errorf("to %s: %v %v", address, config, err)
		}
	}
	if config := must[*github.HookConfig](t)(w.app().Apps.GetHookConfig(context.Background())); config.GetURL() != w.receiver {
		t.Errorf("they go to %s", config.GetURL())
	}
}
