package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/palantir/go-githubapp/githubapp"

	"github.com/colony-app/colony/app/permissions"
)

// permissionTable lists what the App asks for.
func permissionTable(string) (string, error) {
	t := newTable("permission", "level", "what for")
	for _, n := range permissions.Needs {
		level := n.Level
		if n.Optional {
			level += " (optional)"
		}
		t.row(code(n.Permission), level, n.For)
	}
	return t.String(), nil
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
		Permissions: permissions.All(),
		Events:      permissions.Subscriptions(),
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
