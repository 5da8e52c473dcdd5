package page

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/playground"
)

// Where a form brings the manifest of an App, as on GitHub:
// https://docs.github.com/apps/sharing-github-apps/registering-a-github-app-from-a-manifest.
const (
	personalManifest     = "/settings/apps/new"
	organizationManifest = "/organizations/{org}/settings/apps/new"
)

// manifestView is the page on which a person gives the App of a manifest its name.
type manifestView struct {
	frame
	Owner       string
	Name        string
	Manifest    string
	State       string
	Permissions []string
	Events      []string
	Problems    []string
}

func showManifest(v *visit) error {
	return v.showManifestForm(manifestView{
		Owner: cmp.Or(v.r.PathValue("org"), v.acting), Manifest: v.r.PostFormValue("manifest"), State: v.r.URL.Query().Get("state"),
	})
}

// showManifestForm shows what a manifest asks for, or why it is refused.
func (v *visit) showManifestForm(content manifestView) error {
	m, err := v.playground.ReadManifest(content.Manifest)
	if refused := (*playground.ManifestError)(nil); errors.As(err, &refused) {
		v.status, content.Problems = http.StatusUnprocessableEntity, refused.Problems
		content.Manifest = ""
	} else if err != nil {
		return err
	}
	content.Name = cmp.Or(content.Name, m.Name)
	content.Events = m.Events
	for _, name := range slices.Sorted(maps.Keys(m.Permissions)) {
		content.Permissions = append(content.Permissions, name+": "+m.Permissions[name])
	}
	content.frame = v.frame("Create GitHub App", nil)
	// Browsers hold a form to its policy where an answer leads it elsewhere, too.
	if back, err := url.Parse(m.RedirectURL); err == nil && content.Manifest != "" {
		v.w.Header().Set("Content-Security-Policy", policyOf("'self' "+back.Scheme+"://"+back.Host))
	}
	return v.show("manifest", content)
}

// registerManifest registers the App and sends the browser back to where the manifest came from.
func registerManifest(v *visit) error {
	content := manifestView{
		Owner: v.r.PostFormValue("owner"), Name: strings.TrimSpace(v.r.PostFormValue("name")),
		Manifest: v.r.PostFormValue("manifest"), State: v.r.PostFormValue("state"),
	}
	code, err := v.playground.RegisterManifest(content.Owner, content.Manifest, content.Name)
	if refused := (*playground.ManifestError)(nil); errors.As(err, &refused) {
		v.status = http.StatusUnprocessableEntity
		v.alert = &alert{Refused: true, Text: err.Error()}
		return v.showManifestForm(content)
	}
	if err != nil {
		return err
	}
	m, err := v.playground.ReadManifest(content.Manifest)
	if err != nil {
		return err
	}
	back, err := url.Parse(m.RedirectURL)
	if err != nil {
		return fmt.Errorf("read the redirect_url: %w", err)
	}
	query := back.Query()
	query.Set("code", code)
	if content.State != "" {
		query.Set("state", content.State)
	}
	back.RawQuery = query.Encode()
	http.Redirect(v.w, v.r, back.String(), http.StatusFound)
	return nil
}

// installView is the page on which a person installs an App.
type installView struct {
	frame
	App          *github.App
	Accounts     []string
	Repositories []string
}

func showInstall(v *visit) error {
	app, _, err := v.github.Apps.Get(v.ctx(), url.PathEscape(v.r.PathValue("slug")))
	if err != nil {
		return err //nolint:wrapcheck // shown as it is
	}
	content := installView{frame: v.frame("Install "+app.GetName(), nil), App: app, Repositories: v.playground.Repositories()}
	for _, u := range v.playground.Users() {
		if u.Type != "Bot" {
			content.Accounts = append(content.Accounts, u.Login)
		}
	}
	return v.show("install", content)
}

// install installs an App on all repositories of an account, or on the repositories that were checked.
func install(v *visit) error {
	if err := v.r.ParseForm(); err != nil {
		return fmt.Errorf("read the form: %w", err)
	}
	slug, account := v.r.PostForm.Get("slug"), v.r.PostForm.Get("account")
	app, _, err := v.github.Apps.Get(v.ctx(), url.PathEscape(slug))
	if err != nil {
		return err //nolint:wrapcheck // shown as it is
	}
	body := map[string]any{"app_id": app.GetID(), "account": account}
	if v.r.PostForm.Get("selection") == "selected" {
		repositories := v.r.PostForm["repository"]
		if len(repositories) == 0 {
			return v.notInstalled(slug, errors.New("choose a repository"))
		}
		body["repositories"] = repositories
	}
	if err := v.control(v.ctx(), v.r.Host, http.MethodPost, "/installations", body, nil); err != nil {
		return v.notInstalled(slug, err)
	}
	return v.to(below(account))
}

// notInstalled shows the form again.
func (v *visit) notInstalled(slug string, err error) error {
	v.status, v.alert = http.StatusUnprocessableEntity, &alert{Refused: true, Text: "The App is not installed: " + err.Error()}
	v.r.SetPathValue("slug", slug)
	return showInstall(v)
}
