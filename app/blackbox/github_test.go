package blackbox_test

import (
	"crypto/rand"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"
)

var onGitHub = flag.Bool("github", false, "run the scenarios on a real GitHub, as docs/blackbox.md says")

// The environment of the target github.
const (
	envAPI            = "COLONY_BLACKBOX_API_URL"
	envWeb            = "COLONY_BLACKBOX_WEB_URL"
	envOrganization   = "COLONY_BLACKBOX_ORGANIZATION"
	envRepository     = "COLONY_BLACKBOX_REPOSITORY"
	envAppID          = "COLONY_BLACKBOX_APP_ID"
	envPrivateKey     = "COLONY_BLACKBOX_PRIVATE_KEY"
	envPrivateKeyFile = "COLONY_BLACKBOX_PRIVATE_KEY_FILE"
	envSecret         = "COLONY_BLACKBOX_WEBHOOK_SECRET"
	envOperator       = "COLONY_BLACKBOX_OPERATOR_TOKEN"
	envMaintainer     = "COLONY_BLACKBOX_MAINTAINER_TOKEN"
	envReader         = "COLONY_BLACKBOX_READER_TOKEN"
	envBot            = "COLONY_BLACKBOX_BOT_TOKEN"
	envBotLogin       = "COLONY_BLACKBOX_BOT_LOGIN"
	envColony         = "COLONY_BLACKBOX_COLONY_URL"
)

// settings lists the environment; docs/blackbox.md explains each.
var settings = []string{
	envAPI, envWeb, envOrganization, envRepository, envAppID, envPrivateKey, envPrivateKeyFile, envSecret,
	envOperator, envMaintainer, envReader, envBot, envBotLogin, envColony,
}

func TestGitHub(t *testing.T) {
	if !*onGitHub {
		t.Skip("without -github")
	}
	playAll(t, githubTarget(t, os.Getenv))
}

// The target github does with a playground what it does with a GitHub that cannot reach Colony.
func TestPlaygroundThatCannotReachColony(t *testing.T) {
	t.Parallel()
	p, tg := newPlayground(t)
	nobody := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	t.Cleanup(nobody.Close)
	p.SetWebhookURL(tg.app.id, nobody.URL)
	p.Install(tg.app.id, "acme")
	t.Cleanup(func() { isTidy(t, tg) }) // runs after the target's own cleaning up
	again := githubTarget(t, environmentOf(tg, nil))
	again.name = "playground-unreached"
	again.settle, again.tick, again.deadline = shortSettle, 5*shortTick, patience
	playAll(t, again)
}

// isTidy asserts that the scenarios left nothing behind.
func isTidy(t *testing.T, tg *target) {
	t.Helper()
	open, _, err := tg.as(operator).Issues.ListByRepo(ctx, tg.owner, tg.repo, nil)
	if err != nil || len(open) > 0 {
		t.Errorf("%d issues were left open (%v)", len(open), err)
	}
	for _, label := range (&stage{target: tg}).labels(t) {
		if label == "colonial" || label == "colony:urgency/2" {
			t.Errorf("the label %s was left behind", label)
		}
	}
}

// A Colony that GitHub reaches is tested from outside alone.
func TestPlaygroundWithInstalledColony(t *testing.T) {
	t.Parallel()
	p, tg := newPlayground(t)
	// Nothing can be held back, so a swap takes its time; and labels are dated in whole seconds.
	tg.settle = 1500 * time.Millisecond
	installed := startColony(t, tg)
	p.SetWebhookURL(tg.app.id, installed.url+webhookPath)
	p.Install(tg.app.id, "acme")
	again := githubTarget(t, environmentOf(tg, map[string]string{envColony: installed.url, envSecret: secret}))
	again.name = "playground-installed"
	again.tick, again.deadline = 10*shortTick, patience
	playAll(t, again)
	for _, line := range installed.log.errors() {
		t.Errorf("Colony logged: %s", line)
	}
}

// environmentOf describes a target as the environment does.
func environmentOf(tg *target, more map[string]string) func(string) string {
	env := map[string]string{
		envAPI: tg.apiURL, envWeb: tg.webURL, envOrganization: tg.owner, envRepository: tg.repo,
		envAppID: strconv.FormatInt(tg.app.id, 10), envPrivateKey: strings.ReplaceAll(tg.app.key, "\n", `\n`),
		envOperator: tg.people[operator].token, envMaintainer: tg.people[maintainer].token,
		envReader: tg.people[reader].token, envBot: tg.people[bot].token, envBotLogin: tg.people[bot].login,
	}
	return func(name string) string {
		if value, ok := more[name]; ok {
			return value
		}
		return env[name]
	}
}

// githubTarget reads from the environment which GitHub and who plays there. What is missing ends the test.
func githubTarget(t *testing.T, env func(string) string) *target {
	t.Helper()
	tg := &target{
		name: "github", apiURL: or(env(envAPI), "https://api.github.com/"), webURL: or(env(envWeb), "https://github.com"),
		owner: env(envOrganization), repo: env(envRepository),
		app:    appOnTarget{key: privateKey(t, env), secret: or(env(envSecret), rand.Text())},
		people: map[part]person{}, lacks: map[capability]bool{installing: true}, executors: map[string][]string{},
		settle: 2 * time.Second, tick: 3 * time.Second, deadline: 3 * time.Minute,
		colonyURL: strings.TrimSuffix(env(envColony), "/"),
	}
	required := []string{envOrganization, envAppID, envOperator}
	if tg.colonyURL != "" {
		required = append(required, envSecret)
		tg.lacks[holding], tg.lacks[colonysLog] = true, true
	}
	if tg.repo == "" {
		required = append(required, envMaintainer) // who makes one
	}
	for _, name := range required {
		if env(name) == "" {
			t.Fatalf("%s is missing: see docs/blackbox.md", name)
		}
	}
	tg.cast(t, env)
	tg.findApp(t, env(envAppID))
	repository := tg.findRepository(t)
	tg.rights(t)

	relayed, err := newRelay(tg.apiURL, tg.app, repository, tg.colonyURL != "")
	if err != nil {
		t.Fatal(err)
	}
	tg.mail = relayed
	return tg
}

func or(value, otherwise string) string {
	if value == "" {
		return otherwise
	}
	return value
}

func privateKey(t *testing.T, env func(string) string) string {
	t.Helper()
	if key := env(envPrivateKey); key != "" {
		return strings.ReplaceAll(key, `\n`, "\n")
	}
	key, err := os.ReadFile(env(envPrivateKeyFile))
	if err != nil {
		t.Fatalf("%s or %s is missing, see docs/blackbox.md: %v", envPrivateKey, envPrivateKeyFile, err)
	}
	return string(key)
}

// cast finds out who plays which part.
func (tg *target) cast(t *testing.T, env func(string) string) {
	t.Helper()
	for _, role := range []struct {
		part  part
		token string
		lacks capability
	}{{operator, envOperator, ""}, {maintainer, envMaintainer, aMaintainer}, {reader, envReader, aReader}, {bot, envBot, aBot}} {
		token := env(role.token)
		if token == "" {
			tg.lacks[role.lacks] = true
			continue
		}
		login := env(envBotLogin)
		if role.part != bot || login == "" {
			user, _, err := clientOf(tg.apiURL, token).Users.Get(ctx, "")
			if err != nil {
				t.Fatalf("%s: whose token is it? (For an App's, say so in %s.) %v", role.token, envBotLogin, err)
			}
			login = user.GetLogin()
		}
		tg.people[role.part] = person{login, token}
	}
	tg.people[author] = tg.people[operator]
	if tg.can(aReader) {
		tg.people[author] = tg.people[reader]
	}
	if tg.can(aBot) && !strings.HasSuffix(tg.people[bot].login, "[bot]") {
		tg.executors[tg.people[bot].login] = []string{} // a bot that works from a person's account
	}
}

func (tg *target) findApp(t *testing.T, id string) {
	t.Helper()
	var err error
	if tg.app.id, err = strconv.ParseInt(id, 10, 64); err != nil {
		t.Fatalf("%s: %v", envAppID, err)
	}
	client, err := appClient(tg.apiURL, tg.app)
	if err != nil {
		t.Fatal(err)
	}
	app, _, err := client.Apps.Get(ctx, "")
	if err != nil {
		t.Fatalf("%s and %s: %v", envAppID, envPrivateKey, err)
	}
	tg.app.slug = app.GetSlug()
	hook, _, err := client.Apps.GetHookConfig(ctx)
	if err != nil {
		t.Fatalf("read where the App's webhooks go: %v", err)
	}
	t.Logf("GitHub sends the webhooks of %s to %q", tg.app.slug, hook.GetURL())
}

// findRepository makes the repository, or takes the one that is named, and cleans up when the test ends. It returns the
// repository's id.
func (tg *target) findRepository(t *testing.T) int64 {
	t.Helper()
	if tg.repo == "" {
		tg.makeRepository(t)
	} else {
		tg.tidyRepository(t)
	}
	repository, _, err := tg.as(operator).Repositories.Get(ctx, tg.owner, tg.repo)
	if err != nil {
		t.Fatalf("read the repository: %v", err)
	}
	client, err := appClient(tg.apiURL, tg.app)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := client.Apps.FindRepositoryInstallation(ctx, tg.owner, tg.repo); err != nil {
		t.Fatalf("%s is not installed on %s/%s: %v", tg.app.slug, tg.owner, tg.repo, err)
	}
	return repository.GetID()
}

// makeRepository makes a private repository, lets the people in, and deletes it when the test ends.
func (tg *target) makeRepository(t *testing.T) {
	t.Helper()
	name := fmt.Sprintf("colony-blackbox-%s", strings.ToLower(rand.Text()[:8]))
	_, _, err := tg.as(maintainer).Repositories.Create(ctx, tg.owner, &github.Repository{
		Name: &name, Private: new(true), HasIssues: new(true), AutoInit: new(true),
		Description: new("Made by Colony's black-box tests, which delete it when they end."),
	})
	if err != nil {
		t.Fatalf("make the repository %s/%s: %v", tg.owner, name, err)
	}
	tg.repo = name
	t.Cleanup(func() {
		if _, err := tg.as(maintainer).Repositories.Delete(ctx, tg.owner, name); err != nil {
			t.Errorf("delete the repository %s/%s, which these tests made: %v", tg.owner, name, err)
		}
	})
	for _, member := range []struct {
		part       part
		permission string
	}{{operator, "push"}, {reader, "pull"}, {bot, "push"}} {
		who, plays := tg.people[member.part]
		if !plays || strings.HasSuffix(who.login, "[bot]") || who.login == tg.people[maintainer].login {
			continue
		}
		tg.letIn(t, member.part, member.permission)
	}
}

// letIn makes somebody a collaborator; who is no member of the organization has to accept the invitation.
func (tg *target) letIn(t *testing.T, p part, permission string) {
	t.Helper()
	login := tg.people[p].login
	invitation, response, err := tg.as(maintainer).Repositories.AddCollaborator(ctx, tg.owner, tg.repo, login,
		&github.RepositoryAddCollaboratorOptions{Permission: permission})
	if err != nil {
		t.Fatalf("let %s into %s/%s: %v", login, tg.owner, tg.repo, err)
	}
	if response.StatusCode != http.StatusCreated || invitation.GetID() == 0 {
		return // let in at once
	}
	if _, err := tg.as(p).Users.AcceptInvitation(ctx, invitation.GetID()); err != nil {
		t.Fatalf("let %s accept the invitation to %s/%s: %v", login, tg.owner, tg.repo, err)
	}
}

const titlePrefix = "Black box: "

// tidyRepository leaves a named repository as it was, but for Colony's own labels and the issues, which are closed.
func (tg *target) tidyRepository(t *testing.T) {
	t.Helper()
	before := (&stage{target: tg}).labels(t)
	t.Cleanup(func() {
		client := tg.as(operator)
		for _, label := range (&stage{target: tg}).labels(t) {
			if slices.Contains(before, label) || !slices.Contains(foreign, label) {
				continue
			}
			if _, err := client.Issues.DeleteLabel(ctx, tg.owner, tg.repo, strings.ReplaceAll(label, "/", "%2F")); err != nil {
				t.Errorf("delete the label %s, which these tests made: %v", label, err)
			}
		}
		for {
			// The newest come first, and what is closed is gone from the first page.
			open, _, err := client.Issues.ListByRepo(ctx, tg.owner, tg.repo, &github.IssueListByRepoOptions{
				State: "open", ListOptions: github.ListOptions{PerPage: 100},
			})
			if err != nil {
				t.Errorf("list the issues to close: %v", err)
				return
			}
			ours := slices.DeleteFunc(open, func(i *github.Issue) bool {
				return !strings.HasPrefix(i.GetTitle(), titlePrefix) || i.IsPullRequest()
			})
			for _, i := range ours {
				if _, _, err := client.Issues.Edit(ctx, tg.owner, tg.repo, i.GetNumber(), &github.IssueRequest{State: new("closed")}); err != nil {
					t.Errorf("close #%d, which these tests opened: %v", i.GetNumber(), err)
					return
				}
			}
			if len(ours) == 0 {
				return
			}
		}
	})
}

// rights finds out which of the people's rights the scenarios can rely on.
func (tg *target) rights(t *testing.T) {
	t.Helper()
	has := func(p part) map[string]bool {
		level, _, err := tg.as(operator).Repositories.GetPermissionLevel(ctx, tg.owner, tg.repo, tg.people[p].login)
		if err != nil {
			t.Fatalf("read what %s may do: %v", tg.people[p].login, err)
		}
		return level.GetUser().GetPermissions()
	}
	mine := has(operator)
	if !mine["push"] {
		t.Fatalf("%s: %s needs the right to write in %s/%s", envOperator, tg.people[operator].login, tg.owner, tg.repo)
	}
	tg.lacks[mereOperator] = mine["maintain"] || mine["admin"]
	if tg.can(aMaintainer) && !has(maintainer)["maintain"] {
		t.Fatalf("%s: %s does not maintain %s/%s", envMaintainer, tg.people[maintainer].login, tg.owner, tg.repo)
	}
	if tg.can(aReader) && has(reader)["triage"] {
		t.Fatalf("%s: %s may do more than read %s/%s", envReader, tg.people[reader].login, tg.owner, tg.repo)
	}
	for c, lacks := range tg.lacks {
		if !lacks {
			delete(tg.lacks, c)
		}
	}
}

// The document names everything that may be set.
func TestDocumentNamesEverySetting(t *testing.T) {
	text, err := os.ReadFile("../../docs/blackbox.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range settings {
		if !strings.Contains(string(text), "`"+name+"`") {
			t.Errorf("docs/blackbox.md does not explain %s", name)
		}
	}
}
