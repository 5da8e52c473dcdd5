package config

import (
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/golang-jwt/jwt/v4"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
)

// shortestAdminToken is how many characters the token needs that opens what operators see and do.
const shortestAdminToken = 16

// Validate names every setting that Colony cannot run with. It never shows a secret.
func (c Config) Validate() error {
	var problems []error
	wrong := func(setting, format string, args ...any) {
		problems = append(problems, fmt.Errorf("%s: %s", setting, fmt.Sprintf(format, args...)))
	}
	c.validateApp(wrong)
	c.validateLog(wrong)
	c.validateTimes(wrong)
	c.validateCounts(wrong)
	paceProblems(c.GitHub.Pace, wrong)
	if _, err := issues.ParseBranches(c.PullRequests.Branches); err != nil {
		wrong("pull_requests.branches", "%v", err)
	}
	if _, err := c.Settings(); err != nil {
		problems = append(problems, err)
	}
	return errors.Join(problems...)
}

// complaint tells what is wrong with a setting.
type complaint func(setting, format string, args ...any)

func (c Config) validateApp(wrong complaint) {
	for _, address := range []struct{ setting, value string }{
		{"github.web_url", c.GitHub.WebURL},
		{"github.v3_api_url", c.GitHub.V3APIURL},
	} {
		if u, err := url.Parse(address.value); err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
			wrong(address.setting, "%q is not an address that begins with https:// or http://", address.value)
		}
	}
	switch id := c.GitHub.App.IntegrationID; {
	case id == 0:
		wrong("github.app.integration_id", "the App's id is missing")
	case id < 0:
		wrong("github.app.integration_id", "%d is not the id of an App", id)
	}
	if c.GitHub.App.WebhookSecret == "" {
		wrong("github.app.webhook_secret", "is empty: everybody could send webhooks")
	}
	if c.GitHub.App.PrivateKey == "" {
		wrong("github.app.private_key", "is empty: Colony could not sign in as the App")
	} else if _, err := jwt.ParseRSAPrivateKeyFromPEM([]byte(c.GitHub.App.PrivateKey)); err != nil {
		wrong("github.app.private_key", "is not an RSA private key in PEM form")
	}
	if n := len(c.Server.AdminToken); n > 0 && n < shortestAdminToken {
		wrong("server.admin_token", "%d characters can be guessed; take %d or more", n, shortestAdminToken)
	}
}

func (c Config) validateLog(wrong complaint) {
	if _, err := zerolog.ParseLevel(c.Log.Level); err != nil || c.Log.Level == "" {
		wrong("log.level", "%q is not one of trace, debug, info, warn, error", c.Log.Level)
	}
	if c.Log.Format != "json" && c.Log.Format != "console" {
		wrong("log.format", "%q is not one of json, console", c.Log.Format)
	}
}

// timeSetting is a setting that is a duration, by its path in the file.
type timeSetting struct {
	setting string
	value   time.Duration
	zero    bool // may be none
	minute  bool // is a minute or more, if it is any
}

// times is the table of the settings that are durations.
func (c Config) times() []timeSetting {
	return []timeSetting{
		{"server.drain", c.Server.Drain, false, false},
		{"github.timeout", c.GitHub.Timeout, false, false},
		{"repositories.keep", c.Repositories.Keep, true, false},
		{"judging.settle", c.Judging.Settle, true, false},
		{"judging.lag", c.Judging.Lag, true, false},
		{"judging.lag_wait", c.Judging.LagWait, true, false},
		{"judging.horizon", c.Judging.Horizon, false, false},
		{"breaker.window", c.Breaker.Window, false, false},
		{"sweep.interval", c.Sweep.Interval, true, true},
	}
}

func (c Config) validateTimes(wrong complaint) {
	for _, d := range c.times() {
		switch {
		case d.minute && d.value != 0 && d.value < time.Minute:
			wrong(d.setting, "%s is neither 0 nor a minute or more", d.value)
		case d.value < 0:
			wrong(d.setting, "%s is negative", d.value)
		case d.value == 0 && !d.zero:
			wrong(d.setting, "%s is not positive", d.value)
		}
	}
}

func (c Config) validateCounts(wrong complaint) {
	for _, n := range []struct {
		setting string
		value   int
	}{
		{"judging.lag_looks", c.Judging.LagAttempts},
		{"sweep.watch", c.Sweep.Watch},
		{"sweep.brake", c.Sweep.Brake},
	} {
		if n.value < 0 {
			wrong(n.setting, "%d is negative", n.value)
		}
	}
	if c.Breaker.Rejections < 1 {
		wrong("breaker.rejections", "%d is less than 1", c.Breaker.Rejections)
	}
}

// paceProblems tells what is wrong with each setting.
func paceProblems(c ratelimit.Settings, wrong complaint) {
	for _, s := range []struct {
		name  string
		value int
	}{{"points", c.Points}, {"content_minute", c.ContentMinute}, {"content_hour", c.ContentHour}} {
		if s.value != 0 && s.value < ratelimit.SmallestBudget {
			wrong("github.pace."+s.name, "%d is neither 0 nor %d or more", s.value, ratelimit.SmallestBudget)
		}
	}
}
