package playground

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Manifest is an App as it is described to be registered in one step:
// https://docs.github.com/apps/sharing-github-apps/registering-a-github-app-from-a-manifest.
type Manifest struct {
	Name        string `json:"name"`
	URL         string `json:"url"`
	Description string `json:"description"`
	Hook        *struct {
		URL    string `json:"url"`
		Active *bool  `json:"active"`
	} `json:"hook_attributes"`
	RedirectURL string `json:"redirect_url"`
	Public      bool   `json:"public"`
	// CallbackURLs are where people come back to who signed in.
	CallbackURLs []string          `json:"callback_urls"`
	Permissions  map[string]string `json:"default_permissions"`
	Events       []string          `json:"default_events"`

	// What the playground has no use for: it refuses a manifest that asks for it.
	SetupURL      string `json:"setup_url"`
	SetupOnUpdate bool   `json:"setup_on_update"`
	RequestOAuth  bool   `json:"request_oauth_on_install"`
}

// ManifestError lists why a manifest, or the name that a person gave the App, was refused, as GitHub words it where that is known.
type ManifestError struct{ Problems []string }

func (e *ManifestError) Error() string { return strings.Join(e.Problems, "; ") }

const (
	// longestAppName is in characters: https://docs.github.com/apps/creating-github-apps/registering-a-github-app/registering-a-github-app.
	longestAppName = 34
	// manifestLifetime is how long the three steps can take.
	manifestLifetime = time.Hour
)

// conversion is an App that waits for its credentials to be fetched.
type conversion struct {
	app   *app
	key   string // PEM
	until time.Time
}

// ReadManifest reads a manifest as GitHub does when a form brings it. An error is a *ManifestError.
func (p *Playground) ReadManifest(text string) (Manifest, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var m Manifest
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		return m, &ManifestError{[]string{"The manifest is no JSON object with the fields of a manifest: " + err.Error()}}
	}
	if problems := p.manifestProblems(m); len(problems) > 0 {
		return m, &ManifestError{problems}
	}
	return m, nil
}

func (p *Playground) manifestProblems(m Manifest) []string {
	var problems []string
	missing := func(field string) { problems = append(problems, fmt.Sprintf("%q wasn't supplied.", field)) }
	if m.URL == "" {
		missing("url")
	}
	if m.Hook != nil && m.Hook.URL == "" {
		missing("url") // GitHub names the field without hook_attributes around it
	}
	if m.RedirectURL == "" {
		missing("redirect_url")
	} else if u, err := url.Parse(m.RedirectURL); err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		problems = append(problems, "Redirect url must be a valid URL")
	}
	for _, address := range m.CallbackURLs {
		if u, err := url.Parse(address); err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
			problems = append(problems, "Callback urls must be valid URLs")
		}
	}
	if m.Hook != nil {
		if err := p.mayBeSentTo(m.Hook.URL); err != nil {
			problems = append(problems, "Hook url: "+err.Error())
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.Permissions)) {
		if level := m.Permissions[name]; !slices.Contains(permissionLevels[name], level) {
			problems = append(problems, fmt.Sprintf("Default permission records resource is not included in the list: %s: %s", name, level))
		}
	}
	problems = append(problems, p.eventProblems(m)...)
	for _, unbuilt := range []struct {
		field string
		asked bool
	}{
		{"setup_url", m.SetupURL != ""},
		{"setup_on_update", m.SetupOnUpdate},
		{"request_oauth_on_install", m.RequestOAuth},
	} {
		if unbuilt.asked {
			p.unimplemented["the manifest's "+unbuilt.field]++
			problems = append(problems, "The playground does not implement the manifest's "+unbuilt.field)
		}
	}
	return problems
}

// eventProblems refuses what no one can subscribe to, and what no permission of the manifest covers.
func (p *Playground) eventProblems(m Manifest) []string {
	var problems, unsupported, uncovered []string
	granted := maps.Clone(m.Permissions)
	if granted == nil {
		granted = map[string]string{}
	}
	granted["metadata"] = "read"
	for _, name := range m.Events {
		needs, known := subscriptions[name]
		switch {
		case slices.Contains(unsentEvents, name):
			p.unimplemented["the event "+name]++
			problems = append(problems, "The playground does not send the event "+name)
			continue
		case !known || p.lacksEvent(name):
			unsupported = append(unsupported, name)
		}
		if !slices.ContainsFunc(needs, func(permission string) bool { return grants(granted, permission, "read") }) {
			uncovered = append(uncovered, name)
		}
	}
	if len(unsupported) > 0 {
		problems = append(problems, "Default events unsupported: "+sentence(unsupported))
	}
	if len(uncovered) > 0 {
		problems = append(problems, "Default events are not supported by permissions: "+sentence(uncovered))
	}
	return problems
}

// sentence lists words as GitHub's messages do: "a, b, and c".
func sentence(words []string) string {
	switch n := len(words); n {
	case 1:
		return words[0]
	case 2:
		return words[0] + " and " + words[1]
	default:
		return strings.Join(words[:n-1], ", ") + ", and " + words[n-1]
	}
}

// RegisterManifest registers the App of a manifest for an account, under the name that a person confirmed, as the button of GitHub's page does. The
// code fetches the App's credentials, once and within an hour. The playground keeps no owners of organizations: anyone can do it. An error is a
// *ManifestError.
func (p *Playground) RegisterManifest(owner, manifest, name string) (code string, err error) {
	m, err := p.ReadManifest(manifest)
	if err != nil {
		return "", err
	}
	key, err := rsa.GenerateKey(rand.Reader, 2048) // takes a while: not under the lock
	if err != nil {
		return "", fmt.Errorf("make the App's key: %w", err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	account := p.accounts[lower(owner)]
	if account == nil || account.kind == kindBot {
		return "", &ManifestError{[]string{"There is no account " + owner}}
	}
	slug := slugOf(name)
	if err := p.nameProblem(name, slug); err != nil {
		return "", err
	}
	a := &app{
		App: App{
			ID: p.nextID(), Slug: slug, Name: name, PublicKey: &key.PublicKey,
			Permissions: maps.Clone(m.Permissions), Events: slices.Clone(m.Events), CallbackURLs: slices.Clone(m.CallbackURLs), ClientSecret: randomHex(),
		},
		owner: account, private: !m.Public, description: m.Description, homepage: m.URL, created: p.now(), updated: p.now(),
	}
	if a.Permissions == nil {
		a.Permissions = map[string]string{}
	}
	a.Permissions["metadata"] = "read"
	if m.Hook != nil {
		a.WebhookSecret = randomHex()
		if m.Hook.Active == nil || *m.Hook.Active {
			a.WebhookURL = m.Hook.URL
		}
	}
	p.addApp(a)
	code = randomHex()
	p.conversions[code] = &conversion{
		app: a, until: p.authClock.Now().Add(manifestLifetime),
		key: string(PrivateKeyPEM(key)),
	}
	return code, nil
}

// PrivateKeyPEM is an App's private key in the form in which GitHub hands it out.
func PrivateKeyPEM(key *rsa.PrivateKey) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
}

func (p *Playground) nameProblem(name, slug string) error {
	switch {
	case slug == "":
		return &ManifestError{[]string{"Name can't be blank"}}
	case utf8.RuneCountInString(name) > longestAppName:
		return &ManifestError{[]string{fmt.Sprintf("Name is too long (maximum is %d characters)", longestAppName)}}
	case p.accounts[lower(slug+"[bot]")] != nil || p.accounts[lower(slug)] != nil:
		return &ManifestError{[]string{"Name is already taken"}}
	}
	return nil
}

// slugOf makes the name that addresses have of the one that people read.
func slugOf(name string) string {
	var slug strings.Builder
	for _, r := range strings.ToLower(name) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			slug.WriteRune(r)
		} else {
			slug.WriteByte(' ')
		}
	}
	return strings.Join(strings.Fields(slug.String()), "-")
}

// randomHex is like GitHub's secrets: 40 hexadecimal digits.
func randomHex() string {
	var text [20]byte
	_, _ = rand.Read(text[:]) // never fails
	return hex.EncodeToString(text[:])
}

var errNoConversion = errors.New("there is no such code")

// convert hands out the credentials of a code. A code that was used, or is too old, is gone.
func (p *Playground) convert(code string) (*conversion, error) {
	made := p.conversions[code]
	delete(p.conversions, code)
	if made == nil || !p.authClock.Now().Before(made.until) {
		return nil, errNoConversion
	}
	return made, nil
}

// POST /app-manifests/{code}/conversions
func convertManifest(c *call) (any, error) {
	made, err := c.p.convert(c.vars["code"])
	if err != nil {
		return nil, errNotFound
	}
	payload := c.p.appPayload(made.app)
	payload["client_id"], payload["client_secret"] = made.app.ClientID(), made.app.ClientSecret
	payload["webhook_secret"], payload["pem"] = nil, made.key
	if made.app.WebhookSecret != "" {
		payload["webhook_secret"] = made.app.WebhookSecret
	}
	c.status = http.StatusCreated
	return payload, nil
}

// permissionLevels are the permissions that an App can ask for, and their levels, as the description of GitHub's REST API lists them (the
// schema app-permissions).
var permissionLevels = levelsOf(map[string]string{
	"read write": `actions administration artifact_metadata attestations checks code_quality codespaces contents custom_properties_for_organizations
		dependabot_secrets deployments discussions email_addresses environments followers git_ssh_keys gpg_keys interaction_limits issues members
		merge_queues organization_administration organization_announcement_banners organization_copilot_agent_settings
		organization_copilot_seat_management organization_custom_org_roles organization_custom_roles organization_hooks organization_packages
		organization_personal_access_token_requests organization_personal_access_tokens organization_secrets organization_self_hosted_runners
		organization_user_blocking packages pages pull_requests repository_custom_properties repository_hooks secret_scanning_alerts secrets
		security_events single_file starring statuses vulnerability_alerts`,
	"read":             "metadata organization_events organization_plan",
	"write":            "profile workflows",
	"read write admin": "enterprise_custom_properties_for_organizations organization_custom_properties organization_projects repository_projects",
})

func levelsOf(byLevels map[string]string) map[string][]string {
	levels := map[string][]string{}
	for level, names := range byLevels {
		for name := range strings.FieldsSeq(names) {
			levels[name] = strings.Fields(level)
		}
	}
	return levels
}

// subscriptions are the events that the playground sends and an App can subscribe to. Each has a list of permissions, and the App needs one of them:
// https://docs.github.com/webhooks/webhook-events-and-payloads. An issue's comments need issues even where they are a pull request's.
var subscriptions = map[string][]string{
	"check_run":           {"checks"},
	"check_suite":         {"checks"},
	"issue_comment":       {"issues"},
	"issue_dependencies":  {"issues"},
	"issues":              {"issues"},
	"label":               {"metadata"},
	"pull_request":        {"pull_requests"},
	"pull_request_review": {"pull_requests"},
	"push":                {"contents"},
	"repository":          {"metadata"},
	"status":              {"statuses"},
	"sub_issues":          {"issues"},
}

// lacksEvent is whether an event is of a feature that this GitHub does not have.
func (p *Playground) lacksEvent(name string) bool {
	return p.lacking[IssueDependencies] && name == "issue_dependencies" || p.lacking[SubIssues] && name == "sub_issues"
}

// unsentEvents are the events that an App can subscribe to on GitHub, and that the playground never sends.
var unsentEvents = strings.Fields(`branch_protection_configuration branch_protection_rule code_scanning_alert commit_comment create
	custom_property custom_property_values delete dependabot_alert deploy_key deployment deployment_protection_rule deployment_review
	deployment_status discussion discussion_comment fork gollum member membership merge_group merge_queue_entry meta milestone org_block
	organization package page_build projects_v2 projects_v2_item projects_v2_status_update public pull_request_review_comment
	pull_request_review_thread registry_package release repository_advisory repository_dispatch repository_ruleset secret_scanning_alert
	secret_scanning_alert_location security_advisory security_and_analysis star team team_add watch workflow_dispatch workflow_job
	workflow_run`)
