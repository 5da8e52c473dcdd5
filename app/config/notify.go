package config

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/colony-app/colony/app/notify"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/reconcile"
)

// shortestSigningSecret is how many characters the secret of a webhook needs.
const shortestSigningSecret = 16

// webhookName is what the name of a webhook looks like: variables and tasks are named after it.
var webhookName = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$`)

// validateNotify never shows an address, which might be a secret.
func (c Config) validateNotify(say complaint) {
	names := map[string]bool{}
	for i, hook := range c.Notify.Webhooks {
		complain := func(missing bool, setting, do, format string, args ...any) {
			say(SettingError{Path: []any{"notify", "webhooks", i, setting}, Says: fmt.Sprintf(format, args...), Do: do, missing: missing})
		}
		if !webhookName.MatchString(hook.Name) {
			complain(false, "name", "name it like ops-chat", "%q is not 1 to 40 small letters, digits and hyphens", hook.Name)
		} else if names[hook.Name] {
			complain(false, "name", "give each a name of its own", "%q is the name of two webhooks", hook.Name)
		}
		names[hook.Name] = true
		if hook.URL == "" {
			complain(true, "url", "set it, or url_file", "is empty: there is nowhere to send events")
		} else if !isWebAddress(hook.URL) {
			complain(false, "url", "write it like https://example.com/colony", "is not an address that begins with https:// or http://")
		}
		formats := []notify.Format{"", notify.JSON, notify.Slack}
		if !slices.Contains(formats, hook.Format) {
			complain(false, "format", doChoose, "%q is not one of json, slack", hook.Format)
		}
		switch n := len(hook.Secret); {
		case n == 0 && hook.Format != notify.Slack:
			complain(true, "secret", "set it, or secret_file, for example to: openssl rand -hex 32", "is empty: the receiver could not tell who sends")
		case n > 0 && n < shortestSigningSecret:
			complain(false, "secret", fmt.Sprintf("take %d or more, for example of: openssl rand -hex 32", shortestSigningSecret), "%d characters can be guessed", n)
		}
		if _, err := notify.ParseDigestTime(hook.Digest); hook.Digest != "" && err != nil {
			complain(false, "digest", `write it like "08:00 Europe/Berlin"`, "%v", err)
		}
		validateSubscription(i, hook, say)
	}
}

// validateSubscription checks the verdicts and the repositories that a webhook names.
func validateSubscription(i int, hook notify.Webhook, say complaint) {
	for n, kind := range hook.Verdicts {
		if !slices.Contains(carriedOut(), string(kind)) {
			say(SettingError{
				Path: []any{"notify", "webhooks", i, "verdicts", n}, Do: doChoose,
				Says: fmt.Sprintf("%q is not one of %s", kind, strings.Join(carriedOut(), ", ")),
			})
		}
	}
	for n, pattern := range hook.Repositories {
		if misfit := policy.PatternMisfit(pattern); misfit != "" {
			say(SettingError{Path: []any{"notify", "webhooks", i, "repositories", n}, Says: misfit, Do: "write it like acme/* or acme/widgets"})
		}
	}
}

// isWebAddress reports whether a text is an address with a host that begins with https:// or http://.
func isWebAddress(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != ""
}

// carriedOut lists the kinds of verdicts that a webhook can be notified of.
func carriedOut() []string {
	var kinds []string
	for _, k := range reconcile.VerdictKinds() {
		if k.Kind != reconcile.VerdictBlocked { // where Colony does not enforce, it only says so in the log
			kinds = append(kinds, string(k.Kind))
		}
	}
	return kinds
}
