package described

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/colony-app/colony/app/api"
)

// Read expects an answer that is no error, and returns what it says.
func Read[A any](t testing.TB, answer *httptest.ResponseRecorder) (a A) {
	t.Helper()
	if answer.Code != http.StatusOK {
		t.Fatalf("answered %d %s", answer.Code, answer.Body)
	}
	if err := json.Unmarshal(answer.Body.Bytes(), &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// Refused expects an error with a status and a sentence.
func Refused(t testing.TB, answer *httptest.ResponseRecorder, status int, says string) {
	t.Helper()
	var e api.Error
	if err := json.Unmarshal(answer.Body.Bytes(), &e); err != nil || answer.Code != status || !strings.Contains(e.Error, says) || !strings.HasSuffix(e.Error, ".") {
		t.Errorf("answered %d %s, not %d with %q", answer.Code, answer.Body, status, says)
	}
	if kind := answer.Header().Get("Content-Type"); kind != "application/json" {
		t.Errorf("an error is %s", kind)
	}
}
