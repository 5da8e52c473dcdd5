package main

import (
	"github.com/palantir/go-githubapp/githubapp"

	"github.com/colony-app/colony/app/permissions"
	"github.com/colony-app/colony/app/setup"
)

// permissionTable lists what the App asks for.
func permissionTable(string) (string, error) {
	t := newTable("permission", "level", "what for")
	for _, n := range permissions.Needs {
		level := n.Level
		if n.Optional {
			level += " (optional)"
		}
		if n.Feature != "" {
			level = n.Level + " (for " + string(n.Feature) + ")"
		}
		t.row(code(n.Permission), level, n.For)
	}
	return t.String(), nil
}

// manifest is the App's, for https://docs.github.com/apps/sharing-github-apps/registering-a-github-app-from-a-manifest.
func manifest() setup.Manifest {
	request := setup.Request{Name: "colony-YOUR-ORGANISATION", WebhookURL: "https://colony.example.com" + githubapp.DefaultWebhookRoute}
	return request.Manifest(setup.Elsewhere)
}

// eventList lists what the App subscribes to.
func eventList(string) (string, error) { return codes(manifest().Events) + ".", nil }
