package page

import (
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// actorCookie keeps whom the visitor acts as: a login.
const actorCookie = "playground-act-as"

// actor is an account that one can act as.
type actor struct {
	Login string
	Bot   bool
	Role  string // in the repository shown; empty outside of one, and for bots
}

// noAccess is the role of accounts that are not even allowed to see a repository.
const noAccess = "no access"

// roles from the highest down, as a repository's permissions name them.
var roles = []struct{ permission, name string }{
	{"admin", "admin"}, {"maintain", "maintain"}, {"push", "write"}, {"triage", "triage"}, {"pull", "read"},
}

// whoActs is the cookie's login if that can act, or else Options.ActAs, or else the first who can.
func (g *page) whoActs(r *http.Request) string {
	var wanted []string
	if cookie, err := r.Cookie(actorCookie); err == nil {
		if login, err := url.QueryUnescape(cookie.Value); err == nil {
			wanted = append(wanted, login)
		}
	}
	if g.actAs != "" {
		wanted = append(wanted, g.actAs)
	}
	everybody := g.whoCanAct(r)
	for _, login := range wanted {
		if slices.ContainsFunc(everybody, func(a actor) bool { return a.Login == login }) {
			return login
		}
	}
	if len(everybody) == 0 {
		return ""
	}
	return everybody[0].Login
}

// whoCanAct lists the people, then the bots, by login.
func (g *page) whoCanAct(r *http.Request) []actor {
	users := g.playground.Users()
	owners := map[string]bool{} // the accounts that the playground made up as owners of Apps: no one plays them
	for _, u := range users {
		if slug, bot := strings.CutSuffix(u.Login, botSuffix); bot {
			owners[slug+"-owner"] = true
		}
	}
	var people, bots []actor
	for _, u := range users {
		if owners[u.Login] || u.Type == "Organization" {
			continue
		}
		if _, err := g.token(r.Context(), r.Host, u.Login); err != nil {
			continue
		}
		if u.Type == "Bot" {
			bots = append(bots, actor{Login: u.Login, Bot: true})
		} else {
			people = append(people, actor{Login: u.Login})
		}
	}
	return append(people, bots...)
}

// actors are those whom one can act as, each with the role in the repository that the page is about, and the one acted as.
func (v *visit) actors() (everybody []actor, acting actor) {
	everybody = v.whoCanAct(v.r)
	seen := false
	for i := range everybody {
		if a := &everybody[i]; v.r.PathValue("repo") != "" && !a.Bot {
			a.Role = v.roleOf(a.Login)
			seen = seen || a.Role != noAccess
		}
	}
	for i := range everybody {
		if !seen {
			everybody[i].Role = "" // there is no such repository
		}
		if everybody[i].Login == v.acting {
			acting = everybody[i]
		}
	}
	return everybody, acting
}

// roleOf asks on behalf of the login itself: a repository's answer says what the one who asks is allowed to do there.
func (v *visit) roleOf(login string) string {
	found, _, err := v.as(v.r.Host, login).Repositories.Get(v.ctx(), v.owner(), v.repo())
	if err != nil {
		return noAccess
	}
	return highest(found.GetPermissions())
}

func highest(permissions map[string]bool) string {
	for _, r := range roles {
		if permissions[r.permission] {
			return r.name
		}
	}
	return noAccess
}

// actAs keeps the login of the form in the cookie.
func actAs(v *visit) error {
	login := v.r.PostFormValue("login")
	if _, err := v.token(v.ctx(), v.r.Host, login); err != nil {
		v.refuse("", err)
		v.status = http.StatusBadRequest
		content := struct {
			frame
			Status int
		}{v.frame("Act as", nil), v.status}
		return v.show("failure", content)
	}
	http.SetCookie(v.w, &http.Cookie{ //nolint:gosec // the playground speaks plain HTTP, and the login is no secret
		Name: actorCookie, Value: url.QueryEscape(login), Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
	return v.to(local(v.r.PostFormValue("back")))
}

// local makes an address of this page from a form's field: never one of another host.
func local(address string) string {
	parsed, err := url.Parse(address)
	if err != nil {
		return "/"
	}
	inside := url.URL{Path: path.Clean("/" + strings.ReplaceAll(parsed.Path, `\`, "/")), RawQuery: parsed.RawQuery}
	return inside.RequestURI()
}

const botSuffix = "[bot]"

// person is an account as the page names it.
type person struct {
	Login string // as in the API; "ghost" for a deleted account
	Name  string // without the bot's suffix
	Bot   bool
	Hue   int // of the avatar's colour, in degrees
}

// named makes a person of a login.
func named(login string) person {
	if login == "" {
		login = "ghost"
	}
	name, bot := strings.CutSuffix(login, botSuffix)
	hue := 0
	for _, letter := range name {
		hue = (hue*31 + int(letter)) % 360
	}
	return person{Login: login, Name: name, Bot: bot, Hue: hue}
}

// Path is where the page has the account.
func (p person) Path() string { return below(p.Login) }

// Initial is the letter of the avatar.
func (p person) Initial() string {
	first, _ := utf8.DecodeRuneInString(p.Name)
	return strings.ToUpper(string(first))
}

// Person is the actor as the page names accounts.
func (a actor) Person() person { return named(a.Login) }
