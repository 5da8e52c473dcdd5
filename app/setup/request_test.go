package setup_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/colony-app/colony/app/permissions"
	"github.com/colony-app/colony/app/setup"
	"github.com/colony-app/colony/playground"
)

func TestServerAt(t *testing.T) {
	for address, want := range map[string]setup.Server{
		"":                               {Web: "https://github.com", API: "https://api.github.com/"},
		"https://github.com/":            {Web: "https://github.com", API: "https://api.github.com/"},
		"www.github.com":                 {Web: "https://github.com", API: "https://api.github.com/"},
		"GitHub.example.com":             {Web: "https://github.example.com", API: "https://github.example.com/api/v3/"},
		"https://github.example.com:444": {Web: "https://github.example.com:444", API: "https://github.example.com:444/api/v3/"},
		"https://octo.ghe.com":           {Web: "https://octo.ghe.com", API: "https://api.octo.ghe.com/"},
		"http://127.0.0.1:7700":          {Web: "http://127.0.0.1:7700", API: "http://127.0.0.1:7700/api/v3/"},
		"http://[::1]:7700":              {Web: "http://[::1]:7700", API: "http://[::1]:7700/api/v3/"},
	} {
		if got, err := setup.ServerAt(address); err != nil || got != want {
			t.Errorf("%s: %v %v", address, got, err)
		}
	}
	for _, address := range []string{
		"http://github.example.com", "http://github.com", "ftp://github.com", "https://", "https://github.com/acme", "https://me:x@github.com",
		"https://github.com?x", "https://github.com#x", ":", "http://127.0.0.1.example.com",
	} {
		if got, err := setup.ServerAt(address); err == nil {
			t.Errorf("%s is %v", address, got)
		}
	}
}

func wanted() setup.Request {
	return setup.Request{Organization: "acme", Name: "colony-acme", WebhookURL: "https://colony.example.com"}
}

func TestRequestIsCompleted(t *testing.T) {
	r, err := wanted().Complete()
	if err != nil {
		t.Fatal(err)
	}
	if r.GitHub != setup.Public || r.WebhookURL != "https://colony.example.com/api/github/hook" {
		t.Errorf("%+v", r)
	}
	if got, want := r.Action("a b"), "https://github.com/organizations/acme/settings/apps/new?state=a+b"; got != want {
		t.Errorf("the form leads to %s", got)
	}
	r.Organization = ""
	if got, want := r.Action(""), "https://github.com/settings/apps/new"; got != want {
		t.Errorf("the form leads to %s", got)
	}
	own := wanted()
	own.WebhookURL, own.Name = "https://hooks.example.com/colony?x=1", strings.Repeat("é", 34)
	if r, err = own.Complete(); err != nil || r.WebhookURL != own.WebhookURL {
		t.Errorf("%+v %v", r, err)
	}
}

func TestRequestIsRefused(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*setup.Request)
		want   string
	}{
		"no name":              {func(r *setup.Request) { r.Name = " " }, "--name: is missing"},
		"a long name":          {func(r *setup.Request) { r.Name = strings.Repeat("é", 35) }, "--name: has 35 characters: GitHub allows 34"},
		"no webhook":           {func(r *setup.Request) { r.WebhookURL = "" }, "--webhook-url: is missing"},
		"a webhook on a disk":  {func(r *setup.Request) { r.WebhookURL = "file:///etc" }, "--webhook-url:"},
		"a webhook with login": {func(r *setup.Request) { r.WebhookURL = "https://a:b@example.com" }, "--webhook-url:"},
		"an unreachable one":   {func(r *setup.Request) { r.WebhookURL = "http://localhost:8080" }, "--webhook-url: github.com cannot reach localhost"},
		"a GitHub over HTTP":   {func(r *setup.Request) { r.GitHub = "http://github.example.com" }, "--github:"},
		"an address as owner":  {func(r *setup.Request) { r.Organization = "../acme" }, "--organization:"},
		"an event left out":    {func(r *setup.Request) { r.LeaveOut = []string{"issues"} }, "--leave-out: Colony needs the event issues"},
	} {
		t.Run(name, func(t *testing.T) {
			r := wanted()
			test.change(&r)
			if _, err := r.Complete(); err == nil || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("%v\nwant %s", err, test.want)
			}
		})
	}
}

// GitHub accepts the manifest, and an older GitHub Enterprise Server accepts it without the events that it lacks.
func TestManifestIsAccepted(t *testing.T) {
	p := playground.New(playground.Options{BaseURL: "http://127.0.0.1"})
	r, err := setup.Request{GitHub: "http://127.0.0.1", Name: "Colony", WebhookURL: "http://127.0.0.1:8080"}.Complete()
	if err != nil {
		t.Fatal(err)
	}
	read := func() (playground.Manifest, error) {
		text, err := json.Marshal(r.Manifest(setup.Elsewhere))
		if err != nil {
			t.Fatal(err)
		}
		return p.ReadManifest(string(text))
	}
	m, err := read()
	if err != nil {
		t.Fatal(err)
	}
	if silent := permissions.Unheard(m.Events); len(silent) > 0 {
		t.Errorf("it subscribes not to %v", silent)
	}
	if err := p.Lack(playground.SubIssues, playground.IssueDependencies); err != nil {
		t.Fatal(err)
	}
	_, err = read()
	if refused := (*playground.ManifestError)(nil); !errors.As(err, &refused) || refused.Error() != "Default events unsupported: issue_dependencies and sub_issues" {
		t.Fatal(err)
	}
	if m.Permissions["members"] != "" {
		t.Error("it asks for teams that nobody wants")
	}
	r.Teams = true
	r.LeaveOut = permissions.Younger
	if m, err = read(); err != nil || slices.Contains(m.Events, "sub_issues") {
		t.Errorf("%v %v", m.Events, err)
	}
	if m.Permissions["members"] != "read" {
		t.Errorf("for teams it asks for %v", m.Permissions)
	}
}

func TestCodeOf(t *testing.T) {
	for text, want := range map[string]string{
		"abc123\n": "abc123", "http://127.0.0.1/created?code=abc-1_2&state=x": "abc-1_2",
		"": "", "a/b": "", "http://127.0.0.1/created": "", "http://127.0.0.1/?code=../../user": "",
	} {
		if got, err := setup.CodeOf(text); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q %v", text, got, err)
		}
	}
}
