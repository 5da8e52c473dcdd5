package command

import (
	"crypto/rand"
	"crypto/rsa"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/colony-app/colony/playground"
)

// permissionLevels are what an App can be granted: https://docs.github.com/rest/apps/apps#get-an-app.
var permissionLevels = []string{"read", "write", "admin"}

// app is the App of the command line. What no flag says is as the guest's.
func (f *Flags) app(guest playground.App) (playground.App, error) {
	a := playground.App{
		ID: f.AppID, Slug: f.Slug, WebhookURL: f.WebhookURL, WebhookSecret: f.WebhookSecret, Permissions: guest.Permissions, Events: guest.Events,
	}
	if f.Slug == guest.Slug {
		a.Name = guest.Name
	}
	if f.WebhookURL != "" && f.WebhookSecret == "" {
		return a, errors.New("--webhook-url: the webhooks need a --webhook-secret")
	}
	if len(f.Permission) > 0 {
		a.Permissions = f.Permission
	}
	for _, name := range slices.Sorted(maps.Keys(f.Permission)) {
		if !slices.Contains(permissionLevels, f.Permission[name]) {
			return a, fmt.Errorf("--permission: %s=%s is not one of %s", name, f.Permission[name], strings.Join(permissionLevels, ", "))
		}
	}
	if len(f.Event) > 0 {
		a.Events = f.Event
	}
	for _, name := range f.Event {
		if !slices.ContainsFunc(playground.Events(), func(e playground.Event) bool { return e.Name == name }) {
			return a, fmt.Errorf("--event: the playground sends no %s", name)
		}
	}
	var err error
	a.PublicKey, err = f.publicKey()
	return a, err
}

// install installs the App where it was asked for, in the order in which the accounts were named first. An account
// that is named without a repository means all of them.
func (f *Flags) install(p *playground.Playground, owner string) error {
	wanted := f.Install
	if len(wanted) == 0 && !f.Empty {
		wanted = []string{owner}
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
		p.Install(f.AppID, account, named...)
	}
	return nil
}

// madeAppID is the id of the App that the playground makes.
const madeAppID = 1

// madeApp is an App that the playground makes because no flag names one. Its zero value says that a flag does.
type madeApp struct {
	folder string // of the key; removed in the end
	file   string // its private key
}

// makeApp gives the command an App of its own, with a new key and a new secret, unless flags name one.
func (f *Flags) makeApp() (made madeApp, err error) {
	switch {
	case f.AppID != 0 && f.PrivateKey != "":
		return made, nil
	case f.AppID != 0:
		return made, UsageError("--app-id: --private-key has to name the App's key; without both, the playground makes an App")
	case f.PrivateKey != "":
		return made, UsageError("--private-key: --app-id has to name the App's id; without both, the playground makes an App")
	}
	if made.folder, err = os.MkdirTemp("", "colony-playground-"); err != nil {
		return made, fmt.Errorf("make a folder for the App's key: %w", err)
	}
	made.file = filepath.Join(made.folder, "key.pem")
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return made, fmt.Errorf("make the App's key: %w", err)
	}
	if err := os.WriteFile(made.file, playground.PrivateKeyPEM(key), 0o600); err != nil {
		return made, fmt.Errorf("write the App's key: %w", err)
	}
	f.AppID, f.PrivateKey = madeAppID, made.file
	if f.WebhookSecret == "" {
		f.WebhookSecret = rand.Text()
	}
	return made, nil
}

func (m madeApp) remove() error {
	if m.folder == "" {
		return nil
	}
	if err := os.RemoveAll(m.folder); err != nil {
		return fmt.Errorf("remove the App's key: %w", err)
	}
	return nil
}
