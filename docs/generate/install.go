package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/palantir/go-githubapp/githubapp"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/handlers"
)

// unasked are the events that GitHub sends to every App without a subscription:
// https://docs.github.com/webhooks/webhook-events-and-payloads#installation.
var unasked = []string{"installation", "installation_repositories", "ping"}

// subscriptions lists the events that the App must subscribe to for the handlers to hear of them.
func subscriptions() []string {
	var events []string
	for _, h := range handlers.All(nil, nil, zerolog.Nop()) {
		for _, event := range h.Handles() {
			if !slices.Contains(unasked, event) {
				events = append(events, event)
			}
		}
	}
	slices.Sort(events)
	return events
}

// manifest is the App's, for https://docs.github.com/apps/sharing-github-apps/registering-a-github-app-from-a-manifest.
func manifest(string) (string, error) {
	text, err := json.MarshalIndent(struct {
		Name        string            `json:"name"`
		URL         string            `json:"url"`
		Hook        map[string]any    `json:"hook_attributes"`
		Redirect    string            `json:"redirect_url"`
		Public      bool              `json:"public"`
		Permissions map[string]string `json:"default_permissions"`
		Events      []string          `json:"default_events"`
	}{
		Name:        "colony-YOUR-ORGANISATION",
		URL:         "https://colony.example.com",
		Hook:        map[string]any{"url": "https://colony.example.com" + githubapp.DefaultWebhookRoute, "active": true},
		Redirect:    "https://colony.example.com/created",
		Permissions: map[string]string{"issues": "write", "metadata": "read"},
		Events:      subscriptions(),
	}, "", "  ")
	if err != nil {
		return "", fmt.Errorf("write the manifest: %w", err)
	}
	return "```json\n" + string(text) + "\n```", nil
}

// labelTable lists what Colony creates in a repository.
func labelTable(string) (string, error) {
	life, err := shown()
	if err != nil {
		return "", err
	}
	var names []string
	for _, l := range life.Labels() {
		names = append(names, code(l.Label))
	}
	return fmt.Sprintf("%d labels: %s.", len(names), strings.Join(names, ", ")), nil
}
