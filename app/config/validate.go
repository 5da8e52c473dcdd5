package config

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/golang-jwt/jwt/v4"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/policy"
)

// shortestAdminToken is how many characters the token needs that opens what admins see and do.
const shortestAdminToken = 16

// shortestWebhookSecret is how many characters the secret needs that signs webhooks: who guesses it can send them.
const shortestWebhookSecret = 16

// Validate names every setting that Colony cannot run with. It never shows a secret.
func (c Config) Validate() error { return c.validate(c.validateApp) }

// ValidateWithoutApp is Validate for a process that does not speak for the App, and needs none of its credentials.
func (c Config) ValidateWithoutApp() error { return c.validate() }

func (c Config) validate(more ...func(complaint)) error {
	var problems []error
	say := func(e SettingError) { problems = append(problems, e) }
	c.validateAddresses(say)
	c.validateProxies(say)
	for _, check := range more {
		check(say)
	}
	c.validateLog(say)
	c.validateTimes(say)
	c.validateCounts(say)
	c.validateMode(say)
	c.validateNotify(say)
	c.validateBoard(say)
	if _, err := issues.ParseBranches(c.PullRequests.Branches); err != nil {
		say(wrong("pull_requests.branches", "write each pattern like colony/{number}-*", "%v", err))
	}
	if _, err := c.Settings(); err != nil {
		problems = append(problems, err)
	}
	return errors.Join(problems...)
}

type complaint func(SettingError)

func (c Config) validateAddresses(say complaint) {
	for _, address := range []struct{ setting, value, example string }{
		{"github.web_url", c.GitHub.WebURL, "https://github.com"},
		{"github.v3_api_url", c.GitHub.V3APIURL, "https://api.github.com/, or https://HOST/api/v3/ for GitHub Enterprise Server"},
	} {
		if !isWebAddress(address.value) {
			say(wrong(address.setting, "write it like "+address.example, "%q is not an address that begins with https:// or http://", address.value))
		}
	}
}

func (c Config) validateApp(say complaint) {
	const atGeneral = "copy the number after App ID from the App's settings, General"
	switch id := c.GitHub.App.IntegrationID; {
	case id == 0:
		say(absent("github.app.integration_id", atGeneral, "the App's id is missing"))
	case id < 0:
		say(wrong("github.app.integration_id", atGeneral, "%d is not the id of an App", id))
	}
	if c.GitHub.App.WebhookSecret == "" {
		say(absent("github.app.webhook_secret", "set it to the secret of the App's settings, General, Webhook", "is empty: everybody could send webhooks"))
	} else if n := charactersOf(c.GitHub.App.WebhookSecret); n < shortestWebhookSecret {
		do := fmt.Sprintf("set %d or more, for example of: openssl rand -hex 32; set the same in the App's settings, General, Webhook", shortestWebhookSecret)
		say(wrong("github.app.webhook_secret", do, "%d characters without blanks around them can be guessed", n))
	}
	const makeKey = "make a key in the App's settings, General, Private keys, and set github.app.private_key_file to its file"
	if c.GitHub.App.PrivateKey == "" {
		say(absent("github.app.private_key", makeKey, "is empty: Colony could not sign in as the App"))
	} else if _, err := jwt.ParseRSAPrivateKeyFromPEM([]byte(c.GitHub.App.PrivateKey)); err != nil {
		say(wrong("github.app.private_key", makeKey, "is not an RSA private key in PEM form"))
	}
	if n := charactersOf(c.Server.AdminToken); c.Server.AdminToken != "" && n < shortestAdminToken {
		say(wrong("server.admin_token", fmt.Sprintf("take %d or more, for example of: openssl rand -hex 32", shortestAdminToken), "%d characters can be guessed", n))
	}
}

// charactersOf counts a secret's characters without the blanks around them, which are easy to guess.
func charactersOf(secret string) int { return utf8.RuneCountInString(strings.TrimSpace(secret)) }

func absent(setting, do, says string) SettingError {
	e := wrong(setting, do, "%s", says)
	e.missing = true
	return e
}

func (c Config) validateLog(say complaint) {
	if _, err := zerolog.ParseLevel(c.Log.Level); err != nil || c.Log.Level == "" {
		say(wrong("log.level", doChoose, "%q is not one of trace, debug, info, warn, error", c.Log.Level))
	}
	if c.Log.Format != "json" && c.Log.Format != "console" {
		say(wrong("log.format", doChoose, "%q is not one of json, console", c.Log.Format))
	}
}

func (c Config) validateTimes(say complaint) {
	for _, d := range []struct {
		setting string
		value   time.Duration
		zero    bool // can be none
		minute  bool // is a minute or more, if it is any
	}{
		{"judging.settle", c.Judging.Settle, true, false},
		{"judging.horizon", c.Judging.Horizon, false, false},
		{"breaker.window", c.Breaker.Window, false, false},
		{"sweep.interval", c.Sweep.Interval, true, true},
	} {
		do := "set a longer one, like 20s or 30m"
		if d.zero {
			do = "set 0, or a longer one, like 20s or 30m"
		}
		switch {
		case d.minute && d.value != 0 && d.value < time.Minute:
			say(wrong(d.setting, "set 0, or for example 10m", "%s is neither 0 nor a minute or more", d.value))
		case d.value < 0:
			say(wrong(d.setting, do, "%s is negative", d.value))
		case d.value == 0 && !d.zero:
			say(wrong(d.setting, do, "%s is not positive", d.value))
		}
	}
}

func (c Config) validateMode(say complaint) {
	if c.Mode != "" && !c.Mode.Known() {
		say(wrong("mode", doChoose, "%s", policy.ModeMisfit(c.Mode)))
	}
	if c.ModeCeiling != "" && !c.ModeCeiling.Known() {
		say(wrong("mode_ceiling", doChoose, "%s", policy.ModeMisfit(c.ModeCeiling)))
	}
	for _, list := range []struct {
		name     string
		patterns []string
	}{{"include", c.Repositories.Include}, {"exclude", c.Repositories.Exclude}} {
		for i, pattern := range list.patterns {
			if why := policy.PatternMisfit(pattern); why != "" {
				say(SettingError{Path: []any{"repositories", list.name, i}, Says: why, Do: "write it like acme/* or acme/web-*"})
			}
		}
	}
}

func (c Config) validateCounts(say complaint) {
	if n := c.Sweep.MaxRefusals; n < 0 {
		say(wrong("sweep.max_refusals", "set 0 or more", "%d is negative", n))
	}
	if n := c.Breaker.Rejections; n < 1 {
		say(wrong("breaker.rejections", "set 1 or more", "%d is less than 1", n))
	}
	if n := c.GitHub.Budget.Points; n != 0 && n < ratelimit.SmallestBudget {
		say(wrong("github.budget.points", "set 0 for no bound, or a larger number", "%d is neither 0 nor %d or more", n, ratelimit.SmallestBudget))
	}
}
