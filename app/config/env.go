package config

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/colony-app/colony/bounded"
)

// variable is one setting that the environment can override.
type variable struct {
	name string
	into any // points to the setting
	// file is of a secret: the setting, called path, that names a file which holds it. Its variable has _FILE at the end of the name.
	file *string
	path string
}

// variables is the table of the environment; its names follow go-githubapp's, with the prefix COLONY_.
func variables(c *Config) []variable {
	app, oauth := &c.GitHub.App, &c.GitHub.OAuth
	all := []variable{
		{name: "COLONY_GITHUB_WEB_URL", into: &c.GitHub.WebURL},
		{name: "COLONY_GITHUB_V3_API_URL", into: &c.GitHub.V3APIURL},
		{name: "COLONY_GITHUB_APP_INTEGRATION_ID", into: &app.IntegrationID},
		{"COLONY_GITHUB_APP_WEBHOOK_SECRET", &app.WebhookSecret, &app.WebhookSecretFile, "github.app.webhook_secret_file"},
		{"COLONY_GITHUB_APP_PRIVATE_KEY", &app.PrivateKey, &app.PrivateKeyFile, "github.app.private_key_file"},
		{name: "COLONY_GITHUB_OAUTH_CLIENT_ID", into: &oauth.ClientID},
		{"COLONY_GITHUB_OAUTH_CLIENT_SECRET", &oauth.ClientSecret, &oauth.ClientSecretFile, "github.oauth.client_secret_file"},
		{name: "COLONY_GITHUB_BUDGET_POINTS", into: &c.GitHub.Budget.Points},
		{name: "COLONY_SERVER_ADDRESS", into: &c.Server.Address},
		{"COLONY_SERVER_ADMIN_TOKEN", &c.Server.AdminToken, &c.Server.AdminTokenFile, "server.admin_token_file"},
		{name: "COLONY_API_ENABLED", into: &c.API.Enabled},
		{name: "COLONY_BOARD_ENABLED", into: &c.Board.Enabled},
		{name: "COLONY_BOARD_URL", into: &c.Board.URL},
		{name: "COLONY_QUEUE_DIR", into: &c.Queue.Dir},
		{name: "COLONY_QUEUE_URL", into: &c.Queue.URL},
		{name: "COLONY_MODE", into: &c.Mode},
		{name: "COLONY_MODE_CEILING", into: &c.ModeCeiling},
		{name: "COLONY_LOG_LEVEL", into: &c.Log.Level},
	}
	for i := range c.Notify.Webhooks {
		hook, at := &c.Notify.Webhooks[i], fmt.Sprintf("notify.webhooks[%d].", i)
		prefix := "COLONY_NOTIFY_" + strings.ToUpper(strings.ReplaceAll(hook.Name, "-", "_"))
		all = append(all,
			variable{prefix + "_URL", &hook.URL, &hook.URLFile, at + "url_file"},
			variable{prefix + "_SECRET", &hook.Secret, &hook.SecretFile, at + "secret_file"})
	}
	return all
}

// EnvironmentVariables lists the names of the variables that override a setting.
func EnvironmentVariables() []string { return namesOf(variables(&Config{})) }

func namesOf(variables []variable) (names []string) {
	for _, v := range variables {
		if v.file != nil {
			names = append(names, v.name+"_FILE")
		}
		names = append(names, v.name)
	}
	return names
}

func (v variable) set(value string) error {
	switch into := reflect.ValueOf(v.into).Elem(); into.Kind() {
	case reflect.Bool:
		is, err := strconv.ParseBool(value)
		if err != nil {
			return fmt.Errorf("%q is neither true nor false", value)
		}
		into.SetBool(is)
	case reflect.Int, reflect.Int64:
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return fmt.Errorf("%q is not a number", value)
		}
		into.SetInt(n)
	default:
		into.SetString(value)
	}
	return nil
}

// readEnvironment puts the environment, as os.Environ returns it, over the settings. The file of a secret overrides what config.yml says, and
// the secret itself overrides both.
func readEnvironment(c *Config, environment []string) error {
	all := variables(c)
	given, err := ownVariables(environment, namesOf(all))
	if err != nil {
		return err
	}
	for _, v := range all {
		if path, ok := given[v.name+"_FILE"]; ok {
			*v.file, *v.into.(*string) = path, ""
		}
		value, ok := given[v.name]
		if !ok {
			continue
		}
		if err := v.set(value); err != nil {
			return fmt.Errorf("%s: %w -> correct the variable, or unset it", v.name, err)
		}
	}
	return nil
}

// maxSecret is the most bytes of a file that holds a secret or a private key.
const maxSecret = 64 << 10

// readSecretFiles reads the secrets that are given as files. A secret that is given directly wins over a file.
func readSecretFiles(c *Config) error {
	for _, v := range variables(c) {
		if v.file == nil || *v.file == "" || *v.into.(*string) != "" {
			continue
		}
		text, err := bounded.File(*v.file, maxSecret)
		if err != nil {
			return wrong(v.path, "correct the path, or let Colony's user read the file", "%v", err)
		}
		*v.into.(*string) = strings.TrimSpace(string(text))
	}
	// A key in one line, as environments like to have it.
	c.GitHub.App.PrivateKey = strings.ReplaceAll(c.GitHub.App.PrivateKey, `\n`, "\n")
	return nil
}
