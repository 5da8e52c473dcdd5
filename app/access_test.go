package app_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/colony-app/colony/app/config"
)

// Wrong tokens of one address behind the proxy do not bound another's.
func TestWrongTokensAreBoundedByTheAddressThatTheProxyReports(t *testing.T) {
	t.Parallel()
	w := newAPIWorld(t, func(c *config.Config) { c.Server.TrustedProxies = []string{"192.0.2.0/24"} })
	asks := func(from, token string) int {
		request := httptest.NewRequest(http.MethodGet, "/api/v1/issues/acme/widgets/1", http.NoBody) // from 192.0.2.1
		request.Header.Set("Authorization", "Bearer "+token)
		request.Header.Set("X-Forwarded-For", "1.2.3.4, "+from)
		answer := httptest.NewRecorder()
		w.colony.server.Handler().ServeHTTP(answer, request)
		return answer.Code
	}
	for i := range 12 {
		want := http.StatusUnauthorized
		if i >= 10 {
			want = http.StatusServiceUnavailable
		}
		if got := asks("203.0.113.1", fmt.Sprintf("ghp_%036d", i)); got != want {
			t.Errorf("wrong token %d: %d", i, got)
		}
	}
	if got := asks("203.0.113.2", w.github.Token("pat")); got == http.StatusServiceUnavailable || got == http.StatusUnauthorized {
		t.Errorf("a right token from another address: %d", got)
	}
}
