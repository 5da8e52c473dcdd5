// Package notify tells other programs of Colony's verdicts: an event in JSON, or a text for a chat, sent to an address of the configuration.
// What is to be sent is a task of the queue, so that no crash loses it and no address that does not answer delays anything else.
package notify

import (
	"slices"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/reconcile"
)

// Format says what is sent to a webhook.
type Format string

// The formats.
const (
	JSON  Format = "json"  // an Event
	Slack Format = "slack" // a text, as Slack's incoming webhooks and their like take it
)

// Webhook is a row of the configuration: where events are sent, and which.
type Webhook struct {
	// Name tells it from others in the log, and does not change while it is the same receiver: the queue refers to it.
	Name string `yaml:"name"`
	// URL is where events are sent. It is a secret, as those of chats are; URLFile is a file that holds it.
	URL     string `yaml:"url"`
	URLFile string `yaml:"url_file"`
	// Secret signs what is sent; SecretFile is a file that holds it.
	Secret     string `yaml:"secret"`
	SecretFile string `yaml:"secret_file"`
	// Format is what is sent; empty is JSON.
	Format Format `yaml:"format"`
	// Verdicts lists the kinds that are sent; nil: all.
	Verdicts []reconcile.VerdictKind `yaml:"verdicts"`
	// Repositories are patterns over OWNER/NAME; empty: all.
	Repositories []string `yaml:"repositories"`
	// Digest is when a digest of what needs a person is sent each day, like "08:00 Europe/Berlin"; empty: no digest is sent.
	Digest string `yaml:"digest"`
}

// Takes reports whether a verdict is sent to the webhook.
func (h Webhook) Takes(v reconcile.Verdict) bool {
	if h.Verdicts != nil && !slices.Contains(h.Verdicts, v.Kind) {
		return false
	}
	return h.IsAbout(v.Ref.Repository)
}

// IsAbout reports whether the webhook is notified of a repository.
func (h Webhook) IsAbout(repo issues.Repository) bool {
	return policy.Selection{Include: h.Repositories}.Has(repo.Owner, repo.Name)
}
