package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/github/issues"
)

// App asks GitHub about the App itself: who it is, where it is installed, and what became of its webhooks. It is safe for concurrent use.
type App struct{ github *github.Client }

// NewApp returns what asks with the App's own key.
func (c *Clients) NewApp() (*App, error) {
	client, err := c.NewAppClient()
	if err != nil {
		return nil, fmt.Errorf("make the App's client: %w", err)
	}
	return &App{client}, nil
}

// Self is the App as GitHub knows it.
type Self struct {
	Slug   string
	ID     int64
	Grants map[string]string // permission to level, as the App asks for them
	Events []string          // to which it is subscribed
	// At is GitHub's time when it answered; zero if it does not tell.
	At time.Time
}

// Login is the login of the App's bot user.
func (s Self) Login() string { return s.Slug + "[bot]" }

// Self reads the App. The error is a RefusedError if GitHub does not take it; the time of the answer is there also then.
func (a *App) Self(ctx context.Context) (Self, error) {
	is, response, err := a.github.Apps.Get(ctx, "")
	var at time.Time
	if response != nil {
		at, _ = http.ParseTime(response.Header.Get("Date"))
	}
	if err != nil {
		if refused := Refused(err); refused != nil {
			err = refused
		}
		return Self{At: at}, fmt.Errorf("ask GitHub who this App is: %w", err)
	}
	return Self{is.GetSlug(), is.GetID(), grantsOf(is.GetPermissions()), is.Events, at}, nil
}

// Installation is the App on an account.
type Installation struct {
	ID        int64
	Account   string // its login
	Page      string // where an owner of the account sees it
	Grants    map[string]string
	Events    []string
	Suspended time.Time // zero if it is not
}

// Works reports whether the installation is not suspended.
func (i Installation) Works() bool { return i.Suspended.IsZero() }

func installationOf(i *github.Installation) Installation {
	return Installation{i.GetID(), i.GetAccount().GetLogin(), i.GetHTMLURL(), grantsOf(i.GetPermissions()), i.Events, i.GetSuspendedAt().Time}
}

// grantsOf returns permissions as GitHub wrote them: name to level.
func grantsOf(p *github.InstallationPermissions) map[string]string {
	grants := map[string]string{}
	text, err := json.Marshal(p)
	if err == nil {
		err = json.Unmarshal(text, &grants)
	}
	if err != nil {
		panic(fmt.Sprintf("read permissions: %v", err)) // strings only
	}
	return grants
}

// Installations lists the App's installations, also the suspended ones.
func (a *App) Installations(ctx context.Context) ([]Installation, error) {
	var all []Installation
	page := &github.ListOptions{PerPage: 100}
	for {
		list, response, err := a.github.Apps.ListInstallations(ctx, page)
		if err != nil {
			return nil, fmt.Errorf("list the installations: %w", err)
		}
		for _, i := range list {
			all = append(all, installationOf(i))
		}
		if response.NextPage == 0 {
			return all, nil
		}
		page.Page = response.NextPage
	}
}

// Installation reads an installation.
func (a *App) Installation(ctx context.Context, id int64) (Installation, error) {
	i, _, err := a.github.Apps.GetInstallation(ctx, id)
	if err != nil {
		return Installation{}, fmt.Errorf("read installation %d: %w", id, err)
	}
	return installationOf(i), nil
}

// ErrNotInstalled says that the App is not installed on a repository, or that the repository does not exist.
var ErrNotInstalled = errors.New("the App is not installed there, or there is no such repository")

// InstallationOn finds the App's installation on a repository. The error is ErrNotInstalled if it is not installed there, and a RefusedError if
// GitHub does not take the App.
func (a *App) InstallationOn(ctx context.Context, owner, name string) (Installation, error) {
	i, _, err := a.github.Apps.FindRepositoryInstallation(ctx, url.PathEscape(owner), url.PathEscape(name))
	if issues.IsMissing(err) {
		return Installation{}, ErrNotInstalled
	}
	if refused := Refused(err); refused != nil {
		return Installation{}, refused
	}
	if err != nil {
		return Installation{}, fmt.Errorf("find the App's installation on %s/%s: %w", owner, name, err)
	}
	return installationOf(i), nil
}
