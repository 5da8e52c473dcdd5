package cli

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v4"
	"github.com/google/go-cmp/cmp"
)

// GitHub's API describes the App of a playground as it is, over TLS too.
func TestPlaygroundWithAnAppOfOnesOwn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "key.pem")
	pem := newKey()
	if err := os.WriteFile(file, pem, 0o600); err != nil {
		t.Fatal(err)
	}
	trust := filepath.Join(t.TempDir(), "trust")
	alone := start(t, true, nil, "playground", "--address", "127.0.0.1:0", "--app-id", "8", "--private-key", file, "--slug", "helper",
		"--permission", "issues=write", "--permission", "contents=read", "--event", "issues", "--event", "label",
		"--install", "acme/widgets", "--tls-dir", trust, "--tls-address", "127.0.0.1:0")
	secured := regexp.MustCompile(`https://[0-9.:]+`).FindString(alone.until(t, "over TLS"))
	if said := alone.until(t, "to be trusted"); !strings.Contains(said, filepath.Join(trust, "ca.pem")) {
		t.Errorf("it does not say which certificate to trust: %s", said)
	}
	alone.until(t, "Ctrl-C ends it")

	authority, err := os.ReadFile(filepath.Join(trust, "ca.pem"))
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(authority)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}}}
	key, err := jwt.ParseRSAPrivateKeyFromPEM(pem)
	if err != nil {
		t.Fatal(err)
	}
	token, err := jwt.NewWithClaims(jwt.SigningMethodRS256, jwt.RegisteredClaims{
		Issuer: "8", IssuedAt: jwt.NewNumericDate(time.Now().Add(-time.Minute)), ExpiresAt: jwt.NewNumericDate(time.Now().Add(5 * time.Minute)),
	}).SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	read := func(path string) map[string]any {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, secured+"/api/v3"+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+token)
		response, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		if err != nil || response.StatusCode != http.StatusOK {
			t.Fatalf("GET %s: %s %v\n%s", path, response.Status, err, text)
		}
		var value map[string]any
		if err := json.Unmarshal(text, &value); err != nil {
			t.Fatal(err)
		}
		return value
	}
	app, installed := read("/app"), read("/repos/acme/widgets/installation")
	got := map[string]any{
		"slug": app["slug"], "permissions": app["permissions"], "events": app["events"], "selection": installed["repository_selection"],
	}
	want := map[string]any{
		"slug": "helper", "permissions": map[string]any{"issues": "write", "contents": "read", "metadata": "read"},
		"events": []any{"issues", "label"}, "selection": "selected",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	alone.signal(t, os.Interrupt)
	if err := alone.exits(); err != nil {
		t.Errorf("it ended with %v", err)
	}
}
