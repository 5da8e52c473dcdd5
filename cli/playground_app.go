package cli

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/colony-app/colony/app/permissions"
	"github.com/colony-app/colony/demo"
	"github.com/colony-app/colony/playground"
)

// permissionLevels are what an App may be granted: https://docs.github.com/rest/apps/apps#get-an-app.
var permissionLevels = []string{"read", "write", "admin"}

// app is the App of the command line. What is not said is as Colony needs it.
func (c playgroundCommand) app() (playground.App, error) {
	a := playground.App{
		ID: c.AppID, Slug: c.Slug, WebhookURL: c.WebhookURL, WebhookSecret: c.WebhookSecret,
		Permissions: permissions.All(), Events: permissions.Subscriptions(),
	}
	if c.Slug == "colony" {
		a.Name = "Colony"
	}
	if c.WebhookURL != "" && c.WebhookSecret == "" {
		return a, errors.New("--webhook-url: the webhooks need a --webhook-secret")
	}
	if len(c.Permission) > 0 {
		a.Permissions = c.Permission
	}
	for _, name := range slices.Sorted(maps.Keys(c.Permission)) {
		if !slices.Contains(permissionLevels, c.Permission[name]) {
			return a, fmt.Errorf("--permission: %s=%s is not one of %s", name, c.Permission[name], strings.Join(permissionLevels, ", "))
		}
	}
	if len(c.Event) > 0 {
		a.Events = c.Event
	}
	for _, name := range c.Event {
		if !slices.ContainsFunc(playground.Events(), func(e playground.Event) bool { return e.Name == name }) {
			return a, fmt.Errorf("--event: the playground sends no %s", name)
		}
	}
	var err error
	a.PublicKey, err = c.publicKey()
	return a, err
}

// install installs the App where it was asked for, in the order in which the accounts were named first. An account
// that is named without a repository stands for all of them.
func (c playgroundCommand) install(p *playground.Playground) error {
	wanted := c.Install
	if len(wanted) == 0 && !c.Empty {
		wanted = []string{demo.Owner}
	}
	var accounts []string
	repositories := map[string][]string{}
	for _, place := range wanted {
		account, repository, one := strings.Cut(place, "/")
		exists := slices.ContainsFunc(p.Users(), func(u playground.User) bool { return strings.EqualFold(u.Login, account) })
		if one {
			exists = slices.ContainsFunc(p.Repositories(), func(name string) bool { return strings.EqualFold(name, place) })
		}
		if !exists {
			return fmt.Errorf("there is no %s", place)
		}
		account = strings.ToLower(account)
		if !slices.Contains(accounts, account) {
			accounts = append(accounts, account)
		}
		if one {
			repositories[account] = append(repositories[account], repository)
		}
	}
	for _, account := range accounts {
		named := repositories[account]
		if slices.ContainsFunc(wanted, func(place string) bool { return strings.EqualFold(place, account) }) {
			named = nil
		}
		p.Install(c.AppID, account, named...)
	}
	return nil
}
