package page_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/colony-app/colony/playground"
)

var hiddenField = regexp.MustCompile(`<input type="hidden" name="([a-z_]+)" value="([^"]*)">`)

// A person lets an App act for them, on the page to which the App sends the browser, or does not.
func TestSigningInToAnApp(t *testing.T) {
	w := newWorld(t)
	const callback = "http://127.0.0.1:9999/callback"
	if err := w.RegisterApp(playground.App{ID: 8, Slug: "desk", Name: "The <Desk>", PublicKey: &key().PublicKey, CallbackURLs: []string{callback}, ClientSecret: "s"}); err != nil {
		t.Fatal(err)
	}
	handler := w.Handler()
	ask := func(method, path string, form url.Values, header ...string) *httptest.ResponseRecorder {
		t.Helper()
		request := httptest.NewRequest(method, w.base+path, strings.NewReader(form.Encode()))
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		for i := 0; i < len(header); i += 2 {
			request.Header.Set(header[i], header[i+1])
		}
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, request)
		return answer
	}
	asked := url.Values{"client_id": {playground.App{ID: 8}.ClientID()}, "redirect_uri": {callback}, "state": {"s7"}, "login": {"rita"}}
	page := ask(http.MethodGet, "/login/oauth/authorize?"+asked.Encode(), nil)
	body := page.Body.String()
	if page.Code != http.StatusOK || !strings.Contains(body, "Sign in to The &lt;Desk&gt;") || !strings.Contains(body, "<option selected>rita</option>") || strings.Contains(body, "colony[bot]</option><") {
		t.Errorf("%d: %s", page.Code, body)
	}
	if policy := page.Header().Get("Content-Security-Policy"); !strings.Contains(policy, "form-action 'self' http://127.0.0.1:9999;") {
		t.Errorf("the browser may not return: %s", policy)
	}
	if !strings.Contains(body, `href="http://127.0.0.1:9999/callback?error=access_denied`) {
		t.Errorf("one cannot cancel: %s", body)
	}
	form := url.Values{"account": {"rita"}}
	for _, field := range hiddenField.FindAllStringSubmatch(body, -1) {
		form.Set(field[1], field[2])
	}
	if answer := ask(http.MethodPost, "/login/oauth/authorize", form, "Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example"); answer.Code != http.StatusForbidden {
		t.Errorf("another site pressed the button: %d", answer.Code)
	}
	answer := ask(http.MethodPost, "/login/oauth/authorize", form)
	back, err := url.Parse(answer.Header().Get("Location"))
	if err != nil || answer.Code != http.StatusFound || !strings.HasPrefix(back.String(), callback+"?") || back.Query().Get("state") != "s7" || back.Query().Get("code") == "" {
		t.Errorf("%d, to %v", answer.Code, back)
	}

	for query, want := range map[string]string{
		"client_id=Iv1.0": "404 ",
		"client_id=" + playground.App{ID: 7}.ClientID():                                            "500 ", // colony has no callback URL
		asked.Encode() + "x&redirect_uri=x":                                                        "200 ", // the first counts
		"client_id=" + asked.Get("client_id") + "&redirect_uri=https%3A%2F%2Fevil.example&state=s": "303 " + callback + "?error=redirect_uri_mismatch",
	} {
		answer := ask(http.MethodGet, "/login/oauth/authorize?"+query, nil)
		if got := fmt.Sprint(answer.Code, " ", answer.Header().Get("Location")); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
}
