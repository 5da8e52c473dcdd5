// Package setup creates Colony's App on GitHub from a manifest, for "colony setup", and keeps the credentials that GitHub hands out for it:
// https://docs.github.com/apps/sharing-github-apps/registering-a-github-app-from-a-manifest.
package setup

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/palantir/go-githubapp/githubapp"

	"github.com/colony-app/colony/app/board"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/permissions"
)

// Public is the address of github.com.
const Public = "https://github.com"

// longestName is how many characters the name of an App can have:
// https://docs.github.com/apps/creating-github-apps/registering-a-github-app/registering-a-github-app.
const longestName = 34

// Request is the App that someone wants.
type Request struct {
	GitHub       string // the address for browsers
	Organization string // empty: the person's own account
	Name         string
	WebhookURL   string
	Public       bool     // other accounts can install it
	LeaveOut     []string // events of permissions.Younger
	Teams        bool     // lifecycles name teams
}

// FieldError says what is wrong with a part of a request.
type FieldError struct {
	Field string // as the flag is called
	Says  string
}

func (e FieldError) Error() string { return fmt.Sprintf("--%s: %s", e.Field, e.Says) }

// organization is how GitHub's logins are written. Those of managed users have an underscore.
var organization = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*$`)

// Complete returns the request as GitHub wants it, or a FieldError for each part that cannot be used.
func (r Request) Complete() (Request, error) {
	var problems []error
	say := func(field, format string, args ...any) {
		problems = append(problems, FieldError{field, fmt.Sprintf(format, args...)})
	}
	server, err := ServerAt(r.GitHub)
	if err != nil {
		problems = append(problems, err)
	}
	r.GitHub = server.Web
	if r.Organization = strings.TrimSpace(r.Organization); r.Organization != "" && !organization.MatchString(r.Organization) {
		say("organization", "%q is not the name of an organization: write it as it is in the organization's address", r.Organization)
	}
	switch r.Name = strings.TrimSpace(r.Name); {
	case r.Name == "":
		say("name", "is missing: write a name that no other App has, such as colony-acme")
	case utf8.RuneCountInString(r.Name) > longestName:
		say("name", "has %d characters: GitHub allows %d", utf8.RuneCountInString(r.Name), longestName)
	}
	if r.WebhookURL, err = webhookURL(r.WebhookURL, server); err != nil {
		say("webhook-url", "%v", err)
	}
	for _, event := range r.LeaveOut {
		if !slices.Contains(permissions.Younger, event) {
			say("leave-out", "Colony needs the event %s: only %s can be left out", event, strings.Join(permissions.Younger, " and "))
		}
	}
	return r, errors.Join(problems...)
}

// webhookURL completes the address of a Colony with the path at which it listens.
func webhookURL(address string, server Server) (string, error) {
	const like = "write the address at which GitHub reaches Colony, such as https://colony.example.com"
	address = strings.TrimSpace(address)
	if address == "" {
		return "", errors.New("is missing: " + like)
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || u.User != nil || u.Fragment != "" {
		return address, fmt.Errorf("%q is not an address that begins with https:// or http://: %s", address, like)
	}
	if server.Web == Public && config.IsLoopback(u.Hostname()) {
		return address, fmt.Errorf("github.com cannot reach %s: %s", u.Hostname(), like)
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = githubapp.DefaultWebhookRoute
	}
	return u.String(), nil
}

// Server is a GitHub: github.com, one with data residency, or a GitHub Enterprise Server.
type Server struct {
	Web string // without a slash at the end
	API string // with one
}

// ServerAt finds the addresses of the GitHub that has one for browsers.
func ServerAt(address string) (Server, error) {
	text := strings.TrimSpace(address)
	if text == "" {
		text = Public
	}
	if !strings.Contains(text, "://") {
		text = "https://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.User != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		return Server{}, FieldError{"github", fmt.Sprintf("%q is not the address of a GitHub: write it like https://github.example.com", address)}
	}
	// What comes back is a private key.
	if u.Scheme != "https" && (u.Scheme != "http" || !config.IsLoopback(u.Hostname())) {
		return Server{}, FieldError{"github", fmt.Sprintf("%q does not begin with https://, and the App's key would go over the net for everyone to read", address)}
	}
	host := strings.ToLower(u.Host)
	web := u.Scheme + "://" + host
	switch {
	case host == "github.com" || host == "www.github.com":
		return Server{Public, "https://api.github.com/"}, nil
	case strings.HasSuffix(host, ".ghe.com"): // https://docs.github.com/enterprise-cloud@latest/admin/data-residency
		return Server{web, "https://api." + host + "/"}, nil
	}
	return Server{web, web + "/api/v3/"}, nil
}

// Action is where the form leads that brings the manifest, with a state that GitHub hands back.
func (r Request) Action(state string) string {
	path := "/settings/apps/new"
	if r.Organization != "" {
		path = "/organizations/" + url.PathEscape(r.Organization) + path
	}
	if state != "" {
		path += "?" + url.Values{"state": {state}}.Encode()
	}
	return r.GitHub + path
}

// Manifest is an App as GitHub registers it.
type Manifest struct {
	Name        string            `json:"name"`
	URL         string            `json:"url"`
	Hook        Hook              `json:"hook_attributes"`
	Redirect    string            `json:"redirect_url"`
	Callbacks   []string          `json:"callback_urls"`
	Public      bool              `json:"public"`
	Permissions map[string]string `json:"default_permissions"`
	Events      []string          `json:"default_events"`
}

// Hook is where an App receives its webhooks.
type Hook struct {
	Active bool   `json:"active"`
	URL    string `json:"url"`
}

// Manifest is the request's, with the permissions and events that Colony's code uses. GitHub leads the browser to redirect afterwards.
func (r Request) Manifest(redirect string) Manifest {
	home := r.WebhookURL
	if u, err := url.Parse(home); err == nil {
		home = u.Scheme + "://" + u.Host
	}
	var features []permissions.Feature
	if r.Teams {
		features = append(features, permissions.Teams)
	}
	return Manifest{
		Name: r.Name, URL: home, Hook: Hook{Active: true, URL: r.WebhookURL}, Redirect: redirect, Callbacks: []string{board.CallbackURL(home)}, Public: r.Public,
		Permissions: permissions.All(features...),
		Events:      slices.DeleteFunc(permissions.Subscriptions(), func(event string) bool { return slices.Contains(r.LeaveOut, event) }),
	}
}
