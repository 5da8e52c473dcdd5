package page

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/go-github/v62/github"
)

// repository is one as the page shows it.
type repository struct {
	Owner       string
	Name        string
	Description string
	Private     bool
	Open        int // issues and pull requests, as on GitHub
	Role        string
}

// Path is where the page has it.
func (r *repository) Path() string { return below(r.Owner, r.Name) }

// OwnerPath is where the page has its owner.
func (r *repository) OwnerPath() string { return below(r.Owner) }

// below is an address of this page from plain segments.
func below(segments ...string) string {
	var address strings.Builder
	for _, segment := range segments {
		address.WriteString("/" + url.PathEscape(segment))
	}
	return address.String()
}

func repositoryOf(r *github.Repository) *repository {
	return &repository{
		Owner: r.GetOwner().GetLogin(), Name: r.GetName(), Description: r.GetDescription(), Private: r.GetPrivate(),
		Open: r.GetOpenIssuesCount(), Role: highest(r.GetPermissions()),
	}
}

// repository is the path's, as whom the visitor acts as sees it.
func (v *visit) repository() (*repository, error) {
	found, _, err := v.github.Repositories.Get(v.ctx(), v.owner(), v.repo())
	if err != nil {
		return nil, err //nolint:wrapcheck // shown as it is
	}
	return repositoryOf(found), nil
}

func showHome(v *visit) error { return v.showRepositories("", "Repositories") }

// showOwner lists an account's repositories.
func showOwner(v *visit) error {
	login := v.r.PathValue("owner")
	for _, u := range v.playground.Users() {
		if strings.EqualFold(u.Login, login) {
			return v.showRepositories(u.Login, u.Login)
		}
	}
	return errNoPage
}

// showRepositories lists the repositories that the account whom the visitor acts as is allowed to see; of one owner, or of all if owner is empty.
func (v *visit) showRepositories(owner, title string) error {
	var seen []*repository
	for _, full := range v.playground.Repositories() {
		of, name, _ := strings.Cut(full, "/")
		if owner != "" && of != owner || v.acting == "" {
			continue
		}
		found, _, err := v.github.Repositories.Get(v.ctx(), of, name)
		if refused := (*github.ErrorResponse)(nil); errors.As(err, &refused) && refused.Response.StatusCode == http.StatusNotFound {
			continue
		}
		if err != nil {
			return err //nolint:wrapcheck // shown as it is
		}
		seen = append(seen, repositoryOf(found))
	}
	f := v.frame(title, nil)
	f.Tab, f.Unfold = "repositories", true
	return v.show("home", struct {
		frame
		Owner        string
		Repositories []*repository
	}{f, owner, seen})
}
