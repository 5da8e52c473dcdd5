package blackbox_test

import (
	"testing"
	"time"

	"github.com/colony-app/colony/bench/apptest"
	"github.com/colony-app/colony/playground"
)

const secret = "only for these tests"

// On a GitHub of this machine nothing takes long.
const (
	shortSettle = 500 * time.Millisecond
	shortTick   = 10 * time.Millisecond
)

// newPlayground starts a playground with the App, the repository acme/widgets and its people. The clock is the real one.
func newPlayground(t *testing.T) (*playground.Playground, *target) {
	t.Helper()
	p := playground.New(playground.Options{})
	base, err := p.Start("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		if odd := p.Unimplemented(); len(odd) > 0 {
			t.Errorf("the playground was asked for what it does not have: %v", odd)
		}
	})
	p.AddOrganization("acme")
	p.AddRepository("acme", "widgets")
	if err := p.SetFile("acme", "widgets", ".github/colony.yml", "mode: enforce\n"); err != nil {
		t.Fatal(err)
	}
	tg := &target{
		name: "playground", apiURL: base + "/api/v3/", webURL: base, owner: "acme", repo: "widgets",
		app:    appOnTarget{id: 4242, slug: "colony", key: apptest.PEM(apptest.Key()), secret: secret},
		people: map[part]person{}, lacks: map[capability]bool{},
		settle: shortSettle, tick: shortTick, deadline: patience,
		quiet: p.Quiet,
	}
	for _, who := range []struct {
		part        part
		login, role string
	}{{author, "ada", "read"}, {operator, "olivia", "write"}, {maintainer, "mona", "maintain"}, {reader, "rita", "read"}} {
		p.AddUser(who.login)
		p.SetPermission("acme", "widgets", who.login, who.role)
		tg.people[who.part] = person{who.login, p.Token(who.login)}
	}
	p.AddBot("dev")
	tg.people[bot] = person{"dev[bot]", p.Token("dev[bot]")}
	if err := p.RegisterApp(playground.App{
		ID: tg.app.id, Slug: tg.app.slug, PublicKey: &apptest.Key().PublicKey, WebhookSecret: secret,
		Permissions: map[string]string{"issues": "write", "contents": "read", "pull_requests": "read", "checks": "read", "statuses": "read", "metadata": "read"},
		Events:      []string{"check_run", "check_suite", "issue_comment", "issue_dependencies", "issues", "label", "pull_request", "pull_request_review", "push", "repository", "status", "sub_issues"},
	}); err != nil {
		t.Fatal(err)
	}
	return p, tg
}

func TestPlayground(t *testing.T) {
	t.Parallel()
	p, tg := newPlayground(t)
	way := newProxy(t, secret)
	tg.mail = way
	tg.connect = func(string) { p.SetWebhookURL(tg.app.id, way.url) }
	tg.install = func() { p.Install(tg.app.id, "acme") }
	playAll(t, tg)
}
