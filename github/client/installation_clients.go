package client

import (
	"fmt"

	"github.com/google/go-github/v62/github"
	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/palantir/go-githubapp/githubapp"

	"github.com/colony-app/colony/bounded"
)

// clientsKept bounds how many installations keep their client, with its token.
const clientsKept = 256

// Clients keeps one client for each installation, so that its token is used again, and can forget it: a token does not
// grow when the installation is granted more. It is safe for concurrent use.
type Clients struct {
	githubapp.ClientCreator // of the App itself
	of                      func(installation int64) githubapp.ClientCreator
	token                   string // acts with it, and not for the installations
	kept                    *lru.Cache[int64, *github.Client]
}

func newInstallationClients(token string, of func(installation int64) githubapp.ClientCreator) *Clients {
	return &Clients{ClientCreator: of(0), token: token, of: of, kept: bounded.New[int64, *github.Client](clientsKept)}
}

// NewInstallationClient implements issues.Clients.
func (c *Clients) NewInstallationClient(installation int64) (*github.Client, error) {
	if client, ok := c.kept.Get(installation); ok {
		return client, nil
	}
	client, err := c.create(installation)
	if err != nil {
		return nil, fmt.Errorf("make a client for installation %d: %w", installation, err)
	}
	c.kept.Add(installation, client)
	return client, nil
}

func (c *Clients) create(installation int64) (*github.Client, error) {
	if c.token != "" {
		return c.of(installation).NewTokenClient(c.token) //nolint:wrapcheck // NewInstallationClient says for which installation
	}
	return c.of(installation).NewInstallationClient(installation) //nolint:wrapcheck // NewInstallationClient says for which installation
}

// Forget makes the next call for an installation ask for a new token.
func (c *Clients) Forget(installation int64) { c.kept.Remove(installation) }
