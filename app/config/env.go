package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/colony-app/colony/bounded"
	"github.com/colony-app/colony/lifecycle"
)

// variable is one setting that the environment can override.
type variable struct {
	name string
	set  func(*Config, string) error
}

func text[T ~string](name string, field func(*Config) *T) variable {
	return variable{name, func(c *Config, value string) error { *field(c) = T(value); return nil }}
}

func number[N int | int64](name string, field func(*Config) *N) variable {
	return variable{name, func(c *Config, value string) error {
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return fmt.Errorf("%q is not a number", value)
		}
		*field(c) = N(n)
		return nil
	}}
}

func truth(name string, field func(*Config) *bool) variable {
	return variable{name, func(c *Config, value string) error {
		is, err := strconv.ParseBool(value)
		if err != nil {
			return fmt.Errorf("%q is neither true nor false", value)
		}
		*field(c) = is
		return nil
	}}
}

// secret is a secret and, with _FILE at the end of the name, the file that holds it. The file comes first: it overrides what config.yml says, and
// the secret itself overrides both.
func secret(name string, file, value func(*Config) *string) []variable {
	set := func(c *Config, path string) error { *file(c), *value(c) = path, ""; return nil }
	return []variable{{name + "_FILE", set}, text(name, value)}
}

// variables is the table of the environment; its names follow go-githubapp's, with the prefix COLONY_.
var variables = slices.Concat(
	[]variable{
		text("COLONY_GITHUB_WEB_URL", func(c *Config) *string { return &c.GitHub.WebURL }),
		text("COLONY_GITHUB_V3_API_URL", func(c *Config) *string { return &c.GitHub.V3APIURL }),
		number("COLONY_GITHUB_APP_INTEGRATION_ID", func(c *Config) *int64 { return &c.GitHub.App.IntegrationID }),
	},
	secret("COLONY_GITHUB_APP_WEBHOOK_SECRET", func(c *Config) *string { return &c.GitHub.App.WebhookSecretFile }, func(c *Config) *string { return &c.GitHub.App.WebhookSecret }),
	secret("COLONY_GITHUB_APP_PRIVATE_KEY", func(c *Config) *string { return &c.GitHub.App.PrivateKeyFile }, func(c *Config) *string { return &c.GitHub.App.PrivateKey }),
	[]variable{text("COLONY_GITHUB_OAUTH_CLIENT_ID", func(c *Config) *string { return &c.GitHub.OAuth.ClientID })},
	secret("COLONY_GITHUB_OAUTH_CLIENT_SECRET", func(c *Config) *string { return &c.GitHub.OAuth.ClientSecretFile }, func(c *Config) *string { return &c.GitHub.OAuth.ClientSecret }),
	[]variable{
		number("COLONY_GITHUB_BUDGET_POINTS", func(c *Config) *int { return &c.GitHub.Budget.Points }),
		text("COLONY_SERVER_ADDRESS", func(c *Config) *string { return &c.Server.Address }),
	},
	secret("COLONY_SERVER_ADMIN_TOKEN", func(c *Config) *string { return &c.Server.AdminTokenFile }, func(c *Config) *string { return &c.Server.AdminToken }),
	[]variable{
		truth("COLONY_API_ENABLED", func(c *Config) *bool { return &c.API.Enabled }),
		truth("COLONY_BOARD_ENABLED", func(c *Config) *bool { return &c.Board.Enabled }),
		text("COLONY_BOARD_URL", func(c *Config) *string { return &c.Board.URL }),
		text("COLONY_QUEUE_DIR", func(c *Config) *string { return &c.Queue.Dir }),
		text("COLONY_QUEUE_URL", func(c *Config) *string { return &c.Queue.URL }),
		text("COLONY_MODE", func(c *Config) *lifecycle.Mode { return &c.Mode }),
		text("COLONY_MODE_CEILING", func(c *Config) *lifecycle.Mode { return &c.ModeCeiling }),
		text("COLONY_LOG_LEVEL", func(c *Config) *string { return &c.Log.Level }),
	},
)

// EnvironmentVariables lists the names of the variables that override a setting.
func EnvironmentVariables() []string { return namesOf(variables) }

func namesOf(variables []variable) []string {
	names := make([]string, len(variables))
	for i, v := range variables {
		names[i] = v.name
	}
	return names
}

// readEnvironment puts the environment, as os.Environ returns it, over the settings.
func readEnvironment(c *Config, environment []string) error {
	all := slices.Concat(variables, webhookVariables(c))
	given, err := ownVariables(environment, namesOf(all))
	if err != nil {
		return err
	}
	for _, v := range all {
		value, ok := given[v.name]
		if !ok {
			continue
		}
		if err := v.set(c, value); err != nil {
			return fmt.Errorf("%s: %w -> correct the variable, or unset it", v.name, err)
		}
	}
	return nil
}

// maxSecret is the most bytes of a file that holds a secret or a private key.
const maxSecret = 64 << 10

// secretFile is a secret that can be given as a file.
type secretFile struct {
	setting, path string
	value         *string
}

// readSecretFiles reads the secrets that are given as files. A secret that is given directly wins over a file.
func readSecretFiles(c *Config) error {
	app := &c.GitHub.App
	secrets := []secretFile{
		{"github.app.webhook_secret_file", app.WebhookSecretFile, &app.WebhookSecret},
		{"github.app.private_key_file", app.PrivateKeyFile, &app.PrivateKey},
		{"github.oauth.client_secret_file", c.GitHub.OAuth.ClientSecretFile, &c.GitHub.OAuth.ClientSecret},
		{"server.admin_token_file", c.Server.AdminTokenFile, &c.Server.AdminToken},
	}
	for i := range c.Notify.Webhooks {
		hook := &c.Notify.Webhooks[i]
		at := fmt.Sprintf("notify.webhooks[%d].", i)
		secrets = append(secrets, secretFile{at + "url_file", hook.URLFile, &hook.URL}, secretFile{at + "secret_file", hook.SecretFile, &hook.Secret})
	}
	for _, secret := range secrets {
		if secret.path == "" || *secret.value != "" {
			continue
		}
		text, err := bounded.File(secret.path, maxSecret)
		if err != nil {
			return wrong(secret.setting, "correct the path, or let Colony's user read the file", "%v", err)
		}
		*secret.value = strings.TrimSpace(string(text))
	}
	// A key in one line, as environments like to have it.
	app.PrivateKey = strings.ReplaceAll(app.PrivateKey, `\n`, "\n")
	return nil
}
