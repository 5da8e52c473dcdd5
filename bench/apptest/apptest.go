// Package apptest is what tests of Colony have in common: the App as GitHub knows it, and a configuration with its credentials.
package apptest

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"os"
	"strings"
	"sync"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/permissions"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/playground"
)

// The App of the tests.
const (
	ID     = 4242
	Slug   = "colony"
	Login  = Slug + "[bot]"
	Secret = "only for these tests" // of its webhooks
	// ClientSecret is with what people sign in, and CallbackURL where they come back to.
	ClientSecret = "of the client, and only for these tests"
	CallbackURL  = "https://colony.example.com/board/-/callback"
)

var (
	// Key is the App's private key.
	Key = sync.OnceValue(func() *rsa.PrivateKey { return NewKey(2048) })
	// ShortKey signs in a tenth of the time, for tests that start thousands of Colonies. Go refuses keys below 1024 bits without this setting.
	ShortKey = sync.OnceValue(func() *rsa.PrivateKey {
		if err := os.Setenv("GODEBUG", strings.TrimPrefix(os.Getenv("GODEBUG")+",rsa1024min=0", ",")); err != nil {
			panic(err) // the name is one that can be set
		}
		return NewKey(512)
	})
)

// NewKey makes a private key of so many bits.
func NewKey(bits int) *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, bits)
	if err != nil {
		panic(err) // there is no randomness
	}
	return key
}

// PEM writes a private key as GitHub hands it out.
func PEM(key *rsa.PrivateKey) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}))
}

// App is the App with all that Colony needs, ready to be registered.
func App(key *rsa.PrivateKey) playground.App {
	return playground.App{
		ID: ID, Slug: Slug, PublicKey: &key.PublicKey, WebhookSecret: Secret, Permissions: permissions.All(), Events: permissions.Subscriptions(),
		CallbackURLs: []string{CallbackURL}, ClientSecret: ClientSecret,
	}
}

// Config is the default configuration with the App's credentials.
func Config(key *rsa.PrivateKey) config.Config {
	c := config.Default()
	c.Mode = lifecycle.ModeEnforce // most tests are of what enforcing does
	c.GitHub.App.IntegrationID, c.GitHub.App.WebhookSecret, c.GitHub.App.PrivateKey = ID, Secret, PEM(key)
	return c
}

// ConfigAt is the default configuration with the App's credentials, for a GitHub at an address.
func ConfigAt(address string, key *rsa.PrivateKey) config.Config {
	c := Config(key)
	c.Server.Address = "127.0.0.1:0"
	c.GitHub.V3APIURL, c.GitHub.WebURL = address+"/api/v3/", address
	return c
}
