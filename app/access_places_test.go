package app_test

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"testing"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/permissions"
	"github.com/colony-app/colony/playground"
)

// place is an issue of the access matrix, and what Colony has of it. GitHub says who sees it.
type place struct {
	what        string
	owner, repo string
	number      int
	// named is what the title and the trail name it, where the issue had another address once.
	named string
	// api is what the API answers to a token that GitHub shows the issue. The others get 404.
	api int
	// listed says that the board has the repository, and paged that it has the issue.
	listed, paged bool
	// unnoticed says that no webhook reported the issue's end. The board's lists show it until Colony lists the repository again.
	unnoticed bool
}

func (p place) full() string   { return p.owner + "/" + p.repo }
func (p place) name() string   { return cmp.Or(p.named, fmt.Sprintf("%s#%d", p.full(), p.number)) }
func (p place) title() string  { return "Title of " + p.name() + "." }
func (p place) reason() string { return "until " + p.name() + " is free" }

// newPlaces are issues that Colony keeps, issues that it does not keep, and addresses without an issue.
func newPlaces() (kept, left, absent []place) {
	at := func(what, owner, repo string, number, api int) place {
		return place{what: what, owner: owner, repo: repo, number: number, api: api, listed: api == http.StatusOK, paged: api == http.StatusOK}
	}
	const shown, missing = http.StatusOK, http.StatusNotFound
	kept = []place{
		at("public", "acme", "widgets", 1, shown),
		at("private", "acme", "secret", 1, shown),
		at("private, of others", "acme", "hidden", 1, shown),
		at("archived", "acme", "archived", 1, shown),
		at("archived, private", "acme", "vault", 1, shown),
		at("made private", "acme", "closed", 1, shown),
		at("made public", "acme", "opened", 1, shown),
		at("taken away", "acme", "left", 1, shown),
		at("renamed", "acme", "former", 1, shown),
		at("its name reused", "acme", "reused", 1, shown),
		at("its name reused, another issue", "acme", "reused", 2, shown),
		at("suspended", "sleeping", "public", 1, shown),
		at("suspended, private", "sleeping", "private", 1, shown),
		at("uninstalled", "parted", "public", 1, shown),
		at("uninstalled, private", "parted", "private", 1, shown),
		at("not granted", "narrow", "public", 1, shown),
		at("not granted, private", "narrow", "private", 1, shown),
		at("deleted", "acme", "ended", 1, shown),
		at("converted", "acme", "ended", 2, shown),
		at("transferred", "acme", "ended", 3, shown),
	}
	left = []place{
		at("excluded", "acme", "excluded", 1, missing),
		at("mode off", "acme", "off", 1, missing),
		at("not installed", "elsewhere", "public", 1, missing),
		at("not installed, private", "elsewhere", "private", 1, missing),
	}
	absent = []place{
		at("no issue", "acme", "widgets", 99, missing),
		at("no issue, private", "acme", "secret", 99, missing),
		at("no repository", "acme", "nothing", 1, missing),
		at("no owner", "nobody", "nothing", 1, missing),
		at("no name", "acme", "wid%2Fgets", 1, missing),
		at("no line", "acme", "a%0Ab", 1, missing),
		at("a pull request", "acme", "widgets", 2, missing),
	}
	absent[0].listed, absent[1].listed, absent[6].listed = true, true, true
	return kept, left, absent
}

// privateTo are the private repositories of the matrix, with who reads them. Mona is the admin of each repository.
var privateTo = map[string][]string{
	"acme/secret": {"rita"}, "acme/hidden": nil, "acme/vault": {"rita"}, "acme/opened": nil, "acme/left": {"rita"}, "acme/reused": nil,
	"elsewhere/private": {"rita"}, "sleeping/private": {"rita"}, "parted/private": {"rita"}, "narrow/private": {"rita"},
}

// accessWorld is a GitHub with all places, and Colony with its API and board.
type accessWorld struct {
	*world
	places []place
	// installations are those of Colony's App, by owner.
	installations map[string]int64
	// alien is the installation of another App on acme.
	alien int64
	// asked has the token that Colony asked GitHub about last.
	asked *askedTokens
}

func newAccessWorld(t *testing.T) *accessWorld {
	t.Helper()
	w := &accessWorld{installations: map[string]int64{}}
	w.world = newWorldWithoutColony(t, withAdmin, withAPI, withSignIn, func(c *config.Config) {
		c.GitHub.Budget.Points = 0
		c.Repositories.Exclude = []string{"acme/excluded"}
	})
	w.asked = &askedTokens{wire: w.people.Wire}
	w.transport = w.asked
	w.github.SetRateLimit(1_000_000)
	for _, login := range []string{"pat", "zoe"} {
		w.github.AddUser(login)
	}
	kept, left, absent := newPlaces()
	w.places = slices.Concat(kept, left, absent)
	for _, p := range slices.Concat(kept, left) {
		w.opens(p)
	}
	w.becomes("private", "private, in capitals", "ACME", "SECRET", 1)
	_, err := w.github.OpenPullRequest(playground.PullRequest{Owner: "acme", Name: "widgets", By: "mona", Branch: "work"})
	w.Must(err)
	w.Must(w.github.SetFile("acme", "off", ".github/colony.yml", "mode: off\n"))
	w.makeLabels()
	w.start()
	w.install()
	for _, owner := range []string{"sleeping", "parted", "narrow"} {
		w.installations[owner] = w.github.Install(appID, owner)
	}
	w.Settle()
	for _, p := range slices.Concat(kept, left) {
		w.pauses(p)
	}
	w.Settle()
	return w
}

// opens opens the issue of a place, in a repository that is made if it is not there.
func (w *accessWorld) opens(p place) {
	w.t.Helper()
	if !slices.Contains(w.github.Repositories(), p.full()) {
		w.github.AddRepository(p.owner, p.repo)
		who, private := privateTo[p.full()]
		w.Must(w.github.SetPrivate(p.owner, p.repo, private))
		for _, login := range who {
			w.github.SetPermission(p.owner, p.repo, login, "read")
		}
	}
	w.github.SetPermission(p.owner, p.repo, "mona", "admin")
	opened, _, err := w.As("mona").Issues.Create(ctx, p.owner, p.repo, &github.IssueRequest{Title: new(p.title())})
	w.Must(err)
	if opened.GetNumber() != p.number {
		w.t.Fatalf("%s: it is #%d", p.what, opened.GetNumber())
	}
}

// pauses gives the issue of a place a state, and a trail with a reason.
func (w *accessWorld) pauses(p place) {
	w.t.Helper()
	_, _, err := w.As("mona").Issues.AddLabelsToIssue(ctx, p.owner, p.repo, p.number, []string{"colony:in-development"})
	w.Must(err)
	_, _, err = w.As("mona").Issues.CreateComment(ctx, p.owner, p.repo, p.number, &github.IssueComment{Body: new("/colony:pause " + p.reason())})
	w.Must(err)
}

// at finds a place.
func (w *accessWorld) at(what string) *place {
	w.t.Helper()
	i := slices.IndexFunc(w.places, func(p place) bool { return p.what == what })
	if i < 0 {
		w.t.Fatalf("no place is called %q", what)
	}
	return &w.places[i]
}

// gone says that Colony has nothing at some places from now on.
func (w *accessWorld) gone(whats ...string) {
	for _, what := range whats {
		p := w.at(what)
		p.api, p.listed, p.paged = http.StatusNotFound, false, false
	}
}

// becomes adds another address of the issue of a place.
func (w *accessWorld) becomes(what, as, owner, repo string, number int) {
	w.t.Helper()
	w.places = append(w.places, place{what: as, owner: owner, repo: repo, number: number, named: w.at(what).name(), api: http.StatusOK, listed: true, paged: true})
}

// changes changes who sees which place. Colony gets the webhooks, but that of one repository's new name.
func (w *accessWorld) changes() {
	w.t.Helper()
	for _, name := range []string{"archived", "vault"} {
		_, _, err := w.As("mona").Repositories.Edit(ctx, "acme", name, &github.Repository{Archived: new(true)})
		w.Must(err)
	}
	w.Must(w.github.SetPrivate("acme", "closed", true))
	w.Must(w.github.SetPrivate("acme", "opened", false))
	w.github.SetPermission("acme", "left", "rita", "none")
	w.github.SetPermission("acme", "hidden", "pat", "read")

	w.Must(w.github.DeleteIssue("acme", "ended", 1, "mona"))
	w.Must(w.github.ConvertToDiscussion("acme", "ended", 2, "mona"))
	number, err := w.github.TransferIssue("acme", "ended", 3, "hidden", "mona")
	w.Must(err)
	w.gone("deleted", "converted", "transferred")
	for _, what := range []string{"deleted", "converted", "transferred"} {
		w.at(what).listed = true
	}
	w.becomes("transferred", "transferred, there", "acme", "hidden", number)

	w.Must(w.github.RenameRepository("acme", "former", "latter"))
	w.gone("renamed")
	w.becomes("renamed", "renamed, there", "acme", "latter", 1)
	w.Settle()
	w.reuses()

	w.Must(w.github.Suspend(w.alien))
	w.Must(w.github.Suspend(w.installations["sleeping"]))
	w.Must(w.github.Uninstall(w.installations["parted"]))
	w.gone("suspended", "suspended, private", "uninstalled", "uninstalled, private")
	without := permissions.All()
	maps.DeleteFunc(without, func(permission, _ string) bool { return permission == "issues" || permission == "pull_requests" })
	w.Must(w.github.SetInstallationPermissions(w.installations["narrow"], without))
	w.at("not granted, private").api = http.StatusServiceUnavailable
	w.Settle()
}

// reuses gives the name of a private repository to a public one while Colony gets no webhook.
func (w *accessWorld) reuses() {
	w.t.Helper()
	for _, what := range []string{"its name reused", "its name reused, another issue"} {
		w.becomes(what, what+", there", "acme", "kept", w.at(what).number)
		w.places[len(w.places)-1].listed, w.places[len(w.places)-1].paged = false, false
	}
	w.gone("its name reused, another issue")
	w.at("its name reused, another issue").listed = true
	first := w.at("its name reused")
	first.named = "what took the name"
	w.Deaf()
	w.Must(w.github.RenameRepository("acme", "reused", "kept"))
	w.github.AddRepository("acme", "reused")
	w.Settle()
	w.github.SetWebhookURL(appID, w.colony.address+"/api/github/hook")
	w.opens(*first)
	w.pauses(*first)
}

// loses ends more, and no webhook reports it.
func (w *accessWorld) loses() {
	w.t.Helper()
	w.Deaf()
	number, err := w.github.TransferIssue("acme", "widgets", 1, "hidden", "mona")
	w.Must(err)
	w.Must(w.github.DeleteIssue("acme", "secret", 1, "mona"))
	w.Must(w.github.ConvertToDiscussion("acme", "archived", 1, "mona"))
	for _, what := range []string{"public", "private", "private, in capitals", "archived"} {
		w.at(what).unnoticed, w.at(what).api = true, http.StatusNotFound
	}
	w.becomes("public", "public, there", "acme", "hidden", number)
	w.places[len(w.places)-1].paged = false
	w.Must(w.github.SetPrivate("acme", "opened", true))
	w.github.SetPermission("acme", "hidden", "pat", "none")
}
