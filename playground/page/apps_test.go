package page_test

import (
	"html"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// A person creates an App of a manifest that another site's form brings, and installs it.
func TestAppIsCreatedAndInstalled(t *testing.T) {
	w := newWorld(t)
	const text = `{"name":"Helper","url":"https://example.com","redirect_url":"http://127.0.0.1:9999/created","default_permissions":{"issues":"write"},"default_events":["issues"]}`
	post := func(path string, form url.Values, header ...string) *http.Response {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.base+path, strings.NewReader(form.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		for i := 0; i < len(header); i += 2 {
			request.Header.Set(header[i], header[i+1])
		}
		response, err := http.DefaultTransport.RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { response.Body.Close() })
		return response
	}
	elsewhere := []string{"Sec-Fetch-Site", "cross-site", "Origin", "https://example.com"}

	form := url.Values{"manifest": {text}}
	for path, owner := range map[string]string{"/settings/apps/new?state=s7": "alice", "/organizations/acme/settings/apps/new?state=s7": "acme"} {
		response := post(path, form, elsewhere...)
		body := read(t, response)
		if response.StatusCode != http.StatusOK || !strings.Contains(body, "Create GitHub App for "+owner) || !strings.Contains(body, `value="s7"`) {
			t.Errorf("%s: %s\n%s", path, response.Status, body)
		}
		if policy := response.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "form-action 'self' http://127.0.0.1:9999;") {
			t.Errorf("the browser may not return: %s", policy)
		}
	}
	response := post("/organizations/acme/settings/apps/new", url.Values{"manifest": {strings.Replace(text, `"issues"]`, `"push"]`, 1)}}, elsewhere...)
	if body := read(t, response); response.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(body, "Error: Default events are not supported by permissions: push") {
		t.Errorf("a bad manifest: %s\n%s", response.Status, body)
	}

	confirm := url.Values{"owner": {"acme"}, "name": {"Helper"}, "state": {"s7"}, "manifest": {text}}
	if response := post("/-/apps", confirm, elsewhere...); response.StatusCode != http.StatusForbidden {
		t.Errorf("another site created an App: %s", response.Status)
	}
	confirm.Set("name", "colony")
	response = post("/-/apps", confirm)
	if body := read(t, response); response.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(body, "Name is already taken") || !strings.Contains(body, `value="colony"`) {
		t.Errorf("a name that is taken: %s\n%s", response.Status, body)
	}
	confirm.Set("name", "Helper")
	response = post("/-/apps", confirm)
	back, err := response.Location()
	if err != nil || response.StatusCode != http.StatusFound || back.Host != "127.0.0.1:9999" || back.Query().Get("state") != "s7" || back.Query().Get("code") == "" {
		t.Fatalf("%s, to %v", response.Status, back)
	}

	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.base+"/apps/helper/installations/new", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	response, err = w.browser.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	if body := read(t, response); !strings.Contains(body, "Install Helper") || !strings.Contains(body, "<option selected>acme") {
		t.Errorf("%s\n%s", response.Status, body)
	}
	response = post("/-/installations", url.Values{"slug": {"helper"}, "account": {"alice"}, "selection": {"all"}})
	if body := read(t, response); response.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(body, "only acme can install it") {
		t.Errorf("a private App: %s\n%s", response.Status, body)
	}
	response = post("/-/installations", url.Values{"slug": {"helper"}, "account": {"acme"}, "selection": {"selected"}})
	if body := read(t, response); response.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(body, "choose a repository") {
		t.Errorf("no repository: %s\n%s", response.Status, body)
	}
	response = post("/-/installations", url.Values{"slug": {"helper"}, "account": {"acme"}, "selection": {"selected"}, "repository": {"acme/shop"}})
	if response.StatusCode != http.StatusSeeOther || response.Header.Get("Location") != "/acme" {
		t.Errorf("%s, to %s", response.Status, response.Header.Get("Location"))
	}
}

func read(t *testing.T, response *http.Response) string {
	t.Helper()
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return html.UnescapeString(string(text))
}
