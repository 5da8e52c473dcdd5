package teams_test

import (
	"context"
	"errors"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/bench/apptest"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/github/teams"
	"github.com/colony-app/colony/playground"
)

// world is a GitHub with an organisation, its teams, and Colony's App.
type world struct {
	*playground.Playground
	t     *testing.T
	repo  issues.Repository
	parts *app.Parts
}

func newWorld(t *testing.T) *world {
	t.Helper()
	p := playground.New(playground.Options{})
	server := httptest.NewServer(p.Handler())
	t.Cleanup(server.Close)
	p.AddRepository("acme", "widgets")
	key := apptest.ShortKey()
	if err := p.RegisterApp(apptest.App(key)); err != nil {
		t.Fatal(err)
	}
	w := &world{Playground: p, t: t, repo: issues.Repository{Owner: "acme", Name: "widgets"}}
	w.repo.Installation = p.Install(apptest.ID, "acme")
	w.grant("members", "read")
	for _, err := range []error{p.AddTeam("acme", "leads", "ada"), p.AddTeam("acme", "interns", "ian"), p.AddTeamMember("acme", "leads", "pia", true)} {
		w.check(err)
	}
	p.AddUser("eve")
	w.restart(server.URL)
	return w
}

// restart makes a Colony that knows nothing.
func (w *world) restart(address string) {
	w.t.Helper()
	parts, err := app.NewParts(apptest.ConfigAt(address, apptest.ShortKey()), app.Options{Log: zerolog.Nop()}, prometheus.NewRegistry())
	w.check(err)
	w.parts = parts
}

func (w *world) check(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// grant makes one permission all that the installation has beside those of the App's table.
func (w *world) grant(permission, level string) {
	w.t.Helper()
	w.check(w.SetInstallationPermissions(w.repo.Installation, map[string]string{"issues": "write", "metadata": "read", permission: level}))
}

func (w *world) ask(ctx context.Context, team, login string) (bool, error) {
	w.t.Helper()
	name, err := teams.Parse(team)
	w.check(err)
	return w.parts.Reconciler.Teams.IsMember(ctx, w.repo, name, login)
}

func (w *world) expect(team, login string, want bool) {
	w.t.Helper()
	if got, err := w.ask(w.t.Context(), team, login); err != nil || got != want {
		w.t.Errorf("%s in %s: %t, %v; want %t", login, team, got, err, want)
	}
}

// expectUnknown is that there is no answer, and why.
func (w *world) expectUnknown(team, login, why string) error {
	w.t.Helper()
	got, err := w.ask(w.t.Context(), team, login)
	if got || err == nil || !strings.Contains(err.Error(), why) {
		w.t.Errorf("%s in %s: %t, %v; want %q", login, team, got, err, why)
	}
	return err
}

func TestMembers(t *testing.T) {
	w := newWorld(t)
	w.expect("@acme/leads", "ada", true)
	w.expect("acme/Leads", "ADA", true)
	w.expect("@ACME/leads", "ada", true)
	w.expect("acme/leads", "pia", false) // invited
	w.expect("acme/leads", "eve", false)
	w.expect("acme/leads", "nobody", false)
	w.expect("acme/leads", "", false)
	w.expect("acme/leads", "dev[bot]", false)
	w.expect("acme/leads", "ian", false)
	w.check(w.NestTeam("acme", "interns", "leads"))
	w.expect("acme/leads", "ian", true)
	if u := w.Unimplemented(); len(u) > 0 {
		t.Errorf("the playground lacks %v", u)
	}
}

// Membership is never remembered.
func TestMembersThatChange(t *testing.T) {
	w := newWorld(t)
	w.expect("acme/leads", "ada", true)
	w.check(w.RemoveTeamMember("acme", "leads", "ada"))
	w.expect("acme/leads", "ada", false)
	w.check(w.AddTeamMember("acme", "leads", "ada", true))
	w.expect("acme/leads", "ada", false)
	w.check(w.AddTeamMember("acme", "leads", "ada", false))
	w.expect("acme/leads", "ada", true)
}

func TestTeamsThatAreGone(t *testing.T) {
	w := newWorld(t)
	gone := func(team, login, why string) {
		t.Helper()
		if err := w.expectUnknown(team, login, why); !errors.Is(err, teams.ErrGone) {
			t.Errorf("not gone: %v", err)
		}
	}
	gone("acme/pilots", "ada", "cannot read team @acme/pilots: there is no such team: it was deleted or renamed, or Colony cannot see it")
	w.expect("acme/leads", "ada", true)
	w.expect("acme/interns", "eve", false)
	w.check(w.RenameTeam("acme", "leads", "heads"))
	w.check(w.DeleteTeam("acme", "interns"))
	gone("acme/leads", "ada", "there is no such team: it was renamed")
	gone("acme/interns", "ian", "there is no such team: it was deleted")
	w.expect("acme/heads", "ada", true)
	for team, want := range map[string]string{"acme/heads": "", "acme/pilots": "no such team", "globex/leads": "only the teams of acme"} {
		name, err := teams.Parse(team)
		w.check(err)
		if err := w.parts.Reconciler.Teams.Check(t.Context(), w.repo, name); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v", team, err)
		}
	}
	w.expectUnknown("globex/leads", "ada", "cannot read team @globex/leads: Colony reads only the teams of acme")
}

func TestTeamsWithoutPermission(t *testing.T) {
	w := newWorld(t)
	w.grant("contents", "read")
	err := w.expectUnknown("acme/leads", "ada", `cannot read team @acme/leads: the App has no permission "Members: read"`)
	if !errors.Is(err, teams.ErrPermission) {
		t.Error(err)
	}
	for _, status := range []int{403, 404} { // GitHub answers either
		cancel := w.Fault(playground.Fault{Kind: playground.FaultStatus, Path: regexp.MustCompile("^/orgs/acme/teams"), Status: status})
		w.expectUnknown("acme/leads", "ada", `the App has no permission "Members: read"`)
		cancel()
	}
	w.grant("members", "read")
	cancel := w.Fault(playground.Fault{Kind: playground.FaultStatus, Path: regexp.MustCompile("^/orgs/acme/teams"), Status: 403})
	w.expectUnknown("acme/leads", "ada", "GitHub answered 403 Forbidden")
	cancel()
}

func TestTeamsThatCannotBeReadNow(t *testing.T) {
	w := newWorld(t)
	team := regexp.MustCompile("^/orgs/acme/teams/leads")
	probe := regexp.MustCompile("^/orgs/acme/teams/leads$")
	for name, fault := range map[string]playground.Fault{
		"5xx":              {Kind: playground.FaultStatus, Path: team, Status: 502},
		"5xx of the probe": {Kind: playground.FaultStatus, Path: probe, Status: 502},
		"cut":              {Kind: playground.FaultCut, Path: team},
	} {
		cancel := w.Fault(fault)
		got, err := w.ask(t.Context(), "acme/leads", "eve")
		if got || err == nil || errors.Is(err, teams.ErrGone) || errors.Is(err, teams.ErrPermission) {
			t.Errorf("%s: %t, %v", name, got, err)
		}
		cancel()
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := w.ask(cancelled, "acme/leads", "ada"); got || !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %t, %v", got, err)
	}
	w.expect("acme/leads", "ada", true)

	end := w.Fault(playground.Fault{Kind: playground.FaultSecondaryLimit, Path: team, Status: 429, RetryAfter: time.Minute})
	got, err := w.ask(t.Context(), "acme/leads", "ada")
	if limited := (*ratelimit.Error)(nil); got || !errors.As(err, &limited) {
		t.Errorf("limited: %t, %v", got, err)
	}
	end()
}

// A member costs one call, whoever is none two, and GitHub counts only what changed.
func TestCallsOfTeams(t *testing.T) {
	w := newWorld(t)
	w.expect("acme/leads", "ada", true)
	for login, want := range map[string]int{"ada": 1, "eve": 2, "dev[bot]": 0} {
		w.ResetCalls()
		w.expect("acme/leads", login, login == "ada")
		if calls := w.Calls(); len(calls) != want {
			t.Errorf("%s: %d calls, want %d: %v", login, len(calls), want, calls)
		} else if login == "ada" && calls[0].Status != 304 {
			t.Errorf("the same answer is %d", calls[0].Status)
		}
	}
}

func TestParse(t *testing.T) {
	long, longer := strings.Repeat("a", 100), strings.Repeat("a", 255)
	for text, want := range map[string]string{
		"@acme/leads": "@acme/leads", "acme/lead_engineers": "@acme/lead_engineers", "acme_corp/a-1": "@acme_corp/a-1",
		"acme": "", "acme/": "", "/leads": "", "@acme/leads/more": "", "acme/lead engineers": "", "acme/..": "", "ac me/leads": "", "": "",
		long + "/" + longer: "@" + long + "/" + longer, long + "a/leads": "", "acme/" + longer + "a": "",
	} {
		got, err := teams.Parse(text)
		if want == "" && err == nil || want != "" && got.String() != want {
			t.Errorf("%q: %s, %v", text, got, err)
		}
	}
}
