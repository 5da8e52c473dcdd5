package cli

import (
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v4"
)

// Without an App in the flags the playground makes one. Its key authenticates it, and is gone in the end.
func TestPlaygroundMakesAnApp(t *testing.T) {
	folder := t.TempDir()
	alone := start(t, true, []string{"TMPDIR=" + folder}, "playground", "--address", "127.0.0.1:0", "--webhook-url", "http://127.0.0.1:1/")
	base := addressOf.FindString(alone.until(t, "REST API"))
	file := strings.Fields(alone.until(t, "private key"))[2]
	secret := strings.Fields(alone.until(t, "webhook secret"))[2]
	if set := alone.until(t, "COLONY_GITHUB_APP_WEBHOOK_SECRET"); !strings.HasSuffix(set, "="+secret) || len(secret) < 16 {
		t.Errorf("the secret is %s, and Colony is told %s", secret, set)
	}
	if set := alone.until(t, "COLONY_GITHUB_APP_PRIVATE_KEY_FILE"); !strings.HasSuffix(set, "="+file) {
		t.Errorf("the key is in %s, and Colony is told %s", file, set)
	}
	alone.until(t, "Ctrl-C ends it")
	pem, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	key, err := jwt.ParseRSAPrivateKeyFromPEM(pem)
	if err != nil {
		t.Fatal(err)
	}
	token, err := jwt.NewWithClaims(jwt.SigningMethodRS256, jwt.RegisteredClaims{
		Issuer: "1", IssuedAt: jwt.NewNumericDate(time.Now().Add(-time.Minute)), ExpiresAt: jwt.NewNumericDate(time.Now().Add(5 * time.Minute)),
	}).SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	if status, body := getWith(t, base+"/api/v3/app", token); status != http.StatusOK || !regexp.MustCompile(`"slug":\s*"colony"`).MatchString(body) {
		t.Errorf("the App is answered with %d: %s", status, body)
	}
	alone.signal(t, os.Interrupt)
	if err := alone.exits(); err != nil {
		t.Errorf("it ended with %v", err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("it left %v behind: %v", left, err)
	}
}
