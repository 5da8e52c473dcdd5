package doctor

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/palantir/go-githubapp/githubapp"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
)

// webhook checks where GitHub sends webhooks:
// https://docs.github.com/rest/apps/webhooks#get-a-webhook-configuration-for-an-app.
func (d *doctor) webhook(ctx context.Context) {
	const atSettings = "set it in the App's settings, General, Webhook"
	hook, err := d.parts.App.Webhook(ctx)
	switch {
	case issues.IsMissing(err):
		d.warn("webhook", "look at the App's settings", "this GitHub does not say where it sends webhooks")
		return
	case err != nil:
		d.wrong("webhook", "", "%v", app.OneLine(err))
		return
	case hook.URL == "":
		d.wrong("webhook", atSettings, "GitHub sends webhooks nowhere")
		return
	}
	if !hook.Secret {
		d.wrong("webhook", atSettings, "it has no secret, so Colony refuses its webhooks")
	}
	target, err := url.Parse(hook.URL)
	if err != nil {
		d.wrong("webhook", atSettings, "its address is no URL")
		return
	}
	switch {
	case target.Path != githubapp.DefaultWebhookRoute:
		d.warn("webhook", atSettings, "it goes to %s, and Colony listens at %s; is there a proxy that changes that?", target.Path, githubapp.DefaultWebhookRoute)
	case target.Scheme != "https" && !config.IsLoopback(target.Hostname()):
		d.warn("webhook", "put a proxy that speaks TLS before Colony", "it goes to %s without TLS", target.Host)
	case hook.Unverified:
		d.warn("webhook", atSettings, "GitHub does not verify the certificate of %s", target.Host)
	default:
		d.reach(ctx, target)
	}
}

// reach asks the address of the webhook in a way that Colony refuses: it takes POST only.
func (d *doctor) reach(ctx context.Context, target *url.URL) {
	status, _, err := d.options.Ask(ctx, target.String(), "")
	switch {
	case err != nil:
		d.warn("webhook", "does Colony run, and can GitHub reach it?", "%s cannot be reached from here", target.Host)
	case status == http.StatusMethodNotAllowed:
		d.fine("webhook", "it goes to %s, where a Colony listens, and has a secret", target.Host)
	case status >= http.StatusBadGateway:
		d.warn("webhook", "start Colony (colony serve), or let the proxy there send it to where Colony listens: server.address", "%s answers with %d: it does not reach a Colony", target.Host, status)
	default:
		d.warn("webhook", "does a proxy send it elsewhere?", "%s answers with %d; Colony would not", target.Host, status)
	}
}

// hints tell what a status in the log of deliveries means.
var hints = []struct {
	from, to int
	does     string
}{
	{0, 0, "can GitHub reach the address? A running Colony requests them again with its next sweep"},
	{400, 400, "is github.app.webhook_secret the one of the App's settings?"},
	{401, 499, "does a proxy send it elsewhere?"},
	{500, 500, "look at Colony's log"},
	{501, 599, "can GitHub reach Colony, and does its queue have room? A running Colony requests them again with its next sweep"},
}

func hint(status int) string {
	for _, h := range hints {
		if status >= h.from && status <= h.to {
			return h.does
		}
	}
	return "look at the App's settings, Advanced, Recent deliveries"
}

// deliveries reads the newest page of the log of deliveries:
// https://docs.github.com/rest/apps/webhooks#list-deliveries-for-an-app-webhook.
func (d *doctor) deliveries(ctx context.Context) {
	log, _, err := d.parts.App.Deliveries(ctx, "")
	switch {
	case issues.IsMissing(err):
		d.warn("deliveries", "look at the App's settings, Advanced", "this GitHub has no log of deliveries")
		return
	case err != nil:
		d.wrong("deliveries", "", "%v", app.OneLine(err))
		return
	case len(log) == 0:
		d.fine("deliveries", "none so far")
		return
	}
	var failed []client.Delivery
	known := map[string]bool{} // a later attempt comes first, and is the one that counts
	for _, delivery := range log {
		if !known[delivery.GUID] && !delivery.Arrived() {
			failed = append(failed, delivery)
		}
		known[delivery.GUID] = true
	}
	switch {
	case len(failed) == 0:
		d.fine("deliveries", "of the last %d, all arrived", len(known))
	case slices.Contains(failed, log[0]):
		d.wrong("deliveries", hint(log[0].Code), "of the last %d, %d did not arrive, the newest among them: %s", len(known), len(failed), statusOf(log[0]))
	default:
		d.warn("deliveries", "the next sweep requests them again", "of the last %d, %d did not arrive, such as %s: %s", len(known), len(failed), failed[0].Event, statusOf(failed[0]))
	}
}

func statusOf(delivery client.Delivery) string {
	words := strings.TrimSpace(delivery.Status)
	if code := delivery.Code; code != 0 && !strings.Contains(words, fmt.Sprint(code)) {
		return fmt.Sprintf("%d %s", code, words)
	}
	return words
}
