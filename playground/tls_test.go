package playground_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/playground"
)

func TestOverTLS(t *testing.T) {
	p := playground.New(playground.Options{})
	dir := filepath.Join(t.TempDir(), "trust")
	base, err := p.StartTLS("127.0.0.1:0", dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}()
	if !strings.HasPrefix(base, "https://127.0.0.1:") || p.BaseURL() != base {
		t.Errorf("it is at %s, and says %s", base, p.BaseURL())
	}
	p.AddUser("alice")
	pem, err := os.ReadFile(filepath.Join(dir, playground.CAFile))
	if err != nil {
		t.Fatal(err)
	}
	trusted := x509.NewCertPool()
	if !trusted.AppendCertsFromPEM(pem) {
		t.Fatalf("%s holds no certificate", pem)
	}
	client := func(roots *x509.CertPool) *github.Client {
		transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}
		t.Cleanup(transport.CloseIdleConnections)
		client, err := github.NewClient(&http.Client{Transport: transport}).WithAuthToken(p.Token("alice")).WithEnterpriseURLs(base, base)
		if err != nil {
			t.Fatal(err)
		}
		return client
	}
	if me := must[*github.User](t)(client(trusted).Users.Get(context.Background(), "")); me.GetURL() != base+"/api/v3/users/alice" {
		t.Errorf("over TLS: %v", me)
	}
	if _, _, err := client(x509.NewCertPool()).Users.Get(context.Background(), ""); err == nil {
		t.Error("a client that does not trust the playground speaks with it")
	}
	plain, err := p.Start("127.0.0.1:0")
	if err != nil || !strings.HasPrefix(plain, "http://127.0.0.1:") || p.BaseURL() != base {
		t.Errorf("without TLS it is at %s (%v), and says %s", plain, err, p.BaseURL())
	}
	if listed, err := os.ReadDir(dir); err != nil || len(listed) != 1 {
		t.Errorf("beside the certificate: %v %v", listed, err)
	}
}
